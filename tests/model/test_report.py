"""What validating gives."""

import json
import pickle

import numpy as np
import pytest

from webquarry.model.document import VISUAL_VALIDATION, Document, Layout
from webquarry.model.page import Failure
from webquarry.model.report import Report, Selection, Verdicts

URL = "https://salt.test/"


def verdicts_of(columns: tuple[str, ...] = (), texts: tuple[str, str] = ("Salt", "Share"), *, rendered: bool = False):
    document = Document(f"<p>{texts[0]}</p><b>{texts[1]}</b><i>More</i>", url=URL)
    if rendered:
        styles = np.zeros((len(document), len(VISUAL_VALIDATION)), dtype=np.int32)
        styles[:, VISUAL_VALIDATION.index("color")] = 1
        styles[np.flatnonzero(document.has_tag(["b"]))] = -1
        boxes, visible = np.zeros((len(document), 4), np.float32), np.ones(len(document), np.bool_)
        layout = Layout(boxes, styles, ("0px", "red"), VISUAL_VALIDATION, visible, 1366, 1000, "none", 1366)
        document = Document(document.markup, url=URL, kind="rendered", layout=layout, tree=document._columns)
    nodes = [document.node(path) for path in ("/html/body/p/text()", "/html/body/b")]
    selection = Selection(document, np.array(nodes, dtype=np.int32), texts, columns, ("/html/body/u",))
    more = document.node("/html/body/i/text()")
    return Verdicts(selection, np.array([0.25, 0.75]), np.array([False, True]), ("", "odd"), ((more, "as others"),))


def report_of(*pages: Verdicts, **stated) -> Report:
    return Report("vote", pages or (verdicts_of(),), **stated)


def test_plain_values_are_fit_for_json():
    values = report_of(notes=("few",), failures=(Failure("https://gone.test/", "it is gone"),)).to_dict()
    assert json.loads(json.dumps(values)) == values
    assert (values["method"], values["notes"]) == ("vote", ["few"])
    assert values["failures"] == [{"page": "https://gone.test/", "error": "it is gone"}]
    (page,) = values["pages"]
    assert page["scores"][1] == {
        "node": "/html/body/b",
        "text": "Share",
        "score": 0.75,
        "drop": True,
        "reason": "odd",
    }
    assert page["additions"] == [{"node": "/html/body/i/text()", "text": "More", "reason": "as others"}]
    assert page["unmapped"] == ["/html/body/u"]


def test_values_of_records_have_their_columns():
    scores = report_of(verdicts_of(("name", "price"))).to_dict()["pages"][0]["scores"]
    assert [each["column"] for each in scores] == ["name", "price"]


def test_reports_are_equal_by_value_and_survive_pickle():
    report = report_of()
    assert report == report_of()
    assert pickle.loads(pickle.dumps(report)) == report
    assert report != report_of(verdicts_of(texts=("Salt", "Pepper")))


def test_a_report_tells_its_sum_in_words():
    assert repr(report_of()) == "<Report: 1 of 2 nodes on 1 page looks wrong, 1 text may be missing (method vote)>"
    assert report_of(*[verdicts_of()] * 2).summary == (
        "2 of 4 nodes on 2 pages look wrong, 2 texts may be missing (method vote)"
    )
    assert Report("knn", ()).summary == "0 of 0 nodes on 0 pages look wrong (method knn)"


def test_counts_are_of_all_pages():
    report = report_of(*[verdicts_of()] * 3)
    assert (len(report), report.dropped, report.missing) == (6, 3, 3)


def test_a_table_has_a_row_a_node_with_its_style():
    table = report_of(verdicts_of(rendered=True)).to_arrow()
    assert table.column_names[:7] == ["_page", "node", "column", "text", "score", "drop", "reason"]
    assert table.column_names[7:] == list(VISUAL_VALIDATION)
    assert table["color"].to_pylist() == ["red", None]  # the second has no box
    assert table["text"].to_pylist() == ["Salt", "Share"]


def test_a_static_page_has_no_styles():
    frame = report_of().to_pandas()
    assert frame["drop"].tolist() == [False, True]
    assert frame["color"].isna().all()


def test_a_report_on_nothing_has_a_table_without_rows():
    assert Report("vote", ()).to_arrow().num_rows == 0


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "a & b"])
def test_a_notebook_shows_what_is_dropped_as_text(text):
    shown = report_of(verdicts_of(texts=("Salt", text)))._repr_html_()
    assert text not in shown
    assert shown.count("<tr>") == 2
    assert "1 of 2 nodes on 1 page looks wrong" in shown
