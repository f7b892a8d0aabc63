"""Run `quarry`: load its commands lazily, handle signals, and report errors on one line each."""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import FrameType, ModuleType
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command

from webquarry.errors import QueryError, WebquarryError, WrapperError
from webquarry.model.names import printable, printable_line

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
"""Sent by Ctrl-C, by `kill` and `timeout`, and when the terminal closes; not every system has all of them."""
PATIENCE = 5.0
"""Seconds in which further signals are ignored: they would interrupt the cleaning up of files and browsers."""
COMMANDS = {
    "clean": "Write pages as XHTML that every XML reader accepts.",
    "render": "Render pages in a browser: size, boxes, styles, pictures.",
    "mine": "Find the records on pages and write them as tables.",
    "read": "Read the main text of pages.",
    "wrap": "Learn a wrapper from sample pages of a source.",
    "correct": "Correct a wrapper by one step, and show the changes.",
    "check": "List the mistakes in a wrapper file, and what pages lack.",
    "extract": "Extract records from pages by a wrapper; without INPUT from all pages of its index.",
    "validate": "Find what looks wrong in an extraction, and why.",
    "sql": "Query a catalog of wrappers in SQL; fetch only the pages that the query needs.",
    "doctor": "Show versions, browser and cache, and what is missing.",
    "demo": "Show what webquarry does on its own example pages, offline.",
}
"""The commands.  Command `x` is the function `x` in `webquarry.cli.x`, with an `EXAMPLE` for its help."""


class _LazyFinder(MetaPathFinder):
    """Finds modules of webquarry other than commands, to be loaded when an attribute is first used."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module; `from package import module` in a command stays lazy, `from module import name` does not."""
        if not fullname.startswith("webquarry.") or fullname.startswith("webquarry.cli"):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec


@contextmanager
def _lazy_stages() -> Iterator[None]:
    """Import stages lazily, so that the help and usage errors of a command do not wait for NumPy and DuckDB."""
    finder = _LazyFinder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class LazyCommands(TyperGroup):
    """Loads a command when it is run, so that `quarry --help` imports nothing slow."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002, D102 - as Typer calls it
        return [*COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002, D102
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            with _lazy_stages():
                module = import_module(f"webquarry.cli.{cmd_name}")
            single = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
            single.command(help=COMMANDS[cmd_name], epilog=f"Example: {module.EXAMPLE}")(getattr(module, cmd_name))
            self.commands[cmd_name] = get_command(single)
        return self.commands[cmd_name]

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002, D102
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


app = typer.Typer(
    name="quarry",
    cls=LazyCommands,
    help="Give it web pages and get tables that you can query.",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> NoReturn:
    """Run `quarry` and exit, never with a traceback."""
    stand_in_for_closed_streams()
    stopper = Stopper()
    stopper.listen()
    try:
        code = app(standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        code = stopper.exit_code
    except TyperException as error:
        code = complain(f"{error.format_message()} (see quarry --help)", error.exit_code)
    except WebquarryError as error:
        code = complain_of(error)
    except BrokenPipeError:
        code = 1
    except OSError as error:
        code = complain(describe_refusal(error), 1)
    except Exception as error:  # a bug of ours is one line too
        logging.getLogger("webquarry").debug("", exc_info=error)
        code = complain(describe_fault(error), 1)
    if stopper.was_asked:
        code = complain("stopped", stopper.exit_code)
    drop_what_cannot_be_written()
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
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Show more on standard error.")] = False,
) -> None:
    """Give it web pages and get tables that you can query."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit
    show_logs(verbose=verbose)


def stand_in_for_closed_streams() -> None:
    """Replace closed standard streams, which Python sets to None, so that only using them fails, with an OSError.

    This also keeps other files from getting their numbers.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY), "r")
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def drop_what_cannot_be_written() -> None:
    """Keep Python from flushing a broken standard output at exit, which would change the exit code."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Stopper:
    """Turns signals into `KeyboardInterrupt`, and knows the exit code that shells expect after them."""

    def __init__(self) -> None:
        self.exit_code = 128 + signal.SIGINT
        self._asked: float | None = None

    @property
    def was_asked(self) -> bool:
        """True if a signal came."""
        return self._asked is not None

    def listen(self) -> None:
        """Handle the signals, except those that the parent process ignores, as with `nohup`."""
        for name in SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._stop)

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._asked is not None and now - self._asked < PATIENCE:
            return
        self._asked = now
        self.exit_code = 128 + number
        raise KeyboardInterrupt


def show_logs(*, verbose: bool) -> None:
    """Show each warning once on standard error, and with `verbose` everything else."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Lines("quarry: %(levelname)s: %(message)s"))
    handler.addFilter(_Once())
    log = logging.getLogger("webquarry")
    log.handlers = [handler]
    log.setLevel(logging.DEBUG if verbose else logging.WARNING)


class _Lines(logging.Formatter):
    """Formats messages on one line, safe for a terminal."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name in logging
        return printable(super().formatMessage(record))


class _Once(logging.Filter):
    """Passes each warning once: pages of a folder tend to repeat it."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        said, before = record.getMessage(), len(self._said)
        self._said.add(said)
        return len(self._said) > before


class UsageFault(TyperException):
    """The options contradict each other, or one is missing."""

    exit_code = 2


def complain(message: str, code: int) -> int:
    """Print an error on one line of standard error, safe for a terminal; return the exit code."""
    typer.echo(f"quarry: {printable(message)}", err=True)
    return code


def complain_of(error: WebquarryError) -> int:
    """Print one of our errors; return the exit code."""
    if isinstance(error, WrapperError):
        for mistake in error.mistakes:
            complain(mistake, 1)
    elif isinstance(error, QueryError):  # several lines, one of which may point at a place in the line above it
        first, *others = str(error).strip().replace("\t", " ").splitlines() or [""]
        complain(first, 1)
        for line in filter(str.strip, others):
            typer.echo(printable_line(line.rstrip()), err=True)
    else:
        complain(str(error), 1)
    return 1


def describe_fault(error: Exception) -> str:
    """Word the message for a bug of ours."""
    return f"internal error, please report it: {type(error).__name__}: {error}"


def describe_refusal(error: OSError, place: object = None) -> str:
    """Word the message for an error of the operating system."""
    return f"{error.filename or place or 'standard output'}: {error.strerror or error}"
