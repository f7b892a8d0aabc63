"""Validate what stages extracted: report what looks wrong, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from typing import NamedTuple, TypedDict, Unpack

from webquarry.model.article import Article
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction
from webquarry.model.region import Region
from webquarry.model.report import Report, Selection, Verdicts
from webquarry.model.wording import count
from webquarry.pipeline.call_arguments import OptionSet, a_or_an, takes
from webquarry.pipeline.read_pages import find_called, find_reader, find_refused
from webquarry.validating.ballots import group_by_site
from webquarry.validating.column_outliers import validate_columns
from webquarry.validating.deletion_curves import MIN_PAGES, Curve, Stop, parse_stop
from webquarry.validating.labelled_quality import Label, LabelledNodes
from webquarry.validating.outliers import SCORES
from webquarry.validating.selections import (
    Order,
    drop_from_article,
    drop_from_extraction,
    drop_from_region,
    find_texts,
    judge_by_score,
    judge_by_vote,
    select_article,
    select_extraction,
    select_region,
    stop_deletion,
)
from webquarry.validating.style_vectors import Floats, Vectors
from webquarry.validating.votes import decide, decide_sites

Voter = Callable[[Document], Article]
AnyLabels = Sequence[Label] | Callable[[Sequence[Document]], Sequence[Label]]
"""Labels, or a function that makes those of documents."""
AnyExtraction = Article | Region | Selection | tuple[Extraction, Document]
"""What can be validated; an extraction comes with the document that it is compared on."""

SCOPES = ("page", "site", "corpus")
DEFAULT_K = 0.05
"""Neighbours as a share of the nodes: boilerplate that is on every page has more twins than any fixed number."""
LOOKING = tuple(SCORES)
"""The methods that go by the look of nodes alone, which need rendered pages."""
_TAKEN = "validate takes Articles, Regions, Selections and pairs of an Extraction and its Document"
_DEFAULT_READER = "blocks"
"""The method of reading that decides where to stop dropping ranked nodes, unless a voter is given."""


class JudgeOptions(TypedDict, total=False):
    """The options of validating."""

    method: str | None
    """`vote` (default for texts), `columns` (default for records), or by style `knn`, `kth-nn`, `hbos`, `hbos-joined`,
    `hbos-dynamic` and `hbos-pyod`, which need rendered documents."""
    k: float | None
    """For `knn` and `kth-nn`: the number of neighbours; below 1 a share of the nodes (0.05)."""
    scope: str | None
    """Compare nodes within a `page` (default for listings), a `site` (default otherwise) or the `corpus`."""
    voter: str | Voter | None
    """A method of reading, or a function from documents to articles, that votes instead of the extraction itself."""
    scaled: bool
    """For `knn` and `hbos`: scale numbers to 0..1."""
    alpha: bool
    """For `knn` and `hbos`: include the alpha of colours."""
    stop: str | None
    """For `knn` and `hbos`: drop up to `best-f1` by labels, so many `nodes:40`, a `share:0.1` of the nodes, or all from
    a `score:2.5` on; by default a vote of the pages says where."""
    labels: AnyLabels | None
    """For the stop `best-f1`: what is content; or a function that gives it for documents, as `label_by_selector`."""
    recalls: Sequence[float]
    """For the stop `best-f1`: recalls to assume, if labels are of the extracted nodes alone."""


def make_task(
    selections: Sequence[Selection],
    *,
    method: str | None = None,
    k: float | None = None,
    scope: str | None = None,
    voter: str | Voter | None = None,
    scaled: bool = False,
    alpha: bool = False,
    stop: str | None = None,
    labels: AnyLabels | None = None,
    recalls: Sequence[float] = (),
) -> Task:
    """Choose how to judge selections; raises for options that do not go with them."""
    chosen = method or choose_method(selections)
    if chosen not in JUDGES:
        raise ValueError(f"no validating method {chosen!r}; choose from {', '.join(JUDGES)}")
    scope = scope or choose_scope(chosen, selections)
    if scope not in SCOPES:
        raise ValueError(f"no scope {scope!r}; choose from {', '.join(SCOPES)}")
    if k is not None and not 0 < k < inf:
        raise ValueError(f"k is a number of neighbours, or below 1 a share of the nodes; {k} is neither")
    if chosen in LOOKING and any(each.document.layout is None for each in selections):
        raise ValueError(f"{chosen} goes by how pages look, and not all of these were rendered; use wq.render, or vote")
    reader = find_reader(voter) if isinstance(voter, str) else voter
    wanted = None if stop is None else parse_stop(stop)
    if wanted is not None and chosen not in LOOKING:
        raise ValueError(f"a stop is for methods that rank nodes by their look, {', '.join(LOOKING)}; not for {chosen}")
    if wanted is not None and wanted.kind == "best-f1" and labels is None:
        raise ValueError("the stop best-f1 needs labels; give them with labels=, as wq.load_labels loads them")
    return Task(chosen, scope, k or DEFAULT_K, scaled, alpha, reader, wanted, labels, tuple(recalls))


JUDGING = OptionSet(JudgeOptions, make_task)


@takes(JUDGING)
def validate(extracted: AnyExtraction | Iterable[AnyExtraction], **options: Unpack[JudgeOptions]) -> Report:
    """Report what looks wrong in an extraction, beside the others of its page, site or corpus.

    extracted: articles, regions or selections; an extraction by a wrapper in a pair with its document.

    >>> import webquarry as wq
    >>> rows = "".join(f"<tr><td>Item {number}<td class=price>{number}.50 EUR" for number in range(1, 9))
    >>> markup = f"<table><tr><th>Name<th>Price{rows}<tr><td>Rope<td><a>Get the card and save!</a></table>"
    >>> [text for page, text, reason in wq.validate(wq.table(wq.Document(markup))).pages[0].dropped]
    ['Get the card and save!']
    """
    selections = [select(each) for each in _to_list(extracted)]
    task = make_task(selections, **options)
    chosen = task.method
    verdicts: dict[int, Verdicts] = {}
    reasons: Counter[Unjudged] = Counter()
    for places in _group(selections, chosen, task.scope):
        judged, unjudged = JUDGES[chosen](task, [selections[place] for place in places])
        verdicts.update(zip(places, judged, strict=True))
        reasons.update(unjudged)
    notes = [f"{each.reason}: {each.outcome} {count(pages, 'page')}{each.advice}" for each, pages in reasons.items()]
    pages = task.stop_at(verdicts[place] for place in range(len(selections)))
    return Report(chosen, pages, (*_note_unmapped(selections), *notes))


def drop(extracted: AnyExtraction | Iterable[AnyExtraction], report: Report) -> list[Article | Region | Extraction]:
    """Take out what the report on it says to drop; of pairs the extractions are given.

    extracted: what was validated.
    report: what `validate` gave for it.

    >>> import webquarry as wq
    >>> rows = "".join(f"<tr><td>Item {number}<td class=price>{number}.50 EUR" for number in range(1, 9))
    >>> markup = f"<table><tr><th>Name<th>Price{rows}<tr><td>Rope<td><a>Get the card and save!</a></table>"
    >>> offers = wq.table(wq.Document(markup))
    >>> wq.drop(offers, wq.validate(offers))[0][8].values
    {'Name': 'Rope'}
    """
    if not isinstance(report, Report):
        raise TypeError(f"drop takes a Report, not {a_or_an(report)}; get one with wq.validate")
    left: list[Article | Region | Extraction] = []
    for each, verdicts in zip(_to_list(extracted), report.pages, strict=True):
        match each:
            case Article():
                left.append(drop_from_article(each, verdicts))
            case Region():
                left.append(drop_from_region(each, verdicts))
            case (Extraction() as extraction, _):
                left.append(drop_from_extraction(extraction, verdicts))
            case _:
                raise TypeError("cannot drop from a Selection; its nodes that are left are selection.nodes[~drops]")
    return left


def _to_list(extracted: AnyExtraction | Iterable[AnyExtraction]) -> Iterable[AnyExtraction]:
    if isinstance(extracted, Article | Region | Selection):
        return [extracted]
    match extracted:
        case (Extraction() as extraction, Document() as document):
            return [(extraction, document)]
    if isinstance(extracted, str | Path) or not isinstance(extracted, Iterable):
        advice = "; for a file use wq.validate_extractions([wq.load_extraction(...)])"
        raise TypeError(f"{_TAKEN}, not {a_or_an(extracted)}{advice * isinstance(extracted, str | Path)}")
    return extracted


def select(extracted: AnyExtraction) -> Selection:
    """Select what there is to validate in what a stage gave."""
    match extracted:
        case Selection():
            return extracted
        case Article():
            return select_article(extracted)
        case Region():
            return select_region(extracted)
        case (Extraction() as extraction, Document() as document):
            return select_extraction(extraction, document)
    raise TypeError(f"{_TAKEN}, not {a_or_an(extracted)}")


def resolve_labels(labels: AnyLabels, documents: Sequence[Document]) -> Sequence[Label]:
    """Return the labels; make them for these documents if a function was given."""
    return labels(documents) if callable(labels) else labels


def choose_method(selections: Sequence[Selection]) -> str:
    """Choose the method for values of columns, or for texts."""
    return "columns" if any(selection.columns for selection in selections) else "vote"


def choose_scope(method: str, selections: Sequence[Selection]) -> str:
    """Choose to compare values of a listing with the others of their page, all else with the site.

    Columns that were found page by page share names only by chance.
    """
    listings = sum(len(set(each.columns)) < len(each.columns) for each in selections)
    return "page" if method == "columns" and 2 * listings > len(selections) else "site"


def _group(selections: Sequence[Selection], method: str, scope: str) -> list[list[int]]:
    """Group the places of selections that are judged together; the vote itself splits pages by site."""
    places = list(range(len(selections)))
    if scope == "page":
        return [[place] for place in places]
    if scope == "corpus" or method == "vote":
        return [places]
    return group_by_site([selection.document for selection in selections])


class Unjudged(NamedTuple):
    """The reason why a page could not be judged, and what to do."""

    reason: str
    outcome: str
    """The start of the message, such as `nothing is dropped from`."""
    advice: str = ""


Judgement = tuple[list[Verdicts], list[Unjudged]]


@dataclass(frozen=True)
class Task:
    """A way to judge selections that belong together."""

    method: str
    scope: str
    k: float
    scaled: bool
    alpha: bool
    voter: Voter | None
    stop: Stop | None = None
    labels: AnyLabels | None = None
    recalls: tuple[float, ...] = ()

    def stop_at(self, verdicts: Iterable[Verdicts]) -> tuple[Verdicts, ...]:
        """Drop up to the stop that was asked for, if any."""
        pages = tuple(verdicts)
        if self.stop is None or not pages:
            return pages

        def follow(order: Order) -> list[Curve]:
            selections = [each.selection for each in pages]
            labels = resolve_labels(self.labels or (), [each.document for each in selections])
            return LabelledNodes(selections, labels, self.recalls).follow(order)

        return tuple(stop_deletion(pages, self.stop, follow))

    def vote(self, group: Sequence[Selection]) -> Judgement:
        """Judge by the vote per style class."""
        documents = [each.document for each in group]
        choose = decide_sites if self.scope == "site" else decide
        if self.voter is None:
            voters = group
            outcome = (
                "nothing is dropped from",
                f"; give more pages of a site, or choose a voter, such as --voter {_DEFAULT_READER}",
            )
        else:
            voters = [select(self.voter(document)) for document in documents]
            outcome = "what the voter does not call content is dropped from", ""
        decisions = choose(documents, [*map(find_texts, voters)], refused=find_refused(voters))
        verdicts = [*map(judge_by_vote, group, decisions)]
        return verdicts, [Unjudged(each.note, *outcome) for each in decisions if each.note]

    def compare_columns(self, group: Sequence[Selection]) -> Judgement:
        """Judge by what values of a column have in common."""
        return validate_columns(group), []

    def rank(self, group: Sequence[Selection], *, method: str) -> Judgement:
        """Judge by how odd nodes look, as the paper does; a stop that was asked for is applied to all groups later."""

        def score(vectors: Vectors) -> Floats:
            return SCORES[method](vectors, self.k)

        if self.stop is not None:
            return judge_by_score(group, score, None, scaled=self.scaled, alpha=self.alpha), []
        documents = [each.document for each in group]
        articles = [*map(self.voter or find_reader(_DEFAULT_READER), documents)]
        decisions = decide(documents, find_called(articles), refused=find_refused(articles))
        verdicts = judge_by_score(group, score, decisions, scaled=self.scaled, alpha=self.alpha)
        if len(group) >= MIN_PAGES:
            return verdicts, []
        reason = f"{count(len(group), 'page')} cannot tell what is odd enough, it takes {MIN_PAGES}"
        corpus = ", compare with the corpus" if self.scope != "corpus" else ""
        advice = (
            f"; give more pages{' of a site' if corpus else ''}{corpus}, or say where to stop, as in --stop share:0.1"
        )
        return verdicts, [Unjudged(reason, "nothing is dropped from", advice)] * len(group)


JUDGES: dict[str, Callable[[Task, Sequence[Selection]], Judgement]] = {
    "vote": Task.vote,
    "columns": Task.compare_columns,
    **{method: partial(Task.rank, method=method) for method in LOOKING},
}
"""The methods of validating."""


def _note_unmapped(selections: Sequence[Selection]) -> list[str]:
    lost = [selection for selection in selections if selection.unmapped]
    if not lost:
        return []
    nodes = sum(len(selection.unmapped) for selection in lost)
    told = f"{count(nodes, 'node')} of {count(len(lost), 'page')} {'was' if nodes == 1 else 'were'} not found"
    has_run = any(each.document.kind == "scripts" for each in lost)
    scripts = "if scripts remove it, leave out --scripts" if has_run else "if scripts add it, use --scripts"
    advice = f"if pages have changed, extract again or give an archive of the old ones (--pages); {scripts}"
    return [f"{told} and not judged, the first: {lost[0].unmapped[0]} of {lost[0].document.url}; {advice}"]
