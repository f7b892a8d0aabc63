"""Where results go."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from webquarry.cli.options import Knobs, ResultPlace, UsageFault, complain, describe_fault, describe_refusal, folders_of
from webquarry.errors import InputError, WebquarryError

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from webquarry.model import Document, Failure, Page, Wrapper
    from webquarry.model.region import Storable
    from webquarry.storing.formats import Sink

MANY_TABLES = ("table", "json", "jsonl")
DATABASES = ("duckdb", "sqlite")
ARCHIVES = (".warc", ".warc.gz")


class PageSink:
    """Where the results of a run go: standard output, one file, or a folder with a file for each page."""

    def __init__(
        self,
        output: Path | None,
        inputs: list[str],
        ending: str,
        content: Callable[[Document], bytes],
        *,
        needed: bool = True,
    ) -> None:
        """`content` gives what is written of a document; unless it is needed, no `-o` means that nothing is."""
        from webquarry.storing.result_names import ResultNames  # noqa: PLC0415

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
        """Write one result; one that fails is a line on standard error, and the others go on."""
        if not is_document(result):
            self.exit_code = complain(result.error, 1)
            return
        if self._output is None and not self._needed:
            return
        try:
            self._put(result.url, self._content(result))
        except BrokenPipeError:
            raise
        except InputError as error:
            self.exit_code = complain(str(error), 1)
        except OSError as error:
            self.exit_code = complain(describe_refusal(error), 1)
        except Exception as error:  # noqa: BLE001 - one page must not stop the others
            self.exit_code = complain(f"{result.url}: {describe_fault(error)}", 1)

    def _put(self, url: str, content: bytes) -> None:
        if self._output is None:
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
        else:
            write_result(self._output / self._names.give(url) if self._is_folder else self._output, content, "-o")


def only_page(pages: Sequence[Page | Failure]) -> Page | Failure:
    """The one page that a picture shows."""
    if len(pages) != 1:
        raise UsageFault(f"a picture shows one page, and there are {len(pages)}; name one")
    return pages[0]


class PictureSink:
    """Where the pictures of a page go: each to the file that its option names."""

    def __init__(self, places: Mapping[str, Path | None]) -> None:
        """Raise what keeps the pictures from being written, before there are any."""
        from webquarry.storing.atomic_files import check_place  # noqa: PLC0415

        self._places = {option: place for option, place in places.items() if place is not None}
        self._pictures: Mapping[str, bytes] = {}
        for option, place in self._places.items():
            check_place(place, option)

    def take(self, pictures: Mapping[str, bytes]) -> None:
        """Keep the picture for each option, to be written after the results: those must not wait for a full disk."""
        self._pictures = pictures

    def write(self) -> None:
        """Write those that have a place."""
        for option, place in self._places.items():
            if option in self._pictures:
                write_result(place, self._pictures[option], option)


class ResultSink:
    """Where the results of a run go, in the format that is named, that of the file, or what suits standard output."""

    def __init__(self, sink: Sink, output: Path | None) -> None:
        self._sink = sink
        self._is_file = output is not None
        self.exit_code = 0

    @classmethod
    def open(cls, place: ResultPlace, *, every: bool = False, wrapper: Wrapper | None = None) -> ResultSink:
        """`every` says that pages have more than one region each, `wrapper` that results are its extractions."""
        from webquarry.storing.formats import open_sink  # noqa: PLC0415

        chosen = choose_output(place, every=every)
        return cls(open_sink(chosen, place.file, table=place.table, wrapper=wrapper), place.file)

    def write(self, result: Storable, nothing: str) -> None:
        """Take the result of a page; a failure, or that there is nothing and why, is a line on standard error too."""
        from webquarry.model import Failure  # noqa: PLC0415

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
    from webquarry.storing.formats import choose_format  # noqa: PLC0415
    from webquarry.storing.schema_growth import check_table_name  # noqa: PLC0415

    output, table = place.file, place.table
    try:
        chosen = choose_format(output, place.format, is_terminal=sys.stdout.isatty(), texts=texts)
        if output is not None and table is not None:
            check_table_name(output, table)
    except InputError as error:
        raise UsageFault(str(error)) from error
    if every and chosen not in MANY_TABLES:
        raise UsageFault(
            f"--all gives several tables for each page, and {chosen} holds one: choose a region with --region, "
            f"or one of {', '.join(MANY_TABLES)} with --format"
        )
    if (chosen in DATABASES) != (table is not None):
        raise UsageFault(
            f"{output} is a database: name the table to add to with --table"
            if table is None
            else f"--table {table}: {chosen} has no tables; name a .duckdb or .sqlite file with -o"
        )
    return chosen


def write_result(path: Path, content: bytes, option: str) -> None:
    """Replace the file that an option names."""
    from webquarry.storing.atomic_files import translated, write_whole  # noqa: PLC0415

    with translated(path, option):
        write_whole(path, content)


def names_many(inputs: list[str]) -> bool:
    """Whether inputs may name more than one page."""
    return len(inputs) > 1 or bool(folders_of(inputs)) or any(named.endswith(ARCHIVES) for named in inputs)


def is_document(result: Document | Failure) -> TypeIs[Document]:
    """Whether a page gave a result."""
    from webquarry.model import Document  # noqa: PLC0415

    return isinstance(result, Document)


# MERGED cli/progress: How far the work is, on standard error.
@contextmanager
def show_progress(doing: str) -> Iterator[Callable[[int, int | None], None]]:
    """A bar on standard error, when that is a terminal and there is more than one page."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console  # noqa: PLC0415 - slow to import
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(doing, total=None, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=total != 1)


# MERGED cli/browsing: Pages with a browser or without: whether there is one, and what pages on disk may use
def check_static(*, render: bool | None, scripts: bool) -> None:
    """Raise when pages are to be read without a browser, and what runs in one is asked for."""
    if scripts and render is False:
        raise UsageFault("--scripts run in a browser; leave --static out")


def is_rendered(*, render: bool | None, scripts: bool, browser: str | None) -> bool:
    """Whether pages are rendered; raises when that takes a browser, and there is none."""
    if not (render or scripts):
        return False
    from webquarry.rendering.browser import require_browser  # noqa: PLC0415 - help and usage errors need no stages

    require_browser(browser)
    return True


def has_browser(named: str | None, *, needed: bool) -> bool:
    """Whether there is a browser; when there is none and none is needed, one line says how to get it."""
    from webquarry.rendering.browser import ADVICE, find_browser, require_browser  # noqa: PLC0415

    if needed:
        require_browser(named)
    found = find_browser(named) is not None
    if not found:
        complain(f"no browser was found, so pages are read by their markup alone, which finds less; {ADVICE}", 0)
    return found


def with_web_roots(knobs: Knobs, folders: Iterable[Path]) -> Knobs:
    """The knobs of rendering with the web roots of folders, which count after those that `--root` names."""
    from webquarry.rendering.requests import find_web_root  # noqa: PLC0415

    return {**knobs, "roots": [*knobs["roots"], *map(find_web_root, folders)]}


def open_pages(
    pages: Iterable[Page | Failure], folders: Iterable[Path], knobs: Knobs, policy: Knobs, *, rendered: bool
) -> Iterator[Document | Failure]:
    """The documents of pages, of which those on disk were named by these folders."""
    from webquarry import pipeline  # noqa: PLC0415

    if not rendered:
        return pipeline.clean_all(pages)
    return pipeline.render_all(pages, **with_web_roots(knobs, folders), **policy)
