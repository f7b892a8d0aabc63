"""Table 1: headings by seven expressions on the raw markup, as a scanner made by LEX finds them.

How the printed expressions are read:

- `'<' / [bB] '>'` at the end of the first two is `'</' [bB] '>'`, as in the last one.  A bare slash means "only if
  followed by" in LEX, and a heading would then end before the next start tag of its kind: the examples do not.
- `\\\\n` is the end of a line.  All of `\\n`, `\\r\\n` and `\\r` are, so that pages of any system read alike.
- Single quotation marks enclose text, as double ones do in LEX.  Classes are those of LEX: `[^<]*` runs over lines.
- The text of section 2.1.1 speaks of words in capitals, but no expression asks for them: `IRS NUMBER:` has a colon.

LEX takes the longest match at a place and the first expression among equals, goes on behind it, and passes over one
character where nothing matches.  No two of the seven can begin in the same way, so only the length matters: a heading
runs to the last end tag of its kind on the line, and takes all between.  The consequences are those of the paper:
`<body>`, `<br>`, `<img>` start headings, colons in addresses, styles and scripts end them.

The size of a heading is that of its expression: h1 to h6 by level (h0, which the expression allows, above them), then
bold and strong, words with a colon, italics.  Browsers show the last three in one size, but then Figure 2 could not
give the rule `Area -> total_area ...` of Figure 3 from the page of Figure 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from webquarry.model import Document

WORDS = "words:"
"""The expression of words that end in a colon; the others are called by their tags."""
_SIZES = {f"h{level}": 10 - level for level in range(7)} | {
    "b": 3,
    "STRONG": 3,
    "Strong": 3,
    "strong": 3,
    WORDS: 2,
    "i": 1,
}
_START = re.compile(
    r"<(?:(?P<loose>[bBiI]|[hH][0-6])|(?P<strict>STRONG|Strong|strong)>)"
    r"|(?<![A-Za-z0-9_ -])[A-Za-z0-9_ -]++:"  # from the start of a run alone: a run without a colon is read once
)
_ENDS = {
    "b": ("</b>", "</B>"),
    "i": ("</i>", "</I>"),
    "h": tuple(f"</{letter}{level}>" for letter in "hH" for level in range(7)),
    **{name: (f"</{name}>",) for name in ("STRONG", "Strong", "strong")},
}
_TAG = re.compile(r"<[^<>]*>")
_LINE_END = re.compile(r"\r\n?")


class Match(NamedTuple):
    """A stretch of the markup that one of the expressions describes."""

    expression: str
    """`b`, `h0` to `h6`, `STRONG`, `Strong`, `strong`, `words:` or `i`."""
    start: int
    end: int
    text: str
    """Without tags, white space folded, without the colon at its end."""

    @property
    def size(self) -> int:
        """How large headings of the expression are: only the order means something."""
        return _SIZES[self.expression]


def raw_text(document: Document) -> str:
    """The markup with one kind of line end: matches are places in it."""
    return _LINE_END.sub("\n", document.markup)


def scan(markup: str) -> Iterator[Match]:
    """The matches in their order.  Each character is looked at a bounded number of times."""
    lines = _Lines(markup)
    place = 0
    while found := _START.search(markup, place):
        if kind := found["loose"]:
            end = _end_of_loose(markup, lines, found, kind[0].lower())
        elif kind := found["strict"]:
            end = lines.last_end(kind, found.end())
        else:
            kind, end = WORDS, found.end()
        place = end or found.start() + 1
        if end:
            name = kind if found["strict"] else kind.lower()
            yield Match(name, found.start(), end, _plain(markup[found.start() : end]))


def _end_of_loose(markup: str, lines: _Lines, found: re.Match[str], kind: str) -> int:
    """Where a match of `'<' name [^<]* '>' [^\\n]+ '</' name '>'` ends; 0 when it does not match.

    The end is on the line of the last `>` before the next `<`, and any other `>` of that line does as well: the first
    leaves most for `[^\\n]+`, which must have a character.
    """
    stop = markup.find("<", found.end())
    stop = len(markup) if stop < 0 else stop
    last = markup.rfind(">", found.end(), stop)
    if last < 0:
        return 0
    line = markup.rfind("\n", found.end(), last) + 1
    first = markup.find(">", max(line, found.end()))
    return lines.last_end(kind, first + 1)


class _Lines:
    """The last end tags of the line that is read: asked for in page order, each line is searched once for each."""

    def __init__(self, markup: str) -> None:
        self._markup = markup
        self._stop = -1
        self._ends: dict[str, int] = {}

    def last_end(self, kind: str, content: int) -> int:
        """The place behind the last end tag on the line of `content`, with a character between; or else 0."""
        if content > self._stop:
            stop = self._markup.find("\n", content)
            self._stop = len(self._markup) if stop < 0 else stop
            self._ends = {}
        if kind not in self._ends:
            self._ends[kind] = max(self._markup.rfind(tag, content, self._stop) for tag in _ENDS[kind])
        end = self._ends[kind]
        return end + len(_ENDS[kind][0]) if end > content else 0


def _plain(matched: str) -> str:
    words = unescape(_TAG.sub(" ", matched)).split()
    return " ".join(words).rstrip(": ")
