"""Test the truth about sites and the report of deletion."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.outliers.deletion import BEFORE, BOILERPIPE, VOTE, Case, report
from benchmarks.outliers.methods import METHODS, all_texts, extracted_by
from benchmarks.outliers.papers import BEFORE as PAPER_BEFORE, PAPER
from benchmarks.outliers.sites import SITES, Score, find_truth
from benchmarks.results import check_figures

from webquarry.model.document import Document
from webquarry.validating.deletion_curves import compare

PAGE = Document(
    "<nav>Home naïve</nav><div class=post>One two <b>two</b><script>three</script><p hidden>four</p></div>two"
)


def test_truth_includes_hidden_text_in_the_selected_element():
    truth = find_truth([PAGE], ["div.post"])
    assert [PAGE.texts[node] for node in truth.texts[0]] == ["Home naïve", "One two ", "two", "two"]
    assert truth.content.tolist() == [False, True, True, False]
    assert truth.bytes.tolist() == [4 + 6, 6, 3, 3]
    assert truth.total == len("OneTwoTwoFour")


def test_compares_words_as_a_multiset_weighted_by_bytes():
    truth = find_truth([PAGE], ["div.post"])
    score = truth.score(np.array([True, True, False, True]))
    assert score.precision == pytest.approx(9 / 19)  # the last `two` replaces the one left out
    assert score.recall == pytest.approx(9 / 13)
    assert score.f1 == pytest.approx(2 * 9 / (19 + 13))
    assert score.nodes == pytest.approx(2 * 1 / (3 + 2))


def test_words_of_one_page_do_not_count_for_another():
    truth = find_truth([PAGE, Document("<div class=post>two</div>")], ["div.post"] * 2)
    assert truth.score(np.array([False, False, False, True, False])).precision == 1
    assert truth.score(np.array([False, True, True, True, False])).precision == pytest.approx(9 / 12)


def test_keeping_nothing_scores_zero():
    truth = find_truth([PAGE], ["div.post"])
    assert truth.score(np.zeros(4, dtype=np.bool_)) == Score(0, 0, 0, 0)


def test_splits_an_extraction_into_pages_and_removes_deleted_texts():
    truth = find_truth([PAGE, PAGE], ["div.post"] * 2)
    texts = truth.texts[0]
    extracted = extracted_by(truth, [texts[1:3], texts[:1]])
    assert [nodes.tolist() for nodes in extracted.nodes] == [texts[1:3].tolist(), texts[:1].tolist()]
    assert extracted.without(np.array([2])).tolist() == [False, True, True, False, False, False, False, False]
    assert all_texts(truth).kept.all()


@pytest.mark.parametrize("method", METHODS)
def test_every_method_scores_every_text(method):
    scores = all_texts(find_truth([PAGE], ["div.post"])).score(method)
    assert len(scores) == 4
    assert np.isfinite(scores).all()


def test_figures_have_floors_and_gains_are_compared_with_the_best_stop():
    before, best, free = (Score(0.9, 0.9, f1, 0.9) for f1 in (0.8, 0.88, 0.85))
    good = Score(0.99, 0.99, 0.99, 0.99)
    cases = [
        case
        for site in SITES
        for case in (
            Case(site, BOILERPIPE, BEFORE, before, before, before),
            Case(site, BOILERPIPE, "HBOS", before, best, free),
            Case(site, BOILERPIPE, VOTE, before, good, good),
        )
    ]
    finding = report(cases, dict.fromkeys(SITES, 0.98))
    checks = [check for check in check_figures(finding.figures) if check.figure is not None]
    assert len(checks) == 5
    assert all(check.holds for check in checks)
    assert finding.figures["sites, stop without labels: share of the best stop's gain"] == pytest.approx(5 / 8)
    assert [len(row) for row in finding.rows] == [len(finding.heads)] * 3


def test_table_1_of_the_paper_gives_its_table_2():
    increase = compare(PAPER[-1], PAPER_BEFORE)
    assert (increase.precision, increase.f1s[0]) == pytest.approx((0.1194, 0.0337), abs=1e-4)
