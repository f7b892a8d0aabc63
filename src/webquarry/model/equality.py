"""Equality by value of nouns that hold arrays."""

from __future__ import annotations

from dataclasses import fields
from typing import Any


def same_fields(one: Any, other: Any) -> bool:
    """Whether two dataclasses hold the same values; a missing number equals a missing number."""
    import numpy as np  # noqa: PLC0415

    if one is None or other is None:
        return one is other
    return all(
        np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f")
        if isinstance(mine, np.ndarray)
        else mine == theirs
        for mine, theirs in ((getattr(one, each.name), getattr(other, each.name)) for each in fields(one))
    )
