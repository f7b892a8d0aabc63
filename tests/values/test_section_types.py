"""Types of sections, and their texts read by them."""

from datetime import date

import pytest
from hypothesis import given, settings, strategies as st

from webquarry.values.locale import Locale
from webquarry.values.section_types import read_as, read_section
from webquarry.values.text_value import Value

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
