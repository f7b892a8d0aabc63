"""Buttons, labels, captions and marks do not become columns."""

from __future__ import annotations

import pytest

NAMES = ("Oak table", "Elm chair", "Fir bench", "Ash stool", "Yew shelf")


@pytest.mark.parametrize(
    "extra",
    [
        pytest.param("<button>Add to cart</button>", id="a button"),
        pytest.param("<button>Put {name} into the cart</button>", id="a button that says what it is about"),
        pytest.param("<span role=button>Compare</span>", id="an element with the role of a button"),
        pytest.param("<span class='btn btn-primary'>Reserve</span>", id="an element that is called a button"),
        pytest.param("<a class=cta href='/{n}/buy'>Buy</a>", id="a link that looks like a button"),
        pytest.param("<p>|</p>", id="a mark"),
        pytest.param("<p>·</p>", id="a dot"),
    ],
)
def test_no_column_has(columns, extra):
    cards = [
        f"<h3><a href='/{n}'>{name}</a></h3>{extra.replace('{name}', name).replace('{n}', str(n))}"
        for n, name in enumerate(NAMES)
    ]
    found = columns(*cards)
    assert [name for name in found if not name.endswith("link")] == ["title"]


def test_the_caption_of_a_link_is_no_column_but_its_address_is(columns):
    found = columns(*(f"<h3>{name}</h3><a href='/{n}'>Read more</a>" for n, name in enumerate(NAMES)))
    assert found == {"title": list(NAMES), "link": [f"https://example.org/{n}" for n in range(len(NAMES))]}


def test_what_all_records_lead_to_is_not_the_link_of_a_record(columns):
    more = "<a href='/#comments'></a><a href='/{n}'>See more</a>"
    found = columns(*(f"<h3>{name}</h3>{more.replace('{n}', str(n))}" for n, name in enumerate(NAMES)))
    assert found == {"title": list(NAMES), "See more_link": [f"https://example.org/{n}" for n in range(len(NAMES))]}


def test_a_picture_that_few_records_have_does_not_lead_to_the_record(columns):
    picture = "<a href='/big.jpg'><img src='/small.jpg'></a>"
    found = columns(*(f"<h3>{name}</h3><p>{'' if n else picture}</p>" for n, name in enumerate(NAMES)))
    assert found["image_link"] == ["https://example.org/big.jpg", *[None] * (len(NAMES) - 1)]
    assert "link" not in found


def test_a_price_in_a_button_is_a_price(columns):
    found = columns(*(f"<h3>{name}</h3><button>$1{n}.00</button>" for n, name in enumerate(NAMES)))
    assert found["price"] == [f"$1{n}.00" for n in range(len(NAMES))]


def test_a_card_that_can_be_clicked_is_no_button(columns):
    found = columns(
        *(f"<div role=button><h3>{name}</h3><p>{n} made</p><p>Hull</p><i>Ely</i></div>" for n, name in enumerate(NAMES))
    )
    assert found["title"] == list(NAMES)


def test_texts_that_differ_are_a_column_although_they_are_called_a_button(columns):
    found = columns(*(f"<h3>{name}</h3><p class='tag btn'>wood of {name}</p>" for name in NAMES))
    assert [f"wood of {name}" for name in NAMES] in found.values()


def test_stars_and_ticks_say_something(columns):
    ticks = ["✓", "★", "✓", "★", "✓"]
    assert (
        ticks in columns(*(f"<h3>{name}</h3><p>{tick}</p>" for name, tick in zip(NAMES, ticks, strict=True))).values()
    )


def test_a_copy_for_phones_is_no_column(columns):
    found = columns(
        *(f"<h3>{name}</h3><p class=a>made in {n}10</p><div><p>made in {n}10</p></div>" for n, name in enumerate(NAMES))
    )
    assert list(found.values()).count([f"made in {n}10" for n in range(len(NAMES))]) == 1


def test_small_numbers_that_agree_are_no_copies(columns):
    found = columns(*(f"<h3>{name}</h3><p><b>{n}</b></p><div><i>{n}</i></div>" for n, name in enumerate(NAMES)))
    assert list(found.values()).count([str(n) for n in range(len(NAMES))]) == 2


def test_a_label_is_no_column_beside_its_value(columns):
    found = columns(*(f"<h3>{name}</h3><p><b>Wood:</b> <i>number {n}</i></p>" for n, name in enumerate(NAMES)))
    assert found == {"title": list(NAMES), "Wood": [f"number {n}" for n in range(len(NAMES))]}


def test_an_address_that_one_column_has_is_not_in_another(columns):
    found = columns(*(f"<h3>{name}</h3><p>Maker: <a href='/m/{n}'>Smith {n}</a></p>" for n, name in enumerate(NAMES)))
    addresses = [f"https://example.org/m/{n}" for n in range(len(NAMES))]
    assert list(found.values()).count(addresses) == 1


def test_facts_in_buttons_are_columns(columns):
    places = ["Ehrenfeld", "Deutz", "Nippes", "Kalk", "Hürth"]
    found = columns(*(f"<h3>{name}</h3><button>{place}</button>" for name, place in zip(NAMES, places, strict=True)))
    assert places in found.values()


def test_captions_of_buttons_that_repeat_the_title_are_no_column(columns):
    found = columns(*(f"<h3>{name}</h3><p>{len(name)} kg</p><button>Add {name} to cart</button>" for name in NAMES))
    assert not any("Add" in (value or "") for values in found.values() for value in values)


def test_the_number_of_pictures_is_no_column(columns):
    found = columns(*(f"<i>1/{n + 4}</i><h3>{name}</h3><p>{len(name)} kg</p>" for n, name in enumerate(NAMES)))
    assert not any("1/" in (value or "") for values in found.values() for value in values)


def test_tags_are_one_column_although_one_of_them_is_on_most_records(columns):
    words = {"a": "Strategy", "b": "Motion", "c": "Packaging", "d": "Web design"}
    found = columns(
        *(
            f"<h3>Studio {name}</h3>" + "".join(f"<p>{words[letter]}</p>" for letter in letters)
            for name, letters in enumerate(["abc", "bcd", "cd", "acd", "bd", "abd", "c", "bcd", "ad", "bd"])
        )
    )
    assert [values[3] for values in found.values()] == ["Studio 3", "Strategy, Packaging, Web design"]


def test_tags_in_lists_of_one_length_are_one_column(columns):
    tags = ("quiet, wireless, sealed", "2200 W, quiet, wireless", "sealed, 2200 W, quiet", "wireless, sealed, quiet")
    tags = (*tags, "wireless, 2200 W, sealed")
    found = columns(
        *(
            f"<h3>{name}</h3><ul>{''.join(f'<li>{tag}</li>' for tag in said.split(', '))}</ul>"
            for name, said in zip(NAMES, tags, strict=True)
        )
    )
    assert list(tags) in found.values()


def test_title_and_link_come_first_and_the_others_in_page_order(columns):
    found = columns(
        *(
            f"<b>{len(name)} kg</b><i>{n + 1}/7</i><h3><a href='/{n}'>{name}</a></h3><p>{n * 9 + 4}.50 €</p>"
            for n, name in enumerate(NAMES)
        )
    )
    assert list(found)[:2] == ["title", "link"]
    assert list(found)[-1] == "price"
