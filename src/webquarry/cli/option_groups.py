"""Group the options of commands in their help, and give every command the general ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
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
