"""Word messages: counts, lists of names, suggestions; and make text of pages safe to show."""

from __future__ import annotations

import re
import stat
from collections.abc import Collection, Sequence
from difflib import get_close_matches

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
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")
# Marks that change the direction of the rest of the line; right-to-left text needs none
_DIRECTION_MARKS = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")


def list_names(names: Sequence[str], most: int = NAMES_LISTED) -> str:
    """Join names by commas; of very many the first, and how many more there are.

    >>> list_names(["title", "price"]), list_names(["title", "price", "rank", "seller"], most=2)
    ('title, price', 'title, price and 2 more')
    """
    left_out = len(names) - most
    return ", ".join(names[:most]) + (f" and {left_out:,} more" if left_out > 0 else "")


def suggest(wrong: str, known: Collection[str]) -> str:
    """Suggest the known names closest to a wrong one, or list all of them.

    >>> suggest("ofline", ["offline", "refresh"]), suggest("colour", ["offline", "refresh"])
    ("did you mean 'offline'?", 'choose from offline, refresh')
    """
    near = get_close_matches(wrong, known, n=3)
    return f"did you mean {' or '.join(map(repr, near))}?" if near else f"choose from {list_names([*known])}"


def shorten(address: str) -> str:
    """Cut an address in the middle if it is long, as a data: address may be.

    >>> shorten("https://example.org/"), len(shorten("data:" + "x" * 1000))
    ('https://example.org/', 80)
    """
    if len(address) <= MAX_SHOWN_ADDRESS:
        return address or "without an address"
    half = MAX_SHOWN_ADDRESS // 2
    return f"{address[:half]}…{address[1 - half :]}"


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
