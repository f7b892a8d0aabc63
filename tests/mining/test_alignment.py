"""How records become columns, on small pages of our own, without a layout."""

from __future__ import annotations

from datetime import date

import pytest

import webquarry as wq
from webquarry.mining.alignment import align_fields
from webquarry.model.document import Document
from webquarry.model.table_columns import Field
from webquarry.values.text_value import Value

URL = "https://example.org/shop/list.html"


def fields(markup: str, tag: str = "article") -> dict[str, Field]:
    """The fields of all elements of a tag that stand in none of the same tag."""
    document = Document(markup, url=URL)
    code = document.tag_names.index(tag)
    spans: list[tuple[int, int]] = []
    for node in range(len(document)):
        if document.tags[node] == code and (not spans or node >= spans[-1][1]):
            spans.append((node, int(document.ends[node])))
    return {field.name: field for field in align_fields(document, spans)}


def values(markup: str, tag: str = "article") -> dict[str, list[str | None]]:
    return {name: list(field.values) for name, field in fields(markup, tag).items()}


def articles(*contents: str) -> str:
    return "".join(f"<article>{content}</article>" for content in contents)


# what is one value


def test_highlighted_words_stay_in_their_text():
    found = values(
        articles(
            "<p>Cells <b>divide</b> and then they <b>grow</b> again</p>",
            "<p>How the <b>cells</b> of plants take up water</p>",
            "<p><b>Water</b> rises in the stems of tall trees</p>",
        )
    )
    assert found == {
        "title": [
            "Cells divide and then they grow again",
            "How the cells of plants take up water",
            "Water rises in the stems of tall trees",
        ]
    }


def test_short_lines_are_facts_although_they_begin_in_lower_case():
    found = values(articles(*(f"<h3>{name}</h3><p>oiled<br>from {name}" for name in ("Hull", "York", "Ely"))))
    assert ["from Hull", "from York", "from Ely"] in found.values()


def test_a_text_that_is_highlighted_as_a_whole_is_in_the_same_column():
    found = values(
        articles(
            "<h3><a href=1>The <em>pond</em></a></h3>",
            "<h3><a href=2><em>Pond</em> life</a></h3>",
            "<h3><a href=3><em>Pond</em></a></h3>",
            "<h3><a href=4>A winter <em>pond</em> at night</a></h3>",
        )
    )
    assert found["title"] == ["The pond", "Pond life", "Pond", "A winter pond at night"]


def test_facts_on_one_line_are_values_of_their_own_without_separators():
    found = values(
        articles(
            "<p><a href=/c1>Cached</a> - <span>38 KB</span> - <span>2017-02-06</span></p>",
            "<p><a href=/c2>Cached</a> - <span>44 KB</span> - <span>2017-02-10</span></p>",
        )
    )
    assert found == {
        "link": ["https://example.org/c1", "https://example.org/c2"],
        "number": ["38 KB", "44 KB"],
        "date": ["2017-02-06", "2017-02-10"],
    }


def test_a_dash_in_a_cell_of_its_own_is_a_value():
    found = values("<table><tr><td>Ash<td>12<tr><td>Elm<td>-</table>", "tr")
    assert found["number"] == ["12", "-"]


def test_raised_cents_are_part_of_the_amount():
    found = values(articles("<p><span>$12</span><sup>99</sup></p>", "<p><span>$7</span><sup>50</sup></p>"))
    assert list(found.values()) == [["$12.99", "$7.50"]]


def test_a_break_in_the_midst_of_a_sentence_parts_nothing():
    found = values(
        articles(
            "<p>The boats leave the harbour at noon<br>and come back before dark</p>",
            "<p>Nobody on the island remembers who<br>built the tower on the hill</p>",
        )
    )
    assert list(found.values()) == [
        [
            "The boats leave the harbour at noon and come back before dark",
            "Nobody on the island remembers who built the tower on the hill",
        ]
    ]


def test_a_break_between_facts_parts_them():
    found = values(articles("<p>Ann Lee<br>12 High Street<br>Hull</p>", "<p>Bo Nye<br>7 Low Road<br>York</p>"))
    assert list(found.values()) == [["Ann Lee", "Bo Nye"], ["12 High Street", "7 Low Road"], ["Hull", "York"]]


# what is one column


def test_a_part_that_is_missing_shifts_no_other():
    found = values(
        articles(
            "<h3>Oak</h3><p>Grows slowly</p><p>May 3, 2020</p><i>3 kg</i>",
            "<h3>Fir</h3><p>June 4, 2021</p><i>4 kg</i>",
            "<h3>Yew</h3><p>Is poisonous</p><p>July 5, 2022</p><i>5 kg</i>",
        )
    )
    assert found["title"] == ["Oak", "Fir", "Yew"]
    assert found["text"] == ["Grows slowly", None, "Is poisonous"]
    assert found["date"] == ["May 3, 2020", "June 4, 2021", "July 5, 2022"]
    assert found["number"] == ["3 kg", "4 kg", "5 kg"]


def test_class_names_part_what_tag_paths_do_not():
    found = values(
        articles(
            "<h3>Oak</h3><div class=author>Lee</div><div class=city>Hull</div>",
            "<h3>Fir</h3><div class=city>York</div>",
            "<h3>Elm</h3><div class=author>Nye</div>",
            "<h3>Yew</h3><div class=author>Kim</div><div class=city>Bath</div>",
        )
    )
    assert found["author"] == ["Lee", None, "Nye", "Kim"]
    assert found["city"] == ["Hull", "York", None, "Bath"]


def test_a_column_in_another_dress_is_still_one():
    found = values(
        articles(
            "<h3>Oak</h3><div><b>12.00 EUR</b></div>",
            "<h3>Fir</h3><div><em><b>9.00 EUR</b></em></div>",
            "<h3>Elm</h3><div><b>8.00 EUR</b></div>",
        )
    )
    assert found["price"] == ["12.00 EUR", "9.00 EUR", "8.00 EUR"]


def test_headings_are_titles_whether_they_are_links_or_not():
    found = values(
        articles(
            "<a href=1><h3>Lamp</h3></a><p>of brass</p>",
            "<h3>Chair</h3><p>of oak</p>",
            "<h3><a href=3>Table</a></h3><p>of pine</p>",
        )
    )
    assert found["title"] == ["Lamp", "Chair", "Table"]


def test_bare_numbers_are_in_no_column_with_numbers_among_words():
    found = values(
        articles(
            "<div><span>7:42</span></div><p>Over the bay</p>",
            "<div><span>21:05</span></div><p>The last keeper</p>",
            "<div><div><span>The Northern Daily, 3 hours ago</span></div></div><p>A storm</p>",
        )
    )
    assert ["7:42", "21:05", None] in found.values()


def test_a_list_of_any_length_is_one_value():
    found = values(
        articles(
            "<h3>Oak</h3><ul><li>hard<li>brown<li>old</ul>",
            "<h3>Fir</h3><ul><li>soft</ul>",
            "<h3>Elm</h3><ul><li>rare<li>tall</ul>",
        )
    )
    assert found["text"] == ["hard, brown, old", "soft", "rare, tall"]


def test_names_with_commas_are_parted_by_semicolons():
    found = values(
        articles(
            "<h3>One</h3><p><a href=1>Lee, Ann</a><a href=2>Nye, Bo</a><a href=3>Orr, Cy</a></p>",
            "<h3>Two</h3><p><a href=4>Poe, Di</a></p>",
        )
    )
    assert "Lee, Ann; Nye, Bo; Orr, Cy" in [row[0] for row in found.values()]


def test_records_of_several_siblings_are_aligned():
    document = Document("<dl><dt>Oak<dd>Hard<dd>12 EUR<dt>Fir<dd>Soft<dd>9 EUR</dl>", url=URL)
    terms = [document.node(f"/html/body/dl/dt[{n}]") for n in (1, 2)]
    stop = int(document.ends[document.node("/html/body/dl")])
    found = align_fields(document, [(terms[0], terms[1]), (terms[1], stop)])
    assert [field.values for field in found] == [("Oak", "Fir"), ("Hard", "Soft"), ("12 EUR", "9 EUR")]


def test_records_at_different_depths_are_aligned():
    found = values(
        "<main><article><h3>Oak</h3><p>Hard wood</p></article>"
        "<div><div><article><h3>Fir</h3><p>Soft wood</p></article></div></div></main>"
    )
    assert found == {"title": ["Oak", "Fir"], "text": ["Hard wood", "Soft wood"]}


def test_columns_stand_in_the_order_of_the_page():
    found = fields(articles("<h3>Oak</h3><p>Hard</p>", "<h3>Fir</h3><i>new</i><p>Soft</p>"))
    assert [list(field.values) for field in found.values()] == [["Oak", "Fir"], [None, "new"], ["Hard", "Soft"]]


# names


@pytest.mark.parametrize(
    ("markup", "name"),
    [
        pytest.param("<p>Weight: {}</p>", "Weight", id="before a colon"),
        pytest.param("<p><b>Weight:</b> {}</p>", "Weight", id="in an element before"),
        pytest.param("<dl><dt>Weight</dt><dd>{}</dd></dl>", "Weight", id="a term"),
        pytest.param("<table><tr><th>Weight</th><td>{}</td></tr></table>", "Weight", id="a header cell of a row"),
        pytest.param("<p itemprop=weight>{}</p>", "weight", id="itemprop"),
        pytest.param("<p aria-label=Weight>{}</p>", "Weight", id="aria-label"),
        pytest.param("<p class='col-md-4 product-weight'>{}</p>", "weight", id="a class that is a word"),
        pytest.param("<p>weighs <b>{}</b></p>", "weighs", id="a word that leads to it"),
    ],
)
def test_a_column_is_named_by(markup, name):
    contents = [f"<h3>{tree}</h3>" + markup.format(weight) for tree, weight in (("Oak", 12), ("Fir", 9), ("Elm", 8))]
    found = values(articles(*contents))
    assert found["title"] == ["Oak", "Fir", "Elm"]
    assert found[name] == ["12", "9", "8"]


@pytest.mark.parametrize("name", ["col-md-4", "css-1x2y", "mt-2", "clearfix", "x1", "row", "hide-phone"])
def test_class_names_that_say_nothing_name_nothing(name):
    found = values(articles(*(f"<h3>{tree}</h3><p class='{name}'>{tree} wood</p>" for tree in ("Oak", "Fir"))))
    assert list(found) == ["title", "text"]


def test_a_phone_is_a_number():
    phones = values(articles(*(f"<h3>{tree}</h3><p class=phone>+49 30 1234-{tree}" for tree in ("56", "57", "58"))))
    assert phones["phone"] == [f"+49 30 1234-{end}" for end in ("56", "57", "58")]


def test_a_class_that_would_name_two_columns_names_none():
    found = values(articles(*(f"<h3>{n}{n}{n}</h3><p class=fact>a{n}</p><i class=fact>b{n}</i>" for n in "xyz")))
    assert list(found) == ["title", "text", "text_2"]


def test_a_title_with_a_colon_has_no_label():
    found = values(articles("<h3>Alien: Covenant</h3>", "<h3>Alien: Romulus</h3>", "<h3>Dune</h3>", "<h3>Heat</h3>"))
    assert found == {"title": ["Alien: Covenant", "Alien: Romulus", "Dune", "Heat"]}


def test_labels_in_elements_of_their_own_name_columns_and_are_no_columns():
    found = fields(articles("<p><b>Brand:</b> Acme</p>", "<p><b>Brand:</b> Bolt</p>"))
    assert {name: column.values for name, column in found.items()} == {"Brand": ("Acme", "Bolt")}


def test_labels_tell_optional_facts_apart():
    found = values(
        articles(
            "<ul><li>Height: tall<li>Colour: red<li>Origin: Wales</ul>",
            "<ul><li>Colour: blue<li>Origin: Kent</ul>",
            "<ul><li>Height: low<li>Origin: Fife</ul>",
        )
    )
    assert found["Height"] == ["tall", None, "low"]
    assert found["Colour"] == ["red", "blue", None]
    assert found["Origin"] == ["Wales", "Kent", "Fife"]


@pytest.mark.parametrize(
    "button",
    [
        "<button>Add to cart</button>",
        "<div role=button>Add to cart</div>",
        "<a class='btn btn-primary' href=/cart>Add to cart</a>",
        "<a href=/cart>Read more</a>",
        "<select><option>Small<option>Large</select>",
    ],
)
def test_buttons_are_no_columns(button):
    found = fields(articles(f"<h3>Oak</h3><p>hard</p>{button}", f"<h3>Fir</h3><p>soft</p>{button}"))
    assert [name for name, column in found.items() if column.type != "link"] == ["title", "text"]


def test_a_card_that_can_be_clicked_is_no_button():
    card = "<button><h3>{}</h3><p>{}</p><i>{}</i><b>{}</b></button>"
    found = fields(articles(card.format("Oak", "hard", "12", "tree"), card.format("Fir", "soft", "13", "shrub")))
    assert len(found) == 4


def test_rows_are_named_by_the_header_cells_above_also_where_a_cell_is_empty():
    document = Document(
        "<table><tr><th>Tree<th colspan=2>Height<th>Price"
        "<tr><td>Oak<td>20<td>m<td>12<tr><td>Fir<td><td><td>9<tr><td>Elm<td>30<td>m<td>8</table>"
    )
    rows = [document.node(f"/html/body/table/tbody/tr[{n}]") for n in (2, 3, 4)]
    named = {
        field.name: field.values for field in align_fields(document, [(row, int(document.ends[row])) for row in rows])
    }
    assert named["Tree"] == ("Oak", "Fir", "Elm")
    assert named["Height"] == ("20", None, "30")
    assert named["price"] == ("12", "9", "8")


def test_the_price_that_most_records_have_is_the_price():
    found = values(
        articles(
            "<h3>Oak</h3><s>12 EUR</s> <b>10 EUR</b>",
            "<h3>Fir</h3><b>9 EUR</b>",
            "<h3>Elm</h3><b>8 EUR</b>",
        )
    )
    assert found["price"] == ["10 EUR", "9 EUR", "8 EUR"]
    assert found["old_price"] == ["12 EUR", None, None]


# links and images


def test_a_title_that_is_a_link_gives_text_and_address():
    found = fields(articles("<h3><a href=oak.html>Oak</a></h3><p>Hard", "<h3><a href=/fir>Fir</a></h3><p>Soft"))
    assert found["title"].values == ("Oak", "Fir")
    assert found["link"].type == "link"
    assert found["link"].values == ("https://example.org/shop/oak.html", "https://example.org/fir")


def test_an_address_that_comes_again_in_a_record_is_given_once():
    found = fields(
        articles(
            *(
                f"<a href=/{n}><img src={n}.png></a><h3><a href=/{n}>Tree {n}</a></h3><a href=/{n}>More</a>"
                for n in "ab"
            )
        )
    )
    assert [name for name, field in found.items() if field.type == "link"] == ["link"]


def test_links_that_lead_nowhere_have_no_address():
    found = values(articles("<a href='javascript:void(0)'>Oak</a>", "<a href='#'>Fir</a>"))
    assert found == {"title": ["Oak", "Fir"]}


def test_addresses_count_from_the_base_of_the_page():
    found = values("<base href=/other/>" + articles("<a href=1>Oak</a>", "<a href=2>Fir</a>"))
    assert found["link"] == ["https://example.org/other/1", "https://example.org/other/2"]


@pytest.mark.parametrize(
    ("image", "address"),
    [
        ("<img src=a.png>", "https://example.org/shop/a.png"),
        ("<img src=blank.gif data-src=a.png>", "https://example.org/shop/a.png"),
        ("<img src='data:image/gif;base64,R0' srcset='a.png 1x, b.png 2x'>", "https://example.org/shop/b.png"),
        ("<picture><source srcset='w.webp 300w, x.webp 900w'><img></picture>", "https://example.org/shop/x.webp"),
    ],
)
def test_images_have_the_address_of_what_is_shown_at_last(image, address):
    found = fields(articles(f"<h3>Oak</h3>{image}", f"<h3>Fir</h3>{image}"))
    assert found["image"].type == "image"
    assert found["image"].values == (address, address)


def test_pictures_that_records_share_are_no_column_beside_pictures_of_their_own():
    shown = (
        f"<img src=/wait.svg><h3>{name}</h3><img src=/{name}.jpg><img src=/new.png>" for name in ("Oak", "Fir", "Elm")
    )
    found = values(articles(*shown))
    assert found == {
        "title": ["Oak", "Fir", "Elm"],
        "image": [f"https://example.org/{name}.jpg" for name in ("Oak", "Fir", "Elm")],
    }


def test_drawings_without_an_address_do_not_count_among_the_images():
    shown = (f"<svg><path d=M0></svg><h3>{name}</h3><img src=/{name}.jpg>" for name in ("Oak", "Fir", "Elm"))
    assert list(values(articles(*shown))) == ["title", "image"]


def test_a_link_that_sums_up_its_record_is_no_column_but_the_link_of_the_title():
    oak = "<a href=/oak>Oak table $12.50</a><h3>Oak table</h3><p>$12.50</p>"
    fir = "<a href=/fir>Fir chair $9.00</a><h3>Fir chair</h3><p>$9.00</p>"
    assert values(articles(oak, fir)) == {
        "title": ["Oak table", "Fir chair"],
        "link": ["https://example.org/oak", "https://example.org/fir"],
        "price": ["$12.50", "$9.00"],
    }


def test_a_button_that_few_records_have_joins_no_column_of_badges():
    button, badge = "<div><button><span>Quick shop</span></button></div>", "<div><div><span>{}</span></div></div>"
    marks = [button, button, badge.format("Top rated"), badge.format("Last one"), "", "", "", "", "", ""]
    found = values(
        articles(*(f"<h3>Oak {letter}</h3>{mark}" for mark, letter in zip(marks, "abcdefghij", strict=True)))
    )
    assert not any(text and "Quick shop" in text for column in found.values() for text in column)


def test_the_caption_of_a_box_to_tick_is_no_column():
    box = "<h3>{0}</h3><input type=checkbox id={0}><label for={0}>Compare</label>"
    assert list(values(articles(*(box.format(name) for name in ("Oak", "Fir", "Elm"))))) == ["title"]


def test_a_picture_that_all_records_share_is_a_column_without_others():
    found = values(articles(*(f"<img src=/seal.svg><h3>{name}</h3>" for name in ("Oak", "Fir", "Elm"))))
    assert found["image"] == ["https://example.org/seal.svg"] * 3


def test_records_of_images_alone_are_named_by_what_stands_for_them():
    found = values(articles("<img src=1.png alt='An oak'>", "<img src=2.png alt='A fir'>"))
    assert found["title"] == ["An oak", "A fir"]


# values


def test_columns_that_agree_are_typed_in_the_locale_of_the_page():
    found = fields(
        "<html lang=de>"
        + articles(
            "<h3>Eiche</h3><b>1.234,50 €</b><i>3. Mai 2020</i>", "<h3>Tanne</h3><b>9,00 €</b><i>4. Juni 2021</i>"
        )
    )
    assert found["price"].typed == (Value(1234.5, "EUR"), Value(9.0, "EUR"))
    assert found["date"].typed == (Value(date(2020, 5, 3)), Value(date(2021, 6, 4)))
    assert found["price"].values == ("1.234,50 €", "9,00 €")


def test_columns_that_do_not_agree_stay_texts():
    found = fields(articles("<h3>Oak</h3><b>12 EUR</b>", "<h3>Fir</h3><b>on request</b>"))
    assert found["text"].type == "text"
    assert found["text"].typed == ()


def test_every_value_has_its_node():
    document = Document(articles("<h3>Oak</h3><p>Hard <b>and</b> brown wood of old trees</p>", "<h3>Fir</h3>"))
    spans = [
        (node, int(document.ends[node]))
        for node in map(document.node, ("/html/body/article[1]", "/html/body/article[2]"))
    ]
    for field in align_fields(document, spans):
        for value, node in zip(field.values, field.nodes, strict=True):
            assert (value is None) == (node is None)
            if node is not None and value is not None:
                assert value in " ".join(document.text(node).split())


def test_words_in_the_place_of_an_amount_are_a_column_of_their_own():
    found = values(
        articles(
            "<h3>Oak</h3><p class=sum>12 EUR</p>",
            "<h3>Fir</h3><p class=gone>sold out</p>",
            "<h3>Elm</h3><p class=sum>9 EUR</p>",
        )
    )
    assert found["price"] == ["12 EUR", None, "9 EUR"]
    assert [row[1] for row in found.values() if row[0] is None] == ["sold out"]


def test_elements_side_by_side_are_values_of_their_own_without_space_between():
    found = values(
        articles("<p><span>Lena Osei</span><span>2 h ago</span></p>", "<p><span>Staff</span><span>3 h ago</span></p>")
    )
    assert ["Lena Osei", "Staff"] in found.values()


def test_records_that_are_links_have_their_addresses():
    found = values("<a href=/1><article><h3>Oak</h3></article></a><a href=/2><article><h3>Fir</h3></article></a>")
    assert found["link"] == ["https://example.org/1", "https://example.org/2"]


def test_a_small_word_before_a_colon_within_a_text_stays_in_it():
    found = values(articles("<h3>Oak</h3><p>german: Eiche</p>", "<h3>Fir</h3><p>german: Tanne</p>"))
    assert found["text"] == ["german: Eiche", "german: Tanne"]


def test_a_value_after_its_label_may_have_a_colon_itself():
    places = ("Brno : Kobka, 2019", "Praha : Arbor, 2008", "Praha : Tón, 1987")
    found = values(
        articles(*(f"<h3>Book {n}</h3><p>Vydáno: <span>{place}</span></p>" for n, place in enumerate(places)))
    )
    assert found["Vydáno"] == list(places)


def test_two_amounts_that_touch_are_two_values():
    prices = [("R$ 27,90", "R$ 179,90"), ("R$ 39,90", "R$ 99,90"), ("R$ 24,90", "R$ 30,00")]
    found = values(articles(*(f"<h3>Course</h3><p><span>{now}</span><s>{old}</s></p>" for now, old in prices)))
    assert found["price"] == [now for now, _ in prices]
    assert found["old_price"] == [old for _, old in prices]


def test_an_amount_is_a_price_whatever_class_it_has():
    found = values(articles(*(f"<h3>Lamp {n}</h3><p class='tracking-snug zebra'>£{n}.50</p>" for n in (3, 4, 5))))
    assert found["price"] == ["£3.50", "£4.50", "£5.50"]


def test_what_the_title_links_to_does_not_name_other_columns():
    cards = (f"<a href='/for-sale/{n}'><h3>House {n}</h3><p>Mill Lane {n}, Ripley</p></a>" for n in (31, 42, 53))
    assert list(values(articles(*cards))) == ["title", "link", "text"]


def test_an_element_around_a_text_is_no_icon_before_it():
    cards = (f"<h3>Trio {n}</h3><span class=calendar-list><b>Hall {n} of the mill</b></span>" for n in "ABC")
    assert "date" not in values(articles(*cards))


def test_an_address_element_holds_the_location():
    cards = (f"<h3>House {n}</h3><address>Mill Lane {n}, Ripley</address>" for n in (31, 42, 53))
    assert values(articles(*cards))["location"][0] == "Mill Lane 31, Ripley"


def test_values_are_told_apart_by_the_icons_before_them():
    star, fork = "<svg aria-label=star></svg>", "<svg aria-label=fork></svg>"
    counts = [(31, 4), (None, 7), (58, None), (90, 2)]
    cards = [
        f"<h3>Tool {n}</h3>"
        + (f"<a href=/{n}/s>{star} {stars}</a>" if stars else "")
        + (f"<a href=/{n}/f>{fork} {forks}</a>" if forks else "")
        for n, (stars, forks) in enumerate(counts)
    ]
    found = [column for name, column in values(articles(*cards)).items() if name in ("stars", "fork")]
    assert sorted(found, key=str) == [["31", None, "58", "90"], ["4", "7", None, "2"]]


def test_the_link_of_a_record_is_that_of_its_title():
    cards = (f"<a href=/user/{n}><img src=/{n}.png></a><h3><a href=/topic/{n}>Topic {n}</a></h3>" for n in "abc")
    found = values(articles(*cards))
    assert found["link"] == [f"https://example.org/topic/{n}" for n in "abc"]
    assert found["image_link"] == [f"https://example.org/user/{n}" for n in "abc"]


def test_the_only_price_is_a_price_whatever_words_follow_it():
    found = values(articles(*(f"<h3>Hut {n}</h3><p><b>{n}0 €</b> <i>Nacht</i></p>" for n in (5, 6, 7))))
    assert found["price"] == ["50 €", "60 €", "70 €"]


def test_a_label_that_says_title_names_the_title():
    cards = (f"<p><b>Titel:</b> Knots {n}</p><p><a href=/{n}>Ann Reed {n}</a></p>" for n in "abc")
    found = values(articles(*cards))
    assert found["title"] == ["Knots a", "Knots b", "Knots c"]
    assert "title_2" not in found


def test_without_a_layout_a_second_price_that_is_always_higher_is_the_old_one():
    prices = [("129 €", None), ("88 €", 105), ("free", None), ("97 €", 119), ("60 €", None)]
    cards = (f"<h3>Hut</h3><p>{f'<i>{old} €</i>' if old else ''}</p><p><b>{now}</b></p>" for now, old in prices)
    found = values(articles(*cards))
    assert found["price"] == ["129 €", "88 €", "free", "97 €", "60 €"]
    assert found["old_price"] == [None, "105 €", None, "119 €", None]


def test_without_a_layout_the_higher_of_two_prices_of_all_records_is_the_old_one_also_if_it_comes_first():
    prices = [("7.99", "7.19"), ("14.49", "11.59"), ("6.49", "5.51")]
    cards = (f"<h3>Soap</h3><p><i>${old}</i><b>${now}</b></p>" for old, now in prices)
    found = values(articles(*cards))
    assert found["price"] == ["$7.19", "$11.59", "$5.51"]
    assert found["old_price"] == ["$7.99", "$14.49", "$6.49"]


def test_icons_name_columns_by_what_they_draw():
    icons = ("calendar3", "speedometer2", "fuel-pump")
    facts = [(2020, "84 km", "diesel"), (2019, "61 km", "petrol"), (2018, "12 km", "petrol")]
    cards = (
        f"<h3>Car of {row[1]}</h3><ul>"
        + "".join(f"<li><i class='bi bi-{icon}'></i>{fact}</li>" for icon, fact in zip(icons, row, strict=True))
        + "</ul>"
        for row in facts
    )
    found = values(articles(*cards))
    assert [found["year"], found["mileage"], found["fuel"]] == [
        [str(fact) for fact in row] for row in zip(*facts, strict=True)
    ]


def test_a_price_in_pieces_that_touches_the_old_one_is_whole():
    cards = (f"<h3>Bell</h3><p><b>{n}<i>,00</i>\u00a0zł</b><s>{n}9,00 zł</s></p>" for n in (24, 31, 89))
    found = values(articles(*cards))
    assert found["price"] == ["24,00 zł", "31,00 zł", "89,00 zł"]
    assert found["old_price"] == ["249,00 zł", "319,00 zł", "899,00 zł"]


def test_words_that_a_font_draws_as_icons_are_no_text():
    cards = (f"<h3>App {n}</h3><p><span>4.{n}</span><i class='google-material-icons'>star</i></p>" for n in (2, 5, 8))
    assert values(articles(*cards))["number"] == ["4.2", "4.5", "4.8"]


def test_a_count_within_the_element_that_says_the_rating_is_a_column():
    records = "".join(
        f"<li class=card><h3><a href=/{n}>Lamp {n}</a></h3><div class=rating title='{n},5 von 5 Sternen'>"
        f"<span>★★★</span> <span class=value>{n},5</span> <span class=number>({n}19)</span></div><p>{n}0,90 €</p></li>"
        for n in range(1, 5)
    )
    region = wq.mine(wq.clean(wq.Page(url="https://shop.example/", body=f"<ul>{records}</ul>".encode())))[0]
    assert [record.typed["rating"].value for record in region.records] == [1.5, 2.5, 3.5, 4.5]
    assert ["(119)", "(219)", "(319)", "(419)"] in [list(field.values) for field in region.fields]
    assert not any("★★★" in field.values for field in region.fields)


# units and labels


def facts(*lists: list[str]) -> str:
    """Records with a title and a list of facts."""
    return articles(
        *(
            f"<h3>Flat {number}</h3><ul>{''.join(f'<li>{fact}</li>' for fact in each)}</ul>"
            for number, each in enumerate(lists)
        )
    )


def test_units_tell_numbers_apart_that_some_records_lack():
    found = values(
        facts(
            ["3 rooms", "2 bedrooms", "62.4 m²", "floor 4/6"],
            ["1 room", "24 m²"],
            ["5 rooms", "4 bedrooms", "118 m²"],
            ["2 rooms", "1 bedroom", "47 m²", "floor 1/3"],
        )
    )
    assert found["rooms"] == ["3 rooms", "1 room", "5 rooms", "2 rooms"]
    assert found["bedrooms"] == ["2 bedrooms", None, "4 bedrooms", "1 bedroom"]
    assert found["area"] == ["62.4 m²", "24 m²", "118 m²", "47 m²"]
    assert ["floor 4/6", None, None, "floor 1/3"] in found.values()


def test_a_word_in_place_of_a_number_with_a_unit_stays_in_its_column():
    found = values(facts(["31 kWh", "12 months"], ["32 kWh", "none"], ["30 kWh", "1 month"], ["34 kWh", "none"]))
    assert ["12 months", "none", "1 month", "none"] in found.values()


def test_a_number_and_what_it_counts_are_one_value_that_names_its_column():
    stat = '<div class="stat"><b class="number">{}</b> <span class="unit">{}</span></div>'
    counts = [("12", "votes", "3", "answers"), ("-1", "votes", "1", "answer"), ("1.2k", "votes", "0", "answers")]
    found = fields(
        articles(*(f"<h3>Why {one}?</h3>{stat.format(one, a)}{stat.format(two, b)}" for one, a, two, b in counts))
    )
    assert found["votes"].values == ("12 votes", "-1 votes", "1.2k votes")
    assert [value and value.value for value in found["votes"].typed] == [12, -1, 1200]
    assert found["answers"].values == ("3 answers", "1 answer", "0 answers")


def test_words_that_differ_after_a_number_are_not_what_it_counts():
    verdicts = [("8.7", "Fabulous"), ("9.5", "Exceptional"), ("7.8", "Good"), ("9.0", "Superb")]
    found = values(articles(*(f"<h3>Inn {n}</h3><p><b>{n}</b> <i>{word}</i></p>" for n, word in verdicts)))
    assert ["Fabulous", "Exceptional", "Good", "Superb"] in found.values()


def test_terms_below_their_values_name_them():
    pair = "<dl><dd>{}</dd><dt>{}</dt></dl>"
    flats = [("Helle Wohnung", "82,5 m²", "3"), ("Altbau", "112 m²", "4"), ("Apartment", "31 m²", "1")]
    found = values(
        articles(
            *(
                f"<h3>{name}</h3>{pair.format(area, 'Wohnfläche')}{pair.format(rooms, 'Zimmer')}"
                for name, area, rooms in flats
            )
        )
    )
    assert found["Wohnfläche"] == ["82,5 m²", "112 m²", "31 m²"]
    assert found["Zimmer"] == ["3", "4", "1"]


def test_icons_tell_numbers_apart_beside_a_text_without_an_icon():
    icon = '<svg><use href="#{}"></use></svg>'
    homes = [("Flat", "2", "1"), ("House", "4", "2"), ("Studio", "", "1"), ("Flat", "3", "2")]
    found = values(
        articles(
            *(
                f"<h3>Mill Lane {number}</h3><div><span>{kind}</span>"
                + (f"{icon.format('bed')}<span>{beds}</span>" if beds else "")
                + f"{icon.format('bath')}<span>{baths}</span></div>"
                for number, (kind, beds, baths) in enumerate(homes)
            )
        )
    )
    assert found["beds"] == ["2", "4", None, "3"]
    assert found["baths"] == ["1", "2", "1", "2"]


def test_words_around_a_price_are_not_called_price():
    cards = [
        ("Aurora", "1 night, 2 adults", "€ 132"),
        ("Glicine", "2 nights, 1 adult", "€ 89"),
        ("Arena", "1 night", "€ 98"),
    ]
    found = values(
        articles(
            *(f'<h3>{name}</h3><i class="price-for-nights">{said}</i><p>{price}</p>' for name, said, price in cards)
        )
    )
    assert found["price"] == ["€ 132", "€ 89", "€ 98"]


def test_an_old_price_that_touches_the_price_stays_apart():
    prices = [("<del>249,000</del><em><b>189,000</b>원</em>", 1), ("<em><b>12,900</b>원</em>", 2)] * 2
    found = values(articles(*(f"<h3>Thing {number}</h3><p>{price}</p>" for price, number in prices)))
    assert found["price"] == ["189,000원", "12,900원"] * 2


def test_two_authors_with_a_comma_between_them_are_a_list():
    link = '<a href="/author/{0}">{0}</a>'
    authors = [["Ann"], ["Tom", "Lena"], ["Okafor"], ["Ruth", "Karim"]]
    books = [f"<h3>Book {n}</h3><p>by {', '.join(map(link.format, each))}</p>" for n, each in enumerate(authors)]
    assert values(articles(*books))["author"] == ["Ann", "Tom, Lena", "Okafor", "Ruth, Karim"]


def test_the_lines_of_a_cell_are_one_value():
    rows = [
        ("Bike", "Hull<br>Avenues", "16 May<br>2026"),
        ("Sofa", "York<br>Acomb", "3 June<br>2026"),
        ("Lamp", "Ely", "9 July<br>2026"),
    ]
    body = "".join(f"<tr><td>{name}</td><td>{place}</td><td>{day}</td></tr>" for name, place, day in rows)
    page = f"<table><thead><tr><th>Ad</th><th>Town</th><th>Posted</th></tr></thead><tbody>{body}</tbody></table>"
    found = {field.name: field for field in wq.mine(Document(page, url=URL))[0].fields}
    assert found["Town"].values == ("Hull Avenues", "York Acomb", "Ely")
    assert found["Posted"].type == "date"


def test_prose_that_nothing_names_is_the_description_and_a_percentage_beside_prices_the_discount():
    about = ["Heats a litre in two minutes", "Lights a desk and half a room", "Holds soup for four hungry people"]
    cards = (f"<i>-{n}0 %</i><h3>Thing {n}</h3><p>{about[n - 1]}</p><b>{n}5,00 €</b>" for n in (1, 2, 3))
    found = values(articles(*cards))
    assert found["description"] == about
    assert found["discount"] == ["-10 %", "-20 %", "-30 %"]


def test_a_label_above_its_value_names_it():
    stat = "<div><small>{}</small><div>{}</div></div>"
    lots = [("Oak desk", "14", "2d 4h"), ("Brass lamps", "6", "5h 12m"), ("Runner rug", "31", "1d 20h")]
    found = values(
        articles(
            *(f"<h3>{name}</h3>{stat.format('Bids', bids)}{stat.format('Ends in', ends)}" for name, bids, ends in lots)
        )
    )
    assert found == {
        "title": ["Oak desk", "Brass lamps", "Runner rug"],
        "Bids": ["14", "6", "31"],
        "Ends in": ["2d 4h", "5h 12m", "1d 20h"],
    }


def test_links_to_parts_of_one_page_are_one_column(align):
    def card(name: str) -> str:
        return (
            f"<h3><a href='/{name}'>Hotel {name}</a></h3><a href='/{name}#reviews'>{len(name) * 31} reviews</a>"
            f"<a href='/by/{name}#/all'>By {name}</a>"
        )

    markup = "".join(f"<article>{card(name)}</article>" for name in ("aurora", "mill", "linde"))
    links = [field for field in align(markup).values() if field.type == "link"]
    assert [field.values[0] for field in links] == ["https://example.org/aurora", "https://example.org/by/aurora#/all"]


def test_times_in_hours_and_in_minutes_are_one_column(columns):
    times = ["2 h 30", "1 h 15", "40 min", "1 h", "25 min", "1 h", "40 min"]
    levels = ["Moyen", "Difficile", "Difficile", "Facile", "Moyen", "Moyen", "Moyen"]
    guests = ["8 pers.", "6 pers.", "4 pers.", None, "2 pers.", None, "4 pers."]
    found = columns(
        *(
            f"<h3><a href=/{n}>Plat {'ABCDEFG'[n]}</a></h3>{''.join(f'<p>{fact}</p>' for fact in facts if fact)}"
            for n, facts in enumerate(zip(times, levels, guests, strict=True))
        )
    )
    assert [times, levels, guests] == [found["text"], found["text_2"], found["pers."]]


def test_words_in_now_one_and_now_another_class_are_one_list():
    lists = [
        ["oak", "pine", "ash", "elm"],
        ["pine", "oak", "fir"],
        ["ash", "elm", "oak", "pine", "fir"],
        ["elm", "ash", "larch"],
        ["fir", "larch", "oak"],
        ["larch", "pine", "elm", "ash"],
    ]
    spans = [[f"<span class=c{place % 2}>{word}</span>" for place, word in enumerate(words)] for words in lists]
    found = values(articles(*(f"<h3>Board {number}</h3><p>{' '.join(each)}" for number, each in enumerate(spans))))
    assert [", ".join(words) for words in lists] in found.values()
