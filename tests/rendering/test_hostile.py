"""Pages that mean harm: each ends with an error or a part of itself, and the next page is served."""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from webquarry.errors import RenderError
from webquarry.html.columns import Kind, build_columns
from webquarry.model.document import Document
from webquarry.model.page import Page
from webquarry.rendering import tab
from webquarry.rendering.renderer import MAX_FRAMES, MAX_LINE_BREAKS, MAX_NODES, MAX_TAGS, Renderer, find_excess

GOOD = "<!DOCTYPE html><title>Good</title><p id=good>Good"


def render(renderer: Renderer, markup: str, url: str = "http://site.test/") -> Document:
    return renderer.render(Page(url=url, body=b""), markup)


def assert_works(renderer: Renderer) -> None:
    assert render(renderer, GOOD).text() == "Good"


@pytest.fixture(scope="module")
def scripted(browser: str) -> Iterator[Renderer]:
    """With time for pages that end by themselves, however busy the machine is."""
    with pytest.MonkeyPatch.context() as patch, Renderer(browser=browser, scripts=True, timeout=60) as renderer:
        patch.setattr(tab, "QUIET_SECONDS", 0.1)
        yield renderer


def suffer(renderer: Renderer, markup: str) -> None:
    """Show a page that is too much for a browser: the half of it is right, and so is a word that there is none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(renderer, "_timeout", 3)
        try:
            render(renderer, markup)
        except RenderError as error:
            assert any(word in str(error) for word in ("not rendered", "crashed", "given up"))  # noqa: PT017 - or a part


def test_gives_what_there_is_of_a_page_whose_script_never_ends(scripted, monkeypatch):
    monkeypatch.setattr(tab, "LOADING_SHARE", 0.03)  # it is stopped soon, and has long to show what there is
    assert render(scripted, "<p>Before<script>for(;;);</script><p>After").text().startswith("Before")
    assert_works(scripted)


@pytest.mark.parametrize("dialog", ["alert('x')", "confirm('x')", "prompt('x')", "print()"])
def test_dismisses_dialogs(scripted, dialog):
    assert "Shown" in render(scripted, f"<script>{dialog}</script><p>Shown").text()


def test_opens_no_windows(scripted, site):
    page = f"<p>Shown<script>for(let i=0;i<5;i++)window.open('{site.url}/popup')</script><a href=x target=_blank>x"
    assert "Shown" in render(scripted, page).text()
    assert site.asked == []


def test_survives_a_script_that_eats_memory(scripted):
    suffer(scripted, "<script>let a=[];for(;;)a.push(new Array(1e6).fill(a.length))</script>")
    assert_works(scripted)


def test_survives_endless_writing(scripted):
    suffer(scripted, "<script>function w(){document.write('<p>more');w2()};function w2(){for(;;)w()};w()</script>")
    assert_works(scripted)


def test_survives_timers_that_write_without_end(scripted):
    document = render(scripted, "<p>Start<script>setInterval(()=>document.body.append('more '),0)</script>")
    assert document.text().startswith("Start")


@pytest.mark.parametrize(
    "page",
    [
        "<meta http-equiv=refresh content='0;url=http://elsewhere.test/'><p>Stays",
        "<meta http-equiv=refresh content='0'><p>Stays",
        "<link rel=stylesheet href=x.css><meta http-equiv=refresh content='0;url=http://elsewhere.test/'><p>Stays",
    ],
)
def test_a_page_that_refreshes_itself_stays(renderer, page):
    assert render(renderer, page).text() == "Stays"
    assert_works(renderer)


@pytest.mark.parametrize(
    "going", ["location='http://elsewhere.test/'", "location.reload()", "document.forms[0].submit()"]
)
def test_a_script_that_goes_elsewhere_gets_nowhere(scripted, going):
    page = f"<form action=http://elsewhere.test/ method=post></form><p>Stays<script>onload=()=>{{{going}}}</script>"
    assert "Stays" in render(scripted, page).text()


def test_a_script_that_blanks_the_page_is_told(scripted):
    with pytest.raises(RenderError, match="the page navigated to another one"):
        render(scripted, "<script>onload=()=>{location='about:blank'}</script>")
    assert_works(scripted)


def assert_read_without_a_browser(renderer: Renderer, markup: str, caplog: pytest.LogCaptureFixture) -> str:
    """Check that a page is read as its markup is, and return the one line that says so."""
    caplog.clear()
    document = render(renderer, markup)
    assert (document, document.layout, document.kind) == (Document(markup), None, "static")
    assert_works(renderer)
    (said,) = caplog.messages
    return said


def test_reads_a_page_with_too_many_nodes_without_a_browser(renderer, caplog):
    said = assert_read_without_a_browser(renderer, "<p>x" * 400_000, caplog)
    where = "http://site.test/: too large to render"
    assert said == f"{where} (800,004 nodes, at most {MAX_NODES:,}), so its markup alone is read"


def test_takes_no_picture_of_a_page_with_too_many_nodes(renderer):
    with pytest.raises(RenderError, match=r"too large to render .*use --static or clean"):
        renderer.shoot(Page(url="http://site.test/", body=b""), "<p>x" * 400_000)
    assert_works(renderer)


def test_keeps_the_markup_of_a_page_with_too_many_nodes_for_the_workbench(renderer):
    page = Page(url="http://site.test/", body=b"")
    document, shown = renderer.render_with_resources(page, "<p>x" * 400_000)
    assert document.layout is None
    assert shown.markup == document.markup


@pytest.mark.parametrize("unit", ["<a><div>", "<table><tr><td>", "<b><ul><li>"])
def test_keeps_the_text_of_a_page_that_nests_deeper_than_a_browser(renderer, unit):
    words = [f"word{number}" for number in range(4_000)]
    document = render(renderer, "".join(f"{unit}{word} " for word in words))
    assert document.text().split() == words
    assert document.layout.visible[document.kinds == Kind.TEXT].all()


def test_gives_a_deep_page_to_the_browser_in_the_mode_of_its_doctype(renderer):
    heights = [render(renderer, f"{start}<img>{'<div>x' * 600}").layout.height for start in ("", "<!DOCTYPE html>")]
    assert heights[0] < heights[1]


@pytest.mark.parametrize("comment", ["<!-- c -->", "<!c>", "<?c?>"])
def test_gives_a_browser_no_thousands_of_comments_outside_the_page(renderer, comment):
    document = render(renderer, f"{comment * 20_000}<p>Shown<!-- in the page --></html>{comment * 20_000}")
    assert document.text() == "Shown"
    assert np.count_nonzero(document.kinds == Kind.COMMENT) == 1


def test_reads_a_page_whose_few_tags_make_too_many_nodes_without_a_browser(renderer, caplog):
    said = assert_read_without_a_browser(renderer, "<table><b>" * 61_000, caplog)
    assert re.search(r"too large to render \(3\d\d,\d{3} nodes", said)


def test_reads_a_page_that_nests_too_much_too_deeply_without_a_browser(renderer, caplog):
    said = assert_read_without_a_browser(renderer, "<div>" * 90_000, caplog)
    assert "nested too deeply to render (90,004 nodes, up to 512 levels deep), so its markup" in said


@pytest.mark.parametrize(
    ("page", "parts"),
    [
        ("<frameset>" * (MAX_FRAMES + 1), "251 frames, at most 250"),
        ("<frameset>" + "<frame>" * MAX_FRAMES, "251 frames, at most 250"),
        ("<p>Text" + "<iframe></iframe>" * (MAX_FRAMES + 1), "251 frames, at most 250"),
        ("<p>" + "line<br>" * (MAX_LINE_BREAKS + 1), "25,001 line breaks, at most 25,000"),
        ("".join(f"<x-{n}>word" for n in range(MAX_TAGS)), "5,003 names of elements, at most 5,000"),
    ],
)
def test_reads_a_page_with_too_many_costly_parts_without_a_browser(renderer, caplog, page, parts):
    said = assert_read_without_a_browser(renderer, page, caplog)
    assert said == f"http://site.test/: too large to render ({parts}), so its markup alone is read"


def test_renders_a_page_with_hundreds_of_frames_and_thousands_of_line_breaks():
    page = "<iframe></iframe>" * MAX_FRAMES + "line<br>" * MAX_LINE_BREAKS
    assert find_excess(build_columns(page)) is None


def test_a_script_that_makes_too_many_nodes_costs_its_own_page_alone(scripted):
    page = "<script>for(let i=0;i<4e5;i++)document.body.append(document.createElement('p'))</script>"
    suffer(scripted, f"<body>{page}")
    assert_works(scripted)


REACHING_OUT = """
<link rel=stylesheet href="{url}/style"><style>@import "{url}/import"; p {{ background: url({url}/background) }}
@font-face {{ font-family: f; src: url({url}/font) }} p {{ font-family: f }}</style>
<link rel=preload as=image href="{url}/preload"><link rel=prefetch href="{url}/prefetch">
<link rel=dns-prefetch href="{url}"><link rel=preconnect href="{url}">
<link rel=icon href="{url}/icon"><link rel=manifest href="{url}/manifest">
<img src="{url}/img"><iframe src="{url}/frame"></iframe><object data="{url}/object"></object><embed src="{url}/embed">
<video src="{url}/video" autoplay></video><audio src="{url}/audio" autoplay></audio>
<svg><image href="{url}/image"/><use href="{url}/use#x"/></svg>
<iframe srcdoc="<img src={url}/inner>"></iframe>
<iframe sandbox="allow-scripts" src="data:text/html,<img src={url}/data>"></iframe>
<meta http-equiv=refresh content="0;url={url}/refresh"><p>Text
"""
BY_SCRIPT = """<script>
fetch("{url}/fetch").catch(() => 0); navigator.sendBeacon("{url}/beacon", "x"); window.open("{url}/popup");
try {{ new WebSocket("{url}".replace("http", "ws") + "/socket") }} catch (e) {{}}
try {{ new EventSource("{url}/events") }} catch (e) {{}}
try {{ new Worker(URL.createObjectURL(new Blob(["fetch('{url}/worker')"]))) }} catch (e) {{}}
try {{ new SharedWorker("data:text/javascript,fetch('{url}/shared')") }} catch (e) {{}}
try {{ let r = new RTCPeerConnection({{iceServers: [{{urls: "stun:127.0.0.1"}}]}}); r.createDataChannel("x");
  r.createOffer().then(o => r.setLocalDescription(o)) }} catch (e) {{}}
let f = document.createElement("form"); f.action = "{url}/form"; f.method = "post"; document.body.append(f);
onload = () => f.submit();
</script>"""


@pytest.mark.parametrize("address", ["http://site.test/", "stdin:", "https://site.test/"])
def test_no_request_reaches_loopback(renderer, scripted, site, address):
    page = REACHING_OUT.format(url=site.url)
    assert "Text" in render(renderer, page, address).text()
    assert "Text" in render(scripted, page + BY_SCRIPT.format(url=site.url), address).text()
    named = site.url.replace("127.0.0.1", "localhost")
    assert "Text" in render(renderer, REACHING_OUT.format(url=named), address).text()
    assert site.asked == []


def test_no_file_is_read(renderer, scripted, tmp_path: Path):
    secret = tmp_path / "secret" / "secret.html"
    secret.parent.mkdir()
    secret.write_text("<p>SECRET")
    page = tmp_path / "page" / "page.html"
    page.parent.mkdir()
    markup = f"<iframe src='{secret.as_uri()}'></iframe><iframe src=../secret/secret.html></iframe><p>Text"
    markup += f"<script>fetch('{secret.as_uri()}').then(r=>r.text()).then(t=>document.body.append(t))</script>"
    for one in (renderer, scripted):
        document = render(one, markup, page.as_uri())
        inner = [frame.text() for _, frame in document.layout.frames]
        assert "SECRET" not in document.text() + "".join(inner)


def children_of(pid: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(status.parent.name))
    return found


def processes_below(pid: int) -> list[int]:
    found = children_of(pid)
    return found + [inner for child in found for inner in processes_below(child)]


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("part", ["--type=renderer", "--headless"])
def test_a_killed_renderer_or_browser_is_replaced_and_the_page_tried_again(browser, part):
    slow = Page(url="http://site.test/", body=b"")
    ours = set(processes_below(os.getpid()))
    asked, dead = threading.Event(), threading.Event()

    def load(address: str) -> Page:
        asked.set()
        assert dead.wait(60)
        return Page(url=address, body=b"p { color: red }", headers=(("Content-Type", "text/css"),))

    with Renderer(browser=browser, load=load, timeout=60) as renderer:
        results: list[Document] = []
        page = "<!DOCTYPE html><link rel=stylesheet href=style.css><p>Text"
        thread = threading.Thread(target=lambda: results.append(renderer.render(slow, page)))
        thread.start()
        assert asked.wait(60)
        started = [pid for pid in processes_below(os.getpid()) if pid not in ours]
        killed = [pid for pid in started if part in command_of(pid) and not command_of(pid).startswith("/bin/sh")]
        assert killed
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        dead.set()
        thread.join(120)
        assert [document.text() for document in results] == ["Text"]
        layout = results[0].layout
        assert layout.style(results[0].node("/html/body/p"), "color") == "rgb(255, 0, 0)"
        assert_works(renderer)


def test_all_attempts_share_the_time_of_a_page(browser, monkeypatch):
    times: list[float] = []

    def crash(*_: object, timeout: float, **__: object) -> None:
        times.append(timeout)
        threading.Event().wait(0.05)
        raise tab.TabLostError

    with Renderer(browser=browser, timeout=20) as renderer:
        monkeypatch.setattr(renderer, "_show", crash)
        with pytest.raises(RenderError, match="crashed 2 times"):
            render(renderer, GOOD)
    assert times[0] == 20
    assert times[1] <= 19.95
