"""What one place of a page states, as it is written there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Statements:
    """What one place of a page states of its article; of each thing the most trusted first."""

    titles: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    """Each one person, or a line that names several."""
    dates: tuple[str, ...] = ()
    """When it was published."""
    page_dates: tuple[str, ...] = ()
    """When the page was put up or changed: it may be an article's, and most pages of a site that are none state it."""
    languages: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
