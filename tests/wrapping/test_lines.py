from __future__ import annotations

from webquarry.wrapping.section_headings import Lines


def test_the_first_piece_of_each_line_is_told(sample):
    assert Lines(sample("<p>One <b>two</b><p><b>three</b>")[0]).starts == [True, False, True]


def test_lines_are_labelled_when_most_begin_with_labels(sample):
    assert Lines(sample("<p>A: 1<p>B: 2<p>C: 3<p>D")[0]).are_labelled("p :…")
    assert not Lines(sample("<p>A: 1<p>B: 2<p>D")[0]).are_labelled("p :…")
    assert not Lines(sample("<p>A: 1<p>B: 2<p>C: 3<p>D<p>E<p>F<p>G")[0]).are_labelled("p :…")


def test_the_share_of_a_format_that_has_lines_of_its_own(sample):
    (page,) = sample("<p><b>One</b><p><b>two</b> three")
    assert Lines(page).share_alone(page.formats[0]) == 0.5
