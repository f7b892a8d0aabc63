"""Parse pages by a wrapper of the paper's method: what LEX and YACC would make of its tokens and grammar (section 2.2).

`ashish.py` learns such wrappers, and lists the repairs.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from typing import NamedTuple

from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.names import snake_case
from webquarry.model.wrapper import OTHER, TEXT, TITLE, Section, TokenFormat, Wrapper
from webquarry.values.locale import Locale
from webquarry.values.section_types import read_as
from webquarry.wrapping.ashish import (
    BEFORE_TEXT,
    TAGS,
    TEXT_RUN,
    Heading,
    Match,
    Numbering,
    elements_at,
    find_added,
    heading_nodes,
    measure,
    raw_text,
    scan_outside_title,
)
from webquarry.wrapping.heading_names import STAR, collect_names, heading_name, map_names, pattern_name, plain_heading


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

    match: Match
    token: TokenFormat
    path: tuple[str, ...]
    """The section that it starts; behind `_other` if the grammar lacks it."""


def trace_ashish(wrapper: Wrapper, document: Document) -> list[Found]:
    """List the headings of a page that start sections, in page order."""
    tokens = _known_tokens(wrapper, raw_text(document))
    begun = _assign_sections(wrapper.grammar, tokens)
    return [Found(match, token, each.path) for (match, token), each in zip(tokens, begun, strict=True) if each]


def measure_ashish(wrapper: Wrapper, document: Document) -> dict[int, Heading]:
    """Measure the headings of a page that the wrapper names, by their places in the markup."""
    markup = raw_text(document)
    matches = [match for match, _ in _known_tokens(wrapper, markup)]
    return dict(zip((match.start for match in matches), measure(document, markup, matches), strict=True))


def find_heading_nodes(document: Document, found: Iterable[Found]) -> list[int]:
    """Find the elements that the words of headings begin in."""
    return heading_nodes(document, raw_text(document), [each.match for each in found])


def _read_title(wrapper: Wrapper, document: Document, markup: str, matches: Sequence[Match]) -> Iterator[SectionValue]:
    """Read the heading that names the page: the first of its expression, before all sections."""
    stop = matches[0].start if matches else len(markup)
    for match in scan_outside_title(markup) if wrapper.title else ():
        if match.start >= stop:
            return
        if match.expression == wrapper.title:
            node = heading_nodes(document, markup, [match])[0]
            yield SectionValue((TITLE,), (TITLE,), match.text, document.xpath(node))
            return


def _known_tokens(wrapper: Wrapper, markup: str) -> list[tuple[Match, TokenFormat]]:
    """Find the headings that the wrapper names: the analyzer "identifies exactly those tokens" (section 2.2).

    Of several at one place the longest counts, as in LEX.
    """
    rules: dict[str, list[tuple[TokenFormat, Collection[str], Collection[str]]]] = {}
    added: list[Match] = []
    for token in wrapper.tokens:
        names, excluded = (collect_names(map(spell_name, each)) for each in (token.names, token.excluded))
        rules.setdefault(token.signature, []).append((token, names, excluded))
        if token.signature.startswith("<") or token.signature == TEXT_RUN:
            added += find_added(markup, token)
    kept: list[tuple[Match, TokenFormat]] = []
    for match in sorted([*scan_outside_title(markup), *added], key=lambda each: (each.start, -each.end)):
        name = heading_name(match.text)
        for token, names, excluded in rules.get(match.expression, ()):
            is_named = (not names or name in names) and name not in excluded
            if is_named and (not kept or match.start >= kept[-1][0].end):
                kept.append((match, token))
                break
    return kept


def spell_name(name: str) -> str:
    """Name a heading of a token, which files of earlier versions have as on the page."""
    return name if STAR in name else heading_name(name)


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


def _assign_sections(grammar: Section, tokens: Iterable[tuple[Match, TokenFormat]]) -> list[_Begun | None]:
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
        outer, slot = slots.find_free(current, match.text)
        again = None if outer else slots.find_taken(current, match.text)
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

    def find_free(self, current: _Begun, text: str) -> tuple[_Begun | None, int]:
        """Find the innermost open section with one of the heading's name that the page has not begun, and its slot."""
        for outer in current.outwards():
            for name in _names_of(text):
                waiting = self._free.get(outer.slot, {}).get(name)
                while waiting:
                    slot = waiting.popleft()
                    if slot not in self.taken:
                        return outer, slot
        return None, _NO_SLOT

    def find_taken(self, current: _Begun, text: str) -> _Begun | None:
        """Find the last section of the heading's name in the innermost open section that has begun one."""
        for outer in current.outwards():
            for name in _names_of(text):
                begun = [self.taken[slot] for slot in self._all.get(outer.slot, {}).get(name, ()) if slot in self.taken]
                if begun:
                    return begun[-1]
        return None


def _names_of(text: str) -> tuple[str, ...]:
    """Name the section that a heading starts; files of earlier versions have numbers of headings in names."""
    return tuple(dict.fromkeys((heading_name(text), snake_case(text))))


_REST_OF_TAG = re.compile(r"[^<>]*>")


def _values(
    wrapper: Wrapper, document: Document, markup: str, matches: Sequence[Match], begun: Sequence[_Begun]
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
    source = wrapper.source
    locale = Locale(source.decimal, source.day_first, source.language)
    for each, found in parts.items():
        own = (TEXT,) if each.has_inner else ()
        filled = [(text, node) for text, node in found if text] or found[:1]
        whole = "\n".join(text for text, _ in filled)
        if whole or not own:
            typed = read_as(types[each.path], whole, locale) if each.path in types else None
            xpath = document.xpath(filled[0][1])
            yield SectionValue((*each.path, *own), (*each.headings, *own), whole, xpath, typed)


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
