"""Which elements are the records of a list, given what was found of them."""

from __future__ import annotations

import numpy as np
import pytest

from webquarry.mining.visual import settle_members
from webquarry.model.document import Document
from webquarry.page.leaves import find_leaves


def settle(*cards: str) -> list[str]:
    """Settle the elements of class `found`, and give the classes of the records."""
    document = Document("<main>" + "".join(f"<div class=card>{card}</div>" for card in cards) + "</main>")
    found = [node for node, own in enumerate(document.attributes) if own and own.get("class") == "found"]
    spans = np.array([(node, document.ends[node]) for node in found])
    settled = settle_members(document, find_leaves(document), spans, np.ones(len(spans)))
    return [document.attributes[first]["class"] for first in settled[:, 0].tolist()]


FACTS = "<div class=found><h3>Tool</h3><p>12 EUR</p></div>"
PICTURE = "<figure><img src=1.jpg></figure>"


@pytest.mark.parametrize(
    ("cards", "records"),
    [
        pytest.param([PICTURE + FACTS] * 4, "card", id="a picture beside each"),
        pytest.param([PICTURE + FACTS] * 5 + [FACTS], "card", id="a picture beside most"),
        pytest.param([PICTURE + FACTS] + [FACTS] * 5, "found", id="a picture beside one"),
        pytest.param([PICTURE + FACTS + "<p>New</p>"] * 4, "card", id="a text too"),
        pytest.param([FACTS + "<footer>New</footer>"] * 5 + [FACTS], "card", id="a text below most"),
        pytest.param([FACTS + "<footer>New</footer>"] + [FACTS] * 5, "found", id="a text below one"),
        pytest.param([FACTS + f"<ul>{FACTS}</ul>"] * 4, "found", id="others below each"),
        pytest.param([PICTURE + FACTS + FACTS] * 4, "found", id="two below one picture"),
        pytest.param([FACTS] * 4, "found", id="nothing beside them"),
    ],
)
def test_what_items_have_beside_what_was_found_belongs_to_the_record(cards, records):
    assert set(settle(*cards)) == {records}


def test_a_row_of_column_headers_is_no_record():
    cell = "<div role=columnheader>{}</div>"
    head = "".join(map(cell.format, ("Offre", "Prix", "")))
    rows = [f"<a href=/{n}>Fibre {n}</a><b>{n}4 €</b><i>Voir</i><u>1 Gb/s</u><s>TV</s>" for n in range(1, 4)]
    assert settle(*(f"<div class=found>{row}</div>" for row in (head, *rows))) == ["found"] * 3
