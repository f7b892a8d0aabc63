"""How nouns show themselves in a notebook: HTML in which what a page says is text and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

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
