"""Sources at hand with as many columns as a fact book has, to plan queries over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from webquarry.querying.catalog import Catalog, ColumnPath, Index, Reading

LEAVES = 720
"""Columns and parts of columns that hold values; as many as 2020's book has."""
COUNTRIES = 26
_FIELDS = 4  # leaves of a section that is only there to be many
_TEXT, _NUMBER = pa.string(), pa.float64()
_ENDING = (("_page", _TEXT), ("_fetched", pa.timestamp("us", "UTC")))
_COLUMNS: dict[str, list[tuple[str, pa.DataType]]] = {
    "factbook": [
        ("geography", pa.struct([("area", pa.struct([("total", _NUMBER), ("land", _NUMBER)])), ("map", _TEXT)])),
        ("government", pa.struct([("capital", _TEXT)])),
        ("economy", pa.struct([("debt", _NUMBER), ("product", _NUMBER)])),
    ],
    "cities": [("administration", pa.struct([("mayor", _TEXT)])), ("people", pa.struct([("population", _NUMBER)]))],
    "groups": [("grouping", _TEXT), ("country", _TEXT)],
}
Row = dict[str, Any]


@dataclass(frozen=True)
class WideSource:
    """A source whose rows are known, by the keys of their pages."""

    name: str
    key: str
    schema: pa.Schema
    pages: Mapping[str, Sequence[Row]]
    is_listed: bool = True
    is_row_a_page: bool = True
    is_rendered: bool = False
    example: str = "Country A"

    def index(self) -> Index:
        return Index({key: f"https://example.org/{key}" for key in self.pages})

    def read(self, keys: Sequence[str], columns: Sequence[ColumnPath], progress: Callable[[], None]) -> Reading:
        del columns, progress  # all is there
        rows = [row for key in keys for row in self.pages[key]]
        return Reading(pa.Table.from_pylist(rows, self.schema))

    def sections(self, columns: Sequence[ColumnPath]) -> list[str]:
        return [".".join(path) for path in columns]


def make_catalog() -> Catalog:
    """A book of countries, cities that are found by the capitals of these, and a page of groups."""
    names = [chr(ord("A") + number) for number in range(COUNTRIES)]
    book = {f"Country {name}": [_country(place, name)] for place, name in enumerate(names)}
    cities = {f"City {name}": [_city(place, name)] for place, name in enumerate(names)}
    groups = [{"grouping": grouping, "country": f"Country {name}"} for grouping, name in _groups(names)]
    sources = (
        WideSource("factbook", "country", make_schema("factbook", "country"), book),
        WideSource("cities", "city", make_schema("cities", "city"), cities, is_listed=False, example="City A"),
        WideSource("groups", "", make_schema("groups", ""), {"groups.html": groups}, is_row_a_page=False, example=""),
    )
    return Catalog({source.name: source for source in sources})


def make_schema(name: str, key: str) -> pa.Schema:
    """The columns that queries name, and so many more that there are 720 leaves; a listing has only the former."""
    columns = [*([(key, _TEXT)] if key else []), *_COLUMNS[name]]
    if key:
        columns += _make_wide(LEAVES - sum(map(count_leaves, (kind for _, kind in columns))) - len(_ENDING))
    return pa.schema([*columns, *_ENDING])


def count_leaves(kind: pa.DataType) -> int:
    return sum(count_leaves(field.type) for field in kind) if pa.types.is_struct(kind) else 1


def _make_wide(leaves: int) -> list[tuple[str, pa.DataType]]:
    """Eight columns of sections, with so many leaves in all."""
    names = [(f"leaf_{number}", _NUMBER) for number in range(leaves)]
    share = -(-leaves // 8)
    columns = [names[start : start + share] for start in range(0, leaves, share)]
    return [
        (
            f"chapter_{number}",
            pa.struct(
                [
                    (f"section_{place}", pa.struct(column[place : place + _FIELDS]))
                    for place in range(0, len(column), _FIELDS)
                ]
            ),
        )
        for number, column in enumerate(columns)
    ]


def _groups(names: Sequence[str]) -> list[tuple[str, str]]:
    return [*(("North", name) for name in names[:12]), *(("South", name) for name in names[6:])]


def _country(place: int, name: str) -> Row:
    return {
        "country": f"Country {name}",
        "geography": {
            "area": {"total": 1000.0 * place, "land": 900.0 * place},
            "map": "Europe" if place % 2 else "Asia",
        },
        "government": {"capital": f"City {name}"},
        "economy": {"debt": 10.0 * place, "product": 500.0 - place},
        "_page": f"https://example.org/Country {name}",
    }


def _city(place: int, name: str) -> Row:
    return {
        "city": f"City {name}",
        "administration": {"mayor": f"Person {name}"},
        "people": {"population": 100.0 * place},
        "_page": f"https://example.org/City {name}",
    }
