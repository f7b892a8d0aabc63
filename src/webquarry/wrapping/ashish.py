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

- Root guard: Figure 2 asks for the parent of the root; climbing ends there.  Always on (`nest`).
- Depth limit, for hostile pages.  Always on (`nest`).
- Sizes for headings that browsers show alike: bold above words with a colon above italics.  Otherwise Figure 2 could
  not give the rule `Area -> total_area ...` of Figure 3 from the page of Figure 1.  Always on (`_SIZES`).
- Names qualified by path: `note` in two sections is two sections, and a second `note` in one section is `note_2`.  The
  paper's grammar would have one rule for all of them.  Always on (`wrap_ashish`).
- Optional children in any order: a parser made by YACC rejects every page that lacks a heading of the sample, or has
  them in another order.  On by default; `is_exact=True` turns it off (`extract_ashish`).
- `and` for `or` in Figure 2, or size before indentation.  Off by default; `climbs=` selects one (`as_printed`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from typing import NamedTuple

import numpy as np
import turbohtml

from webquarry.html.parsing import tame
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.names import snake_case
from webquarry.model.wrapper import OTHER, TEXT, Section, Source, TokenFormat, Wrapper

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


class Match(NamedTuple):
    """A stretch of the markup that matches an expression of Table 1."""

    expression: str
    """`b`, `h0` to `h6`, `STRONG`, `Strong`, `strong`, `words:` or `i`."""
    start: int
    end: int
    text: str
    """Without tags, white space folded, without the colon at its end."""


def raw_text(document: Document) -> str:
    """Return the markup with `\\n` for every line end: matches are positions in it."""
    return _LINE_END.sub("\n", document.markup)


def scan(markup: str) -> Iterator[Match]:
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
            yield Match(name, found.start(), end, " ".join(words).rstrip(": "))


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


@dataclass(frozen=True)
class Heading:
    """A heading as Figure 2 sees it."""

    text: str
    expression: str
    size: int
    indentation: int


def find_headings(markup: str) -> list[Heading]:
    """Find the headings of a page with their sizes and indentations (sections 2.1.1 and 2.1.2)."""
    matches = list(scan(markup))
    starts = [_start_of_text(markup, match) for match in matches]
    return [
        Heading(match.text, match.expression, _SIZES[match.expression], indentation)
        for match, indentation in zip(matches, indentations(markup, starts), strict=True)
    ]


def _start_of_text(markup: str, match: Match) -> int:
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
Climbs = Callable[[Heading, Heading], bool]
"""Tells whether the new section (second) is outside the current one (first)."""


def as_printed(current: Heading, new: Heading) -> bool:
    """Apply the condition of Figure 2.

    It puts a section below another only if its heading is both smaller and further in.  Headings that differ in size
    alone, or in indentation alone, all climb to the root: every rule of a page in the form of Figure 1 is wrong.
    """
    return current.size <= new.size or current.indentation >= new.indentation


def with_and(current: Heading, new: Heading) -> bool:
    """Apply the condition of Figure 2 with `and` for `or`, the smallest change that gives the rules of Figure 3.

    It puts a large heading below a small one that is less indented.
    """
    return current.size <= new.size and current.indentation >= new.indentation


def by_size_then_indentation(current: Heading, new: Heading) -> bool:
    """Climb from a smaller heading, or from one of equal size that is not less indented."""
    return (current.size, -current.indentation) <= (new.size, -new.indentation)


def nest(headings: Sequence[Heading], *, climbs: Climbs = as_printed) -> list[int]:
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


def paths(headings: Sequence[Heading], *, climbs: Climbs = as_printed) -> list[tuple[str, ...]]:
    """List for each heading the texts of those above it and its own: the outline of the page."""
    found: list[tuple[str, ...]] = []
    for heading, parent in zip(headings, nest(headings, climbs=climbs), strict=True):
        found.append((*(() if parent == ROOT else found[parent]), heading.text))
    return found


def wrap_ashish(documents: Sequence[Document], *, name: str, climbs: Climbs = as_printed) -> Wrapper:
    """Learn a wrapper from the first of the pages: the paper structures one sample page (section 2.1)."""
    samples = documents[:1]
    headings = find_headings(raw_text(samples[0])) if samples else []
    parents = nest(headings, climbs=climbs)
    return Wrapper(
        source=Source(name=name, samples=tuple(sample.url for sample in samples)),
        tokens=_formats(headings, parents),
        grammar=Section(name, children=_sections(headings, parents)),
        method="ashish",
    )


def _sections(headings: Sequence[Heading], parents: Sequence[int]) -> tuple[Section, ...]:
    """Turn the tree of Figure 2 into sections (Figure 3), last heading first, as children follow their parents."""
    numbering = _Numbering()
    names = [
        numbering.distinct(parent, snake_case(heading.text)) for heading, parent in zip(headings, parents, strict=True)
    ]
    inside: dict[int, list[Section]] = {}
    for number in range(len(headings) - 1, -1, -1):
        text, children = headings[number].text, tuple(reversed(inside.pop(number, [])))
        called = () if snake_case(text) == names[number] else (text,)
        section = Section(names[number], children=children, headings=called)
        inside.setdefault(parents[number], []).append(section)
    return tuple(reversed(inside.pop(ROOT, [])))


def _formats(headings: Sequence[Heading], parents: Sequence[int]) -> tuple[TokenFormat, ...]:
    """List for each expression the headings that it found: the input of the lexical analyzer of section 2.2."""
    depths: list[int] = []
    texts: dict[str, dict[str, None]] = {}
    levels: dict[str, int] = {}
    for heading, parent in zip(headings, parents, strict=True):
        depths.append(1 if parent == ROOT else depths[parent] + 1)
        texts.setdefault(heading.expression, {})[heading.text] = None
        levels[heading.expression] = min(depths[-1], levels.get(heading.expression, depths[-1]))
    return tuple(
        TokenFormat(level=levels[expression], like=next(iter(found)), signature=expression, names=tuple(found))
        for expression, found in sorted(texts.items(), key=lambda item: levels[item[0]])
    )


class _Numbering:
    """Gives names that are unique within their parent, in constant time each."""

    def __init__(self) -> None:
        self._given: set[tuple[int, str]] = set()
        self._next: dict[tuple[int, str], int] = {}

    def distinct(self, parent: int, name: str) -> str:
        """Append `_2` and so on to a name that the parent has given already.

        >>> numbering = _Numbering()
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


def extract_ashish(wrapper: Wrapper, document: Document, *, is_exact: bool = False) -> Extraction:
    """Parse a page by the wrapper's tokens and grammar (section 2.2).

    The text of a section runs from its heading to the next known one, without tags.  With `is_exact`, a page with
    another sequence of headings than the sample's has no values, as with a parser made by YACC.
    """
    markup = raw_text(document)
    matches = list(_scan_known(wrapper.tokens, markup))
    begun = _assign_sections(wrapper.grammar, [match.text for match in matches])
    slots = [each.slot for each in begun]
    filled = set(slots)
    missing = tuple(
        ".".join(path)
        for slot, (path, section) in enumerate(wrapper.grammar.walk(), start=1)
        if slot not in filled and not section.is_optional
    )
    if is_exact and (missing or slots != sorted(filled - {_NO_SLOT})):
        matches, begun = [], []
    unknown = [match.text for match, each in zip(matches, begun, strict=True) if each.slot == _NO_SLOT]
    return Extraction(
        page=document.url,
        document=document.kind,
        source=wrapper.source.name,
        values=tuple(_values(document, markup, matches, begun)),
        missing=missing,
        unknown=tuple(dict.fromkeys(unknown)),
    )


def _scan_known(formats: Sequence[TokenFormat], markup: str) -> Iterator[Match]:
    """Find the headings that the wrapper names: the analyzer "identifies exactly those tokens" (section 2.2)."""
    named = {(each.signature, name) for each in formats for name in each.names}
    excluded = {(each.signature, name) for each in formats for name in each.excluded}
    unnamed = {each.signature for each in formats if not each.names}
    for match in scan(markup):
        key = (match.expression, match.text)
        if (key in named or match.expression in unnamed) and key not in excluded:
            yield match


_NO_SLOT = 0
"""The slot of what is not in the grammar; sections are numbered from 1, in the order of the grammar."""


@dataclass
class _Begun:
    """A section that a heading of the page has begun."""

    slot: int
    path: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    outer: _Begun | None = None
    has_inner: bool = False
    """Whether a section within it was begun."""


def _assign_sections(grammar: Section, texts: Iterable[str]) -> list[_Begun]:
    """Assign each heading, in page order, to a section of the grammar.

    That is the innermost open section which still lacks one of its name; without one the heading goes to `_other`.
    """
    names, free = _free_slots(grammar)
    taken: set[int] = set()
    numbering = _Numbering()
    current = _Begun(_NO_SLOT)
    begun = []
    for text in texts:
        name = snake_case(text)
        outer, slot = _find_slot(free, taken, current, name)
        if outer is None:
            other = numbering.distinct(-1, name)
            begun.append(_Begun(_NO_SLOT, (OTHER, other), (OTHER, other)))
            continue
        taken.add(slot)
        outer.has_inner = True
        shown = name if not text or text.startswith("_") else text  # a leading underscore is reserved
        heading = numbering.distinct(outer.slot, shown)
        current = _Begun(slot, (*outer.path, names[slot]), (*outer.headings, heading), outer)
        begun.append(current)
    return begun


_FreeSlots = dict[tuple[int, str], deque[int]]
"""By the slot of the parent and the name of a heading, the slots that the heading may fill."""


def _free_slots(grammar: Section) -> tuple[list[str], _FreeSlots]:
    """Number the sections; return the name of each slot, and the slots by parent and heading."""
    numbers: dict[tuple[str, ...], int] = {(): _NO_SLOT}
    names = [grammar.name]
    free: _FreeSlots = {}
    for slot, (path, section) in enumerate(grammar.walk(), start=1):
        numbers[path] = slot
        names.append(section.name)
        for name in dict.fromkeys(map(snake_case, section.headings)) or [section.name]:
            free.setdefault((numbers[path[:-1]], name), deque()).append(slot)
    return names, free


def _find_slot(free: _FreeSlots, taken: set[int], current: _Begun, name: str) -> tuple[_Begun | None, int]:
    outer: _Begun | None = current
    while outer is not None:
        waiting = free.get((outer.slot, name))
        while waiting:
            slot = waiting.popleft()
            if slot not in taken:
                return outer, slot
        outer = outer.outer
    return None, _NO_SLOT


_UNREAD = r"<!--.*?(?:-->|\Z)|<script\b.*?(?:</script[^<>]*>?|\Z)|<style\b.*?(?:</style[^<>]*>?|\Z)|<[^<>]*(?:>|\Z)"
"""Markup other than text; what is never closed runs to the end, so that each character is read once."""
_TAGS = re.compile(_UNREAD, re.DOTALL | re.IGNORECASE)
_BEFORE_TEXT = re.compile(rf"(?:\s|&nbsp;|{_UNREAD})*", re.DOTALL | re.IGNORECASE)
_REST_OF_TAG = re.compile(r"[^<>]*>")


def _values(
    document: Document, markup: str, matches: Sequence[Match], begun: Sequence[_Begun]
) -> Iterator[SectionValue]:
    begins, texts = [], []
    for start, stop in _stretches(markup, matches):
        skipped = _BEFORE_TEXT.match(markup, start, stop)
        begin = skipped.end() if skipped else start
        begins.append(begin if begin < stop else start)
        texts.append(" ".join(unescape(_TAGS.sub(" ", markup[start:stop])).split()))
    nodes = _elements_at(document, markup, begins)
    for each, text, node in zip(begun, texts, nodes, strict=True):
        own = (TEXT,) if each.has_inner else ()
        if text or not own:
            yield SectionValue((*each.path, *own), (*each.headings, *own), text, document.xpath(node))


def _stretches(markup: str, matches: Sequence[Match]) -> Iterator[tuple[int, int]]:
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


_NEVER = 1 << 62  # behind every position of a page


def _elements_at(document: Document, markup: str, places: Sequence[int]) -> Iterator[int]:
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
