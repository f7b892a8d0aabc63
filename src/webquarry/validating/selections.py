"""Turn regions, extractions and articles into selections, judge these, and take out what was dropped.

Values of records are judged in `column_outliers.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import compress
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import find_inside
from webquarry.model.article import Article
from webquarry.model.document import VISUAL_VALIDATION, Document
from webquarry.model.extraction import Extraction
from webquarry.model.nouns import replace_fields
from webquarry.model.region import Region
from webquarry.model.report import Selection, Verdicts
from webquarry.model.table_columns import Field
from webquarry.validating.deletion_curves import Curve, Stop, find_spans, find_stop, rank, sum_bytes
from webquarry.validating.style_vectors import Vectors, encode
from webquarry.validating.traits import describe_styles
from webquarry.validating.votes import Decision

Order = NDArray[np.intp]
"""Nodes of all pages in the order in which they are deleted."""

Cell = TypeVar("Cell")


def select_region(region: Region) -> Selection:
    """Select the values of a region, record by record."""
    cells = [(column, column.nodes[record], column.values[record]) for record, column in _cells(region)]
    return Selection(
        document=region.document,
        nodes=np.array([node for _, node, _ in cells], dtype=np.int32),
        texts=tuple(text or "" for _, _, text in cells),
        columns=tuple(column.name for column, _, _ in cells),
    )


def select_extraction(extraction: Extraction, document: Document) -> Selection:
    """Select the values of an extraction, on the document that it was read from or another tree of the same page.

    The column of a value is its path without the numbers of repeated sections.
    """
    found = [(value, document.node(value.node)) for value in extraction.values]
    known = [(value, node) for value, node in found if node is not None]
    return Selection(
        document=document,
        nodes=np.array([node for _, node in known], dtype=np.int32),
        texts=tuple(value.text for value, _ in known),
        columns=tuple(".".join(part for part in value.path if isinstance(part, str)) for value, _ in known),
        unmapped=tuple(value.node for value, node in found if node is None),
    )


def select_article(article: Article) -> Selection:
    """Select the texts that an article keeps, with the reasons why it left out the others."""
    document, nodes = article.document, article.nodes[article.kept]
    texts = tuple(" ".join(document.texts[node].split()) for node in nodes.tolist())
    return Selection(document, nodes, texts, left_out=article.left_out)


def judge_by_score(
    selections: Sequence[Selection],
    score: Callable[[Vectors], NDArray[np.float64]],
    decisions: Sequence[Decision] | None,
    *,
    scaled: bool = False,
    alpha: bool = False,
) -> list[Verdicts]:
    """Judge by how rare looks are: drop nodes in descending score, down to where the vote says to stop.

    `score` gives a number for each distinct vector; `decisions` are those of the vote, one per page.  Without them
    nothing is dropped: a person says where to stop (`stop_deletion`).
    """
    vectors = encode([(each.document, each.nodes) for each in selections], scaled=scaled, alpha=alpha)
    scores = score(vectors)[vectors.rows]
    drops = np.zeros(len(scores), dtype=np.bool_)
    if decisions is not None:
        drops[rank(selections, scores)[: find_stop(selections, scores, decisions)]] = True
    described = describe_styles(VISUAL_VALIDATION, vectors.values, vectors.counts)
    return split_verdicts(selections, scores, drops, [described[row] for row in vectors.rows.tolist()])


def stop_deletion(verdicts: Sequence[Verdicts], stop: Stop, curves: Callable[[Order], list[Curve]]) -> list[Verdicts]:
    """Drop the nodes of all pages together in descending score, down to a stop.

    `curves` follows a deletion in an order by labels; it is called for the stop `best-f1` alone.
    """
    selections = [each.selection for each in verdicts]
    scores = np.concatenate([np.zeros(0), *(each.scores for each in verdicts)])
    order = rank(selections, scores)
    drops = np.zeros(len(scores), dtype=np.bool_)
    drops[order[: stop.count(scores[order], curves(order) if stop.kind == "best-f1" else ())]] = True
    bounds = np.cumsum([len(each) for each in selections])[:-1]
    return [replace(each, drops=own) for each, own in zip(verdicts, np.split(drops, bounds), strict=True)]


def judge_by_vote(selection: Selection, decision: Decision) -> Verdicts:
    """Judge by what the vote per style class decided on a page.

    An element is dropped when more than half of its text is; one without text, such as an image, has no vote.  Scores
    are from 0 to 1: at least .5 for what is dropped, at most .5 for what is kept.
    """
    document = selection.document
    spans = find_spans(document, selection.nodes, decision.nodes)
    shown, kept, liked = sum_bytes(document, decision.nodes, spans, decision.kept, decision.scores)
    is_hidden = document.hidden[selection.nodes] & (shown == 0)  # an element without a box may have visible text
    drops = is_hidden | (2 * kept < shown)
    shares = np.divide(liked, shown, out=(~is_hidden).astype(np.float64), where=shown > 0)
    scores = (1 - shares + drops) / 2  # the drop counts too, as more than the share decides on labels
    fates = zip(*(each.tolist() for each in (*spans, drops, is_hidden)), strict=True)
    reasons = tuple(_find_reason(decision, range(start, stop), drop, hidden) for start, stop, drop, hidden in fates)
    added = decision.kept & ~np.isin(decision.nodes, find_texts(selection))
    additions = tuple((int(decision.nodes[place]), decision.reasons[place]) for place in np.flatnonzero(added).tolist())
    return Verdicts(selection, scores, drops, reasons, additions)


def _find_reason(decision: Decision, texts: range, drop: bool, hidden: bool) -> str:
    """Find the reason of the first text in a node that has the same verdict as the node."""
    if hidden:
        return "It is not visible on the page."
    return next((decision.reasons[text] for text in texts if bool(decision.kept[text]) != drop), "")


def find_texts(selection: Selection) -> NDArray[np.int32]:
    """Find the visible texts of a selection: its own, and those in its elements."""
    document = selection.document
    is_selected = np.zeros(len(document), dtype=np.bool_)
    is_selected[selection.nodes] = True
    texts = document.seen_texts
    found: NDArray[np.int32] = texts[find_inside(document.ends, is_selected)[texts]]
    return found


def split_verdicts(
    selections: Sequence[Selection], scores: NDArray[np.float64], drops: NDArray[np.bool_], reasons: Sequence[str]
) -> list[Verdicts]:
    """Split verdicts on the nodes of all selections into those on each."""
    bounds = np.cumsum([0, *map(len, selections)]).tolist()
    return [
        Verdicts(each, scores[start:stop], drops[start:stop], tuple(reasons[start:stop]))
        for each, start, stop in zip(selections, bounds[:-1], bounds[1:], strict=True)
    ]


def drop_from_region(region: Region, verdicts: Verdicts) -> Region:
    """Take the dropped values out of a region; a record that loses all its values goes too."""
    cells = list(_cells(region))
    _check(len(cells), verdicts)
    dropped = {(record, column.name) for record, column in compress(cells, verdicts.drops.tolist())}
    left = {record for record, column in cells if (record, column.name) not in dropped}
    gone = {record for record, _ in dropped} - left
    kept = [record for record in range(len(region)) if record not in gone]
    return replace(
        region,
        spans=tuple(region.spans[record] for record in kept),
        fields=tuple(_without(column, kept, dropped) for column in region.fields),
    )


def drop_from_extraction(extraction: Extraction, verdicts: Verdicts) -> Extraction:
    """Take the dropped values out of an extraction; numbers of repeated sections stay."""
    node = verdicts.selection.document.node
    known = [place for place, value in enumerate(extraction.values) if node(value.node) is not None]
    _check(len(known), verdicts)
    dropped = set(compress(known, verdicts.drops.tolist()))
    return replace(
        extraction, values=tuple(value for place, value in enumerate(extraction.values) if place not in dropped)
    )


def drop_from_article(article: Article, verdicts: Verdicts) -> Article:
    """Take the dropped texts out of an article, with the verdicts' reasons."""
    places = np.flatnonzero(article.kept)
    _check(len(places), verdicts)
    kept, reasons = article.kept.copy(), list(article.reasons)
    kept[places[verdicts.drops]] = False
    for place in np.flatnonzero(verdicts.drops).tolist():
        reasons[places[place]] = verdicts.reasons[place]
    return replace_fields(article, kept=kept, reasons=tuple(reasons))


def _cells(region: Region) -> Iterator[tuple[int, Field]]:
    """List the values of a region, each as its record and column."""
    for record in range(len(region)):
        for column in region.columns:
            # nobody sees what is stated in the JSON of a script
            if column.values[record] is not None and column.nodes[record] is not None and not column.pointers:
                yield record, column


def _without(column: Field, records: list[int], dropped: set[tuple[int, str]]) -> Field:
    is_kept = [(record, column.name) not in dropped for record in records]

    def cut(cells: tuple[Cell | None, ...]) -> tuple[Cell | None, ...]:
        kept = zip(records, is_kept, strict=True)
        return tuple(cells[record] if keep else None for record, keep in kept) if cells else ()

    return replace(
        column,
        values=cut(column.values),
        nodes=cut(column.nodes),
        typed=cut(column.typed),
        pointers=cut(column.pointers),
    )


def _check(count: int, verdicts: Verdicts) -> None:
    if count != len(verdicts.drops):
        raise ValueError(f"these are verdicts on {len(verdicts.drops)} values, not on these {count}")
