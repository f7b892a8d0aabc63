"""Fields of nouns that are worked out when they are first asked for: of most nobody does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from html import escape
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


# MERGED model/equality: Equality by value of nouns that hold arrays.
def same_fields(one: Any, other: Any) -> bool:
    """Whether two dataclasses hold the same values; a missing number equals a missing number."""
    import numpy as np  # noqa: PLC0415

    if one is None or other is None:
        return one is other
    return all(
        np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f")
        if isinstance(mine, np.ndarray)
        else mine == theirs
        for mine, theirs in ((getattr(one, each.name), getattr(other, each.name)) for each in fields(one))
    )


# MERGED model/notebook: How nouns show themselves in a notebook: HTML in which what a page says is text and
# what follows must be an address with a host: "https:alert" would be resolved against the notebook's own
_SAFE_LINK = re.compile(r"https?://[^\s\\]+\Z", re.IGNORECASE)


def table(heads: Iterable[str], rows: Iterable[Sequence[str | None]], caption: str, links: Sequence[bool]) -> str:
    """A table of texts; in the columns of links, addresses of the web can be clicked."""
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(
        f"<tr>{''.join(_cell(text, link) for text, link in zip(row, links, strict=True))}</tr>" for row in rows
    )
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def tree(record: Mapping[str, Any] | Sequence[Any], caption: str) -> str:
    """Texts in objects and arrays as lists in lists, each under its name."""
    return f"<div><strong>{escape(caption)}</strong>{_branch(record)}</div>"


def prose(text: str, title: str, stated: Mapping[str, str]) -> str:
    """Lines of text as paragraphs below a title and what is stated about them."""
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
