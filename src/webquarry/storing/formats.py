"""Choose the format of results, open sinks that write it, and write JSON, CSV, Parquet and Excel workbooks."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import partial
from importlib import import_module
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from webquarry.errors import InputError
from webquarry.model.page import Failure
from webquarry.model.table_columns import Column
from webquarry.model.wording import count, whole
from webquarry.storing.result_files import (
    PACKED,
    PLAIN_ADDITION,
    Addition,
    Pieces,
    Server,
    Target,
    check_place,
    write_pieces,
)
from webquarry.storing.results_table import ExtractionTable, RecordTable, RegionTable, TableSink
from webquarry.storing.schema_growth import check_table_name

if TYPE_CHECKING:
    import pyarrow as pa

    from webquarry.model.region import Storable
    from webquarry.model.wrapper import Wrapper

POSTGRESQL = "postgresql"
DATABASES = ("duckdb", "sqlite", POSTGRESQL)
FORMATS = ("table", "json", "jsonl", "csv", "parquet", "xlsx", "duckdb", "sqlite")
"""What `--format` can name; PostgreSQL is named by its address alone."""
ENDINGS = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
    ".xlsx": "xlsx",
    ".duckdb": "duckdb",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".db": "sqlite",
}
SAFE_CSV = "safe-csv"
"""CSV whose texts no spreadsheet takes for formulas; `--safe-csv` turns CSV into it."""
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?\d[\d.,]*(?:[eE][+-]?\d+)?%?")
PACKABLE = ("json", "jsonl", "csv")
"""Formats whose files may end in .gz too."""
# JSON allows these in a text, but Unicode and many programs treat them as line ends
_LINE_ENDS = {ord(mark): f"\\u{ord(mark):04x}" for mark in "\x85\u2028\u2029"}


class Sink(Protocol):
    """A destination for the results of a run, page by page."""

    def add(self, result: Storable) -> None:
        """Take the result of a page."""

    def finish(self) -> str | None:
        """Complete the output; return a message about it, if any."""

    def close(self) -> None:
        """Remove what is not finished."""


def choose_format(
    output: Target | None, name: str | None, *, is_terminal: bool, texts: Mapping[str, str] | None = None
) -> str:
    """Choose the named format, else that of the file's ending, else what suits standard output.

    `texts` are further formats by file ending; the first of them suits a terminal, and a file name without an ending
    means a folder for them.

    >>> choose_format(Path("offers.duckdb"), None, is_terminal=True), choose_format(None, None, is_terminal=False)
    ('duckdb', 'jsonl')
    """
    texts = texts or {}
    known = [*texts.values(), *FORMATS]
    if name is not None and name not in known:
        raise InputError(f"--format {name}: there is no such format; choose from {', '.join(known)}")
    if isinstance(output, Server):
        if name is not None:
            raise InputError(f"{output}: is a database, which has no --format {name}; leave the format out")
        return POSTGRESQL
    if output is None:
        return _choose_for_stream(name, is_terminal=is_terminal, shown=next(iter(texts.values()), "table"))
    endings = {**ENDINGS, **texts, **({"": next(iter(texts.values()))} if texts else {})}
    by_ending = endings.get(Path(output.stem).suffix.lower() if is_packed(output) else output.suffix.lower())
    if is_packed(output) and (name or by_ending or "csv") not in PACKABLE:
        raise InputError(f"{output}: {name or by_ending} cannot be packed with gzip; leave .gz out")
    if by_ending in DATABASES and name not in (None, by_ending):
        raise InputError(f"{output}: --format {name} would replace the database; leave the format out or change -o")
    chosen = name or by_ending
    if chosen is None:
        listed = ", ".join([*filter(None, endings), ".jsonl.gz", ".csv.gz"])
        if output.is_dir():
            raise InputError(f"{output}: is a folder; name a file in it that ends in one of {listed}")
        raise InputError(f"{output}: unknown file ending; name a format with --format, or use one of {listed}")
    return chosen


def is_packed(output: Path) -> bool:
    """Tell whether a file is to be packed with gzip, by its name."""
    return output.name.lower().endswith(PACKED)


def _choose_for_stream(name: str | None, *, is_terminal: bool, shown: str) -> str:
    if name in DATABASES:
        raise InputError(f"--format {name}: a database is a file; name one with -o")
    if name in ("parquet", "xlsx") and is_terminal:
        raise InputError(f"--format {name}: a terminal cannot show it; name a file with -o")
    return name or (shown if is_terminal else "jsonl")


def open_sink(
    name: str,
    output: Target | None = None,
    *,
    table: str | None = None,
    addition: Addition = PLAIN_ADDITION,
    stream: BinaryIO | None = None,
    wrapper: Wrapper | None = None,
    values_only: bool = False,
    drop_constant: bool = False,
) -> Sink:
    """Open a sink that writes this format to a file or a stream, by default standard output.

    With a wrapper it takes the extractions made by it, without one regions; failures in any case.  Close it as
    `contextlib.closing` does: what is not finished then leaves nothing behind.

    Where the regions of all pages make one table, `values_only` leaves out the columns for units and texts beside typed
    values, and `drop_constant` columns that are the same in all records.  `addition` is for PostgreSQL.
    """
    if table is not None and name not in DATABASES:
        raise InputError(f"--table {table}: {name} has no tables; name a database with -o")
    if isinstance(output, Path):
        check_place(output)
    stream = stream or sys.stdout.buffer
    place: str
    store: Callable[[RecordTable], None]
    if isinstance(output, Server):
        place, store = _find_server(output, table, addition)
    elif name in ("json", "jsonl"):
        return JsonSink(output, stream, is_array=name == "json")
    elif name == "table":
        from webquarry.storing.terminal_tables import TextTables  # noqa: PLC0415 - rich is slow to import

        return TextTables(output, stream, wrapper=wrapper)
    else:
        place, store = _find_database(name, output, table) if name in DATABASES else _find_file(name, output, stream)
    if wrapper is None:
        return TableSink(RegionTable(values_only=values_only, drop_constant=drop_constant), place, store)
    return TableSink(ExtractionTable(wrapper), place, store)


def _find_file(name: str, output: Path | None, stream: BinaryIO) -> tuple[str, Callable[[RecordTable], None]]:
    def store(table: RecordTable) -> None:
        write_pieces([_write_file(name, table)], output, stream)

    return str(output or "standard output"), store


def _write_file(name: str, table: RecordTable) -> bytes:
    if name == "xlsx":
        return to_xlsx(table.columns())
    if name == "parquet":
        return to_parquet(table.to_arrow())
    return to_csv(table.columns(), safe=name == SAFE_CSV)


def _find_database(name: str, output: Path | None, table: str | None) -> tuple[str, Callable[[RecordTable], None]]:
    if output is None:
        raise InputError("a database is a file; name one with -o")
    if name == "duckdb":
        from webquarry.storing.duckdb_store import append, check  # noqa: PLC0415 - slow to import
    else:
        from webquarry.storing.sqlite_store import append, check  # noqa: PLC0415
    table = check_table_name(output, table)
    check(output)
    return f"table {table} of {output}", partial(append, output, table)


def _find_server(server: Server, table: str | None, addition: Addition) -> tuple[str, Callable[[RecordTable], None]]:
    from webquarry.storing import postgres_store  # noqa: PLC0415 - slow to import

    table = check_table_name(server, table)
    postgres_store.check(server, table)
    return f"table {table} of {server}", partial(postgres_store.append, server, table, addition=addition)


class JsonSink(Pieces):
    """Writes an object for each page, with the error for one that failed, each on a line as soon as it is there."""

    def __init__(self, output: Path | None, stream: BinaryIO, *, is_array: bool) -> None:
        super().__init__(output, stream)
        self._place, self._is_array = output or "standard output", is_array
        self._pages = self._objects = 0
        if is_array:
            self.write(b"[\n")

    def objects_of(self, result: Any) -> Iterable[dict[str, Any]]:
        """Return the objects to write for the result of a page that did not fail."""
        return [result.to_dict()]

    def add(self, result: Storable) -> None:
        """Write the result of a page."""
        if isinstance(result, Failure):
            objects: Iterable[dict[str, Any]] = [{"page": result.page, "error": result.error}]
        else:
            objects = self.objects_of(result)
            self._pages += 1
        for each in objects:
            comma = "," if self._is_array and self._objects else ""
            self.write(f"{comma}{to_json(each)}\n".encode())
            self._objects += 1

    def finish(self) -> str:
        """Complete the file; say how many pages are in it."""
        if self._is_array:
            self.write(b"]\n")
        super().finish()
        return f"{count(self._pages, 'page')} in {self._place}"


def to_json(plain: Any) -> str:
    """Write a value as JSON on one line, with all characters escaped that a reader may treat as a line end.

    >>> to_json({"text": "one\\u2028two"})
    '{"text": "one\\\\u2028two"}'
    """
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False)
    return text if text.isascii() else whole(text).translate(_LINE_ENDS)


def to_csv(columns: Sequence[Column], *, safe: bool = False) -> bytes:
    """Write columns as CSV (RFC 4180, UTF-8), with a header row; absent values are empty.

    Values that a spreadsheet would take for a formula (`=`, `+`, `@`, `-`) stay as they are, because programs read the
    file too and changed values could not be trusted.  With `safe` they get an apostrophe, except numbers.
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file)  # its default dialect is RFC 4180: quotes where needed, lines end with CRLF
    rows = zip(*(_csv_values(column) for column in columns), strict=True)
    for row in chain([[column.name for column in columns]], rows):
        writer.writerow([_without_formula(cell) for cell in row] if safe else row)
    return file.getvalue().encode()


def _without_formula(cell: object) -> object:
    """Put an apostrophe before a text that a spreadsheet would run as a formula.

    >>> [_without_formula(cell) for cell in ("=1+1", "-5", "+49 170 1", "@sum", "a=b", -5.0)]
    ["'=1+1", '-5', "'+49 170 1", "'@sum", 'a=b', -5.0]
    """
    if isinstance(cell, str) and cell.startswith(_FORMULA_STARTS) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def _csv_values(column: Column) -> Sequence[object]:
    if column.kind == "number":
        return [_without_point(value) for value in column.values]
    if column.kind == "boolean":
        return [None if value is None else str(value).lower() for value in column.values]
    return column.values


def _without_point(value: object) -> object:
    """Turn whole floats into integers, as long as that is exact."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


def to_parquet(table: pa.Table) -> bytes:
    """Write a table as Parquet."""
    import pyarrow.parquet as pq  # noqa: PLC0415 - slow to import

    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd")
    return file.getvalue()


INSTALL = "pip install 'webquarry[excel]'"
MAX_ROWS = 1_048_576
MAX_COLUMNS = 16_384
MAX_CELL_CHARACTERS = 32_767
"""The limits of a worksheet, from Microsoft's page on specifications of Excel."""
FIRST_DAY = date(1900, 3, 1)
"""Earlier days are texts: Excel has none before 1900, and counts a 29 February of that year."""
_MAX_EXACT_INTEGER = 2**53  # larger integers are not all floats
_MIN_WIDTH, _MAX_WIDTH = 8, 60  # of a column, in characters
_ROWS_FOR_WIDTH = 200
_CREATED = datetime(2000, 1, 1, tzinfo=UTC)  # not the time of writing, so that equal results are equal files


def to_xlsx(columns: Sequence[Column]) -> bytes:
    """Write columns as a workbook of one sheet, with a header row that stays in view."""
    rows = len(columns[0].values) if columns else 0
    _check_size(columns, rows)
    writer = _load_writer()
    file = io.BytesIO()
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False, "in_memory": True}
    with writer.Workbook(file, plain) as book:
        book.set_properties({"created": _CREATED})
        bold = book.add_format({"bold": True})
        formats = {
            "date": book.add_format({"num_format": "yyyy-mm-dd"}),
            "timestamp": book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"}),
        }
        sheet = book.add_worksheet("records")
        for index, column in enumerate(columns):
            sheet.write_string(0, index, column.name, bold)
            sheet.set_column(index, index, _width(column))
            _write_column(sheet, index, column, formats.get(column.kind))
        sheet.freeze_panes(1, 0)
        if rows:
            sheet.autofilter(0, 0, rows, len(columns) - 1)
    return file.getvalue()


def _load_writer() -> Any:
    try:
        return import_module("xlsxwriter")
    except ImportError as error:
        raise InputError(f"Excel workbooks need a package that is not installed; get it with: {INSTALL}") from error


def _check_size(columns: Sequence[Column], rows: int) -> None:
    advice = "write .parquet or .csv instead"
    if rows + 1 > MAX_ROWS:
        raise InputError(f"a worksheet holds {MAX_ROWS - 1:,} records, and there are {rows:,}; {advice}")
    if len(columns) > MAX_COLUMNS:
        raise InputError(f"a worksheet holds {MAX_COLUMNS:,} columns, and there are {len(columns):,}; {advice}")
    for column in columns:
        for row, value in enumerate(column.values, 1):
            if isinstance(value, str) and len(value.encode("utf-16-le")) > 2 * MAX_CELL_CHARACTERS:
                raise InputError(
                    f"a cell of a worksheet holds {count(MAX_CELL_CHARACTERS, 'character')}, and column {column.name} "
                    f"of record {row} has {len(value):,}; {advice}"
                )


def _write_column(sheet: Any, index: int, column: Column, shown: Any) -> None:
    for row, value in enumerate(column.values, 1):
        if value is None:
            continue
        if isinstance(value, bool):
            sheet.write_boolean(row, index, value)
        elif isinstance(value, date) and _day(value) >= FIRST_DAY:
            sheet.write_datetime(row, index, _without_zone(value), shown)
        elif _is_exact(value):
            sheet.write_number(row, index, value)
        else:
            sheet.write_string(row, index, str(value))


def _day(value: date) -> date:
    return value.date() if isinstance(value, datetime) else value


def _without_zone(value: date) -> date:
    """Return a time in UTC, as Excel has no zones."""
    return value.astimezone(UTC).replace(tzinfo=None) if isinstance(value, datetime) and value.tzinfo else value


def _is_exact(value: object) -> bool:
    """Tell whether Excel, whose numbers are finite floats, can hold a value as a number."""
    return abs(value) <= _MAX_EXACT_INTEGER if isinstance(value, int) else isinstance(value, float) and isfinite(value)


def _width(column: Column) -> int:
    """Choose the width of a column by its first values."""
    shown = (len(str(value)) for value in column.values[:_ROWS_FOR_WIDTH] if value is not None)
    return min(max(len(column.name), _MIN_WIDTH, *shown, 0), _MAX_WIDTH)
