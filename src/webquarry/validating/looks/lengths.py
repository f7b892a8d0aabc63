"""Lengths as browsers write computed ones, in CSS pixels: `16px`, `50%`, `auto`, `calc(10% + 2px)`, `min(8px, 50%)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?P<unit>%|[a-z]+)?|(?P<name>[a-z-]+)?(?P<mark>[(),*/+-]))",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?:px)?(?:\s|$)", re.IGNORECASE)
_FUNCTIONS: dict[str, Callable[[list[float]], float]] = {
    "": lambda parts: parts[0],
    "calc": lambda parts: parts[0],
    "min": min,
    "max": max,
    "clamp": lambda parts: max(parts[0], min(parts[1], parts[2])),
}


def parse_length(value: str, whole: float = 0.0) -> float:
    """The pixels of a length, of which percentages are parts of `whole`; of two lengths the first.

    `auto` and whatever is no length are 0: what a browser has laid out has its margins in pixels, and where it keeps
    the word, on text that runs in a line, the margin that is used is 0.

    >>> parse_length("16px"), parse_length("400"), parse_length("auto"), parse_length("10px 20px")
    (16.0, 400.0, 0.0, 10.0)
    >>> parse_length("calc(10% + 2px)", 200), parse_length("min(8px, 50%)", 10), parse_length("3.35544e+07px")
    (22.0, 5.0, 33554400.0)
    """
    if plain := _PLAIN.match(value):
        return float(plain[1])
    try:
        return _Reader(value, whole).read_sum()
    except (ValueError, LookupError, ZeroDivisionError, RecursionError):
        return 0.0


class _Reader:
    """Reads an expression from left to right."""

    def __init__(self, value: str, whole: float) -> None:
        self._tokens = _TOKEN.finditer(value)
        self._whole = whole
        self._next: re.Match[str] | None = None
        self._advance()

    def read_sum(self) -> float:
        total = self._read_product()
        while (mark := self._mark()) in ("+", "-"):
            self._advance()
            total += self._read_product() * (1 if mark == "+" else -1)
        return total

    def _read_product(self) -> float:
        product = self._read_term()
        while (mark := self._mark()) in ("*", "/"):
            self._advance()
            term = self._read_term()
            product = product * term if mark == "*" else product / term
        return product

    def _read_term(self) -> float:
        token = self._next
        if token is None:
            raise ValueError(token)
        self._advance()
        if token["number"]:
            return float(token["number"]) * (self._whole / 100 if token["unit"] == "%" else 1)
        if token["mark"] in ("-", "+"):
            return self._read_term() * (-1 if token["mark"] == "-" else 1)
        if token["mark"] != "(":
            raise ValueError(token["mark"])
        return _FUNCTIONS[(token["name"] or "").lower()](list(self._read_arguments()))

    def _read_arguments(self) -> Iterator[float]:
        yield self.read_sum()
        while self._mark() == ",":
            self._advance()
            yield self.read_sum()
        self._advance()

    def _mark(self) -> str:
        return (self._next["mark"] or "") if self._next else ""

    def _advance(self) -> None:
        self._next = next(self._tokens, None)
