"""Read the fact book and the page of groups with XPath, written by hand for their markup."""

from __future__ import annotations

from collections.abc import Iterator

import lxml.html

_LABEL = '//div[@id="field"]/a[@title=$title]'
_DATA = "ancestor::tr[1]/following-sibling::tr[1]/td"
_RANK = 'self::span[starts-with(., "country comparison")]'
_PARTS = f"*[not({_RANK}) and not(self::span and preceding-sibling::*[1][{_RANK}])]"
_NOTE = "note:"


def read_field(tree: lxml.html.HtmlElement, name: str) -> str | None:
    """Read a field of the fact book of 2011, without notes and the rank among countries."""
    parts = [part for part in _read_parts(tree, name) if not part.startswith(_NOTE)]
    return " ".join(parts) or None


def read_items(tree: lxml.html.HtmlElement, name: str) -> list[str]:
    """Read the parts of a field, without their labels."""
    return [part.partition(":")[2].strip() for part in _read_parts(tree, name) if not part.startswith(_NOTE)]


def read_groups(tree: lxml.html.HtmlElement) -> Iterator[tuple[str, str]]:
    """Yield each group with each of its countries."""
    for row in tree.xpath("//table/tbody/tr"):
        grouping, country, _ = (cell.text_content().strip() for cell in row.xpath("td"))
        yield grouping, country


def _read_parts(tree: lxml.html.HtmlElement, name: str) -> list[str]:
    labels = tree.xpath(_LABEL, title=f"Definitions and Notes: {name}")
    cells = labels[0].xpath(_DATA) if labels else []
    return [" ".join(part.text_content().split()) for part in cells[0].xpath(_PARTS)] if cells else []
