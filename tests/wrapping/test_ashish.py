from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import example, given, strategies as st

import webquarry as wq
from webquarry.model.document import Document
from webquarry.model.wrapper import Section
from webquarry.wrapping.ashish import (
    MAX_DEPTH,
    ROOT,
    MeasuredHeading,
    as_printed,
    extract_ashish,
    find_headings,
    nest,
    raw_text,
    scan,
    with_and,
    wrap_ashish,
)

SAMPLE = """<html><head><title>Freedonia</title></head><body>
<h2>Freedonia</h2>
<h3>Geography</h3>
<b>Location:</b> Middle of nowhere, between Sylvania and the sea
<p><b>Area:</b>
<br><i>total area:</i> 1,200 sq km
<br><i>land area:</i> 1,100 sq km
<br><i>note:</i> includes the duck pond
<p><b>Coastline:</b> 12 km
<h3>People</h3>
<b>Population:</b> 1,933
<br><i>note:</i> counted twice
</body></html>
"""


def tokens(markup: str) -> list[tuple[str, str]]:
    return [(match.expression, match.text) for match in scan(raw_text(Document(markup)))]


def tree(section: Section) -> dict[str, object]:
    return {child.name: tree(child) for child in section.children}


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<b><a href=''>Chair</b>", ("b", "Chair")),
        ("<h3>Geography</h3>", ("h3", "Geography")),
        ("<STRONG>Area</STRONG>", ("STRONG", "Area")),
        ("<Strong>Population</Strong>", ("Strong", "Population")),
        ("<strong>Deadlines</strong>", ("strong", "Deadlines")),
        ("IRS NUMBER:", ("words:", "IRS NUMBER")),
        ("<i>total area:</i>", ("i", "total area")),
    ],
)
def test_each_expression_finds_the_example_that_the_paper_gives(markup, expected):
    assert tokens(markup) == [expected]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<B class="x"\n style="y">Area</B>', [("b", "Area")]),
        ("<b>Area\nof land</b>", []),
        ("<H2>Area</h4>", [("h2", "Area")]),
        ("<hr>Area</h2>", []),
        ("<Strong>Area</strong>", []),
        ("<strong class=x>Area</strong>", []),
        ("<b></b>", []),
        ("<b>></b>", [("b", ">")]),
        ("<b>Tom &amp; Jerry</b>\r\n<b>Max</b>\r<b>Moritz</b>", [("b", "Tom & Jerry"), ("b", "Max"), ("b", "Moritz")]),
        ("well-known_1 area: big", [("words:", "well-known_1 area")]),
        ("größe: big", [("words:", "e")]),
    ],
)
def test_expressions_mean_what_they_mean_in_lex(markup, expected):
    assert tokens(markup) == expected


def test_a_heading_runs_to_the_last_end_tag_of_its_line():
    assert tokens("<b>Area</b> 5 <b>Coast</b> 6\n<b>Hills</b>") == [("b", "Area 5 Coast"), ("b", "Hills")]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<body><b>Area</b>", [("b", "Area")]),
        ("12 km<br>and <b>Area</b>", [("b", "and Area")]),
        ("<img src=flag><i>flag</i>", [("i", "flag")]),
        ('<a href="http://example.org">at 10:30</a>', [("words:", "http"), ("words:", "at 10")]),
    ],
)
def test_what_only_looks_like_a_heading_is_one(markup, expected):
    assert tokens(markup) == expected


EXPRESSIONS = [
    r"<[bB][^<]*>[^\n]+</[bB]>",
    r"<[hH][0-6][^<]*>[^\n]+</[hH][0-6]>",
    r"<STRONG>[^\n]+</STRONG>",
    r"<Strong>[^\n]+</Strong>",
    r"<strong>[^\n]+</strong>",
    r"[A-Za-z0-9\-_ ]+[:]",
    r"<[iI][^<]*>[^\n]+</[iI]>",
]


def longest_matches(markup: str) -> list[str]:
    """What LEX does, in the slowest way: at each place all ends are tried, the last first."""
    found, place = [], 0
    while place < len(markup):
        ends = range(len(markup), place, -1)
        end = next((end for end in ends if any(re.fullmatch(each, markup[place:end]) for each in EXPRESSIONS)), None)
        if end is not None:
            found.append(markup[place:end])
        place = end or place + 1
    return found


PIECES = ["<b", "<i", "<h1", "</b>", "</B>", "</i>", "</h2>", "<strong>", "</strong>", ">", "<", "x", ":", "\n", " "]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@example("<b>\n>x</b>")
@example("<b\n>></b>")
@example("<b>x</b>\n<b></b>")
def test_the_scanner_finds_what_the_expressions_describe(markup):
    assert [markup[match.start : match.end] for match in scan(markup)] == longest_matches(markup)


@pytest.mark.parametrize("piece", ["<b", "<b>", "<b >", "<h1>x", "a b ", "<strong>x", "<i\n>", "<!--"])
def test_a_page_of_nothing_but_beginnings_has_no_headings(piece):
    assert find_headings(Document(piece * (1_000_000 // len(piece)))) == []


def test_spaces_no_break_spaces_and_lists_indent():
    markup = (
        "<b>A</b>\n  &nbsp;<b>B</b>\n  C:\n\tD:\n"
        "<ul>\n<li><b>E</b> F: x\n<blockquote>\n<b>G</b></blockquote>\n</ul></ul>\n<b>H</b>"
    )
    assert [(heading.text, heading.indentation) for heading in find_headings(Document(markup))] == [
        ("A", 0),
        ("B", 3),
        ("C", 2),
        ("D", 8),
        ("E", 10),
        ("F", 10),
        ("G", 20),
        ("H", 0),
    ]


def headings(*pairs: tuple[int, int]) -> list[MeasuredHeading]:
    return [MeasuredHeading(f"{size}/{indentation}", "b", (0.0, size), indentation) for size, indentation in pairs]


@pytest.mark.parametrize(
    ("pairs", "printed", "mended"),
    [
        # told apart by size alone: "not less indented" is always true, and climbs to the root
        ([(7, 0), (3, 0), (1, 0), (3, 0)], [ROOT, ROOT, ROOT, ROOT], [ROOT, 0, 1, 0]),
        # told apart by indentation alone: "not larger" is always true
        ([(3, 0), (3, 2), (3, 4), (3, 2)], [ROOT, ROOT, ROOT, ROOT], [ROOT, 0, 1, 0]),
        # both at once
        ([(7, 0), (3, 2), (1, 4), (3, 2)], [ROOT, 0, 1, 0], [ROOT, 0, 1, 0]),
    ],
)
def test_figure_2_as_printed_needs_headings_both_smaller_and_further_in(pairs, printed, mended):
    assert nest(headings(*pairs), climbs=as_printed) == printed
    assert nest(headings(*pairs), climbs=with_and) == mended


def test_with_and_a_large_heading_goes_below_a_small_one_that_is_less_indented():
    pairs = headings((3, 0), (7, 4))
    assert nest(pairs, climbs=with_and) == [ROOT, 0]


def test_sections_are_no_deeper_than_allowed():
    parents = nest(headings(*[(1, 0), (3, 1)] * 200))
    depths: list[int] = []
    for parent in parents:
        depths.append(1 if parent == ROOT else depths[parent] + 1)
    assert max(depths) == MAX_DEPTH


def test_the_paper_as_printed_puts_all_sections_of_its_own_example_at_the_top():
    wrapper = wrap_ashish([Document(SAMPLE)], name="factbook", nesting="printed")
    assert list(tree(wrapper.grammar)) == [
        "geography",
        "location",
        "area",
        "total_area",
        "land_area",
        "note",
        "coastline",
        "people",
        "population",
        "note_2",
    ]
    assert all(not section.children for section in wrapper.grammar.children)


def test_as_intended_its_example_gives_the_rules_of_figure_3_without_the_title():
    wrapper = wrap_ashish([Document(SAMPLE)], name="factbook")
    area = {"total_area": {}, "land_area": {}, "note": {}}
    geography = {"location": {}, "area": area, "coastline": {}}
    assert tree(wrapper.grammar) == {"geography": geography, "people": {"population": {"note": {}}}}


def test_the_wrapper_names_expressions_and_the_headings_that_they_found():
    wrapper = wrap_ashish([Document(SAMPLE, url="fr.html"), Document("<b>Other</b>")], name="factbook")
    assert (wrapper.method, wrapper.source.name, wrapper.source.samples) == ("ashish", "factbook", ("fr.html",))
    assert [(each.level, each.signature, each.like) for each in wrapper.tokens] == [
        (1, "h3", "Geography"),
        (2, "b", "Location"),
        (3, "i", "total area"),
    ]
    assert wrapper.tokens[2].names == ("total_area", "land_area", "note")


def test_no_page_gives_an_empty_wrapper():
    wrapper = wrap_ashish([], name="factbook")
    assert (wrapper.tokens, wrapper.grammar.children) == ((), ())


def test_the_sample_is_read_with_its_own_wrapper():
    document = Document(SAMPLE)
    for is_exact in (False, True):
        found = extract_ashish(wrap_ashish([document], name="f"), document, is_exact=is_exact)
        assert found.record["_title"] == "Freedonia"
        assert found.record["Geography"] == {
            "Location": "Middle of nowhere, between Sylvania and the sea",
            "Area": {
                "total area": "1,200 sq km",
                "land area": "1,100 sq km",
                "note": "includes the duck pond",
            },
            "Coastline": "12 km",
        }
        assert (found.missing, found.unknown) == ((), ())


SYLVANIA = """<h3>People</h3>
<b>Population:</b> 7 <b>million</b>
<h3>Geography</h3>
<b>Coastline:</b> none
<p><b>Area:</b> small
<br><i>land area:</i> 90 sq km
<br><i>water area:</i> 1 sq km
<br><i>land area:</i> or 91
"""


def test_other_pages_may_lack_sections_and_have_them_in_any_order():
    wrapper = wrap_ashish([Document(SAMPLE)], name="f")
    found = extract_ashish(wrapper, Document(SYLVANIA))
    assert found.record == {
        "People": "Population: 7 million",  # the heading runs to the last end tag of its line, and is another
        "Geography": {
            "Coastline": "none",
            "Area": {"_text": "small", "land area": "90 sq km water area: 1 sq km\nor 91"},
        },
    }
    assert found.missing == (
        "geography.location",
        "geography.area.total_area",
        "geography.area.note",
        "people.population",
        "people.population.note",
    )
    assert found.unknown == ()


def test_a_heading_that_no_open_section_has_is_kept_apart():
    wrapper = wrap_ashish([Document(SAMPLE)], name="f")
    found = extract_ashish(wrapper, Document("<h3>People</h3>\n<b>Coastline:</b> none\n<b>Population:</b> 7"))
    assert found.record["_other"] == {"coastline": "none"}
    assert found.unknown == ("Coastline",)


@pytest.mark.parametrize(
    ("markup", "title", "sections"),
    [
        ("<h1>Ruritania</h1>\n<h2>A</h2> 1\n<h2>B</h2> 2", "Ruritania", ["a", "b"]),
        ("<title>Ruritania: facts</title>\n<h2>A</h2> 1\n<h2>B</h2> 2", None, ["a", "b"]),
        ("<title>Ruritania</title><h2>Ruritania</h2>\n<h2>A</h2> 1\n<h2>B</h2> 2", "Ruritania", ["a", "b"]),
        ("<b>A</b> 1\n<b>B</b> 2\n<h4>Contact</h4> 4", None, ["a", "b", "contact"]),
        ("<h2>A</h2> 1\n<h2>B</h2> 2", None, ["a", "b"]),
        ("<b>A</b> x: 1", None, ["a"]),
    ],
    ids=["largest", "in title", "as in title", "at the end", "all alike", "bold alone"],
)
def test_the_title_of_the_page_is_no_section(markup, title, sections):
    document = Document(markup)
    wrapper = wrap_ashish([document], name="f")
    found = extract_ashish(wrapper, document)
    assert [section.name for section in wrapper.grammar.children] == sections
    assert found.record.get("_title") == title


def test_a_wrapper_of_one_country_reads_another():
    wrapper = wrap_ashish([Document(SAMPLE)], name="f")
    found = extract_ashish(wrapper, Document(SAMPLE.replace("Freedonia", "Sylvania").replace("12 km", "0 km")))
    assert (found.record["_title"], found.record["Geography"]["Coastline"]) == ("Sylvania", "0 km")
    assert (found.missing, found.unknown) == ((), ())


def test_fonts_of_tags_and_style_sheets_are_sizes_of_rendered_pages(browser):
    markup = (
        "<style>.big { font-size: 30px } .mid { font-size: 22px }</style>"
        "<b class='big'>Land</b>\n<p>\n<b><font size=5>Area</font></b> 5\n<p>\n<b>Coast</b> 6\n<p>\n"
        "<b class='big'>People</b>\n<p>\n<b><font size=5>Number</font></b> 7\n"
    )
    rendered = wrap_ashish([wq.render(wq.Page("https://example.org/", markup.encode()), browser=browser)], name="f")
    found = tree(rendered.grammar)
    assert (found["land"], found["people"]) == ({"area": {"coast": {}}}, {"number": {}})
    static = wrap_ashish([Document(markup)], name="f")
    assert all(not section.children for section in static.grammar.children)


def test_the_exact_parser_refuses_pages_with_another_sequence():
    wrapper = wrap_ashish([Document("<b>A</b> 1\n<b>B</b> 2")], name="f")
    assert extract_ashish(wrapper, Document("<b>A</b> 3\n<b>B</b> 4"), is_exact=True).record == {"A": "3", "B": "4"}
    for markup in ("<b>B</b> 3\n<b>A</b> 4", "<b>A</b> 3", "<b>A</b> 3\n<b>B</b> 4\n<b>B</b> 5"):
        assert extract_ashish(wrapper, Document(markup), is_exact=True).values == ()


def test_values_name_the_element_that_they_begin_in():
    markup = (
        "<body><p>\n<b>A</b> one\n<p>\n<b>B</b>\n<table><tr><td>two</table>\n"
        "<b>C</b>\r\n<div><span></span>\r\nthree</div>"
    )
    document = Document(markup)
    found = extract_ashish(wrap_ashish([document], name="f"), document)
    assert [(value.text, value.node) for value in found.values] == [
        ("one", "/html/body/p[1]"),
        ("two", "/html/body/p[2]/table/tbody/tr/td"),
        ("three", "/html/body/div"),
    ]


def test_text_is_without_scripts_comments_and_the_rest_of_a_tag():
    markup = '<p style="color: red">x<script>a<b</script> y <!-- > z --><style>p</style>&lt;w&gt;\n<b>B</b> 1'
    document = Document(markup)
    found = extract_ashish(wrap_ashish([document], name="f"), document)
    assert found.record == {"color": "x y <w>", "B": "1"}


def test_headings_of_one_name_in_one_section_are_numbered():
    document = Document("<b>note</b> 1\n<b>note</b> 2\n<b>Note</b> 3\n<b>_text</b> 4\n<b>&nbsp;</b> 5")
    found = extract_ashish(wrap_ashish([document], name="f"), document)
    assert [value.path for value in found.values] == [("note",), ("note_2",), ("note_3",), ("text",), ("column",)]
    assert found.record == {"note": "1", "note_2": "2", "Note": "3", "text": "4", "column": "5"}


def test_excluded_headings_are_text():
    document = Document("<b>A</b> 1\n<b>B</b> 2")
    wrapper = wrap_ashish([document], name="f")
    dropped = replace(wrapper, tokens=(replace(wrapper.tokens[0], excluded=("b",)),))
    assert extract_ashish(dropped, document).record == {"A": "1 B 2"}


@given(
    st.lists(
        st.sampled_from([*PIECES, "<div>", "</div>", "<table>", "note", "_", "\r", "é", "&nbsp;", "<!--"]), max_size=40
    ),
    st.sampled_from(["printed", "intended"]),
)
def test_any_markup_is_read_with_its_own_wrapper_and_lacks_nothing(pieces, nesting):
    document = Document("".join(pieces))
    found = extract_ashish(wrap_ashish([document], name="f", nesting=nesting), document)
    assert (found.missing, found.unknown) == ((), ())
    assert isinstance(found.record, dict)
    assert all(document.node(value.node) is not None for value in found.values)
