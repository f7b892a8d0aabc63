from __future__ import annotations

import numpy as np
from benchmarks.outliers.foreign_values import score_found
from benchmarks.outliers.injecting import RATE, inject, texts_outside
from benchmarks.results import check_figures

from webquarry.model.document import Document
from webquarry.model.report import Selection

DOCUMENT = Document("<p>Menu</p><p>|</p><ul>" + "".join(f"<li>{n} EUR" for n in range(400)) + "</ul><p>Imprint")
LIST = DOCUMENT.node("/html/body/ul")


def prices() -> Selection:
    nodes = [node for node, text in enumerate(DOCUMENT.texts) if text.endswith("EUR")]
    return Selection(DOCUMENT, np.array(nodes, dtype=np.int32), tuple(DOCUMENT.texts[node] for node in nodes))


def outside() -> np.ndarray:
    return texts_outside(DOCUMENT, [(LIST, int(DOCUMENT.ends[LIST]))])


def test_foreign_texts_have_words_and_are_outside_the_records():
    assert [DOCUMENT.texts[node] for node in outside()] == ["Menu", "Imprint"]


def test_replaces_the_same_values_at_every_run():
    selection, is_foreign = inject(prices(), outside(), 0)
    assert 0 < is_foreign.mean() < 2 * RATE
    assert {text for text, foreign in zip(selection.texts, is_foreign, strict=True) if foreign} == {"Menu", "Imprint"}
    assert [DOCUMENT.texts[node] for node in selection.nodes] == list(selection.texts)
    again, same = inject(prices(), outside(), 0)
    assert again == selection
    assert (same == is_foreign).all()
    assert (inject(prices(), outside(), 1)[1] != is_foreign).any()


def test_replaces_texts_and_keeps_looks():
    selection, is_foreign = inject(prices(), outside(), 0, looks=False)
    assert (selection.nodes == prices().nodes).all()
    assert is_foreign.any()


def test_replaces_nothing_without_foreign_texts():
    assert not inject(prices(), np.array([], dtype=np.int32), 0)[1].any()


def test_allows_one_percent_false_alarms():
    scores = np.array([*range(200), 197.5, 197.0])
    is_foreign = np.arange(202) >= 200
    assert score_found(scores, is_foreign).at_rate == 0.5
    found = score_found(scores, is_foreign, scores >= 197.5)
    assert (found.precision, found.recall, found.false_alarms) == (1 / 3, 0.5, 0.01)


def test_values_found_and_values_dropped_by_mistake_have_floors():
    checks = check_figures(
        {
            "outliers, foreign values found at 1 % false alarms: records": 0.5,
            "outliers, values of records dropped by mistake": 0.1,
        }
    )
    assert [check.holds for check in checks if check.figure is not None] == [False, False]
