"""`quarry` itself: its commands, and how a run ends."""

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

from webquarry.cli.options import complain, complain_of, describe_fault, describe_refusal
from webquarry.errors import WebquarryError
from webquarry.model.wording import printable


# MERGED cli/streams: Standard streams that whoever started us has closed.
def stand_in_for_closed_streams() -> None:
    """Open what is closed so that using it fails as a file does, and no other file gets its number.

    Python has None in the place of such a stream, of which a run that needs none must not die either.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY), "r")
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def drop_what_cannot_be_written() -> None:
    """Keep Python from trying once more at exit, which would complain again and change the exit code."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# MERGED cli/stopping: How a run is stopped from outside: by Ctrl-C, by `kill` and `timeout`, or with its ter
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")  # by name: not every system has all
PATIENCE = 5.0
"""Seconds in which further signals change nothing: they would break off the putting away of files and browsers."""


class Stopper:
    """Turns signals into `KeyboardInterrupt`, and knows the exit code that shells expect after them."""

    def __init__(self) -> None:
        self.exit_code = 128 + signal.SIGINT
        self._asked: float | None = None

    @property
    def was_asked(self) -> bool:
        """Whether a signal came."""
        return self._asked is not None

    def listen(self) -> None:
        """Heed the signals, except those that whoever started us wants ignored, as `nohup` does."""
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


# MERGED cli/logs: What the stages have to say beside their results, on standard error.
def show_logs(*, verbose: bool) -> None:
    """Show warnings, each once, and with `verbose` all else."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Lines("quarry: %(levelname)s: %(message)s"))
    handler.addFilter(_Once())
    log = logging.getLogger("webquarry")
    log.handlers = [handler]
    log.setLevel(logging.DEBUG if verbose else logging.WARNING)


class _Lines(logging.Formatter):
    """One line each, which may name what a page or a file is called and must not command the terminal."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - as the library calls it

        return printable(super().formatMessage(record))


class _Once(logging.Filter):
    """Lets a warning pass that was not there before: what is wrong with one page is so with all of its folder."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        said, before = record.getMessage(), len(self._said)
        self._said.add(said)
        return len(self._said) > before


COMMANDS = {
    "clean": "Write pages as XHTML that every XML reader accepts.",
    "render": "Lay pages out as a browser does: size, nodes, boxes, styles, pictures.",
    "mine": "Find the records of pages and give them as tables.",
    "read": "Give the main text of pages, each piece with its node.",
    "wrap": "Learn from sample pages how a source is structured.",
    "correct": "Correct a wrapper by one step, and show what changed.",
    "check": "Tell all mistakes of a wrapper file, and what pages lack of it.",
    "extract": "Read pages by a wrapper; without INPUT all pages of its index.",
    "validate": "Tell what looks wrong in an extraction, and why.",
    "sql": "Query a catalog of wrappers in SQL; only the pages that the query can need are fetched.",
    "doctor": "Show versions, browser and caches, and what is missing.",
    "demo": "Show what webquarry does on its own example pages, offline.",
}
"""What each command does.  The command `x` is the function `x` of `webquarry.cli.x`, with an `EXAMPLE` for its help."""


class _LazyFinder(MetaPathFinder):
    """Finds modules of webquarry below the commands, to be loaded when an attribute of theirs is first used."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module; `from module import name` in a command loads it at once, `import module` does not."""
        if not fullname.startswith("webquarry.") or fullname.startswith("webquarry.cli"):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec


@contextmanager
def _lazy_stages() -> Iterator[None]:
    """Import stages lazily, so that help and usage errors of a command need not wait for NumPy and DuckDB.

    Commands import stages as modules, at their top as any file does; this is the one place that makes it cheap.
    """
    finder = _LazyFinder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class LazyCommands(TyperGroup):
    """Loads a command when it is run, so that `quarry --help` and light commands import nothing slow."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002, D102 - as Typer calls it
        return [*COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002, D102
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            with _lazy_stages():
                module = import_module(f"webquarry.cli.{cmd_name}")
            single = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
            single.command(epilog=f"Example: {module.EXAMPLE}")(getattr(module, cmd_name))
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
    """Run `quarry`: no traceback, whatever happens."""
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
    except Exception as error:  # the last net: a fault of ours is one line too
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
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Say more on standard error.")] = False,
) -> None:
    """Give it web pages and get tables that you can query."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit
    show_logs(verbose=verbose)
