"""Fields of nouns that are worked out when they are first asked for: of most nobody does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Generic, TypeVar

N = TypeVar("N")
T = TypeVar("T")


class Deferred(Generic[T]):
    """A field that may be given as a function, which is called when the field is first asked for."""

    def __init__(self, *default: T) -> None:
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, noun: Any, owner: type) -> T:
        if noun is None:  # a dataclass asks so for the default, and takes an error for none
            if not self._default:
                raise AttributeError(f"{self._name} is of a {owner.__name__}")
            return self._default[0]
        given = noun.__dict__[self._name]
        if callable(given):
            given = noun.__dict__[self._name] = given()
        value: T = given
        return value

    def __set__(self, noun: Any, given: T | Callable[[], T]) -> None:
        noun.__dict__[self._name] = given


def replace_fields(noun: N, **changes: Any) -> N:
    """The noun with other values in some fields; of the others, unlike `dataclasses.replace`, it asks for none."""
    given = {each.name: noun.__dict__[each.name] for each in fields(noun)}  # type: ignore[arg-type]
    return type(noun)(**given | changes)
