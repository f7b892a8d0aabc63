"""The formats of results, by name and by the ending of a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import BinaryIO, Protocol

from webquarry.errors import InputError
from webquarry.model.region import Storable
from webquarry.model.wrapper import Wrapper
from webquarry.storing.atomic_files import check_place, translated, write_whole
from webquarry.storing.result_files import JsonArray, JsonLines, to_csv, to_parquet
from webquarry.storing.results_table import Gathered, Gathering
from webquarry.storing.schema_growth import check_table_name


class Sink(Protocol):
    """Where the results of a run go."""

    def add(self, result: Storable) -> None:
        """Take the result of a page."""

    def finish(self) -> str | None:
        """Let the results be seen; gives back what there is to say about them."""

    def close(self) -> None:
        """Leave nothing of what is not finished."""


class _Together:
    """Gathers the records of all pages, and stores them together in the end."""

    def __init__(self, place: str, gathered: Gathering, store: Callable[[Gathering], None]) -> None:
        self._place, self._store = place, store
        self._gathered: Gathering = gathered

    def add(self, result: Storable) -> None:
        self._gathered.add(result)

    def finish(self) -> str:
        gathered = self._gathered
        if not gathered.records:
            return f"no records: nothing was written to {self._place}"
        self._store(gathered)
        return f"{_count(gathered.records, 'record')} of {_count(gathered.pages, 'page')} in {self._place}"

    def close(self) -> None:
        self._gathered = Gathered()


Writer = Callable[[Path | None, BinaryIO, str | None, Wrapper | None], Sink]


def _gathering(wrapper: Wrapper | None) -> Gathering:
    if wrapper is None:
        return Gathered()
    from webquarry.storing.extraction_table import Extracted  # noqa: PLC0415 - Arrow is slow to import

    return Extracted(wrapper)


def _text(output: Path | None, stream: BinaryIO, _table: str | None, wrapper: Wrapper | None) -> Sink:
    from webquarry.storing.terminal_tables import TextTables, to_outline  # noqa: PLC0415 - rich is slow to import

    return TextTables(output, stream, outline=None if wrapper is None else partial(to_outline, wrapper))


def _one_file(to_bytes: Callable[[Gathering], bytes]) -> Writer:
    def write(output: Path | None, stream: BinaryIO, _table: str | None, wrapper: Wrapper | None) -> Sink:
        def store(gathered: Gathering) -> None:
            content = to_bytes(gathered)
            if output is None:
                stream.write(content)
                stream.flush()
                return
            with translated(output):
                write_whole(output, content)

        return _Together(str(output or "standard output"), _gathering(wrapper), store)

    return write


def _duckdb(output: Path | None, _stream: BinaryIO, table: str | None, wrapper: Wrapper | None) -> Sink:
    from webquarry.storing import duckdb_store  # noqa: PLC0415 - slow to import

    return _database(duckdb_store.check, duckdb_store.append, output, table, wrapper)


def _sqlite(output: Path | None, _stream: BinaryIO, table: str | None, wrapper: Wrapper | None) -> Sink:
    from webquarry.storing import sqlite_store  # noqa: PLC0415 - slow to import

    return _database(sqlite_store.check, sqlite_store.append, output, table, wrapper)


def _database(
    check: Callable[[Path], None],
    append: Callable[[Path, str, Gathering], None],
    output: Path | None,
    table: str | None,
    wrapper: Wrapper | None,
) -> Sink:
    if output is None:
        raise InputError("a database is a file; name one with -o")
    name = check_table_name(output, table)
    check(output)
    return _Together(f"table {name} of {output}", _gathering(wrapper), partial(append, output, name))


FORMATS: dict[str, Writer] = {
    "table": _text,
    "json": lambda output, stream, *_: JsonArray(output, stream),
    "jsonl": lambda output, stream, *_: JsonLines(output, stream),
    "csv": _one_file(lambda gathered: to_csv(gathered.columns())),
    "parquet": _one_file(lambda gathered: to_parquet(gathered.to_arrow())),
    "duckdb": _duckdb,
    "sqlite": _sqlite,
}
DATABASES = ("duckdb", "sqlite")
ENDINGS = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
    ".duckdb": "duckdb",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".db": "sqlite",
}


def choose_format(
    output: Path | None, name: str | None, *, is_terminal: bool, texts: Mapping[str, str] | None = None
) -> str:
    """The format that is named, else that of the file's ending, else what suits standard output.

    `texts` are further formats by the endings of their files; of these the first suits a terminal, and a name
    without an ending is that of a folder for them.

    >>> choose_format(Path("offers.duckdb"), None, is_terminal=True), choose_format(None, None, is_terminal=False)
    ('duckdb', 'jsonl')
    """
    texts = texts or {}
    named = [*texts.values(), *FORMATS]
    if name is not None and name not in named:
        raise InputError(f"--format {name}: there is no such format; choose from {', '.join(named)}")
    if output is None:
        return _choose_for_stream(name, is_terminal=is_terminal, shown=next(iter(texts.values()), "table"))
    endings = {**ENDINGS, **texts, **({"": next(iter(texts.values()))} if texts else {})}
    by_ending = endings.get(output.suffix.lower())
    if by_ending in DATABASES and name not in (None, by_ending):
        raise InputError(f"{output}: --format {name} would replace the database; leave the format out or change -o")
    chosen = name or by_ending
    if chosen is None:
        known = ", ".join(filter(None, endings))
        raise InputError(f"{output}: its ending says no format; name one with --format, or end the file with {known}")
    return chosen


def _choose_for_stream(name: str | None, *, is_terminal: bool, shown: str) -> str:
    if name in DATABASES:
        raise InputError(f"--format {name}: a database is a file; name one with -o")
    if name == "parquet" and is_terminal:
        raise InputError("--format parquet: a terminal cannot show it; name a file with -o")
    return name or (shown if is_terminal else "jsonl")


def open_sink(
    name: str,
    output: Path | None = None,
    *,
    table: str | None = None,
    stream: BinaryIO | None = None,
    wrapper: Wrapper | None = None,
) -> Sink:
    """Where results in the format of this name go: a file, or a stream, by default standard output.

    With a wrapper it takes the extractions that were made by it, without one regions; failures in any case.
    Close it when it is no longer needed, as `contextlib.closing` does: what was not finished then leaves nothing.
    """
    if table is not None and name not in DATABASES:
        raise InputError(f"--table {table}: {name} has no tables; name a .duckdb or .sqlite file with -o")
    if output is not None:
        check_place(output)
    return FORMATS[name](output, stream or sys.stdout.buffer, table, wrapper)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
