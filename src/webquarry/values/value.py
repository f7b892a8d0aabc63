"""What a text says, as a value that can be computed with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Value:
    """A number, a date or a truth, and its unit where it has one: a currency as in ISO 4217, or as written."""

    value: float | date | bool
    unit: str | None = None
