"""The frame of a page: the one element of its template that holds most of the content, and labels outside of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.validating.votes.ballots import LABEL, Ballot
from webquarry.validating.votes.tallying import BYTES, LEAD, PAGES, PLACES, RUNNING

MOST = 0.6
"""The share of a page's content that the frame holds, in the mean over pages that have it.  On three pages of the site
with most comments, .5 lost .02 of F1 and .7 lost .01; on sixty it makes no difference."""
FEWEST_HAVING = 3
"""Pages that have a frame: two can be alike by chance."""
RAREST_TEMPLATE = 0.05
"""The share of pages that have a frame: a site may have several templates, but a frame is no table of some pages.  On
half of the three sites, alone and pooled, all from .02 to .1 were alike."""
NEARLY_ALL = 0.8
"""The share of the pages with a frame that have a label."""
ONCE = 1.2
"""How many times a page has what stands there once, in the mean."""
MUCH_RUNNING = 0.4
"""The share of running text in a frame whose page can have labels: .58 and more on the sites of articles, .33 and less
on four of five sites of facts."""


class Frame(NamedTuple):
    """What the vote on a page goes by."""

    pages: float
    """How many pages have the frame, which are those of the page's own template; of a page without one all pages."""
    inside: NDArray[np.bool_]
    """For each node of the page whether it stands in the frame; of a page without one all do."""
    is_there: bool = True
    is_running: bool = False
    """Whether the frame holds running text."""


def find_frame(pages: int, ballot: Ballot, sums: Sequence[NDArray[np.float64]]) -> Frame:
    """The frame of a page, by the sums of its nodes' classes over so many pages."""
    fewest = max(FEWEST_HAVING, RAREST_TEMPLATE * pages)
    can_be = np.array([_can_frame(each, fewest) for each in sums])
    can_be[:, ballot.places] = False  # texts
    candidates = np.flatnonzero(can_be.any(axis=0))
    if not len(candidates):
        return Frame(pages, np.ones(len(ballot.nodes), dtype=np.bool_), is_there=False)
    deepest = candidates[ballot.depths[candidates] == ballot.depths[candidates].max()]
    place = deepest[np.argmax(ballot.called[deepest])]
    start, stop = ballot.nodes[place], ballot.document.ends[ballot.nodes[place]]
    inside = (ballot.nodes >= start) & (ballot.nodes < stop)
    own = max((each[place] for each, can in zip(sums, can_be, strict=True) if can[place]), key=lambda row: row[PAGES])
    return Frame(float(own[PAGES]), inside, is_running=bool(own[RUNNING] >= MUCH_RUNNING * own[BYTES]))


def find_labels(frame: Frame, sums: Sequence[NDArray[np.float64]]) -> NDArray[np.bool_]:
    """For each node whether it is a title, a date or a byline: short, once a page, and outside of a frame.

    Where the frame itself is of short texts, as on a page of facts, there is nothing that these would be labels of.
    """
    if not frame.is_running:
        return np.zeros(len(frame.inside), dtype=np.bool_)
    fewest = NEARLY_ALL * frame.pages
    found = [_is_once(each, fewest) & (each[:, BYTES] <= LABEL * each[:, PAGES]) for each in sums]
    labels: NDArray[np.bool_] = np.any(found, axis=0) & ~frame.inside
    return labels


def _can_frame(sums: NDArray[np.float64], fewest: float) -> NDArray[np.bool_]:
    can_frame: NDArray[np.bool_] = _is_once(sums, fewest) & (sums[:, LEAD] >= MOST * sums[:, PAGES])
    return can_frame


def _is_once(sums: NDArray[np.float64], fewest: float) -> NDArray[np.bool_]:
    is_once: NDArray[np.bool_] = (sums[:, PAGES] >= fewest) & (sums[:, PLACES] <= ONCE * sums[:, PAGES])
    return is_once
