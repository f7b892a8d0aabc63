from __future__ import annotations

import pytest

from webquarry.model.page import Page

FADE = "<!DOCTYPE html><style>@keyframes fade { from { opacity: 0; transform: translateY(40px) } to { opacity: 1 } }"
MOTIONS = {
    "delayed": "p { opacity: 0; animation: fade 1s 20s forwards }",
    "held back from the start": "p { animation: fade 1s 20s both }",
    "paused until a script runs": "p { animation: fade 1s both paused }",
    "endless": "p { animation: fade 2s 5s infinite both }",
    "tied to scrolling": "p { animation: fade linear both; animation-timeline: view() }",
    "prefixed": "p { opacity: 0; -webkit-animation: fade 1s 20s forwards }",
}


@pytest.mark.parametrize("rule", MOTIONS.values(), ids=MOTIONS)
def test_a_page_is_seen_after_its_animations(render, rule):
    document = render(f"{FADE}{rule}</style><p id=x>Faded in<p style='animation:none;opacity:1'>Text")
    assert "Faded in" in document.text()


def test_what_fades_out_is_gone(render):
    page = "<!DOCTYPE html><style>@keyframes out { to { opacity: 0 } } p { animation: out 1s 3s forwards }</style>"
    assert render(f"{page}<p>Loading</p>Text").text() == "Text"


def test_an_endless_fade_is_taken_at_its_brightest(render):
    frames = "@keyframes turn { 0% { opacity: 0 } 20% { opacity: 1 } 40%, 100% { opacity: 0 } }"
    page = f"<!DOCTYPE html><style>{frames} p {{ animation: turn 9s 3s infinite both }}</style><p>One<p>Two"
    assert render(page).text() == "One\nTwo"


def test_animations_of_frames_end_too(render):
    inner = f"{FADE} p {{ animation: fade 1s 20s both }}</style><p>Faded in".replace('"', "&quot;")
    document = render(f'<!DOCTYPE html><iframe srcdoc="{inner}"></iframe><i style="transition: none"></i>')
    ((_, frame),) = document.layout.frames
    assert frame.text() == "Faded in"


def test_animations_of_a_style_sheet_end(renderer, tmp_path):
    (tmp_path / "fade.css").write_text(f"{FADE.partition('<style>')[2]} p {{ animation: fade 1s 20s both }}")
    page = tmp_path / "page.html"
    page.write_text("<!DOCTYPE html><link rel=stylesheet href=fade.css><p>Faded in")
    document = renderer.render(Page(page.as_uri(), page.read_bytes()), page.read_text())
    assert document.text() == "Faded in"


@pytest.mark.parametrize("rule", MOTIONS.values(), ids=MOTIONS)
def test_a_page_is_the_same_with_a_picture(renderer, render, rule):
    markup = f"{FADE}{rule}</style>" + "<p>Faded in <b>word</b>" * 5
    assert renderer.shoot(Page("stdin:", markup.encode()), markup)[0] == render(markup)


@pytest.mark.parametrize("tag", ["marquee", "MARQUEE direction=up behavior=alternate"])
def test_a_marquee_stays_in_its_place(renderer, render, tag):
    markup = f"<!DOCTYPE html><{tag}><ul><li>One<li>Two</ul></marquee><p>Text"
    document = render(markup)
    assert document.text() == "One\nTwo\nText"
    pictured = [renderer.shoot(Page("stdin:", markup.encode()), markup)[0] for _ in range(3)]
    assert pictured == [document] * 3
