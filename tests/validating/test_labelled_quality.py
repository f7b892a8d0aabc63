"""What a report is worth by labels, against numbers that were worked out by hand."""

import numpy as np
import pytest

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.report import Report, Selection, Verdicts
from webquarry.validating.labelled_quality import Label, follow_scores, measure

PAGE = "https://salt.test/"
MARKUP = "<p>aaaaaaaa</p><p>bbbb</p><p>cc</p><p>dddddd</p>"  # 8, 4, 2 and 6 bytes
TRUTH = {1: True, 2: False, 3: False, 4: True}


def report_on(places: list[int], scores: list[float], drops: list[bool]) -> Report:
    document = Document(MARKUP, url=PAGE)
    nodes = [document.node(f"/html/body/p[{place}]") for place in places]
    selection = Selection(document, np.array(nodes, dtype=np.int32), tuple(document.text(node) for node in nodes))
    return Report("knn", (Verdicts(selection, np.array(scores), np.array(drops), ("",) * len(nodes)),))


def labels(truth: dict[int, bool]) -> list[Label]:
    return [Label(PAGE, f"/html/body/p[{place}]", content, place) for place, content in truth.items()]


def test_rows_are_before_after_and_at_the_best_stop():
    measured = measure(report_on([1, 2, 3], [0.1, 0.5, 0.9], [False, False, True]), labels(TRUTH))
    before, after, best = measured.rows
    assert (before.precision, *before.recalls, before.deleted_bytes) == pytest.approx((8 / 14, 8 / 14, 0))
    assert before.f1s == pytest.approx((16 / 28,))
    assert (after.precision, *after.recalls) == pytest.approx((8 / 12, 8 / 14))
    assert (after.deleted_nodes, after.deleted_bytes) == pytest.approx((1 / 3, 2 / 14))
    assert (best.precision, best.deleted_nodes) == pytest.approx((1.0, 2 / 3))
    assert measured.deletion.stops == {"dropped": 1, "best F1": 2}
    assert measured.notes == ()


def test_recalls_are_assumed_when_only_the_extraction_is_labelled():
    measured = measure(report_on([1, 2], [0.1, 0.5], [False, True]), labels({1: True, 2: False}), [0.5, 0.8])
    before, after, _ = measured.rows
    assert (before.precision, *before.recalls) == pytest.approx((8 / 12, 0.5, 0.8))
    assert after.recalls == pytest.approx((0.5, 0.8))
    assert after.f1s == pytest.approx((2 * 0.5 / 1.5, 2 * 0.8 / 1.8))


def test_what_is_dropped_counts_whatever_its_score():
    measured = measure(report_on([1, 2, 3], [0.9, 0.5, 0.1], [False, True, True]), labels(TRUTH))
    assert measured.rows[1].precision == 1.0
    assert measured.rows[1].deleted_nodes == pytest.approx(2 / 3)


def test_nodes_without_a_label_and_labels_without_a_node_are_told():
    measured = measure(report_on([1, 2], [0, 0], [False, False]), [*labels({1: True, 9: True})])
    assert measured.rows[0].precision == pytest.approx(8 / 12)
    assert measured.notes[0] == "1 of 2 extracted nodes have no label and count as boilerplate"
    assert "no such node: /html/body/p[9]" in measured.notes[1]


@pytest.mark.parametrize("given", [[], labels({1: False, 2: False}), [Label("https://pepper.test/", "/html", True)]])
def test_labels_that_call_nothing_of_it_content_are_told(given):
    with pytest.raises(InputError, match="the labels call none of the extracted nodes content"):
        measure(report_on([1, 2], [0, 0], [False, False]), given)


def test_without_labels_the_scores_are_followed_to_the_stop():
    deletion = follow_scores(report_on([1, 2, 3], [1.0, 5.0, 3.0], [False, True, False]))
    assert deletion.measures["score"] == pytest.approx([1.0, 0.5, 0.0, 0.0])
    assert deletion.deleted == pytest.approx([0, 4 / 14, 6 / 14, 1])
    assert deletion.stops == {"dropped": 1}


def test_drops_that_are_not_the_highest_scores_are_not_a_stop():
    assert follow_scores(report_on([1, 2], [1.0, 5.0], [True, False])).stops == {}


def test_a_report_on_nothing_has_no_curve_to_speak_of():
    assert follow_scores(Report("knn", ())).measures["score"] == []
