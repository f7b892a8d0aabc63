"""Replace some values of an extraction by other texts of their page.

Extractions are the best region of each listing, and the values that wrappers read on detail pages.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.halves import split
from benchmarks.listings import listings
from benchmarks.miners import mine
from benchmarks.pool import show_progress
from benchmarks.wrappers.sites import find_sites
from webquarry.html.columns import Kind
from webquarry.model.document import Document
from webquarry.model.region import Region
from webquarry.model.report import Selection
from webquarry.model.wrapper import Source
from webquarry.validating.selections import select_extraction, select_region
from webquarry.wrapping.section_learner import learn_sections
from webquarry.wrapping.section_reader import Reader

RATE = 0.05
"""Share of the values that are replaced."""
DRAWS = 3
"""Repetitions with other values, because the few hundred foreign values of one draw leave too much to chance."""
_WORD = re.compile(r"\w")

Nodes = NDArray[np.int32]


@dataclass(frozen=True)
class Injected:
    """A selection with some foreign values."""

    source: str
    """Selections of one source are validated together."""
    half: str
    selection: Selection
    is_foreign: NDArray[np.bool_]


def texts_outside(document: Document, spans: Iterable[tuple[int, int]]) -> Nodes:
    """Find the visible texts with words outside the spans."""
    inside = np.zeros(len(document), dtype=np.bool_)
    for first, stop in spans:
        inside[first:stop] = True
    nodes = np.flatnonzero((document.kinds == Kind.TEXT) & ~document.hidden & ~inside)
    return np.array([node for node in nodes.tolist() if _WORD.search(document.texts[node])], dtype=np.int32)


def inject(
    selection: Selection, outside: Nodes, number: int, *, looks: bool = True
) -> tuple[Selection, NDArray[np.bool_]]:
    """Replace some values by foreign ones, and mark these; deterministic by number of the draw and page address.

    With `looks` a foreign value is another node with its own look; without, only the text is replaced.
    """
    draw = random.Random(f"{number} {selection.document.url}")
    nodes, texts = selection.nodes.copy(), list(selection.texts)
    is_foreign = np.zeros(len(nodes), dtype=np.bool_)
    for place in range(len(nodes) if len(outside) else 0):
        if draw.random() < RATE:
            node = draw.choice(outside.tolist())
            texts[place] = " ".join(selection.document.texts[node].split())
            nodes[place] = node if looks else nodes[place]
            is_foreign[place] = True
    return replace(selection, nodes=nodes, texts=tuple(texts)), is_foreign


_ADDRESSES = ("link", "image")

Documents = Callable[[Path, int | None], tuple[Document | None, ...]]


def inject_listings(
    root: Path, count: int | None, documents_of: Documents, *, looks: bool = True
) -> Iterator[Injected]:
    """Inject values into the records corpus, page by page."""
    pages = listings(root, count)
    for page, document in show_progress(zip(pages, documents_of(root, count), strict=True), len(pages), "injecting"):
        for region in mine(document, "visual").regions[:1]:
            selection, outside = _texts_of(region), texts_outside(region.document, region.spans)
            for number in range(DRAWS):
                yield Injected(f"{page.name} {number}", page.half, *inject(selection, outside, number, looks=looks))


def inject_sites(root: Path) -> Iterator[Injected]:
    """Inject values into the detail pages of the five sites; a column covers all pages of its site."""
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
    """Select the text values of a region, without links and images, because foreign values are texts."""
    selection = select_region(region)
    types = {column.name: column.type for column in region.columns}
    kept = [place for place, name in enumerate(selection.columns) if types[name] not in _ADDRESSES]
    return replace(
        selection,
        nodes=selection.nodes[kept],
        texts=tuple(selection.texts[place] for place in kept),
        columns=tuple(selection.columns[place] for place in kept),
    )
