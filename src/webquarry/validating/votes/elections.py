"""The votes of all pages that are given together, each counted with those of its own site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document
from webquarry.validating.votes.ballots import Ballot, cast_all
from webquarry.validating.votes.sites import Sites
from webquarry.validating.votes.tallying import Tally
from webquarry.validating.votes.voting import Decision, decide_page


class Election:
    """Votes of pages that come one after the other; the caller keeps of each no more than the number of its site."""

    def __init__(self) -> None:
        self._sites = Sites()
        self._tallies: list[Tally] = []

    def add(self, ballot: Ballot) -> int:
        """Count the votes of a page; the number of its site."""
        site = self._sites.place(ballot)
        if site == len(self._tallies):
            self._tallies.append(Tally())
        self._tallies[site].add(ballot)
        return site

    def decide(self, ballot: Ballot, site: int) -> Decision:
        """Which texts of a page of a site are content, when all pages have voted."""
        return replace(decide_page(self._tallies[site], ballot), site=self._sites.names[site])


def decide_sites(
    documents: Sequence[Document],
    voted: Sequence[NDArray[np.int32]],
    *others: Sequence[NDArray[np.int32]],
    refused: Sequence[Mapping[int, str]] | None = None,
) -> list[Decision]:
    """For each page which texts are content, by the vote of those that are of its site; voters as of `decide`."""
    ballots = cast_all(documents, (voted, *others), refused)
    election = Election()
    sites = [election.add(ballot) for ballot in ballots]
    return [election.decide(*pair) for pair in zip(ballots, sites, strict=True)]
