"""Send results to files, databases or standard output, and show progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from webquarry.cli.messages import complain, describe_fault, describe_refusal, remark, say
from webquarry.cli.options import ResultPlace, folders_of
from webquarry.cli.program import UsageFault
from webquarry.cli.stopping import STOPPER
from webquarry.errors import InputError, WebquarryError
from webquarry.fetching import inputs as fetch_inputs
from webquarry.html import urls
from webquarry.model import extraction as extractions, region as regions
from webquarry.model.page import Failure
from webquarry.model.wording import count
from webquarry.pipeline import page_guard
from webquarry.storing import formats, schema_growth
from webquarry.storing.result_files import ResultNames, check_place, write_whole

if TYPE_CHECKING:
    from rich.progress import Progress

    from webquarry.model.document import Document
    from webquarry.model.page import Page
    from webquarry.model.region import Storable
    from webquarry.storing.formats import Sink
    from webquarry.storing.result_files import Target

T = TypeVar("T")

SEVERAL_TABLES = ("table", "json", "jsonl")
"""Formats that can hold several tables for each page."""
NOTES_SHOWN = 5
"""Notes about pages that did not fail; the pages of a folder tend to share theirs."""


@dataclass
class Tally:
    """A counter of the pages of a run."""

    pages: int = 0
    """Pages that are finished, well or not."""
    failures: int = 0
    total: int | None = None
    """None while it is unknown."""

    def describe(self) -> str:
        """Say how far the run came.

        >>> Tally(890, 2, 1000).describe(), Tally(3, 0, None).describe()
        ('890 of 1,000 pages', '3 pages')
        """
        if self.total is None or self.pages > self.total:  # a listing may lead to further pages
            return count(self.pages, "page")
        return f"{self.pages:,} of {count(self.total, 'page')}"


class ResultSink:
    """Takes the results of a run for a file, a database or standard output, and keeps the exit code."""

    def __init__(self, sink: Sink, output: Target | None) -> None:
        self._sink, self._output = sink, output
        self.tally = Tally()
        self.exit_code = 0
        self._notes = 0
        self._has_told_of_links = False

    def note(self, page: str, message: str) -> None:
        """Report something odd about a page that did not fail; after the first few pages only with `--verbose`."""
        self._notes += 1
        text = f"{page.removesuffix(':')}: {message}"
        if self._notes > NOTES_SHOWN:
            remark(text)
        else:
            complain(text, 0)

    def write(self, result: Storable, nothing: str) -> None:
        """Take the result of a page; report a failure, or why an empty result has `nothing`, on standard error."""
        try:
            with self._holding():
                self._sink.add(result)
                self.tally.pages += 1
        except (WebquarryError, OSError):
            raise  # the output fails, not the page
        except Exception as error:
            if isinstance(result, Failure):
                raise
            self.write(Failure(result.page, f"{result.page}: {describe_fault(error)}"), nothing)
            return
        if isinstance(result, Failure):
            self.tally.failures += 1
            self.exit_code = complain(result.error, 1)
        elif not len(result):
            self.note(result.page, nothing)
        elif not self._has_told_of_links and (lost := _find_lost_link(result)):
            self._has_told_of_links = True
            advice = "give it with --base-url, or for several pages with --url-map"
            complain(f"{lost}: links that begin with / need the web address of their page; {advice}", 0)

    def finish(self) -> None:
        """Complete the output."""
        with self._holding():
            message = self._sink.finish()
        if self._notes > NOTES_SHOWN:
            complain(f"notes on {count(self._notes - NOTES_SHOWN, 'more page')}; --verbose shows all", 0)
        if message and self._output is not None:
            say(message)

    def finish_partial(self) -> None:
        """Complete the output of a run that is stopped with what is there."""
        if not self.tally.pages:
            return
        with self._holding():
            message = self._sink.finish()
            STOPPER.message = _describe_partial(self.tally, message if self._output is not None else None, self._output)

    def close(self) -> None:
        """Remove what is not finished."""
        self._sink.close()

    def _holding(self) -> AbstractContextManager[None]:
        """Let signals wait while a file or database is written; standard output may wait for a reader forever."""
        return STOPPER.hold() if self._output is not None else nullcontext()


def _find_lost_link(result: Storable) -> str | None:
    """Find a link of a saved page that begins with a slash, and so names a folder that this machine does not have."""
    if isinstance(result, extractions.Extraction):
        texts: Iterable[str | None] = (value.text for value in result.values)
    elif isinstance(result, regions.PageRegions):
        columns = (column for region in result.regions for column in region.columns if column.type == "link")
        texts = (text for column in columns for text in column.values[:1])
    else:
        return None
    links = (text for text in texts if text and text.startswith("file:///"))
    return next((link for link in links if not Path(*Path(urls.path_of(link)).parts[:2]).exists()), None)


def _describe_partial(tally: Tally, message: str | None, output: Target | None) -> str:
    return f"stopped after {tally.describe()}; partial result: {message or output or 'standard output'}"


def choose_output(place: ResultPlace, *, every: bool = False, texts: Mapping[str, str] | None = None) -> str:
    """Choose the format of results; raise if it does not go with the file or the table.

    `every` means several tables for each page; `texts` are further formats, as in `choose_format`.
    """
    output, table = place.target, place.table
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
            else f"--table {table}: {chosen} has no tables; name a .duckdb or .sqlite file, or a PostgreSQL database, "
            "with -o"
        )
    if place.safe_csv and chosen != "csv":
        raise UsageFault(f"--safe-csv is for CSV, not for {chosen}; leave it out, or choose --format csv")
    return formats.SAFE_CSV if place.safe_csv else chosen


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
        self._names = ResultNames(inputs, ending)
        self._content = content
        self._needed = needed
        self._written = 0
        self.tally = Tally()
        self.exit_code = 0

    def write(self, result: Document | Failure) -> None:
        """Write one result; report one that fails on standard error and go on."""
        if isinstance(result, Failure):
            self._fail(result.error)
        else:
            self._write(result)

    def finish(self) -> None:
        """Say how many files a folder got."""
        if self._is_folder and self._written:
            say(f"{count(self._written, 'file')} in {self._output}")

    def finish_partial(self) -> None:
        """Say that the output is partial."""
        if self.tally.pages and self._output is not None:
            STOPPER.message = _describe_partial(self.tally, None, self._output)

    def close(self) -> None:
        """Do nothing: there is nothing unfinished."""

    def _fail(self, error: str) -> None:
        self.tally.pages += 1
        self.tally.failures += 1
        self.exit_code = complain(error, 1)

    def _write(self, result: Document) -> None:
        if self._output is None and not self._needed:
            self.tally.pages += 1
            return
        if self.tally.pages > self.tally.failures and not self._is_folder:
            self._fail(f"{result.url}: a second page of the input is left out; name a folder for all with -o DIR")
            return
        try:
            with page_guard.page_limit(result.url):
                content = self._content(result)
            if self._output is None:
                sys.stdout.buffer.write(content)
                sys.stdout.buffer.flush()
                self.tally.pages += 1
            else:
                name = self._names.give(result.url) if self._is_folder else ""
                with STOPPER.hold():  # a stop between the two would miscount the files
                    write_whole(self._output / name, content)
                    self.tally.pages += 1
                    self._written += 1
        except BrokenPipeError:
            raise
        except WebquarryError as error:
            self._fail(str(error))
        except OSError as error:
            self._fail(describe_refusal(error))
        except Exception as error:  # noqa: BLE001 - one page must not stop the others
            self._fail(f"{result.url}: {describe_fault(error)}")


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
    return len(inputs) > 1 or bool(folders_of(inputs)) or any(map(fetch_inputs.may_hold_many, inputs))


def only_page(pages: Sequence[Page | Failure]) -> Page | Failure:
    """Return the one page for a picture; raise if there are several."""
    if len(pages) != 1:
        raise UsageFault(f"a picture shows one page, and there are {len(pages)}; name one")
    return pages[0]


class Kept(Protocol):
    """Output that a stopped run completes with what is there."""

    def finish(self) -> None:
        """Complete the output."""

    def finish_partial(self) -> None:
        """Complete the output of a run that is stopped."""

    def close(self) -> None:
        """Remove what is not finished."""


@contextmanager
def keeping(sink: Kept) -> Iterator[None]:
    """Complete the output at the end; if the run is stopped, write the results so far and say that they are partial."""
    with closing(sink):
        try:
            yield
        except KeyboardInterrupt:
            sink.finish_partial()
            raise
        sink.finish()


def hand_over(results: Iterable[T], take: Callable[[T], None]) -> None:
    """Take all results; then end the work behind them, such as downloads and a browser, even if the run is stopped."""
    try:
        for result in results:
            take(result)
    finally:
        close = getattr(results, "close", None)
        if close is not None:
            close()


def open_bar(*parts: str) -> Progress:
    """Make a progress bar on standard error of columns of `rich`, such as `Bar`, and of texts."""
    from rich import console, progress  # noqa: PLC0415 - slow to import

    columns = [
        kind() if (kind := getattr(progress, f"{part}Column", None)) else progress.TextColumn(part) for part in parts
    ]
    return progress.Progress(*columns, console=console.Console(stderr=True), transient=True, redirect_stdout=False)


@contextmanager
def show_progress(doing: str, tally: Tally | None = None) -> Iterator[Callable[[int, int | None], None]]:
    """Show a progress bar on standard error, if that is a terminal and there is more than one page.

    The tally learns the number of all pages, and tells how many failed.
    """
    tally = tally or Tally()
    if not sys.stderr.isatty():
        yield lambda _done, total: setattr(tally, "total", total)
        return
    parts = ("{task.description}", "Bar", "MofNComplete", "TimeElapsed", "elapsed,", "TimeRemaining")
    with open_bar(*parts, "left{task.fields[failed]}") as bar:
        task = bar.add_task(doing, total=None, visible=False, failed="")

        def update(done: int, total: int | None) -> None:
            tally.total = total
            failed = f", {tally.failures:,} failed" if tally.failures else ""
            bar.update(task, completed=done, total=total, visible=total != 1, failed=failed)

        yield update
