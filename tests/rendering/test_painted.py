from __future__ import annotations

import pytest

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


def test_a_large_menu_that_waits_for_a_click_is_not_seen(render):
    menu, text = "<li>entry" * 30, "<p>word" * 10
    assert "entry" not in render(f"<!DOCTYPE html><ul style='opacity:0'>{menu}</ul>{text}").text()


def test_text_is_what_is_seen(render):
    page = "<style>.menu{display:none}</style><p>One <b>two</b> <i>three</i><br>four<p class=menu>Menu<p>Five"
    assert render(f"<!DOCTYPE html>{page}").text() == "One two three\nfour\nFive"
