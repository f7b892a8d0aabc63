"""What an extraction says of one node."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A node that a system looked at: the page, where on it, and what was read there."""

    page: str
    xpath: str
    text: str | None = None
    """None when the extraction does not tell."""
    column: str | None = None
    """The column or section that it is a value of."""
    left_out: str | None = None
    """Why it was not extracted, as far as the extraction tells; None when it was."""
