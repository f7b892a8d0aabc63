"""Run `quarry`: load its commands lazily, handle signals, and report errors on one line each."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command

from webquarry.cli.messages import complain, complain_of, describe_fault, describe_refusal, show_logs, show_more_logs
from webquarry.cli.option_groups import (
    CommandGroup,
    GroupedCommand,
    LogStyle,
    QuickParsing,
    Verbose,
    with_general_options,
)
from webquarry.cli.stopping import STOPPER, exit_on_signals
from webquarry.errors import WebquarryError

COMMANDS = {
    "fetch": "Fetch pages into a WARC archive; run it again to fetch what is missing.",
    "clean": "Write pages as XHTML that every XML reader accepts.",
    "render": "Render pages in a browser: size, boxes, styles, pictures.",
    "mine": "Find the records on pages and write them as tables.",
    "read": "Read the main text of pages.",
    "wrap": "Learn a wrapper from sample pages of a source.",
    "correct": "Correct a wrapper by one step, and show the changes.",
    "check": "List the mistakes in a wrapper file, and what pages lack.",
    "extract": "Extract records from pages by a wrapper; without INPUT from all pages of its index.",
    "batch": "Process many pages on all cores or on many machines; resume where a run stopped.",
    "validate": "Find what looks wrong in an extraction, and why.",
    "sql": "Query a catalog of wrappers in SQL; fetch only the pages that the query needs.",
    "agent": "Serve a wrapper as an agent that answers questions in KQML.",
    "workbench": "See what was found on the page itself, and correct it by clicking.",
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


class LazyCommands(QuickParsing, TyperGroup):
    """Loads a command when it is run, so that `quarry --help` imports nothing slow."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002, D102 - as Typer calls it
        return [*COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002, D102
        if cmd_name not in COMMANDS:
            near = get_close_matches(cmd_name, COMMANDS, n=1)
            raise UsageFault(f"there is no command {cmd_name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        if cmd_name not in self.commands:
            with _lazy_stages():
                module = import_module(f"webquarry.cli.{cmd_name}")
            self.commands[cmd_name] = _build(cmd_name, module)
        return self.commands[cmd_name]

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002, D102
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


def _build(name: str, module: ModuleType) -> Any:
    """Build a command, or a group of them where the module has several."""
    program = typer.Typer(
        name=name,
        cls=CommandGroup,
        help=COMMANDS[name],
        epilog=f"Example: {module.EXAMPLE}",
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    several: dict[str, tuple[Any, str, str]] = getattr(module, "COMMANDS", {})
    for each, (function, said, example) in several.items():
        added = program.command(each, cls=GroupedCommand, help=said, epilog=f"Example: {example}")
        added(with_general_options(function))
    if several:
        return get_command(program)
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    single.command(cls=GroupedCommand, help=COMMANDS[name], epilog=f"Example: {module.EXAMPLE}")(
        with_general_options(getattr(module, name))
    )
    return get_command(single)


app = typer.Typer(
    name="quarry",
    cls=LazyCommands,
    help="Give it web pages and get tables that you can query.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> NoReturn:
    """Run `quarry` and exit, never with a traceback."""
    stand_in_for_closed_streams()
    show_logs()
    STOPPER.listen()
    code: int | None = 1
    try:
        try:
            code = app(standalone_mode=False)
        finally:
            exit_on_signals()
    except (typer.Abort, KeyboardInterrupt):
        code = STOPPER.exit_code
    except TyperException as error:
        code = complain(f"{error.format_message()} (see {_name_help()})", error.exit_code)
    except WebquarryError as error:
        code = complain_of(error)
    except BrokenPipeError:
        code = 1
    except OSError as error:
        code = complain(describe_refusal(error), 1)
    except Exception as error:  # a bug of ours is one line too
        logging.getLogger("webquarry").debug("", exc_info=error)
        if not STOPPER.was_asked:  # a module whose loading a signal interrupted lacks names; that is not a bug
            code = complain(describe_fault(error), 1)
    if STOPPER.was_asked:
        code = complain(STOPPER.message, STOPPER.exit_code)
    drop_what_cannot_be_written()
    sys.exit(code or 0)


def _name_help() -> str:
    """Write the command that shows the help of what was called."""
    called: list[str] = []
    known: Container[str] = COMMANDS
    for word in sys.argv[1:]:
        if word in known:
            called.append(word)
            known = getattr(sys.modules.get(f"webquarry.cli.{word}"), "COMMANDS", ())
    return " ".join(["quarry", *called, "--help"])


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
    verbose: Verbose = False,
    log_format: LogStyle = None,
) -> None:
    """Give it web pages and get tables that you can query."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit
    show_more_logs(verbose=verbose, style=log_format)


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


class UsageFault(TyperException):
    """The options contradict each other, or one is missing."""

    exit_code = 2
