"""Money and its currencies."""

import pytest

from webquarry.values.column_values import read_column, read_value
from webquarry.values.locale import Locale, find_locale
from webquarry.values.text_value import Value


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("$12.50", 12.5, "USD"),
        ("$ 12.50", 12.5, "USD"),
        ("$1,299.00", 1299, "USD"),
        ("US$5", 5, "USD"),
        ("US $5", 5, "USD"),
        ("C$5", 5, "CAD"),
        ("CA$5", 5, "CAD"),
        ("A$5", 5, "AUD"),
        ("R$ 12,50", 12.5, "BRL"),
        ("€12.50", 12.5, "EUR"),
        ("12,50 €", 12.5, "EUR"),
        ("12,50€", 12.5, "EUR"),
        ("EUR 12,50", 12.5, "EUR"),
        ("12,50 EUR", 12.5, "EUR"),
        ("1.299,00 €", 1299, "EUR"),
        ("1 299,00 €", 1299, "EUR"),
        ("12 euros", 12, "EUR"),
        ("£4.20", 4.2, "GBP"),
        ("¥1,200", 1200, "JPY"),
        ("1200円", 1200, "JPY"),
        ("₹1,23,456", 123456, "INR"),
        ("Rs. 500", 500, "INR"),
        ("Rs 500", 500, "INR"),
        ("12,50 zł", 12.5, "PLN"),
        ("1 250 Kč", 1250, "CZK"),
        ("1 250 Ft", 1250, "HUF"),
        ("CHF 1'234.\u2013", 1234, "CHF"),
        ("CHF 12.-", 12, "CHF"),
        ("12€50", 12.5, "EUR"),
        ("1 299€99", 1299.99, "EUR"),
        ("€1.299,-", 1299, "EUR"),
        ("Rp 5.000", 5000, "IDR"),
        ("12.50 USD", 12.5, "USD"),
        ("$12.50 CAD", 12.5, "CAD"),
        ("CAD $12.50", 12.5, "CAD"),
        ("USD 12.50", 12.5, "USD"),
        ("-$12.50", -12.5, "USD"),
        ("$-12.50", -12.5, "USD"),
        ("\u2212€5", -5, "EUR"),
        ("($12.50)", -12.5, "USD"),
        ("-12,50 €", -12.5, "EUR"),
        ("$1.5M", 1500000, "USD"),
        ("£12m", 12000000, "GBP"),
        ("$1.2bn", 1200000000, "USD"),
        ("$3 billion", 3000000000, "USD"),
        ("3,2 Mio. €", 3200000, "EUR"),
        ("€ 7 Mrd.", 7000000000, "EUR"),
        ("Price: $5", 5, "USD"),
        ("Price:$5", 5, "USD"),
        ("Price:\n$5", 5, "USD"),
    ],
)
def test_reads_money(text: str, value: float, unit: str) -> None:
    assert read_value(text, Locale()) == ("money", Value(value, unit))


@pytest.mark.parametrize(
    ("text", "language", "unit"),
    [
        ("$5", "", "USD"),
        ("$5", "en-CA", "CAD"),
        ("$5", "fr-CA", "CAD"),
        ("$5", "en-AU", "AUD"),
        ("$5", "es-MX", "MXN"),
        ("129 kr", "sv", "SEK"),
        ("129 kr.", "da-DK", "DKK"),
        ("kr 129", "nb", "NOK"),
        ("12,- kr", "no", "NOK"),
        ("Kr 129", "no", "NOK"),
        ("129,-", "nb-NO", "NOK"),
        ("129,-", "de", "EUR"),
        ("129.-", "de-CH", "CHF"),
        ("¥5", "zh-CN", "CNY"),
        ("¥5", "ja", "JPY"),
        ("Rs. 500", "en-PK", "PKR"),
        ("R 500", "en-ZA", "ZAR"),
    ],
)
def test_the_language_tells_currencies_of_one_sign_apart(text: str, language: str, unit: str) -> None:
    read = read_value(text, find_locale(language, [text]))
    assert read is not None
    assert read[0] == "money"
    assert read[1].unit == unit


@pytest.mark.parametrize(
    "text",
    [
        "free",
        "gratis",
        "£4.20 each",
        "from $12",
        "$10 - $20",
        "$10 $20",
        "$",
        "129,-",
        "R 500",
        "$ave 5",
        "TOP 10",
        "$12 €",
        "$12 km",
        "kr 12 km",
        "save $5!",
        "12€500",
        "12€50€60",
    ],
)
def test_leaves_as_text(text: str) -> None:
    assert read_value(text, Locale()) is None


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["from $12", "from $15.50"], [12, 15.5]),
        (["ab 12,50 €", "ab 1.299 €"], [12.5, 1299]),
        (["$12 each", "$3 each"], [12, 3]),
        (["$12/month", "$20/month"], [12, 20]),
        (["12,50 €/kg", "3,00 €/kg"], [12.5, 3]),
        (["List: $5", "List: $6"], [5, 6]),
        (["899 €", "1.299 €"], [899, 1299]),
        (["$899", "$1,299"], [899, 1299]),
        (["$3.459", "$3.519"], [3.459, 3.519]),
        (["$5", "($6)", "-$7"], [5, -6, -7]),
    ],
)
def test_a_column_shares_its_label_and_its_way_of_writing(texts: list[str], values: list[float]) -> None:
    read = read_column(texts, Locale())
    assert read is not None
    assert read[0] == "money"
    assert [value.value for value in read[1] if value] == values


def test_a_column_may_hold_several_currencies() -> None:
    assert read_column(["$5", "", "€6"], Locale()) == ("money", (Value(5, "USD"), None, Value(6, "EUR")))


@pytest.mark.parametrize(
    "texts",
    [["from $12", "$15"], ["from $12", "to $15"], ["$12 each", "$15 a pair"], ["$12", "free"], ["$12", "15"]],
)
def test_leaves_a_column_as_text(texts: list[str]) -> None:
    assert read_column(texts, Locale()) is None
