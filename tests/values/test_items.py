"""Items of lists."""

import pytest
from hypothesis import given, settings, strategies as st

from webquarry.values.section_types import are_lists, split_items

quick = settings(deadline=None, derandomize=True, max_examples=300, database=None)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("coal, iron ore, tin", ["coal", "iron ore", "tin"]),
        ("wheat, rice; beef", ["wheat", "rice", "beef"]),
        ("a (b, c), d", ["a (b, c)", "d"]),
        ("a (b (c, d), e), f [g; h]", ["a (b (c, d), e)", "f [g; h]"]),
        ("1) one, 2) two", ["1) one", "2) two"]),
        ("a (b, c", ["a (b", "c"]),
        ("oil, gas, and fish", ["oil", "gas", "fish"]),
        ("one, two\n three \n\nfour", ["one, two", "three", "four"]),
        (
            "Ara 6 km, Bel 62 km, Cor 4 km, Dor 5 km\nEm 7 km, Fi 8 km",
            ["Ara 6 km", "Bel 62 km", "Cor 4 km", "Dor 5 km", "Em 7 km", "Fi 8 km"],
        ),
        ("Smith, Anna, baker\nMiller, Max, cook", ["Smith, Anna, baker", "Miller, Max, cook"]),
        ("Oslo, Norway\nBergen, Norway", ["Oslo, Norway", "Bergen, Norway"]),
        ("Oslo, 3 km, 5 km\nBergen, 4 km, 6 km, 9 km", ["Oslo, 3 km, 5 km", "Bergen, 4 km, 6 km, 9 km"]),
        ("1,5 km, 2,5 km", ["1,5 km", "2,5 km"]),
        ("red | green | blue", ["red", "green", "blue"]),
        ("米、茶", ["米", "茶"]),
        ("fish;", ["fish"]),
        ("", []),
    ],
)
def test_splits_a_text_into_items(text: str, items: list[str]) -> None:
    assert split_items(text) == items


@quick
@given(st.text("ab,; ()[]\n", max_size=60))
def test_splitting_loses_no_letter(text: str) -> None:
    letters = [letter for letter in text if letter in "ab"]
    assert [letter for item in split_items(text) for letter in item if letter in "ab"] == letters


@pytest.mark.parametrize(
    "texts",
    [
        ["coal, iron ore, tin", "fish, timber", "gold, silver, oil"],
        ["Ara 12 km, Bel 300 km", "Cor 5 km", "Ara 7 km, Dor 90 km, Bel 3 km"],
        ["first line\nsecond line", "one\ntwo\nthree"],
    ],
)
def test_short_items_on_most_pages_are_a_list(texts: list[str]) -> None:
    assert are_lists(texts)


@pytest.mark.parametrize(
    "texts",
    [
        ["fish", "coal, iron ore", "timber"],
        ["12 30 N, 70 02 W", "46 00 N, 2 00 E", "10 00 S, 55 00 W"],
        ["4101 Long Road, Springfield, XY 20007", "12 Elm Street, Shelbyville, XY 20010"],
        [
            "mostly flat plains or gently rolling hills in the north, the rest is mountainous, above all in the east",
            "a high plateau in the middle of the country, surrounded by hills that fall to the sea, and a desert",
        ],
    ],
)
def test_pairs_addresses_and_prose_are_no_lists(texts: list[str]) -> None:
    assert not are_lists(texts)
