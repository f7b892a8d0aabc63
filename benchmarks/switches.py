"""Find where the package uses a function or constant, and watch where something else in its place would matter."""

from __future__ import annotations

import functools
import operator
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

PACKAGE = "webquarry"


def find_uses(original: object, name: str = "") -> list[tuple[dict[Any, Any], Any]]:
    """List the namespaces and tables of loaded modules that hold an object, each with its key there.

    Equal constants are often one object, so a constant needs its name.
    """
    uses: list[tuple[dict[Any, Any], Any]] = []
    for module in _modules():
        for key, value in vars(module).items():
            if value is original and name in ("", key):
                uses.append((vars(module), key))
            elif isinstance(value, dict) and not name:
                uses += [(value, each) for each, used in value.items() if used is original]
    return uses


def clear_caches() -> None:
    """Forget what functions have answered before: it may rest on what has been replaced."""
    for value in [value for module in _modules() for value in vars(module).values()]:
        if hasattr(value, "cache_clear"):
            value.cache_clear()
        elif isinstance(value, dict) and hasattr(value, "__missing__"):
            value.clear()


def _modules() -> Iterator[ModuleType]:
    return (module for name, module in [*sys.modules.items()] if name.startswith(f"{PACKAGE}."))


def watch_function(
    original: Callable[..., Any], instead: Callable[..., Any], note: Callable[[], None]
) -> Callable[..., Any]:
    """Wrap a function: `note` is called whenever the one that would take its place gives something else."""

    @functools.wraps(original)
    def call(*arguments: Any, **named: Any) -> Any:
        found = original(*arguments, **named)
        try:
            is_same = _is_same(found, instead(*arguments, **named))
        except TypeError:  # an argument without a length, so `nothing` cannot make an array
            is_same = False
        if not is_same:
            note()
        return found

    return call


class Watched:
    """A number in the place of a constant; `note` is called wherever another number would give something else.

    >>> noted = []
    >>> least = Watched(3, 0, lambda: noted.append("differs"))
    >>> 5 > least * 2, noted
    (False, ['differs'])
    """

    def __init__(self, value: float, instead: float, note: Callable[[], None]) -> None:
        self._value, self._instead, self._note = value, instead, note

    def _apply(self, work: Callable[..., Any], *others: Any) -> Any:
        plain = [each._value if isinstance(each, Watched) else each for each in others]
        found = work(self._value, *plain)
        try:
            with np.errstate(all="ignore"):
                other = work(self._instead, *plain)
        except (ArithmeticError, ValueError):  # such as infinity as a whole number
            self._note()
            return found
        if type(found) in (int, float) and work not in (operator.index, int, float, round):
            return Watched(found, other, self._note)
        if not _is_same(found, other):
            self._note()
        return found

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **named: Any) -> Any:
        """Take part in the arithmetic of arrays."""
        place = next(n for n, each in enumerate(inputs) if each is self)
        return self._apply(
            lambda value: getattr(function, method)(*inputs[:place], value, *inputs[place + 1 :], **named)
        )

    def __index__(self) -> int:
        """Count; what is counted is not known here, so that another number always matters."""
        self._note()
        return operator.index(self._value)  # type: ignore[arg-type]

    def __hash__(self) -> int:
        """Serve as a key."""
        self._note()
        return hash(self._value)

    def __format__(self, form: str) -> str:
        """Be shown to people."""
        return str(self._apply(format, form))


def _add_operators() -> None:
    for name in ("lt", "le", "gt", "ge", "eq", "ne", "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "neg"):
        work = getattr(operator, f"__{name}__")
        setattr(Watched, f"__{name}__", functools.partialmethod(Watched._apply, work))
        if name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
            turned = lambda value, other, work=work: work(other, value)  # noqa: E731
            setattr(Watched, f"__r{name}__", functools.partialmethod(Watched._apply, turned))
    for name, work in (("bool", bool), ("int", int), ("float", float), ("str", str), ("round", round)):
        setattr(Watched, f"__{name}__", functools.partialmethod(Watched._apply, work))


_add_operators()


def _is_same(found: Any, other: Any) -> bool:
    """Compare what a function gives with what would take its place; arrays element by element."""
    if found is other:
        return True
    if isinstance(found, np.ndarray) or isinstance(other, np.ndarray):
        return np.array_equal(found, other)
    return type(found) is type(other) and bool(found == other)
