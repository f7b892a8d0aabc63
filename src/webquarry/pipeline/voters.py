"""What readers say of the texts of pages, for the vote of all pages of a site."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from webquarry.model import Article, Selection

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def find_called(articles: Iterable[Article]) -> list[NDArray[np.int32]]:
    """For each page the texts that its reader calls content."""
    return [article.nodes[article.kept] for article in articles]


def find_refused(read: Iterable[Article | Selection]) -> list[dict[int, str]]:
    """For each page the texts that its reader left out for what they are, as an advertisement, each with the reason.

    What it left out for want of prose, or as a part of the article that is not its text, other pages may bring back.
    """
    from webquarry.reading.furniture import REASONS  # noqa: PLC0415 - NumPy is slow to import
    from webquarry.reading.names import Role  # noqa: PLC0415

    parts = Role.BYLINE | Role.LABELS | Role.CAPTION
    foreign = {reason for role, reason in REASONS.items() if not role & parts}
    return [{node: reason for node, reason in each.left_out if reason in foreign} for each in read]
