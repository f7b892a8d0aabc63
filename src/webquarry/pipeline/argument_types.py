"""Check the arguments of public functions, and say what they take and how to get it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from pathlib import Path
from typing import Any, TypeVar, overload

from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.model.wrapper import Wrapper

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


def require(function: str, given: object, wanted: type[T]) -> T:
    """Return the argument if it has the wanted type; raise TypeError otherwise.

    >>> require("clean", "x.html", Page)
    Traceback (most recent call last):
    TypeError: clean takes a Page, not a str; get one with wq.fetch, or make wq.Page(url=..., body=...) from bytes
    """
    if isinstance(given, wanted):
        return given
    raise TypeError(f"{function} takes {a_or_an(wanted)}, not {a_or_an(given)}; {_HOW_TO_GET[wanted]}")


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
    is_single = isinstance(given, (str, bytes, Path, Page, Document, Wrapper, Failure))
    if is_single or not isinstance(given, Iterable):
        raise TypeError(f"{function} takes several {name}s, not {a_or_an(given)}; put it in a list")
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
            raise TypeError(f"{function} takes {name}s, not {a_or_an(each)}; {_HOW_TO_GET[wanted[0]]}")
        yield each
