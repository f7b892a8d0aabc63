"""Section 2.1: a wrapper from the headings of one sample page.

Names are qualified by path: a section is known by its parent and its name, and a second one of the same name in the
same parent is `_2`.  The paper writes bare names, by which every `note` of a page would be one and the same section.
"""

from __future__ import annotations

from collections.abc import Sequence

from webquarry.model import Document, Section, Source, TokenFormat, Wrapper
from webquarry.model.naming import snake_case
from webquarry.wrapping.ashish.indenting import indentations
from webquarry.wrapping.ashish.nesting import ROOT, Climbs, Heading, as_printed, nest
from webquarry.wrapping.ashish.numbering import Numbering
from webquarry.wrapping.ashish.scanning import WORDS, Match, raw_text, scan


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
