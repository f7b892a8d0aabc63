"""The command line: flags to calls, results to files or standard output, errors to one line each."""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.exceptions import TyperException

from webquarry.errors import WebquarryError

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from webquarry.model import Document, Failure, Page

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
    policy = _policy(
        offline=offline,
        refresh=refresh,
        cache=cache,
        user_agent=user_agent,
        header=header,
        allow_private=allow_private,
        ignore_robots=ignore_robots,
    )
    sink = _Sink(output, inputs, ".xhtml", lambda document: document.to_xhtml().encode() + b"\n")
    with _progress("cleaning") as progress:
        pages = pipeline.fetch_all(inputs, progress=progress, **policy)
        for result in pipeline.clean_all(pages, method=method):
            sink.write(result)
    return sink.exit_code


@app.command(epilog="Example: quarry render listing.html --picture boxes.png --tag td")
def render(
    inputs: Inputs,
    *,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help="Write a picture of the page.")] = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE", help="Write a picture with the boxes of --tag.")
    ] = None,
    tag: Annotated[str | None, typer.Option("--tag", metavar="TAG", help="The elements to draw, such as td.")] = None,
    scripts: Annotated[bool, typer.Option("--scripts", help="Let the scripts of pages run.")] = False,
    wait_for: Annotated[
        str | None, typer.Option("--wait-for", metavar="CSS", help="With --scripts: wait until something matches.")
    ] = None,
    browser: Annotated[str | None, typer.Option("--browser", metavar="PATH", help="The browser to use.")] = None,
    width: Annotated[int, typer.Option("--width", min=1, max=16_000, help="Of the window, in CSS pixels.")] = 1366,
    root: Annotated[
        list[Path] | None,
        typer.Option("--root", metavar="DIR", help="A folder whose files pages below it may use; may be repeated."),
    ] = None,
    output: Output = None,
    offline: Offline = False,
    refresh: Refresh = False,
    cache: Cache = None,
    user_agent: UserAgent = None,
    header: Header = None,
    allow_private: AllowPrivate = False,
    ignore_robots: IgnoreRobots = False,
) -> int:
    """Lay pages out as a browser does: size, nodes, boxes, styles, pictures."""
    if wait_for is not None and not scripts:
        raise UsageFault("--wait-for waits for what scripts make; give --scripts too")
    if (picture is None) != (tag is None):
        raise UsageFault("--picture and --tag go together: the file, and whose boxes to draw in it")
    from webquarry import pipeline  # noqa: PLC0415
    from webquarry.rendering import describe  # noqa: PLC0415

    policy = _policy(
        offline=offline,
        refresh=refresh,
        cache=cache,
        user_agent=user_agent,
        header=header,
        allow_private=allow_private,
        ignore_robots=ignore_robots,
    )
    roots = [*(root or []), *(Path(named) for named in inputs if Path(named).is_dir())]
    knobs = {"scripts": scripts, "wait_for": wait_for, "browser": browser, "width": width, "roots": roots, **policy}
    sink = _Sink(
        output,
        inputs,
        ".json",
        lambda document: json.dumps(describe(document), ensure_ascii=False).encode() + b"\n",
        needed=False,
    )
    seconds: dict[str, float] = {}
    with _progress("rendering") as progress:
        pages = pipeline.fetch_all(inputs, progress=progress, **policy)
        if png is not None or picture is not None:
            results = _pictured(list(pages), seconds, knobs, png=png, picture=picture, tag=tag)
        else:
            results = pipeline.render_all(pages, timing=seconds.__setitem__, **knobs)
        for result in results:
            if _is_document(result):
                typer.echo(_summary(result, seconds.get(result.url, 0.0)))
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
        from webquarry.storing import ResultNames  # noqa: PLC0415

        folders = [Path(named) for named in inputs if named and Path(named).is_dir()]
        many = len(inputs) > 1 or bool(folders) or any(named.endswith((".warc", ".warc.gz")) for named in inputs)
        if many and output is None and needed:
            raise UsageFault("several pages: name a folder for the results with -o DIR")
        if many and output is not None and (output.is_file() or output.suffix == ending):
            raise UsageFault(f"several pages do not go into one file; name a folder instead of {output}")
        self._output = output
        self._is_folder = output is not None and (many or output.is_dir())
        self._names = ResultNames(folders, ending)
        self._content = content
        self._needed = needed
        self.exit_code = 0

    def write(self, result: Document | Failure) -> None:
        """Write one result; one that fails is a line on standard error, and the others go on."""
        if not _is_document(result):
            self.exit_code = _complain(result.error, 1)
            return
        if self._output is None and not self._needed:
            return
        try:
            self._put(result.url, self._content(result))
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


def _is_document(result: Document | Failure) -> TypeIs[Document]:
    from webquarry.model import Document  # noqa: PLC0415

    return isinstance(result, Document)


def _pictured(
    pages: list[Page | Failure],
    seconds: dict[str, float],
    knobs: dict[str, Any],
    *,
    png: Path | None,
    picture: Path | None,
    tag: str | None,
) -> Iterator[Document | Failure]:
    """The one page, rendered, and its pictures written."""
    from webquarry.model import Failure  # noqa: PLC0415
    from webquarry.pipeline import shoot  # noqa: PLC0415
    from webquarry.storing import write_whole  # noqa: PLC0415

    if len(pages) != 1:
        raise UsageFault(f"a picture shows one page, and there are {len(pages)}; name one")
    page = pages[0]
    if isinstance(page, Failure):
        yield page
        return
    start = time.monotonic()
    document, pictures = shoot(page, tags=[tag] if tag else [], **knobs)
    seconds[page.url] = time.monotonic() - start
    for path, content in ((png, pictures[0]), (picture, pictures[-1])):
        if path is not None:
            write_whole(path, content)
    yield document


def _summary(document: Document, seconds: float) -> str:
    """What there is to say of a rendered page, in one line."""
    layout = document.layout
    size = f"{layout.width} x {layout.height} px" if layout else "not rendered"
    visible = int(layout.visible.sum()) if layout else 0
    return f"{document.url}: {size}, {len(document)} nodes, {visible} visible, {seconds:.2f} s"


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


def _policy(
    *,
    offline: bool,
    refresh: bool,
    cache: Path | None,
    user_agent: str | None,
    header: list[str] | None,
    allow_private: bool,
    ignore_robots: bool,
) -> dict[str, Any]:
    """The knobs of fetching, from the options that all fetching commands share."""
    if offline and refresh:
        raise UsageFault("--offline and --refresh exclude each other")
    return {
        "offline": offline,
        "refresh": refresh,
        "cache": cache,
        "user_agent": user_agent,
        "headers": _headers(header),
        "allow_private": allow_private,
        "ignore_robots": ignore_robots,
    }


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
