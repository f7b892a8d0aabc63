"""List shared options in the signatures and docstrings of the functions that take them.

A function that takes `**options: Unpack[FetchOptions]` is checked by type checkers and shown in full by editors.
`takes` does the same at run time: it puts the options into the function's signature and docstring, answers a wrong
one with the nearest ones, and a value of a wrong type with the right type.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import Parameter
from types import NoneType, UnionType
from typing import Any, NamedTuple, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

from webquarry.fetching.policy import FetchOptions, Policy
from webquarry.model.names import suggest
from webquarry.pipeline.argument_types import a_or_an
from webquarry.pipeline.worker_pool import WorkerOptions, Workers

P = ParamSpec("P")
R = TypeVar("R")

_DOCUMENTED = re.compile(r'^    (\w+): [^\n]*\n    """(.*?)"""$', re.MULTILINE | re.DOTALL)


class OptionSet(NamedTuple):
    """Options as a class of typed keys, and what is called with them, which has their defaults."""

    options: type[Any]
    taker: Callable[..., Any]


FETCHING = OptionSet(FetchOptions, Policy)
WORKING = OptionSet(WorkerOptions, Workers)


def takes(*sets: OptionSet) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """List the options that a function takes by `**` in its signature and docstring, after its own parameters.

    >>> @takes(FETCHING)
    ... def load(source: str, **options: Any) -> None: ...
    >>> load("x.html", ofline=True)
    Traceback (most recent call last):
    TypeError: load has no option 'ofline'; did you mean 'offline'?
    >>> load("x.html", retries="3")
    Traceback (most recent call last):
    TypeError: load: retries takes an int, not a str
    >>> inspect.signature(load).parameters["offline"].default
    False
    """
    shared = {each.name: each for options in sets for each in _to_parameters(options)}
    lines = {name: line for options in sets for name, line in _read_lines(options.options).items()}
    hints = {name: hint for options in sets for name, hint in get_type_hints(options.options).items()}
    types = {name: kinds for name, hint in hints.items() if (kinds := _list_types(hint))}
    several = {name for name, hint in hints.items() if get_origin(hint) in {Iterable, Sequence}}

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        own = [each for each in signature.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
        added = [shared[name] for name in shared if name not in signature.parameters]
        known = {each.name for each in (*own, *added)}

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            wrong = next((name for name in kwargs if name not in known), None)
            if wrong is not None:
                raise TypeError(f"{function.__name__} has no option {wrong!r}; {suggest(wrong, sorted(known))}")
            for name, value in kwargs.items():
                if name in types and not isinstance(value, types[name]):
                    raise TypeError(f"{function.__name__}: {name} takes {_describe(types[name])}, not {a_or_an(value)}")
                if name in several and (isinstance(value, str) or not isinstance(value, Iterable)):
                    raise TypeError(
                        f"{function.__name__}: {name} takes several, not {a_or_an(value)}; put it in a list"
                    )
            return function(*args, **kwargs)

        call.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
        call.__doc__ = _append_lines(function.__doc__, {each.name: lines.get(each.name, "") for each in added})
        return call

    return decorate


def _to_parameters(options: OptionSet) -> list[Parameter]:
    defaults = inspect.signature(options.taker).parameters
    return [
        Parameter(name, Parameter.KEYWORD_ONLY, default=defaults[name].default, annotation=defaults[name].annotation)
        for name in options.options.__annotations__
    ]


def _read_lines(options: type[Any]) -> dict[str, str]:
    """Read the documentation of options from their source: Python itself keeps no docstrings of attributes."""
    try:
        return dict(_DOCUMENTED.findall(inspect.getsource(sys.modules[options.__module__])))
    except OSError:  # installed without sources
        return {}


def _list_types(hint: Any) -> tuple[type, ...]:
    """List the classes of a type that is a class or a choice of classes; an int is a float too."""
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    if not all(isinstance(kind, type) and get_origin(kind) is None for kind in kinds):
        return ()
    return (*kinds, int) if float in kinds else kinds


def _describe(kinds: tuple[type, ...]) -> str:
    named = [kind for kind in kinds if kind is not NoneType and not (kind is int and float in kinds)]
    return " or ".join([*(a_or_an(kind) for kind in named), *(["None"] if NoneType in kinds else [])])


def _append_lines(said: str | None, lines: dict[str, str]) -> str | None:
    """Append the lines of options to a docstring; there is none where Python strips them."""
    if said is None or not lines:
        return said
    return f"{inspect.cleandoc(said)}\n\nOptions:\n{''.join(f'    {name}: {lines[name]}' + chr(10) for name in lines)}"
