"""How sample pages are structured: their headings, and how their sections nest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from webquarry.wrapping.annotations import find_annotations
from webquarry.wrapping.furniture import find_constant_texts, find_refrains, find_running_titles, without_furniture
from webquarry.wrapping.headings import Heading, find_headings
from webquarry.wrapping.nesting import Part, find_set_in, nest
from webquarry.wrapping.ranking import rank_formats
from webquarry.wrapping.repeating import find_repeated
from webquarry.wrapping.samples import Format, Sample, Samples
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
    """The pages with their sections."""
    repeated: Mapping[Format, str]
    """Formats whose headings are values, with the names of their sections."""


def find_structure(samples: Samples) -> Structure:
    """The headings of the pages and how their sections nest."""
    pages = samples.pages
    candidates = find_headings(pages)
    ignored = find_running_titles(pages, candidates)
    ignored |= find_constant_texts(pages, candidates, ignored)
    if len(pages) > 1:
        ignored |= find_refrains(pages, candidates, ignored)
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
    repeated = find_repeated(pages[0], roots[0]) if len(pages) == 1 else {}
    return Structure(samples, headings, levels, frozenset(ignored), frozenset(other), roots, repeated)


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
    """Formats of headings that hold all of their page, each the only one of its format on it: its title."""
    titles = []
    for root in roots:
        outer = root.children[0].mark if len(root.children) == 1 and root.children[0].children else None
        if outer is None or any(part.mark and part.mark.format == outer.format for part in root.children[0].walk()):
            return set()
        titles.append(outer.format)
    return set(titles)
