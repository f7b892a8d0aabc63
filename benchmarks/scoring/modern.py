"""Score a whole table against the truth of a modern listing page: would a person have to touch it?

A record is right when its text holds at least 60 % of the cells of one true record and not the titles of two.
Columns are compared on right records: for each true column the mined column that agrees with it most, each used
once.  A cell agrees when its text is the same (case, spaces and outer punctuation aside), or, for money, numbers and
dates, when the typed value is; links and images when their addresses end alike.  A column is usable when at least
95 % of its cells agree, with the empty ones and without, and its money has the right currency.  A table is right
when its records have an F1 of at least .95 and all essential columns are usable.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any
from urllib.parse import unquote

USABLE = 0.95
"""The share of cells that agree, from which on a column is usable."""
RIGHT = 0.95
"""The F1 of records, from which on a table can be right."""
MIN_HELD = 0.6
"""The share of true cells that a right record holds."""
MAX_TIMES, ROOM = 6, 400
"""A right record is at most this many times as long as its true cells, and this many characters longer."""
CALLED = {
    "name": {"name", "title"},
    "title": {"name", "title"},
    "price": {"price"},
    "old_price": {"old_price"},
    "date": {"date"},
    "location": {"location", "place", "address"},
    "venue": {"venue", "location", "place"},
}
"""What columns of the truth may be called in a table."""

Truth = dict[str, Any]
Record = dict[str, Any]


@dataclass(frozen=True)
class TableScore:
    """How one table compares with its truth."""

    f1: float
    usable: dict[str, bool]
    """By true column."""
    essential: tuple[str, ...]
    well_named: tuple[bool, ...]
    """For each usable column that has a usual name, whether the table uses one."""
    others: int
    """Columns that nobody wants: neither true, nor links, images or constants."""

    @property
    def is_right(self) -> bool:
        return self.f1 >= RIGHT and all(self.usable[name] for name in self.essential)

    @property
    def share_usable(self) -> float:
        return fmean(self.usable.values())

    @property
    def share_essential(self) -> float:
        return fmean(self.usable[name] for name in self.essential) if self.essential else 1.0


def score_table(truth: Truth, region: Record | None) -> TableScore:
    """Score the best region of a page, as `Region.to_dict` gives it."""
    rows, records = truth["records"], region["records"] if region else []
    matched = _match(truth, records)
    may_lack = set(truth.get("optional_records") or ())
    optional = sum(row in may_lack for row, _ in matched)
    f1 = 2 * (len(matched) - optional) / ((len(rows) - len(may_lack) + len(records) - optional) or 1)
    best = _match_columns(truth, [(row, records[place]) for row, place in matched])
    fields = region["fields"] if region else []
    plain = {each["name"] for each in fields if each["type"] not in ("link", "image") and not each.get("constant")}
    return TableScore(
        f1=f1,
        usable={name: best.get(name, (0.0, ""))[0] >= USABLE for name in truth["columns"]},
        essential=tuple(name for name, about in truth["columns"].items() if about.get("essential")),
        well_named=tuple(
            said.lower() in CALLED[name] for name, (share, said) in best.items() if name in CALLED and share >= USABLE
        ),
        others=len(plain - {said for share, said in best.values() if share >= 0.5}),
    )


def _match(truth: Truth, records: Sequence[Record]) -> list[tuple[int, int]]:
    """Pair true records with mined ones, the best first, each used once."""
    columns = truth["columns"]
    names = [
        name
        for name, about in columns.items()
        if about["type"] not in ("link", "image") and not about.get("outside") and about.get("visible", True)
    ]
    needed = [name for name in names if columns[name].get("essential")] or names
    title = max(needed, key=lambda name: len({row.get(name) for row in truth["records"]} - {None}))
    cells = [{name: _squeezed(row[name]) for name in names if row.get(name)} for row in truth["records"]]
    titles = {each.get(title, "") for each in cells} - {""}
    options, used_records = [], set()
    for place, record in enumerate(records):
        text = _squeezed(record.get("text") or "")
        if _holds_several(text, titles, cells, title):
            used_records.add(place)
        for row, each in enumerate(cells):
            share = sum(cell in text for cell in each.values()) / (len(each) or 1)
            if share >= MIN_HELD and len(text) <= MAX_TIMES * sum(map(len, each.values())) + ROOM:
                options.append((-share, abs(row - place), row, place))
    used_rows: set[int] = set()
    found = []
    for _, _, row, place in sorted(options):
        if row not in used_rows and place not in used_records:
            used_rows.add(row)
            used_records.add(place)
            found.append((row, place))
    return found


def _holds_several(text: str, titles: set[str], cells: Sequence[dict[str, str]], title: str) -> bool:
    """Tell whether a record is several true ones together; titles may also be words of a description."""
    held = sorted((each for each in titles if each in text), key=len, reverse=True)
    apart = [each for place, each in enumerate(held) if not any(each in longer for longer in held[:place])]
    if len(apart) < 2 or len(text) <= 1.5 * len(max(apart, key=len)):
        return False
    whole = [
        each
        for each in cells
        if each.get(title) in apart and sum(cell in text for cell in each.values()) >= 0.8 * len(each)
    ]
    return len({each[title] for each in whole}) > 1


def _match_columns(truth: Truth, pairs: Sequence[tuple[int, Record]]) -> dict[str, tuple[float, str]]:
    """Find for each true column the share of cells that agree in the best mined column, and its name."""
    names = sorted({name for _, said in pairs for name in said["values"]})
    options = []
    for column in truth["columns"]:
        true = _TrueColumn(truth, column)
        for name in names:
            good = [true.agrees(row, said, name) for row, said in pairs]
            filled = [
                is_good
                for is_good, (row, said) in zip(good, pairs, strict=True)
                if true.texts[row] is not None or said["values"].get(name)
            ]
            share = min(fmean(good), fmean(filled)) if filled else 0.0
            if true.lacks_unit(pairs, name):
                share = 0.0
            options.append((-share, name.lower() not in CALLED.get(column, ()), column, name))
    best: dict[str, tuple[float, str]] = {}
    used: set[str] = set()
    for share, _, column, name in sorted(options, key=lambda option: option[:2]):
        if column not in best and name not in used:
            best[column] = -share, name
            used.add(name)
    return best


class _TrueColumn:
    """The cells of a true column."""

    def __init__(self, truth: Truth, name: str) -> None:
        about, nothing = truth["columns"][name], [None] * len(truth["records"])
        self.kind, self.unit = about["type"], about.get("unit")
        self.texts = [row.get(name) for row in truth["records"]]
        self.typed = (truth.get("typed") or {}).get(name) or nothing
        self.ranges = (truth.get("typed_ranges") or {}).get(name) or nothing
        ends = [_tail(text).split("/")[-1] for text in self.texts if text]
        self.by_last = len(set(ends)) == len(ends)
        """Whether the last parts of addresses suffice to tell them apart."""

    def agrees(self, row: int, said: Record, name: str) -> bool:
        text, true, ends = said["values"].get(name), self.typed[row], self.ranges[row]
        typed = (said.get("typed") or {}).get(name) or {}
        if self.texts[row] is None and true is None:
            return text is None or _plain(text) == ""
        if self.kind in ("link", "image"):
            return text is not None and _is_same_address(self.texts[row], text, by_last=self.by_last)
        if ends and _is_near(ends[0], typed.get("value")) and _is_near(ends[1], typed.get("to")):
            return True
        if not ends and true is not None and (typed.get("value") is not None or self.kind in ("money", "number")):
            return _is_near(true, typed.get("value"))
        return text is not None and self.texts[row] is not None and is_same_text(self.texts[row], text)

    def lacks_unit(self, pairs: Sequence[tuple[int, Record]], name: str) -> bool:
        """Tell whether money has no currency or another one."""
        if self.kind != "money" or not self.unit or all(value is None for value in self.typed):
            return False
        units = {((said.get("typed") or {}).get(name) or {}).get("unit") for _, said in pairs} - {None}
        return units != {self.unit}


def is_same_text(one: object, other: object) -> bool:
    """Compare texts without case, spaces and outer punctuation."""
    return re.sub(r"\s", "", _plain(one)) == re.sub(r"\s", "", _plain(other))


def _plain(text: object) -> str:
    folded = unicodedata.normalize("NFKC", str(text)).casefold()
    return re.sub(r"\s+", " ", folded).strip(" \t\n:;,.|·•-–—()[]\u200e\u200f")  # noqa: RUF001


def _squeezed(text: object) -> str:
    return re.sub(r"[\s\u00ad\u200b-\u200f]+", "", unicodedata.normalize("NFKC", str(text)).casefold())


def _tail(address: object) -> str:
    path = unquote(re.sub(r"^[a-z]+:/*(?=[^/])", "", str(address).split("#")[0])).lower()
    parts = [part for part in re.split(r"[/\\]", path) if part not in ("", ".", "..")]
    return "/".join(parts[-2:])


def _is_same_address(one: object, other: object, *, by_last: bool) -> bool:
    a, b = _tail(one), _tail(other)
    if not a or not b:
        return False
    return a == b or f"/{a}".endswith(f"/{b}") or f"/{b}".endswith(f"/{a}") or (by_last and _last(a) == _last(b))


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _is_near(true: object, said: object) -> bool:
    if isinstance(true, int | float) and isinstance(said, int | float):
        return abs(true - said) <= 1e-6 * max(1.0, abs(true))
    return true is not None and said is not None and str(true)[:10] == str(said)[:10]
