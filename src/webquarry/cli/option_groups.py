"""Group the options of commands in their help, and give every command the general ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, get_args

import typer
from typer.core import TyperCommand, TyperGroup

from webquarry.cli.messages import LogFormat, show_more_logs

TASK, OUTPUT, WORKERS, BROWSER, FETCHING = "What to do", "Output", "Workers", "Browser", "Fetching"
GENERAL = "General"
"""The groups in the order of the help; options without a group say what to do."""
_ORDER = (TASK, OUTPUT, WORKERS, BROWSER, FETCHING, GENERAL)

Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Show more on standard error.", rich_help_panel=GENERAL)]
LogStyle = Annotated[
    LogFormat | None,
    typer.Option(
        "--log-format", help="Messages on standard error as text (default) or JSON lines.", rich_help_panel=GENERAL
    ),
]

_GENERAL = {"-v, --verbose": get_args(Verbose)[1], "--log-format": get_args(LogStyle)[1]}


class GroupedCommand(TyperCommand):
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


class CommandGroup(TyperGroup):
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
