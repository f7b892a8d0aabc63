"""Money and its currencies."""

# ruff: noqa: RUF001 - other alphabets and full-width characters

import pytest

from webquarry.values.column_values import read_column, read_value
from webquarry.values.text_value import Locale, Value, find_locale


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
        ("R500", "af", "ZAR"),
        ("$5", "en-JM", "JMD"),
        ("5 KM", "bs", "BAM"),
        ("5 K", "my", "MMK"),
        ("5,00 $US", "fr", "USD"),
        ("5,00 $ US", "fr-CA", "USD"),
        ("£GB 5", "fr", "GBP"),
        ("UK£5", "", "GBP"),
        ("5.00 د.إ.", "ar", "AED"),
        ("5.00৳", "bn", "BDT"),
        ("5 Lekë", "sq", "ALL"),
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
    [
        ["from $12", "to $15"],
        ["$12", "free"],
        ["$12", "15"],
        ["Win $500", "Lose $5"],
        ["$12 $10", "$12 $10", "$5"],
        ["The $100 Startup", "Millionaire for $1", "$2 Pistols"],
    ],
)
def test_leaves_a_column_as_text(texts: list[str]) -> None:
    assert read_column(texts, Locale()) is None


@pytest.mark.parametrize(
    ("text", "low", "high", "unit", "note"),
    [
        ("£9.00 - £11.00", 9, 11, "GBP", None),
        ("£9 \u2013 £11 GBP", 9, 11, "GBP", None),
        ("$136K\u2013$248K", 136000, 248000, "USD", None),
        ("$136\u2013248K", 136000, 248000, "USD", None),
        ("$500-$1K", 500, 1000, "USD", None),
        ("€1-2 million", 1000000, 2000000, "EUR", None),
        ("1.200\u20131.500 €", 1200, 1500, "EUR", None),
        ("between 5 and 7 EUR", 5, 7, "EUR", None),
        ("zwischen 5 und 7 EUR", 5, 7, "EUR", None),
        ("$1,200 to $1,500", 1200, 1500, "USD", None),
        ("from $1,200 to $1,500", 1200, 1500, "USD", "from"),
        ("CAD $9 - $11", 9, 11, "CAD", None),
        ("$9 - $11 CAD", 9, 11, "CAD", None),
        ("$12/mo - $15/mo", 12, 15, "USD", "/mo"),
        ("€ 9,- - € 11,-", 9, 11, "EUR", None),
        ("¥1,200～¥1,500", 1200, 1500, "JPY", None),
        ("₹45 L - 60 L", 4500000, 6000000, "INR", None),
        ("£30,000 - £35,000 per annum", 30000, 35000, "GBP", "per annum"),
        ("£9 - £9", 9, None, "GBP", None),
        ("Price range: £9.00 through £11.00", 9, 11, "GBP", None),
        ("Preisspanne: 9,00 € bis 11,00 €", 9, 11, "EUR", None),
        ("Plage de prix : 9,00 € à 11,00 €", 9, 11, "EUR", None),
        ("Rango de precios: desde 9,00 € hasta 11,00 €", 9, 11, "EUR", "desde"),
        ("Fascia di prezzo: da 9,00 € a 11,00 €", 9, 11, "EUR", "da"),
        ("Zakres cen: od 9,00 zł do 11,00 zł", 9, 11, "PLN", "od"),
        ("Prijsklasse: € 9,00 tot € 11,00", 9, 11, "EUR", None),
        ("Rozpětí cen: 9 Kč až 11 Kč", 9, 11, "CZK", None),
    ],
)
def test_reads_a_range(text: str, low: float, high: float | None, unit: str, note: str | None) -> None:
    assert read_value(text, Locale()) == ("money", Value(low, unit, to=high, note=note))


@pytest.mark.parametrize(
    "text", ["$12.00 $10.00", "12,00 € 10,00 €", "$12\n$10", "$12 - $10", "5 and 7 EUR", "2 for $5"]
)
def test_two_prices_are_not_a_range(text: str) -> None:
    assert read_value(text, Locale()) is None


@pytest.mark.parametrize(
    ("text", "value", "unit", "note"),
    [
        ("From £9.00 GBP", 9, "GBP", "from"),
        ("ab 12,50 €", 12.5, "EUR", "ab"),
        ("à partir de 12 €", 12, "EUR", "à partir de"),
        ("от 5 000 ₽", 5000, "RUB", "от"),
        ("Sale price from $5", 5, "USD", "from"),
        ("Starting at: $5", 5, "USD", "starting at"),
        ("₹15,000 / month", 15000, "INR", "/ month"),
        ("$5/mo", 5, "USD", "/mo"),
        ("$5.99/lb", 5.99, "USD", "/lb"),
        ("€ 1.250 per maand", 1250, "EUR", "per maand"),
        ("€ 1.250 p/m", 1250, "EUR", "p/m"),
        ("50 € pro Nacht", 50, "EUR", "pro Nacht"),
        ("500 € p.m.", 500, "EUR", "p.m."),
        ("500 € Kaltmiete", 500, "EUR", "Kaltmiete"),
        ("£4.20 each", 4.2, "GBP", "each"),
        ("12,50 €/kg", 12.5, "EUR", "/kg"),
        ("1,20 € / 100 g", 1.2, "EUR", "/ 100 g"),
        ("$5+", 5, "USD", "+"),
        ("1,200円～", 1200, "JPY", "～"),
        ("¥1,200（税込）", 1200, "JPY", "(税込)"),
        ("from $5 /night", 5, "USD", "from /night"),
        ("₹1.2 Cr onwards", 12000000, "INR", "onwards"),
        ("Sale price $12.00", 12, "USD", None),
        ("Was $15.00", 15, "USD", None),
        ("12,50 € *", 12.5, "EUR", None),
        ("36.500.000 €", 36500000, "EUR", None),
        ("Rp15.000.000", 15000000, "IDR", None),
        ("120.500đ", 120500, "VND", None),
        ("KWD 3.500", 3.5, "KWD", None),
        ("1,234 د.إ", 1234, "AED", None),
        ("د.إ 1,234", 1234, "AED", None),
        ("129:- EUR", 129, "EUR", None),
    ],
)
def test_keeps_words_that_qualify_a_price(text: str, value: float, unit: str, note: str | None) -> None:
    assert read_value(text, Locale()) == ("money", Value(value, unit, note=note))


@pytest.mark.parametrize("text", ["Win $500", "I paid $5 for it", "Only $5 left", "$12 (Hardcover)", "Price ($12)"])
def test_a_sentence_with_a_price_is_text(text: str) -> None:
    assert read_value(text, Locale()) is None


def test_plain_prices_ranges_and_notes_are_one_column() -> None:
    read = read_column(["£5", "From £9.00 GBP", "£9 - £11", "Regular price £7", "£3 / night", "£2 wow", None], Locale())
    assert read == (
        "money",
        (
            Value(5, "GBP"),
            Value(9, "GBP", note="from"),
            Value(9, "GBP", to=11),
            Value(7, "GBP"),
            Value(3, "GBP", note="/ night"),
            None,
            None,
        ),
    )


@pytest.mark.parametrize("words", ["Price on request", "Auf Anfrage", "Sold out", "$12 $10", "whatever it takes"])
def test_a_minority_of_other_texts_leaves_a_column_money(words: str) -> None:
    assert read_column([words, "$5", "$6"], Locale()) == ("money", (None, Value(5, "USD"), Value(6, "USD")))
    assert read_column([words, words, "$5", "$6"], Locale()) is None


@pytest.mark.parametrize("word", ["free", "Gratuit", "무료", "Kostenlos"])
def test_any_number_of_free_things_leaves_a_column_money(word: str) -> None:
    texts = [word, "$5", word, word, "$6", word]
    assert read_column(texts, Locale()) == ("money", (None, Value(5, "USD"), None, None, Value(6, "USD"), None))


def test_words_for_no_value_leave_a_column_numbers() -> None:
    assert read_column(["unknown", "5", "6.5"], Locale()) == ("number", (None, Value(5), Value(6.5)))
    assert read_column(["whatever", "5", "6.5"], Locale()) is None
