"""Wrappers as Ashish and Knoblock make them ("Wrapper Generation for Semi-structured Internet Sources", section 2).

A baseline, to the letter: headings by the seven expressions of Table 1 on the raw markup (`scanning`), sections by the
procedure of Figure 2 (`nesting`) from sizes and indentations (`indenting`), a grammar from the first page given
(`structuring`) with distinct names (`numbering`), and a parser made from the grammar (`parsing`), which tells the
section of each heading (`filling`) and gives values their nodes (`places`).

Repairs without which it does not run, or not on other pages than its sample; each is told where it is made:

- The root guard: Figure 2 asks for the parent of the root.  Always there.  (`nesting`)
- Path-qualified names: `note` in two sections is two sections, and a second `note` of one section is `note_2`; the
  grammar of the paper would have one rule for all of them.  Always there.  (`structuring`)
- A bound on depth, for hostile pages.  Always there.  (`nesting`)
- Children optional and in any order, where a parser made by YACC refuses a page that lacks a heading of the sample.
  The default; `is_exact=True` goes without.  (`parsing`)
- `and` for the `or` of Figure 2, or size first and then indentation.  Not the default: `climbs=` chooses.  (`nesting`)
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


# MERGED wrapping/ashish/numbering: Names that no two sections of one parent share.
class Numbering:
    """Gives names as they are asked for; the time for each does not grow with how often it was."""

    def __init__(self) -> None:
        self._given: set[tuple[int, str]] = set()
        self._next: dict[tuple[int, str], int] = {}

    def distinct(self, parent: int, name: str) -> str:
        """The name, or with `_2` and so on when the parent has one of it.

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


# MERGED wrapping/ashish/filling: Which section of a grammar each heading of a page is.
NOWHERE = 0
"""The slot of what is no section: those of sections are numbered from 1, in the order of the grammar."""


@dataclass
class Filled:
    """A section that a heading of the page has begun."""

    slot: int
    path: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    outer: Filled | None = None
    has_inner: bool = False
    """Whether a section in it was begun."""


def fill(grammar: Section, texts: Iterable[str]) -> list[Filled]:
    """For each heading, in page order, its section, or one under `_other`."""
    free = _free_slots(grammar)
    taken: set[int] = set()
    numbering = Numbering()
    current = Filled(NOWHERE)
    filled = []
    for text in texts:
        name = snake_case(text)
        outer, slot = _find_slot(free, taken, current, name)
        if outer is None:
            other = numbering.distinct(-1, name)
            filled.append(Filled(NOWHERE, (OTHER, other), (OTHER, other)))
            continue
        taken.add(slot)
        outer.has_inner = True
        shown = name if not text or text.startswith("_") else text  # the underscore is for names of ours
        heading = numbering.distinct(outer.slot, shown)
        current = Filled(slot, (*outer.path, free.names[slot]), (*outer.headings, heading), outer)
        filled.append(current)
    return filled


def unfilled(grammar: Section, filled: Sequence[Filled]) -> tuple[str, ...]:
    """The dotted paths of the sections that every sample has and that no heading has begun."""
    taken = {each.slot for each in filled}
    return tuple(
        ".".join(path)
        for slot, (path, section) in enumerate(grammar.walk(), start=1)
        if slot not in taken and not section.is_optional
    )


@dataclass
class _Free:
    names: list[str]
    """Of each slot its section's name."""
    slots: dict[tuple[int, str], deque[int]]
    """By the slot of the parent and the name of a heading, the slots that it may fill."""


def _free_slots(grammar: Section) -> _Free:
    numbers: dict[tuple[str, ...], int] = {(): NOWHERE}
    free = _Free([grammar.name], {})
    for slot, (path, section) in enumerate(grammar.walk(), start=1):
        numbers[path] = slot
        free.names.append(section.name)
        for name in dict.fromkeys(map(snake_case, section.headings)) or [section.name]:
            free.slots.setdefault((numbers[path[:-1]], name), deque()).append(slot)
    return free


def _find_slot(free: _Free, taken: set[int], current: Filled, name: str) -> tuple[Filled | None, int]:
    """The innermost open section that has one of the name to fill, and its slot."""
    outer: Filled | None = current
    while outer is not None:
        waiting = free.slots.get((outer.slot, name))
        while waiting:
            slot = waiting.popleft()
            if slot not in taken:
                return outer, slot
        outer = outer.outer
    return None, NOWHERE


# MERGED wrapping/ashish/places: From places in the markup to elements of the tree.
_NEVER = 1 << 62  # behind every place of a page


def elements_at(document: Document, markup: str, places: Sequence[int]) -> Iterator[int]:
    """For each place, in page order, the innermost element that is open there, as far as its tags tell.

    It is the root where that is not known: on a page whose tree is not that of its markup, because scripts ran or
    because it was tamed.
    """
    nodes = np.flatnonzero(document.tags >= 0).tolist()
    spans = _spans(markup)
    if len(spans) != len(nodes):
        yield from [nodes[0] if nodes else 0] * len(places)
        return
    closed = _closed(document, nodes, spans)
    opened = sorted((start, node) for node, (start, _) in zip(nodes, spans, strict=True) if start >= 0)
    starts = [start for start, _ in opened]
    last, node = -2, 0
    for place in places:
        index = bisect_right(starts, place) - 1
        if index != last:  # otherwise go on from where the last place was: elements are left once
            last, node = index, opened[index][1] if index >= 0 else nodes[0]
        while closed[node] <= place and int(document.parents[node]) in closed:
            node = int(document.parents[node])
        yield node


def _spans(markup: str) -> list[tuple[int, int]]:
    """Where the start tag of each element begins and its end tag ends; -1 and never for tags that are not written."""
    if tame(markup) != markup:
        return []
    try:
        tree = turbohtml.parse(markup, source_locations=True, allow_declarative_shadow_roots=False)
        return [_span(element) for element in tree.iter_elements()]
    except UnicodeDecodeError:  # lone surrogates in names
        return []


def _span(element: turbohtml.Element) -> tuple[int, int]:
    location = element.source_location
    if location is None:
        return -1, _NEVER
    return location.start_tag.start_offset, location.end_tag.end_offset if location.end_tag else _NEVER


def _closed(document: Document, nodes: Sequence[int], spans: Sequence[tuple[int, int]]) -> dict[int, int]:
    """For each element the first place where it, or an element that holds it, has ended."""
    closed: dict[int, int] = {}
    for node, (_, end) in zip(nodes, spans, strict=True):
        closed[node] = min(end, closed.get(int(document.parents[node]), _NEVER))
    return closed


# MERGED wrapping/ashish/scanning: Table 1: headings by seven expressions on the raw markup, as a scanner mad
# MERGED
# MERGED How the printed expressions are read:
# MERGED
# MERGED - `'<' / [bB] '>'` at the end of the first two is `'</' [bB] '>'`, as in the last one.  A bare slash
# MERGED   followed by" in LEX, and a heading would then end before the next start tag of its kind: the examp
# MERGED - `\\n` is the end of a line.  All of `\n`, `\r\n` and `\r` are, so that pages of any system read al
# MERGED - Single quotation marks enclose text, as double ones do in LEX.  Classes are those of LEX: `[^<]*`
# MERGED - The text of section 2.1.1 speaks of words in capitals, but no expression asks for them: `IRS NUMBE
# MERGED
# MERGED LEX takes the longest match at a place and the first expression among equals, goes on behind it, and
# MERGED character where nothing matches.  No two of the seven can begin in the same way, so only the length
# MERGED runs to the last end tag of its kind on the line, and takes all between.  The consequences are those
# MERGED `<body>`, `<br>`, `<img>` start headings, colons in addresses, styles and scripts end them.
# MERGED
# MERGED The size of a heading is that of its expression: h1 to h6 by level (h0, which the expression allows,
# MERGED bold and strong, words with a colon, italics.  Browsers show the last three in one size, but then Fi
# MERGED give the rule `Area -> total_area ...` of Figure 3 from the page of Figure 1.
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


# MERGED wrapping/ashish/parsing: Section 2.2: the parser that is made from a wrapper's tokens and grammar.
# MERGED
# MERGED The lexical analyser "identifies exactly those tokens": the expressions of Table 1 are looked for ag
# MERGED they find the headings are kept that the wrapper names, by expression and text.  A section's text go
# MERGED to the next one that is kept, without tags.
# MERGED
# MERGED A parser made by YACC accepts one sequence of headings, the sample's, and hardly another page of a s
# MERGED sections may be absent and come in any order, unless `is_exact` asks for the paper's own: then a pag
# MERGED sequence has no values at all.  A heading belongs to the innermost open section that has one of its
# MERGED where none has, its text is kept under `_other`.
_UNREAD = r"<!--.*?(?:-->|\Z)|<script\b.*?(?:</script[^<>]*>?|\Z)|<style\b.*?(?:</style[^<>]*>?|\Z)|<[^<>]*(?:>|\Z)"
"""Markup that is no text; what is not ended goes on to the end, so that each character is read once."""
_TAGS = re.compile(_UNREAD, re.DOTALL | re.IGNORECASE)
_BEFORE_TEXT = re.compile(rf"(?:\s|&nbsp;|{_UNREAD})*", re.DOTALL | re.IGNORECASE)
_REST_OF_TAG = re.compile(r"[^<>]*>")


def extract_ashish(wrapper: Wrapper, document: Document, *, is_exact: bool = False) -> Extraction:
    """The sections of the page, each with the element that its text begins in."""
    markup = raw_text(document)
    matches = list(_known(wrapper.tokens, markup))
    filled = fill(wrapper.grammar, [match.text for match in matches])
    missing = unfilled(wrapper.grammar, filled)
    slots = [each.slot for each in filled]
    if is_exact and (missing or slots != sorted({*slots} - {NOWHERE})):
        matches, filled = [], []
    values = _values(document, markup, matches, filled)
    return Extraction(
        page=document.url,
        document=document.kind,
        source=wrapper.source.name,
        values=tuple(values),
        missing=missing,
        unknown=tuple(
            dict.fromkeys(match.text for match, each in zip(matches, filled, strict=True) if each.slot == NOWHERE)
        ),
    )


def _known(formats: Sequence[TokenFormat], markup: str) -> Iterator[Match]:
    named = {(each.signature, name) for each in formats for name in each.names}
    excluded = {(each.signature, name) for each in formats for name in each.excluded}
    unnamed = {each.signature for each in formats if not each.names}
    for match in scan(markup):
        key = (match.expression, match.text)
        if (key in named or match.expression in unnamed) and key not in excluded:
            yield match


def _values(
    document: Document, markup: str, matches: Sequence[Match], filled: Sequence[Filled]
) -> Iterator[SectionValue]:
    begins, texts = [], []
    for start, stop in _stretches(markup, matches):
        begins.append(_begin_of_text(markup, start, stop))
        texts.append(" ".join(unescape(_TAGS.sub(" ", markup[start:stop])).split()))
    nodes = elements_at(document, markup, begins)
    for each, text, node in zip(filled, texts, nodes, strict=True):
        own = (TEXT,) if each.has_inner else ()
        if text or not own:
            yield SectionValue((*each.path, *own), (*each.headings, *own), text, document.xpath(node))


def _stretches(markup: str, matches: Sequence[Match]) -> Iterator[tuple[int, int]]:
    """Where the text of each heading begins and ends; for a heading inside of a tag it begins behind the tag."""
    stops = [*(match.start for match in matches[1:]), len(markup)]
    before, is_in_tag = 0, False
    for match, stop in zip(matches, stops, strict=False):  # without a heading there is a stop all the same
        end = match.end
        opened, closed = markup.rfind("<", before, end), markup.rfind(">", before, end)
        is_in_tag = opened > closed if max(opened, closed) >= 0 else is_in_tag
        before = end
        rest = _REST_OF_TAG.match(markup, end, stop) if is_in_tag else None
        yield (rest.end() if rest else end), stop


def _begin_of_text(markup: str, start: int, stop: int) -> int:
    skipped = _BEFORE_TEXT.match(markup, start, stop)
    begin = skipped.end() if skipped else start
    return begin if begin < stop else start


# MERGED wrapping/ashish/indenting: How far headings are moved in, "which can be detected from raw text or HT
# MERGED
# MERGED The indentation of a heading is that of its line: the spaces, tabs and no-break spaces before the fi
# MERGED tags passed over; and for each list, definition list or quotation that is open a fixed number more.
# MERGED the markup, as the paper reads raw text: where templates put them for no reader, they mislead.
LIST_INDENTATION = 10
"""Spaces for each list and quotation: browsers move them in by 40 pixels, and a space of their text is 4 wide."""
TAB = 8
"""Spaces to the next stop, at most."""
_NESTING = re.compile(r"<(/?)(?:ul|ol|dl|dir|menu|blockquote)\b", re.IGNORECASE)
_LEAD = re.compile(r"(?>(?:[ \t\xa0]|&nbsp;?|&#160;?|&#[xX][aA]0;?|<[^<>]*>)*)")
_NO_BREAK_SPACE = re.compile(r"&[^;]*;?")


def indentations(markup: str, starts: Iterable[int]) -> Iterator[int]:
    """The indentation at each of the places, which come in their order.

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
            spaces = _leading_spaces(markup, line, start)
            line_end = markup.find("\n", start)
            line_end = len(markup) if line_end < 0 else line_end
        yield spaces + depth * LIST_INDENTATION


def _leading_spaces(markup: str, line: int, start: int) -> int:
    lead = _LEAD.match(markup, line, start)
    written = _TAG.sub("", lead[0]) if lead else ""
    return len(_NO_BREAK_SPACE.sub(" ", written).expandtabs(TAB))


# MERGED wrapping/ashish/nesting: Figure 2: which section each heading's section is in.
# MERGED
# MERGED The root guard is the one repair that the procedure needs to run: its loop asks for the size, the in
# MERGED parent of the root, which has none.  Climbing ends there.
# MERGED
# MERGED As printed (`or`), a section is put below another only if its heading is both smaller and further in
# MERGED are told apart by size alone all climb to the root, and so do those told apart by indentation alone:
# MERGED page in the form of Figure 1 is wrong.  `with_and` is the least change that gives the rules of Figur
# MERGED large heading below a small one that is less indented.  `by_size_then_indentation` does not.
ROOT = -1
"""The number of the page among the sections."""
MAX_DEPTH = 100
"""Sections in each other; deeper ones are put into the last that is allowed.  Real pages have five or so."""


@dataclass(frozen=True)
class Heading:
    """A heading as Figure 2 sees it, and where it stands in the markup."""

    text: str
    expression: str
    size: int
    indentation: int
    start: int = 0
    end: int = 0


Climbs = Callable[[Heading, Heading], bool]
"""Whether the new heading's section (the second) is outside of the current one's (the first)."""


def as_printed(current: Heading, new: Heading) -> bool:
    """The condition of Figure 2."""
    return current.size <= new.size or current.indentation >= new.indentation


def with_and(current: Heading, new: Heading) -> bool:
    """The condition of Figure 2 with `and` for `or`."""
    return current.size <= new.size and current.indentation >= new.indentation


def by_size_then_indentation(current: Heading, new: Heading) -> bool:
    """The current heading is smaller, or as large and not less indented."""
    return (current.size, -current.indentation) <= (new.size, -new.indentation)


def nest(headings: Sequence[Heading], *, climbs: Climbs = as_printed) -> list[int]:
    """For each heading the number of the one whose section its own is in, or `ROOT`."""
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
    """For each heading the texts of those above it and its own: the outline of the page."""
    found: list[tuple[str, ...]] = []
    for heading, parent in zip(headings, nest(headings, climbs=climbs), strict=True):
        found.append((*(() if parent == ROOT else found[parent]), heading.text))
    return found


# MERGED wrapping/ashish/structuring: Section 2.1: a wrapper from the headings of one sample page.
# MERGED
# MERGED Names are qualified by path: a section is known by its parent and its name, and a second one of the
# MERGED same parent is `_2`.  The paper writes bare names, by which every `note` of a page would be one and
def wrap_ashish(documents: Sequence[Document], *, name: str, climbs: Climbs = as_printed) -> Wrapper:
    """The wrapper that the first of the pages gives: the paper structures one sample page."""
    samples = documents[:1]
    headings = find_headings(raw_text(samples[0])) if samples else []
    parents = nest(headings, climbs=climbs)
    return Wrapper(
        source=Source(name=name, samples=tuple(sample.url for sample in samples)),
        tokens=_formats(headings, parents),
        grammar=Section(name, children=_sections(headings, parents)),
        method="ashish",
    )


def find_headings(markup: str) -> list[Heading]:
    """The headings of a page with their sizes and indentations."""
    matches = list(scan(markup))
    starts = [_start_of_text(markup, match) for match in matches]
    return [
        Heading(match.text, match.expression, match.size, indentation, start, match.end)
        for match, start, indentation in zip(matches, starts, indentations(markup, starts), strict=True)
    ]


def _start_of_text(markup: str, match: Match) -> int:
    """The expression of words takes the spaces before them too, and these indent them."""
    if match.expression != WORDS:
        return match.start
    matched = markup[match.start : match.end]
    return match.end - len(matched.lstrip(" "))


def _sections(headings: Sequence[Heading], parents: Sequence[int]) -> tuple[Section, ...]:
    """The tree of Figure 2 as sections; those in a section all come behind it, so the last are made first."""
    numbering = Numbering()
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
    """What the lexical analyser of section 2.2 is given: for each expression the headings that it found."""
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
