"""The markup of a frame: only addresses change, and only to resources that the page was rendered with."""

import pytest

import webquarry as wq
from webquarry.rendering.requests import Answer, ShownPage
from webquarry.workbench.opened_pages import ElementNumbers, PageFrame

ANSWERS = {
    "https://site.example/style.css": Answer(b"@import 'more.css'; b { background: url(a.png#x) }", "text/css"),
    "https://site.example/more.css": Answer(b"i { background: url(https://evil.example/x.png) }", "text/css"),
    "https://site.example/a.png": Answer(b"PNG", "image/png"),
    "https://site.example/run.js": Answer(b"alert(1)", "text/javascript"),
}


def frame_of(markup: str) -> PageFrame:
    return PageFrame(ShownPage("https://site.example/list/", markup, ANSWERS), "/resources/0")


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ("<img src=/a.png>", '<img src="/resources/0/0">'),
        ("<img src=https://evil.example/a.png>", '<img src="data:,">'),
        ("<img srcset='/a.png 1x, /b.png 2x'>", '<img srcset="/resources/0/0 1x, data:, 2x">'),
        ("<p style='background: url(/a.png)'>", '<p style="background: url("/resources/0/0")">'),
        ("<base href=/><img src=a.png>", '<base href=/><img src="/resources/0/0">'),
        ("<a href=/a.png>", "<a href=/a.png>"),
        ("<meta http-equiv=refresh content=0>", '<meta content="0">'),
        ("<style>b { background: url(/a.png) }</style>", '<style>b { background: url("/resources/0/0") }</style>'),
        ("<p>url(/a.png)</p>", "<p>url(/a.png)</p>"),
        ("<noscript><img src=/a.png>&amp;</noscript>", '<noscript><img src="/resources/0/0">&amp;</noscript>'),
        ("<noscript>a</noscript><b>x &lt; y</b>", "<noscript>a</noscript><b>x &lt; y</b>"),
        ("<img src='http://[broken'>", '<img src="data:,">'),
    ],
)
def test_addresses_lead_to_our_resources_or_nowhere(markup, shown):
    assert frame_of(markup).markup.replace("&quot;", '"').replace("&#34;", '"') == shown


def test_style_sheets_refer_to_resources_by_number():
    frame = frame_of("<link rel=stylesheet href=/style.css>")
    sheet = frame.resource(0)
    assert sheet is not None
    assert sheet.body == b'@import url("/resources/0/2"); b { background: url("/resources/0/1#x") }'
    more = frame.resource(2)
    assert more is not None
    assert more.body == b'i { background: url("data:,") }'


def test_scripts_and_unknown_numbers_are_no_resources():
    frame = frame_of("<script src=/run.js></script>")
    assert [frame.resource(number) for number in (-1, 0, 1, 99)] == [None] * 4


def test_nodes_have_places_in_the_frame():
    document = wq.clean(wq.Page(url="", body=b"<p>One <b>two</b> three<!-- x -->four"))
    numbers = ElementNumbers(document)
    texts = [node for node in range(len(document)) if document.texts[node].strip() in ("One", "three", "four")]
    assert [numbers.place(node) for node in texts] == [[3, 0], [3, 2], [3, 4]]
    assert numbers.tags == "html head body p b"
    assert [numbers.place(node) for node in range(len(document)) if document.tag(node) == "b"] == [[4]]
