"""Share what nouns have in common: lazy fields, equality of arrays, values in JSON, display in notebooks."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import date
from functools import wraps
from html import escape
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from webquarry.values.text_value import Value

ROWS_SHOWN = 100
"""In a notebook; more are slow to scroll past."""

N = TypeVar("N")
P = ParamSpec("P")
T = TypeVar("T")

# "https:alert" has no host and would be resolved against the address of the notebook itself
_SAFE_LINK = re.compile(r"https?://[^\s\\]+\Z", re.IGNORECASE)


class Deferred(Generic[T]):
    """A dataclass field that may be given as a function, which is called on first access."""

    def __init__(self, *default: T) -> None:
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, noun: Any, owner: type) -> T:
        if noun is None:  # dataclasses look up the default this way; an AttributeError means that there is none
            if not self._default:
                raise AttributeError(f"{owner.__name__}.{self._name} has no default")
            return self._default[0]
        given = noun.__dict__[self._name]
        if callable(given):
            given = noun.__dict__[self._name] = given()
        value: T = given
        return value

    def __set__(self, noun: Any, given: T | Callable[[], T]) -> None:
        noun.__dict__[self._name] = given


def once(find: Callable[Concatenate[N, P], T]) -> Callable[Concatenate[N, P], T]:
    """Keep what a function finds on a noun with it, as a cached property does.

    It runs once for each noun, so other arguments have to follow from the noun.
    """
    name = f"{find.__module__}.{find.__qualname__}"

    @wraps(find)
    def ask(noun: N, /, *args: P.args, **options: P.kwargs) -> T:
        known = vars(noun)
        if name not in known:
            known[name] = find(noun, *args, **options)
        found: T = known[name]
        return found

    return ask


def replace_fields(noun: N, **changes: Any) -> N:
    """Replace fields as `dataclasses.replace` does, without computing deferred ones."""
    found: N = object.__new__(type(noun))  # quicker than to call the class
    found.__dict__.update({name: noun.__dict__[name] for name in noun.__match_args__}, **changes)  # type: ignore[attr-defined]
    return found


def same_fields(one: Any, other: Any) -> bool:
    """Compare two dataclasses that may hold arrays; NaN equals NaN."""
    import numpy as np  # noqa: PLC0415 - slow to import, and static documents hold no arrays

    if one is None or other is None:
        return one is other
    return all(
        np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f")
        if isinstance(mine, np.ndarray)
        else mine == theirs
        for mine, theirs in ((getattr(one, each.name), getattr(other, each.name)) for each in fields(one))
    )


class EqualByFields:
    """Equality for dataclasses with arrays, which have no hash."""

    def __eq__(self, other: object) -> bool:
        return same_fields(self, other) if isinstance(other, type(self)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


def value_to_dict(value: Value) -> dict[str, Any]:
    """Convert a typed value for JSON; `to` and `note` are there only if the value has them."""
    extra = {"to": None if value.to is None else _to_plain(value.to), "note": value.note}
    return {
        "value": _to_plain(value.value),
        "unit": value.unit,
        **{name: said for name, said in extra.items() if said is not None},
    }


def _to_plain(said: float | date) -> float | str | None:
    """Convert a number or date for JSON, which has no infinity: it becomes None."""
    if isinstance(said, date):
        return said.isoformat()
    return said if math.isfinite(said) else None


def html_table(heads: Iterable[str], rows: Iterable[Sequence[str | None]], caption: str, links: Sequence[bool]) -> str:
    """Show texts as an HTML table; web addresses in the columns of links can be clicked."""
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(
        f"<tr>{''.join(_cell(text, link) for text, link in zip(row, links, strict=True))}</tr>" for row in rows
    )
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def html_tree(record: Mapping[str, Any] | Sequence[Any], caption: str) -> str:
    """Show objects and arrays of texts as nested HTML lists."""
    return f"<div><strong>{escape(caption)}</strong>{_branch(record)}</div>"


def html_prose(text: str, title: str, stated: Mapping[str, str]) -> str:
    """Show lines of text as HTML paragraphs below a title and its metadata."""
    facts = " · ".join(f"{escape(name)}: {escape(said)}" for name, said in stated.items())
    head = f"<h3>{escape(title)}</h3>" if title else ""
    body = "".join(f"<p>{escape(line)}</p>" for line in text.split("\n") if line)
    return f"<article>{head}{f'<p><small>{facts}</small></p>' if facts else ''}{body}</article>"


def _branch(node: Any) -> str:
    if isinstance(node, Mapping):
        parts = (f"<li><em>{escape(str(name))}</em> {_branch(below)}</li>" for name, below in node.items())
        return f"<ul>{''.join(parts)}</ul>" if node else ""
    if isinstance(node, list | tuple):
        return f"<ol>{''.join(f'<li>{_branch(below)}</li>' for below in node)}</ol>"
    return escape(str(node))


def _cell(text: str | None, link: bool) -> str:
    shown = escape(text or "")
    if link and text and _SAFE_LINK.match(text):
        return f'<td><a href="{shown}" rel="noopener noreferrer" target="_blank">{shown}</a></td>'
    return f"<td>{shown}</td>"
