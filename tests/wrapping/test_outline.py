from __future__ import annotations

from dataclasses import replace

from webquarry.model.document import Document
from webquarry.model.wrapper import Section, Source, TokenFormat, Wrapper
from webquarry.wrapping.heading_spots import find_tokens
from webquarry.wrapping.outline import compare_outlines, outline
from webquarry.wrapping.section_learner import learn_sections

WRAPPER = Wrapper(
    Source("book"),
    tokens=(TokenFormat(1, "Geography", "h2"), TokenFormat(2, "Area:", "p > b :", excluded=("note",))),
    grammar=Section(
        "book",
        (
            Section("geography", (Section("area", type="number"), Section("coast", is_optional=True))),
            Section("year", is_repeated=True),
            Section("chief", headings=("Head",)),
        ),
    ),
    other=("note",),
)


def test_shows_formats_then_numbered_sections_with_marks_types_and_headings() -> None:
    assert outline(WRAPPER).splitlines() == [
        'A  level 1, like "Geography": h2',
        'B  level 2, like "Area:": p > b : not note',
        "1  geography",
        "2    area number",
        "3    coast?",
        "4  year*",
        '5  chief = "Head"',
        "anywhere, kept under _other: note",
    ]


def test_with_pages_each_section_says_its_format() -> None:
    page = Document("<h2>Geography</h2><p><b>Area:</b> 5</p>")
    assert "1  geography [A]\n2    area number [B]\n3    coast?" in outline(WRAPPER, [page])


def test_the_same_wrapper_differs_in_nothing() -> None:
    assert compare_outlines(WRAPPER, replace(WRAPPER)) == ""


def test_changes_stand_below_the_sections_that_they_are_in() -> None:
    first, *rest = WRAPPER.grammar.children
    moved = replace(first, children=(replace(first.children[0], children=(Section("coast"),)),))
    after = replace(WRAPPER, grammar=replace(WRAPPER.grammar, children=(moved, *rest)), other=())
    assert compare_outlines(WRAPPER, after).splitlines() == [
        "  geography",
        "-   coast?",
        "+     coast",
        "- note (anywhere)",
    ]


def test_headings_that_repeat_the_title_are_pointed_at_as_they_are_read() -> None:
    def page(title: str, figure: int) -> Document:
        names = ("Geography", "People", "Economy")
        sections = "".join(f"<h2>{title}: {name}</h2><p>{name} {figure}</p>" for name in names)
        return Document(f"<h1>{title}</h1>{sections}")

    samples = [page(title, figure) for figure, title in enumerate(["Elm", "Oak", "Ash"])]
    tokens = find_tokens(learn_sections(samples, Source("book")), samples[0])
    assert [token.path for token in tokens] == [("geography",), ("people",), ("economy",)]
