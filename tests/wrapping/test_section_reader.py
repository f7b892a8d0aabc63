from __future__ import annotations

import pytest

from webquarry.model.document import Document
from webquarry.model.wrapper import Section, Source, TokenFormat, Wrapper
from webquarry.wrapping.section_learner import learn_sections
from webquarry.wrapping.section_reader import Reader

WRAPPER = Wrapper(
    Source("book"),
    tokens=(TokenFormat(1, "Land", "h2"), TokenFormat(2, "Area:", "p > b :", is_inline=True)),
    ignored=("p.top",),
    classes=("top",),
    grammar=Section(
        "book",
        (
            Section("land", (Section("area", type="number"), Section("coast", is_optional=True))),
            Section("towns", headings=("Towns", "Cities")),
        ),
    ),
    other=("note",),
)


def read(markup: str, wrapper: Wrapper = WRAPPER, only: tuple[str, ...] = ()):
    return Reader(wrapper, only).read(Document(markup))


@pytest.mark.parametrize(
    ("markup", "record"),
    [
        ("<h2>Land</h2><p><b>Area:</b> 9 km", {"Land": {"Area": "9 km"}}),
        ("<h2>Towns</h2>Elm<h2>Land</h2><p><b>Area:</b> 9", {"Towns": "Elm", "Land": {"Area": "9"}}),
        ("<h2>Cities</h2>Elm", {"Towns": "Elm"}),
        ("<h2>Land</h2>flat<p><b>Area:</b> 9", {"Land": {"_text": "flat", "Area": "9"}}),
        ("<h2>Land</h2><p><b>Area:</b> 9 <b>Coast:</b> 2", {"Land": {"Area": "9", "Coast": "2"}}),
        ("<h2>Land</h2><p><b>Area:</b> 9<p class=top>Top", {"Land": {"Area": "9"}}),
        ("<h2>Land</h2><p><b>Hills:</b> 3", {"_other": {"Land": {"Hills": "3"}}}),
        ("<h2>Law</h2>none", {"_other": {"Law": "none"}}),
        (
            "<h2>Land</h2><p><b>Area:</b> 9<p><b>note:</b> old",
            {"Land": {"Area": "9"}, "_other": {"Land": {"Area": {"note": "old"}}}},
        ),
        ("<h2>Towns</h2>Elm<h2>Towns</h2>Oak", {"Towns": "Elm\nOak"}),
        ("<h2>Towns</h2>Elm<br>Oak<ul><li>Ash</ul>", {"Towns": "Elm\nOak\nAsh"}),
        ("<h2>Towns</h2>Elm<hr>Copyright", {"Towns": "Elm"}),
        ("<p>Nothing", {}),
        ("", {}),
    ],
)
def test_sections_are_read_in_any_order_and_what_is_unknown_is_kept(markup, record):
    assert read(markup).record == record


def test_values_have_paths_types_and_nodes():
    (value,) = read("<h2>Land</h2><p><b>Area:</b> <i>9 km</i>").values
    assert (value.path, value.headings, value.text) == (("land", "area"), ("Land", "Area"), "9 km")
    assert value.node == "/html/body/p/i"
    assert (value.typed.value, value.typed.unit) == (9, "km")


def test_what_is_expected_and_not_found_is_missing():
    assert read("<h2>Land</h2><p><b>Coast:</b> 2").missing == ("land.area", "towns")
    assert read("").missing == ("land", "towns")


def test_what_is_found_and_not_expected_is_unknown():
    assert read("<h2>Land</h2><p><b>Hills:</b> 3<p><b>note:</b> old<h2>Law</h2>none").unknown == ("Hills", "Law")


@pytest.mark.parametrize(
    ("only", "record"),
    [
        (("towns",), {"Towns": "Elm"}),
        (("land.area",), {"Land": {"Area": "9"}}),
        (("land",), {"Land": {"Area": "9", "Coast": "2"}}),
        (("land.coast", "towns"), {"Land": {"Coast": "2"}, "Towns": "Elm"}),
        (("rivers",), {}),
    ],
)
def test_only_what_is_asked_for_is_read(only, record):
    page = "<h2>Land</h2><p><b>Area:</b> 9<p><b>Coast:</b> 2<h2>Towns</h2>Elm"
    assert read(page, only=only).record == record


def test_a_repeated_section_is_a_list_with_its_headings():
    wrapper = Wrapper(
        Source("jobs"),
        tokens=(TokenFormat(1, "Cook", "h2", repeats="job"), TokenFormat(2, "Pay:", "p > b :")),
        grammar=Section("jobs", (Section("job", (Section("pay"),), is_repeated=True),)),
    )
    page = "<h2>Cook</h2>hot<p><b>Pay:</b> 7<h2>Cook</h2><p><b>Pay:</b> 8"
    assert read(page, wrapper).record == {
        "job": [{"_heading": "Cook", "_text": "hot", "Pay": "7"}, {"_heading": "Cook", "Pay": "8"}]
    }


def test_a_data_table_is_a_list_of_rows():
    columns = (Section("name", is_optional=True), Section("pay", is_optional=True))
    wrapper = Wrapper(
        Source("firm"),
        tokens=(TokenFormat(1, "Staff", "h2"),),
        grammar=Section("firm", (Section("staff", columns, type="table"),)),
    )
    page = "<h2>Staff</h2><table><tr><th>Name<th>Pay<tr><td>Elm<td>7<tr><td>Oak<td></table>"
    found = read(page, wrapper)
    assert found.record == {"Staff": [{"Name": "Elm", "Pay": "7"}, {"Name": "Oak"}]}
    assert found.values[1].path == ("staff", 0, "pay")


def test_headings_of_a_token_may_be_named_or_excluded():
    grammar = Section("book", (Section("land"), Section("towns")))
    page = "<h2>Land</h2>flat<h2>Towns</h2>Elm"
    named = Wrapper(Source("book"), (TokenFormat(1, "Land", "h2", names=("land",)),), grammar=grammar)
    excluded = Wrapper(Source("book"), (TokenFormat(1, "Land", "h2", excluded=("towns",)),), grammar=grammar)
    assert read(page, named).record == read(page, excluded).record == {"Land": "flat\nTowns\nElm"}


def test_labels_in_a_section_that_is_one_text_are_part_of_it():
    page = "<h2>Towns</h2>Elm<p><b>Mayor:</b> none"
    assert read(page).record == {"Towns": "Elm\nMayor: none"}


def test_a_section_that_is_one_text_and_is_made_of_labels_here_has_them_in_its_record():
    found = read("<h2>Towns</h2><p><b>Elm:</b> 7<p><b>Oak:</b> 8")
    assert found.record == {"Towns": {"Elm": "7", "Oak": "8"}}
    assert found.values[0].path == ("towns",)
    assert found.values[0].text == "Elm: 7\nOak: 8"


def test_a_caption_in_a_data_table_is_not_a_cell_of_it() -> None:
    rows = "<tr><th>Year<th>Name<tr><td>1979<td>Ann<tr><td>1983<td>Bo"
    page = Document(f"<h3>Mayors</h3><table><caption>List</caption>{rows}</table><h3>Other</h3><p>x</p>")
    record = Reader(learn_sections([page], Source("town"))).read(page).record
    assert record["Mayors"]["List"] == [{"Year": "1979", "Name": "Ann"}, {"Year": "1983", "Name": "Bo"}]
