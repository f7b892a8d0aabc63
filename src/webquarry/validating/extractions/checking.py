"""What a row of an extraction cannot do without: a page, and the XPath of a node on it, as texts."""

from __future__ import annotations

import json
from typing import Any

from webquarry.errors import InputError

_SHOWN = 80
"""Characters of a value that are told."""


def check_page(page: Any, name: str, place: str) -> str:
    """The page that stands under a name; raises with its place in the file when it is none."""
    if isinstance(page, str) and page.strip():
        return page
    raise InputError(f"{place}: the page is missing, {name} is {show(page)}; name the page of each row")


def check_address(address: Any, name: str, place: str) -> str:
    """The XPath that stands under a name; raises with its place in the file when it is none."""
    if isinstance(address, str):
        return address
    raise refuse_address(address, name, place)


def refuse_address(found: Any, name: str, place: str) -> InputError:
    """What to raise of a value that stands where an XPath should."""
    return InputError(f"{place}: looked for an XPath under {name}, found {show(found)}; mend the line, or leave it out")


def show(value: Any) -> str:
    """The beginning of a value as JSON has it."""
    return json.dumps(value, ensure_ascii=False)[:_SHOWN]
