"""Corrections of listings: fields renamed, dropped and retyped, and undone."""

from __future__ import annotations

import pytest

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.wrapper import FieldRule, ListingRule, Source, Wrapper
from webquarry.pipeline.learn_wrappers import correct, extract, undo
from webquarry.wrapping.wrapper_file import read_wrapper, write_wrapper

PAGE = Document(
    "<ul>"
    + "".join(
        f"<li><h3><a href='/{name}'>{name}</a></h3><span class='p old'>EUR {number}9</span>"
        f"<span class=p>EUR {number}4</span><i>{number}5 left</i></li>"
        for number, name in enumerate(["Kettle", "Lamp", "Saw"], start=1)
    )
    + "</ul>"
)
FIELDS = (
    FieldRule("title", "text", "h3 > a"),
    FieldRule("link", "link", "h3 > a", attribute="href"),
    FieldRule("old price", "money", "span.old"),
    FieldRule("price", "money", "span"),
    FieldRule("stock", "text", "i"),
)
SHOP = Wrapper(Source("shop", "records"), listing=ListingRule("body > ul", "li", 1, FIELDS))


def names(wrapper: Wrapper) -> list[str]:
    return [field.name for field in wrapper.listing.fields]


def values(wrapper: Wrapper, name: str) -> list[object]:
    found = extract(wrapper, PAGE).values
    return [value.typed.value if value.typed else value.text for value in found if value.headings[-1] == name]


def test_a_field_is_renamed():
    after = correct(SHOP, [], "rename", "old_price", name="before")
    assert names(after) == ["title", "link", "before", "price", "stock"]
    assert values(after, "before") == [19, 29, 39]


def test_a_dropped_field_leaves_its_values_to_no_other():
    assert values(SHOP, "price") == [14, 24, 34]
    after = correct(SHOP, [PAGE], "drop", "old price")
    assert names(after) == ["title", "link", "price", "stock"]
    assert values(after, "price") == [14, 24, 34]
    assert after.ignored == ("span.old",)
    assert correct(SHOP, [PAGE], "drop", "stock").ignored == ()


def test_a_field_is_read_as_another_type():
    after = correct(SHOP, [PAGE], "retype", "stock", to="number")
    assert values(after, "stock") == [15, 25, 35]


def test_corrections_are_undone_after_their_file_was_read_again():
    after = correct(correct(SHOP, [PAGE], "drop", "old price"), [PAGE], "retype", "stock", to="number")
    read = read_wrapper(write_wrapper(after), "shop.toml")
    assert read == after
    assert [step.action for step in read.history] == ['drop "old price"', 'retype "stock" --to "number"']
    assert undo(undo(read)) == SHOP


@pytest.mark.parametrize(
    ("action", "example", "options", "message"),
    [
        ("rename", "cost", {"name": "x"}, 'has no field "cost"; there are '),
        ("rename", "price", {"name": "Old-Price"}, "is taken by another field"),
        ("rename", "price", {"name": "price"}, "has that name already"),
        ("rename", "price", {"name": "--"}, "is not a field name"),
        ("retype", "price", {"to": "amount"}, "no type 'amount'; there are text, number"),
        ("retype", "price", {"to": "money"}, "has that type already"),
        ("retype", "link", {"to": "text"}, "has addresses"),
        ("retype", "title", {"to": "number"}, 'no value of title .* is a number, such as "Kettle"'),
        ("add", "price", {}, "can be renamed, dropped and retyped"),
        ("drop", "price", {"whole_format": True}, "can be renamed, dropped and retyped"),
    ],
)
def test_corrections_that_cannot_be_are_told(action, example, options, message):
    with pytest.raises(InputError, match=message):
        correct(SHOP, [PAGE], action, example, **options)


def test_the_last_field_stays():
    lone = Wrapper(Source("shop", "records"), listing=ListingRule("body > ul", "li", 1, FIELDS[:1]))
    with pytest.raises(InputError, match="the only field"):
        correct(lone, [PAGE], "drop", "title")
