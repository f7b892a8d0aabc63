"""Extractions to reports: what looks wrong in them, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webquarry.model import Article, Document, Region, Report, Selection
from webquarry.pipeline.reading import find_reader

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from webquarry.model import Verdicts
    from webquarry.validating.vectors import Vectors

    Voted = list[NDArray[np.int32]]
    Judgement = tuple[list[Verdicts], list[str]]

Voter = Callable[[Document], Article]

SCOPES = ("page", "site", "corpus")
DEFAULT_K = 0.05
"""Neighbours as a share of the nodes: what stands on every page has more twins than any number says."""
_STOPPER = "blocks"
"""The method of reading that says where ranked nodes are dropped no further, unless a voter is given."""


def validate(
    extracted: Iterable[Article | Region | Selection],
    *,
    method: str | None = None,
    k: float | None = None,
    scope: str = "site",
    voter: str | Voter | None = None,
    scaled: bool = False,
    alpha: bool = False,
) -> Report:
    """What looks wrong in articles, regions or selections, beside the others of their page, site or corpus.

    The method is `vote` for texts and `columns` for values of records.  `knn` and `hbos` rank nodes by the vectors of
    their styles: `k` neighbours, below 1 a share of the nodes (0.05); numbers `scaled` to 0..1, colours with `alpha`.
    The voter is a method of reading or a function from documents to articles.  Without one the extraction votes
    itself, and our own reader says where ranked nodes are dropped no further.
    """
    selections = [select(each) for each in extracted]
    chosen = method or choose_method(selections)
    if chosen not in JUDGES:
        raise ValueError(f"no validating method {chosen!r}; there are {', '.join(JUDGES)}")
    if scope not in SCOPES:
        raise ValueError(f"no scope {scope!r}; there are {', '.join(SCOPES)}")
    if k is not None and not k > 0:
        raise ValueError(f"k is a number of neighbours, or below 1 a share of the nodes; {k} is neither")
    task = Task(k or DEFAULT_K, scaled, alpha, find_reader(voter) if isinstance(voter, str) else voter)
    verdicts: dict[int, Verdicts] = {}
    notes = _tell_unmapped(selections)
    for name, places in _group(selections, scope):
        judged, said = JUDGES[chosen](task, [selections[place] for place in places])
        verdicts.update(zip(places, judged, strict=True))
        notes += [f"{name}: {note}" if name else note for note in said]
    return Report(chosen, tuple(verdicts[place] for place in range(len(selections))), tuple(notes))


def select(extracted: Article | Region | Selection) -> Selection:
    """What there is to validate of what a stage gave."""
    from webquarry.validating.selecting import select_article, select_region  # noqa: PLC0415 - NumPy is slow to import

    match extracted:
        case Selection():
            return extracted
        case Article():
            return select_article(extracted)
        case Region():
            return select_region(extracted)
    raise TypeError(f"validate takes Articles, Regions and Selections, not a {type(extracted).__name__}")


def choose_method(selections: Sequence[Selection]) -> str:
    """The method for what was extracted: values of columns, or texts."""
    return "columns" if any(selection.columns for selection in selections) else "vote"


@dataclass(frozen=True)
class Task:
    """How selections that belong together are judged."""

    k: float
    scaled: bool
    alpha: bool
    voter: Voter | None

    def vote(self, group: Sequence[Selection]) -> Judgement:
        """By the vote per style class."""
        from webquarry.validating.judging import find_texts, judge_by_vote  # noqa: PLC0415

        voted = [find_texts(each) for each in group] if self.voter is None else _ask(self.voter, group)
        return judge_by_vote(group, voted)

    def compare_columns(self, group: Sequence[Selection]) -> Judgement:
        """By what values of a column have in common."""
        from webquarry.validating.columns import validate_columns  # noqa: PLC0415

        return validate_columns(group), []

    def rank_by_knn(self, group: Sequence[Selection]) -> Judgement:
        """By the distance to the nearest others, as in the paper."""
        from webquarry.validating.knn import knn_scores  # noqa: PLC0415

        return self._rank(group, lambda vectors: knn_scores(vectors.matrix, vectors.counts, k=self.k))

    def rank_by_hbos(self, group: Sequence[Selection]) -> Judgement:
        """By how rare the values of the properties are, as in the paper."""
        from webquarry.validating.hbos import hbos_scores  # noqa: PLC0415

        return self._rank(
            group, lambda vectors: hbos_scores(vectors.matrix, vectors.counts, categories=vectors.categories)
        )

    def _rank(self, group: Sequence[Selection], score: Callable[[Vectors], NDArray[np.float64]]) -> Judgement:
        from webquarry.validating.judging import judge_by_score  # noqa: PLC0415

        voted = _ask(self.voter or find_reader(_STOPPER), group)
        return judge_by_score(group, score, voted, scaled=self.scaled, alpha=self.alpha), []


JUDGES: dict[str, Callable[[Task, Sequence[Selection]], Judgement]] = {
    "vote": Task.vote,
    "columns": Task.compare_columns,
    "knn": Task.rank_by_knn,
    "hbos": Task.rank_by_hbos,
}
"""The methods of validating."""


def _ask(voter: Voter, group: Sequence[Selection]) -> Voted:
    articles = [voter(selection.document) for selection in group]
    return [article.nodes[article.kept] for article in articles]


def _tell_unmapped(selections: Sequence[Selection]) -> list[str]:
    lost = sum(len(selection.unmapped) for selection in selections)
    pages = sum(bool(selection.unmapped) for selection in selections)
    if not lost:
        return []
    return [f"{lost:,} nodes of {pages:,} pages do not stand on the page as it was read, and were not judged"]


def _group(selections: Sequence[Selection], scope: str) -> list[tuple[str, list[int]]]:
    """The places of the selections that are judged together, under the name of what they have in common."""
    from webquarry.validating.grouping import group_by_site  # noqa: PLC0415

    if scope == "corpus":
        return [("", list(range(len(selections))))]
    documents = [selection.document for selection in selections]
    if scope == "page":
        return [(document.url, [place]) for place, document in enumerate(documents)]
    return group_by_site(documents)
