"""Which records the default miner finds on small pages, without a layout."""

from __future__ import annotations

import itertools

import pytest

from webquarry.mining.visual import mine_visual
from webquarry.model.document import Document
from webquarry.model.region import Region


def mine(markup: str) -> list[Region]:
    return mine_visual(Document(f"<!DOCTYPE html><title>Page</title><body>{markup}"))


def texts(region: Region) -> list[str]:
    return [" ".join(region.document.text(first, stop).split()) for first, stop in region.spans]


def cards(count: int, tag: str = "div") -> str:
    return "".join(
        f"<{tag}><h3><a href='/{n}'>Product number {n}</a></h3><p>A text about product {n}.</p><b>{n}.50</b></{tag}>"
        for n in range(1, count + 1)
    )


FOUND = [
    pytest.param(cards(3), 3, id="elements"),
    pytest.param(f"<div>{cards(3)}</div><div>{cards(3)}</div>", 6, id="elements of several parents"),
    pytest.param(f"<section>{cards(4, 'span')}</section>", 4, id="inline elements that hold several leaves"),
    pytest.param("<ul>" + "".join(f"<li>Name {n}" for n in range(5)) + "</ul>", 5, id="texts alone"),
    pytest.param("<table>" + "".join(f"<tr><td>a{n}<td>b{n}<td>c{n}" for n in range(5)) + "</table>", 5, id="rows"),
    pytest.param("".join(f"<h3>Question {n}</h3><p>Answer {n}</p>" for n in range(4)), 4, id="runs of siblings"),
    pytest.param("<dl>" + "".join(f"<dt>Term {n}<dd>One<dd>Two" for n in range(4)) + "</dl>", 4, id="terms"),
    pytest.param("".join(f"<b>Name {n}</b> said so<br>" for n in range(4)), 4, id="runs of texts"),
]


@pytest.mark.parametrize(("markup", "count"), FOUND)
def test_finds_records_that_are(markup, count):
    assert len(mine(markup)[0]) == count


@pytest.mark.parametrize("markup", ["", "<p>Hello", "plain text", "<img src=a.png>", "<script>x</script>"])
def test_finds_nothing_where_nothing_comes_again(markup):
    assert mine(markup) == []


def test_prefers_the_list_to_the_menu_above_it():
    menu = "".join(f"<li><a href='/m{n}'>A rather long menu entry number {n}</a>" for n in range(40))
    regions = mine(f"<nav><ul>{menu}</ul></nav>{cards(4)}")
    assert [(region.role, len(region)) for region in regions] == [("main", 4), ("menu", 40)]


def test_no_two_regions_share_a_part_of_the_page():
    regions = mine(f"<nav><ul><li><a>One</a><li><a>Two</a></ul></nav>{cards(6)}<footer><p>a<p>b<p>c</footer>")
    spans = sorted(span for region in regions for span in region.spans)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))


def test_leaves_out_an_advertisement_between_records():
    advertisement = "<div><i>Advertisement</i><em>Buy now!</em></div>"
    region = mine(cards(3) + advertisement + cards(3))[0]
    assert len(region) == 6
    assert not any("Advertisement" in text for text in texts(region))


def test_leaves_out_an_advertisement_that_is_dressed_as_a_record():
    item = "<article class=card><h3>Lamp {}</h3><p>A text about it.</p><b>{}.50</b></article>"
    dressed = "<div class='card large'><span>Anzeige</span><p>Nothing but this lamp, ever again, for you.</p></div>"
    items = [item.format(n, n) for n in range(6)]
    region = mine("<div>" + "".join([*items[:3], dressed, *items[3:]]) + "</div>")[0]
    assert [text[:6] for text in texts(region)] == [f"Lamp {n}" for n in range(6)]


def test_keeps_records_that_lack_a_part():
    lacking = "<div><h3><a href='/x'>Product x</a></h3><b>9.50</b></div>"
    assert len(mine(cards(3) + lacking + cards(2))[0]) == 6


def test_takes_siblings_of_another_type_that_the_page_calls_records_too():
    item = "<div class='hit {}'>{}</div>"
    page = "".join(
        item.format("page", f"<h3>Title {n}</h3><p>Words about {n}</p><cite>site{n}</cite>") for n in range(5)
    )
    video = item.format("video", "<img src=v.png><div><b>A film</b><span>3:20</span></div>")
    assert len(mine(page + video + page)[0]) == 11


def test_a_reply_is_a_record_beside_the_post_that_it_answers():
    reply = "<li class=post><b>Bo</b><p>I think not.</p></li>"
    post = f"<li class=post><b>Ann</b><p>It works, I think.</p><ul>{reply}{reply}</ul></li>"
    region = mine(f"<ul>{post}{post}</ul>")[0]
    assert texts(region)[:2] == ["Ann It works, I think.", "Bo I think not."]
    assert len(region) == 6


def test_the_cells_of_a_grid_are_the_records_not_its_rows():
    row = (
        "<tr>"
        + "".join(f"<td><img src={n}.png width=90 height=90><p>Lamp</p><b>{n}</b></td>" for n in range(4))
        + "</tr>"
    )
    assert len(mine(f"<table>{row * 3}</table>")[0]) == 12


def test_hidden_templates_are_no_records():
    template = "<div style='display: none'><h3><a>Title</a></h3><p>Text</p><b>0</b></div>"
    assert len(mine(template + cards(3))[0]) == 3


def test_paragraphs_of_an_article_come_after_a_list_of_records():
    prose = "".join(f"<p>{'A long sentence that goes on and on. ' * 8}{n}</p>" for n in range(6))
    assert texts(mine(f"<article>{prose}</article><section>{cards(4)}</section>")[0])[0].startswith("Product")


def test_paragraphs_are_prose_whatever_links_and_marks_are_in_them():
    words = "A sentence with <a href='/x'>a link</a> and <code>some code</code> in it. " * 3
    prose = "".join(f"<p>{words}{n}</p>" for n in range(6))
    assert texts(mine(f"<article>{prose}</article><section>{cards(4)}</section>")[0])[0].startswith("Product")


def test_the_foot_of_a_card_is_no_footer_of_the_page():
    card = (
        "<div class=card><b>{}</b><div class=card-footer><a>{}</a><p>A text at the foot of this card.</p></div></div>"
    )
    region = mine("<div>" + "".join(card.format(n, n) for n in range(5)) + "</div>")[0]
    assert (region.role, len(region)) == ("main", 5)


def test_a_large_stranger_does_not_speak_for_a_group_that_it_is_not_in():
    stranger = "".join(f"<{tag}>{tag} {'word ' * 40}</{tag}>" for tag in "h2 pre blockquote address h4 code".split())
    boxes = "".join(f"<div><i>Box {n}</i><b>and what it says</b></div>" for n in range(6))
    region = mine(f"<main>{cards(5, 'article')}</main><section>{boxes}<div>{stranger}</div></section>")[0]
    assert texts(region)[0].startswith("Product")


def test_one_record_alone_is_the_block_that_dominates_the_page():
    page = f"<header><a>Home</a></header><main><h1>Results</h1><div id=hit>{cards(1)}</div><p>That is all.</p></main>"
    regions = mine(page)
    assert [len(region) for region in regions] == [1]
    assert texts(regions[0]) == ["Product number 1 A text about product 1. 1.50"]


def test_says_why_a_region_was_chosen():
    region = mine(cards(4))[0]
    assert region.reasons[0] == "4 records with 100% of the page's text"
    assert 0 < region.score <= 1
    assert region.document.tag(region.node) == "body"


def test_an_item_alone_in_its_list_is_the_record_of_a_page_without_a_better_list():
    card = "<ul><li><h3><a href='/k'>Kettle</a></h3><p>38.50</p></li></ul>"
    notes = "<p>We answer letters on Thursdays, and the telephone when the kiln is off.</p><h2>Write to us</h2>"
    (first, *_) = mine(f"<main><h1>Enamel</h1><form>Sort by <b>price</b> or <i>name</i></form>{card}{notes}</main>")
    assert (texts(first), first.reasons[1]) == (["Kettle 38.50"], "1 record alone in its list")


def test_a_row_of_headings_above_rows_is_no_record():
    rows = "".join(f"<div class=tr><div><a href='/{n}'>Boat {n}</a></div><div>{n} m</div></div>" for n in range(3, 9))
    (first, *_) = mine(f"<div class='tr head'><div>Name</div><div>Length</div></div>{rows}")
    assert texts(first)[0] == "Boat 3 3 m"


def test_records_that_lead_somewhere_come_before_those_that_do_not():
    notes = "".join(
        f"<section><h4>Note {n}</h4><p>{'A few words on it. ' * 4}</p><i>{n}</i></section>" for n in range(9)
    )
    (first, *_) = mine(f"<div>{notes}</div><div>{cards(8)}</div>")
    assert texts(first)[0].startswith("Product number 1")


def test_lines_of_a_card_that_look_alike_are_not_records():
    events = "".join(
        f"<div><a href='/{n}'><h3>Event {n}</h3><div><p><img src=day.png><b>{n} May</b></p>"
        f"<p><img src=pin.png><b>A place in town {n}</b></p></div></a></div>"
        for n in range(1, 7)
    )
    (first, *_) = mine(f"<div>{events}</div>")
    assert texts(first)[0] == "Event 1 1 May A place in town 1"


def test_links_that_fill_the_page_are_its_records():
    links = "".join(f"<li><a href=/lamp-{n}>Lamp with the number {n}</a></li>" for n in range(1, 9))
    page = f"<nav><a href=/>Home</a> <a href=/all>All</a></nav><main><h1>Our lamps</h1><ul>{links}</ul></main>"
    best = mine_visual(Document(page))[0]
    assert [record.text for record in best.records] == [f"Lamp with the number {n}" for n in range(1, 9)]


def test_people_listed_in_each_record_are_not_the_records():
    people = ["Ines Holt", "Rahul Sen", "Mia Castel", "Otto Brandt"]
    film = (
        "<div class=film><a href='/film/{0}'><img src='{0}.jpg'></a><h2><a href='/film/{0}'>Film {0}</a></h2>"
        "<time>2024-03-0{0}</time><p>About {0} keepers of a lighthouse</p><ul>{1}</ul></div>"
    )
    actor = "<li><a href='/person/{0}-{1}'><img src='{1}.jpg'><b>{1}</b></a><i>as {1} Jr. in {0}</i></li>"
    films = "".join(film.format(n, "".join(actor.format(n, name) for name in people)) for n in range(1, 6))
    assert len(mine_visual(Document(f"<main>{films}</main>"))[0]) == 5


def test_things_of_another_kind_in_a_section_of_their_own_are_not_among_the_records():
    def card(kind: str, name: str, *facts: str) -> str:
        said = "".join(f"<p class='{kind}-fact'>{fact}</p>" for fact in facts)
        return (
            f"<article class='{kind}'><h3 class='{kind}-name'><a href='/{kind}/{name}'>{name}</a></h3>{said}</article>"
        )

    films = "".join(card("film", f"Film {n}", f"{n} hours", "A drama by the sea") for n in range(6))
    people = "".join(card("person", f"Actor {n}", f"born 195{n}", "of stage and screen") for n in range(4))
    page = f"<section><h2>Films</h2>{films}</section><section><h2>People</h2>{people}</section>"
    regions = mine_visual(Document(page))
    assert [len(region) for region in regions[:2]] == [6, 4]
