from __future__ import annotations

from typing import Any

import pytest

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.wrapper import Source, Wrapper
from webquarry.wrapping.corrections import Correction, correct, read_action, undo
from webquarry.wrapping.heading_names import find_patterns, heading_name, plain_heading
from webquarry.wrapping.section_headings import Lines, find_heading_formats, find_marks
from webquarry.wrapping.section_learner import learn_sections
from webquarry.wrapping.section_reader import Reader
from webquarry.wrapping.wrapper_file import read_wrapper, write_wrapper


def headings_of(pages) -> dict[str, frozenset[str] | None]:
    return {format_.signature: heading.names for format_, heading in find_heading_formats(pages).items()}


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


def test_a_heading_that_is_on_few_pages_is_one_where_the_others_of_its_format_are(sample):
    pages = ["<h2>Area</h2>9<h2>Town</h2>Oak"] * 3 + ["<h2>Area</h2>9<h2>Rivers</h2>none"]
    assert headings_of(sample(*pages)) == {"h2": None}


def test_labels_that_only_their_colon_tells_must_stand_on_most_pages(sample):
    pages = [f"<p>Area: {n}<p>text {n} {n}<p>text of {n}<p>more {n}" for n in range(3)]
    pages += [f"<p>Once: {n}<p>Area: {n}<p>text {n} {n}<p>text of {n}<p>more {n}" for n in range(2)]
    assert headings_of(sample(*pages)) == {"p :…": frozenset(["area"])}


def test_labels_that_recur_may_stand_within_a_line(sample):
    markup = "<p><b>Area:</b> 9 <b>Town:</b> Oak"
    assert [each.is_inline for each in find_heading_formats(sample(markup, markup)).values()] == [True]
    assert [each.is_inline for each in find_heading_formats(sample(markup)).values()] == [False]


def test_texts_of_a_class_that_all_recur_are_headings_though_they_do_not_stand_out(sample):
    pages = ["".join(f"<p class=k>{name}<p>{name} {n}" for name in ("Area", "Town", "River")) for n in range(3)]
    assert headings_of(sample(*pages)) == {"p.k": None}


def test_finds_the_first_piece_of_each_line(sample):
    assert Lines(sample("<p>One <b>two</b><p><b>three</b>")[0]).starts == [True, False, True]


def test_lines_are_labelled_when_most_begin_with_labels(sample):
    assert Lines(sample("<p>A: 1<p>B: 2<p>C: 3<p>D")[0]).are_labelled("p :…")
    assert not Lines(sample("<p>A: 1<p>B: 2<p>D")[0]).are_labelled("p :…")
    assert not Lines(sample("<p>A: 1<p>B: 2<p>C: 3<p>D<p>E<p>F<p>G")[0]).are_labelled("p :…")


def test_the_share_of_a_format_that_has_lines_of_its_own(sample):
    (page,) = sample("<p><b>One</b><p><b>two</b> three")
    assert Lines(page).share_alone(page.pieces[0].format) == 0.5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Area:", "Area"),
        ("Geography ::", "Geography"),
        ("6. Mapping", "Mapping"),
        ("1.2) Methods", "Methods"),
        ("IV. Results", "Results"),
        ("A. Annex", "Annex"),
        ("A Annex", "A Annex"),
        ("1990", "1990"),
        (":", ":"),
        ("» News »", "News"),
    ],
)
def test_a_heading_has_no_number_and_no_end(text, expected):
    assert plain_heading(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Land boundaries:", "land_boundaries"),
        ("Border countries (8):", "border_countries"),
        ("0-14 years", "_0_14_years"),
        ("::", "column"),
    ],
)
def test_the_name_of_a_section_is_its_heading_in_snake_case(text, expected):
    assert heading_name(text) == expected


def marks_of(pages, **options) -> list[tuple[str, str]]:
    found = find_marks(pages[0], find_heading_formats(pages), **options)
    return [(mark.name, mark.text) for mark in found]


def test_a_heading_has_what_follows_it(sample):
    pages = sample("<p>before<h2>Area</h2><p>nine <i>km</i><p>more<h2>Town</h2>")
    assert marks_of(pages) == [("area", "nine km more"), ("town", "")]


def test_a_heading_may_follow_another_in_its_line(sample):
    pages = sample("<p><b>Area</b> <i>total:</i> nine square kilometres<p><i>land:</i> some of it <i>water:</i> none")
    assert marks_of(pages) == [("area", ""), ("total", "nine square kilometres"), ("land", "some of it water: none")]


def test_labels_that_recur_stand_within_lines(sample):
    pages = sample("<p><b>Area:</b> 9 <b>Town:</b> Oak", "<p><b>Area:</b> 7 <b>Town:</b> Elm")
    assert marks_of(pages) == [("area", "9"), ("town", "Oak")]


def test_what_is_ignored_or_another_name_is_passed_over(sample):
    pages = sample("<h2>Area</h2><p>nine<p class=top>Top<p><b>note:</b> about<p>more")
    assert marks_of(pages, ignored=["p.top"], other=["note"]) == [("area", "nine more")]


def test_a_heading_without_text_is_bound_to_what_it_is_with(sample):
    (page,) = sample("<div><p>text here<h2>One</h2></div><h2>Two</h2><p>some more text")
    one, two = find_marks(page, find_heading_formats([page]))
    assert (one.is_bound_back, two.is_bound_back) == (True, False)


DISHES = {"Leek soup": "leeks", "Plum tart": "plums", "Rye bread": "rye", "Bean stew": "beans"}


def dish(name: str, heading: str = "Ingredients for {}") -> Document:
    return Document(
        f"<html><body><h1>{name}</h1><h2>Story</h2><p>Grandmother made {name} on Sundays.</p>"
        f"<h2>{heading.format(name.lower())}</h2><p>water and {DISHES[name]}</p>"
        f"<h2>Method</h2><p>Cook the {DISHES[name]}.</p></body></html>"
    )


def record(wrapper: Wrapper, document: Document) -> dict[str, Any]:
    return Reader(wrapper).read(document).record


@pytest.mark.parametrize(
    ("heading", "pattern", "key"),
    [
        ("Ingredients for {}", "Ingredients for *", "Ingredients for"),
        ("About {}", "About *", "About"),
        ("{} ingredients", "* ingredients", "ingredients"),
        ("Making {} at home", "Making * at home", "Making at home"),
    ],
)
def test_headings_that_vary_with_the_page_are_one_section(heading: str, pattern: str, key: str) -> None:
    *samples, other = (dish(name, heading) for name in DISHES)
    wrapper = learn_sections(samples, Source("dishes"))
    assert [(section.headings, section.is_optional) for section in wrapper.grammar.children] == [
        ((), False),
        ((pattern,), False),
        ((), False),
    ]
    assert record(wrapper, other)[key] == "water and beans"
    assert read_wrapper(write_wrapper(wrapper)) == wrapper


@pytest.mark.parametrize(
    ("headings", "patterns"),
    [
        ([["How to sew"], ["How to knit"], ["How to mend"]], ["How to *"]),
        ([["How to sew"], ["How to knit"], ["Why we mend"], ["Yarn"]], []),  # on too few pages
        ([["How to sew", "How to cut"], ["How to knit"], ["How to mend"]], []),  # two on a page
        ([["Our sewing"], ["Our knitting"], ["Our mending"]], []),  # one word, and others that no text repeats
        ([["Our sewing", "Sewing"], ["Our knitting", "Knitting"], ["Mending"]], ["Our *"]),
        ([["Our sewing"], ["Our sewing"], ["Our mending"]], []),  # recurs as it is
        ([["Sold for: Ann"], ["Sold for: Bo"], ["Sold for: Cy"]], []),  # a label with its value
        ([["20 square feet"], ["30 square feet"], ["40 square feet"]], []),  # a value
    ],
)
def test_a_pattern_has_one_heading_on_most_pages(headings: list[list[str]], patterns: list[str]) -> None:
    pages: dict[str, set[int]] = {}
    for number, page in enumerate(headings):
        for heading in page:
            pages.setdefault(heading, set()).add(number)
    texts = [{heading.lower().replace(" ", "_"): 1 for heading in page} for page in headings]
    assert find_patterns(pages, texts) == patterns


def learnt_apart(more: str = "") -> tuple[list[Document], Wrapper]:
    """Learn from pages; two of them have two such headings, so no pattern is found.

    With more headings that recur, they are sections, else text.
    """
    twice = "<h2>Ingredients for the {} broth</h2><p>bones</p></body>"
    samples = [dish(name) for name in list(DISHES)[:3]]
    samples[2] = Document(samples[2].markup.replace("</body>", more.format("third")))
    samples[:2] = [
        Document(each.markup.replace("</body>", twice.format(number) + more.format(number)))
        for number, each in zip(("first", "second"), samples[:2], strict=True)
    ]
    wrapper = learn_sections(samples, Source("dishes"))
    assert not any(section.headings for _, section in wrapper.grammar.walk())
    return samples, wrapper


@pytest.mark.parametrize(
    ("action", "key", "text"),
    [
        (Correction("rename", "Ingredients for *", name="ingredients"), "ingredients", "water and beans"),
        (
            Correction("join", "Ingredients for *", "Story"),
            "Story",
            "Grandmother made Bean stew on Sundays.\nwater and beans",
        ),
    ],
)
@pytest.mark.parametrize("more", ["", "<h2>Notes</h2><p>{0} keeps.</p><h2>Source</h2><p>Aunt {0}</p>"])
def test_a_correction_makes_all_headings_that_fit_a_pattern_one_section(
    action: Correction, key: str, text: str, more: str
) -> None:
    samples, wrapper = learnt_apart(more)
    after = correct(wrapper, action, samples)
    assert record(after, dish("Bean stew"))[key] == text
    assert Reader(after).read(dish("Bean stew")).unknown == ()
    assert undo(after) == wrapper


def test_a_pattern_is_added_and_dropped_as_a_heading_is() -> None:
    *samples, other = (dish(name) for name in DISHES)
    learnt = learn_sections(samples, Source("dishes"))
    dropped = correct(learnt, Correction("drop", "Ingredients for *"), samples)
    story = "Grandmother made Bean stew on Sundays.\nIngredients for bean stew\nwater and beans"
    assert record(dropped, other)["Story"] == story
    added = correct(dropped, Correction("add", "Ingredients for *", name="contents"), samples)
    assert record(added, other)["contents"] == "water and beans"


def test_a_heading_of_another_page_is_renamed_or_joined() -> None:
    samples = [dish(name) for name in list(DISHES)[:3]]
    wrapper = learn_sections(samples, Source("dishes"))
    other = Document(dish("Bean stew").markup.replace("</body>", "<h2>Drinks</h2><p>12 glasses</p></body>"))
    assert Reader(wrapper).read(other).unknown == ("Drinks",)
    with pytest.raises(InputError, match="name a page that has it with --page"):
        correct(wrapper, Correction("rename", "Drinks", name="beverages"), samples)
    renamed = correct(wrapper, Correction("rename", "Drinks", name="beverages", page="bean.html"), samples, other)
    assert record(renamed, other)["beverages"] == "12 glasses"
    section = renamed.grammar.children[-1]
    assert (section.name, section.is_optional, section.type) == ("beverages", True, "number")
    joined = correct(wrapper, Correction("join", "Drinks", "Method", page="bean.html"), samples, other)
    assert record(joined, other)["Method"] == "Cook the beans.\n12 glasses"
    assert joined.history[0].action == 'join "Drinks" --to "Method" --page "bean.html"'


def test_a_replayed_history_gives_the_same_file() -> None:
    samples, wrapper = learnt_apart()
    other = Document(dish("Bean stew").markup.replace("</body>", '<h2>"Old" \\ Drinks</h2><p>12 glasses</p></body>'))
    after = correct(wrapper, Correction("rename", "Ingredients for *", name="ingredients"), samples)
    after = correct(after, Correction("rename", '"Old" \\ Drinks', name="beverages", page="bean.html"), samples, other)
    after = correct(after, Correction("drop", "Method"), samples)
    again = wrapper
    for step in after.history:
        action = read_action(step.action)
        again = correct(again, action, samples, other if getattr(action, "page", "") else None)
    assert write_wrapper(again) == write_wrapper(after)


def test_a_section_by_a_pattern_is_found_when_it_alone_is_wanted() -> None:
    *samples, other = (dish(name) for name in DISHES)
    wrapper = learn_sections(samples, Source("dishes"))
    only = Reader(wrapper, only=["ingredients_for", "method"]).read(other).record
    assert only == {"Ingredients for": "water and beans", "Method": "Cook the beans."}
