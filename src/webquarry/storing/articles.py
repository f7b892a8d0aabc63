"""Where articles go: text and Markdown, JSON with every node, and tables with a row for each page."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from webquarry.model import Article, Failure
from webquarry.model.tabling import Column, to_arrow, whole
from webquarry.storing.faults import check_place
from webquarry.storing.formats import Sink
from webquarry.storing.gathering import PAGE
from webquarry.storing.json_files import JsonArray, JsonLines
from webquarry.storing.results import Storable
from webquarry.storing.tables import check_table_place, store_table
from webquarry.storing.text_pages import TextFolder, TextPages, Write, to_plain_text, to_titled_markdown

if TYPE_CHECKING:
    import pyarrow as pa

WRITERS: dict[str, tuple[Write, str]] = {"text": (to_plain_text, ".txt"), "markdown": (to_titled_markdown, ".md")}
"""The formats that are read as they are, each with the ending of its files."""
TEXT_ENDINGS = {ending: name for name, (_, ending) in WRITERS.items()}
_COLUMNS = ("title", "author", "date", "language", "site", "text")


def open_article_sink(
    name: str,
    output: Path | None = None,
    *,
    table: str | None = None,
    stream: BinaryIO | None = None,
    many: bool = False,
    inputs: Iterable[Path] = (),
) -> Sink:
    """Where articles in the format of this name go: a file, or a stream, by default standard output.

    Text and Markdown of `many` pages go to a folder, a file each, unless `output` has an ending.  `inputs` are the
    folders that the pages come from.
    """
    stream = stream or sys.stdout.buffer
    if name in WRITERS:
        write, ending = WRITERS[name]
        if output is not None and (output.is_dir() or (many and not output.suffix)):
            return TextFolder(write, output, ending, inputs=inputs)
        if output is not None:
            check_place(output)
        return TextPages(write, output, stream, many=many)
    if name in ("json", "jsonl"):
        if output is not None:
            check_place(output)
        return (JsonArray if name == "json" else JsonLines)(output, stream)
    check_table_place(name, output, table)
    return _Rows(name, output, table, stream)


class _Rows:
    """Gathers a row for each page, and stores them together in the end."""

    def __init__(self, name: str, output: Path | None, table: str | None, stream: BinaryIO) -> None:
        self._name, self._output, self._table, self._stream = name, output, table, stream
        self._rows: list[tuple[str | None, ...]] = []

    def add(self, result: Storable) -> None:
        if isinstance(result, Failure):
            return
        if not isinstance(result, Article):
            raise TypeError(f"rows of articles are made of articles, not of a {type(result).__name__}")
        stated = (getattr(result.metadata, name) or None for name in _COLUMNS[:-1])
        self._rows.append((result.page, *stated, result.text))

    def finish(self) -> str:
        return store_table(self._to_arrow(), self._name, self._output, table_name=self._table, stream=self._stream)

    def close(self) -> None:
        self._rows.clear()

    def _to_arrow(self) -> pa.Table:
        values = zip(*self._rows, strict=True) if self._rows else [()] * (1 + len(_COLUMNS))
        return to_arrow(
            Column(name, "text", [None if value is None else whole(value) for value in column])
            for name, column in zip((PAGE, *_COLUMNS), values, strict=True)
        )
