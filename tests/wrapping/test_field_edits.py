"""Corrections of listings: fields renamed, dropped and retyped, and undone."""

from __future__ import annotations

import pytest

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.wrapper import FieldRule, ListingRule, Source, Wrapper
from webquarry.pipeline.correct_wrappers import correct, undo
from webquarry.pipeline.extract_pages import extract
from webquarry.pipeline.learn_wrappers import wrap
from webquarry.wrapping.corrections import correct as apply_action, read_action
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


def test_a_field_is_moved_behind_another_or_to_the_front():
    assert names(correct(SHOP, [], "move", "stock", to="title")) == ["title", "stock", "link", "old price", "price"]
    assert names(correct(SHOP, [], "move", "title", to="price")) == ["link", "old price", "price", "title", "stock"]
    after = correct(SHOP, [], "move", "price", to="shop")
    assert names(after) == ["price", "title", "link", "old price", "stock"]
    assert values(after, "price") == [14, 24, 34]


def test_merged_fields_are_one_text_in_their_order():
    after = correct(SHOP, [PAGE], "merge", "title", to="stock")
    assert names(after) == ["stock", "link", "old price", "price"]
    assert values(after, "stock") == ["Kettle 15 left", "Lamp 25 left", "Saw 35 left"]
    after = correct(after, [PAGE], "merge", "price", to="stock")
    assert values(after, "stock")[0] == "Kettle 15 left EUR 14"
    assert read_wrapper(write_wrapper(after)) == after
    assert undo(undo(after)) == SHOP


def test_a_merged_field_has_the_type_of_its_texts():
    markup = PAGE.markup.replace("EUR 14", "<b>EUR</b> <u>14</u>").replace("EUR 24", "<b>EUR</b> <u>24</u>")
    page = Document(markup.replace("EUR 34", "<b>EUR</b> <u>34</u>"))
    fields = (FieldRule("currency", "text", "span > b"), FieldRule("amount", "number", "span > u"))
    shop = Wrapper(Source("shop", "records"), listing=ListingRule("body > ul", "li", 1, fields))
    after = correct(shop, [page], "merge", "currency", to="amount")
    (field,) = after.listing.fields
    assert (field.name, field.type) == ("amount", "money")
    assert [value.typed.value for value in extract(after, page).values] == [14, 24, 34]


def test_joined_fields_are_one_where_records_have_either():
    markup = PAGE.markup.replace("<i>25 left</i>", "<u class=on-order>2 on order</u>")
    page = Document(markup)
    fields = (*FIELDS[:-1], FieldRule("stock", "text", "i", is_optional=True), FieldRule("order", "text", "u"))
    shop = Wrapper(Source("shop", "records"), listing=ListingRule("body > ul", "li", 1, fields))
    after = correct(shop, [page], "join", "order", to="stock")
    stock = [value.text for value in extract(after, page).values if value.headings[-1] == "stock"]
    assert stock == ["15 left", "2 on order", "35 left"]
    assert read_wrapper(write_wrapper(after)) == after
    assert undo(after) == shop


def test_columns_of_a_table_are_moved_and_merged():
    rows = "".join(f"<tr><td>{name}<td>{number}.50<td>EUR" for number, name in enumerate(["Kettle", "Lamp", "Saw"]))
    page = Document(f"<table><tr><th>Name<th>Price<th>Currency{rows}</table>")
    table = wrap([page], name="shop", kind="tables")
    after = correct(correct(table, [page], "merge", "Currency", to="Price"), [page], "move", "Price", to="shop")
    assert [(field.name, field.type) for field in after.listing.fields] == [("Price", "money"), ("Name", "text")]
    assert extract(after, page).record["records"][1] == {"Price": "1.50 EUR", "Name": "Lamp"}
    assert read_wrapper(write_wrapper(after)) == after


def test_a_field_is_split_at_a_separator():
    after = correct(SHOP, [PAGE], "split", "stock", at=" ", name="unit")
    assert names(after) == ["title", "link", "old price", "price", "stock", "unit"]
    assert values(after, "stock") == [15, 25, 35]
    assert values(after, "unit") == ["left", "left", "left"]
    assert read_wrapper(write_wrapper(after)) == after
    assert [step.action for step in after.history] == ['split "stock" --at " " --name "unit"']
    assert undo(after) == SHOP


def offers(*notes: str) -> tuple[Wrapper, Document]:
    rows = "".join(f"<li><b>Lamp {number}</b><i>{note}</i></li>" for number, note in enumerate(notes))
    fields = (FieldRule("title", "text", "b"), FieldRule("note", "text", "i"))
    shop = Wrapper(Source("shop", "records"), listing=ListingRule("body > ul", "li", 1, fields))
    return shop, Document(f"<ul>{rows}</ul>")


@pytest.mark.parametrize(
    ("notes", "part", "expected"),
    [
        (["Oak (black)", "Ash (red)"], "black", [("Oak", "black", None), ("Ash", "red", None)]),
        (["300 pages", "20 pages"], "300", [(None, 300, "pages"), (None, 20, "pages")]),
        (["Oak, 2 m, oiled", "Elm, 30 m, raw"], "2 m", [("Oak", 2, "oiled"), ("Elm", 30, "raw")]),
        (
            ["by Ann", "A novel by Bo", "by Cy"],
            "Ann",
            [(None, "Ann", None), ("A novel", "Bo", None), (None, "Cy", None)],
        ),
        (["4 € / kg", "5 €"], "kg", [(4, "kg", None), (5, None, None)]),
        (["a - b - c", "d - e - f"], "c", [("a - b", "c", None), ("d - e", "f", None)]),
    ],
)
def test_a_field_is_split_by_an_example_of_its_part(notes, part, expected):
    shop, page = offers(*notes)
    after = correct(shop, [page], "split", "note", part=part, name="part")
    order = [name for name in names(after) if name != "title"]
    left = [name for name in order if name != "part"]
    found: list[dict[str, object]] = [{} for _ in notes]
    for value in extract(after, page).values:
        found[value.path[1]][str(value.headings[-1])] = value.typed.value if value.typed else value.text
    before = left if order[0] != "part" else [None, *left]
    columns = [before[0] if before else None, "part", before[1] if len(before) > 1 else None]
    assert [tuple(each.get(name) for name in columns) for each in found] == expected
    assert read_wrapper(write_wrapper(after)) == after


def test_a_split_field_is_split_again_dropped_and_merged():
    shop, page = offers("Oak, 2 m, oiled", "Elm, 3 m, raw")
    after = correct(shop, [page], "split", "note", at=",", name="size")
    after = correct(after, [page], "split", "size", at=",", name="finish")
    assert extract(after, page).record["records"][1] == {
        "title": "Lamp 1",
        "note": "Elm",
        "size": "3 m",
        "finish": "raw",
    }
    dropped = correct(after, [page], "drop", "size")
    assert extract(dropped, page).record["records"][0] == {"title": "Lamp 0", "note": "Oak", "finish": "oiled"}
    merged = correct(after, [page], "merge", "note", to="finish")
    assert extract(merged, page).record["records"][0] == {"title": "Lamp 0", "finish": "Oak oiled", "size": "2 m"}
    again = shop
    for step in merged.history:
        again = apply_action(again, read_action(step.action), [page])
    assert write_wrapper(again) == write_wrapper(merged)


def test_columns_of_a_table_are_split_and_found_in_another_place():
    rows = "".join(f"<tr><td>{name}<td>{number} by {number}2 cm" for number, name in enumerate(["Kettle", "Lamp"], 3))
    page = Document(f"<table><tr><th>Name<th>Size{rows}</table>")
    table = wrap([page], name="shop", kind="tables")
    after = correct(table, [page], "split", "Size", at="by", name="Height")
    assert extract(after, page).record["records"][1] == {"Name": "Lamp", "Size": "4", "Height": "42 cm"}
    other = Document("<table><tr><th>Size<th>Name<tr><td>7 by 8 cm<td>Saw<tr><td>1 by 2 cm<td>Axe</table>")
    assert extract(after, other).record["records"][0] == {"Name": "Saw", "Size": "7", "Height": "8 cm"}


def test_corrections_are_undone_after_their_file_was_read_again():
    after = correct(correct(SHOP, [PAGE], "drop", "old price"), [PAGE], "retype", "stock", to="number")
    read = read_wrapper(write_wrapper(after), "shop.toml")
    assert read == after
    assert [step.action for step in read.history] == ['drop "old price"', 'retype "stock" --to "number"']
    assert undo(undo(read)) == SHOP


@pytest.mark.parametrize(
    ("action", "example", "options", "message"),
    [
        ("rename", "cost", {"name": "x"}, 'has no field "cost"; choose from '),
        ("rename", "price", {"name": "Old-Price"}, "is taken by another field"),
        ("rename", "price", {"name": "price"}, "has that name already"),
        ("rename", "price", {"name": "--"}, "is not a field name"),
        ("retype", "price", {"to": "amount"}, "no type 'amount'; choose from text, number"),
        ("retype", "price", {"to": "money"}, "has that type already"),
        ("retype", "link", {"to": "text"}, "has addresses"),
        ("retype", "title", {"to": "number"}, 'no value of title .* is a number, such as "Kettle"'),
        ("add", "price", {}, 'no record has "price"'),
        ("add", "15 left", {}, "is read already, as stock"),
        ("add", "15 left", {"whole_format": True}, "can be added by an example, renamed, moved"),
        ("drop", "price", {"whole_format": True}, "can be added by an example, renamed, moved"),
        ("move", "price", {"to": "price"}, "cannot be moved behind itself"),
        ("move", "title", {"to": "shop"}, "is there already"),
        ("move", "price", {"to": "cost"}, 'has no field "cost"'),
        ("merge", "price", {"to": "price"}, "are one field already"),
        ("merge", "price", {"to": "link"}, "link is a link and price a money; they cannot be merged"),
        ("split", "stock", {}, "split needs one of --at SEPARATOR and --part TEXT"),
        ("split", "stock", {"at": "/"}, 'no value of stock on the sample pages is split by "/"'),
        ("split", "stock", {"part": "gone"}, 'no value on the sample pages has the part "gone"'),
        ("split", "stock", {"part": "15 left"}, "is a whole value"),
        ("split", "link", {"at": "/"}, "only fields of one text can be split"),
        ("split", "stock", {"at": " ", "name": "price"}, "is taken by another field"),
        ("join", "price", {"to": "old price"}, "3 records of the sample pages have both .*; merge them"),
    ],
)
def test_corrections_that_cannot_be_are_told(action, example, options, message):
    with pytest.raises(InputError, match=message):
        correct(SHOP, [PAGE], action, example, **options)


def test_the_last_field_stays():
    lone = Wrapper(Source("shop", "records"), listing=ListingRule("body > ul", "li", 1, FIELDS[:1]))
    with pytest.raises(InputError, match="the only field"):
        correct(lone, [PAGE], "drop", "title")
