from __future__ import annotations

import pytest

from webquarry.html.columns import Kind
from webquarry.rendering import visible_nodes

SEEN = [
    "<p id=x>Text",
    "<span id=x>Text</span>",
    "<div id=x style='height:0'><p style='margin:0'>Overflows</div>",
    "<div id=x style='visibility:hidden'><b style='visibility:visible'>Text</b></div>",
    "<div id=x style='display:contents'>Text</div>",
    "<div id=x style='width:5px;height:5px'></div>",
    "<p>One<br id=x>two",
    "<div style='overflow:auto;height:20px'><p style='height:500px'></p><p id=x>Scrolls",
    "<div style='overflow:hidden;height:1px'></div><p id=x>After",
    "<div style='overflow:hidden;height:50px'><p id=x style='position:absolute;top:500px'>Placed elsewhere",
    "<body style='overflow:hidden;height:100px'><p style='height:2000px'></p><p id=x>Below",
    "<p id=x style='position:absolute;top:5000px'>Far down",
]
UNSEEN = [
    "<p id=x style='display:none'>Text",
    "<p id=x hidden>Text",
    "<p id=x style='visibility:hidden'>Text",
    "<p id=x style='opacity:0'>Text",
    "<div style='opacity:0'><p><b id=x>Text</b></div>",
    "<p id=x style='position:absolute;left:-9999px'>Text",
    "<a style='display:block;text-indent:-9999px'><b id=x>Text</b></a>",
    "<span style='position:absolute;width:1px;height:1px;overflow:hidden'><b id=x>For screen readers</b></span>",
    "<p style='position:absolute;clip:rect(1px,1px,1px,1px)'><b id=x>For screen readers</b>",
    "<p style='position:absolute;clip-path:inset(50%)'><b id=x>For screen readers</b>",
    "<p class='price screen-reader-text'><b id=x>For screen readers, without its style sheet</b>",
    "<div style='overflow:hidden;max-height:0'><p id=x>Folded</div>",
    "<div style='overflow:hidden;height:50px;position:relative'><p style='height:500px'></p><p id=x>Cut off",
    "<details><summary>s</summary><p id=x>Folded</details>",
    "<template><p id=x>Text</template>",
    "<style>.c{display:none}</style><p id=x class=c>Hidden by a class",
    "<select><option>One<option id=x>Two</select>",
]


@pytest.mark.parametrize(("markup", "expected"), [(page, True) for page in SEEN] + [(page, False) for page in UNSEEN])
def test_tells_what_a_person_sees(render, markup, expected):
    document = render(f"<!DOCTYPE html>{markup}")
    (node,) = (node for node, given in enumerate(document.attributes) if given.get("id") == "x")
    assert document.layout.visible[node] == expected
    assert document.hidden[node] != expected


@pytest.mark.parametrize("veil", ["opacity:0", "visibility:hidden"])
def test_a_page_that_waits_for_scripts_to_appear_is_seen(render, veil):
    words = [f"word{number}" for number in range(12)]
    page = f"<p>Loading<div style='{veil}'><p>{'<p>'.join(words)}<p hidden>No</div>"
    assert render(f"<!DOCTYPE html>{page}").text().split() == ["Loading", *words]


WORDS = "<div>Other words</div>" * 14
CARD = "<h3>Oak shelf</h3><p>Solid, oiled, 90 cm</p><b>49.00</b>"
REVEALED = {
    "cards that appear when scrolled to": f"<div style='opacity:0;transform:translateY(40px)'>{CARD}</div>" * 3,
    "hidden cards": f"<div style='visibility:hidden'>{CARD}</div>" * 3,
    "a card of which every piece appears": "<div><h3 style='opacity:0'>Oak</h3><p style='opacity:0'>90 cm</p></div>",
    "a price": "<div style='visibility:hidden'><span>CAD 263.59</span> <del>CAD 277.48</del></div>",
    "a heading": "<h2 style='opacity:0'><a href=x>Shelves</a></h2>",
    "a card as one link": "<a href=x style='display:block;opacity:0'><div>Oak shelf</div><div>49.00</div></a>",
    "a card with a label placed on it": "<div style='opacity:0;position:relative'>"
    f"<i style='position:absolute;top:0;right:0'>New</i>{CARD}</div>",
    "the page in a layer of its own": f"<div style='position:fixed;opacity:0'>{CARD * 8}</div>",
}
KEPT = {
    "a menu over the page": "<ul style='opacity:0;position:absolute'>" + "<li>entry" * 12 + "</ul>",
    "a part of a dialog": f"<div style='position:fixed;top:0'><div style='opacity:0'>{CARD}</div></div>",
    "a menu of links": "<ul style='visibility:hidden'>" + "<li><a href=x>entry</a>" * 12 + "</ul>",
    "a button for the pointer": "<div style='opacity:0'><a href=x>Add to cart</a> <button>Compare</button></div>",
    "a badge that this record lacks": "<p style='visibility:hidden'>Sale</p>",
    "a drawer without height": f"<div style='visibility:hidden;height:0'>{CARD}</div>",
    "a slide behind the one that is seen": f"<div style='height:200px'>Front<br>Front<br>Front</div>"
    f"<div style='opacity:0;position:relative;top:-200px'>{CARD}</div>",
    "a menu in a card that appears": f"<div style='opacity:0'>{CARD}"
    "<ul style='position:absolute;opacity:0'><li>entry<li>entry</ul></div>",
}


@pytest.mark.parametrize("block", REVEALED.values(), ids=REVEALED)
def test_what_waits_for_a_script_in_its_place_is_seen(render, block):
    document = render(f"<!DOCTYPE html>{WORDS}{block}")
    everything = [text for text, kind in zip(document.texts, document.kinds, strict=True) if kind == Kind.TEXT]
    assert document.text().split() == " ".join(everything).split()


@pytest.mark.parametrize("block", KEPT.values(), ids=KEPT)
def test_what_a_person_has_to_open_is_not_seen(render, block):
    seen = render(f"<!DOCTYPE html>{WORDS}{block}").text()
    assert [word for word in ("entry", "cart", "Compare", "Sale") if word in seen] == []
    assert ("Oak" in seen) == ("card that appears" in block or "<ul style='position" in block)


LATE = "<img style='opacity:0;display:block;width:90px;height:90px' alt=x id=late src='data:,'>"
IMAGES = {
    f"<div>{LATE}</div>": True,
    f"<div style='position:relative;height:90px'>{LATE.replace('opacity', 'position:absolute;opacity')}</div>": True,
    f"<div style='position:relative'><img style='display:block;width:90px;height:90px' alt=y src='data:,'>"
    f"{LATE.replace('opacity', 'position:absolute;left:0;top:0;opacity')}</div>": False,
    f"<div style='opacity:0'>{LATE}</div>": False,
}


@pytest.mark.parametrize(("block", "expected"), IMAGES.items())
def test_an_image_that_is_transparent_until_it_has_loaded_is_seen(render, block, expected):
    document = render(f"<!DOCTYPE html><p>Words{block}")
    (node,) = (node for node, given in enumerate(document.attributes) if given.get("id") == "late")
    assert document.layout.visible[node] == expected


@pytest.mark.parametrize(("most", "seen"), [(20_000_000, 0), (2_000, 2)])
def test_veils_over_more_than_can_be_compared_are_lifted(render, monkeypatch, most, seen):
    monkeypatch.setattr(visible_nodes, "_MAX_COMPARED", most)
    behind = f"<div style='opacity:0;position:relative;top:-200px'>{CARD}</div>"
    document = render(
        f"<!DOCTYPE html>{WORDS}" + f"<div style='height:200px'>Front<br>Front<br>Front</div>{behind}" * 3
    )
    assert document.text().count("Oak shelf") == seen


def test_text_is_what_is_seen(render):
    page = "<style>.menu{display:none}</style><p>One <b>two</b> <i>three</i><br>four<p class=menu>Menu<p>Five"
    assert render(f"<!DOCTYPE html>{page}").text() == "One two three\nfour\nFive"


FOLDED = {
    "the page": "<style>body { display: none !important }</style><p>",
    "an application": "<noscript>Please enable JavaScript</noscript><div id=app style='display:none'><p>",
    "everything without scripts": "<noscript><style>div, p { display: none }</style></noscript><div><p>",
    "a page behind a loading screen": "<style>.loading main { display: none }</style><body class=loading>"
    "<div style='position:fixed;inset:0;background:#fff'>Loading</div><main><p>",
}


@pytest.mark.parametrize("page", FOLDED.values(), ids=FOLDED)
def test_a_page_that_does_not_display_itself_until_scripts_run_is_seen(render, page):
    words = [f"word{number}" for number in range(40)]
    document = render(f"<!DOCTYPE html>{page}{'<p>'.join(words)}")
    assert document.text().split()[-40:] == words
    assert document == render(f"<!DOCTYPE html>{page}{'<p>'.join(words)}")
