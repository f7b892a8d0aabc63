"""Name columns and keys: as SQL likes them, and no two alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache

_HUMP = re.compile(r"(?<=[a-z]{2})(?=[A-Z])")
PAGE = "_page"
"""The column with the address of each record's page."""
FETCHED = "_fetched"
"""The column with the time at which that page was fetched."""
NAMELESS = "column"


@lru_cache(maxsize=8192)  # the sections of a source are named again and again
def snake_case(name: str) -> str:
    """Write a name in lower snake case; a leading digit gets `_`.

    Humps count in a single word alone: "Energy (kWh)" was written by a person, "unitPrice" for a program.

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


KEY_SEPARATOR = "\x1f"
"""Between the values of a key that consists of several; as a control character it is in no such value."""


def key_names(key: str) -> tuple[str, ...]:
    """Name the parts of a key that several columns make together.

    >>> key_names("country"), key_names("year,country"), key_names("")
    (('country',), ('year', 'country'), ())
    """
    return tuple(name for each in key.split(",") if (name := each.strip()))


def join_key(parts: Iterable[str]) -> str:
    """Make the key of a page from the values of its parts."""
    return KEY_SEPARATOR.join(parts)


def split_key(key: str) -> list[str]:
    """Return the values of the parts of a key."""
    return key.split(KEY_SEPARATOR)


def show_key(key: str) -> str:
    """Write a key for people.

    >>> show_key(join_key(["2011", "France"]))
    '2011, France'
    """
    return ", ".join(split_key(key))


def distinct(names: Iterable[str], taken: Collection[str] = (), *, ignore_case: bool = False) -> list[str]:
    """Add `_2` and so on to names that were there before or are taken.

    >>> distinct(["price", "price", "rank"], taken=["rank"])
    ['price', 'price_2', 'rank_2']
    >>> distinct(["text", "Text", "text"], ignore_case=True)
    ['text', 'Text_2', 'text_3']
    """
    fold = str.lower if ignore_case else str
    wanted, given = list(names), {fold(name) for name in taken}
    asked = given.union(map(fold, wanted))  # a numbered name must not be one that another column asks for
    numbers = dict.fromkeys(map(fold, wanted), 2)  # a table may have a thousand columns of one name
    for place, name in enumerate(wanted):
        candidate = name
        while fold(candidate) in given or (candidate != name and fold(candidate) in asked):
            candidate = f"{name}_{numbers[fold(name)]}"
            numbers[fold(name)] += 1
        given.add(fold(candidate))
        wanted[place] = candidate
    return wanted


def quote_name(name: str) -> str:
    """Quote a name for SQL.

    >>> print(quote_name('a "b" c'))
    "a ""b"" c"
    """
    return '"' + name.replace('"', '""') + '"'
