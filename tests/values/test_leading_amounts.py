"""Values at the beginning of longer texts."""

from datetime import date

import pytest
from hypothesis import given, settings, strategies as st

from webquarry.values.dates import read_leading_date
from webquarry.values.leading_amounts import plain_head, read_leading_amount
from webquarry.values.locale import Locale
from webquarry.values.text_value import Value

quick = settings(deadline=None, derandomize=True, max_examples=300, database=None)
POINT, COMMA = Locale(".", False, "en-us"), Locale(",", True, "de")


def read_leading(text: str, locale: Locale) -> tuple[str, Value] | None:
    """The amount that a text begins with, or else the date."""
    amount = read_leading_amount(text, locale)
    if amount is not None:
        return amount
    day = read_leading_date(plain_head(text), locale)
    return None if day is None else ("date", day)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("812,300 sq km; 790,000 sq km (mainland)", 812300, "sq km"),
        ("71,204,118 (July 2019 est.)", 71204118, None),
        ("4,118,201; 3.9 million (mainland) (2010)", 4118201, None),
        ("31.7 million (2010 est.)", 31700000, None),
        ("2.25 million bbl/day (2009 est.)", 2250000, "bbl/day"),
        ("417.2 billion kWh", 417200000000, "kWh"),
        ("3.1% of GDP (2005 est.)", 3.1, "%"),
        ("8.5% (2010 est.) 8.1% (2009 est.)", 8.5, "%"),
        ("8.5% (2010 est.)\n8.1% (2009 est.)", 8.5, "%"),
        ("19.2% (male 5,100,200/female 4,900,100)", 19.2, "%"),
        ("12 per cent of all", 12, "%"),
        ("-0.4% (2010)", -0.4, "%"),
        ("12 nm", 12, "nm"),
        ("200 m depth or to the depth of exploitation", 200, "m"),
        ("1,204 km 1.435-m gauge (300 km electrified)", 1204, "km"),
        ("18 years of age; universal", 18, "years"),
        ("1.06 male(s)/female", 1.06, "male(s)/female"),
        ("3.3 deaths/1,000 live births (2011)", 3.3, "deaths/1,000 live births"),
        ("1.9 children born/woman", 1.9, "children born/woman"),
        ("540 cu m/yr (2000)", 540, "cu m/yr"),
        ("5 m3 of wood", 5, "m3"),
        ("310 million Mt (2017 est.)", 310000000, "Mt"),
        ("17 provinces (singular - province)", 17, "provinces"),
        ("5人", 5, "人"),
        ("1,000+ reviews", 1000, "reviews"),
        ("1.204 reviews in all", 1204, "reviews"),
        ("4.5 out of 5", 4.5, None),
        ("1.2 million in 2010", 1200000, None),
        ("12 as of 2010", 12, None),
        ("total: 41.7 years", 41.7, "years"),
        ("Fläche: 12 km²", 12, "km²"),
        ("improved:  99% of population", 99, "%"),
        ("about 1.2 million", 1200000, None),
        ("<500 (2019 est.)", 500, None),
        ("fewer than 1,000 (2009)", 1000, None),
        ("over 80%", 80, "%"),
        (".5 m", 0.5, "m"),
        ("-.5 m", -0.5, "m"),
        ("-40 °C in winter", -40, "°C"),
        ("  7 (2010)", 7, None),
    ],
)
def test_reads_a_leading_number(text: str, value: float, unit: str | None) -> None:
    assert read_leading(text, POINT) == ("number", Value(value, unit))


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("12.400 Einwohner (2010)", 12400, "Einwohner"),
        ("1,5 Mio. Einwohner", 1500000, "Einwohner"),
        ("etwa 1.234 km² groß", 1234, "km²"),
        ("1 234,5 km", 1234.5, "km"),
        ("12,5 Prozent aller", 12.5, "%"),
    ],
)
def test_reads_a_number_as_its_locale_writes_it(text: str, value: float, unit: str) -> None:
    assert read_leading(text, COMMA) == ("number", Value(value, unit))


@pytest.mark.parametrize(
    ("text", "value", "code"),
    [
        ("$1.9 trillion (2010 est.) $1.8 trillion (2009 est.)", 1900000000000, "USD"),
        ("$10 $20", 10, "USD"),
        ("$-53.5 billion (2010)", -53500000000, "USD"),
        ("-$53.5 billion (2010)", -53500000000, "USD"),
        ("about $5 million", 5000000, "USD"),
        ("€ 12,50 pro Stück", 12.5, "EUR"),
        ("5 million euros a year", 5000000, "EUR"),
        ("£5.50/hour", 5.5, "GBP"),
        ("€1.299,- (neu)", 1299, "EUR"),
        ("€1.000 per year", 1000, "EUR"),
        ("$12 CAD", 12, "CAD"),
    ],
)
def test_reads_leading_money(text: str, value: float, code: str) -> None:
    assert read_leading(text, POINT) == ("money", Value(value, code))


@pytest.mark.parametrize(
    ("text", "locale", "day"),
    [
        ("17 May 1814 (declared)", POINT, date(1814, 5, 17)),
        ("3 October 1990 from nobody; 1 May 1991 (kept)", POINT, date(1990, 10, 3)),
        ("May 3, 2020; more follows", POINT, date(2020, 5, 3)),
        ("25 DEC 2020", POINT, date(2020, 12, 25)),
        ("Friday, 25 December 2020 in the morning", POINT, date(2020, 12, 25)),
        ("2020-05-03 (signed)", POINT, date(2020, 5, 3)),
        ("3/4/2020 (signed)", POINT, date(2020, 3, 4)),
        ("3/4/2020 (signed)", COMMA, date(2020, 4, 3)),
        ("2020年12月25日", POINT, date(2020, 12, 25)),
    ],
)
def test_reads_a_leading_date(text: str, locale: Locale, day: date) -> None:
    assert read_leading(text, locale) == ("date", Value(day))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "NA",
        "$NA (31 December 2010)",
        "none",
        "no official date: 486 (unified)",
        "Old Peak 4,807 m",
        "12 30 N, 70 02 W",
        "46 N, 2 E",
        "4101 Long Road NW, Springfield",
        "12, rue des Lilas",
        "220 Lebanon (some)",
        "11.2 million Springfield, 3 million Shelbyville",
        "17-40 years of age",
        "83%-88%",
        "5 to 10 km",
        "5 km - 10 km",
        "$10 - $20",
        "$12 €",
        "10 x 20 cm",
        "6 ft 2 in",
        "12€50",
        "1 April - 31 March",
        "1 July-30 June",
        "14 July (1790)",
        "44 BC (founded)",
        "1st of May",
        "9 am to 5 pm",
        "15:30",
        "7 of 9",
        "3 days ago",
        "12 Years a Slave",
        "1. FC Springfield",
        "1990s",
        "postgres:18",
        "[1] (202) 555-0100",
        "+1 (202) 555-0100",
        "1 (800) 555-0100",
        "+33 612 345 678",
        "9783161484100",
        "007",
        "192.168.1.1",
    ],
)
def test_invents_no_value(text: str) -> None:
    assert read_leading(text, POINT) is None


@quick
@given(st.text(max_size=200) | st.text("0123456789.,-$€%() kmilonyears/;\n", max_size=150))
def test_any_text_is_read_or_left(text: str) -> None:
    for locale in (POINT, COMMA):
        read = read_leading(text, locale)
        assert read is None or read[0] in ("number", "money", "date")


@quick
@given(st.integers(0, 10**9), st.sampled_from(["km", "%", "years", "sq km"]), st.text(max_size=40))
def test_a_remark_in_brackets_changes_nothing(number: int, unit: str, remark: str) -> None:
    assert read_leading(f"{number:,} {unit} ({remark})", POINT) == ("number", Value(number, unit))
