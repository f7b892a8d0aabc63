"""How the data that pages state about themselves are read, and how surely they are joined with records.

A join is checked by what it did not use: the items of the list that was joined are matched once more without the
values of one kind (titles, links, images, prices or dates), and a match is right if a value that was held out is in the
record.  States are read but not joined.  Marked items that are in a record belong to it, which needs no check.  As a
control, records are joined with the items of a page of another site: each such join is wrong.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path

import lxml.etree
import lxml.html
import numpy as np

from benchmarks.corpora import CorpusPage, draw_evenly, every_page, web_pages
from benchmarks.findings import Finding
from benchmarks.halves import ALL, CHECK, TUNE, split
from benchmarks.mutations import make_mutants
from benchmarks.pool import show_progress
from webquarry.mining.record_matches import Records, comparable, match_items
from webquarry.mining.stated_join import are_enough, find_list
from webquarry.mining.visual import mine_visual
from webquarry.model.document import Document
from webquarry.page.stated_blocks import MICRODATA, RDFA, STATE, Block, read_blocks
from webquarry.page.stated_items import ItemList, Stated, find_item_lists

_MUTANTS, _SEED = 500, 7
_REGIONS = 3  # of a page that are joined
_TITLES = ("name", "headline", "title")
KINDS = ("title", "link", "image", "number", "day")
"""Kinds of values that are held out."""


@dataclass
class Tally:
    """Counts over some pages."""

    pages: int = 0
    blocks: int = 0
    lost: list[str] = field(default_factory=list)
    """Pages with blocks of JSON that were neither read nor told."""
    raised: list[str] = field(default_factory=list)
    seconds: float = 0.0
    parse_seconds: float = 0.0
    joined: int = 0
    right: int = 0
    wrong: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    """Regions that were joined with the items of another page."""

    def plus(self, other: Tally) -> Tally:
        """Add the counts of other pages."""
        return Tally(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    @property
    def precision(self) -> float:
        """Share of the checked matches that are right; 1 if there are none."""
        return self.right / ((self.right + len(self.wrong)) or 1) if self.right or self.wrong else 1.0


def run_stated(root: Path, count: int | None = None) -> Finding | None:
    """Read the data of all pages of all corpora, and of mutants, and join them with records."""
    pages = every_page(root)
    if not pages:
        return None
    halves = split(_site_of(page) for page in pages)
    pages = draw_evenly(pages, count) if count else pages
    tallies = {half: Tally() for half in (TUNE, CHECK)}
    strangers = dict.fromkeys((TUNE, CHECK), _Strangers())
    for page in show_progress(pages, len(pages), "reading stated data"):
        site = _site_of(page)
        half = halves[site]
        lists = _add(tallies[half], page.name, page.markup(), strangers[half].lists_for(site))
        strangers[half] = strangers[half].followed_by(site, lists)
    tallies[ALL] = tallies[TUNE].plus(tallies[CHECK])
    mutants = Tally()
    made = make_mutants(web_pages(root), min(_MUTANTS, count or _MUTANTS), _SEED)
    for mutant in show_progress([each for each in made if not each.is_heavy], len(made), "reading mutants"):
        _read(mutants, mutant.name, mutant.markup())
    every = tallies[ALL]
    return Finding(
        title="Stated data",
        note=f"JSON-LD, microdata, RDFa, Open Graph and states of {every.pages} pages and {mutants.pages} mutants. Time"
        " is CPU time on a parsed page. Joins are checked by values that they did not use, and with other pages.",
        heads=(
            "",
            "pages",
            "blocks",
            "neither read nor told",
            "raised",
            "ms a page",
            "to lxml's parse",
            "joined",
            "checked",
            "precision",
            "of other pages",
        ),
        rows=[_row(name, each) for name, each in (*tallies.items(), ("mutants", mutants))],
        figures={
            "stated, blocks read or told": 1 - len(every.lost) / max(1, every.blocks),
            "stated, pages that raise": float(len(every.raised) + len(mutants.raised)),
            "stated, ms a page": 1000 * every.seconds / max(1, every.pages),
            **{f"stated, join precision: {half}": tallies[half].precision for half in (TUNE, CHECK)},
            "stated, regions joined with another page": float(len(every.strangers)),
        },
        complaints=[
            *(f"stated data raise: {each}" for each in (*every.raised, *mutants.raised)),
            *(f"stated data lost: {each}" for each in every.lost),
            *(f"stated item joined to another record: {each}" for each in every.wrong),
            *(f"records joined with another page's items: {each}" for each in every.strangers),
        ],
    )


@dataclass(frozen=True)
class _Strangers:
    """The item lists of the last two pages with such, each of another site."""

    known: tuple[tuple[str, Sequence[ItemList]], ...] = ()

    def lists_for(self, site: str) -> Sequence[ItemList]:
        """Return the lists of the last page that is not of this site."""
        return next((lists for other, lists in self.known if other != site), ())

    def followed_by(self, site: str, lists: Sequence[ItemList]) -> _Strangers:
        """Put the lists of a further page first; marked items have places on their own page only."""
        movable = [each for each in lists if not _is_marked(each)]
        others = [pair for pair in self.known if pair[0] != site]
        return _Strangers(((site, movable), *others[:1])) if movable else self


def _site_of(page: CorpusPage) -> str:
    """Name the site of a page, by folder; pages of articles are each of a site of their own."""
    corpus, name, *_ = page.name.split("/")
    return page.name if name in ("html", "input") else f"{corpus}/{name.rpartition('-')[0] or name}"


def _row(name: str, tally: Tally) -> list[str]:
    return [
        name,
        f"{tally.pages:,}",
        f"{tally.blocks:,}",
        str(len(tally.lost)),
        str(len(tally.raised)),
        f"{1000 * tally.seconds / max(1, tally.pages):.2f}",
        f"{tally.seconds / (tally.parse_seconds or 1):.2f}" if tally.parse_seconds else "-",
        str(tally.joined),
        str(tally.right + len(tally.wrong)),
        f"{tally.precision:.3f}",
        str(len(tally.strangers)),
    ]


def _add(tally: Tally, name: str, markup: str, strangers: Sequence[ItemList] = ()) -> list[ItemList]:
    """Count what one page gives; return its lists of items."""
    content = markup.encode("utf-8", "replace")
    start = time.process_time()
    with suppress(lxml.etree.ParserError):  # a page without elements
        lxml.html.document_fromstring(content)
    tally.parse_seconds += time.process_time() - start
    document, lists = _read(tally, name, markup)
    if document is not None and lists:
        _check_joins(tally, name, document, lists, strangers)
    return lists


def _read(tally: Tally, name: str, markup: str) -> tuple[Document | None, list[ItemList]]:
    tally.pages += 1
    document = Document(markup, url="https://corpus.example/")
    _ = document.ends, document.attributes, document.hidden
    start = time.process_time()
    try:
        blocks = read_blocks(document)
        lists = find_item_lists(blocks)
    except Exception as error:  # noqa: BLE001 - this is what is counted
        tally.raised.append(f"{name}: {error!r}")
        return None, []
    tally.seconds += time.process_time() - start
    tally.blocks += len(blocks)
    tally.lost += [name] * len(_find_lost(document, blocks))
    return document, [each for each in lists if not each.is_furniture and each.format != STATE]


def _find_lost(document: Document, blocks: Sequence[Block]) -> list[int]:
    """List the scripts of JSON that were neither read nor told."""
    known = {block.node for block in blocks if block.value is not None or block.fault}
    scripts = np.flatnonzero(document.has_tag(["script"])).tolist()
    own = document.attributes
    is_json = [node for node in scripts if "json" in own[node].get("type", "").lower() and "src" not in own[node]]
    # a block that says null is read too
    empty = {block.node for block in blocks if block.value is None and not block.fault}
    return [node for node in is_json if node not in known | empty]


def _check_joins(
    tally: Tally, name: str, document: Document, lists: Sequence[ItemList], strangers: Sequence[ItemList]
) -> None:
    for region in mine_visual(document)[:_REGIONS]:
        records = Records(document, region.spans, region.fields)
        if find_list(records, strangers)[1]:
            tally.strangers.append(name)
        found, matches = find_list(records, lists)
        if found is None or not matches:
            continue
        tally.joined += len(matches)
        if _is_marked(found) and all(_is_inside(records, *pair, found) for pair in matches.items()):
            continue
        for is_right in _hold_out(records, found):
            if is_right:
                tally.right += 1
            else:
                tally.wrong.append(f"{name}: {found.describe()}")


def _is_marked(found: ItemList) -> bool:
    return found.format in (MICRODATA, RDFA)


def _is_inside(records: Records, place: int, number: int, found: ItemList) -> bool:
    first, stop = records.spans[place]
    return first <= found.items[number].node < stop


def _hold_out(records: Records, found: ItemList) -> Iterator[bool]:
    """Match without the values of each kind, and tell of each match whether a value held out is in the record.

    Only values that can identify a record are held out: a flag, an id or a count that happens to be a number of
    another record says nothing.
    """
    kinds: dict[str, set[str]] = {}
    for item in found.items:
        for path, stated in comparable(item):
            kinds.setdefault(_kind_of(records, stated, path), set()).add(path)
    for kind in KINDS:
        held_out = kinds.get(kind)
        if not held_out:
            continue
        matches = match_items(records, found.items, held_out)
        if not are_enough(len(matches), found, len(records)):
            continue
        for place, number in matches.items():
            for path, stated in comparable(found.items[number]):
                holders = records.holders(stated, path) if path in held_out else ()
                if holders and 2 * len(holders) <= len(records):
                    yield place in holders


def _kind_of(records: Records, stated: Stated, path: str) -> str:
    kind, _ = records.key_of(stated, path)
    return "title" if kind == "text" and path in _TITLES else kind
