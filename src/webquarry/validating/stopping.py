"""Where to stop deleting when nobody has labelled the nodes.

The scores alone do not tell: no rule on their gaps or their shape was safe.  A second opinion does, even a weak one,
when style classes are asked and not nodes.  A voter, any extractor, says of each page which texts are content; a class
of texts of one style is content as far as the voter said so on its pages.  One page on which all was content is added
to each class, so that what stands on few pages is not judged by a voter's mistake on them: furniture stands on many.
What was so found is read in two ways, as a share and as yes or no, and the deletion stops where F1 has risen most in
the worse of the two; it is left alone unless that is worth it.

Measured on three sites (halves of 60 pages, all together too), three extractions and 19 scores: with Boilerpipe as
voter .63 of the oracle's gain on the half that the constants were chosen on and .64 on the other, with trafilatura .79
and .82; worst case 0 and -0.17 %.  From 5 pages of a site .47 and .77, from one or two pages nothing is deleted.  It
fails where a voter is wrong about a style on most pages.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.html.kinds import Kind
from webquarry.model import Document, Selection
from webquarry.validating.deleting import Curve, follow, rank, weigh
from webquarry.validating.styles import gather_styles

ENOUGH = 0.3
"""The share from which on a style is content when yes or no is asked; from .2 to .3 all gave the same."""
PRIOR = 1.0
"""Pages on which all was content that are added to each style; without it single pages cost up to 77 % of F1."""
WORTH = 0.01
"""By which share F1 must rise; with half of it some cases lost .9 %, with twice of it a tenth of the gain is lost."""

Floats = NDArray[np.float64]
Nodes = NDArray[np.int32]


def find_stop(selections: Sequence[Selection], scores: Floats, voted: Sequence[Nodes]) -> int:
    """How many nodes to delete, in the order of `rank`; nodes of one score go together or stay together.

    `scores` are those of the nodes of all pages, `voted` are for each page the texts that the voter calls content.
    """
    documents = [selection.document for selection in selections]
    texts = [find_texts(document) for document in documents]
    nodes = [selection.nodes for selection in selections]
    classes = gather_styles(zip(documents * 2, texts + nodes, strict=True)).places
    weights = weigh(document.texts[node] for document, each in zip(documents, texts, strict=True) for node in each)
    votes = np.concatenate([np.zeros(0, dtype=np.bool_), *map(np.isin, texts, voted)])
    pages = np.repeat(np.arange(len(documents)), list(map(len, texts)))
    beliefs = share_votes(classes, pages, weights, votes)[classes]
    order = rank(selections, scores)
    extracted = weigh(text for selection in selections for text in selection.texts)
    curves = [
        follow(order, belief[len(pages) :], extracted, float(weights @ belief[: len(pages)]))
        for belief in (beliefs, (beliefs >= ENOUGH).astype(np.float64))
    ]
    return choose_stop(curves, scores[order])


def share_votes(
    classes: NDArray[np.intp], pages: NDArray[np.intp], weights: Floats, votes: NDArray[np.bool_]
) -> Floats:
    """For each class the share that is content: the mean over its pages, and over those that are added.

    `classes` may go on behind the texts that were voted on; a class that has none of these is content.
    """
    known = classes[: len(pages)].astype(np.int64) * (len(pages) + 1) + pages
    parts, places = np.unique(known, return_inverse=True)
    shares = np.bincount(places, weights * votes) / np.bincount(places, weights)
    owners = parts // (len(pages) + 1)
    count = int(classes.max(initial=-1)) + 1
    sums, counts = np.bincount(owners, shares, count), np.bincount(owners, minlength=count)
    mean: Floats = np.divide(sums + PRIOR, counts + PRIOR, dtype=np.float64)
    return mean


def choose_stop(curves: Sequence[Curve], scores: Floats) -> int:
    """Where the least of the gains in F1 is highest, if it is worth it; `scores` are in the order of the deletion."""
    if any(curve.f1[0] == 0 for curve in curves):
        return 0
    gains = np.min([curve.f1 / curve.f1[0] for curve in curves], axis=0)
    is_between = np.concatenate([[True], scores[1:] != scores[:-1], [True]])[: len(gains)]
    stop = int(np.argmax(np.where(is_between, gains, 0.0)))
    return stop if gains[stop] >= 1 + WORTH else 0


def find_texts(document: Document) -> Nodes:
    """The texts that a reader sees and that are not blank."""
    seen = np.flatnonzero((document.kinds == Kind.TEXT) & ~document.hidden).tolist()
    return np.array([node for node in seen if document.texts[node].strip()], dtype=np.int32)
