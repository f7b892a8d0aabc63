"""Types of sections, and their texts read by them."""

from datetime import date

import pytest
from hypothesis import given, settings, strategies as st

from webquarry.values.dates import read_leading_date
from webquarry.values.section_types import plain_head, read_as, read_leading_amount, read_section
from webquarry.values.text_value import Locale, Value

quick = settings(deadline=None, derandomize=True, max_examples=200, database=None)
POINT, COMMA = Locale(".", False, "en-us"), Locale(",", True, "de")
TYPES = ("number", "money", "date", "boolean", "list", "text", "table")


@pytest.mark.parametrize(
    ("texts", "type_"),
    [
        (["12 nm", "3 nm", "200 m depth"], "number"),
        (["12 nm", "NA", "none (no coast)", "-"], "number"),
        (["1 km", "2 km", "3 km", "4 km", "not known"], "number"),
        (["1 km", "2 km", "not known", "disputed"], "text"),
        (["31.7 million (2010)", "685,300 workers (2007)"], "number"),
        (["2% (2010)\n3% (2009)", "5% (2010)\n4% (2009)"], "number"),
        (["$2 billion (2010)\n$900 million (2009)", "$5 million (2010)\n$4 million (2009)"], "money"),
        (["$2 billion", "$NA", "€5 million"], "money"),
        (["17 May 1814 (declared)", "3 October 1990 (joined)", "none"], "date"),
        (["yes", "no; see note", "yes (since 1990)"], "boolean"),
        (["ja", "nein"], "boolean"),
        (["coal, iron ore, tin", "fish, timber", "none"], "list"),
        (["one\ntwo", "three\nfour\nfive"], "list"),
        (["17 provinces (x); Ara, Bel, Cor, Dor", "3 regions; Nord, Sud, Est"], "list"),
        (["5959 km gas, 300 km oil", "12 km oil, 7 km gas, 3 km water"], "list"),
        (["24,000 (Ara), 23,000 (Bel), 10 (Cor)", "300 (Dor), 200 (Bel)", "12 (Cor), 9 (Ara), 4 (Dor)"], "list"),
        (["3, 5, 8", "2, 4"], "list"),
        (["27 regions", "5 provinces", "12 cantons"], "text"),
        (["5%", "12 km"], "text"),
        (["$5", "12 km"], "text"),
        (["612 345 678", "123 456 789"], "text"),
        (["[1] (202) 555-0100", "[33] (1) 42 66 97 83"], "text"),
        (["12 30 N, 70 02 W", "46 00 N, 2 00 E"], "text"),
        (["republic", "federal republic"], "text"),
        (["NA", "none"], "text"),
        ([], "text"),
    ],
)
def test_finds_the_type_of_a_section(texts: list[str], type_: str) -> None:
    assert read_section(texts, POINT) == type_


@pytest.mark.parametrize(
    ("type_", "text", "value"),
    [
        ("number", "643 km; 551 km (mainland)", Value(643, "km")),
        ("number", "$643", None),
        ("number", "none (2010)", None),
        ("money", "$2.5 million (2010)\n$2 million (2009)", Value(2500000.0, "USD")),
        ("money", "2.5 million", None),
        ("date", "17 May 1814 (declared)", Value(date(1814, 5, 17))),
        ("date", "1839 (founded)", None),
        ("boolean", "no; see note", Value(False)),
        ("boolean", "Ja", Value(True)),
        ("boolean", "✗", Value(False)),
        ("boolean", "not specified", None),
        ("list", "coal, iron ore (little, deep)", ("coal", "iron ore (little, deep)")),
        ("list", "fish", ("fish",)),
        ("list", "12 km\n15 km", (Value(12, "km"), Value(15, "km"))),
        ("list", "$1.5 million, $2", (Value(1500000.0, "USD"), Value(2, "USD"))),
        ("list", "3, 5, 8", (Value(3), Value(5), Value(8))),
        ("list", "12 km of road, 15 km", ("12 km of road", "15 km")),
        ("list", "Ara 12 km, Bel 5 km", ("Ara 12 km", "Bel 5 km")),
        ("list", "none", None),
        ("list", "", None),
        ("text", "12 km", None),
    ],
)
def test_reads_a_text_by_the_type_of_its_section(type_: str, text: str, value: object) -> None:
    assert read_as(type_, text, POINT) == value


def test_reads_numbers_as_the_locale_writes_them() -> None:
    assert read_section(["12,5 km", "1.200 km lang"], COMMA) == "number"
    assert read_as("number", "1.200 km lang", COMMA) == Value(1200, "km")


@quick
@given(st.lists(st.text(max_size=80), max_size=6))
def test_any_texts_have_a_type_and_can_be_read(texts: list[str]) -> None:
    assert read_section(texts, POINT) in TYPES
    for type_ in TYPES:
        for text in texts:
            read_as(type_, text, POINT)


@quick
@given(st.lists(st.sampled_from(["12 km", "yes", "$5", "a, b, c", "3 May 2020", "NA", "5% (2010)"]), min_size=1))
def test_nearly_all_texts_fit_the_type_of_their_section(texts: list[str]) -> None:
    type_ = read_section(texts, POINT)
    if type_ != "text":
        said = [text for text in texts if text != "NA"]
        assert sum(read_as(type_, text, POINT) is not None for text in said) >= 0.8 * len(said)


quick = settings(deadline=None, derandomize=True, max_examples=300, database=None)


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
