"""Names of columns: as SQL likes them, and no two alike; word messages, and make page text safe for terminals."""

from __future__ import annotations

import re
import stat
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from functools import lru_cache

_HUMP = re.compile(r"(?<=[a-z]{2})(?=[A-Z])")
PAGE = "_page"
"""The column with the address of each record's page."""
FETCHED = "_fetched"
"""The column with the time at which that page was fetched."""
NAMELESS = "column"
MAX_SHOWN_ADDRESS = 80
"""Characters, in the `repr` of pages and what is made of them."""
NAMES_LISTED = 30
"""In one line of text; a table may have thousands of columns."""
_SPECIAL_FILES = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_OPEN_STREAMS = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")


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
    asked = given.union(map(fold, wanted))  # a number must not take a name that another column has by right
    numbers = dict.fromkeys(map(fold, wanted), 2)  # a table may have a thousand columns of one name
    for place, name in enumerate(wanted):
        candidate = name
        while fold(candidate) in given or (candidate != name and fold(candidate) in asked):
            candidate = f"{name}_{numbers[fold(name)]}"
            numbers[fold(name)] += 1
        given.add(fold(candidate))
        wanted[place] = candidate
    return wanted


def list_names(names: Sequence[str], most: int = NAMES_LISTED) -> str:
    """Join names by commas; of very many the first, and how many more there are.

    >>> list_names(["title", "price"]), list_names(["title", "price", "rank", "seller"], most=2)
    ('title, price', 'title, price and 2 more')
    """
    left_out = len(names) - most
    return ", ".join(names[:most]) + (f" and {left_out:,} more" if left_out > 0 else "")


def suggest(wrong: str, known: Collection[str]) -> str:
    """Say which of the known names come near to a wrong one, or else which there are.

    >>> suggest("ofline", ["offline", "refresh"]), suggest("colour", ["offline", "refresh"])
    ("did you mean 'offline'?", 'there are offline, refresh')
    """
    near = get_close_matches(wrong, known, n=3)
    return f"did you mean {' or '.join(map(repr, near))}?" if near else f"there are {list_names([*known])}"


def shorten(address: str) -> str:
    """Cut an address in the middle if it is long, as a data: address may be.

    >>> shorten("https://example.org/"), len(shorten("data:" + "x" * 1000))
    ('https://example.org/', 80)
    """
    if len(address) <= MAX_SHOWN_ADDRESS:
        return address or "without an address"
    half = MAX_SHOWN_ADDRESS // 2
    return f"{address[:half]}…{address[1 - half :]}"


_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")
# Marks that change the direction of the rest of the line; right-to-left text needs none
_DIRECTION_MARKS = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")


def count(number: int, thing: str) -> str:
    """Count things, in the singular for one.

    >>> count(1, "node"), count(1204, "node")
    ('1 node', '1,204 nodes')
    """
    return f"{number:,} {thing}{'s' * (number != 1)}"


def whole(text: str) -> str:
    """Join or replace halves of surrogate pairs, which scripts can make and no file can hold."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def printable(text: str) -> str:
    """Put a text on one line that is safe for a terminal.

    >>> printable("one\\n two\\x1b[2J")
    'one two\ufffd[2J'
    """
    return printable_line(" ".join(text.split()))


def printable_line(line: str) -> str:
    """Replace control characters, which could move the cursor or hide earlier output; keep spaces."""
    return _CONTROLS.sub("\ufffd", _DIRECTION_MARKS.sub("", whole(line)))


def describe_special_file(path: str, mode: int) -> str:
    """Name what a file of this mode is if reading it may never end; empty for files, folders and open streams.

    >>> describe_special_file("page.html", stat.S_IFIFO), describe_special_file("/dev/fd/63", stat.S_IFIFO)
    ('a named pipe', '')
    """
    if path.startswith(_OPEN_STREAMS):  # a shell opens them for `<(command)`
        return ""
    return next((name for is_kind, name in _SPECIAL_FILES if is_kind(mode)), "")
