"""Make and write the tables of Potvin and Villemaire: the normalised styles, and Tables 1 and 2.

"When Different is Wrong", section 5: k-NN with five values of k and HBOS rank all extracted nodes, deletion stops where
F1 is highest, and Table 2 has the change against the extraction as it was.  The paper stops once for each row, though
its recalls differ; the stop is that of the highest mean F1 (`best_stop`).
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO

import numpy as np
from numpy.typing import NDArray

from webquarry.errors import InputError
from webquarry.model.report import Report, Selection
from webquarry.validating.deletion_curves import RECALLS, Curve, Row, best_stop, compare, follow, rank, tabulate, weigh
from webquarry.validating.outliers import SCORES
from webquarry.validating.style_vectors import encode

Floats = NDArray[np.float64]

PAPER_METHODS: dict[str, tuple[str, float]] = {
    **{f"{k}-NN": ("knn", k) for k in (10, 50, 100, 200, 500)},
    "HBOS": ("hbos", 0),
}
"""The rows of the paper's tables: our method, and its number of neighbours."""
FIGURE_METHODS = ("200-NN", "500-NN", "HBOS")
FIGURE_RECALLS = (0.65, 0.95)
"""The lines and the assumed recalls of the paper's Figure 3."""


@dataclass(frozen=True)
class PaperTables:
    """Tables 1 and 2 of the paper, for any extraction with labels."""

    before: Row
    """The extraction as it was, the first row of Table 1."""
    rows: tuple[Row, ...]
    """A row for each method, at its best stop."""
    recalls: tuple[float, ...]
    """Those that were assumed for the extraction."""
    curves: Mapping[str, Curve] = field(repr=False)
    """By method how deletion goes by bytes; `Curve.assume` gives it a recall."""

    @property
    def increases(self) -> tuple[Row, ...]:
        """The rows of Table 2, as shares."""
        return tuple(compare(row, self.before) for row in self.rows)


def make_tables(
    selections: Sequence[Selection],
    content: NDArray[np.bool_],
    recalls: Sequence[float] = RECALLS,
    *,
    methods: Iterable[str] = PAPER_METHODS,
) -> PaperTables:
    """Make the tables of all selections together.

    `content` tells for each node, page after page, whether it is content.  Raises InputError if a page has no layout.
    """
    require_layouts(selections)
    vectors = encode([(each.document, each.nodes) for each in selections])
    weights, ones = weigh(text for each in selections for text in each.texts), np.ones(len(content))
    rows: list[Row] = []
    curves: dict[str, Curve] = {}
    before: Row | None = None
    for name in methods:
        method, k = PAPER_METHODS[name]
        order = rank(selections, SCORES[method](vectors, k)[vectors.rows])
        curves[name], by_nodes = (follow(order, content, each) for each in (weights, ones))
        assumed = [curves[name].assume(recall) for recall in recalls]
        before = before or tabulate("as extracted", assumed, by_nodes, 0)
        rows.append(tabulate(name, assumed, by_nodes, best_stop(assumed)))
    if before is None:
        raise ValueError("no methods were given")
    return PaperTables(before, tuple(rows), tuple(recalls), curves)


def require_layouts(selections: Sequence[Selection]) -> None:
    """Raise InputError for a page that was not rendered: it has no styles to compare."""
    bare = next((each.document.url for each in selections if each.document.layout is None), None)
    if bare is not None:
        raise InputError(f"{bare}: was not rendered, so it has no styles; leave out --static, or use wq.render")


def write_matrix(report: Report, *, scaled: bool = False, alpha: bool = False) -> str:
    """Write the normalised styles of all nodes as CSV, with page, node and score: the input and output of its scorers.

    Raises InputError if a page has no layout.
    """
    selections = [page.selection for page in report.pages]
    require_layouts(selections)
    vectors = encode([(each.document, each.nodes) for each in selections], scaled=scaled, alpha=alpha)
    scores = np.concatenate([np.zeros(0), *(page.scores for page in report.pages)])
    named = ((each.document.url, each.document.xpath(node)) for each in selections for node in each.nodes.tolist())
    written = [[f"{value:.10g}" for value in row] for row in vectors.matrix.tolist()]
    text = StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(["page", "node", *vectors.names, "score"])
    for (page, node), row, score in zip(named, vectors.rows.tolist(), scores.tolist(), strict=True):
        lines.writerow([page, node, *written[row], f"{score:.10g}"])
    return text.getvalue()


def write_measure(recalls: Sequence[float], rows: Iterable[Row]) -> list[str]:
    """Write precision and recall by labels in the form of Table 1."""
    return _align([_head(recalls), *map(_write_row, rows)])


def write_paper_tables(tables: PaperTables) -> list[str]:
    """Write Table 1, with the extraction in its first row, and Table 2, each below its caption."""
    recalls = [f"recall {recall:g}" for recall in tables.recalls]
    changes = [
        ["", "precision", *(head for recall in recalls for head in (recall, "F1"))],
        *([row.name, *(f"{share:+.2%}" for share in _figures(row))] for row in tables.increases),
    ]
    return [
        "Table 1: at the stop with the highest F1",
        *write_measure(tables.recalls, (tables.before, *tables.rows)),
        "",
        "Table 2: change against the extraction",
        *_align(changes),
    ]


def _head(recalls: Sequence[float]) -> list[str]:
    named = [f"recall {recall:g}" for recall in recalls] or ["recall"]
    return ["", "precision", *(head for recall in named for head in (recall, "F1")), "nodes deleted", "bytes deleted"]


def _write_row(row: Row) -> list[str]:
    deleted = [f"{row.deleted_nodes:.2%}", f"{row.deleted_bytes:.2%}"]
    return [row.name, *(f"{figure:.4f}" for figure in _figures(row)), *deleted]


def _figures(row: Row) -> list[float]:
    """List precision, then recall and F1 for each recall."""
    return [row.precision, *(figure for pair in zip(row.recalls, row.f1s, strict=True) for figure in pair)]


def _align(lines: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
