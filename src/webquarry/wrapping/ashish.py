r"""Learn and read wrappers as Ashish and Knoblock do ("Wrapper Generation for Semi-structured Internet Sources", 1997).

A baseline that follows section 2 of the paper to the letter, in the paper's order: `scan` finds headings by the seven
expressions of Table 1 on the raw markup (2.1.1), `nest` nests their sections by font size and indentation as in
Figure 2 (2.1.2), `wrap_ashish` writes the grammar of Figure 3 from the first page given, and `extract_ashish` is the
parser that LEX and YACC would make of it (2.2).  Communication with a mediator (2.3) is left out.

How the printed expressions of Table 1 are read:

- `'<' / [bB] '>'` at the end of the first two means `'</' [bB] '>'`, as in the last one.  In LEX a bare slash means
  "only if followed by", and a heading would then end before the next start tag of its kind; the examples do not.
- `\\n` is the end of a line, in any of its spellings `\n`, `\r\n` and `\r`.
- Single quotes enclose literal text, as double quotes do in LEX.  `[^<]*` runs over line ends, as in LEX.
- Section 2.1.1 mentions words in capitals, but no expression requires them: `IRS NUMBER:` matches by its colon.

LEX takes the longest match, goes on behind it, and skips one character where nothing matches.  No two of the seven
expressions can begin alike, so a heading runs to the last end tag of its kind on the line.  The consequences are those
of the paper: `<body>`, `<br>` and `<img>` start headings; colons in addresses, styles and scripts end them.

Repairs, without which the method does not run, or only on its sample page:

- Root guard: Figure 2 asks for the parent of the root; climbing ends there (`nest`).
- `and` for `or` in Figure 2, which as printed does not give the grammar of Figure 3.  On by default; the nesting
  `printed` turns it off (`NESTINGS`).
- Depth limit, for hostile pages (`nest`).
- Sizes for headings that browsers show alike: bold above words with a colon above italics.  Otherwise Figure 2 could
  not give the rule `Area -> total_area ...` of Figure 3 from the page of Figure 1 (`_SIZES`).  On a rendered page the
  font in pixels, whether a tag, `<font>` or a style sheet sets it, counts first.
- The title of the page is not a section: neither words in `<title>` nor the heading that names the page.  Figure 3 has
  no `France`, and with it the rules would not fit another country (`_find_title`).
- Names qualified by path: `note` in two sections is two sections, and a second `note` in one section is `note_2`.  The
  paper's grammar would have one rule for all of them (`wrap_ashish`).
- Optional children in any order: a parser made by YACC rejects every page that lacks a heading of the sample, or has
  them in another order.  On by default; `is_exact=True` turns it off (`extract_ashish`).  A heading that comes once
  more than the grammar has it continues its section.
- Two expressions for tokens that a person adds, where none of Table 1 finds them (`find_added`): `<dt>` for what such
  an element holds, `text` for the words themselves.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape
from itertools import islice
from typing import NamedTuple

import numpy as np
import turbohtml

from webquarry.html.parsing import tame
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.wrapper import OTHER, TEXT, TITLE, Section, Source, TokenFormat, Wrapper
from webquarry.page.looks import rendered_look
from webquarry.values.section_types import read_as
from webquarry.wrapping.heading_names import (
    STAR,
    collect_names,
    heading_name,
    map_names,
    matches,
    pattern_name,
    plain_heading,
)

WORDS = "words:"
"""The expression for words that end in a colon; the others are named after their tags."""
_SIZES = {f"h{level}": 10 - level for level in range(7)} | {
    "b": 3,
    "STRONG": 3,
    "Strong": 3,
    "strong": 3,
    WORDS: 2,
    "i": 1,
}
"""Only the order matters: h0, which the expression allows, above h1."""
_START = re.compile(
    r"<(?:(?P<loose>[bBiI]|[hH][0-6])|(?P<strict>STRONG|Strong|strong)>)"
    r"|(?<![A-Za-z0-9_ -])[A-Za-z0-9_ -]++:"  # from the start of a run only: a run without a colon is read once
)
_ENDS = {
    "b": ("</b>", "</B>"),
    "i": ("</i>", "</I>"),
    "h": tuple(f"</{letter}{level}>" for letter in "hH" for level in range(7)),
    **{name: (f"</{name}>",) for name in ("STRONG", "Strong", "strong")},
}
_TAG = re.compile(r"<[^<>]*>")
_LINE_END = re.compile(r"\r\n?")
_UNREAD = r"<!--.*?(?:-->|\Z)|<script\b.*?(?:</script[^<>]*>?|\Z)|<style\b.*?(?:</style[^<>]*>?|\Z)|<[^<>]*(?:>|\Z)"
"""Markup other than text; what is never closed runs to the end, so that each character is read once."""
TAGS = re.compile(_UNREAD, re.DOTALL | re.IGNORECASE)
BEFORE_TEXT = re.compile(rf"(?:\s|&nbsp;|{_UNREAD})*", re.DOTALL | re.IGNORECASE)


class HeadingMatch(NamedTuple):
    """A stretch of the markup that matches an expression of Table 1, or one that a person added."""

    expression: str
    """`b`, `h0` to `h6`, `STRONG`, `Strong`, `strong`, `words:` or `i`; `<dt>` or `text` if added."""
    start: int
    end: int
    text: str
    """Without tags, white space folded, without the colon at its end."""


def raw_text(document: Document) -> str:
    """Return the markup with `\\n` for every line end: matches are positions in it."""
    return _LINE_END.sub("\n", document.markup)


def scan(markup: str) -> Iterator[HeadingMatch]:
    """Find the matches of Table 1 in page order; each character is read a bounded number of times."""
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
            words = unescape(_TAG.sub(" ", markup[found.start() : end])).split()
            yield HeadingMatch(name, found.start(), end, " ".join(words).rstrip(": "))


def _end_of_loose(markup: str, lines: _Lines, found: re.Match[str], kind: str) -> int:
    """Return where a match of `'<' name [^<]* '>' [^\\n]+ '</' name '>'` ends; 0 if it does not match.

    The end is on the line of the last `>` before the next `<`.  Any `>` of that line will do: the first leaves most
    for `[^\\n]+`, which must have a character.
    """
    stop = markup.find("<", found.end())
    last = markup.rfind(">", found.end(), len(markup) if stop < 0 else stop)
    if last < 0:
        return 0
    line = markup.rfind("\n", found.end(), last) + 1
    first = markup.find(">", max(line, found.end()))
    return lines.last_end(kind, first + 1)


class _Lines:
    """The last end tags of the current line; asked in page order, each line is searched once for each kind."""

    def __init__(self, markup: str) -> None:
        self._markup = markup
        self._stop = -1
        self._ends: dict[str, int] = {}

    def last_end(self, kind: str, content: int) -> int:
        """Return the position behind the last end tag on the line of `content`, 0 without content before it."""
        if content > self._stop:
            stop = self._markup.find("\n", content)
            self._stop = len(self._markup) if stop < 0 else stop
            self._ends = {}
        if kind not in self._ends:
            self._ends[kind] = max(self._markup.rfind(tag, content, self._stop) for tag in _ENDS[kind])
        end = self._ends[kind]
        return end + len(_ENDS[kind][0]) if end > content else 0


TEXT_RUN = "text"
"""The expression of a heading that a person added by its words."""
MAX_ADDED_HEADING = 500
"""Characters of a heading in an element that a person named; what is longer is a text."""
_GAP = r"(?:\s|&nbsp;|&#160;)"


def find_added(markup: str, token: TokenFormat) -> Iterator[HeadingMatch]:
    """Find the headings of an expression that is not in Table 1: `<dt>`, or `text` for the words of the example.

    An element counts up to its next end tag.  Words count where a text or a line begins, or anywhere if the token is
    inline.
    """
    if token.signature.startswith("<"):
        tag = re.escape(token.signature.strip("<>"))
        pattern = rf"<{tag}(?![\w-])[^<>]*>((?:(?!<{tag}(?![\w-])).){{1,{MAX_ADDED_HEADING}}}?)</{tag}\s*>"
        for found in re.finditer(pattern, markup, re.DOTALL | re.IGNORECASE):
            yield HeadingMatch(token.signature, found.start(), found.end(), _plain_text(found[1]))
        return
    for start, end in find_words(markup, token.like):
        if token.is_inline or begins_text(markup, start):
            yield HeadingMatch(token.signature, start, end, _plain_text(markup[start:end]))


def find_words(markup: str, words: str) -> Iterator[tuple[int, int]]:
    """Find words, with a colon behind them, in the text of a page; a word `*` stands for the rest of the text.

    >>> list(find_words('<p title="Red tape">Red  tape: much. Tape', "Red tape"))
    [(20, 30)]
    """
    parts = ["[^<\\n]+" if word == STAR else re.escape(word).replace("\\&", "&(?:amp;)?") for word in words.split()]
    pattern = rf"(?<!\w){rf'{_GAP}+'.join(parts)}(?!\w)(?:{_GAP}*:)?"
    checked, is_in_tag = 0, False
    for found in re.finditer(pattern, markup, re.IGNORECASE) if parts else ():
        opened, closed = (markup.rfind(mark, checked, found.start()) for mark in "<>")
        is_in_tag = opened > closed if max(opened, closed) >= 0 else is_in_tag
        checked = found.start()
        if not is_in_tag:
            yield found.span()


def begins_text(markup: str, place: int) -> bool:
    """Tell whether a text or a line begins at a position."""
    spaces = _SPACES_BEFORE.search(markup, max(place - MAX_ADDED_HEADING, 0), place)
    start = spaces.start() if spaces else place
    return start == 0 or markup[start - 1] == ">" or "\n" in markup[start:place]


_SPACES_BEFORE = re.compile(rf"(?<!\s){_GAP}+\Z")


def _plain_text(markup: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", markup)).split()).rstrip(": ")


Size = tuple[float, int]
"""The font in pixels, 0 on pages without a layout, and then the place of the expression in the order of sizes."""


@dataclass(frozen=True)
class MeasuredHeading:
    """A heading as Figure 2 sees it."""

    text: str
    expression: str
    size: Size
    indentation: int


def find_headings(document: Document) -> list[MeasuredHeading]:
    """Find the headings of a page with their sizes and indentations (sections 2.1.1 and 2.1.2)."""
    markup = raw_text(document)
    return measure(document, markup, list(scan_outside_title(markup)))


def scan_outside_title(markup: str) -> Iterator[HeadingMatch]:
    """Find the matches of Table 1, without words in `<title>`."""
    title = _TITLE.search(markup)
    first, last = title.span() if title else (0, 0)
    return (match for match in scan(markup) if not first <= match.start < last)


_TITLE = re.compile(r"<title\b[^<>]*>([^<]*)(?:</title\b|\Z)", re.IGNORECASE)


def measure(document: Document, markup: str, matches: Sequence[HeadingMatch]) -> list[MeasuredHeading]:
    """Measure the size and indentation of some headings of a page."""
    starts = [_start_of_text(markup, match) for match in matches]
    sizes: list[float] = [0.0] * len(matches)
    if document.layout is not None:
        looks = {node: rendered_look(document.layout, node) for node in set(heading_nodes(document, markup, matches))}
        sizes = [looks[node].size for node in heading_nodes(document, markup, matches)]
    return [
        MeasuredHeading(match.text, match.expression, (size, _order_of(match.expression)), indentation)
        for match, size, indentation in zip(matches, sizes, indentations(markup, starts), strict=True)
    ]


def _order_of(expression: str) -> int:
    return _SIZES.get(expression.strip("<>").lower(), _SIZES.get(expression, _SIZES[WORDS]))


def heading_nodes(document: Document, markup: str, matches: Sequence[HeadingMatch]) -> list[int]:
    """Find the element that the words of each heading begin in."""
    places = []
    for match in matches:
        skipped = BEFORE_TEXT.match(markup, _start_of_text(markup, match), match.end)
        place = skipped.end() if skipped else match.start
        places.append(place if place < match.end else match.start)
    return list(elements_at(document, markup, places))


def _start_of_text(markup: str, match: HeadingMatch) -> int:
    """Leave the spaces before words out of their match: they are indentation."""
    if match.expression != WORDS:
        return match.start
    return match.end - len(markup[match.start : match.end].lstrip(" "))


LIST_INDENTATION = 10
"""Spaces for each list and quotation: browsers indent them by 40 pixels, and a space of their text is 4 wide."""
TAB = 8
"""Spaces to the next tab stop, at most."""
_NESTING = re.compile(r"<(/?)(?:ul|ol|dl|dir|menu|blockquote)\b", re.IGNORECASE)
_LEAD = re.compile(r"(?>(?:[ \t\xa0]|&nbsp;?|&#160;?|&#[xX][aA]0;?|<[^<>]*>)*)")
_NO_BREAK_SPACE = re.compile(r"&[^;]*;?")


def indentations(markup: str, starts: Iterable[int]) -> Iterator[int]:
    """Measure indentation, "which can be detected from raw text or HTML tags" (2.1.2), at ascending positions.

    It is that of the line: the spaces before its first text, plus `LIST_INDENTATION` for each open list or quotation.
    Spaces that templates put into the markup for no reader mislead it.

    >>> list(indentations("<b>One</b>\\n  &nbsp;<p><i>Two</i>\\n<ul><li>Three:", [0, 20, 38]))
    [0, 3, 10]
    """
    nesting = _NESTING.finditer(markup)
    tag = next(nesting, None)
    depth = spaces = 0
    line_end = -1
    for start in starts:
        while tag and tag.start() < start:
            depth = max(depth + (-1 if tag[1] else 1), 0)
            tag = next(nesting, None)
        if start > line_end:
            line = markup.rfind("\n", max(line_end, 0), start) + 1
            lead = _LEAD.match(markup, line, start)
            written = _TAG.sub("", lead[0]) if lead else ""
            spaces = len(_NO_BREAK_SPACE.sub(" ", written).expandtabs(TAB))
            line_end = markup.find("\n", start)
            line_end = len(markup) if line_end < 0 else line_end
        yield spaces + depth * LIST_INDENTATION


ROOT = -1
"""The number of the page itself among the sections."""
MAX_DEPTH = 100
"""Sections within each other; deeper ones go into the last one allowed.  Real pages have about five."""
Climbs = Callable[[MeasuredHeading, MeasuredHeading], bool]
"""Tells whether the new section (second) is outside the current one (first)."""


def as_printed(current: MeasuredHeading, new: MeasuredHeading) -> bool:
    """Apply the condition of Figure 2.

    It puts a section below another only if its heading is both smaller and further in.  Headings that differ in size
    alone, or in indentation alone, all climb to the root: every rule of a page in the form of Figure 1 is wrong.
    """
    return current.size <= new.size or current.indentation >= new.indentation


def with_and(current: MeasuredHeading, new: MeasuredHeading) -> bool:
    """Apply the condition of Figure 2 with `and` for `or`, the smallest change that gives the rules of Figure 3.

    It puts a large heading below a small one that is less indented.
    """
    return current.size <= new.size and current.indentation >= new.indentation


INTENDED, PRINTED = "intended", "printed"
NESTINGS: dict[str, Climbs] = {INTENDED: with_and, PRINTED: as_printed}
"""The conditions of Figure 2 by name: the one that gives Figure 3 is the one that the authors must have meant."""


def nest(headings: Sequence[MeasuredHeading], *, climbs: Climbs = with_and) -> list[int]:
    """Find the number of each heading's parent, or `ROOT` (Figure 2)."""
    parents: list[int] = []
    depths: list[int] = []
    current = ROOT
    for number, heading in enumerate(headings):
        while current != ROOT and (depths[current] >= MAX_DEPTH or climbs(headings[current], heading)):
            current = parents[current]
        parents.append(current)
        depths.append(1 if current == ROOT else depths[current] + 1)
        current = number
    return parents


def paths(headings: Sequence[MeasuredHeading], *, climbs: Climbs = with_and) -> list[tuple[str, ...]]:
    """List for each heading the texts of those above it and its own: the outline of the page."""
    found: list[tuple[str, ...]] = []
    for heading, parent in zip(headings, nest(headings, climbs=climbs), strict=True):
        found.append((*(() if parent == ROOT else found[parent]), plain_heading(heading.text)))
    return found


def wrap_ashish(documents: Sequence[Document], *, name: str, nesting: str = INTENDED) -> Wrapper:
    """Learn a wrapper from the first of the pages: the paper structures one sample page (section 2.1).

    `nesting` is `intended` or `printed`, the condition of Figure 2.
    """
    samples = documents[:1]
    title, headings = find_sections(samples[0]) if samples else (None, [])
    parents = nest(headings, climbs=NESTINGS[nesting])
    return Wrapper(
        source=Source(name=name, samples=tuple(sample.url for sample in samples)),
        tokens=_formats(headings, parents),
        title="" if title is None else title.expression,
        grammar=Section(name, children=_sections(headings, parents)),
        method="ashish",
        nesting=nesting,
    )


def find_sections(document: Document) -> tuple[MeasuredHeading | None, list[MeasuredHeading]]:
    """Find the heading that names a page, if there is one, and the headings of its sections."""
    headings = find_headings(document)
    title = _find_title(headings, raw_text(document))
    if title is None:
        return None, headings
    words = (title.expression, heading_name(title.text))
    return title, [each for each in headings if (each.expression, heading_name(each.text)) != words]


def _find_title(headings: Sequence[MeasuredHeading], markup: str) -> MeasuredHeading | None:
    """Find the heading that names the page: in a larger font than any other, or in the words of `<title>`.

    Fonts are those of `h1` to `h6`, or of the rendered page.  It comes before most headings.
    """
    written = _TITLE.search(markup)
    named = heading_name(_plain_text(written[1])) if written else ""
    fonts = [(each.size[0], each.size[1] if each.expression[0] in "hH" else 0) for each in headings]
    largest = max(fonts, default=(0.0, 0))
    is_largest = fonts.count(largest) == 1 and len({font[0] or font[1] for font in fonts}) > 1
    for heading, font in islice(zip(headings, fonts, strict=True), (len(headings) + 1) // 2):
        is_named = heading_name(heading.text) == named and heading.expression != WORDS
        if is_named or (is_largest and font == largest):
            return heading
    return None


def _sections(headings: Sequence[MeasuredHeading], parents: Sequence[int]) -> tuple[Section, ...]:
    """Turn the tree of Figure 2 into sections (Figure 3), last heading first, as children follow their parents."""
    numbering = Numbering()
    names = [
        numbering.distinct(parent, heading_name(heading.text))
        for heading, parent in zip(headings, parents, strict=True)
    ]
    inside: dict[int, list[Section]] = {}
    for number in range(len(headings) - 1, -1, -1):
        text, children = headings[number].text, tuple(reversed(inside.pop(number, [])))
        called = () if heading_name(text) == names[number] else (plain_heading(text),)
        section = Section(names[number], children=children, headings=called)
        inside.setdefault(parents[number], []).append(section)
    return tuple(reversed(inside.pop(ROOT, [])))


def _formats(headings: Sequence[MeasuredHeading], parents: Sequence[int]) -> tuple[TokenFormat, ...]:
    """List for each expression the headings that it found: the input of the lexical analyzer of section 2.2."""
    depths: list[int] = []
    texts: dict[str, dict[str, str]] = {}
    levels: dict[str, int] = {}
    fonts: dict[str, set[float]] = {}
    for heading, parent in zip(headings, parents, strict=True):
        depths.append(1 if parent == ROOT else depths[parent] + 1)
        texts.setdefault(heading.expression, {}).setdefault(heading_name(heading.text), heading.text)
        fonts.setdefault(heading.expression, set()).update(filter(None, heading.size[:1]))
        levels[heading.expression] = min(depths[-1], levels.get(heading.expression, depths[-1]))
    return tuple(
        TokenFormat(
            levels[expression],
            like=next(iter(found.values())),
            signature=expression,
            look=" ".join([expression, *(f"{font:g}px" for font in sorted(fonts[expression], reverse=True))])
            if fonts[expression]
            else "",
            names=tuple(found),
        )
        for expression, found in sorted(texts.items(), key=lambda item: levels[item[0]])
    )


class Numbering:
    """Gives names that are unique within their parent, in constant time each."""

    def __init__(self) -> None:
        self._given: set[tuple[int, str]] = set()
        self._next: dict[tuple[int, str], int] = {}

    def distinct(self, parent: int, name: str) -> str:
        """Append `_2` and so on to a name that the parent has given already.

        >>> numbering = Numbering()
        >>> [numbering.distinct(0, name) for name in ("note", "note", "note_2", "note")], numbering.distinct(1, "note")
        (['note', 'note_2', 'note_2_2', 'note_3'], 'note')
        """
        number, given = self._next.get((parent, name), 1), name
        while (parent, given) in self._given:
            number += 1
            given = f"{name}_{number}"
        self._next[parent, name] = number
        self._given.add((parent, given))
        return given


_NEVER = 1 << 62  # behind every position of a page


def elements_at(document: Document, markup: str, places: Sequence[int]) -> Iterator[int]:
    """Find the innermost element that is open at each of some ascending positions, by its tags.

    It is the root where the tree is not that of the markup, because scripts ran or because the markup was tamed.
    """
    nodes = np.flatnonzero(document.tags >= 0).tolist()
    spans = _tag_spans(markup)
    if len(spans) != len(nodes):
        yield from [nodes[0] if nodes else 0] * len(places)
        return
    closed: dict[int, int] = {}  # the first position where an element, or one around it, has ended
    for node, (_, end) in zip(nodes, spans, strict=True):
        closed[node] = min(end, closed.get(int(document.parents[node]), _NEVER))
    opened = sorted((start, node) for node, (start, _) in zip(nodes, spans, strict=True) if start >= 0)
    starts = [start for start, _ in opened]
    last, node = -2, 0
    for place in places:
        index = bisect_right(starts, place) - 1
        if index != last:  # otherwise go on from the last position: each element is left once
            last, node = index, opened[index][1] if index >= 0 else nodes[0]
        while closed[node] <= place and int(document.parents[node]) in closed:
            node = int(document.parents[node])
        yield node


def _tag_spans(markup: str) -> list[tuple[int, int]]:
    """Locate each element's start tag and end of its end tag; -1 and never for tags that are implied."""
    if tame(markup) != markup:
        return []
    try:
        tree = turbohtml.parse(markup, source_locations=True, allow_declarative_shadow_roots=False)
        locations = [element.source_location for element in tree.iter_elements()]
    except UnicodeDecodeError:  # lone surrogates in names
        return []
    return [
        (-1, _NEVER)
        if each is None
        else (each.start_tag.start_offset, each.end_tag.end_offset if each.end_tag else _NEVER)
        for each in locations
    ]


def extract_ashish(wrapper: Wrapper, document: Document, *, is_exact: bool = False) -> Extraction:
    """Parse a page by the wrapper's tokens and grammar (section 2.2).

    The text of a section runs from its heading to the next known one, without tags.  With `is_exact`, a page with
    another sequence of headings than the sample's has no values, as with a parser made by YACC.
    """
    markup = raw_text(document)
    tokens = _known_tokens(wrapper, markup)
    begun = _assign_sections(wrapper.grammar, tokens)
    matches = [match for (match, _), each in zip(tokens, begun, strict=True) if each]
    parts = [each for each in begun if each]
    slots = [each.slot for each in parts]
    filled = set(slots)
    missing = tuple(
        ".".join(path)
        for slot, (path, section) in enumerate(wrapper.grammar.walk(), start=1)
        if slot not in filled and not section.is_optional
    )
    if is_exact and (missing or slots != sorted(filled - {_NO_SLOT})):
        matches, parts = [], []
    unknown = [match.text for match, each in zip(matches, parts, strict=True) if each.slot == _NO_SLOT]
    values = list(_read_title(wrapper, document, markup, matches))
    values += _values(wrapper, document, markup, matches, parts)
    return Extraction(
        page=document.url,
        document=document.kind,
        source=wrapper.source.name,
        values=tuple(values),
        missing=missing,
        unknown=tuple(dict.fromkeys(unknown)),
    )


class Found(NamedTuple):
    """A heading of a page that the wrapper names."""

    match: HeadingMatch
    token: TokenFormat
    path: tuple[str, ...]
    """The section that it starts; behind `_other` if the grammar lacks it."""


def trace_ashish(wrapper: Wrapper, document: Document) -> list[Found]:
    """List the headings of a page that start sections, in page order."""
    tokens = _known_tokens(wrapper, raw_text(document))
    begun = _assign_sections(wrapper.grammar, tokens)
    return [Found(match, token, each.path) for (match, token), each in zip(tokens, begun, strict=True) if each]


def measure_ashish(wrapper: Wrapper, document: Document) -> dict[int, MeasuredHeading]:
    """Measure the headings of a page that the wrapper names, by their places in the markup."""
    markup = raw_text(document)
    matches = [match for match, _ in _known_tokens(wrapper, markup)]
    return dict(zip((match.start for match in matches), measure(document, markup, matches), strict=True))


def find_heading_nodes(document: Document, found: Iterable[Found]) -> list[int]:
    """Find the elements that the words of headings begin in."""
    return heading_nodes(document, raw_text(document), [each.match for each in found])


def _read_title(
    wrapper: Wrapper, document: Document, markup: str, matches: Sequence[HeadingMatch]
) -> Iterator[SectionValue]:
    """Read the heading that names the page: the first of its expression, before all sections."""
    stop = matches[0].start if matches else len(markup)
    for match in scan_outside_title(markup) if wrapper.title else ():
        if match.start >= stop:
            return
        if match.expression == wrapper.title:
            node = heading_nodes(document, markup, [match])[0]
            yield SectionValue((TITLE,), (TITLE,), match.text, document.xpath(node))
            return


def _known_tokens(wrapper: Wrapper, markup: str) -> list[tuple[HeadingMatch, TokenFormat]]:
    """Find the headings that the wrapper names: the analyzer "identifies exactly those tokens" (section 2.2).

    Of several at one place the longest counts, as in LEX.
    """
    rules: dict[str, list[tuple[TokenFormat, Collection[str], Collection[str]]]] = {}
    added: list[HeadingMatch] = []
    for token in wrapper.tokens:
        entry = (token, collect_names(token.names), collect_names(token.excluded))
        rules.setdefault(token.signature, []).append(entry)
        if token.signature.startswith("<") or token.signature == TEXT_RUN:
            added += find_added(markup, token)
    kept: list[tuple[HeadingMatch, TokenFormat]] = []
    for match in sorted([*scan_outside_title(markup), *added], key=lambda each: (each.start, -each.end)):
        name = heading_name(match.text)
        for token, names, excluded in rules.get(match.expression, ()):
            is_named = (not names or name in names) and name not in excluded
            if is_named and (not kept or match.start >= kept[-1][0].end):
                kept.append((match, token))
                break
    return kept


_NO_SLOT = 0
"""The slot of what is not in the grammar; sections are numbered from 1, in the order of the grammar."""


@dataclass(eq=False)
class _Begun:
    """A section that a heading of the page has begun."""

    slot: int
    path: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    outer: _Begun | None = None
    has_inner: bool = False
    """Whether a section within it was begun."""

    def outwards(self) -> Iterator[_Begun]:
        """Walk from the section to the page."""
        here: _Begun | None = self
        while here is not None:
            yield here
            here = here.outer


def _assign_sections(grammar: Section, tokens: Iterable[tuple[HeadingMatch, TokenFormat]]) -> list[_Begun | None]:
    """Assign each heading, in page order, to a section of the grammar; None for one that is text where it is.

    That is the innermost open section which still lacks one of its name, or else has one, which goes on; without one
    the heading goes to `_other`.
    """
    slots = _Slots(grammar)
    numbering = Numbering()
    current = _Begun(_NO_SLOT)
    begun: list[_Begun | None] = []
    for match, token in tokens:
        name = heading_name(match.text)
        if token.excluded and any(".".join((*each.path, name)) in token.excluded for each in current.outwards()):
            begun.append(None)
            continue
        outer, slot = slots.find_free(current, name)
        again = None if outer else slots.find_taken(current, name)
        if again is not None:
            current = again
        elif outer is None:
            other = numbering.distinct(-1, name)
            begun.append(_Begun(_NO_SLOT, (OTHER, other), (OTHER, other)))
            continue
        else:
            outer.has_inner = True
            text = plain_heading(match.text)
            shown = name if not text or text.startswith("_") else text  # an underscore is reserved
            heading = numbering.distinct(outer.slot, shown)
            current = _Begun(slot, (*outer.path, slots.names[slot]), (*outer.headings, heading), outer)
            slots.taken[slot] = current
        begun.append(current)
    return begun


class _Slots:
    """The sections of a grammar, numbered, and which of them a page has begun."""

    def __init__(self, grammar: Section) -> None:
        numbers: dict[tuple[str, ...], int] = {(): _NO_SLOT}
        self.names = [grammar.name]
        self.taken: dict[int, _Begun] = {}
        pairs: dict[int, dict[str, deque[int]]] = {}
        for slot, (path, section) in enumerate(grammar.walk(), start=1):
            numbers[path] = slot
            self.names.append(section.name)
            inside = pairs.setdefault(numbers[path[:-1]], {})
            for name in dict.fromkeys(map(pattern_name, section.headings)) or [section.name]:
                inside.setdefault(name, deque()).append(slot)
        self._free = {outer: map_names(inside.items()) for outer, inside in pairs.items()}
        self._all = {
            outer: map_names((name, tuple(each)) for name, each in inside.items()) for outer, inside in pairs.items()
        }

    def find_free(self, current: _Begun, name: str) -> tuple[_Begun | None, int]:
        """Find the innermost open section with one of the heading's name that the page has not begun, and its slot."""
        for outer in current.outwards():
            waiting = self._free.get(outer.slot, {}).get(name)
            while waiting:
                slot = waiting.popleft()
                if slot not in self.taken:
                    return outer, slot
        return None, _NO_SLOT

    def find_taken(self, current: _Begun, name: str) -> _Begun | None:
        """Find the last section of the heading's name in the innermost open section that has begun one."""
        for outer in current.outwards():
            begun = [self.taken[slot] for slot in self._all.get(outer.slot, {}).get(name, ()) if slot in self.taken]
            if begun:
                return begun[-1]
        return None


_REST_OF_TAG = re.compile(r"[^<>]*>")


def _values(
    wrapper: Wrapper, document: Document, markup: str, matches: Sequence[HeadingMatch], begun: Sequence[_Begun]
) -> Iterator[SectionValue]:
    begins, texts = [], []
    for start, stop in _stretches(markup, matches):
        skipped = BEFORE_TEXT.match(markup, start, stop)
        begin = skipped.end() if skipped else start
        begins.append(begin if begin < stop else start)
        texts.append(" ".join(unescape(TAGS.sub(" ", markup[start:stop])).split()))
    parts: dict[_Begun, list[tuple[str, int]]] = {}
    for each, text, node in zip(begun, texts, elements_at(document, markup, begins), strict=True):
        parts.setdefault(each, []).append((text, node))
    types = {path: section.type for path, section in wrapper.grammar.walk() if section.type != "text"}
    for each, found in parts.items():
        own = (TEXT,) if each.has_inner else ()
        filled = [(text, node) for text, node in found if text] or found[:1]
        whole = "\n".join(text for text, _ in filled)
        if whole or not own:
            typed = read_as(types[each.path], whole, wrapper.source.locale) if each.path in types else None
            xpath = document.xpath(filled[0][1])
            yield SectionValue((*each.path, *own), (*each.headings, *own), whole, xpath, typed)


def _stretches(markup: str, matches: Sequence[HeadingMatch]) -> Iterator[tuple[int, int]]:
    """Find where the text of each heading begins and ends; for a heading inside a tag it begins behind the tag."""
    stops = [*(match.start for match in matches[1:]), len(markup)]
    before, is_in_tag = 0, False
    for match, stop in zip(matches, stops, strict=False):  # without a heading there is a stop all the same
        end = match.end
        opened, closed = markup.rfind("<", before, end), markup.rfind(">", before, end)
        is_in_tag = opened > closed if max(opened, closed) >= 0 else is_in_tag
        before = end
        rest = _REST_OF_TAG.match(markup, end, stop) if is_in_tag else None
        yield (rest.end() if rest else end), stop


_TAG_BEFORE = re.compile(r"<([a-zA-Z][\w-]*)[^<>]*>(?:\s|&nbsp;)*\Z")
_TAG_BEHIND = re.compile(r"(?:\s|&nbsp;)*</([a-zA-Z][\w-]*)\s*>")
MAX_TAG = 1000
"""Characters before a heading in which its start tag begins."""


@dataclass(frozen=True)
class TokenWords:
    """Words on the sample pages that could be a token, as the user of section 2.1 highlights those that were missed."""

    signature: str
    """An expression of Table 1, or one that `find_added` knows."""
    is_inline: bool = False


class TokenWordsFound(NamedTuple):
    """Where on the sample pages some words are."""

    free: list[TokenWords]
    """Where they could be a token."""
    sections: set[tuple[str, ...]]
    """Sections that they start already."""
    within: list[str]
    """Headings that they are a part of."""
    texts: set[str]
    """All headings that Table 1 finds."""


def find_token_words(wrapper: Wrapper, example: str, documents: Iterable[Document]) -> TokenWordsFound:
    """Find the expressions of some words: of Table 1, else that of their tag, else the words themselves."""
    name = pattern_name(example)
    found = TokenWordsFound([], set(), [], set())
    for document in documents:
        markup = raw_text(document)
        headings = trace_ashish(wrapper, document)
        unplaced = [each for each in headings if each.path[0] == OTHER and matches(name, heading_name(each.match.text))]
        found.free.extend(TokenWords(each.token.signature, each.token.is_inline) for each in unplaced)
        known = {each.match.start: each for each in headings if each.path[0] != OTHER}
        for match in scan(markup):
            found.texts.add(match.text)
            if matches(name, heading_name(match.text)) and match.start not in known:
                found.free.append(TokenWords(match.expression))
        for start, end in find_words(markup, example):
            around = next((each for each in known.values() if each.match.start <= start < each.match.end), None)
            if around is None:
                found.free.append(_describe_words(markup, start, end))
            elif matches(name, heading_name(around.match.text)):
                found.sections.add(around.path)
            else:
                found.within.append(around.match.text)
    return found


def _describe_words(markup: str, start: int, end: int) -> TokenWords:
    """Describe words by the tag that holds just them, or else by where they are in their text."""
    before = _TAG_BEFORE.search(markup, max(start - MAX_TAG, 0), start)
    behind = _TAG_BEHIND.match(markup, end)
    if before and behind and before[1].lower() == behind[1].lower():
        return TokenWords(f"<{before[1].lower()}>")
    return TokenWords(TEXT_RUN, is_inline=not begins_text(markup, start))


def with_words(wrapper: Wrapper, words: TokenWords, example: str, *, whole_format: bool) -> tuple[TokenFormat, ...]:
    """Add words to the names of their expression, or let it find all that it can."""
    name = pattern_name(example)
    new = TokenFormat(1, example, words.signature, names=() if whole_format else (name,), is_inline=words.is_inline)
    if words.signature == TEXT_RUN:
        return (*wrapper.tokens, new)
    tokens = list(wrapper.tokens)
    for place, token in enumerate(tokens):
        if token.signature != words.signature:
            continue
        if whole_format:
            tokens[place] = replace(token, names=(), excluded=())
        else:
            excluded = tuple(path for path in token.excluded if path.split(".")[-1] != name)
            names = (*token.names, name) if token.names and name not in token.names else token.names
            tokens[place] = replace(token, names=names, excluded=excluded)
        return tuple(tokens)
    return (*tokens, new)
