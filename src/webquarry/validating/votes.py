"""The vote per style class: what a reader called content page by page, put right by the pages of a site together.

Any reader can be the voter, and several can: then their mean counts.  No labels are needed, and texts that the voter
missed are found as well as those that it took by mistake.  What it left out for what it is, such as an advertisement
between paragraphs, is found only where others like it are content: where a text stands says nothing against that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Document
from webquarry.validating.ballots import LABEL, Ballot, Sites, cast_all

# MERGED validating/votes/counting: Sums by class over many pages, in memory that grows with the classes and
_WAITING = 1 << 16
"""Rows that wait before they are summed up: some hundred pages."""
_RAREST = 256
"""A class that stands on fewer than one in so many pages is forgotten: what holds it decides for it anyway, and names
that are new on each page would else fill the memory."""


class Counts:
    """Rows of numbers, one a class, to which pages add."""

    def __init__(self, width: int) -> None:
        self._keys = np.zeros(0, dtype=np.uint64)
        self._sums = np.zeros((0, width))
        self._waiting: list[tuple[NDArray[np.uint64], NDArray[np.float64]]] = []
        self._pages = 0

    def __len__(self) -> int:
        """How many classes are known."""
        return len(self._keys)

    def add(self, keys: NDArray[np.uint64], rows: NDArray[np.float64]) -> None:
        """Take the rows of a page, one a class; the first number of a row is 1."""
        self._waiting.append((keys, rows))
        self._pages += 1
        if sum(len(each) for each, _ in self._waiting) > _WAITING:
            self._sum_up()

    def find(self, keys: NDArray[np.uint64]) -> NDArray[np.float64]:
        """The sums of classes; zeros for those that are unknown."""
        if self._waiting:
            self._sum_up()
        found = np.zeros((len(keys), self._sums.shape[1]))
        if len(self._keys):
            places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
            is_known = self._keys[places] == keys
            found[is_known] = self._sums[places[is_known]]
        return found

    def _sum_up(self) -> None:
        keys = np.concatenate([self._keys, *(each for each, _ in self._waiting)])
        rows = np.concatenate([self._sums, *(each for _, each in self._waiting)])
        self._keys, self._sums = sum_rows(keys, rows)
        self._waiting.clear()
        is_common = self._sums[:, 0] * _RAREST >= self._pages
        self._keys, self._sums = self._keys[is_common], self._sums[is_common]


def sum_rows(keys: NDArray[np.uint64], rows: NDArray[np.float64]) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """The distinct keys in ascending order, with the sums of their rows.

    >>> keys, rows = sum_rows(np.array([7, 3, 7], dtype=np.uint64), np.array([[1.0], [1.0], [2.0]]))
    >>> keys.tolist(), rows.tolist()
    ([3, 7], [[1.0], [3.0]])
    """
    distinct, places = np.unique(keys, return_inverse=True)
    size = len(distinct)
    return distinct, np.stack([np.bincount(places, column, minlength=size) for column in rows.T], axis=1)


# MERGED validating/votes/tallying: How the pages of a site voted: for each class of nodes, how much of it wa
# MERGED
# MERGED Texts in the same place and style are content on all pages or on none.  So each page has a vote on e
# MERGED has, the share of its bytes that was called content, and the mean decides: a page with a hundred com
# MERGED say than one with none.
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


# MERGED validating/votes/telling: What the vote of a site's pages decided, in words.
_FINE, _COARSE, _HOLDER = range(3)
"""What can have the most say on a text, as `share_say` has them."""


class _Case(NamedTuple):
    """What is alike for all texts that the same is said of."""

    decider: float
    having: float
    texts: float
    called: float
    share: float
    score: float
    is_label: float
    is_too_far: float


def tell(
    pages: float,
    sums: Sequence[NDArray[np.float64]],
    scores: NDArray[np.float64],
    is_label: NDArray[np.bool_],
    is_too_far: NDArray[np.bool_],
) -> tuple[str, ...]:
    """For each text of a page why it is content or not, by the sums of its classes, fine and coarse.

    `is_label` where that alone made it none, `is_too_far` where it was its place outside of the main element.
    """
    fine, coarse = sums
    decider = np.argmax(share_say(pages, fine, coarse), axis=0)
    rows = np.where((decider == _FINE)[:, None], fine, coarse)
    columns = [decider, *rows[:, [PAGES, PLACES, CALLED]].T, mean_share(rows), scores, is_label, is_too_far]
    cases = [*zip(*np.stack(columns).tolist(), strict=True)]
    words = {case: _say_telling(_Case(*case), pages) for case in set(cases)}
    return tuple(map(words.__getitem__, cases))


def _say_telling(case: _Case, pages: float) -> str:
    if case.is_label:
        return f"short, and once on each of {case.having:.0f} pages, outside of what holds most of the content"
    too_far = "; too little outside of what holds most of the content" if case.is_too_far else ""
    share, score = (f"{100 * each:.0f} %" for each in (case.share, case.score))
    if case.decider == _HOLDER:
        return f"stands on {case.having:.0f} of {pages:.0f} pages, so what holds it decides: {score}{too_far}"
    alike = "in this style" if case.decider == _FINE else "in this place, in any style,"
    called = f"{case.called:.0f} of {case.texts:.0f} texts {alike} were called content"
    more = "" if score == share else f", {score} with what was said of itself and of what holds it"
    return f"{called}: {share} of their bytes on a page{more}{too_far}"


# MERGED validating/votes/framing: The frame of a page: the one element of its template that holds most of th
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


# MERGED validating/votes/elections: The votes of all pages that are given together, each counted with those
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
