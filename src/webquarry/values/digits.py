"""Runs of digits with marks between them, and the numbers that they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable

MARKS = (".", ",")
_EXACT = 2**53  # the whole numbers that a float still tells apart
_LONGEST_RUN = 15  # digits without a mark: more are never counted or measured, they name something
_ADDRESS_PARTS, _LARGEST_PART = 4, 255  # of an Internet address, which else looks like a number in groups of three


def _pattern(mark: str, group: str, more: str = "", before: str = "") -> re.Pattern[str]:
    grouped = rf"[1-9]\d{{0,2}}([{group} '])\d{{3}}(?:\2\d{{3}})*"
    return re.compile(rf"{before}(0|[1-9]\d*|{grouped}{more})(?:\{mark}(\d+))?")


_PATTERNS = {
    ".": _pattern(".", ",", r"|[1-9]\d?(?:,\d\d)+,\d{3}"),  # also lakhs and crores: 12,34,567
    ",": _pattern(",", ".", before=r"(?!\d{4},\d{4}$)"),  # 1979,1987 are two years
}
_OTHER = {".": ",", ",": "."}
_NOT_DIGITS = str.maketrans("", "", ".,' ")


def find_mark(run: str) -> str:
    """The decimal mark with which alone the run is a number; nothing when both will do, or none.

    >>> [find_mark(run) for run in ("12,5", "1,234.5", "1.234.567", "1.234", "1.2.3")]
    [',', '.', ',', '', '']
    """
    if run.isdecimal():
        return ""
    if _PATTERNS["."].fullmatch(run) is None:
        return "," if _PATTERNS[","].fullmatch(run) else ""
    return "" if _PATTERNS[","].fullmatch(run) else "."


def majority(marks: Iterable[str], otherwise: str) -> str:
    """The decimal mark that most of them are."""
    found = list(marks)
    points, commas = found.count("."), found.count(",")
    if points == commas:
        return otherwise
    return "." if points > commas else ","


def read_digits(run: str, mark: str, exponent: int = 0) -> float | None:
    """The number that a run of digits stands for, times ten to the exponent; None when it is none.

    The mark is the decimal mark to try first: a run that fits only the other is read with that.
    Zeros in front are for identifiers, and so is whatever is too long.

    >>> read_digits("1.234", ","), read_digits("1.234", "."), read_digits("1.234,5", "."), read_digits("007", ".")
    (1234, 1.234, 1234.5, None)
    """
    if run.isdecimal() and not exponent:
        return _read_whole(run)
    match = _PATTERNS[mark].fullmatch(run) or _PATTERNS[_OTHER[mark]].fullmatch(run)
    if match is None or _is_address(run):
        return None
    whole, decimals = match[1].translate(_NOT_DIGITS), match[3]
    if decimals is None and not exponent:
        number = int(whole)
        return number if number <= _EXACT else float(number)
    # One conversion of the written digits: multiplying afterwards makes 1.1 million 1100000.0000000001.
    return float(f"{whole}.{decimals or 0}e{exponent}")


def _read_whole(run: str) -> int | None:
    return None if len(run) > _LONGEST_RUN or (run[0] == "0" and len(run) > 1) else int(run)


def _is_address(run: str) -> bool:
    parts = run.split(".")
    return len(parts) == _ADDRESS_PARTS and all(part.isdecimal() and int(part) <= _LARGEST_PART for part in parts)
