"""Check the arguments and options of public functions, and list shared options in their signatures and docstrings.

A wrong argument is answered with what the function takes and how to get it.  A function that takes
`**options: Unpack[FetchOptions]` is checked by type checkers and shown in full by editors.  `takes` does the same at
run time: it puts the options into the function's signature and docstring, answers a wrong one with the nearest ones,
and a value of a wrong type with the right type.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import suppress
from functools import cache, partial, wraps
from inspect import Parameter
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Any,
    NamedTuple,
    ParamSpec,
    Self,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
    overload,
)

from webquarry.fetching.policy import FetchOptions, Policy
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.model.wording import suggest
from webquarry.model.wrapper import Wrapper
from webquarry.pipeline.page_guard import OpenedPages
from webquarry.pipeline.worker_pool import WorkerOptions, Workers

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")

_HOW_TO_GET: dict[type, str] = {
    Page: "get one with wq.fetch, or make wq.Page(url=..., body=...) from bytes",
    Document: "make one with clean or render",
    Wrapper: "get one with wq.load_wrapper or wq.wrap",
    str: "name a file or an http(s) address",
}


def a_or_an(given: object) -> str:
    """Name a type, or that of a value, with its article.

    >>> a_or_an(5), a_or_an(Page)
    ('an int', 'a Page')
    """
    name = (given if isinstance(given, type) else type(given)).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def require(function: str, given: object, wanted: type[T], how: str = "") -> T:
    """Return the argument if it has the wanted type; raise TypeError otherwise, which says how to get such a thing.

    >>> require("clean", "x.html", Page)
    Traceback (most recent call last):
    TypeError: clean takes a Page, not a str; get one with wq.fetch, or make wq.Page(url=..., body=...) from bytes
    """
    if isinstance(given, wanted):
        return given
    raise TypeError(f"{function} takes {a_or_an(wanted)}, not {a_or_an(given)}; {how or _HOW_TO_GET[wanted]}")


def require_place(function: str, given: str | Path) -> str | Path:
    """Return the name of a file or an address; raise TypeError for anything else."""
    if isinstance(given, str | Path):
        return given
    raise TypeError(f"{function} takes a str or Path, not {a_or_an(given)}; {_HOW_TO_GET[str]}")


@overload
def require_each(function: str, given: Iterable[A], a: type[A], /) -> Iterable[A]: ...
@overload
def require_each(function: str, given: Iterable[A | B], a: type[A], b: type[B], /) -> Iterable[A | B]: ...
@overload
def require_each(
    function: str, given: Iterable[A | B | C], a: type[A], b: type[B], c: type[C], /
) -> Iterable[A | B | C]: ...
def require_each(function: str, given: Iterable[Any], /, *wanted: type) -> Iterable[Any]:
    """Return the items; raise TypeError for a single item, and for wrong ones: of a list at once, of others in turn.

    >>> require_each("clean_all", "x.html", Page, Failure)
    Traceback (most recent call last):
    TypeError: clean_all takes several Pages, not a str; put it in a list
    """
    name = wanted[0].__name__ if wanted[0] is not str else "input"
    is_single = isinstance(given, (str, bytes, Path, Page, Document, Wrapper, Failure, *wanted))
    if is_single or not isinstance(given, Iterable):
        raise TypeError(f"{function} takes several {name}s, not {a_or_an(given)}; put it in a list")
    if isinstance(given, OpenedPages) and Document in wanted:
        return given  # workers may open them
    checked = _check_each(function, name, given, wanted)
    return list(checked) if isinstance(given, Sized) else checked


def require_parts(function: str, given: object, *wanted: type[T]) -> list[T]:
    """Return one thing, or several, of the wanted types as a list; raise TypeError for anything else."""
    parts = list(given) if isinstance(given, Iterable) and not isinstance(given, (*wanted, bytes)) else [given]
    right = [part for part in parts if isinstance(part, wanted)]
    if len(right) < len(parts):
        wrong = next(part for part in parts if not isinstance(part, wanted))
        named = " or ".join(kind.__name__ for kind in wanted)
        raise TypeError(f"{function} takes {named}, or several of them, not {a_or_an(wrong)}")
    return right


def _check_each(function: str, name: str, given: Iterable[Any], wanted: tuple[type, ...]) -> Iterator[Any]:
    for each in given:
        if not isinstance(each, wanted):
            how = _HOW_TO_GET.get(wanted[0], "see its documentation")
            raise TypeError(f"{function} takes {name}s, not {a_or_an(each)}; {how}")
        yield each


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

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        own = [each for each in signature.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
        added = [shared[name] for name in shared if name not in signature.parameters]
        known = {each.name for each in (*own, *added)}
        only_by_name = {each.name for each in own if each.kind is Parameter.KEYWORD_ONLY}
        read_types = cache(partial(_OptionTypes.read, function, only_by_name, hints))  # when the module is loaded

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            wrong = next((name for name in kwargs if name not in known), None)
            if wrong is not None:
                raise TypeError(f"{function.__name__} has no option {wrong!r}; {suggest(wrong, sorted(known))}")
            read_types().check(function.__name__, kwargs)
            return function(*args, **kwargs)

        call.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
        call.__doc__ = _append_lines(function.__doc__, {each.name: lines.get(each.name, "") for each in added})
        return call

    return decorate


class _OptionTypes(NamedTuple):
    """The types of options, as far as they can be checked."""

    classes: dict[str, tuple[type, ...]]
    several: set[str]
    """Options that take several things."""

    @classmethod
    def read(cls, function: Callable[..., Any], own: Collection[str], shared: Mapping[str, Any]) -> Self:
        """Read the types of a function's own options, and of those that it shares."""
        hints = dict(shared)
        for name in own:
            holder = type("Holder", (), {"__annotations__": {name: function.__annotations__[name]}})
            with suppress(NameError):  # a type that only type checkers import
                hints |= get_type_hints(holder, function.__globals__)
        classes = {name: kinds for name, hint in hints.items() if (kinds := _list_types(hint))}
        return cls(classes, {name for name, hint in shared.items() if get_origin(hint) in {Iterable, Sequence}})

    def check(self, function: str, given: Mapping[str, Any]) -> None:
        """Raise TypeError for a value of a wrong type."""
        for name, value in given.items():
            if name in self.classes and not isinstance(value, self.classes[name]):
                raise TypeError(f"{function}: {name} takes {_describe(self.classes[name])}, not {a_or_an(value)}")
            if name in self.several and (isinstance(value, str) or not isinstance(value, Iterable)):
                raise TypeError(f"{function}: {name} takes several, not {a_or_an(value)}; put it in a list")


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
    """List the classes of a type that is a class or a choice of classes; an int is a float too, a typed dict a dict."""
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    kinds = tuple([dict if is_typeddict(kind) else kind for kind in kinds])
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
