"""Send results to files, databases or standard output, and show progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from webquarry.cli.options import ResultPlace, folders_of
from webquarry.cli.program import UsageFault, complain, describe_fault, describe_refusal
from webquarry.errors import InputError, WebquarryError
from webquarry.fetching import inputs as fetch_inputs
from webquarry.model.page import Failure
from webquarry.storing import formats, schema_growth
from webquarry.storing.atomic_files import check_place, write_whole
from webquarry.storing.result_names import ResultNames

if TYPE_CHECKING:
    from webquarry.model.document import Document
    from webquarry.model.page import Page
    from webquarry.model.region import Storable
    from webquarry.storing.formats import Sink

SEVERAL_TABLES = ("table", "json", "jsonl")
"""Formats that can hold several tables for each page."""


class ResultSink:
    """Takes the results of a run for a file, a database or standard output, and keeps the exit code."""

    def __init__(self, sink: Sink, output: Path | None) -> None:
        self._sink, self._is_file = sink, output is not None
        self.exit_code = 0

    def write(self, result: Storable, nothing: str) -> None:
        """Take the result of a page; report a failure, or why an empty result has `nothing`, on standard error."""
        if isinstance(result, Failure):
            self.exit_code = complain(result.error, 1)
        elif not len(result):
            complain(f"{result.page.removesuffix(':')}: {nothing}", 0)
        try:
            self._sink.add(result)
        except (WebquarryError, OSError):
            raise  # the output fails, not the page
        except Exception as error:
            if isinstance(result, Failure):
                raise
            self.write(Failure(result.page, f"{result.page}: {describe_fault(error)}"), nothing)

    def finish(self) -> None:
        """Complete the output."""
        message = self._sink.finish()
        if message and self._is_file:
            typer.echo(message, err=True)

    def close(self) -> None:
        """Remove what is not finished."""
        self._sink.close()


def choose_output(place: ResultPlace, *, every: bool = False, texts: Mapping[str, str] | None = None) -> str:
    """Choose the format of results; raise if it does not go with the file or the table.

    `every` means several tables for each page; `texts` are further formats, as in `choose_format`.
    """
    output, table = place.file, place.table
    try:
        chosen = formats.choose_format(output, place.format, is_terminal=sys.stdout.isatty(), texts=texts)
        if output is not None and table is not None:
            schema_growth.check_table_name(output, table)
    except InputError as error:
        raise UsageFault(str(error)) from error
    if every and chosen not in SEVERAL_TABLES:
        raise UsageFault(
            f"--all gives several tables for each page, but {chosen} holds one; choose a region with --region, "
            f"or one of {', '.join(SEVERAL_TABLES)} with --format"
        )
    if (chosen in formats.DATABASES) != (table is not None):
        raise UsageFault(
            f"{output} is a database; name the table to add to with --table"
            if table is None
            else f"--table {table}: {chosen} has no tables; name a .duckdb or .sqlite file with -o"
        )
    return chosen


class PageSink:
    """Writes one result for each page to standard output, to a file, or to a file in a folder."""

    def __init__(
        self,
        output: Path | None,
        inputs: list[str],
        ending: str,
        content: Callable[[Document], bytes],
        *,
        needed: bool = True,
    ) -> None:
        """`content` makes what is written of a document; if not `needed`, nothing is written without `-o`."""
        many = names_many(inputs)
        if many and output is None and needed:
            raise UsageFault("several pages: name a folder for the results with -o DIR")
        if many and output is not None and (output.is_file() or output.suffix == ending):
            raise UsageFault(f"several pages do not go into one file; name a folder instead of {output}")
        self._output = output
        self._is_folder = output is not None and (many or output.is_dir())
        self._names = ResultNames(folders_of(inputs), ending)
        self._content = content
        self._needed = needed
        self.exit_code = 0

    def write(self, result: Document | Failure) -> None:
        """Write one result; report one that fails on standard error and go on."""
        if isinstance(result, Failure):
            self.exit_code = complain(result.error, 1)
            return
        if self._output is None and not self._needed:
            return
        try:
            content = self._content(result)
            if self._output is None:
                sys.stdout.buffer.write(content)
                sys.stdout.buffer.flush()
            else:
                name = self._names.give(result.url) if self._is_folder else ""
                write_whole(self._output / name, content)
        except BrokenPipeError:
            raise
        except InputError as error:
            self.exit_code = complain(str(error), 1)
        except OSError as error:
            self.exit_code = complain(describe_refusal(error), 1)
        except Exception as error:  # noqa: BLE001 - one page must not stop the others
            self.exit_code = complain(f"{result.url}: {describe_fault(error)}", 1)


class PictureSink:
    """Keeps the pictures of a page, to be written after the results, which must not wait for a full disk."""

    def __init__(self, places: Mapping[str, Path | None]) -> None:
        """Take the file of each option; raise if one clearly cannot be written."""
        self._places = {option: place for option, place in places.items() if place is not None}
        self.pictures: Mapping[str, bytes] = {}
        """The picture for each option."""
        for option, place in self._places.items():
            check_place(place, option)

    def write(self) -> None:
        """Write the pictures that have a file."""
        for option, place in self._places.items():
            if option in self.pictures:
                write_whole(place, self.pictures[option], option)


def names_many(inputs: list[str]) -> bool:
    """Tell whether inputs may name more than one page."""
    archives = fetch_inputs.WARC_ENDINGS
    return len(inputs) > 1 or bool(folders_of(inputs)) or any(named.endswith(archives) for named in inputs)


def only_page(pages: Sequence[Page | Failure]) -> Page | Failure:
    """Return the one page for a picture; raise if there are several."""
    if len(pages) != 1:
        raise UsageFault(f"a picture shows one page, and there are {len(pages)}; name one")
    return pages[0]


@contextmanager
def show_progress(doing: str) -> Iterator[Callable[[int, int | None], None]]:
    """Show a progress bar on standard error, if that is a terminal and there is more than one page."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console  # noqa: PLC0415 - slow to import
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(doing, total=None, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=total != 1)
