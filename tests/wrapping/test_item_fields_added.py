"""Corrections of item wrappers: of fields and of sections, undone and replayed."""

from __future__ import annotations

from typing import Any

import pytest

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.wrapper import FieldRule, ListingRule, Section, Source, TokenFormat, Wrapper
from webquarry.pipeline.correct_wrappers import correct, undo
from webquarry.pipeline.extract_pages import extract
from webquarry.pipeline.learn_wrappers import wrap
from webquarry.wrapping.corrections import correct as apply_action, read_action
from webquarry.wrapping.wrapper_file import read_wrapper, write_wrapper

BOATS = {
    "Heron": ("Harrow Yard", "HB-3", "4.20 m", "1,200 EUR", "18", ["two oars", "a sail"], "Tar it each spring."),
    "Teal": ("Sedge & Son", "HB-7", "3.10 m", "890 EUR", "7", ["one oar"], "Keep it dry."),
    "Coot": ("Harrow Yard", "HB-9", "5.00 m", "2,450 EUR", "31", ["two oars", "a cabin", "a stove"], "Varnish it."),
}


def boat(name: str) -> Document:
    yard, number, length, price, votes, extras, care = BOATS[name]
    listed = "".join(f"<li>{each}</li>" for each in extras)
    sale = f"<p class=was>{number[-1]}99 EUR</p>" if name == "Teal" else ""
    return Document(
        f"<html lang=en><head><title>{name} - Boats</title></head><body><main><p class=yard>{yard}</p>"
        f"<h1>{name}</h1><p class=code>No. {number}</p><p class=size>{length}</p>"
        f"<p class=price>{price}</p>{sale}<p class=votes>{votes}</p><ul class=extras>{listed}</ul>"
        f"<h2>Care</h2><p>{care}</p><h2>Terms</h2><p>Ask {yard} about {name}.</p></main></body></html>",
        url=f"{name.lower()}.html",
    )


PAGES = [boat(name) for name in BOATS]
FIELDS = (
    FieldRule("yard", "text", "p.yard"),
    FieldRule("title", "text", "h1"),
    FieldRule("size", "text", "p.size"),
    FieldRule("price", "money", "p.price"),
    FieldRule("was", "money", "p.was", is_optional=True),
    FieldRule("extras", "list", "ul.extras > li"),
)
ITEM = Wrapper(
    Source("boats", "item", samples=tuple(page.url for page in PAGES), language="en"),
    tokens=(TokenFormat(1, "Care", "h2"),),
    grammar=Section("boats", (Section("care"), Section("terms"))),
    listing=ListingRule("html", "body", 1, FIELDS),
)


def names(wrapper: Wrapper) -> list[str]:
    return [field.name for field in wrapper.fields]


def record(wrapper: Wrapper, name: str = "Coot") -> dict[str, Any]:
    return extract(wrapper, boat(name)).record


def test_a_field_is_added_by_its_text_on_a_page_and_put_in_its_place():
    after = correct(ITEM, PAGES, "add", "18", name="ratings")
    assert names(after) == ["yard", "title", "size", "price", "was", "ratings", "extras"]
    ratings = after.fields[5]
    assert (ratings.type, ratings.is_optional) == ("number", False)
    assert record(after)["ratings"] == "31"


def test_a_field_is_added_by_a_part_of_a_text_behind_its_label():
    after = correct(ITEM, PAGES, "add", "HB-7", name="number")
    assert names(after)[2] == "number"
    assert record(after)["number"] == "HB-9"


def test_a_field_is_added_that_one_sample_has():
    without = correct(ITEM, PAGES, "drop", "was")
    after = correct(without, PAGES, "add", "799 EUR", name="before")
    assert after.fields[names(after).index("before")].is_optional
    assert (record(after, "Teal")["before"], "before" in record(after, "Heron")) == ("799 EUR", False)


def test_a_list_is_added_by_one_of_its_parts():
    without = correct(ITEM, PAGES, "drop", "extras")
    after = correct(without, PAGES, "add", "a stove")
    (name,) = set(names(after)) - set(names(without))
    assert record(after)[name] == ["two oars", "a cabin", "a stove"]
    assert record(after, "Teal")[name] in (["one oar"], "one oar")


@pytest.mark.parametrize(
    ("action", "example", "options", "after"),
    [
        ("rename", "yard", {"name": "maker"}, {"maker": "Harrow Yard"}),
        ("merge", "yard", {"to": "title"}, {"title": "Harrow Yard Coot"}),
        ("split", "price", {"at": " ", "name": "currency"}, {"price": "2,450", "currency": "EUR"}),
        ("move", "price", {"to": "boats"}, {"price": "2,450 EUR"}),
        ("retype", "size", {"to": "number"}, {"size": "5.00 m"}),
        ("rename", "Care", {"name": "upkeep"}, {"upkeep": "Varnish it."}),
        ("drop", "Terms", {}, {"Care": "Varnish it.\nTerms\nAsk Harrow Yard about Coot."}),
        ("join", "terms", {"to": "care"}, {"Care": "Varnish it.\nAsk Harrow Yard about Coot."}),
    ],
)
def test_fields_and_sections_are_corrected_and_undone(action, example, options, after):
    wrapper = correct(ITEM, PAGES, action, example, **options)
    read = read_wrapper(write_wrapper(wrapper))
    assert read == wrapper
    assert record(read) | after == record(read)
    assert (undo(read).listing, undo(read).tokens, undo(read).grammar) == (ITEM.listing, ITEM.tokens, ITEM.grammar)


def test_the_order_of_fields_is_that_of_the_record():
    assert next(iter(record(correct(ITEM, PAGES, "move", "price", to="boats")))) == "price"


def test_a_replayed_history_gives_the_same_file():
    wrapper = ITEM
    for action, example, options in (
        ("add", "18", {"name": "ratings"}),
        ("merge", "yard", {"to": "title"}),
        ("retype", "size", {"to": "number"}),
        ("rename", "Care", {"name": "upkeep"}),
        ("move", "price", {"to": "boats"}),
        ("drop", "extras", {}),
    ):
        wrapper = correct(wrapper, PAGES, action, example, **options)
    again = ITEM
    for step in wrapper.history:
        again = apply_action(again, read_action(step.action), PAGES)
    assert write_wrapper(again) == write_wrapper(wrapper)


@pytest.mark.parametrize(
    ("action", "example", "options", "said"),
    [
        ("add", "Grebe", {}, 'no text "Grebe" that can be a field is on the sample pages of boats'),
        ("add", "Heron", {}, "is read already, as title"),
        ("add", "18", {"name": "Price"}, "is taken by another field"),
        ("join", "yard", {"to": "title"}, "have both title and yard"),
        ("rename", "colour", {"name": "x"}, 'has no field "colour"'),
        ("retype", "yard", {"to": "number"}, "no value of yard on the sample pages is a number"),
        ("retype", "yard", {"to": "pairs"}, "no type 'pairs'"),
        ("merge", "care", {"to": "terms"}, 'has no field "care"'),
    ],
)
def test_mistakes_are_told(action, example, options, said):
    with pytest.raises(InputError, match=said):
        correct(ITEM, PAGES, action, example, **options)


def test_a_labelled_text_can_be_read_as_a_list_of_its_parts() -> None:
    def page(name: str, *tags: str) -> Document:
        links = ", ".join(f"<a href='/{tag}'>{tag}</a>" for tag in tags)
        return Document(f"<title>{name}</title><h1>{name}</h1><p class='tagged'>Tags: {links}</p><p>About {name}</p>")

    samples = [page("Oar", "oak", "sea"), page("Net", "sea"), page("Sail", "sea", "sun", "red")]
    wrapper = correct(wrap(samples, name="boats", kind="item"), samples, "retype", "Tags", to="list")
    assert extract(wrapper, page("Mast", "pine", "tall")).record["Tags"] == ["pine", "tall"]


def test_a_part_of_a_text_and_an_image_are_added_as_fields():
    pages = [
        Document(
            page.markup.replace("<h1>", f"<img class=photo src=/i/{page.url}.jpg><h1>"), url=f"https://b.example/{n}"
        )
        for n, page in enumerate(PAGES)
    ]
    metres = correct(ITEM, pages, "add", "4.20", name="metres")
    assert [extract(metres, page).record["metres"] for page in pages] == ["4.20", "3.10", "5.00"]
    photo = correct(metres, pages, "add", "teal.html.jpg", name="photo")
    addresses = [extract(photo, page).record["photo"] for page in pages]
    assert addresses == [f"https://b.example/i/{name}.html.jpg" for name in ("heron", "teal", "coot")]
    assert read_wrapper(write_wrapper(photo)) == photo
    assert undo(undo(photo)) == ITEM
