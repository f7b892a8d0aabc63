"""Faults that a person sees in a table are found, each with a sentence that says why; right tables have none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

import webquarry as wq
from webquarry.model.report import Verdicts

RIGHT = [
    ("Kettle", "$12.50", "3 km", "2026-05-01"),
    ("Lamp", "$9.00", "5 km", "2026-05-02"),
    ("Saw", "$21.80", "1 km", "2026-05-03"),
    ("Drill", "$64.90", "8 km", "2026-05-04"),
    ("Pan", "$17.00", "2 km", "2026-05-05"),
    ("Level", "$8.40", "4 km", "2026-05-06"),
    ("Bell", "$5.10", "6 km", "2026-05-07"),
    ("Rope", "$7.20", "9 km", "2026-05-08"),
]
NAMES = ("Item", "Cost", "Away", "Day")


def judge(rows: list[tuple[str, ...]], names: tuple[str, ...] = NAMES) -> dict[str, str]:
    """The texts of a table that are reported, with the reasons."""
    cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    document = wq.Document(f"<table>{cells}</table>")
    filled = [
        (document.node(f"/html/body/table/tbody/tr[{place}]/td[{number}]"), text, name)
        for place, row in enumerate(rows, start=1)
        for number, (text, name) in enumerate(zip(row, names, strict=True), start=1)
        if text
    ]
    nodes, texts, columns = zip(*filled, strict=True)
    return reported(wq.validate(wq.Selection(document, nodes_of(nodes), texts, columns)).pages[0])


def reported(verdicts: Verdicts) -> dict[str, str]:
    return {text: reason for _, text, reason in verdicts.dropped}


def nodes_of(nodes: Sequence[int]) -> NDArray[np.int32]:
    return np.array(nodes, dtype=np.int32)


def with_row(place: int, *row: str) -> list[tuple[str, ...]]:
    return [*RIGHT[:place], row, *RIGHT[place:]]


def test_a_right_table_has_no_faults():
    assert judge(RIGHT) == {}


@pytest.mark.parametrize("words", ["sold out", "\u2013", "free", "on request"])
def test_words_for_no_value_are_no_fault(words):
    assert judge(with_row(3, "Bowl", words, "7 km", "2026-05-09")) == {}


@pytest.mark.parametrize(
    ("row", "said"),
    [(NAMES, "the names of their columns"), (("Thing", "Sum", "Distance", "Date"), "words where the others have")],
)
def test_a_heading_among_the_records_is_found_whole(row, said):
    found = judge(with_row(4, *row))
    assert set(found) == set(row)
    assert all(said in reason for reason in found.values())


@pytest.mark.parametrize("sign", ["$", "EUR", "|", "·"])
def test_a_sign_alone_among_names_is_found(sign):
    assert judge(with_row(2, sign, "$3.00", "7 km", "2026-05-09")) == {
        sign: f'This is only the sign "{sign}"; the other values of the column are words or amounts.'
    }


def test_rent_in_the_column_of_distances_is_found_with_the_column_that_it_fits():
    found = judge(with_row(5, "Flat", "", "$1,200", "2026-05-09"))
    assert found == {
        "$1,200": "This is a price; the other values of the column are numbers. It would fit the column "
        '"Cost", which this record lacks.'
    }


def test_swapped_cells_are_both_found():
    found = judge(with_row(1, "$31.00", "Bowl", "7 km", "2026-05-09"))
    assert set(found) == {"$31.00", "Bowl"}
    assert all("swapped" in reason for reason in found.values())


def test_a_weight_among_distances_is_found():
    found = judge(with_row(1, "Bowl", "$31.00", "7 kg", "2026-05-09"))
    assert found == {"7 kg": "This measures weight; the other values of the column measure length."}


@pytest.mark.parametrize("text", ["$9.00 was $11.00", "$9.00 $11.00", "USD 9 now USD 11"])
def test_two_prices_in_one_value_are_found(text):
    found = judge(with_row(1, "Bowl", text, "7 km", "2026-05-09"))
    assert found == {text: "This text has 2 prices; the other values of the column have one."}


@pytest.mark.parametrize("text", ["from $9.00", "$9.00 \u2013 $11.00", "2 for $10.00"])
def test_ranges_and_offers_are_no_fault(text):
    assert judge(with_row(1, "Bowl", text, "7 km", "2026-05-09")) == {}


def test_old_prices_and_lower_ends_among_prices_are_found():
    prices = ["$12.50", "$9.00", "<s>$30.00</s>", "$64.90", "<b>$4.00</b> \u2013 $6.00", "$8.40", "$5.10", "$7.20"]
    items = "".join(f"<li><h3>Thing {place}</h3><div><b>{each}</b></div></li>" for place, each in enumerate(prices))
    document = wq.Document(f"<ul>{items}</ul>")
    nodes = [document.node(f"/html/body/ul/li[{place + 1}]/div/b") for place in range(len(prices))]
    nodes[4] = document.node("/html/body/ul/li[5]/div/b/b")
    texts = tuple(document.text(node) for node in nodes)
    found = reported(wq.validate(wq.Selection(document, nodes_of(nodes), texts, ("price",) * len(texts))).pages[0])
    assert "struck through" in found["$30.00"]
    assert "lower end" in found["$4.00"]
    assert len(found) == 2


def test_amounts_of_another_kind_and_size_are_found():
    rents = [f"<td class=rent>${number},000 <small>a year</small></td>" for number in (18, 24)]
    cells = [f"<td class=price>${number}.00</td>" for number in (4, 6, 5, 9, 8, 7, 3, 6, 5, 4, 8)]
    document = wq.Document(f"<table>{''.join(f'<tr>{cell}</tr>' for cell in (*cells[:4], *rents, *cells[4:]))}</table>")
    nodes = [document.node(f"/html/body/table/tbody/tr[{place}]/td") for place in range(1, 14)]
    texts = tuple(document.text(node) for node in nodes)
    found = reported(wq.validate(wq.Selection(document, nodes_of(nodes), texts, ("price",) * 13)).pages[0])
    assert set(found) == {"$18,000 a year", "$24,000 a year"}
    assert all("far from them in size (they are about 6)" in reason for reason in found.values())


def test_a_range_among_prices_is_right_however_it_is_set():
    rows = "".join(f"<tr><td><b class=price style='color:red'>${price}.00</b></td></tr>" for price in range(3, 11))
    document = wq.Document(f"<table>{rows}<tr><td><i>$4.00</i> to <i>$6.00</i></td></tr></table>")
    nodes = [document.node(f"/html/body/table/tbody/tr[{place}]/td/b") for place in range(1, 9)]
    nodes.append(document.node("/html/body/table/tbody/tr[9]/td"))
    texts = tuple(document.text(node) for node in nodes)
    assert reported(wq.validate(wq.Selection(document, nodes_of(nodes), texts, ("price",) * 9)).pages[0]) == {}


def test_columns_of_labels_are_called_by_their_values_and_make_no_heading():
    rows = [(*row, "Add to cart", "Details") for row in RIGHT]
    assert judge(rows, (*NAMES, "Add to cart", "Details")) == {}
