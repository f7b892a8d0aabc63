"""Adding a column to a listing by an example of its values, and teaching a column what it misses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.wrapper import FieldRule, ListingRule, Source, Wrapper
from webquarry.pipeline.correct_wrappers import correct, redo, undo
from webquarry.pipeline.extract_pages import extract
from webquarry.wrapping.listing_examples import describe_lacking
from webquarry.wrapping.wrapper_file import read_wrapper, write_wrapper

BOOKS = [
    ("Harbour Lights", "Ines Falk", "Tide Press", "12.50 €", "Sold by Corner Books, ships in 3 days", "lights.jpg"),
    ("Salt Roads", "Omar Venn", "Tide Press", "9.00 €", "Sold by Paper Mill, ships in 5 days", "roads.jpg"),
    ("A Quiet Shore", "Lena Holt", "Gull House", "21.90 €", "Sold by Corner Books, ships in 2 days", "shore.jpg"),
    ("Nine Bridges", "", "Gull House", "7.40 €", "Sold by Far Shelf, ships in 9 days", "bridges.jpg"),
]
CARD = """<li class="book"><img src="/covers/{image}" alt="Cover of {title}"><h3><a href="/b/{image}">{title}</a></h3>
{author}<p class="house">{house}</p><p class="price">{price}</p>
<p class="sale">{sale}</p><p class="made">Paper <b>{pages}</b> <i>pages</i></p></li>"""
FIELDS = (
    FieldRule("title", "text", "h3 > a"),
    FieldRule("price", "money", "p.price"),
    FieldRule("sale", "text", "p.sale"),
)


def make_page(url: str = "https://books.example/list") -> Document:
    cards = "".join(
        CARD.format(
            title=title,
            author=f"<p>by <em>{author}</em></p>" if author else "",
            house=house,
            price=price,
            sale=sale,
            image=image,
            pages=100 + number,
        )
        for number, (title, author, house, price, sale, image) in enumerate(BOOKS)
    )
    return Document(f"<body><ul class=books>{cards}</ul>", url=url)


PAGE = make_page()
SHOP = Wrapper(Source("books", "records"), listing=ListingRule("body > ul.books", "li.book", 1, FIELDS))


def names(wrapper: Wrapper) -> list[str]:
    return [field.name for field in wrapper.fields]


def values(wrapper: Wrapper, name: str, document: Document = PAGE) -> list[str | None]:
    records = extract(wrapper, document).record["records"]
    return [record.get(name) for record in records]


def test_a_text_becomes_a_column_of_all_records():
    after = correct(SHOP, [PAGE], "add", "Tide Press", name="publisher")
    assert values(after, "publisher") == [book[2] for book in BOOKS]
    assert names(after) == ["title", "publisher", "price", "sale"]
    for name in names(SHOP):
        assert values(after, name) == values(SHOP, name)


@pytest.mark.parametrize("example", ["tide  press", "Tide Press,", " Tide Press "])
def test_case_spaces_and_separators_of_an_example_do_not_matter(example):
    after = correct(SHOP, [PAGE], "add", example, name="publisher")
    assert values(after, "publisher") == [book[2] for book in BOOKS]


def test_records_that_lack_the_value_are_empty_and_named():
    after = correct(SHOP, [PAGE], "add", "Ines Falk", name="author")
    assert values(after, "author") == ["Ines Falk", "Omar Venn", "Lena Holt", None]
    assert describe_lacking(SHOP, after, [PAGE]) == "author: not found in record 4"
    full = correct(SHOP, [PAGE], "add", "Tide Press", name="publisher")
    assert describe_lacking(SHOP, full, [PAGE]) == ""
    other = make_page("https://books.example/more")
    assert "4 of https://books.example/more" in describe_lacking(SHOP, after, [PAGE, other])


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        ("Corner Books", ["Corner Books", "Paper Mill", "Corner Books", "Far Shelf"]),
        ("ships in 3 days", [book[4].partition(", ")[2] for book in BOOKS]),
        ("3", ["3", "5", "2", "9"]),
    ],
)
def test_a_part_of_a_text_becomes_a_column_beside_the_whole(example, expected):
    after = correct(SHOP, [PAGE], "add", example, name="part")
    assert values(after, "part") == expected
    assert values(after, "sale") == [book[4] for book in BOOKS]


def test_several_texts_become_one_column():
    after = correct(SHOP, [PAGE], "add", "100 pages", name="length")
    assert values(after, "length") == ["100 pages", "101 pages", "102 pages", "103 pages"]


def test_texts_that_do_not_follow_each_other_on_a_line_are_joined():
    after = correct(SHOP, [PAGE], "add", "Tide Press 12.50 €", name="both")
    assert values(after, "both") == [f"{book[2]} {book[3]}" for book in BOOKS]


@pytest.mark.parametrize("example", ["https://books.example/covers/lights.jpg", "/covers/lights.jpg", "lights.jpg"])
def test_an_image_becomes_a_column_by_its_address(example):
    after = correct(SHOP, [PAGE], "add", example, name="cover")
    assert values(after, "cover") == [f"https://books.example/covers/{book[5]}" for book in BOOKS]
    assert next(field.type for field in after.fields if field.name == "cover") == "image"


def test_an_image_that_a_column_has_is_told():
    after = correct(SHOP, [PAGE], "add", "lights.jpg", name="cover")
    with pytest.raises(InputError, match="is read already, as cover"):
        correct(after, [PAGE], "add", "roads.jpg", name="picture")


def test_what_an_attribute_says_becomes_a_column():
    after = correct(SHOP, [PAGE], "add", "Cover of Salt Roads", name="caption")
    assert values(after, "caption") == [f"Cover of {book[0]}" for book in BOOKS]


def test_values_are_typed_and_named_without_a_name():
    after = correct(SHOP, [PAGE], "add", "100")
    assert names(after) == ["title", "price", "sale", "number"]
    assert [value.typed.value for value in extract(after, PAGE).values if value.headings[-1] == "number"] == [
        100,
        101,
        102,
        103,
    ]


def test_a_column_is_taught_what_it_misses():
    mixed = Document(PAGE.markup.replace("<p>by <em>Omar Venn</em></p>", "<div class=who><span>Omar Venn</span></div>"))
    after = correct(SHOP, [mixed], "add", "Ines Falk", name="author")
    assert values(after, "author", mixed) == ["Ines Falk", None, "Lena Holt", None]
    taught = correct(after, [mixed], "add", "Omar Venn", name="author")
    assert values(taught, "author", mixed) == ["Ines Falk", "Omar Venn", "Lena Holt", None]
    assert names(taught) == names(after)
    with pytest.raises(InputError, match="reads already"):
        correct(taught, [mixed], "add", "Omar Venn", name="author")


def test_a_column_that_was_learnt_is_taught_too():
    wrong = replace(SHOP, listing=replace(SHOP.listing, fields=(*FIELDS, FieldRule("who", "text", "p", place=0))))
    assert values(wrong, "who")[3] == "Gull House"
    taught = correct(wrong, [PAGE], "add", "Ines Falk", name="who")
    assert values(taught, "who")[:3] == ["Ines Falk", "Omar Venn", "Lena Holt"]


def test_an_added_column_is_a_step_that_is_undone_redone_and_replayed():
    after = correct(SHOP, [PAGE], "add", "Corner Books", name="seller")
    assert [step.action for step in after.history] == ['add "Corner Books" --name "seller"']
    written = write_wrapper(after)
    assert read_wrapper(written, "books.toml") == after
    assert undo(after) == SHOP
    assert write_wrapper(redo(undo(after), [PAGE])) == written
    assert values(read_wrapper(written, "books.toml"), "seller") == values(after, "seller")


@pytest.mark.parametrize(
    ("example", "name", "message"),
    [
        ("Kettle", "x", 'no record has "Kettle"'),
        ("Harbour Lights", "x", "is read already, as title; rename that column"),
        ("cover.png", "x", "no record has"),
        ("Tide Press", "--", "is not a field name"),
    ],
)
def test_an_example_that_cannot_be_a_column_is_told(example, name, message):
    with pytest.raises(InputError, match=message):
        correct(SHOP, [PAGE], "add", example, name=name)


def test_an_example_on_a_page_of_thousands_of_records_is_rated_by_some_of_them():
    cards = "".join(
        f"<li class=book><h3><a href=/{n}>Book {n}</a></h3><p class=sale>Sold by Shelf {n}, Kestria</p></li>"
        for n in range(1500)
    )
    page = Document(f"<body><ul class=books>{cards}</ul>", url="https://books.example/all")
    after = correct(SHOP, [page], "add", "Shelf 1499", name="seller")
    assert values(after, "seller", page) == [f"Shelf {n}" for n in range(1500)]
    town = correct(SHOP, [page], "add", "Kestria", name="town")  # in every record
    assert set(values(town, "town", page)) == {"Kestria"}
