"""Where results go."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from webquarry.cli.options import UsageFault, complain, describe_fault, describe_refusal, folders_of
from webquarry.errors import InputError
from webquarry.fetching import inputs as fetch_inputs
from webquarry.model.page import Failure
from webquarry.storing.atomic_files import check_place, translated, write_whole
from webquarry.storing.result_names import ResultNames

if TYPE_CHECKING:
    from webquarry.model.document import Document
    from webquarry.model.page import Page


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
        if isinstance(result, Failure):
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


def write_result(path: Path, content: bytes, option: str) -> None:
    """Replace the file that an option names."""

    with translated(path, option):
        write_whole(path, content)


def names_many(inputs: list[str]) -> bool:
    """Whether inputs may name more than one page."""
    return (
        len(inputs) > 1
        or bool(folders_of(inputs))
        or any(named.endswith(fetch_inputs.WARC_ENDINGS) for named in inputs)
    )


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
