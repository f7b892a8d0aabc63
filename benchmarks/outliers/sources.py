"""Extractions with foreign values: the best region of each listing, and what wrappers read of detail pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.halves import split
from benchmarks.listings import listings
from benchmarks.miners import mine
from benchmarks.outliers.injecting import DRAWS, Injected, inject, texts_outside
from benchmarks.pool import show_progress
from benchmarks.wrappers.sites import find_sites
from webquarry.model.document import Document
from webquarry.model.region import Region
from webquarry.model.report import Selection
from webquarry.model.wrapper import Source
from webquarry.validating.selections import select_extraction, select_region
from webquarry.wrapping.learner import learn_sections
from webquarry.wrapping.section_reader import Reader

_ADDRESSES = ("link", "image")

Documents = Callable[[Path, int | None], tuple[Document | None, ...]]


def inject_listings(
    root: Path, count: int | None, documents_of: Documents, *, looks: bool = True
) -> Iterator[Injected]:
    """The corpus of records, page by page."""
    pages = listings(root, count)
    for page, document in show_progress(zip(pages, documents_of(root, count), strict=True), len(pages), "injecting"):
        for region in mine(document, "visual").regions[:1]:
            selection, outside = _texts_of(region), texts_outside(region.document, region.spans)
            for number in range(DRAWS):
                yield Injected(f"{page.name} {number}", page.half, *inject(selection, outside, number, looks=looks))


def inject_sites(root: Path) -> Iterator[Injected]:
    """The detail pages of the five sites; the columns of a site go over all its pages."""
    sites = find_sites(root)
    halves = split(site.name for site in sites)
    for site in show_progress(sites, len(sites), "injecting into detail pages"):
        reader = Reader(learn_sections(site.documents, Source(name=site.name)))
        selections = [select_extraction(reader.read(document), document) for document in site.documents]
        for number in range(DRAWS):
            for selection in selections:
                ends = selection.document.ends
                outside = texts_outside(selection.document, [(node, int(ends[node])) for node in selection.nodes])
                yield Injected(f"{site.name} {number}", halves[site.name], *inject(selection, outside, number))


def _texts_of(region: Region) -> Selection:
    """The values of a region that are texts, as what is put in their places is."""
    selection = select_region(region)
    types = {column.name: column.type for column in region.columns}
    kept = [place for place, name in enumerate(selection.columns) if types[name] not in _ADDRESSES]
    return replace(
        selection,
        nodes=selection.nodes[kept],
        texts=tuple(selection.texts[place] for place in kept),
        columns=tuple(selection.columns[place] for place in kept),
    )
