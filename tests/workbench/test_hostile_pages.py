"""A hostile page on the workbench: no script runs, no request leaves, nothing navigates."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.needs_browser

# Each vector loads something from the beacon, or runs a script that does and marks the workbench.
RUN = "top.document.title='owned';new Image().src='{b}/ran'"
VECTORS = [
    "<script>" + RUN + "</script>",
    "<script src={b}/script.js></script>",
    "<script type=module>" + RUN + "</script>",
    '<img src=x onerror="' + RUN + '">',
    '<svg onload="' + RUN + '"></svg>',
    "<svg><script>" + RUN + "</script></svg>",
    '<svg><animate onbegin="' + RUN + '" attributeName=x dur=1s></svg>',
    '<body onload="' + RUN + '">',
    '<body onpageshow="' + RUN + '">',
    '<details open ontoggle="' + RUN + '">x</details>',
    '<input autofocus onfocus="' + RUN + '">',
    '<video autoplay onloadstart="' + RUN + '"><source src={b}/v.mp4 onerror="' + RUN + '"></video>',
    "<audio src={b}/a.mp3 autoplay></audio>",
    '<marquee onstart="' + RUN + '">x</marquee>',
    '<div onmouseover="'
    + RUN
    + '" onclick="'
    + RUN
    + '" onpointerenter="'
    + RUN
    + "\" style='height:200px'>hover me</div>",
    '<a href="javascript:' + RUN + '">click me</a>',
    "<a href={b}/link>plain link</a>",
    "<a href={b}/blank target=_blank>new window</a>",
    "<a href={b}/top target=_top>top</a>",
    "<a href={b}/ping ping={b}/pinged>ping</a>",
    "<a href={b}/d download>download</a>",
    "<form action={b}/form method=post><button>Send</button></form>",
    "<form action={b}/form><input name=a autofocus><input type=submit></form>",
    "<form id=f action={b}/f></form><button form=f formaction={b}/g>Go</button>",
    "<iframe src={b}/frame></iframe>",
    '<iframe srcdoc="<script>' + RUN.replace('"', "") + '</script>"></iframe>',
    '<iframe src="javascript:' + RUN + '"></iframe>',
    "<object data={b}/object></object>",
    "<embed src={b}/embed>",
    "<frame src={b}/frame2>",
    "<meta http-equiv=refresh content='0;url={b}/refresh'>",
    "<meta http-equiv=Content-Security-Policy content=\"default-src *; script-src 'unsafe-inline'\">",
    "<meta http-equiv=Set-Cookie content='a=b'>",
    "<base href={b}/based/ target=_top><img src=relative.png>",
    "<link rel=stylesheet href={b}/style.css>",
    "<link rel=preload as=image href={b}/preload.png>",
    "<link rel=prefetch href={b}/prefetch>",
    "<link rel=preconnect href={b}>",
    "<link rel=dns-prefetch href={b}>",
    "<link rel=modulepreload href={b}/m.js>",
    "<link rel=icon href={b}/icon.ico>",
    "<link rel=manifest href={b}/manifest.json>",
    "<img src={b}/image.png>",
    "<img srcset='{b}/set.png 2x'>",
    "<picture><source srcset={b}/source.png><img src={b}/fallback.png></picture>",
    "<img src={b}/lazy.png loading=lazy>",
    "<p style='background:url({b}/inline.png)'>x</p>",
    "<style>@import url({b}/import.css); p {{ background: url({b}/css.png) }}</style>",
    "<style>@font-face {{ font-family: x; src: url({b}/font.woff) }} p {{ font-family: x }}</style>",
    "<style>div:hover {{ background: url({b}/hover.png) }} *::after {{ content: url({b}/content.png) }}</style>",
    "<svg><image href={b}/svg.png /><use href={b}/use.svg#x /></svg>",
    '<svg><a xlink:href="javascript:' + RUN + '"><text y=20>svg link</text></a></svg>',
    "<table background={b}/table.png><tr><td background={b}/cell.png>x</table>",
    "<input type=image src={b}/button.png>",
    "<template><img src={b}/template.png></template><noscript><img src={b}/noscript.png></noscript>",
    '<math href="javascript:' + RUN + '">math</math>',
    '<button popovertarget=p>pop</button><div id=p popover ontoggle="' + RUN + '">pop</div>',
    '<script type=speculationrules>{{"prefetch":[{{"source":"list","urls":["{b}/spec"]}}]}}</script>',
    "<a href={b}/overlay style='position:fixed;inset:0;z-index:9'>overlay</a>",
]
RECORDS = "".join(f"<div class=offer><h3><a href=/{n}>Lamp {n}</a></h3><p>{n}0.50 €</p></div>" for n in range(1, 8))


@pytest.fixture
def beacon() -> Iterator[tuple[str, list[str]]]:
    """A server that remembers every request."""
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            self.send_response(204)
            self.end_headers()

        do_POST = do_GET  # noqa: N815 - the name in http.server

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", seen
    server.shutdown()
    thread.join()
    server.server_close()


def test_there_are_many_vectors():
    assert len(VECTORS) >= 45


def test_a_hostile_page_can_do_nothing(serve, window: Page, tmp_path, beacon):
    address, seen = beacon
    hostile = "\n".join(vector.format(b=address) for vector in VECTORS)
    (tmp_path / "hostile.html").write_text(f"<main>{RECORDS}</main>{hostile}")
    served = serve(tmp_path / "hostile.html")
    requested: list[str] = []
    windows = []
    window.context.on("request", lambda request: requested.append(request.url))
    window.context.on("page", lambda page: windows.append(page.url))
    window.goto(served.address)
    layer = window.get_by_role("application")
    layer.wait_for()
    frame = window.frames[1]
    frame.wait_for_load_state()
    title = window.title()
    box = layer.bounding_box()
    assert box is not None
    for _ in range(6):
        for share in (0.1, 0.3, 0.5, 0.7, 0.9):
            window.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + box["height"] * share)
            window.mouse.click(box["x"] + box["width"] * 0.2, box["y"] + box["height"] * share)
        window.mouse.wheel(0, 500)
    for key in ("Tab", "Enter", "Space", "Tab", "Enter", "Tab", "Enter"):
        window.keyboard.press(key)
    window.wait_for_timeout(500)
    assert seen == []
    assert [each for each in requested if not each.startswith((served.origin, "data:"))] == []
    assert window.title() == title
    assert window.url == f"{served.origin}/"
    assert [each.url for each in window.frames[1:2]] == [f"{served.origin}/frames/0"]
    assert windows == []


def test_text_of_a_page_is_never_markup_of_ours(serve, window: Page, tmp_path):
    evil = "<img src=x onerror=document.title=1>"
    records = "".join(
        f"<div class='offer'><h3>Lamp {n} {evil.replace('<', '&lt;')}</h3><p class='{evil[1:4]}'>{n}.50 €</p></div>"
        for n in range(1, 8)
    )
    (tmp_path / "x.html").write_text(f"<title>{evil}</title><main>{records}</main>")
    served = serve(tmp_path / "x.html")
    window.goto(served.address)
    window.get_by_role("table").wait_for()
    assert window.locator("table img, header img").count() == 0
    assert evil in window.get_by_role("table").inner_text()
    assert window.title() == "webquarry workbench"
