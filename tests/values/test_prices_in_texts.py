"""Where amounts of money are in a text."""

# ruff: noqa: RUF001 - dashes and letters of other alphabets

from __future__ import annotations

import pytest

from webquarry.values.prices import find_money, is_money


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("$12.50", ["$12.50"]),
        ("12,50\xa0€", ["12,50\xa0€"]),
        ("US$ 5 or C$7", ["US$ 5", "C$7"]),
        ("was $15 now $12", ["$15", "$12"]),
        ("£9.00 GBP", ["£9.00 GBP"]),
        ("$136K–$248K", ["$136K–$248K"]),
        ("9 - 11 €", ["9 - 11 €"]),
        ("$9-11", ["$9-11"]),
        ("€9 bis €11", ["€9 bis €11"]),
        ("$9 … $11", ["$9 … $11"]),
        ("от 900 ₽ до 1200 ₽", ["от 900 ₽ до 1200 ₽"]),
        ("Sale from $9.00", ["from $9.00"]),
        ("starting at $9", ["starting at $9"]),
        ("schon ab 19 €", ["schon ab 19 €"]),
        ("już od 19 zł", ["już od 19 zł"]),
        ("من 350 د.أ", ["من 350 د.أ"]),
        ("₹15,000 / month", ["₹15,000 / month"]),
        ("$28/hr", ["$28/hr"]),
        ("€90 per night", ["€90 per night"]),
        ("90 € pro Nacht", ["90 € pro Nacht"]),
        ("€1.20 / 100 g", ["€1.20 / 100 g"]),
        ("£850 pcm", ["£850 pcm"]),
        ("$5 each", ["$5 each"]),
        ("5,– €", ["5,– €"]),
        ("12 pieces, 40 km", []),
        ("Room 12", []),
        ("", []),
    ],
)
def test_finds_amounts_with_the_words_that_qualify_them(text, amounts):
    assert [text[start:stop] for start, stop in find_money(text)] == amounts


@pytest.mark.parametrize(
    ("text", "is_amount"),
    [
        ("$12.50", True),
        ("From £9.00 GBP", True),
        ("$12.50*", True),
        ("$9 – $11", True),
        ("₹15,000 / month", True),
        ("3x R$ 950,00", False),
        ("$15 $12", False),
        ("Price on request", False),
        ("12", False),
    ],
)
def test_tells_whether_a_text_is_an_amount_and_nothing_else(text, is_amount):
    assert is_money(text) is is_amount
