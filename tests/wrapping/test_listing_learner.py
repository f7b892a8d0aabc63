from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from webquarry.errors import InputError
from webquarry.mining.visual import mine_visual
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction
from webquarry.model.page import Page
from webquarry.model.region import Region
from webquarry.model.table_columns import Field
from webquarry.model.wrapper import Source, Wrapper
from webquarry.pipeline import render_pages
from webquarry.values.text_value import Value
from webquarry.wrapping.field_signatures import MAX_STEPS, read_signature
from webquarry.wrapping.listing_learner import check_listing, learn_listing
from webquarry.wrapping.listing_reader import read_listing

ADDRESS = "https://shop.example/list/1.html"
GOODS = [
    ("Brill Kettle", "12.50 EUR", "Holds a litre and whistles when it boils."),
    ("Orrin Lamp", "99.00 EUR", "A lamp for the desk with a brass foot."),
    ("Dunnock Saw", "31.00 EUR", "Cuts oak and pine, half a metre long."),
    ("Carrow Clock", "48.00 EUR", "Runs eight days and strikes the hour."),
    ("Maren Jug", "17.25 EUR", "Stoneware, glazed blue, for two pints."),
]
MORE = [
    ("Pell Level", "22.00 EUR", "Three bubbles, aluminium, very straight."),
    ("Old Mill Lantern", "64.90 EUR", "For storms; burns paraffin all night."),
    ("Tressel Clamp", "8.75 EUR", "Holds what you glue until it is dry."),
]


def page(body: str, address: str = ADDRESS) -> Document:
    return Document(f"<!DOCTYPE html><html lang=en><body>{body}</body></html>", url=address)


def mined(document: Document) -> Region:
    return mine_visual(document)[0]


def learn(*documents: Document) -> Wrapper:
    return learn_listing([mined(document) for document in documents], Source("shop"))


def records(extraction: Extraction) -> list[dict[str, str]]:
    return extraction.record.get("records", [])


def card(title: str, price: str, text: str, classes: str = "card", inside: str = "") -> str:
    return (
        f'<li class="{classes}"><h3><a href="/goods/{title[:3]}.html">{title}</a></h3>'
        f'<span class="price">{price}</span>{inside}<p class="about">{text}</p></li>'
    )


def cards(goods: list[tuple[str, str, str]], **more: str) -> str:
    return f'<ul class="goods">{"".join(card(*each, **more) for each in goods)}</ul>'


WRAPPER = learn(page(cards(GOODS)))


def listed(*records: str) -> Document:
    return page("<ul class=goods>" + "".join(f"<li>{each}</li>" for each in records) + "</ul>")


def highlight(text: str) -> str:
    """The text as a search for some words shows it."""
    found = ("a", "and", "for", "the", "Brill", "Carrow", "Jug", "Mill")
    return " ".join(f"<em>{word}</em>" if word in found else word for word in text.split())


TEMPLATES = {
    "cards": (page(cards(GOODS)), page(cards(MORE))),
    "texts with highlights before a block": (
        listed(*(f"<h3>{t}</h3><div>{highlight(a)}<p>{p}</p></div>" for t, p, a in GOODS)),
        listed(*(f"<h3>{t}</h3><div>{highlight(a)}<p>{p}</p></div>" for t, p, a in MORE)),
    ),
    "separators on a line": (
        listed(*(f"<h3>{t}</h3><p><span>{a.split()[0]},</span> <em>{p}</em></p>" for t, p, a in GOODS)),
        listed(*(f"<h3>{t}</h3><p><span>{a.split()[0]},</span> <em>{p}</em></p>" for t, p, a in MORE)),
    ),
    "an optional one before one that is always there": (
        listed(
            *(
                f"<h3>{t}</h3><div>{f'<i>{number} left in stock</i>' if number % 2 else ''}<i>{p}</i></div><p>{a}</p>"
                for number, (t, p, a) in enumerate(GOODS)
            )
        ),
        listed(
            *(
                f"<h3>{t}</h3><div>{f'<i>{number} left in stock</i>' if number % 2 else ''}<i>{p}</i></div><p>{a}</p>"
                for number, (t, p, a) in enumerate([*MORE, *GOODS])
            )
        ),
    ),
    "amounts and words in one place": (
        listed(
            *(
                f"<h3>{t}</h3><span class='tag {tag}'>{text}</span><p>{a}</p>"
                for (t, _, a), (tag, text) in zip(
                    GOODS,
                    [("", "-19 %"), ("new", "Fresh"), ("", "-5 %"), ("best", "Handmade"), ("", "-8 %")],
                    strict=True,
                )
            )
        ),
        None,
    ),
    "links that only some records have apart": (
        listed(
            *(
                f"<a href='/{'sale' if number == 2 else t[:3]}'><img src='{t[:3]}.png'></a>"
                f"<h3><a href='/{t[:3]}'>{t}</a></h3><p>{a}</p>"
                for number, (t, _, a) in enumerate(GOODS)
            )
        ),
        None,
    ),
}
"""A sample, and another page, or None for the sample itself."""


@pytest.mark.parametrize("name", TEMPLATES)
def test_reads_pages_as_they_would_be_mined(name: str):
    sample, other = TEMPLATES[name]
    wrapper = learn(sample)
    region = mined(other or sample)
    assert records(read_listing(wrapper, other or sample)) == [record.values for record in region.records]


def test_values_are_typed_and_have_their_nodes():
    other = page(cards(MORE))
    extraction = read_listing(learn(page(cards(GOODS))), other)
    prices = [value for value in extraction.values if value.text == "8.75 EUR"]
    assert [(each.path, each.typed) for each in prices] == [(("records", 2, "price"), Value(8.75, "EUR"))]
    assert other.node(prices[0].node) is not None
    assert other.text(other.node(prices[0].node) or 0) == "8.75 EUR"


def test_a_field_takes_its_place_although_another_is_missing():
    sale = '<s class="price">99.90 EUR</s>'
    sample = page(
        '<ul class="goods">'
        + "".join(card(*each, inside=sale if number % 2 else "") for number, each in enumerate(GOODS))
        + "</ul>"
    )
    names = {field.name for field in mined(sample).fields}
    first, second = GOODS[0], GOODS[1]
    found = records(
        read_listing(learn(sample), page(f"<ul class=goods>{card(*first)}{card(*second, inside=sale)}</ul>"))
    )
    extra = found[1].keys() - found[0].keys()
    assert [found[1][name] for name in extra] == ["99.90 EUR"]
    assert extra < names
    assert [each["about"] for each in found] == [first[2], second[2]]


def test_finds_the_region_where_other_things_stand_before_it():
    wrapper = learn(page(cards(GOODS)))
    banner = "<div><ul class=menu><li><a href=/a>All</a><li><a href=/b>New</a></ul></div><div><p>Spring sale</div>"
    assert [each["title"] for each in records(read_listing(wrapper, page(banner + cards(MORE))))] == [
        each[0] for each in MORE
    ]


def test_finds_the_region_in_another_frame():
    wrapper = learn(page(f"<div class=wide><main>{cards(GOODS)}</main></div>"))
    assert len(records(read_listing(wrapper, page(f"<section class=slim>{cards(MORE)}</section>")))) == len(MORE)


def test_names_that_no_signature_can_hold_are_left_out():
    def odd(goods: list[tuple[str, str, str]]) -> Document:
        return page(f'<div id="a:b/c" class="md:w-1/2 [x]">{cards(goods)}</div>')

    wrapper = learn(odd(GOODS))
    assert wrapper.listing is not None
    assert wrapper.listing.region == "body > div > ul.goods"
    assert len(records(read_listing(wrapper, odd(MORE)))) == len(MORE)


def test_class_names_that_differ_between_records_are_not_needed():
    def striped(goods: list[tuple[str, str, str]], names: list[str]) -> Document:
        return page(
            "<ul class=goods>"
            + "".join(card(*each, classes=names[number % len(names)]) for number, each in enumerate(goods))
            + "</ul>"
        )

    wrapper = learn(striped(GOODS, ["card odd", "card even"]))
    assert len(records(read_listing(wrapper, striped(MORE, ["card first", "card x9", "card last"])))) == len(MORE)


def test_class_names_that_differ_between_samples_are_not_needed():
    wrapper = learn(page(cards(GOODS, classes="card x17a")), page(cards(MORE, classes="card y28b")))
    assert "x17a" not in str(wrapper) + "y28b"
    assert len(records(read_listing(wrapper, page(cards(GOODS, classes="card z99"))))) == len(GOODS)


def test_records_may_be_several_siblings():
    def runs(goods: list[tuple[str, str, str]]) -> Document:
        parts = (f"<h3><a href=/{t[:3]}>{t}</a></h3><p class=price>{p}</p><p class=about>{a}</p>" for t, p, a in goods)
        return page(f"<div class=goods>{''.join(parts)}</div><div>Page 1 of 2</div>")

    wrapper = learn(runs(GOODS))
    assert wrapper.listing is not None
    assert wrapper.listing.span == 3
    other = runs(MORE)
    assert records(read_listing(wrapper, other)) == [record.values for record in mined(other).records]


def test_records_of_siblings_end_where_the_next_begins():
    def runs(goods: list[tuple[str, str, str]]) -> Document:
        parts = (
            f"<h3>{t}</h3><p class=about>{a}</p>" + (f"<p class=price>{p}</p>" if number % 2 else "")
            for number, (t, p, a) in enumerate(goods)
        )
        return page(f"<div class=goods>{''.join(parts)}</div>")

    extraction = read_listing(learn(runs(GOODS)), runs(MORE))
    assert [each["title"] for each in records(extraction)] == [each[0] for each in MORE]
    assert [MORE[1][1] in each.values() for each in records(extraction)] == [False, True, False]


def test_records_may_stand_in_several_rows():
    def grid(goods: list[tuple[str, str, str]]) -> Document:
        shown = [card(*each).replace("<li", "<div").replace("</li", "</div") for each in goods]
        rows = ("".join(shown[start : start + 2]) for start in range(0, len(shown), 2))
        return page("<div class=goods>" + "".join(f"<div class=row>{row}</div>" for row in rows) + "</div>")

    wrapper = learn(grid(GOODS + MORE[:1]))
    found = records(read_listing(wrapper, grid(MORE + GOODS[:3])))
    assert [each["title"] for each in found] == [each[0] for each in MORE + GOODS[:3]]


def test_cells_are_told_by_their_columns():
    def rows(goods: list[tuple[str, str, str]]) -> Document:
        inner = "".join(f"<tr><td>{t}</td><td>{a}</td><td>{p}</td></tr>" for t, p, a in goods)
        return page(f"<table>{inner}</table>")

    sample, other = rows(GOODS), rows([(MORE[0][0], MORE[0][1], ""), *MORE[1:]])
    found = records(read_listing(learn(sample), other))
    names = [field.name for field in sorted(mined(sample).fields, key=lambda field: field.nodes)]
    assert [each.get(names[2]) for each in found] == [each[1] for each in MORE]
    assert names[1] not in found[0]


def test_labels_tell_values_that_stand_in_any_order():
    def details(*pairs: tuple[str, str]) -> str:
        return "<dl>" + "".join(f"<dt>{label}</dt><dd>{value}</dd>" for label, value in pairs) + "</dl>"

    facts = [
        details(("Weight", f"{number}00 g"), ("Colour", colour), ("Made in", place))
        for number, (colour, place) in enumerate(
            [("blue", "Norwich"), ("red", "Leeds"), ("green", "Oban"), ("grey", "Truro"), ("black", "Ely")], start=1
        )
    ]
    facts[1] = details(("Colour", "red"), ("Weight", "200 g"))
    facts[3] = details(("Made in", "Truro"), ("Weight", "400 g"))
    sample = page(
        "<ul>"
        + "".join(f"<li><h3>{t}</h3>{inner}</li>" for (t, _, _), inner in zip(GOODS, facts, strict=True))
        + "</ul>"
    )
    wrapper = learn(sample)
    other = page(
        f"<ul><li><h3>Pell Level</h3>{details(('Made in', 'York'), ('Colour', 'white'))}</li>"
        f"<li><h3>Clamp</h3>{details(('Weight', '90 g'))}</li></ul>"
    )
    found = records(read_listing(wrapper, other))
    assert found[0]["Made in"] == "York"
    assert found[0]["Colour"] == "white"
    assert "Weight" not in found[0]
    assert found[1]["Weight"] == "90 g"


def test_what_several_texts_say_is_a_list():
    def tagged(goods: list[tuple[str, str, str]], tags: list[list[str]]) -> Document:
        return page(
            "<ul class=goods>"
            + "".join(
                card(
                    *each,
                    inside="<div class=tags>" + " ".join(f"<a href=/t/{tag}>{tag}</a>" for tag in here) + "</div>",
                )
                for each, here in zip(goods, tags, strict=True)
            )
            + "</ul>"
        )

    sample = tagged(
        GOODS, [["tin", "new", "hot"], ["brass"], ["steel", "oak", "long", "old"], ["oak", "old"], ["blue"]]
    )
    other = tagged(MORE, [["light", "blue", "long", "new", "thin"], ["old"], []])
    extraction = read_listing(learn(sample), other)
    lists = [(value.text, value.typed) for value in extraction.values if isinstance(value.typed, tuple)]
    assert lists == [
        ("light, blue, long, new, thin", ("light", "blue", "long", "new", "thin")),
        ("old", ("old",)),
    ]


def test_addresses_are_absolute_and_images_may_be_loaded_late():
    def pictured(goods: list[tuple[str, str, str]], folder: str) -> Document:
        body = cards(goods)
        for title, _, _ in goods:
            body = body.replace(
                f'<h3><a href="/goods/{title[:3]}.html">',
                f'<img src="data:," data-src="img/{title[:3]}.png"><h3><a href="/goods/{title[:3]}.html">',
            )
        return page(body, f"https://shop.example/{folder}/")

    found = records(read_listing(learn(pictured(GOODS, "a")), pictured(MORE, "b")))
    assert found[0]["link"] == "https://shop.example/goods/Pel.html"
    assert found[0]["image"] == "https://shop.example/b/img/Pel.png"


def test_a_title_that_is_not_a_link_on_another_page_is_read():
    sample = page(cards(GOODS))
    plain = card("Orrin Chandelier", "1310.00 EUR", "Made to order, with twelve arms.").replace(
        '<a href="/goods/Orr.html">Orrin Chandelier</a>', "Orrin Chandelier"
    )
    found = records(read_listing(learn(sample), page(f"<ul class=goods>{plain}{card(*MORE[0])}</ul>")))
    assert [each["title"] for each in found] == ["Orrin Chandelier", "Pell Level"]


def test_a_page_without_the_listing_misses_its_records():
    extraction = read_listing(learn(page(cards(GOODS))), page("<p>There is nothing here any more.</p>"))
    assert extraction.values == ()
    assert extraction.missing == ("records",)


def test_a_field_that_no_record_has_any_more_is_missing():
    changed = cards(MORE).replace('class="price"', 'class="cost"')
    extraction = read_listing(learn(page(cards(GOODS))), page(changed))
    assert extraction.missing == ("price",)
    assert read_listing(learn(page(cards(GOODS))), page(cards(MORE))).missing == ()


def test_a_field_that_a_sample_lacks_may_be_missing():
    rated = page(cards(GOODS, inside="<em class=stars>4 of 5</em>"))
    wrapper = learn(rated, page(cards(MORE)))
    assert wrapper.listing is not None
    assert [field.name for field in wrapper.listing.fields if field.is_optional] == ["rating"]
    assert read_listing(wrapper, page(cards(MORE))).missing == ()


def test_columns_of_samples_go_together_by_where_they_stand():
    first, second = mined(page(cards(GOODS))), mined(page(cards(MORE)))
    renamed = Region(
        **{
            **vars(second),
            "fields": tuple(
                Field("cost" if each.name == "price" else each.name, each.type, each.values, each.nodes, each.typed)
                for each in second.fields
            ),
        }
    )
    wrapper = learn_listing([first, renamed], Source("shop"))
    assert wrapper.listing is not None
    assert [field.name for field in wrapper.listing.fields] == [field.name for field in first.fields]
    assert check_listing(wrapper, [first, renamed]).cells == 1


def test_a_list_of_the_same_tags_elsewhere_is_not_part_of_the_listing():
    def plain(goods: list[tuple[str, str, str]]) -> Document:
        rows = "".join(f"<div><b>{t}</b><i>{p}</i><p>{a}</p></div>" for t, p, a in goods)
        news = "".join(f"<div><b>News {number}</b></div>" for number in range(2))
        return page(f"<div><section>{rows}</section></div><div><section>{news}</section></div>")

    sample = plain(GOODS)
    assert len(mined(sample)) == len(GOODS)
    wrapper = learn(sample)
    assert check_listing(wrapper, [mined(sample)]).records == 1
    assert len(records(read_listing(wrapper, plain(MORE)))) == len(MORE)


def test_refuses_records_that_nothing_tells_from_others():
    document = page("<ul>" + "".join(f"<li>Entry {number}</li>" for number in range(12)) + "</ul>")
    items = [node for node in range(len(document)) if document.tag(node) == "li"]
    chosen = [items[1], items[6]]
    region = Region(
        document=document,
        node=items[0] - 1,
        spans=tuple((node, int(document.ends[node])) for node in chosen),
        fields=(Field("text", "text", ("Entry 1", "Entry 6"), tuple(node + 1 for node in chosen)),),
        kind="records",
        method="visual",
        role="main",
        score=1.0,
    )
    with pytest.raises(InputError, match="17% of the records"):
        learn_listing([region], Source("shop"))


def test_a_wrapper_learnt_after_scripts_ran_is_tried_on_the_page_before():
    plain = page(cards(GOODS))
    shown = Document(plain.markup.replace("<body>", "<body><p>Welcome back!</p>"), url=ADDRESS, kind="scripts")
    wrapper = learn_listing([mined(shown)], Source("shop"), statics=[plain])
    assert not wrapper.source.render
    assert check_listing(wrapper, [mined(shown)], [plain]).cells == 1
    assert len(records(read_listing(wrapper, plain))) == len(GOODS)


@pytest.mark.parametrize("plain", [None, page("<div id=app>Loading</div>")])
def test_records_that_scripts_make_need_a_browser(plain: Document | None):
    shown = Document(page(cards(GOODS)).markup, url=ADDRESS, kind="scripts")
    wrapper = learn_listing([mined(shown)], Source("shop"), statics=[plain])
    assert wrapper.source.render
    assert check_listing(wrapper, [mined(shown)], [plain]).records == 1


def test_a_class_name_that_few_values_have_by_chance_takes_no_others():
    def noted(goods: list[tuple[str, str, str]], classes: str, notes: dict[int, str]) -> Document:
        inner = (
            f"<li><h3>{t}</h3><div class='{classes}'><span>{a}</span>"
            + (f"<span>{notes[number]}</span>" if number in notes else "")
            + f"</div><b>{p}</b></li>"
            for number, (t, p, a) in enumerate(goods)
        )
        return page(f"<ul>{''.join(inner)}</ul>")

    first = noted(GOODS, "text wide", {1: "Only two left", 3: "Back in May"})
    second = noted(MORE, "text", {})
    wrapper = learn(first, second)
    assert check_listing(wrapper, [mined(first), mined(second)]).cells == 1
    found = records(read_listing(wrapper, first))
    assert [len(each) for each in found] == [3, 4, 3, 4, 3]


@given(st.text(alphabet="<>/=\"' abdhilprtu3.-\n", max_size=300))
def test_any_page_can_be_read(markup: str):
    extraction = read_listing(WRAPPER, Document(markup))
    assert all(Document(markup).node(value.node) is not None for value in extraction.values)


@pytest.mark.parametrize("signature", ["", ".", "..", "> ,", "li >", "nothing.here", "text()", "run()", "ul > run()"])
def test_any_signature_can_be_looked_for(signature: str):
    rule = WRAPPER.listing
    assert rule is not None
    fields = tuple(replace(field, signature=signature) for field in rule.fields)
    for changed in (
        replace(rule, fields=fields),
        replace(rule, record=signature),
        replace(rule, region=signature),
        replace(rule, span=0),
    ):
        read_listing(replace(WRAPPER, listing=changed), page(cards(GOODS)))


def test_refuses_to_learn_from_nothing():
    with pytest.raises(InputError, match="no sample page has records"):
        learn_listing([], Source("shop"))


def test_says_how_far_it_agrees_with_what_was_mined():
    document = page(cards(GOODS))
    region = mined(document)
    titles = next(each for each in region.fields if each.name == "title")
    invented = Field("title", "text", ("Something else", *titles.values[1:]), titles.nodes)
    fields = tuple(invented if each is titles else each for each in region.fields)
    changed = Region(**{**vars(region), "fields": fields})
    agreement = check_listing(learn_listing([changed], Source("shop")), [changed])
    assert agreement.records == 1
    assert agreement.cells == pytest.approx(1 - 1 / (len(GOODS) * len(fields)))
    assert str(agreement) == "100% of the records and 95% of the values are as mined"


STYLE = "<style>.note { display: none } .gone { display: none }</style>"


def rendered(body: str, browser: str) -> Document:
    markup = f"<!DOCTYPE html><html lang=en><body>{STYLE}{body}</body></html>"
    return render_pages.render(Page(url=ADDRESS, body=markup.encode()), browser=browser, offline=True)


def test_what_style_sheets_hide_in_records_is_not_read(browser: str):
    def sponsored(goods: list[tuple[str, str, str]]) -> str:
        marked = [(f"{highlight(t)} <b class='note'>Sponsored</b>", p, a) for t, p, a in goods]
        return cards(marked)

    wrapper = learn_listing([mined(rendered(sponsored(GOODS), browser))], Source("shop"))
    assert not wrapper.source.render
    found = records(read_listing(wrapper, page(sponsored(MORE))))
    assert [each["title"] for each in found] == [each[0] for each in MORE]


def test_asks_for_a_browser_where_only_that_tells_which_records_are_shown(browser: str):
    inner = "".join(card(*each, classes="card") for each in GOODS)
    gone = "".join(
        f'<li class="card gone"><h3><a href="/g/{number}">Gone {number}</a></h3><span class="price">{number}.00 EUR'
        f'</span><p class="about">Sold out long ago.</p></li>'
        for number in range(1, 3)
    )
    region = mined(rendered(f'<ul class="goods">{inner}{gone}</ul>', browser))
    assert len(region) == len(GOODS)
    wrapper = learn_listing([region], Source("shop"))
    assert wrapper.source.render
    assert check_listing(wrapper, [region]).records == 1
    assert len(records(read_listing(wrapper, region.document))) == len(GOODS)


def test_a_list_inside_hundreds_of_elements_is_learned_by_the_innermost_of_them():
    deep = page("<div>" * 200 + cards(GOODS))
    wrapper = learn(deep)
    assert wrapper.listing is not None
    assert len(read_signature(wrapper.listing.region)[0]) == MAX_STEPS
    assert len(records(read_listing(wrapper, deep))) == len(GOODS)
