"""Run `quarry`: load its commands lazily, group their options in the help, and report errors on one line each."""

from __future__ import annotations

import logging
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import wraps
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from inspect import Parameter, signature
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, NoReturn, get_args

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command

from webquarry.cli.messages import (
    LogFormat,
    complain,
    complain_of,
    describe_fault,
    describe_refusal,
    show_logs,
    show_more_logs,
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

_ORDER = ("What to do", "Output", "Workers", "Browser", "Fetching", "General")
"""The groups of options in the order of the help; options without a group say what to do."""
TASK, OUTPUT, WORKERS, BROWSER, FETCHING, GENERAL = _ORDER

Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Show more on standard error.", rich_help_panel=GENERAL)]
LogStyle = Annotated[
    LogFormat | None,
    typer.Option(
        "--log-format", help="Messages on standard error as text (default) or JSON lines.", rich_help_panel=GENERAL
    ),
]

_GENERAL = {"-v, --verbose": get_args(Verbose)[1], "--log-format": get_args(LogStyle)[1]}


class _PlainValue:
    """Stands in for Typer's conversion of an option until a value has to be converted.

    Typer loads pydantic even for texts, paths and what is not given, which takes longer than cleaning a page.
    """

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        kind = param.type_descriptor.annotation
        if kind == list[str]:
            return list(value)
        if kind in (str, Path):
            return kind(value)
        if ctx.get_parameter_source(param.name).name == "DEFAULT" and not several:
            return value
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


class QuickParsing:
    """Parses options without loading pydantic, as far as that is possible."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: D102 - as Typer calls it
        for parameter in self.get_params(ctx):  # type: ignore[attr-defined]
            if getattr(parameter, "_runtime_param", self) is None:  # other versions of Typer have none
                parameter._runtime_param = _PlainValue()
        rest: list[str] = super().parse_args(ctx, args)  # type: ignore[misc]
        return rest


class GroupedCommand(QuickParsing, TyperCommand):
    """A command whose help has a section for each group of options; Typer alone needs Rich for that, which is slow."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ARG002, D102 - as Typer calls it
        named = [each.metavar for each in self.params if each.param_type_name == "argument"]
        return ["[OPTIONS]", *filter(None, named)]

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: D102
        groups: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for parameter in self.get_params(ctx):
            shown = parameter.get_help_record(ctx)
            if shown is not None and parameter.param_type_name == "argument":
                groups["Arguments"].append((parameter.metavar or shown[0], shown[1]))
            elif shown is not None:
                groups[_find_group(parameter)].append(shown)
        for group in ("Arguments", *_ORDER):
            if groups[group]:
                with formatter.section(group):
                    formatter.write_dl(groups[group])


class CommandGroup(QuickParsing, TyperGroup):
    """A command with commands of its own; its help shows them, and the options that each of them takes."""

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002, D102
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.commands[name].help) for name in self.commands])
        with formatter.section(GENERAL):
            general = [(shown, info.help) for shown, info in _GENERAL.items()]
            formatter.write_dl([*general, ("-h, --help", "Show this message and exit.")])


def _find_group(parameter: Any) -> str:
    if parameter.name == "help":
        return GENERAL
    return getattr(parameter, "rich_help_panel", None) or TASK


def with_general_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options that also stand before commands, as in `quarry mine -v`."""

    @wraps(command)
    def call(*, verbose: bool, log_format: LogFormat | None, **given: Any) -> int:
        show_more_logs(verbose=verbose, style=log_format)
        return command(**given)

    own = signature(command, eval_str=True)
    general = (
        Parameter("verbose", Parameter.KEYWORD_ONLY, default=False, annotation=Verbose),
        Parameter("log_format", Parameter.KEYWORD_ONLY, default=None, annotation=LogStyle),
    )
    call.__signature__ = own.replace(parameters=[*own.parameters.values(), *general])  # type: ignore[attr-defined]
    return call


def suggest(*values: str) -> Callable[[str], list[str]]:
    """Return the completion of an option that takes one of these values."""
    return lambda incomplete: [value for value in values if value.startswith(incomplete)]


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
    several: dict[str, str] = getattr(module, "COMMANDS", {})
    for each, example in several.items():
        added = program.command(each, cls=GroupedCommand, epilog=f"Example: {example}")
        added(with_general_options(getattr(module, each)))
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
        code = complain(f"{_in_plain_words(error.format_message())} (see {_name_help()})", error.exit_code)
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


_PLAIN_WORDS = {
    "Input should be a valid integer, unable to parse string as an integer": "give a whole number, such as 10",
    "Input should be a valid number, unable to parse string as a number": "give a number, such as 1.5",
    "Input should be less than or equal to": "give at most",
    "Input should be greater than or equal to": "give at least",
    "Value error, ": "",
}
"""What pydantic says of a wrong value, and the same for people who do not write programs."""


def _in_plain_words(message: str) -> str:
    for theirs, ours in _PLAIN_WORDS.items():
        message = message.replace(theirs, ours)
    return message


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


def refuse(faults: Mapping[str, object]) -> None:
    """Raise a usage fault with the first message whose condition is true."""
    for fault, is_there in faults.items():
        if is_there:
            raise UsageFault(fault)
