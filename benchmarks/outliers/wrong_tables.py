"""Put faults that a person sees into mined tables, and measure how many validating finds.

Faults are put into the best region of each page of the corpora `records` and `modern`: a heading as a record, two cells
swapped, a currency sign alone, a value of another typed column, an old price among prices.  Tables as they were mined
count for false alarms.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.findings import Finding
from benchmarks.halves import ALL, CHECK, TUNE, by_half
from benchmarks.listings import listings
from benchmarks.miners import mine
from benchmarks.modern import modern_listings, rendered_modern, static_modern
from benchmarks.pool import show_progress
from benchmarks.rendered import rendered_listings, static_listings
from benchmarks.scoring.modern import score_table
from webquarry.model.document import Document
from webquarry.model.region import Region
from webquarry.model.report import Selection
from webquarry.rendering.browser import find_browser
from webquarry.validating.column_outliers import find_records, validate_columns
from webquarry.validating.selections import select_region
from webquarry.validating.table_faults import Table

DRAWS = 3
"""Faults of each kind in a table, each in a table of its own."""
SIGNS = ("$", "€", "£", "USD", "|", "·")
HEADINGS = ("Name", "Amount", "When", "Kind", "Details", "Place", "Total", "Owner", "Grade", "Note", "Level", "Team")
"""Words that no column of the corpora has to have as its name."""
MIN_SHARE_FOUND = 0.5
"""Of the values of a fault, that must be reported for it to count as found."""


@dataclass(frozen=True)
class MinedTable:
    """The best table of a page as it was mined."""

    name: str
    half: str
    region: Region
    is_right: bool
    """By the truth of the corpus; pages of `records`, whose truth is about records alone, count as right."""


@dataclass(frozen=True)
class Spoilt:
    """A table with one fault, and where it is."""

    selection: Selection
    places: tuple[int, ...]


Cells = list[tuple[str, str, int]]
"""Column, text and node of each value."""


def run_wrong_tables(root: Path, count: int | None = None) -> Finding | None:
    """Measure faults found and false alarms; None without the corpora or a browser."""
    if not listings(root, count) or not modern_listings(root, count) or find_browser() is None:
        return None
    tables = list(mined_tables(root, count))
    halves = by_half(tables, lambda table: table.half)
    found = {
        half: {name: measure(members, spoil) for name, spoil in SPOILERS.items()} for half, members in halves.items()
    }
    alarms = {half: count_alarms(members) for half, members in halves.items()}
    static = by_half(mined_tables(root, count, rendered=False), lambda table: table.half)
    static_alarms = {half: count_alarms(members) for half, members in static.items()}
    rows = [
        [name, *(f"{found[half][name][0]:.3f} ({found[half][name][1]})" for half in (TUNE, CHECK, ALL))]
        for name in SPOILERS
    ]
    rows.append(["false alarms a right table", *(f"{alarms[half]:.2f}" for half in (TUNE, CHECK, ALL))])
    rows.append(["false alarms a right table, static", *(f"{static_alarms[half]:.2f}" for half in (TUNE, CHECK, ALL))])
    return Finding(
        title="Faults of tables",
        note=f"One fault of a kind in each copy of {len(tables)} mined tables, {DRAWS} copies each where the table"
        " allows it; the share that is reported, and how many there were. Headings have the looks of values and are"
        " put into tables with a column of numbers, prices or dates. False alarms are values reported in tables as they"
        " were mined.",
        heads=("", *(f"found: {half}" for half in (TUNE, CHECK, ALL))),
        rows=rows,
        figures={
            **{f"outliers, faults of tables found: {name}": found[ALL][name][0] for name in SPOILERS},
            "outliers, false alarms a right table": alarms[ALL],
            "outliers, false alarms a right table, static": static_alarms[ALL],
        },
    )


def mined_tables(root: Path, count: int | None, *, rendered: bool = True) -> Iterator[MinedTable]:
    """Mine the best table of each page of both corpora."""
    of_modern, of_listings = (rendered_modern, rendered_listings) if rendered else (static_modern, static_listings)
    for page, document in zip(modern_listings(root, count), of_modern(root, count), strict=True):
        for region in _best(document):
            yield MinedTable(page.name, page.half, region, score_table(page.truth, region.to_dict()).is_right)
    records = zip(listings(root, count), of_listings(root, count), strict=True)
    for listing, document in show_progress(records, len(listings(root, count)), "mining tables"):
        for region in _best(document):
            yield MinedTable(listing.name, listing.half, region, True)


def _best(document: Document | None) -> Sequence[Region]:
    return mine(document, "visual").regions[:1]


def count_alarms(tables: Iterable[MinedTable]) -> float:
    """Count the values that are reported for each right table."""
    right = [select_region(table.region) for table in tables if table.is_right]
    return sum(int(find_drops(each).sum()) for each in right) / max(1, len(right))


def measure(tables: Iterable[MinedTable], spoil: Spoil) -> tuple[float, int]:
    """Measure the share of faults of a kind that are found, and count them."""
    found: list[bool] = []
    for table in tables:
        for number in range(DRAWS):
            spoilt = spoil(table.region, random.Random(f"{number} {table.name}"))
            if spoilt is not None:
                drops = find_drops(spoilt.selection)
                found.append(float(drops[list(spoilt.places)].mean()) >= MIN_SHARE_FOUND)
    return (sum(found) / len(found) if found else 0.0), len(found)


def find_drops(selection: Selection) -> NDArray[np.bool_]:
    """Find what the default method would drop."""
    return validate_columns([selection])[0].drops


Spoil = Callable[[Region, random.Random], Spoilt | None]


def put_names(region: Region, _draw: random.Random) -> Spoilt | None:
    """Put a record before all others whose values are the names of the columns."""
    return _put_heading(region, [name.replace("_", " ").title() for name in _texts_of(region)])


def put_heading(region: Region, draw: random.Random) -> Spoilt | None:
    """Put a record before all others whose values are words for columns, though not the names that these have."""
    return _put_heading(region, draw.sample(HEADINGS, k=len(HEADINGS)))


def _put_heading(region: Region, words: Sequence[str]) -> Spoilt | None:
    """Put a record of words before all others, each in the look of a value of its column, so that looks do not help."""
    names, table = _texts_of(region)[: len(words)], _table(region)
    if len(names) < 2 or not set(table.types.values()) & {"number", "money", "date"}:
        return None
    looks = {name: table.cells[places[0]].node for name, places in table.columns.items()}
    heading = [(name, words[place], looks[name]) for place, name in enumerate(names) if name in looks]
    return _spoil(region, [*heading, *_cells(region)], range(len(heading)))


def swap(region: Region, draw: random.Random) -> Spoilt | None:
    """Swap two values of a record, one of a typed column and one of a column of words."""
    cells, table = _cells(region), _table(region)
    pairs = [
        (one, other)
        for places in table.records.values()
        for one in places
        for other in places
        if table.types.get(cells[one][0]) in ("number", "money", "date")
        and table.types.get(cells[other][0]) == "text"
        and table.cells[one].kind != "text"
        and table.cells[other].is_words
    ]
    if not pairs:
        return None
    one, other = draw.choice(pairs)
    first, second = cells[one], cells[other]
    cells[one], cells[other] = (first[0], *second[1:]), (second[0], *first[1:])
    return _spoil(region, cells, [one, other])


def put_sign(region: Region, draw: random.Random) -> Spoilt | None:
    """Put a currency or another sign in place of a value of a column of words."""
    cells, table = _cells(region), _table(region)
    places = [place for place, cell in enumerate(cells) if table.types.get(cell[0]) == "text"]
    if not places:
        return None
    place = draw.choice(places)
    cells[place] = cells[place][0], draw.choice(SIGNS), cells[place][2]
    return _spoil(region, cells, [place])


def misplace(region: Region, draw: random.Random) -> Spoilt | None:
    """Put the price of a record in place of its number or date, which is lost, as rent among distances."""
    cells, table = _cells(region), _table(region)
    pairs = [
        (one, other)
        for places in table.records.values()
        for one in places
        for other in places
        if table.types.get(cells[one][0]) == "money"
        and table.types.get(cells[other][0]) in ("number", "date")
        and table.cells[one].kind == "money"
    ]
    if not pairs:
        return None
    one, other = draw.choice(pairs)
    cells[other] = cells[other][0], *cells[one][1:]
    left = [cell for place, cell in enumerate(cells) if place != one]
    return _spoil(region, left, [other - (one < other)])


def mix_prices(region: Region, draw: random.Random) -> Spoilt | None:
    """Put the old price of a record in place of its price, where the page shows it struck through."""
    cells, table = _cells(region), _table(region)
    pairs = [
        (one, other)
        for places in table.records.values()
        for one in places
        for other in places
        if one != other
        and table.types.get(cells[one][0], table.cells[one].kind) == "money"
        and table.types.get(cells[other][0]) == "money"
        and "old" in cells[one][0].lower()
        and table.cells[one].kind == "money"
    ]
    if not pairs:
        return None
    one, other = draw.choice(pairs)
    cells[other] = cells[other][0], *cells[one][1:]
    return _spoil(region, [cell for place, cell in enumerate(cells) if place != one], [other - (one < other)])


SPOILERS: dict[str, Spoil] = {
    "names of columns as a record": put_names,
    "heading as a record": put_heading,
    "two cells swapped": swap,
    "a sign alone": put_sign,
    "price among numbers or dates": misplace,
    "old price among prices": mix_prices,
}


def _texts_of(region: Region) -> list[str]:
    return [each.name for each in region.columns if each.type not in ("link", "image") and not each.pointers]


def _table(region: Region) -> Table:
    selection = select_region(region)
    return Table([selection], find_records([selection]))


def _cells(region: Region) -> Cells:
    selection = select_region(region)
    return list(zip(selection.columns, selection.texts, selection.nodes.tolist(), strict=True))


def _spoil(region: Region, cells: Cells, places: Iterable[int]) -> Spoilt:
    columns, texts, nodes = zip(*cells, strict=True)
    selection = replace(
        select_region(region), columns=tuple(columns), texts=tuple(texts), nodes=np.array(nodes, dtype=np.int32)
    )
    return Spoilt(selection, tuple(places))
