"""Words that name columns, and those that do not."""

from __future__ import annotations

import pytest

from webquarry.mining.visual import mine_visual
from webquarry.model.document import Document
from webquarry.page.column_words import icon_name, is_old, property_name, standard_name, telling_word, telling_words

CARDS = ("Oak table", "Elm chair", "Fir bench")
LETTERS = "ABC"


@pytest.mark.parametrize(
    "classes",
    "reset spacing capitalize mb-2 md:mt-4 text-[13px] w-1/2 css-1x2y3z col-md-4 flex-row uppercase is-hidden "
    "text-right inline-block font-semibold !hidden tracking-tight not-italic place-items-center sc-evZas css-abf "
    "kLmNop staff-card__photo line-clamp small-label soi".split(),
)
def test_no_column_is_named_by(classes):
    assert telling_words(classes) == ()


@pytest.mark.parametrize(
    ("token", "word"),
    [
        ("product-price", "price"),
        ("jobLocation", "location"),
        ("card__brand", "brand"),
        ("price--large", "price"),
        ("ProductCard_vendor", "vendor"),
        ("x" * 100 + "-price", None),
        ("Card_title__7YwQz", "title"),
        ("EventCard-module__venue___2_fKn", "venue"),
        ("css-1x2y3z-Salary", "salary"),
        ("SITE_TYPES_CONTENT", "types"),
        ("event__venue-title", "venue"),
        ("badge-category__name", "category"),
        ("product-name", "name"),
        ("staff-card__kana", "kana"),
    ],
)
def test_class_names_name_columns_by_words_about_content(token, word):
    assert telling_word(token) == word


@pytest.mark.parametrize(
    ("label", "kind", "name"),
    [
        ("Preis", "money", "price"),
        ("السعر", "money", "price"),
        ("Cena", "number", "price"),
        ("Data", "date", "date"),
        ("Data", "text", None),
        ("Místo", "text", "location"),
        ("מיקום", "text", "location"),
        ("Původní cena", "money", "old_price"),
        ("Marke", "text", None),
    ],
)
def test_labels_have_one_name_in_every_language_if_their_type_fits(label, kind, name):
    assert standard_name(label, kind) == name


@pytest.mark.parametrize(
    ("itemprop", "name"), [("name", "title"), ("schema:startDate", "date"), ("brand", "brand"), ("url", ""), ("", "")]
)
def test_properties_of_schema_org_name_columns(itemprop, name):
    assert property_name(itemprop) == name


@pytest.mark.parametrize(
    ("classes", "name"),
    [("fa fa-map-marker-alt", "location"), ("bi bi-clock", "time"), ("/icons.svg#bed", "beds"), ("icon-arrow", None)],
)
def test_icons_name_columns(classes, name):
    assert icon_name(classes) == name


def test_class_names_say_that_a_price_is_old():
    assert [is_old(name) for name in ("price--compare", "was-price", "price-item")] == [True, True, False]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        pytest.param("<p data-label=Maker>Smith {n}</p>", "Maker", id="data-label"),
        pytest.param("<p aria-label=Maker>Smith {n}</p>", "Maker", id="aria-label"),
        pytest.param("<p itemprop=brand>Smith {n}</p>", "brand", id="itemprop"),
        pytest.param("<p class=card-brand>Smith {n}</p>", "brand", id="a class"),
        pytest.param("<p data-testid=vendor-cell>Smith {n}</p>", "vendor", id="a name for tests"),
        pytest.param("<p><i class='icon icon-user'></i> Smith {n}</p>", "author", id="an icon"),
        pytest.param(
            "<p class=who><i class='icon icon-user'></i> Smith {n}</p>", "author", id="an icon, not any class"
        ),
        pytest.param(
            "<p class=seller><i class='icon icon-user'></i> Smith {n}</p>", "seller", id="a class about content"
        ),
        pytest.param("<p><a href='/seller/{n}'>Smith {n}</a></p>", "seller", id="a folder of links"),
        pytest.param("<p><span>by</span> <i>Smith {n}</i></p>", "author", id="a word before it"),
        pytest.param("<p>Maker: Smith {n}</p>", "Maker", id="a label"),
        pytest.param("<dl><dt>Maker<dd>Smith {n}</dl>", "Maker", id="a term"),
        pytest.param("<p class='mb-2 capitalize'>Smith {n}</p>", "text", id="nothing"),
        pytest.param("<p><b>Maker</b><span>: Smith {n}</span></p>", "Maker", id="a label in pieces"),
    ],
)
def test_a_column_is_named_by(columns, line, name):
    found = columns(
        *(f"<h3><a href='/{n}'>{card}</a></h3>{line.replace('{n}', LETTERS[n])}" for n, card in enumerate(CARDS))
    )
    assert found[name] == [f"Smith {letter}" for letter in LETTERS[: len(CARDS)]]


@pytest.mark.parametrize(
    "places", [["Hull, MA", "Salem, OR", "Bath, ME"], ["Hull, MA; Salem, OR", "Remote - US", "Remote; Bath, ME"]]
)
def test_a_place_is_known_by_its_looks(columns, places):
    found = columns(*(f"<h3>{card}</h3><p>{place}</p>" for card, place in zip(CARDS, places, strict=True)))
    assert found["location"] == places


@pytest.mark.parametrize("address", ["https://{}.example", "www.{}.example/wood", "{}.example \u203a wood", "/wood/{}"])
def test_an_address_is_known_by_its_looks(columns, address):
    texts = [address.format(card.split()[0].lower()) for card in CARDS]
    found = columns(*(f"<h3>{card}</h3><p>{text}</p>" for card, text in zip(CARDS, texts, strict=True)))
    assert found["url"] == texts


def test_names_have_no_invisible_characters(columns):
    found = columns(*(f"<h3>{card}</h3><p>Ma\u200bker\u00ad: Smith {n}</p>" for n, card in enumerate(CARDS)))
    assert "Maker" in found


def test_a_sentence_before_a_price_is_a_column(columns):
    said = "Delivered to your door"
    found = columns(*(f"<h3>{card}</h3><p><i>{said}</i> <b>${n}2.00</b></p>" for n, card in enumerate(CARDS, 1)))
    assert [said] * len(CARDS) in found.values()


def test_words_beside_a_price_are_no_column(columns):
    found = columns(*(f"<h3>{card}</h3><p><i>members</i> <b>${n}2.00</b></p>" for n, card in enumerate(CARDS, 1)))
    assert list(found.values()) == [list(CARDS), ["$12.00", "$22.00", "$32.00"]]


def test_the_only_price_that_holds_is_called_so_whatever_its_class(columns):
    cards = [f"<h3>{name}</h3><b class=reviews>${n}.50</b> <s>$90.00</s>" for name, n in (("Lamp", 8), ("Saw", 9))]
    assert columns(*cards)["price"] == ["$8.50", "$9.50"]


def test_words_that_few_records_have_are_badges(columns):
    badges = ["<i>New</i>", "", "<i>Best seller</i>", "", "", "<i>New</i>"]
    places = ["Ulm", "Bonn", "Kiel", "Trier", "Worms", "Jena"]
    found = columns(
        *(f"{badge}<h3>Lamp {place}</h3><p>{place}</p>" for badge, place in zip(badges, places, strict=True))
    )
    assert found["badge"] == ["New", None, "Best seller", None, None, "New"]
    assert places in found.values()


def test_captions_name_values_also_where_a_link_holds_the_card(align):
    card = (
        "<li><a href=/{n}><h3>{card}</h3><div><p>Length</p><p>{n}2 min</p></div><div><p>Parts</p><p>{n}5</p></div></a>"
    )
    found = align("".join(card.format(n=n + 1, card=name) for n, name in enumerate(CARDS)), "li")
    assert {"Length", "Parts"} <= found.keys()
    assert "text" not in found


def test_a_header_names_the_first_of_the_values_in_its_cells():
    head = "<tr><th><a href=?t>Thing</a> <a href=?c>Sort by citations</a> <a href=?y>Sort by year</a><th>Made<th>Made"
    row = "<tr><td><a href=/{n}>{card}</a><div class=maker>Smith {letter}</div><td>{n}5<td>{n}9"
    rows = [row.format(n=n + 1, card=card, letter=LETTERS[n]) for n, card in enumerate(CARDS)]
    region = mine_visual(Document(f"<table><thead>{head}<tbody>{''.join(rows)}</table>"))[0]
    assert [field.name for field in region.fields] == ["title", "link", "maker", "Made", "Made_2"]


def test_no_part_of_a_later_cell_is_the_title():
    row = "<tr><td>{card}<td><b>Ann {letter}</b><div class=phone>Tel. 030 4455-{n}</div>"
    rows = [row.format(card=card, letter=LETTERS[n], n=n) for n, card in enumerate(CARDS)]
    region = mine_visual(Document(f"<table><thead><tr><th>Firm<th>Contact<tbody>{''.join(rows)}</table>"))[0]
    assert [field.name for field in region.fields] == ["Firm", "Contact", "phone"]


def test_a_caption_names_values_although_some_are_missing(columns):
    levels = ["Easy", None, "Hard", "Easy"]
    cards = [*CARDS, "Ash stool"]
    pair = "<div><p>Level</p><p>{}</p></div>"
    found = columns(*(f"<h3>{card}</h3>{pair.format(level or '')}" for card, level in zip(cards, levels, strict=True)))
    assert found == {"title": cards, "Level": levels}


def test_a_number_names_no_column(columns):
    found = columns(*(f"<h3><a href=/{n}>{card}</a></h3><p><b>1</b></p>" for n, card in enumerate(CARDS)))
    assert "1" not in found
