"""Headings that vary with the page are one section."""

from __future__ import annotations

from typing import Any

import pytest

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.wrapper import Source, Wrapper
from webquarry.wrapping.corrections import Add, Correction, Drop, Join, Rename, correct, read_action, undo
from webquarry.wrapping.heading_names import find_patterns
from webquarry.wrapping.section_learner import learn_sections
from webquarry.wrapping.section_reader import Reader
from webquarry.wrapping.wrapper_file import read_wrapper, write_wrapper

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
        (Rename("Ingredients for *", "ingredients"), "ingredients", "water and beans"),
        (Join("Ingredients for *", "Story"), "Story", "Grandmother made Bean stew on Sundays.\nwater and beans"),
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
    dropped = correct(learnt, Drop("Ingredients for *"), samples)
    story = "Grandmother made Bean stew on Sundays.\nIngredients for bean stew\nwater and beans"
    assert record(dropped, other)["Story"] == story
    added = correct(dropped, Add("Ingredients for *", name="contents"), samples)
    assert record(added, other)["contents"] == "water and beans"


def test_a_heading_of_another_page_is_renamed_or_joined() -> None:
    samples = [dish(name) for name in list(DISHES)[:3]]
    wrapper = learn_sections(samples, Source("dishes"))
    other = Document(dish("Bean stew").markup.replace("</body>", "<h2>Drinks</h2><p>12 glasses</p></body>"))
    assert Reader(wrapper).read(other).unknown == ("Drinks",)
    with pytest.raises(InputError, match="name a page that has it with --page"):
        correct(wrapper, Rename("Drinks", "beverages"), samples)
    renamed = correct(wrapper, Rename("Drinks", "beverages", "bean.html"), samples, other)
    assert record(renamed, other)["beverages"] == "12 glasses"
    section = renamed.grammar.children[-1]
    assert (section.name, section.is_optional, section.type) == ("beverages", True, "number")
    joined = correct(wrapper, Join("Drinks", "Method", "bean.html"), samples, other)
    assert record(joined, other)["Method"] == "Cook the beans.\n12 glasses"
    assert joined.history[0].action == 'join "Drinks" --to "Method" --page "bean.html"'


def test_a_replayed_history_gives_the_same_file() -> None:
    samples, wrapper = learnt_apart()
    other = Document(dish("Bean stew").markup.replace("</body>", '<h2>"Old" \\ Drinks</h2><p>12 glasses</p></body>'))
    after = correct(wrapper, Rename("Ingredients for *", "ingredients"), samples)
    after = correct(after, Rename('"Old" \\ Drinks', "beverages", "bean.html"), samples, other)
    after = correct(after, Drop("Method"), samples)
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
