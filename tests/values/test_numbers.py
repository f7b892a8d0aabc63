"""Numbers, their units and magnitudes."""

import pytest
from hypothesis import example, given, settings, strategies as st

from webquarry.values import column_values
from webquarry.values.column_values import read_column, read_value
from webquarry.values.text_value import Locale, Value
from webquarry.values.units import Amount

quick = settings(deadline=None, derandomize=True, max_examples=300, database=None)
POINT, COMMA = Locale(".", False, "en-us"), Locale(",", True, "de")


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("0", 0, None),
        ("1999", 1999, None),
        ("12.5", 12.5, None),
        (" 12.5\n", 12.5, None),
        ("0.123", 0.123, None),
        (".312", 0.312, None),
        ("-.5", -0.5, None),
        ("1,234", 1234, None),
        ("1,234,567.89", 1234567.89, None),
        ("12,34,567", 1234567, None),
        ("1,00,000.50", 100000.5, None),
        ("1 234 567", 1234567, None),
        ("1\u00a0234", 1234, None),
        ("1\u2009234", 1234, None),
        ("1\u202f234,5", 1234.5, None),
        ("1'234.50", 1234.5, None),
        ("1\u2019234", 1234, None),
        ("1.234,56", 1234.56, None),
        ("12,5", 12.5, None),
        ("+5", 5, None),
        ("-5", -5, None),
        ("\u22125.5", -5.5, None),
        ("\u20135", -5, None),
        ("(1,204)", 1204, None),
        ("3.", 3, None),
        ("Pages: 12", 12, None),
        ("45%", 45, "%"),
        ("45.5 %", 45.5, "%"),
        ("12 percent", 12, "%"),
        ("12 km", 12, "km"),
        ("12km", 12, "km"),
        ("3.5 GB", 3.5, "GB"),
        ("250 g", 250, "g"),
        ("12 km²", 12, "km²"),
        ("12 km2", 12, "km2"),
        ("90 km/h", 90, "km/h"),
        ("0.5 m/s²", 0.5, "m/s²"),
        ("21 °C", 21, "°C"),
        ("21°C", 21, "°C"),
        ("300 K", 300, "K"),
        ("500m", 500, "m"),
        ("5 stars", 5, "stars"),
        ("1,204 reviews", 1204, "reviews"),
        ("12 Bewertungen", 12, "Bewertungen"),
        ("1.204 reviews", 1204, "reviews"),
        ("1.204 hours", 1.204, "hours"),
        ("4.5★", 4.5, "★"),
        ("171 lbs.", 171, "lbs."),
        ("12k", 12000, None),
        ("1.1M", 1100000, None),
        ("1.1 million", 1100000, None),
        ("3,2 Mio.", 3200000, None),
        ("7 Mrd.", 7000000000, None),
        ("2.4 million km²", 2400000, "km²"),
        ("1.2万", 12000, None),
        ("129 kW (175 PS)", 129, "kW"),
        ("21 °C (70 °F)", 21, "°C"),
        ("512 B", 512, "B"),
        ("129 kr", 129, "kr"),
        ("\u0661\u0662\u0663", 123, None),
        ("\u0661\u0662\u066b\u0665", 12.5, None),
        ("\u0661\u066c\u0662\u0663\u0664", 1234, None),
        ("\uff11\uff12", 12, None),
        ("\u200e12\u200f", 12, None),
    ],
)
def test_reads_a_number(text: str, value: float, unit: str | None) -> None:
    assert read_value(text, POINT) == ("number", Value(value, unit))


def test_a_count_of_something_else_in_brackets_is_not_the_same_amount_again() -> None:
    assert read_column(["3 KB (450 words)", "509 bytes (73 words)"], Locale()) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "n/a",
        "Catch 22",
        "Chapter 1",
        "12 Monkeys",
        "221 Baker Street",
        "Books (12)",
        "007",
        "00",
        "-01",
        "A-12",
        "A12",
        "12A",
        "12abc",
        "1990s",
        "- 5",
        "#12",
        "KR174",
        "2.5.",
        "postgres:18",
        "https://localhost:8001",
        "The long title of a paper: 12",
        "No. 5",
        "1.2.3",
        "192.168.100.200",
        "10-20",
        "10\u201320",
        "10 - 20",
        "3/4",
        "10 x 20",
        "10:30",
        "10 am",
        "1st",
        "4th",
        "~12",
        ">100",
        "100+",
        "±5",
        "1½",
        "1.5e6",
        "5' 10\"",
        "2h 30m",
        "4.5 out of 5",
        "3 days ago",
        "12 January",
        "1,2,3",
        "1,23,4",
        "1979,1987",
        "12, 13",
        "12\n345",
        "+1 555 123 4567",
        "+33 612 345 678",
        "+491711234567",
        "(555) 123-4567",
        "555-1234",
        "612 345 678",
        "555.123.456",
        "978-3-16-148410-0",
        "9783161484100",
        "3161484100",
        "12345678901234567890",
        "44 BC",
        "²",
    ],
)
def test_leaves_as_text(text: str) -> None:
    assert read_value(text, POINT) is None


@pytest.mark.parametrize(
    ("texts", "locale", "values"),
    [
        (["1.234", "12,50"], POINT, [1234, 12.5]),
        (["1,234", "12.50"], COMMA, [1234, 12.5]),
        (["1.234", "0.5"], COMMA, [1.234, 0.5]),
        (["1.234", "2"], COMMA, [1234, 2]),
        (["1.234", "2"], POINT, [1.234, 2]),
        (["1.234.567", "1.234"], POINT, [1234567, 1234]),
        (["1,234.5", "1.234,5"], POINT, [1234.5, 1234.5]),
        (["1.2K", "3M", "1.1B", "7"], POINT, [1200, 3000000, 1100000000, 7]),
        (["(12)", "(3)"], POINT, [12, 3]),
        (["(1.204)"], POINT, [1204]),
        (["★ 4.5", "★ 4.0"], POINT, [4.5, 4]),
        (["Pages:12", "Pages:3"], POINT, [12, 3]),
        (["Low: -5", "Low: 3"], POINT, [-5, 3]),
        ([" - 38k", " - 87k"], POINT, [38000, 87000]),
        (["| 38", "| 87"], POINT, [38, 87]),
        (["38 -", "87 -"], POINT, [38, 87]),
        (["-38", "87"], POINT, [-38, 87]),
        (["1.", "2.", "10."], POINT, [1, 2, 10]),
        (["8000000000", "350000000"], POINT, [8000000000, 350000000]),
        (["612 345 678", "1 234"], POINT, [612345678, 1234]),
    ],
)
def test_the_column_settles_what_one_text_leaves_open(texts: list[str], locale: Locale, values: list[float]) -> None:
    read = read_column(texts, locale)
    assert read is not None
    assert read == ("number", tuple(Value(value) for value in values))


@pytest.mark.parametrize(
    ("texts", "units"),
    [
        (["12 km", "900 m", "3"], ["km", "m", None]),
        (["1 review", "12 reviews"], ["review", "reviews"]),
        (["4 Opiniones", "1 Opinión"], ["Opiniones", "Opinión"]),
        (["12 घंटे", "6 घंटे"], ["घंटे", "घंटे"]),
        (["1 Ausleihe", "12 Ausleihen"], ["Ausleihe", "Ausleihen"]),
        (["12 verified buyers", "3 verified buyers"], ["verified buyers", "verified buyers"]),
        (["5 min read", "12 min read"], ["min", "min"]),
        (["38 KB -", "42 KB -"], ["KB", "KB"]),
        (["89.7 FM", "104.1 FM"], ["FM", "FM"]),
        (["12件", "3件"], ["件", "件"]),
    ],
)
def test_units_that_a_column_shares(texts: list[str], units: list[str | None]) -> None:
    read = read_column(texts, POINT)
    assert read is not None
    assert [value.unit for value in read[1] if value] == units


@pytest.mark.parametrize(
    "texts",
    [
        ["12", "twelve"],
        ["12", "Catch 22"],
        ["12", "(12)"],
        ["12", "- 12"],
        ["12", "3."],
        ["12", "$12"],
        ["12", "2020-12-25"],
        ["12 Monkeys", "7 Samurai"],
        ["Chapter 1", "Chapter 2"],
        ["Pages: 12", "Price: 13"],
        ["1 day ago", "3 days ago"],
        ["12 Jan", "13 Jan"],
        ["10 Downing Street", "11 Downing Street"],
        ["10115 Berlin", "10117 Berlin"],
        ["12 apples", "3"],
        ["5551234567", "5559876543"],
        ["9783161484100", "3161484100"],
        ["612 345 678", "698 765 432"],
        ["12", "007"],
        ["4th", "5th"],
        ["12a", "13a"],
    ],
)
def test_leaves_a_column_as_text(texts: list[str]) -> None:
    assert read_column(texts, POINT) is None


def test_a_magnitude_may_touch_what_is_counted() -> None:
    assert read_column(["9752次", "2340万次", "1.3亿次"], POINT) == (
        "number",
        (Value(9752, "次"), Value(23_400_000, "次"), Value(130_000_000, "次")),
    )


def test_things_are_counted_whole() -> None:
    texts = ["1.234 Einwohner", "567 Einwohner"]
    assert read_column(texts, POINT) == ("number", (Value(1234, "Einwohner"), Value(567, "Einwohner")))


def test_large_numbers_fit_a_column_of_floats() -> None:
    read = read_value("123,456,789,012,345,678,901", POINT)
    assert read == ("number", Value(123456789012345678901.0))
    assert isinstance(read[1].value, float)


def write(number: int, decimals: str, group: str, mark: str) -> str:
    whole = f"{number:,}".replace(",", group)
    return whole + mark + decimals if decimals else whole


@quick
@given(
    number=st.integers(0, 10**15),
    decimals=st.text("0123456789", max_size=6),
    marks=st.sampled_from(
        [(",", "."), (".", ","), (" ", "."), (" ", ","), ("'", "."), ("\u202f", ","), ("\u00a0", ",")]
    ),
    sign=st.sampled_from(["", "-", "\u2212"]),
    unit=st.sampled_from(["", "%", " km", " reviews"]),
)
@example(1234, "", (".", ","), "", "")
@example(1, "234", (".", ","), "", "")
def test_reads_back_what_a_locale_writes(
    number: int, decimals: str, marks: tuple[str, str], sign: str, unit: str
) -> None:
    group, mark = marks
    text = sign + write(number, decimals, group, mark) + unit
    value = float(f"{'-' if sign else ''}{number}.{decimals or 0}")
    other = "1" + mark + "5"  # numbers in three groups look like phones when they stand alone
    read = read_column([text, other + unit], Locale(mark))
    assert read == ("number", (Value(value, unit.strip() or None), Value(1.5, unit.strip() or None)))


@quick
@given(texts=st.lists(st.none() | st.text() | st.text("0123456789.,' -+$€%()kM/:\u202f٣²½")), day_first=st.booleans())
@example(["0" * 5000], False)
@example(["1" * 99], False)
@example(["1," * 50], False)
@example(["²12"], False)
@example(["9" * 50 + ".5"], True)
def test_never_raises_and_keeps_the_places(texts: list[str | None], day_first: bool) -> None:
    for language in ("", "de", "sv-SE", "x"):
        locale = Locale(",", day_first, language)
        read = read_column(texts, locale)
        assert read == read_column(list(texts), locale)
        if read is not None:
            assert len(read[1]) == len(texts)
            assert all(value is None for value, text in zip(read[1], texts, strict=True) if not (text or "").strip())


def test_titles_with_numbers_are_known_by_the_first(monkeypatch: pytest.MonkeyPatch):
    asked = []
    take_apart = column_values.take_apart

    def count(text: str) -> Amount | None:
        asked.append(text)
        return take_apart(text)

    monkeypatch.setattr(column_values, "take_apart", count)
    assert read_column([f"word{number}" for number in range(50)], Locale()) is None
    assert asked == ["word0"]
