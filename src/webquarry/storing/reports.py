"""Where reports go: JSON by pages, tables by nodes, and what is to be dropped for a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import chain, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from webquarry.model import Report
from webquarry.model.wording import count
from webquarry.storing.json_texts import to_json
from webquarry.storing.pieces import write_pieces
from webquarry.storing.tables import store_table

if TYPE_CHECKING:
    import pyarrow as pa

_SHOWN = ("page", "column", "text", "score", "reason")
_DIGITS = 4
"""Of scores for people: they compare them, and do not count on."""


def store_report(
    report: Report,
    name: str,
    output: Path | None = None,
    *,
    table_name: str | None = None,
    stream: BinaryIO | None = None,
) -> str:
    """Write a report in the format of this name to a file, or to a stream, by default standard output.

    Gives back what to say of it.  A `table` has what is to be dropped, the oddest first, and nothing is written when
    there is nothing to drop; the others have all.
    """
    if name in ("json", "jsonl"):
        write_pieces(_json(report, is_array=name == "json"), output, stream or sys.stdout.buffer)
        return f"{count(len(report.pages) + len(report.failures), 'page')} in {output or 'standard output'}"
    table = _show_drops(report.to_arrow()) if name == "table" else report.to_arrow()
    if name == "table" and output is None and not len(table):
        return ""
    return store_table(table, name, output, table_name=table_name, stream=stream)


def _show_drops(table: pa.Table) -> pa.Table:
    """What is to be dropped, with what a person looks at; pages without the beginning that all have in common."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import
    import pyarrow.compute as pc  # noqa: PLC0415

    folder = _find_folder(table["_page"].unique().to_pylist())
    dropped = table.filter(table["drop"]).sort_by([("score", "descending")])
    pages = pa.array([page.removeprefix(folder) for page in dropped["_page"].to_pylist()], pa.string())
    shown = dropped.append_column("page", pages)
    shown = shown.set_column(shown.column_names.index("score"), "score", pc.round(shown["score"], _DIGITS))
    empty = {"column"} if shown["column"].null_count == len(shown) else set()
    return shown.select([name for name in _SHOWN if name not in empty])


def _find_folder(addresses: Sequence[str]) -> str:
    """What addresses have in common, up to a slash.

    >>> _find_folder(["https://example.org/news/a.html", "https://example.org/news/about.html"])
    'https://example.org/news/'
    """
    least, most = min(addresses, default=""), max(addresses, default="")
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(least, most, strict=False)))
    return f"{least[:common].rpartition('/')[0]}/"


def _json(report: Report, *, is_array: bool) -> Iterator[bytes]:
    opening, between, closing_mark = ("[\n", ",", "]\n") if is_array else ("", "", "")
    yield opening.encode()
    failed = ({"page": failure.page, "error": failure.error} for failure in report.failures)
    for place, plain in enumerate(chain((page.to_dict() for page in report.pages), failed)):
        line = to_json(plain)
        yield f"{between if place else ''}{line}\n".encode()
    yield closing_mark.encode()
