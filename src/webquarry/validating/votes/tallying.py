"""How the pages of a site voted: for each class of nodes, how much of it was called content.

Texts in the same place and style are content on all pages or on none.  So each page has a vote on each class that it
has, the share of its bytes that was called content, and the mean decides: a page with a hundred comments has no more to
say than one with none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.validating.votes.ballots import Ballot
from webquarry.validating.votes.counting import Counts, sum_rows

PAGES, PLACES, CALLED, SHARE, LEAD, BYTES, RUNNING = range(7)
"""What is summed up for a class: pages that have it; nodes of it; those called content, elements in parts; for each
page the share of its bytes that was called content, and the share of the page's content that it holds; its bytes; those
of running text."""
_WIDTH = RUNNING + 1
RARITY = 2.0
"""The power of the share of pages that have a class, which is how much its own vote counts.  With 1 more of what stands
on few pages is lost from the content, as lists of names and tables; 3 is a little better on three pages of a site, and
much worse on pages of several sites of one publisher."""


class Tally:
    """The votes of a site's pages by class, fine and coarse; its memory grows with the classes and not with pages."""

    def __init__(self) -> None:
        self.pages = 0
        self._fine, self._coarse = Counts(_WIDTH), Counts(_WIDTH)

    def add(self, ballot: Ballot) -> None:
        """Count the votes of a page; one of which nothing was called content has none."""
        if not ballot.votes.any():
            return
        self.pages += 1
        for counts, keys in zip((self._fine, self._coarse), ballot.keys, strict=True):
            counts.add(*_rows(ballot, keys))

    def find(self, ballot: Ballot) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """For each node of a page the sums of its classes, fine and coarse."""
        fine, coarse = ballot.keys
        return self._fine.find(fine), self._coarse.find(coarse)


def score_nodes(
    pages: float, ballot: Ballot, fine: NDArray[np.float64], coarse: NDArray[np.float64]
) -> NDArray[np.float64]:
    """For each node of a page how much the vote of so many pages speaks for it, from 0 to 1."""
    of_fine, of_coarse, of_holder = share_say(pages, fine, coarse)
    scores: NDArray[np.float64] = of_fine * mean_share(fine) + of_coarse * mean_share(coarse)
    order = np.argsort(ballot.depths, kind="stable")
    bounds = np.flatnonzero(np.diff(ballot.depths[order])) + 1
    for level in np.split(order, bounds)[1:]:
        scores[level] += of_holder[level] * scores[ballot.holders[level]]
    return scores


def share_say(pages: float, fine: NDArray[np.float64], coarse: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each node how much say its fine class, its coarse class and what holds it have, in three rows: 1 in all.

    A class that stands on few pages is no part of the template, and has little say: the coarse class speaks in the
    place of the fine one, and what holds the node for what both leave open.
    """
    of_fine, of_both = (_say(sums, pages) for sums in (fine, coarse))
    of_coarse = np.maximum(of_both - of_fine, 0.0)
    return np.stack([of_fine, of_coarse, 1.0 - of_fine - of_coarse])


def mean_share(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each class how much of it was called content, in the mean over the pages that have it."""
    return sums[:, SHARE] / np.maximum(sums[:, PAGES], 1.0)


def measure_familiarity(pages: int, ballot: Ballot, sums: Sequence[NDArray[np.float64]]) -> float:
    """How much say the classes of a page's texts have, by bytes: near 0 for a page that is unlike the others."""
    says = np.max([_say(each[ballot.places], pages) for each in sums], axis=0)
    return float(np.average(says, weights=ballot.sizes[ballot.places]))


def _say(sums: NDArray[np.float64], pages: float) -> NDArray[np.float64]:
    return np.minimum(sums[:, PAGES] / pages, 1.0) ** RARITY


def _rows(ballot: Ballot, keys: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    none, one = np.zeros(len(keys)), np.ones(len(keys))
    columns = [none, one, ballot.called / ballot.sizes, ballot.called, none, ballot.sizes, ballot.running]
    distinct, rows = sum_rows(keys, np.stack(columns, axis=1))
    rows[:, LEAD] = rows[:, SHARE] / ballot.called[0]
    rows[:, SHARE] /= rows[:, BYTES]
    rows[:, PAGES] = 1.0
    return distinct, rows
