"""Describe what a batch does to each page, and make tables or JSON lines of the results.

A task holds plain values and is saved beside the results, so that the work can resume later or on another machine.
Workers reduce results to what the table needs; the table itself is built where the file is written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from webquarry.errors import InputError
from webquarry.mining.listing_choice import choose_columns, pick_region
from webquarry.model.arrow_values import list_values, to_plain
from webquarry.model.article import Article
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction
from webquarry.model.names import PAGE
from webquarry.model.region import PageRegions, Region
from webquarry.model.section_columns import to_arrow as extractions_to_arrow, to_schema
from webquarry.model.table_columns import companions
from webquarry.pipeline.extract_pages import WrapperReader, narrow_wrapper
from webquarry.pipeline.fetch_pages import CLEANERS, DEFAULT_CLEANER, Cleaning
from webquarry.pipeline.mine_pages import MINERS, make_miner
from webquarry.pipeline.page_guard import Opening, PageWork
from webquarry.pipeline.read_pages import ARTICLE_READERS, make_reading
from webquarry.pipeline.render_pages import Rendering, RenderOptions, add_roots
from webquarry.pipeline.source_pages import name_by_index, source_roots
from webquarry.storing.article_files import article_table, chunk_table, to_article_rows, to_chunk_rows
from webquarry.storing.formats import to_json
from webquarry.storing.results_table import RegionPart, RegionTable, part_of
from webquarry.wrapping.wrapper_file import read_wrapper

PARQUET, JSON_LINES = "parquet", "jsonl"
OTHER = "_other"
"""The column that holds, as JSON, values for which the schema of the batch has no column."""

_METHODS: dict[str, Iterable[str]] = {"clean": CLEANERS, "mine": MINERS, "read": ARTICLE_READERS}


class Rows(Protocol):
    """The output of a verb: how it processes pages and writes results."""

    def work(self, task: BatchTask) -> PageWork:
        """Return the work to do on each page."""

    def to_table(self, results: Sequence[Any]) -> pa.Table:
        """Build a table from results."""

    def to_lines(self, results: Sequence[Any]) -> Sequence[str]:
        """Build JSON lines from results."""


@dataclass(frozen=True)
class BatchTask:
    """The verb of a batch with its options and its output format."""

    verb: str
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options of the verb, as plain values."""
    rendering: Mapping[str, Any] | None = None
    """The options of the browser; None works without a browser."""
    format: str = PARQUET
    wrapper: str = ""
    """The text of the wrapper file."""
    folder: str = ""
    """The folder of the wrapper file."""

    def __post_init__(self) -> None:
        methods = [*_METHODS.get(self.verb, ())]
        method = self.options.get("method")
        if methods and method is not None and method not in methods:
            raise InputError(f"no method {method!r}; choose from {', '.join(methods)}")

    @cached_property
    def rows(self) -> Rows:
        """What the verb makes of its results."""
        return _ROWS[self.verb](self)

    @property
    def is_table(self) -> bool:
        """True if output files are tables."""
        return self.format == PARQUET

    @property
    def ending(self) -> str:
        """The file name ending of output files."""
        return ".parquet" if self.is_table else ".jsonl.gz"

    def open_pages(self, fetching: Mapping[str, Any]) -> Opening:
        """Return how pages are opened."""
        if self.rendering is None:
            return Cleaning(self.options.get("method" if self.verb == "clean" else "clean") or DEFAULT_CLEANER)
        options: RenderOptions = {**self.rendering, **fetching}  # type: ignore[typeddict-item]
        return Rendering(options)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "rows"}


class _CleanRows:
    """A row for each page, with its XHTML."""

    def __init__(self, task: BatchTask) -> None:
        """Store the task."""

    def work(self, task: BatchTask) -> PageWork:  # noqa: ARG002 - as others
        return PageWork(_to_xhtml)

    def to_table(self, results: Sequence[tuple[str, str]]) -> pa.Table:
        pages, texts = zip(*results, strict=True) if results else ((), ())
        return pa.table({PAGE: pa.array(pages, pa.string()), "xhtml": pa.array(texts, pa.string())})

    def to_lines(self, results: Sequence[tuple[str, str]]) -> list[str]:
        return [to_json({"page": page, "xhtml": text}) for page, text in results]


def _to_xhtml(document: Document) -> tuple[str, str]:
    return document.url, document.to_xhtml()


class _ReadRows:
    """A row for each page, or for each chunk."""

    def __init__(self, task: BatchTask) -> None:
        self._words: int | None = task.options.get("chunks")

    def work(self, task: BatchTask) -> PageWork:
        reading = make_reading(task.options.get("method", "vote"), with_metadata=True)
        return replace(reading, then=partial(_read_rows, self._words, task.is_table))

    def to_table(self, results: Sequence[Any]) -> pa.Table:
        rows = [row for each in results for row in each[1]]
        return article_table(rows) if self._words is None else chunk_table(rows)

    def to_lines(self, results: Sequence[Any]) -> list[str]:
        return [line for each in results for line in each[1]]


def _read_rows(words: int | None, is_table: bool, article: Article) -> tuple[str, list[Any]]:
    """Build the rows or lines of an article, with the method that read it."""
    if is_table:
        return article.method, to_article_rows(article) if words is None else to_chunk_rows(words, article)
    plain = [article.to_dict()] if words is None else [chunk.to_dict() for chunk in article.chunks(words=words)]
    return article.method, [to_json(each) for each in plain]


class _MineRows:
    """A row for each record of the chosen region of each page."""

    def __init__(self, task: BatchTask) -> None:
        self._options = task.options

    def work(self, task: BatchTask) -> PageWork:
        options = self._options
        choose = partial(_pick, options.get("region") or 1, bool(options.get("every")))
        columns = options.get("columns")
        then = partial(_mine_rows, columns, bool(options.get("drop_constant")), task.is_table)
        return PageWork(make_miner(options.get("method", "visual"), like=options.get("like"), choose=choose), then=then)

    def to_table(self, results: Sequence[RegionPart]) -> pa.Table:
        table = RegionTable(values_only=bool(self._options.get("values_only")))
        for part in results:
            table.add_part(part)
        return table.to_arrow()

    def to_lines(self, results: Sequence[str]) -> Sequence[str]:
        return results


def _pick(number: int, every: bool, regions: Sequence[Region]) -> Sequence[Region]:
    return regions if every or not regions else [pick_region(regions, number)]


def _mine_rows(columns: Mapping[str, Sequence[str]] | None, varying: bool, is_table: bool, result: PageRegions) -> Any:
    result = replace(result, regions=choose_columns(result.regions, columns, drops_constant=varying))
    return part_of(result) if is_table else to_json(result.to_dict())


class _ExtractRows:
    """A row for each page or record that the wrapper finds; the wrapper gives the columns."""

    def __init__(self, task: BatchTask) -> None:
        self._task = task
        self.wrapper = read_wrapper(task.wrapper, task.options.get("file", ""))
        self._only = tuple(task.options.get("only") or ())
        self._shape = narrow_wrapper(self.wrapper, self._only)

    @property
    def schema(self) -> pa.Schema:
        """The columns, which do not depend on pages."""
        return to_schema(self._shape)

    def work(self, task: BatchTask) -> PageWork:  # noqa: ARG002 - as others
        return PageWork(WrapperReader(self.wrapper, self._only))

    def to_table(self, results: Sequence[Extraction]) -> pa.Table:
        return extractions_to_arrow(self._shape, [each for each in self._named(results) if len(each)])

    def to_lines(self, results: Sequence[Extraction]) -> list[str]:
        return [to_json(each.to_dict()) for each in self._named(results)]

    def _named(self, results: Sequence[Extraction]) -> list[Extraction]:
        """Give extractions the keys that the index has for them."""
        named = name_by_index(self.wrapper, results, folder=self._task.folder or ".")
        return [each for each in named if isinstance(each, Extraction)]


_ROWS: dict[str, Callable[[BatchTask], Rows]] = {
    "clean": _CleanRows,
    "read": _ReadRows,
    "mine": _MineRows,
    "extract": _ExtractRows,
}
VERBS = tuple(_ROWS)


def make_work(task: BatchTask, fetching: Mapping[str, Any]) -> PageWork:
    """Return the work to do on each page."""
    rows = task.rows
    opening = task.open_pages(fetching)
    if isinstance(rows, _ExtractRows) and task.rendering is not None:
        roots = source_roots(rows.wrapper.source, task.folder)
        opening = Rendering(add_roots({**task.rendering, **fetching}, roots))  # type: ignore[typeddict-item]
    return replace(rows.work(task), opening=opening)


def find_schema(task: BatchTask, sample: Sequence[Any]) -> pa.Schema:
    """Find the schema that all files of a batch share: from the wrapper, or from the results of sample pages."""
    rows = task.rows
    if isinstance(rows, _ExtractRows):
        return rows.schema
    schema = rows.to_table(sample).schema
    if task.verb != "mine" or OTHER in schema.names:
        return schema
    if PAGE not in schema.names:
        schema = schema.insert(0, pa.field(PAGE, pa.string()))
    return schema.append(pa.field(OTHER, pa.string()))


def conform(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Fit a table to a schema; columns that the schema lacks become JSON in `_other`, if it has that column."""
    if table.schema.equals(schema):
        return table
    columns, placed = [], set()
    for wanted in schema:
        column, used = _find_column(table, wanted)
        placed |= used
        columns.append(column)
    left = [name for name in table.column_names if name not in placed]
    if OTHER in schema.names and left:
        columns[schema.get_field_index(OTHER)] = _gather_others(table, left)
    return pa.table(columns, schema=schema)


def _find_column(table: pa.Table, wanted: pa.Field) -> tuple[pa.ChunkedArray | pa.Array, set[str]]:
    """Return a column in the wanted type (or as text, if that is wanted), else nulls; and the names that it used."""
    name = wanted.name
    if name in table.column_names:
        found = table.column(name)
        if found.type == wanted.type:
            return found, {name}
        if pa.types.is_string(wanted.type) and not pa.types.is_nested(found.type):
            text = companions(name)[1]
            return (table.column(text) if text in table.column_names else found.cast(pa.string())), {name, text}
    return pa.nulls(table.num_rows, wanted.type), set()


def _gather_others(table: pa.Table, names: Sequence[str]) -> pa.Array:
    values = [list_values(table.column(name)) for name in names]
    rows = (
        {name: to_plain(value) for name, value in zip(names, row, strict=True) if value is not None}
        for row in zip(*values, strict=True)
    )
    return pa.array([json.dumps(row, ensure_ascii=False) if row else None for row in rows], pa.string())


def to_plain_task(task: BatchTask) -> dict[str, Any]:
    """Convert a task to plain values for JSON, without the path of the browser, which depends on the machine."""
    rendering = None
    if task.rendering is not None:
        rendering = {name: value for name, value in task.rendering.items() if name != "browser"}
        rendering["roots"] = [str(Path(root).absolute()) for root in rendering.get("roots", ())]
    return {
        "verb": task.verb,
        "options": dict(task.options),
        "rendering": rendering,
        "format": task.format,
        "wrapper": task.wrapper,
        "folder": task.folder,
    }
