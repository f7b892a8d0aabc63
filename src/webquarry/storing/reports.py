"""Where reports go: JSON by pages, tables by nodes, and what is to be dropped for a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from webquarry.model import Report
from webquarry.storing.json_texts import to_json
from webquarry.storing.pieces import write_pieces
from webquarry.storing.tables import store_table

_SHOWN = ["_page", "column", "text", "score", "reason"]


def store_report(
    report: Report,
    name: str,
    output: Path | None = None,
    *,
    table_name: str | None = None,
    stream: BinaryIO | None = None,
) -> str:
    """Write a report in the format of this name to a file, or to a stream, by default standard output.

    Gives back what to say of it.  A `table` has what is to be dropped, the oddest first; the others have all.
    """
    if name in ("json", "jsonl"):
        write_pieces(_json(report, is_array=name == "json"), output, stream or sys.stdout.buffer)
        return f"{len(report.pages):,} pages in {output or 'standard output'}"
    table = report.to_arrow()
    if name == "table":
        dropped = table.filter(table["drop"]).sort_by([("score", "descending")])
        empty = [column for column in ("column",) if dropped[column].null_count == len(dropped)]
        table = dropped.select([column for column in _SHOWN if column not in empty])
    return store_table(table, name, output, table_name=table_name, stream=stream)


def _json(report: Report, *, is_array: bool) -> Iterator[bytes]:
    opening, between, closing_mark = ("[\n", ",", "]\n") if is_array else ("", "", "")
    yield opening.encode()
    failed = ({"page": failure.page, "error": failure.error} for failure in report.failures)
    for place, plain in enumerate(chain((page.to_dict() for page in report.pages), failed)):
        line = to_json(plain)
        yield f"{between if place else ''}{line}\n".encode()
    yield closing_mark.encode()
