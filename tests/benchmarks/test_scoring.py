import pytest
from benchmarks.scoring.columns import mean_of_columns, score_columns
from benchmarks.scoring.records import Score, mean_of, score_records
from benchmarks.scoring.tables import TableScore, score_tables

TEA, MILK = ["Tea", "from Assam", "3 EUR"], ["Milk", "one litre", "1 EUR"]


@pytest.mark.parametrize(
    ("texts", "right"),
    [
        (["Tea from Assam 3 EUR", "Milk one litre 1 EUR"], 2),
        (["milk ONE litre 1 EUR", "tea; from Assam - 3 eur"], 2),
        (["Tea from Assam"], 1),  # three of five words
        (["Tea from"], 0),
        (["Tea from Assam 3 EUR " + "and much else that nobody asked for at all today"], 0),
        (["Tea from Assam 3 EUR Milk one litre 1 EUR"], 0),  # both records in one
        (["Tea from Assam 3 EUR", "Tea from Assam 3 EUR"], 1),  # each true record is matched once
        ([], 0),
    ],
)
def test_counts_records_with_one_true_record_and_little_else(texts, right):
    assert score_records([TEA, MILK], texts) == Score(right, len(texts), 2)


def test_words_of_other_scripts_count():
    assert score_records([["Чай из Индии"]], ["чай из индии"]).right == 1
    assert score_records([["Чай из Индии"]], ["чай"]).right == 0


def test_macro_means_weigh_pages_and_micro_means_weigh_records():
    mean = mean_of([Score(1, 1, 1), Score(0, 3, 3)])
    assert (mean.precision, mean.recall, mean.f1) == (0.5, 0.5, 0.5)
    assert mean.micro == 0.25


def test_a_page_without_records_counts_as_zero():
    assert mean_of([Score(2, 2, 2), Score(0, 0, 2)]).f1 == 0.5


def score_values(*values):
    return score_columns([TEA, MILK], [" ".join(TEA), " ".join(MILK)], values)


def test_columns_that_agree_with_the_truth_have_all_pairs():
    score = score_values(dict(zip("abc", TEA, strict=True)), dict(zip("abc", MILK, strict=True)))
    assert (score.found, score.true, score.precision, score.recall) == (6, 6, 1, 1)


def test_columns_that_are_swapped_in_a_record_lose_pairs():
    score = score_values(dict(zip("abc", TEA, strict=True)), dict(zip("bac", MILK, strict=True)))
    assert (score.found, score.both, score.claimed_pairs, score.true_pairs) == (6, 1, 3, 3)


def test_captions_that_records_share_are_not_counted_among_the_cells():
    score = score_columns([[*TEA, "Buy"], [*MILK, "Buy"]], [" ".join(TEA), " ".join(MILK)], [{"a": TEA[0]}, {}])
    assert (score.found, score.true) == (1, 2 * len(TEA))


def test_wrong_records_have_no_cells():
    assert mean_of_columns([score_columns([TEA], ["something else"], [{"a": "Tea"}])]).cells == 0


GRID = [["Name", "Size"], ["A", "1"], ["B", "2"]]


@pytest.mark.parametrize(
    ("said", "cells", "places"),
    [
        (GRID, 1.0, 1.0),
        ([["name", "size [a]"], ["a", "1"], ["b", " 2."]], 1.0, 1.0),
        ([GRID[0], GRID[2], GRID[1]], 1.0, 2 / 6),
        ([["Size", "Name"], ["1", "A"], ["2", "B"]], 0.0, 0.0),
        ([], 0.0, 0.0),
    ],
)
def test_scores_cells_by_column_and_by_place(said, cells, places):
    assert score_tables(GRID, [said]) == TableScore(cells, pytest.approx(places))


def test_the_best_table_of_a_page_counts():
    assert score_tables(GRID, [[["x"]], GRID]).cells == 1
