"""Test how main texts are scored and true texts are read."""

import gzip
import json

import pytest
from benchmarks.articles.truths import CLEANEVAL, SCRAPINGHUB, WCXB, read_truths
from benchmarks.scoring.articles import score_page, sum_up


@pytest.mark.parametrize(
    ("true", "said", "precision", "recall", "words"),
    [
        ("a b c d e", "a b c d e", 1.0, 1.0, 1.0),
        ("a b c d e", "a b c d", 1.0, 0.5, pytest.approx(8 / 9)),
        ("a b c d e", "x y z u v", 0.0, 0.0, 0.0),
        ("a b", "a b", 1.0, 1.0, 1.0),
        ("a b", "", None, 0.0, 0.0),
        ("", "a b", 0.0, None, 0.0),
        ("", "", None, None, 1.0),
    ],
)
def test_a_page_is_scored_by_shingles_and_words(true, said, precision, recall, words):
    score = score_page(true, said)
    assert (score.precision, score.recall, score.words) == (precision, recall, words)


def test_means_weigh_pages_equally_and_skip_missing_figures():
    score = sum_up([score_page("a b c d e", "a b c d e"), score_page("a b c d e", "")])
    assert (score.precision, score.recall, score.pages) == (1.0, 0.5, 2)
    assert score.shingles == pytest.approx(2 / 3)


def put(folder, name, content):
    (folder / "html").mkdir(parents=True, exist_ok=True)
    (folder / "html" / f"{name}.html.gz").write_bytes(gzip.compress(content))


def test_articles_are_sorted_by_name_and_split_into_halves(tmp_path):
    folder = tmp_path / SCRAPINGHUB
    put(folder, "b", b"<p>B")
    put(folder, "a", b"<p>A")
    (folder / "ground-truth.json").write_text(json.dumps({"b": {"articleBody": "B"}, "a": {"articleBody": "A"}}))
    found = read_truths(tmp_path, SCRAPINGHUB)
    assert [(each.name, each.body, each.text, each.half) for each in found] == [
        ("a", b"<p>A", "A", "tune"),
        ("b", b"<p>B", "B", "check"),
    ]


def test_reads_the_kind_of_a_page(tmp_path):
    folder = tmp_path / WCXB
    put(folder, "0001", b"<p>x")
    (folder / "ground-truth").mkdir()
    page = {"ground_truth": {"main_content": "x"}, "_internal": {"page_type": {"primary": "forum"}}}
    (folder / "ground-truth" / "0001.json").write_text(json.dumps(page))
    assert [(each.text, each.kind) for each in read_truths(tmp_path, WCXB)] == [("x", "forum")]


def test_removes_the_markers_of_cleaneval(tmp_path):
    folder = tmp_path / CLEANEVAL
    (folder / "input").mkdir(parents=True)
    (folder / "GoldStandard").mkdir()
    (folder / "input" / "1.html").write_text("<p>x")
    (folder / "GoldStandard" / "1.txt").write_text("URL: http://example.org/p\n\n<h>Head\n<p>Text of it\n<l>item\n")
    assert read_truths(tmp_path, CLEANEVAL)[0].text.split() == "Head Text of it item".split()


def test_a_missing_corpus_is_empty(tmp_path):
    assert read_truths(tmp_path, WCXB) == []
