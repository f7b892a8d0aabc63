"""The paper's tables, the normalised styles, and stops that a person names."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

import webquarry as wq
from webquarry.errors import InputError
from webquarry.model.document import VISUAL_VALIDATION, Document, Layout
from webquarry.model.report import Report, Selection, Verdicts
from webquarry.validating.deletion_curves import STOPS, parse_stop
from webquarry.validating.labelled_quality import (
    PAPER_METHODS,
    Label,
    label_by_selector,
    make_tables,
    measure,
    write_matrix,
)

PAGE = "https://salt.test/"
MARKUP = "".join(f"<p>Paragraph {place} of the text</p>" for place in range(8)) + "<b>Buy!</b><i>Win!</i>"
SIZES = {"p": "16px", "b": "60px", "i": "90px"}


def page(markup: str = MARKUP) -> Selection:
    """A page whose letters are as high as their tag says, and all its elements in the body."""
    tree = Document(markup)
    values = ("", "none", "static", *SIZES.values())
    styles = np.zeros((len(tree), len(VISUAL_VALIDATION)), dtype=np.int32)
    for node in range(1, len(tree)):
        tag = tree.tag(node) or tree.tag(int(tree.parents[node]))
        styles[node, VISUAL_VALIDATION.index("font-size")] = values.index(SIZES.get(tag, ""))
    layout = Layout(
        boxes=np.tile(np.array([0, 0, 100, 20], dtype=np.float32), (len(tree), 1)),
        styles=styles,
        values=values,
        properties=VISUAL_VALIDATION,
        visible=np.ones(len(tree), dtype=np.bool_),
        width=1366,
        height=1000,
        browser="none",
        viewport=1366,
    )
    document = Document(markup, url=PAGE, kind="rendered", layout=layout)
    nodes = np.flatnonzero(document.has_tag(["p", "b", "i"])).astype(np.int32)
    return Selection(document, nodes, tuple(document.text(node) for node in nodes.tolist()))


CONTENT = np.array([True] * 8 + [False] * 2)
LABELS = [Label(PAGE, "/html", content=False), *(Label(PAGE, f"/html/body/p[{n}]", content=True) for n in range(1, 9))]


def test_there_is_a_row_for_each_method_of_the_paper():
    tables = make_tables([page()], CONTENT)
    assert [row.name for row in tables.rows] == ["10-NN", "50-NN", "100-NN", "200-NN", "500-NN", "HBOS"]
    assert list(tables.curves) == list(PAPER_METHODS)
    assert tables.recalls == (0.65, 0.75, 0.85, 0.95)
    assert tables.before.recalls == pytest.approx(tables.recalls)
    for row, increase in zip(tables.rows, tables.increases, strict=True):
        assert (row.precision, row.deleted_nodes) == pytest.approx((1, 0.2))
        assert row.recalls == pytest.approx(tables.recalls)
        assert increase.precision == pytest.approx(1 / tables.before.precision - 1)
        assert increase.f1s == pytest.approx([f1 / was - 1 for f1, was in zip(row.f1s, tables.before.f1s, strict=True)])


def test_pages_that_were_not_rendered_have_no_tables():
    static = Selection(Document("<p>x", url=PAGE), np.array([4], dtype=np.int32), ("x",))
    with pytest.raises(InputError, match=f"^{PAGE}: was not rendered"):
        make_tables([static], np.array([True]))
    with pytest.raises(InputError, match="was not rendered"):
        write_matrix(Report("vote", (Verdicts(static, np.zeros(1), np.zeros(1, np.bool_), ("",)),)))
    report = Report("vote", (Verdicts(static, np.zeros(1), np.zeros(1, np.bool_), ("",)),))
    assert measure(report, [Label(PAGE, "/html", content=True)]).tables is None


def test_the_matrix_has_the_normalised_styles_and_the_score_of_each_node():
    report = wq.validate([page()], method="knn", k=3, stop="nodes:0")
    rows = list(csv.DictReader(io.StringIO(write_matrix(report))))
    assert [row["node"] for row in rows[-2:]] == ["/html/body/b", "/html/body/i"]
    assert [row["font-size"] for row in rows] == ["16"] * 8 + ["60", "90"]
    assert [float(row["score"]) for row in rows] == pytest.approx([0] * 8 + [(30 + 2 * 44) / 3, (30 + 2 * 74) / 3])
    assert list(rows[0])[:5] == ["page", "node", *(f"background-color {part}" for part in ("red", "green", "blue"))]
    assert {row["position static"] for row in rows} <= {"0", "1"}
    scaled = list(csv.DictReader(io.StringIO(write_matrix(report, scaled=True))))
    assert [float(row["font-size"]) for row in scaled[-2:]] == pytest.approx([44 / 74, 1])


@pytest.mark.parametrize(
    ("stop", "expected"),
    [
        ("nodes:1", ["Win!"]),
        ("nodes:0", []),
        ("share:0.2", ["Buy!", "Win!"]),
        ("score:50", ["Win!"]),
        ("score:1", ["Buy!", "Win!"]),
        ("best-f1", ["Buy!", "Win!"]),
    ],
)
def test_a_person_says_where_to_stop_on_a_single_page(stop, expected):
    report = wq.validate([page()], method="knn", k=3, stop=stop, labels=LABELS)
    assert [text for _, text, _ in report.pages[0].dropped] == expected
    assert report.notes == ()


def test_what_is_dropped_at_the_best_f1_is_what_is_measured_there():
    report = wq.validate([page()], method="hbos", stop="best-f1", labels=LABELS, recalls=[0.65, 0.95])
    _, dropped, best = measure(report, LABELS, [0.65, 0.95]).rows
    assert dropped.f1s == best.f1s
    assert dropped.deleted_bytes == best.deleted_bytes > 0


def test_labels_may_be_made_for_the_documents():
    report = wq.validate(
        [page()], method="hbos", stop="best-f1", labels=lambda documents: label_by_selector(documents, "p")
    )
    assert report.dropped == 2


@pytest.mark.parametrize("text", ["nodes", "nodes:-1", "nodes:1.5", "nodes:inf", "share:2", "score:nan", "best", "x:1"])
def test_other_stops_are_refused_with_the_forms_there_are(text):
    with pytest.raises(ValueError, match=f"is not a stop; write {STOPS}"):
        parse_stop(text)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"method": "vote", "stop": "nodes:1"}, "a stop is for methods that rank nodes by their look"),
        ({"method": "hbos", "stop": "best-f1"}, "best-f1 needs labels"),
    ],
)
def test_a_stop_needs_a_ranking_and_the_best_one_labels(options, said):
    with pytest.raises(ValueError, match=said):
        wq.validate([page()], **options)


def test_the_papers_hbos_has_a_histogram_for_each_column_and_ours_for_each_category():
    odd = page()
    layout = odd.document.layout
    styles = layout.styles.copy()
    styles[:, VISUAL_VALIDATION.index("position")] = 2
    styles[odd.nodes[-1], VISUAL_VALIDATION.index("position")] = 1  # `none`, which CSS does not list
    moved = Layout(**{**vars(layout), "styles": styles})
    selection = Selection(Document(MARKUP, url=PAGE, kind="rendered", layout=moved), odd.nodes, odd.texts)
    scores = {
        method: wq.validate([selection], method=method, stop="nodes:0").pages[0].scores
        for method in ("hbos", "hbos-joined")
    }
    assert scores["hbos"][-1] - scores["hbos-joined"][-1] == pytest.approx(np.log(9))  # counted in two columns
    assert scores["hbos"][:-1] == pytest.approx(scores["hbos-joined"][:-1])
