"""What corrections do to what is read from the pages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.wrapper import Section, Source, Wrapper
from webquarry.wrapping.corrections import Correction, correct, undo
from webquarry.wrapping.heading_spots import KeptSamples
from webquarry.wrapping.section_edits import take_out
from webquarry.wrapping.section_learner import learn_sections
from webquarry.wrapping.section_reader import Reader
from webquarry.wrapping.wrapper_file import read_wrapper, write_wrapper


def records(wrapper: Wrapper, documents: list[Document]) -> list[dict[str, Any]]:
    reader = Reader(wrapper)
    return [reader.read(document).record for document in documents]


def corrected(wrapper: Wrapper, documents: list[Document], *actions: Correction) -> Wrapper:
    for action in actions:
        wrapper = correct(wrapper, action, documents)
    return wrapper


def paths(wrapper: Wrapper) -> dict[str, Section]:
    return {".".join(path): section for path, section in wrapper.grammar.walk()}


def test_text_of_a_dropped_heading_belongs_to_the_section_before_it(book: Wrapper, pages: list[Document]) -> None:
    wrapper = corrected(book, pages, Correction("drop", "note:"))
    arvo = records(wrapper, pages)[0]
    assert arvo["Geography"]["Size"]["land"] == "1,210 sq km\nnote: the total is of 1990"
    assert "note" not in arvo["People"]["Government"]
    assert not [path for path in paths(wrapper) if path.endswith("note")]


def test_a_dropped_label_belongs_to_the_section_that_begins_on_its_line() -> None:
    def page(place: str, *shares: int) -> Document:
        rows = zip(("good", "", "bad", ""), ("town", "land", "town", "land"), shares, strict=True)
        lines = (
            "<div>" + (f"<i>{group}:</i> " if group else "") + f"<b>{name}:</b> <span>{share} %</span></div>"
            for group, name, share in rows
        )
        return Document(f"<h1>{place}</h1><h2>People</h2><p>{place} folk</p><h2>Water</h2>{''.join(lines)}")

    documents = [page("Arvo", 90, 80, 10, 20), page("Bran", 70, 60, 30, 40), page("Cale", 95, 85, 5, 15)]
    wrapper = learn_sections(documents, Source("book"))
    assert records(wrapper, documents)[0]["Water"]["good"]["town"] == "90 %"
    wrapper = corrected(wrapper, documents, Correction("drop", "good", whole_format=True))
    assert records(wrapper, documents)[0]["Water"] == {
        "town": "good: 90 %\nbad: 10 %",
        "land": "80 %\n20 %",
    }


def test_a_path_drops_a_heading_only_there(book: Wrapper, pages: list[Document]) -> None:
    wrapper = corrected(book, pages, Correction("drop", "size.note"))
    arvo = records(wrapper, pages)[0]
    assert arvo["Geography"]["Size"]["land"] == "1,210 sq km\nnote: the total is of 1990"
    assert arvo["People"]["Government"]["note"].startswith("elected")


def test_a_heading_dropped_at_a_path_stays_dropped_when_what_holds_it_gets_another_name(
    book: Wrapper, pages: list[Document]
) -> None:
    wrapper = corrected(book, pages, Correction("drop", "size.note"), Correction("rename", "Size", name="area"))
    assert records(wrapper, pages)[0]["Geography"]["area"]["land"] == "1,210 sq km\nnote: the total is of 1990"


def test_dropping_a_format_leaves_the_text_of_all_its_headings(book: Wrapper, pages: list[Document]) -> None:
    wrapper = corrected(book, pages, Correction("drop", "chief", whole_format=True))
    assert records(wrapper, pages)[1]["Geography"]["Extent"] == "total: 930 sq km\nland: 900 sq km"
    assert len(wrapper.tokens) == len(book.tokens) - 1


def test_sections_in_a_dropped_one_go_to_the_section_around_it(book: Wrapper, pages: list[Document]) -> None:
    wrapper = corrected(book, pages, Correction("drop", "Government"))
    people = records(wrapper, pages)[0]["People"]
    assert people["Growth"] == "2.1%\nGovernment:" or people["Growth"]["_text"] == "2.1%\nGovernment:"
    assert any(path.endswith("chief") for path in paths(wrapper))


def test_a_path_drops_a_format_only_in_the_section_that_it_is_in(book: Wrapper, pages: list[Document]) -> None:
    wrapper = corrected(book, pages, Correction("drop", "size.total", whole_format=True))
    found = records(wrapper, pages)
    assert found[0]["Geography"]["Size"].splitlines() == [
        "total: 1,250 sq km",
        "land: 1,210 sq km",
        "note: the total is of 1990",
    ]
    assert found[1]["Geography"]["Extent"]["total"] == "930 sq km"
    assert found[0]["People"]["Government"]["chief"] == "Ruth Ansell"


def test_a_heading_that_was_missed_starts_a_section(book: Wrapper, pages: list[Document]) -> None:
    wrapper = corrected(book, pages, Correction("add", "Motto"))
    assert [each["People"]["Government"]["Motto"] for each in records(wrapper, pages)] == [
        "Arvo first",
        "Belm first",
        "Corin first",
    ]
    assert not paths(wrapper)["people.government.motto"].is_optional


def test_a_heading_is_added_where_a_person_says_and_by_the_name_given(book: Wrapper, pages: list[Document]) -> None:
    wrapper = corrected(book, pages, Correction("add", "Motto", to="people", name="Device"))
    assert records(wrapper, pages)[2]["People"]["device"] == "Corin first"
    assert paths(wrapper)["people.device"].headings == ("Motto",)


def test_adding_takes_back_a_drop(book: Wrapper, pages: list[Document]) -> None:
    wrapper = corrected(book, pages, Correction("drop", "note"), Correction("add", "note"))
    assert (wrapper.tokens, wrapper.grammar) == (book.tokens, book.grammar)


def test_adding_a_format_makes_headings_of_all_texts_that_look_so(pages: list[Document], book: Wrapper) -> None:
    wrapper = corrected(
        book, pages, Correction("drop", "total", whole_format=True), Correction("add", "land", whole_format=True)
    )
    assert records(wrapper, pages) == records(book, pages)
    assert set(paths(wrapper)) == set(paths(book))


def test_a_new_heading_above_others_takes_them_in() -> None:
    markup = "<h2>Economy</h2><h4>Trade</h4><p><b>Exports:</b> {0}</p><p><b>Imports:</b> 2{0}</p><h2>End</h2><p>{0}</p>"
    documents = [Document(markup.format(number)) for number in (5, 6, 7)]
    learnt = learn_sections(documents, Source("trade"))
    assert records(learnt, documents)[0]["Economy"]["Exports"] == "5"
    wrapper = corrected(learnt, documents, Correction("add", "Trade"))
    assert records(wrapper, documents)[0]["Economy"] == {"Trade": {"Exports": "5", "Imports": "25"}}
    assert "economy.exports" not in paths(wrapper)


def test_a_section_moves_under_the_one_before_it(book: Wrapper, pages: list[Document]) -> None:
    wrapper = corrected(book, pages, Correction("move", "Growth", "population"))
    assert records(wrapper, pages)[0]["People"]["Population"] == {"_text": "88,120", "Growth": "2.1%"}


def test_a_section_moves_under_one_that_is_no_longer_open(book: Wrapper, pages: list[Document]) -> None:
    wrapper = corrected(book, pages, Correction("move", "Climate", "location"))
    assert records(wrapper, pages)[1]["Geography"]["Location"]["Climate"].startswith("dry and hot")


def test_a_section_moves_out_of_another(book: Wrapper, pages: list[Document]) -> None:
    wrapper = corrected(book, pages, Correction("move", "chief", "people"))
    assert records(wrapper, pages)[0]["People"]["chief"] == "Ruth Ansell"
    assert Reader(wrapper).read(pages[0]).unknown == ()


def test_a_section_moves_to_the_page_itself(book: Wrapper, pages: list[Document]) -> None:
    wrapper = corrected(book, pages, Correction("move", "Government", "book"))
    assert records(wrapper, pages)[0]["Government"]["chief"] == "Ruth Ansell"


def test_a_renamed_section_is_called_so_in_the_record(book: Wrapper, pages: list[Document]) -> None:
    wrapper = corrected(book, pages, Correction("rename", "Population", name="Inhabitants"))
    assert records(wrapper, pages)[0]["People"]["inhabitants"] == "88,120"
    assert paths(wrapper)["people.inhabitants"].headings == ("Population",)


def test_a_section_that_gets_its_own_name_again_is_as_before(book: Wrapper, pages: list[Document]) -> None:
    wrapper = corrected(
        book,
        pages,
        Correction("rename", "Population", name="Inhabitants"),
        Correction("rename", "Inhabitants", name="Population"),
    )
    assert wrapper.grammar == book.grammar


def test_joined_sections_are_one_under_one_name(book: Wrapper, pages: list[Document]) -> None:
    wrapper = corrected(book, pages, Correction("join", "Extent", "Size"))
    assert [each["Geography"]["Size"]["total"] for each in records(wrapper, pages)] == [
        "1,250 sq km",
        "930 sq km",
        "4,410 sq km",
    ]
    size = paths(wrapper)["geography.size"]
    assert (size.is_optional, [child.name for child in size.children if child.is_optional]) == (False, ["note"])


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (Correction("drop", "Populaton"), 'the nearest are "Population"'),
        (Correction("rename", "total", name="sum"), "2 sections are called"),
        (Correction("rename", "Growth", name="population"), "taken by people.population"),
        (Correction("rename", "Growth", name="growth"), "that name already"),
        (Correction("rename", "Growth", name="%"), "not a section name"),
        (Correction("move", "Geography", "size"), "into itself"),
        (Correction("move", "Growth", "people"), "there already"),
        (Correction("move", "Growth", "nowhere"), 'no heading "nowhere"'),
        (Correction("move", "size.total", "extent"), "has that name"),
        (Correction("move", "Climate", "population"), "not open"),
        (Correction("join", "Size", "Size"), "one section"),
        (Correction("join", "Geography", "size"), "one is in the other"),
        (Correction("add", "Growth"), "a section already: people.growth"),
        (Correction("add", "Motta"), 'the nearest are "Motto"'),
        (Correction("add", "Motto", to="geography.size.total"), "not open"),
        (Correction("drop", " "), "an example is needed"),
    ],
)
def test_mistakes_are_told(book: Wrapper, pages: list[Document], action: Correction, said: str) -> None:
    with pytest.raises(InputError, match=said.replace(".", r"\.")):
        correct(book, action, pages)


def test_there_may_be_nothing_to_undo(book: Wrapper) -> None:
    with pytest.raises(InputError, match="no correction to undo"):
        undo(book)


def test_both_counts_are_kept(book: Wrapper, pages: list[Document]) -> None:
    wrapper = corrected(
        book,
        pages,
        Correction("drop", "note"),
        Correction("move", "Growth", "population"),
        Correction("rename", "Climate", name="weather"),
    )
    assert [(step.action, step.tokens) for step in wrapper.history] == [
        ('drop "note"', 2),
        ('move "Growth" --to "population"', 2),
        ('rename "Climate" --name "weather"', 1),
    ]
    assert wrapper.steps == (5, 3)


def test_a_step_on_other_pages_than_the_first_costs_the_paper_nothing(book: Wrapper, pages: list[Document]) -> None:
    assert corrected(book, pages, Correction("drop", "Extent")).steps == (0, 1)


def test_an_undone_wrapper_is_the_one_before_also_from_its_file(book: Wrapper, pages: list[Document]) -> None:
    before = read_wrapper(write_wrapper(book))
    after = corrected(
        before,
        pages,
        Correction("drop", "note"),
        Correction("join", "Extent", "Size"),
        Correction("add", "Motto", name="Device"),
    )
    again = read_wrapper(write_wrapper(after))
    for _ in range(3):
        again = undo(again)
    assert again == before


def test_a_wrapper_that_was_edited_since_is_not_undone(book: Wrapper, pages: list[Document]) -> None:
    after = corrected(book, pages, Correction("rename", "Population", name="Inhabitants"))
    page, *rest = write_wrapper(after).partition("[history]")
    edited = read_wrapper("".join([page.replace("inhabitants", "dwellers"), *rest]))
    with pytest.raises(InputError, match="edited since"):
        undo(edited)


def test_a_label_kept_apart_becomes_a_section() -> None:
    markup = (
        "<h2>Land</h2><p><b>Area:</b> {0}1 <i>note:</i> old {0}</p><p><b>Coast:</b> {0}2 <i>note:</i> new {0}</p>"
        "<p><b>Hills:</b> {0}3 <i>note:</i> low {0}</p><p><b>Lakes:</b> {0}4</p><h2>End</h2><p>{0}</p>"
    )
    documents = [Document(markup.format(number)) for number in (5, 6, 7)]
    sections = learn_sections(documents, Source("lands"))
    notes = [path for path, _ in sections.grammar.walk() if path[-1] == "note"]
    tokens = tuple(replace(token, level=3) if token.like == "note:" else token for token in sections.tokens)
    learnt = replace(sections, tokens=tokens, grammar=take_out(sections.grammar, notes), other=("note",))
    assert records(learnt, documents)[0]["_other"]["Land"]["Coast"] == {"note": "new 5"}
    wrapper = corrected(learnt, documents, Correction("add", "note"))
    assert wrapper.other == ()
    assert records(wrapper, documents)[0]["Land"]["Coast"] == {"_text": "52", "note": "new 5"}
    as_text = corrected(learnt, documents, Correction("drop", "note"))
    assert as_text.other == ()
    assert records(as_text, documents)[0]["Land"]["Coast"] == "52 note: new 5"


def test_new_sections_have_types(book: Wrapper, pages: list[Document]) -> None:
    wrapper = corrected(book, pages, Correction("drop", "Population"), Correction("add", "Population"))
    assert paths(wrapper)["people.population"].type == paths(book)["people.population"].type == "number"


def test_the_heading_of_a_repeated_section_is_dropped_alone() -> None:
    states = {name: [f"{name} {kind}" for kind in ("College", "Institute")] for name in "Ohio Utah Iowa Maine".split()}
    markup = "".join(
        f"<h3>{state}</h3><ul>{''.join(f'<li>{name}</li>' for name in names)}</ul>" for state, names in states.items()
    )
    more = "".join(
        f"<h3>{name}</h3><ul><li>{name} A</li><li>{name} B</li></ul>" for name in ("Texas", "Idaho", "Nevada")
    )
    documents = [Document(markup + more)]
    learnt = learn_sections(documents, Source("schools"))
    repeated = [section.name for section in learnt.grammar.children if section.is_repeated]
    assert len(repeated) == 1
    wrapper = corrected(learnt, documents, Correction("drop", "Utah"))
    rows = records(wrapper, documents)[0][repeated[0]]
    assert [row["_heading"] for row in rows] == ["Ohio", "Iowa", "Maine", "Texas", "Idaho", "Nevada"]
    renamed = corrected(wrapper, documents, Correction("rename", repeated[0], name="state"))
    assert records(renamed, documents)[0]["state"][0]["_heading"] == "Ohio"


def land(number: int, side: str, air: str) -> Document:
    return Document(
        f"<h1>Land {number}</h1><h2>Geography</h2><p>Location: in the {side}. Climate mild and {air}. Terrain flat.</p>"
        f"<h2>People</h2><p>Many {number} folks of the {side}.</p>"
    )


LANDS = [land(1, "west", "wet"), land(2, "east", "dry"), land(3, "north", "cold")]


def test_a_heading_may_be_part_of_a_text() -> None:
    learnt = learn_sections(LANDS, Source("lands"))
    wrapper = corrected(learnt, LANDS, Correction("add", "Climate"), Correction("add", "Terrain"))
    assert records(wrapper, LANDS)[1]["Geography"] == {
        "Location": "in the east.",
        "Climate": "mild and dry.",
        "Terrain": "flat.",
    }
    assert wrapper.steps == (2, 2)
    assert read_wrapper(write_wrapper(wrapper)) == wrapper
    rest = records(corrected(wrapper, LANDS, Correction("drop", "Climate")), LANDS)[0]["Geography"]
    assert rest == {"Location": "in the west. Climate mild and wet.", "Terrain": "flat."}
    assert undo(undo(wrapper)) == learnt


def test_a_part_of_a_text_is_put_into_the_section_that_is_named() -> None:
    learnt = learn_sections(LANDS, Source("lands"))
    wrapper = corrected(learnt, LANDS, Correction("add", "Climate", to="geography.location", name="air"))
    assert "geography.location.air" in paths(wrapper)
    with pytest.raises(InputError, match="nothing else looks like it"):
        correct(learnt, Correction("add", "Climate", whole_format=True), LANDS)


def test_kept_samples_give_the_same_wrapper() -> None:
    learnt = learn_sections(LANDS, Source("lands"))
    kept, wrapper = KeptSamples(), learnt
    actions = (
        Correction("add", "Climate"),
        Correction("rename", "People", name="folk"),
        Correction("drop", "Climate"),
        Correction("rename", "Location", name="place"),
    )
    for action in actions:
        wrapper = correct(wrapper, action, LANDS, kept=kept)
    assert write_wrapper(wrapper) == write_wrapper(corrected(learnt, LANDS, *actions))
