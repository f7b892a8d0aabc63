"""Learning a wrapper of sections from sample pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from webquarry.formats.elements import Elements
from webquarry.formats.trees import ColumnsTree
from webquarry.model import Document, Section, Source, TokenFormat, Wrapper
from webquarry.wrapping.annotations import find_annotations
from webquarry.wrapping.furniture import find_constant_texts, find_running_titles, without_furniture
from webquarry.wrapping.headings import Heading, find_headings
from webquarry.wrapping.nesting import Part, find_set_in, nest
from webquarry.wrapping.ranking import rank_formats
from webquarry.wrapping.samples import Format, Sample, Samples, read_samples
from webquarry.wrapping.tokens import Mark, find_marks


@dataclass(frozen=True)
class Structure:
    """How the sample pages are structured."""

    samples: Samples
    headings: Mapping[Format, Heading]
    levels: Mapping[Format, int]
    ignored: frozenset[str]
    other: frozenset[str]
    roots: list[Part]


def learn_sections(documents: Sequence[Document], source: Source) -> Wrapper:
    """A wrapper of the source that the documents are pages of."""
    structure = find_structure(read_samples(documents))
    return write_down(structure, source)


def find_structure(samples: Samples) -> Structure:
    """The headings of the pages and how their sections nest."""
    pages = samples.pages
    candidates = find_headings(pages)
    ignored = find_running_titles(pages, candidates) | find_constant_texts(pages, candidates)
    headings = without_furniture(pages, candidates, ignored)
    pages = [_within_content(page, find_marks(page, headings, ignored)) for page in pages]
    headings = without_furniture(pages, headings, ignored)
    if len(pages) > 1:
        ignored |= _find_empty(pages, candidates, headings)
    samples = replace(samples, pages=pages)
    other: set[str] = set()
    while True:
        marked = [find_marks(page, headings, ignored, other) for page in pages]
        levels = rank_formats(marked)
        set_in = find_set_in(marked)
        roots = [nest(marks, levels, set_in) for marks in marked]
        titles = _find_titles(roots)
        if titles:
            headings = {format_: heading for format_, heading in headings.items() if format_ not in titles}
            continue
        more = find_annotations(roots) - other
        if not more:
            break
        other |= more
    return Structure(samples, headings, levels, frozenset(ignored), frozenset(other), roots)


def _within_content(page: Sample, marks: Sequence[Mark]) -> Sample:
    """The page without the pieces around what holds its headings."""
    content = page.groups.smallest_around([page.pieces[mark.piece].element for mark in marks])
    end = page.document.ends[content]
    kept = [number for number, piece in enumerate(page.pieces) if content <= piece.node < end]
    return replace(
        page,
        pieces=[page.pieces[number] for number in kept],
        formats=[page.formats[number] for number in kept],
        indents=[page.indents[number] for number in kept],
        content=content,
    )


def _find_empty(
    pages: Sequence[Sample], candidates: Mapping[Format, Heading], headings: Mapping[Format, Heading]
) -> set[str]:
    """Signatures of headings in the content that have none themselves: captions of pictures, links to maps."""
    good = {format_.signature for format_ in headings}
    inside = {format_ for page in pages for format_ in page.formats}
    return {
        format_.signature
        for format_, heading in candidates.items()
        if heading.names is None and format_ in inside and format_.signature not in good
    }


def _find_titles(roots: Sequence[Part]) -> set[Format]:
    """Formats of headings that hold all of their page: its title."""
    titles = [root.children[0].mark for root in roots if len(root.children) == 1 and root.children[0].children]
    if not roots or len(titles) < len(roots):
        return set()
    return {mark.format for mark in titles if mark}


def write_down(structure: Structure, source: Source) -> Wrapper:
    """The structure as a wrapper."""
    tokens = tuple(_write_tokens(structure))
    grammar = _merge(structure.roots, source.name)
    return Wrapper(
        source=source,
        tokens=tokens,
        classes=tuple(sorted(structure.samples.classes)),
        content=_find_content(structure.samples),
        hidden=structure.samples.hidden,
        ignored=tuple(sorted(structure.ignored)),
        grammar=grammar,
        other=tuple(sorted(structure.other)),
    )


def _find_content(samples: Samples) -> tuple[str, ...]:
    """The steps that lead to the content on all pages."""
    ways = []
    for page in samples.pages:
        tree = ColumnsTree(page.document)
        elements = Elements(tree, samples.classes)
        way: list[str] = []
        here: int | None = page.content or None
        while here is not None:
            way.append(elements.step(here))
            here = tree.parent(here)
        ways.append(way[::-1])
    common = []
    for steps in zip(*ways, strict=False):
        if len(set(steps)) > 1:
            break
        common.append(steps[0])
    return tuple(common)


def _write_tokens(structure: Structure) -> list[TokenFormat]:
    examples: dict[Format, str] = {}
    for page, root in zip(structure.samples.pages, structure.roots, strict=True):
        for part in root.walk():
            if part.mark:
                examples.setdefault(part.mark.format, page.pieces[part.mark.piece].text)
    rendered = structure.samples.is_rendered
    innermost = max(structure.levels.values(), default=1)
    written = [
        TokenFormat(
            level=level,
            like=examples.get(format_, ""),
            signature=format_.signature,
            look=format_.look.to_words() if rendered else "",
            names=tuple(sorted(structure.headings[format_].names or ())),
        )
        for format_, level in [(each, structure.levels.get(each, innermost)) for each in structure.headings]
    ]
    return sorted(written, key=lambda token: token.level)


def _merge(roots: Sequence[Part], name: str) -> Section:
    """The grammar of all pages: what stands on some is optional."""
    return Section(name, children=_merge_children(roots))


def _merge_children(parts: Sequence[Part]) -> tuple[Section, ...]:
    places: dict[str, list[float]] = defaultdict(list)
    found: dict[str, list[Part]] = defaultdict(list)
    holders: dict[str, int] = defaultdict(int)
    for part in parts:
        for place, child in enumerate(part.children):
            places[child.name].append(place / len(part.children))
            found[child.name].append(child)
        for name in {child.name for child in part.children}:
            holders[name] += 1
    order = sorted(found, key=lambda name: sum(places[name]) / len(places[name]))
    return tuple(
        Section(name, children=_merge_children(found[name]), is_optional=holders[name] < len(parts)) for name in order
    )
