"""How fast nested records go into PostgreSQL, beside COPY of the same records as CSV."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pyarrow as pa

from benchmarks.findings import Finding
from benchmarks.postgres_server import copy_csv, find_programs, running_server
from webquarry.model.arrow_values import to_flat_columns
from webquarry.storing.formats import to_csv
from webquarry.storing.postgres_store import append_table
from webquarry.storing.result_files import Server

ROWS = 50_000
RUNS = 5
_COLUMNS = "title text, price double precision, price_unit text, seen timestamp, area jsonb, borders text"


def run_postgresql(_root: Path, count: int | None = None) -> Finding | None:
    """Store records by us and by COPY, in turns; None without a server."""
    if find_programs() is None:
        return None
    rows = _make_rows(count or ROWS)
    with running_server() as address:
        ours, copies = [], []
        csv = to_csv(to_flat_columns(rows))
        for number in range(RUNS):
            ours.append(_time(lambda number=number: append_table(Server(address), f"ours_{number}", rows)))
            copies.append(_time(lambda number=number: copy_csv(address, f"copied_{number}", _COLUMNS, csv)))
    ratio = median(ours) / median(copies)
    return Finding(
        title="PostgreSQL",
        note=f"{len(rows):,} records with a nested section and a list, into a new table; COPY gets them as CSV that is "
        "written already.",
        heads=("", "seconds, median of five"),
        rows=[["webquarry", f"{median(ours):.2f}"], ["COPY", f"{median(copies):.2f}"]],
        figures={"PostgreSQL, seconds to those of COPY": ratio},
    )


def _time(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _make_rows(count: int) -> pa.Table:
    numbers = range(count)
    area = pa.struct({"total": pa.float64(), "land": pa.float64(), "water": pa.struct({"_text": pa.string()})})
    return pa.table(
        {
            "title": [f"Record {number} of a long list of records" for number in numbers],
            "price": [number / 7 for number in numbers],
            "price_unit": ["EUR"] * count,
            "seen": pa.array([number * 10**9 for number in numbers], pa.timestamp("us")),
            "area": pa.array(
                [{"total": n / 3, "land": n / 4, "water": {"_text": f"{n} lakes"}} for n in numbers], area
            ),
            "borders": pa.array([[f"Country {n % 90}", f"Country {n % 70}"] for n in numbers], pa.list_(pa.string())),
        }
    )
