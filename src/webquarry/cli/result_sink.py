"""Send the results of a run to a file, a database or standard output."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from webquarry.cli.options import ResultPlace, UsageFault, complain, describe_fault
from webquarry.errors import InputError, WebquarryError
from webquarry.model.page import Failure
from webquarry.storing import formats, schema_growth

if TYPE_CHECKING:
    from webquarry.model.region import Storable
    from webquarry.model.wrapper import Wrapper
    from webquarry.storing.formats import Sink

MANY_TABLES = ("table", "json", "jsonl")


class ResultSink:
    """Where the results of a run go, in the format that is named, that of the file, or what suits standard output."""

    def __init__(self, sink: Sink, output: Path | None) -> None:
        self._sink = sink
        self._is_file = output is not None
        self.exit_code = 0

    @classmethod
    def open(cls, place: ResultPlace, *, every: bool = False, wrapper: Wrapper | None = None) -> ResultSink:
        """`every` says that pages have more than one region each, `wrapper` that results are its extractions."""

        chosen = choose_output(place, every=every)
        return cls(formats.open_sink(chosen, place.file, table=place.table, wrapper=wrapper), place.file)

    def write(self, result: Storable, nothing: str) -> None:
        """Take the result of a page; a failure, or that there is nothing and why, is a line on standard error too."""

        if isinstance(result, Failure):
            self.exit_code = complain(result.error, 1)
        elif not len(result):
            complain(f"{result.page.removesuffix(':')}: {nothing}", 0)
        try:
            self._sink.add(result)
        except (WebquarryError, OSError):
            raise  # the place of the results fails, not the page
        except Exception as error:
            if isinstance(result, Failure):
                raise
            self.write(Failure(result.page, f"{result.page}: {describe_fault(error)}"), nothing)

    def finish(self) -> None:
        """Let the results be seen."""
        told = self._sink.finish()
        if told and self._is_file:
            typer.echo(told, err=True)

    def close(self) -> None:
        """Leave nothing of what is not finished."""
        self._sink.close()


def choose_output(place: ResultPlace, *, every: bool = False, texts: Mapping[str, str] | None = None) -> str:
    """The name of the format for results, which must go with the file and the table.

    `every` says that there are several tables for each page; `texts` are further formats, as of `choose_format`.
    """

    output, table = place.file, place.table
    try:
        chosen = formats.choose_format(output, place.format, is_terminal=sys.stdout.isatty(), texts=texts)
        if output is not None and table is not None:
            schema_growth.check_table_name(output, table)
    except InputError as error:
        raise UsageFault(str(error)) from error
    if every and chosen not in MANY_TABLES:
        raise UsageFault(
            f"--all gives several tables for each page, and {chosen} holds one: choose a region with --region, "
            f"or one of {', '.join(MANY_TABLES)} with --format"
        )
    if (chosen in formats.DATABASES) != (table is not None):
        raise UsageFault(
            f"{output} is a database: name the table to add to with --table"
            if table is None
            else f"--table {table}: {chosen} has no tables; name a .duckdb or .sqlite file with -o"
        )
    return chosen
