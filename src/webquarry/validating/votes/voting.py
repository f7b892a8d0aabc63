"""The vote per style class: what a reader called content page by page, put right by the pages of a site together.

Any reader can be the voter, and several can: then their mean counts.  No labels are needed, and texts that the voter
missed are found as well as those that it took by mistake.  What it left out for what it is, such as an advertisement
between paragraphs, is found only where others like it are content: where a text stands says nothing against that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document
from webquarry.validating.votes.ballots import Ballot, cast_all
from webquarry.validating.votes.framing import find_frame, find_labels
from webquarry.validating.votes.tallying import Tally, mean_share, measure_familiarity, score_nodes
from webquarry.validating.votes.telling import tell

FEWEST_PAGES = 3
"""Of a site, for a vote.  With three, no draw from half of the three sites lost .005 of F1 by it; of two, some did."""
ENOUGH = 0.3
"""The share of a class that must be called content: readers miss more of it than they take of what is none.  From .1 to
.3 all is alike on half of the three sites; more loses what few pages have."""
ENOUGH_BEFORE = 0.5
"""The same before the frame, where menus stand and also summaries."""
ENOUGH_AFTER = 0.8
"""The same after the frame, where comments stand, and what else there is to read."""
OWN_WORD = 1.0
"""How many pages it weighs what the voters said of the very text: among few pages it is worth something."""
MOST_ALIKE = 0.5
"""The share of its own fine class that must be called content for a text to come back that a reader refused.  Names
mislead readers, as `legal` in a book of facts does, but then the others of the class are content: of 1077 such texts in
120 pages of facts all but 81 come back, and those are furniture; from .05 to .9 all is alike."""
FAMILIAR = 0.3
"""The least familiarity of a page that has no frame: 95 in 100 pages of the three sites have .38 and more among 3 to 60
of their own, and all have .22 at most among those of another."""
_HALF = 0.5


@dataclass(frozen=True, eq=False)
class Decision:
    """Which texts of a page are content by the vote of its site."""

    nodes: NDArray[np.int32]
    """The texts that a reader sees and that are not blank."""
    kept: NDArray[np.bool_]
    scores: NDArray[np.float32] = field(repr=False)
    """For each text how much speaks for it, from 0 to 1."""
    reasons: tuple[str, ...] = field(repr=False)
    note: str = ""
    """Why there was no vote, if there was none, such as `2 pages are too few for a vote`."""
    site: str = ""
    """The host of the pages that were counted together, where it is known."""


def decide(
    documents: Sequence[Document],
    voted: Sequence[NDArray[np.int32]],
    *others: Sequence[NDArray[np.int32]],
    refused: Sequence[Mapping[int, str]] | None = None,
) -> list[Decision]:
    """For each page of a site which texts are content; a voter names for each page the texts that it calls so.

    `refused` are for each page the texts that a voter left out for what they are, each with the reason.
    """
    ballots = cast_all(documents, (voted, *others), refused)
    tally = Tally()
    for ballot in ballots:
        tally.add(ballot)
    return [decide_page(tally, ballot) for ballot in ballots]


def decide_page(tally: Tally, ballot: Ballot) -> Decision:
    """Which texts of a page are content, by the votes that were counted."""
    pages = tally.pages
    if not len(ballot.texts):
        return _leave(ballot, "")
    if not pages:
        return _leave(ballot, "nothing was called content on any page, so that none has a vote")
    if pages < FEWEST_PAGES:
        return _leave(ballot, f"{pages} {'page is' if pages == 1 else 'pages are'} too few for a vote")
    sums = tally.find(ballot)
    frame = find_frame(pages, ballot, sums)
    if not frame.is_there and measure_familiarity(pages, ballot, sums) < FAMILIAR:
        return _leave(ballot, f"unlike the other pages, which are {pages}")
    scores = score_nodes(frame.pages, ballot, *sums)[ballot.places]
    scores = (frame.pages * scores + OWN_WORD * ballot.votes) / (frame.pages + OWN_WORD)
    is_inside, is_label = frame.inside[ballot.places], find_labels(frame, sums)[ballot.places]
    is_before = np.cumsum(is_inside) == 0
    is_enough = scores >= np.select([is_inside, is_before], [ENOUGH, ENOUGH_BEFORE], ENOUGH_AFTER)
    is_too_far = (scores >= ENOUGH) & ~is_enough
    reasons = tell(frame.pages, [each[ballot.places] for each in sums], scores, is_enough & is_label, is_too_far)
    decision = Decision(ballot.texts, is_enough & ~is_label, scores.astype(np.float32), reasons)
    return _refuse(ballot, decision, mean_share(sums[0])[ballot.places])


def _refuse(ballot: Ballot, decision: Decision, alike: NDArray[np.float64]) -> Decision:
    """The decision without what it keeps of the texts that are refused, where others like them are no content."""
    is_refused = decision.kept & (alike < MOST_ALIKE) & np.isin(ballot.texts, list(ballot.refused))
    reasons = list(decision.reasons)
    for place in np.flatnonzero(is_refused).tolist():
        reasons[place] = ballot.refused[int(ballot.texts[place])]
    return replace(decision, kept=decision.kept & ~is_refused, reasons=tuple(reasons))


def _leave(ballot: Ballot, note: str) -> Decision:
    """What the voters said, as it is."""
    kept = ballot.votes >= _HALF
    words = ("the reader did not call it content", "the reader called it content")
    return Decision(
        ballot.texts, kept, ballot.votes.astype(np.float32), tuple(words[each] for each in kept.tolist()), note
    )
