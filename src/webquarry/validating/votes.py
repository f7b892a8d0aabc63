"""Vote per style class: correct what a reader called content page by page, by the pages of a site together.

Texts in the same place and style are content on all pages of a site or on none.  So each page has one vote on each
style class that it has, the share of the class's bytes that was called content, and the mean decides: a page with a
hundred comments has no more to say than one with none.  Any reader can be the voter; of several the mean counts.  No
labels are needed, and texts that the voter missed are found as well as those that it took by mistake.  What it left
out for what it is, such as an advertisement between paragraphs, comes back only where others like it are content.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Document
from webquarry.validating.ballots import Ballot, Sites, cast_all

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

MIN_PAGES = 3
"""Of a site, for a vote.  With three, no draw from half of the three sites lost .005 of F1 by it; of two, some did."""
MIN_SCORE = 0.3
"""The share of a class that must be called content: readers miss more content than they take boilerplate.  From .1 to
.3 all is alike on half of the three sites; more loses what few pages have."""
MIN_SCORE_BEFORE_FRAME = 0.5
"""The same before the frame, where menus are and also summaries."""
MIN_SCORE_AFTER_FRAME = 0.8
"""The same after the frame, where comments are, and teasers of other articles."""
WEIGHT_OF_OWN_VOTE = 1.0
"""Pages that the vote on the very text counts for: among few pages it is worth something."""
MIN_SHARE_OF_ALIKE = 0.5
"""The share of its own fine class that must be called content for a text to come back that a reader refused.  Names
mislead readers, as `legal` in a book of facts does, but then the others of the class are content: of 1077 such texts in
120 pages of facts all but 81 come back, and those are furniture; from .05 to .9 all is alike."""
MIN_SHARE_WITH_SAME_FRAME = 0.5
"""The share of the pages with a frame that have no deeper one.  On others it holds the frame of another template: the
page is unlike them.  On the three sites, and on two books of facts, all pages share the deepest frame."""
MIN_PAGES_REPEATING, MIN_SHARE_REPEATING = 4, 0.5
"""Pages, and the share of all, that have a sentence word for word in the same place if it is boilerplate."""
PAGES_THAT_REPEAT = 32
"""First pages of a site whose sentences are remembered."""
_MAJORITY = 0.5


@dataclass(frozen=True, eq=False)
class Decision:
    """The texts of a page that are content by the vote of its site."""

    nodes: NDArray[np.int32]
    """The texts that a reader sees and that are not blank."""
    kept: Flags
    scores: NDArray[np.float32] = field(repr=False)
    """For each text how much speaks for it, from 0 to 1."""
    reasons: tuple[str, ...] = field(repr=False)
    note: str = ""
    """Why there was no vote, such as `2 pages are too few for a vote`; empty if there was one."""
    site: str = ""
    """The host of the pages that were counted together, where it is known."""
    site_number: int = 0
    """The same for all pages that were counted together."""


def decide(
    documents: Sequence[Document],
    voted: Sequence[NDArray[np.int32]],
    *others: Sequence[NDArray[np.int32]],
    refused: Sequence[Mapping[int, str]] | None = None,
) -> list[Decision]:
    """Decide for each page of one site which texts are content.

    A voter names for each page the texts that it calls content.  `refused` has for each page the texts that a voter
    left out for what they are, each with the reason.
    """
    ballots = cast_all(documents, (voted, *others), refused)
    tally = Tally()
    for ballot in ballots:
        tally.add(ballot)
    for ballot in ballots:
        tally.add_frame(ballot)
    return [decide_page(tally, ballot) for ballot in ballots]


def decide_sites(
    documents: Sequence[Document],
    voted: Sequence[NDArray[np.int32]],
    *others: Sequence[NDArray[np.int32]],
    refused: Sequence[Mapping[int, str]] | None = None,
) -> list[Decision]:
    """Decide as `decide` does, for pages of several sites, each by the votes of its own site."""
    return decide_by_site(cast_all(documents, (voted, *others), refused))


def decide_by_site(ballots: Sequence[Ballot]) -> list[Decision]:
    """Decide for each page which texts are content, by the ballots of its own site."""
    sites, tallies, site_of = Sites(), list[Tally](), list[int]()
    for ballot in ballots:
        site = sites.place(ballot)
        if site == len(tallies):
            tallies.append(Tally())
        tallies[site].add(ballot)
        site_of.append(site)
    for ballot, site in zip(ballots, site_of, strict=True):
        tallies[site].add_frame(ballot)
    return [
        replace(decide_page(tallies[site], ballot), site=sites.names[site], site_number=site)
        for ballot, site in zip(ballots, site_of, strict=True)
    ]


def decide_page(tally: Tally, ballot: Ballot) -> Decision:
    """Decide which texts of a page are content, by the votes that were counted."""
    pages = tally.pages
    if not len(ballot.texts):
        return _keep_votes(ballot, "")
    if not pages:
        return _keep_votes(ballot, "nothing was called content on any page, so there is no vote")
    if pages < MIN_PAGES:
        return _keep_votes(ballot, f"{pages} {'page is' if pages == 1 else 'pages are'} too few for a vote")
    sums = tally.find(ballot)
    frame = find_frame(pages, ballot, sums)
    if tally.is_unlike(frame):
        return _keep_votes(ballot, f"unlike most of the {pages} pages that voted")
    scores = score_nodes(frame.pages, ballot, sums)[ballot.places]
    scores = (frame.pages * scores + WEIGHT_OF_OWN_VOTE * ballot.votes) / (frame.pages + WEIGHT_OF_OWN_VOTE)
    is_inside, is_label = frame.inside[ballot.places], find_labels(frame, sums)[ballot.places]
    is_before = np.cumsum(is_inside) == 0
    bounds = np.select([is_inside, is_before], [MIN_SCORE, MIN_SCORE_BEFORE_FRAME], MIN_SCORE_AFTER_FRAME)
    is_enough = scores >= bounds
    is_too_far = (scores >= MIN_SCORE) & ~is_enough
    of_texts = Sums(*(each[ballot.places] for each in sums))
    reasons = word_reasons(frame.pages, of_texts, scores, is_enough & is_label, is_too_far)
    decision = Decision(ballot.texts, is_enough & ~is_label, scores.astype(np.float32), reasons)
    decision = _drop_repeated(tally, ballot, _keep_lines_whole(ballot, decision), ~is_inside)
    return _refuse(ballot, decision, mean_share(of_texts.fine))


def _keep_lines_whole(ballot: Ballot, decision: Decision) -> Decision:
    """Keep or drop the texts of a line together, as most of its bytes are: a sentence goes with its links.

    What no voter called content, such as the sign by which a heading is linked to, does not come back by its line.
    """
    lines = ballot.lines
    bytes_of = ballot.sizes[ballot.places]
    share = np.bincount(lines, weights=bytes_of * decision.kept) / np.bincount(lines, weights=bytes_of)
    kept: Flags = (share[lines] >= _MAJORITY) & (decision.kept | (ballot.votes >= _MAJORITY))
    changed = zip(decision.reasons, (kept == decision.kept).tolist(), strict=True)
    reasons = tuple(reason if same else "It goes with the rest of its line." for reason, same in changed)
    return replace(decision, kept=kept, reasons=reasons)


def _drop_repeated(tally: Tally, ballot: Ballot, decision: Decision, is_outside: Flags) -> Decision:
    """Drop sentences outside the frame that most pages have word for word in the same place: they are of the site."""
    having = tally.count_repeated(ballot)
    is_repeated = decision.kept & is_outside & (having >= max(MIN_PAGES_REPEATING, MIN_SHARE_REPEATING * tally.pages))
    reasons = list(decision.reasons)
    for place in np.flatnonzero(is_repeated).tolist():
        reasons[place] = f"{having[place]:.0f} of {tally.pages} pages have the same words in this place."
    return replace(decision, kept=decision.kept & ~is_repeated, reasons=tuple(reasons))


def _refuse(ballot: Ballot, decision: Decision, alike: Floats) -> Decision:
    """Drop the refused texts whose class is mostly not content."""
    is_refused = decision.kept & (alike < MIN_SHARE_OF_ALIKE) & np.isin(ballot.texts, list(ballot.refused))
    reasons = list(decision.reasons)
    for place in np.flatnonzero(is_refused).tolist():
        reasons[place] = ballot.refused[int(ballot.texts[place])]
    return replace(decision, kept=decision.kept & ~is_refused, reasons=tuple(reasons))


def _keep_votes(ballot: Ballot, note: str) -> Decision:
    kept = ballot.votes >= _MAJORITY
    words = ("the reader did not call it content", "the reader called it content")
    reasons = tuple(words[each] for each in kept.tolist())
    return Decision(ballot.texts, kept, ballot.votes.astype(np.float32), reasons, note)


# Columns of the sums of a class: pages that have it; nodes of it; those called content, elements in parts; for each
# page the share of the class's bytes that was called content, and the share of the page's content that the class
# holds; its bytes; its bytes of running text.
PAGES, NODES, CALLED, SHARE, LEAD, BYTES, RUNNING = range(7)


class Sums(NamedTuple):
    """For each of some nodes the sums of its fine class and of its coarse class."""

    fine: Floats
    coarse: Floats


class Tally:
    """The votes of a site's pages by class; its memory grows with the classes and not with the pages."""

    def __init__(self) -> None:
        self.pages = 0
        self._fine, self._coarse = Counts(RUNNING + 1), Counts(RUNNING + 1)
        self._frames: Counter[int] = Counter()
        self._sentences: Counter[int] = Counter()

    def add(self, ballot: Ballot) -> None:
        """Count the votes of a page; a page with nothing called content has none."""
        if not ballot.votes.any():
            return
        self.pages += 1
        sentences = set(ballot.marks[ballot.running[ballot.places] > 0].tolist())
        # What most pages share is on the first ones too, so that memory does not grow with the pages.
        self._sentences.update(sentences if self.pages <= PAGES_THAT_REPEAT else sentences & self._sentences.keys())
        for counts, keys in zip((self._fine, self._coarse), ballot.classes, strict=True):
            none, one = np.zeros(len(keys)), np.ones(len(keys))
            columns = [none, one, ballot.called / ballot.sizes, ballot.called, none, ballot.sizes, ballot.running]
            distinct, rows = sum_rows(keys, np.stack(columns, axis=1))
            rows[:, LEAD] = rows[:, SHARE] / ballot.called[0]
            rows[:, SHARE] /= rows[:, BYTES]
            rows[:, PAGES] = 1.0
            counts.add(distinct, rows)

    def find(self, ballot: Ballot) -> Sums:
        """Find the sums of the classes of a page's nodes."""
        return Sums(self._fine.find(ballot.classes.fine), self._coarse.find(ballot.classes.coarse))

    def count_repeated(self, ballot: Ballot) -> Floats:
        """Count for each text of a page the pages that have the same sentence in the same place."""
        return np.array([self._sentences[mark] for mark in ballot.marks.tolist()], dtype=np.float64)

    def add_frame(self, ballot: Ballot) -> None:
        """Count the frame of a page, after the votes of all pages were counted."""
        if self.pages >= MIN_PAGES and ballot.votes.any():
            self._frames[find_frame(self.pages, ballot, self.find(ballot)).style_class] += 1

    def is_unlike(self, frame: Frame) -> bool:
        """Tell whether most pages with a frame have another one inside of it, as those of another template have."""
        return bool(self._frames) and self._frames[frame.style_class] < MIN_SHARE_WITH_SAME_FRAME * frame.pages


_MAX_WAITING = 1 << 16
"""Rows that wait before they are summed up: some hundred pages."""
_MIN_SHARE_REMEMBERED = 1 / 256
"""The share of the pages that have a class.  A rarer one is forgotten: its ancestors decide for it anyway, and names
that are new on each page would fill the memory."""


class Counts:
    """Sums of rows of numbers by class, to which pages add."""

    def __init__(self, width: int) -> None:
        self._keys = np.zeros(0, dtype=np.uint64)
        self._sums = np.zeros((0, width))
        self._waiting: list[tuple[NDArray[np.uint64], Floats]] = []
        self._pages = 0

    def __len__(self) -> int:
        """Count the classes that are known."""
        return len(self._keys)

    def add(self, keys: NDArray[np.uint64], rows: Floats) -> None:
        """Take the rows of a page, one per class; the first number of a row is 1."""
        self._waiting.append((keys, rows))
        self._pages += 1
        if sum(len(each) for each, _ in self._waiting) > _MAX_WAITING:
            self._sum_up()

    def find(self, keys: NDArray[np.uint64]) -> Floats:
        """Find the sums of classes; zeros for those that are unknown."""
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
        is_common = self._sums[:, 0] >= _MIN_SHARE_REMEMBERED * self._pages
        self._keys, self._sums = self._keys[is_common], self._sums[is_common]


def sum_rows(keys: NDArray[np.uint64], rows: Floats) -> tuple[NDArray[np.uint64], Floats]:
    """Sum the rows of each distinct key, keys ascending.

    >>> keys, rows = sum_rows(np.array([7, 3, 7], dtype=np.uint64), np.array([[1.0], [1.0], [2.0]]))
    >>> keys.tolist(), rows.tolist()
    ([3, 7], [[1.0], [3.0]])
    """
    distinct, places = np.unique(keys, return_inverse=True)
    size = len(distinct)
    return distinct, np.stack([np.bincount(places, column, minlength=size) for column in rows.T], axis=1)


RARITY_POWER = 2.0
"""The power of the share of pages that have a class, which is how much its own vote counts.  With 1 more of what few
pages have is lost from the content, as lists of names and tables; 3 is a little better on three pages of a site, and
much worse on pages of several sites of one publisher."""


def score_nodes(pages: float, ballot: Ballot, sums: Sums) -> Floats:
    """Score for each node of a page how much the vote of the pages speaks for it, from 0 to 1."""
    of_fine, of_coarse, of_parent = divide_say(pages, sums)
    scores: Floats = of_fine * mean_share(sums.fine) + of_coarse * mean_share(sums.coarse)
    order = np.argsort(ballot.depths, kind="stable")
    bounds = np.flatnonzero(np.diff(ballot.depths[order])) + 1
    for level in np.split(order, bounds)[1:]:
        scores[level] += of_parent[level] * scores[ballot.parents[level]]
    return scores


def divide_say(pages: float, sums: Sums) -> Floats:
    """Divide the say on each node among its fine class, its coarse class and its parent, in three rows: 1 in all.

    A class on few pages is not part of the template and has little say: the coarse class speaks in place of the fine
    one, and the parent for what both leave open.
    """
    of_fine, of_both = (_say(each, pages) for each in sums)
    of_coarse = np.maximum(of_both - of_fine, 0.0)
    return np.stack([of_fine, of_coarse, 1.0 - of_fine - of_coarse])


def mean_share(sums: Floats) -> Floats:
    """Return for each class the share that was called content, as the mean over the pages that have it."""
    return sums[:, SHARE] / np.maximum(sums[:, PAGES], 1.0)


def _say(sums: Floats, pages: float) -> Floats:
    return np.minimum(sums[:, PAGES] / pages, 1.0) ** RARITY_POWER


MIN_LEAD_OF_FRAME = 0.6
"""The share of a page's content that the frame holds, in the mean over pages that have it.  On three pages of the site
with most comments, .5 lost .02 of F1 and .7 lost .01; on sixty it makes no difference."""
MIN_PAGES_WITH_FRAME = 3
"""Two pages can be alike by chance."""
MIN_SHARE_OF_TEMPLATE = 0.05
"""The share of pages that have a frame: a site may have several templates, but a table on some pages is not a frame.
On half of the three sites, alone and pooled, all from .02 to .1 were alike."""
MIN_SHARE_WITH_LABEL = 0.8
"""The share of the pages with a frame that have a label."""
MAX_MEAN_LABEL_BYTES = 75
"""Of a label, in the mean over pages: titles of the three sites have up to 60, and a lead of one sentence has 90."""
MAX_TIMES_ONCE = 1.2
"""How often a page has what it has once, in the mean."""
MIN_RUNNING_OF_FRAME = 0.4
"""The share of running text in a frame whose page can have labels: .58 and more on the sites of articles, .33 and less
on four of five sites of facts."""


class Frame(NamedTuple):
    """The one element of a page's template that holds most of the content."""

    pages: float
    """How many pages have the frame, which are those of the page's own template."""
    inside: Flags
    """For each node of the page whether it is in the frame."""
    is_running: bool
    """Whether the frame holds running text."""
    style_class: int


def find_frame(pages: int, ballot: Ballot, sums: Sums) -> Frame:
    """Find the frame of a page, by the sums of its nodes' classes over the pages."""
    fewest = max(MIN_PAGES_WITH_FRAME, MIN_SHARE_OF_TEMPLATE * pages)
    can_be = np.array([_is_once(each, fewest) & (each[:, LEAD] >= MIN_LEAD_OF_FRAME * each[:, PAGES]) for each in sums])
    can_be[:, ballot.places] = False  # texts
    candidates = np.flatnonzero(can_be.any(axis=0))  # the document itself is always one
    deepest = candidates[ballot.depths[candidates] == ballot.depths[candidates].max()]
    place = int(deepest[np.argmax(ballot.called[deepest])])
    start, stop = ballot.nodes[place], ballot.ends[place]
    rows = [each[place] * can[place] for each, can in zip(sums, can_be, strict=True)]
    chosen = int(rows[1][PAGES] > rows[0][PAGES])
    own = rows[chosen]
    return Frame(
        pages=float(own[PAGES]),
        inside=(ballot.nodes >= start) & (ballot.nodes < stop),
        is_running=bool(own[RUNNING] >= MIN_RUNNING_OF_FRAME * own[BYTES]),
        style_class=int(ballot.classes[chosen][place]),
    )


def find_labels(frame: Frame, sums: Sums) -> Flags:
    """Find the nodes that are titles, dates or bylines: short, once per page, and outside the frame.

    A frame of short texts, as on a page of facts, has no labels.
    """
    if not frame.is_running:
        return np.zeros(len(frame.inside), dtype=np.bool_)
    fewest = MIN_SHARE_WITH_LABEL * frame.pages
    found = [_is_once(each, fewest) & (each[:, BYTES] <= MAX_MEAN_LABEL_BYTES * each[:, PAGES]) for each in sums]
    labels: Flags = np.any(found, axis=0) & ~frame.inside
    return labels


def _is_once(sums: Floats, fewest: float) -> Flags:
    is_once: Flags = (sums[:, PAGES] >= fewest) & (sums[:, NODES] <= MAX_TIMES_ONCE * sums[:, PAGES])
    return is_once


_FINE, _COARSE, _PARENT = range(3)
"""Rows of `divide_say`."""


def word_reasons(pages: float, sums: Sums, scores: Floats, is_label: Flags, is_too_far: Flags) -> tuple[str, ...]:
    """Say for each text of a page why it is content or not, by the sums of its classes.

    `is_label` where that alone excludes it, `is_too_far` where its place outside the frame does.
    """
    decider = np.argmax(divide_say(pages, sums), axis=0)
    rows = np.where((decider == _FINE)[:, None], sums.fine, sums.coarse)
    columns = [decider, *rows[:, [PAGES, NODES, CALLED]].T, mean_share(rows), scores, is_label, is_too_far]
    cases = [*zip(*np.stack(columns).tolist(), strict=True)]
    words = {case: _word_reason(pages, case) for case in set(cases)}
    return tuple(map(words.__getitem__, cases))


def _word_reason(pages: float, case: tuple[float, ...]) -> str:
    decider, having, texts, called, share, score, is_label, is_too_far = case
    if is_label:
        return f"A short text that is once on each of {having:.0f} pages, outside the main text: a title or byline."
    too_far = "; outside the main text that is too little" if is_too_far else ""
    of_class, of_text = f"{100 * share:.0f} %", f"{100 * score:.0f} %"
    if decider == _PARENT:
        have = "has" if having == 1 else "have"
        return (
            f"Only {having:.0f} of {pages:.0f} pages {have} a text like this, so it goes with what is around it, of "
            f"which {of_text} was called content{too_far}."
        )
    alike = "in this style" if decider == _FINE else "in this place, in any style,"
    more = "" if of_text == of_class else f", or {of_text} with this text and what is around it"
    return (
        f"On the pages of this site {called:.0f} of {texts:.0f} texts {alike} were called content, {of_class} of their "
        f"length{more}{too_far}."
    )
