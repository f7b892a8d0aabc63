"""Compare the CPU time and the scores of our k-NN and HBOS with PyOD's, on the looks of real pages.

Nodes are the visible texts of pages of three sites, repeated until there are enough, so there are only as many
different looks as the sites have.  Ours starts from laid-out documents, PyOD from the finished matrix.  The last row
is our worst case: every node looks different, and both start from the matrix.  Our time is the shortest of three
runs; PyOD's is of one run, after a short one that compiles it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.findings import Finding
from benchmarks.outliers.sites import SITES, rendered_site
from benchmarks.queries.timing import measure
from webquarry.model.document import Document
from webquarry.rendering.browser import find_browser
from webquarry.validating.outliers import knn_scores, pyod_hbos_scores
from webquarry.validating.style_vectors import Vectors, encode

PAGES = 30  # of each site
NEIGHBOURS = 200  # k above which the paper gains little
KNN_NODES, HBOS_NODES, DIFFERENT_NODES = (10_000, 100_000), (1_000_000,), (10_000,)
ROUNDS = 3
KNN, HBOS, DIFFERENT = "k-NN", "HBOS", "k-NN, all different"
FLOORED = {KNN: KNN_NODES[-1], HBOS: HBOS_NODES[-1]}

Floats = NDArray[np.float64]
Pages = list[tuple[Document, NDArray[np.int32]]]


@dataclass(frozen=True)
class Comparison:
    """Our time and PyOD's on the same nodes."""

    method: str
    nodes: int
    looks: int
    """The number of different looks."""
    ours: float
    """CPU seconds."""
    theirs: float
    apart: float
    """The largest difference between two scores of a node."""

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours


def run_outlier_speed(root: Path, count: int | None = None) -> Finding | None:
    """Compare with PyOD; None without the sites, a browser or PyOD.  With `count`, use a tenth of the nodes."""
    if find_browser() is None or importlib.util.find_spec("pyod") is None or not (root / "sites").is_dir():
        return None
    share = 10 if count else 1
    documents = [page for site in SITES for page in rendered_site(root, site, min(PAGES, count or PAGES))]
    pages = [(document, document.seen_texts) for document in documents]
    compared = [
        *(_compare(KNN, take_nodes(pages, nodes // share), _knn, _pyod_knn) for nodes in KNN_NODES),
        *(_compare(HBOS, take_nodes(pages, nodes // share), _hbos, _pyod_hbos) for nodes in HBOS_NODES),
        *(_compare_different(take_nodes(pages, nodes // share)) for nodes in DIFFERENT_NODES),
    ]
    return _report(compared, len(documents))


def take_nodes(pages: Pages, count: int) -> Pages:
    """Repeat the pages until they have `count` nodes in total."""
    taken: Pages = []
    for document, nodes in cycle(pages):
        taken.append((document, nodes[:count]))
        count -= len(nodes)
        if count <= 0:
            return taken
    return taken


def _compare(
    method: str, pages: Pages, ours: Callable[[Vectors], Floats], theirs: Callable[[Floats], Floats]
) -> Comparison:
    vectors = encode(pages)
    matrix = vectors.matrix[vectors.rows]
    theirs(matrix[: 2 * NEIGHBOURS])  # compiles on first call

    def score() -> Floats:
        encoded = encode(pages)
        return ours(encoded)[encoded.rows]

    return _time(method, len(vectors.matrix), score, lambda: theirs(matrix))


def _compare_different(pages: Pages) -> Comparison:
    vectors = encode(pages)
    matrix = vectors.matrix[vectors.rows]
    matrix[:, vectors.spans["margin-top"]] += np.arange(len(matrix))[:, None] / len(matrix)
    counts = np.ones(len(matrix), dtype=np.int64)
    return _time(DIFFERENT, len(matrix), lambda: knn_scores(matrix, counts, k=NEIGHBOURS), lambda: _pyod_knn(matrix))


def _time(method: str, looks: int, ours: Callable[[], Floats], theirs: Callable[[], Floats]) -> Comparison:
    kept: dict[str, Floats] = {}

    def keep(name: str, run: Callable[[], Floats]) -> Callable[[], None]:
        return lambda: kept.update({name: run()})

    own = measure({"ours": keep("ours", ours)}, rounds=ROUNDS)["ours"]
    peer = measure({"theirs": keep("theirs", theirs)}, f"PyOD's {method}", rounds=1)["theirs"]
    nodes, apart = len(kept["ours"]), float(np.abs(kept["ours"] - kept["theirs"]).max())
    return Comparison(method, nodes, looks, own.cpu, peer.cpu, apart)


def _knn(vectors: Vectors) -> Floats:
    return knn_scores(vectors.matrix, vectors.counts, k=NEIGHBOURS)


def _hbos(vectors: Vectors) -> Floats:
    return pyod_hbos_scores(vectors.matrix, vectors.counts)


def _pyod_knn(matrix: Floats) -> Floats:
    from pyod.models.knn import KNN as Peer  # noqa: PLC0415, N811 - slow to import, and optional

    scores: Floats = Peer(method="mean", n_neighbors=NEIGHBOURS).fit(matrix).decision_scores_
    return scores


def _pyod_hbos(matrix: Floats) -> Floats:
    from pyod.models.hbos import HBOS as Peer  # noqa: PLC0415, N811

    scores: Floats = Peer().fit(matrix).decision_scores_
    return scores


def _report(compared: list[Comparison], pages: int) -> Finding:
    return Finding(
        title="Visual outliers, speed",
        note=f"CPU seconds on the looks of {pages} pages of {len(SITES)} sites, repeated. Ours starts from laid-out"
        " documents, PyOD from the finished matrix; in the last row both start from the matrix."
        f" k is {NEIGHBOURS}; HBOS is PyOD's variant.",
        heads=("method", "nodes", "different looks", "webquarry, s", "PyOD, s", "ratio", "scores apart by"),
        rows=[_row(each) for each in compared],
        figures={
            **{
                f"outliers, speed to PyOD: {each.method}, {each.nodes:,} nodes": each.ratio
                for each in compared
                if FLOORED.get(each.method) == each.nodes
            },
            "outliers, scores apart from PyOD's: k-NN": max(e.apart for e in compared if e.method != HBOS),
            "outliers, scores apart from PyOD's: HBOS": max(e.apart for e in compared if e.method == HBOS),
        },
    )


def _row(each: Comparison) -> list[str]:
    return [
        each.method,
        f"{each.nodes:,}",
        f"{each.looks:,}",
        f"{each.ours:.2f}",
        f"{each.theirs:.1f}",
        f"{each.ratio:.1f}",
        f"{each.apart:.0e}",
    ]
