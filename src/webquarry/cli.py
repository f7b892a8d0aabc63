"""The command line: flags to calls, results to files or standard output, errors to one line each."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from typer.exceptions import TyperException

from webquarry.errors import WebquarryError

if TYPE_CHECKING:
    from webquarry.model import Document, Failure

INTERRUPTED = 130  # what shells report for Ctrl-C

app = typer.Typer(
    name="quarry",
    help="Give it web pages and get tables that you can query.",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT...",
        help="Files (.html, .htm, .xhtml, .mhtml, .warc, also .gz), folders, http(s) addresses, or - (standard input).",
        show_default=False,
    ),
]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", help="A file, or a folder for the results of many pages.")
]
Offline = Annotated[bool, typer.Option("--offline", help="Take pages from the cache alone.")]
Refresh = Annotated[bool, typer.Option("--refresh", help="Ask servers again, whatever the cache has.")]
Cache = Annotated[Path | None, typer.Option("--cache", metavar="DIR", help="The folder of the cache.")]
UserAgent = Annotated[str | None, typer.Option("--user-agent", help="How to introduce ourselves to servers.")]
Header = Annotated[
    list[str] | None, typer.Option("--header", metavar="'NAME: VALUE'", help="A header to send; may be repeated.")
]
AllowPrivate = Annotated[bool, typer.Option("--allow-private", help="Fetch from loopback and private networks too.")]
IgnoreRobots = Annotated[bool, typer.Option("--ignore-robots", help="Fetch what robots.txt disallows.")]


class UsageFault(TyperException):
    """The command line makes no sense."""

    exit_code = 2


def main() -> NoReturn:
    """Run `quarry`: no traceback, whatever happens."""
    try:
        code = app(standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except TyperException as error:
        code = _complain(f"{error.format_message()} (see quarry --help)", error.exit_code)
    except WebquarryError as error:
        code = _complain(str(error), 1)
    except BrokenPipeError:
        _silence_standard_output()
        code = 1
    except OSError as error:
        code = _complain(f"{error.filename or 'standard output'}: {error.strerror or error}", 1)
    except Exception as error:  # the last net: a fault of ours is one line too
        logging.getLogger("webquarry").debug("", exc_info=error)
        code = _complain(f"internal error, please report it: {type(error).__name__}: {error}", 1)
    if code == INTERRUPTED:
        _complain("stopped", code)
    sys.exit(code or 0)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415 - slow to import

        typer.echo(f"quarry {version('webquarry')}")
        raise typer.Exit


@app.callback()
def start(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback acts
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_show_version)
    ] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Say more on standard error.")] = False,
) -> None:
    """Give it web pages and get tables that you can query."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("quarry: %(levelname)s: %(message)s"))
    logging.getLogger("webquarry").handlers = [handler]
    logging.getLogger("webquarry").setLevel(logging.DEBUG if verbose else logging.WARNING)


@app.command(epilog="Example: quarry clean listing.html -o listing.xhtml")
def clean(
    inputs: Inputs,
    *,
    method: Annotated[str, typer.Option("--method", help="html5 (as browsers read it) or cleandom.")] = "html5",
    output: Output = None,
    offline: Offline = False,
    refresh: Refresh = False,
    cache: Cache = None,
    user_agent: UserAgent = None,
    header: Header = None,
    allow_private: AllowPrivate = False,
    ignore_robots: IgnoreRobots = False,
) -> int:
    """Write pages as XHTML that every XML reader accepts."""
    from webquarry import pipeline  # noqa: PLC0415 - help and usage errors need no stages

    if method not in pipeline.CLEANERS:
        raise typer.BadParameter(f"choose from {', '.join(pipeline.CLEANERS)}", param_hint="--method")
    if offline and refresh:
        raise UsageFault("--offline and --refresh exclude each other")
    policy = {
        "offline": offline,
        "refresh": refresh,
        "cache": cache,
        "user_agent": user_agent,
        "headers": _headers(header),
        "allow_private": allow_private,
        "ignore_robots": ignore_robots,
    }
    sink = _Sink(output, inputs)
    with _progress("cleaning") as progress:
        pages = pipeline.fetch_all(inputs, progress=progress, **policy)
        for result in pipeline.clean_all(pages, method=method):
            sink.write(result)
    return sink.exit_code


@app.command(epilog="Example: quarry doctor --clear-cache")
def doctor(
    cache: Cache = None,
    clear_cache: Annotated[bool, typer.Option("--clear-cache", help="Delete all cached pages.")] = False,
) -> int:
    """Show versions, browser and caches, and what is missing."""
    from webquarry.doctor import examine  # noqa: PLC0415

    return examine(cache, clear=clear_cache)


@app.command(epilog="Example: quarry demo results")
def demo(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where the results go.")] = Path("quarry-demo"),
) -> int:
    """Show what webquarry does on its own example pages, offline."""
    from webquarry.demo import show  # noqa: PLC0415

    return show(folder)


class _Sink:
    """Where the results of a run go: standard output, one file, or a folder with a file for each page."""

    def __init__(self, output: Path | None, inputs: list[str]) -> None:
        from webquarry.storing import ResultNames  # noqa: PLC0415

        folders = [Path(named) for named in inputs if named and Path(named).is_dir()]
        many = len(inputs) > 1 or bool(folders) or any(named.endswith((".warc", ".warc.gz")) for named in inputs)
        if many and output is None:
            raise UsageFault("several pages: name a folder for the results with -o DIR")
        if many and output is not None and (output.is_file() or output.suffix == ".xhtml"):
            raise UsageFault(f"several pages do not go into one file; name a folder instead of {output}")
        self._output = output
        self._is_folder = output is not None and (many or output.is_dir())
        self._names = ResultNames(folders, ".xhtml")
        self.exit_code = 0

    def write(self, result: Document | Failure) -> None:
        """Write one result; one that fails is a line on standard error, and the others go on."""
        from webquarry.model import Failure  # noqa: PLC0415

        if isinstance(result, Failure):
            self.exit_code = _complain(result.error, 1)
            return
        try:
            self._put(result.url, result.to_xhtml().encode() + b"\n")
        except BrokenPipeError:
            raise
        except OSError as error:
            self.exit_code = _complain(
                f"{error.filename or self._output or 'standard output'}: {error.strerror or error}", 1
            )
        except Exception as error:  # noqa: BLE001 - one page must not stop the others
            message = f"{result.url}: internal error, please report it: {type(error).__name__}: {error}"
            self.exit_code = _complain(message, 1)

    def _put(self, url: str, content: bytes) -> None:
        from webquarry.storing import write_whole  # noqa: PLC0415

        if self._output is None:
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
        else:
            write_whole(self._output / self._names.give(url) if self._is_folder else self._output, content)


@contextmanager
def _progress(doing: str) -> Iterator[Callable[[int, int | None], None]]:
    """A bar on standard error, when that is a terminal and there is more than one page."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(doing, total=None, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=total != 1)


def _headers(given: list[str] | None) -> tuple[tuple[str, str], ...]:
    headers = []
    for header in given or []:
        name, colon, value = header.partition(":")
        if not colon or not name.strip():
            raise typer.BadParameter(f"{header!r} is not of the form 'Name: value'", param_hint="--header")
        headers.append((name.strip(), value.strip()))
    return tuple(headers)


def _complain(message: str, code: int) -> int:
    """Say what went wrong in one line and give the exit code for it."""
    typer.echo(f"quarry: {' '.join(message.split())}", err=True)
    return code


def _silence_standard_output() -> None:
    """Keep Python from complaining at exit that the reader of our output has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
