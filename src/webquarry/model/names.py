"""Spell names of columns for SQL, keep them distinct, and list them in messages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

_HUMP = re.compile(r"(?<=[a-z]{2})(?=[A-Z])")
NAMELESS = "column"
NAMES_LISTED = 30
"""In one message; a table may have thousands of columns."""


@lru_cache(maxsize=8192)  # the pages of a source have the same sections
def snake_case(name: str) -> str:
    """Spell a name in lower snake case; a leading digit gets `_`.

    Camel case counts in single words only: "Energy (kWh)" was written for people, "unitPrice" for a program.

    >>> [snake_case(name) for name in ("Unit price (€)", "unitPrice", "Energy (kWh)", "2nd hand", "%")]
    ['unit_price', 'unit_price', 'energy_kwh', '_2nd_hand', 'column']
    """
    name = unicodedata.normalize("NFKC", name)
    if name.isidentifier():
        name = _HUMP.sub("_", name)
    spaced = "".join(mark if _is_part_of_word(mark) else " " for mark in name.lower())
    plain = unicodedata.normalize("NFKC", "_".join(spaced.split())) or NAMELESS
    return f"_{plain}" if plain[0].isdecimal() else plain


def _is_part_of_word(mark: str) -> bool:
    return mark.isalnum() or unicodedata.category(mark).startswith("M")  # Indian and Thai vowels are marks


def distinct(names: Iterable[str], taken: Collection[str] = ()) -> list[str]:
    """Make names distinct: one that repeats or is taken gets `_2` and so on.

    >>> distinct(["price", "price", "rank"], taken=["rank"])
    ['price', 'price_2', 'rank_2']
    """
    wanted = list(names)
    asked = {*wanted, *taken}  # a numbered name must not equal another column's own name
    given: set[str] = set()
    for place, name in enumerate(wanted):
        number, candidate = 2, name
        while candidate in given or candidate in taken or (candidate != name and candidate in asked):
            candidate = f"{name}_{number}"
            number += 1
        given.add(candidate)
        wanted[place] = candidate
    return wanted


def list_names(names: Sequence[str], most: int = NAMES_LISTED) -> str:
    """Join names by commas; of many the first, and how many more there are.

    >>> list_names(["title", "price"]), list_names(["title", "price", "rank", "seller"], most=2)
    ('title, price', 'title, price and 2 more')
    """
    left_out = len(names) - most
    return ", ".join(names[:most]) + (f" and {left_out:,} more" if left_out > 0 else "")
