"""What systems call the page, the address of a node, its text and its column; the first that is there counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TypeVar

PAGES = ("page", "_page", "page_url", "url", "address", "uri", "source_url", "source", "file", "filename", "document")
ADDRESSES = ("xpath", "xpaths", "x_path", "node_xpath", "node", "path", "paths", "selector", "selectors", "location")
TEXTS = ("text", "texts", "value", "values", "content", "extracted", "string")
COLUMNS = ("column", "field", "attribute", "property", "name", "label", "key")
LISTS = ("nodes", "items", "results", "records", "entries", "elements", "extractions", "values", "data", "scores")

_Value = TypeVar("_Value")


def find_name(names: Iterable[str], wanted: tuple[str, ...]) -> str | None:
    """The name that is called as the first of some that is there; capitals and hyphens make no difference.

    >>> find_name(["URL", "X-Path"], ADDRESSES), find_name(["title"], PAGES)
    ('X-Path', None)
    """
    return _find(tuple(names), wanted)


def find_value(values: Mapping[str, _Value], wanted: tuple[str, ...]) -> _Value | None:
    """The value under the first of some names that is there."""
    name = find_name(values, wanted)
    return None if name is None else values[name]


@lru_cache(maxsize=1024)  # the lines of a file have the same names
def _find(names: tuple[str, ...], wanted: tuple[str, ...]) -> str | None:
    plain = {name.strip().lower().replace("-", "_").replace(" ", "_"): name for name in reversed(names)}
    return next((plain[name] for name in wanted if name in plain), None)
