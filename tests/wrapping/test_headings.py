from __future__ import annotations

import pytest

from webquarry.wrapping.section_headings import find_headings


def headings_of(pages) -> dict[str, frozenset[str] | None]:
    return {format_.signature: heading.names for format_, heading in find_headings(pages).items()}


@pytest.mark.parametrize(
    ("markup", "signatures"),
    [
        ("<h2>Area</h2><p>nine square kilometres", {"h2"}),
        ("<p><b>Area:</b> nine square kilometres", {"p > b :"}),
        ("<p><b>Area</b> nine square kilometres", {"p > b"}),
        ("<p><i>Moby Dick</i> is a book about a whale and a captain", set()),
        ("<p><i>Area</i></p><p>nine square kilometres", {"p > i"}),
        ("<p>Area: nine<p>Place: Elm<p>Town: Oak", {"p :…"}),
        ("<p>Area: nine<p>Place is Elm and<p>Town is Oak<p>and so on", set()),
        ("<h2>1990</h2><p>nobody at all was elected", {"h2"}),
        ("<h2>***</h2><p>nobody at all was elected", set()),
        ("<h2>" + "word " * 13 + "</h2><p>" + "text " * 40, set()),
        ("<p style='color: red'>Area<p>nine square kilometres", {"p[color:red]"}),
        ("<p><a href=x>Area</a></p><p>nine square kilometres", set()),
        ("<table><tr><th>A<th>B<tr><td>1<td>2</table>", set()),
    ],
)
def test_formats_that_stand_out_start_the_sections_of_a_single_page(sample, markup, signatures):
    assert set(headings_of(sample(markup))) == signatures


def test_over_several_pages_headings_recur(sample):
    pages = [f"<h2>Area</h2>{n} km<p><b>Town {n}</b> is large" for n in range(4)]
    assert headings_of(sample(*pages)) == {"h2": None}


def test_of_a_format_that_is_mostly_text_only_what_recurs_is_a_heading(sample):
    pages = [
        f"<p><b>Area</b> 9<p><b>Oak {n}</b> is <p><b>Elm {n}</b> there, in the west<p><b>Ash {n}</b> and others"
        for n in range(4)
    ]
    assert headings_of(sample(*pages)) == {"p > b": frozenset(["area"])}


def test_a_heading_that_stands_on_few_pages_is_one_where_the_others_of_its_format_are(sample):
    pages = ["<h2>Area</h2>9<h2>Town</h2>Oak"] * 3 + ["<h2>Area</h2>9<h2>Rivers</h2>none"]
    assert headings_of(sample(*pages)) == {"h2": None}


def test_labels_that_only_their_colon_tells_must_stand_on_most_pages(sample):
    pages = [f"<p>Area: {n}<p>text {n} {n}<p>text of {n}<p>more {n}" for n in range(3)]
    pages += [f"<p>Once: {n}<p>Area: {n}<p>text {n} {n}<p>text of {n}<p>more {n}" for n in range(2)]
    assert headings_of(sample(*pages)) == {"p :…": frozenset(["area"])}


def test_labels_that_recur_may_stand_within_a_line(sample):
    markup = "<p><b>Area:</b> 9 <b>Town:</b> Oak"
    assert [each.is_inline for each in find_headings(sample(markup, markup)).values()] == [True]
    assert [each.is_inline for each in find_headings(sample(markup)).values()] == [False]


def test_texts_of_a_class_that_all_recur_are_headings_though_they_do_not_stand_out(sample):
    pages = ["".join(f"<p class=k>{name}<p>{name} {n}" for name in ("Area", "Town", "River")) for n in range(3)]
    assert headings_of(sample(*pages)) == {"p.k": None}
