"""The memory of the browser is limited, and one that does not answer is given up."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from webquarry.errors import BrowserError, RenderError
from webquarry.model.page import Page
from webquarry.rendering import browser as browsers, renderer as renderers
from webquarry.rendering.browser import measure_processes, resident_bytes
from webquarry.rendering.renderer import Renderer, render_many

CANVASES = """<p>words<script>
const kept = [];
for (let number = 0; number < 200; number++) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 3000;
  const context = canvas.getContext("2d");
  context.fillRect(0, 0, 3000, 3000);
  context.getImageData(0, 0, 1, 1);
  kept.push(canvas);
}
</script>"""
PATIENCE = 60.0  # seconds


def page(url: str = "http://site.test/") -> Page:
    return Page(url=url, body=b"")


def test_a_page_that_fills_the_memory_fails_alone(browser, monkeypatch):
    monkeypatch.setattr(browsers, "MAX_PROCESS_BYTES", 450 * 2**20)
    monkeypatch.setattr(browsers, "WATCH_SECONDS", 0.05)
    with Renderer(browser=browser, scripts=True, timeout=PATIENCE) as renderer:
        assert renderer.render(page(), "<p>before").text() == "before"
        first = renderer._browser
        with pytest.raises(RenderError, match=r"^http://greedy\.test/: given up after .* GB of memory in the browser"):
            renderer.render(page("http://greedy.test/"), CANVASES)
        assert renderer.render(page(), "<p>after").text() == "after"
        assert renderer._browser is first


def test_a_browser_that_has_grown_is_replaced(browser, monkeypatch):
    monkeypatch.setattr(browsers, "WATCH_SECONDS", 0.05)
    with Renderer(browser=browser) as renderer:
        renderer.render(page(), "<p>before")
        first, end = renderer._browser, time.monotonic() + PATIENCE
        while not first.memory.total_bytes and time.monotonic() < end:
            time.sleep(0.01)
        monkeypatch.setattr(renderers, "MAX_BROWSER_BYTES", first.memory.total_bytes // 2)
        assert renderer.render(page(), "<p>after").text() == "after"
        assert renderer._browser is not first
        assert first.gone


def test_a_browser_that_never_answers_is_given_up_once(tmp_path, monkeypatch):
    silent = tmp_path / "browser"
    silent.write_text("#!/bin/sh\nexec sleep 60\n")
    silent.chmod(0o755)
    monkeypatch.setattr(browsers, "START_SECONDS", 0.1)
    started, original = [], browsers.BrowserProcess
    monkeypatch.setattr(browsers, "BrowserProcess", lambda program: started.append(program) or original(program))
    with Renderer(browser=silent) as renderer, pytest.raises(BrowserError, match="does not start as a browser"):
        list(render_many(renderer, [page()] * 6, decode=lambda _: "<p>x", attempt=lambda _, work: work()))
    assert started == [silent]


def test_all_processes_are_measured():
    start = "target=subprocess.run, args=([sys.executable, '-c', 'print(1, flush=True); input()'],)"
    program = f"import subprocess, sys, threading; threading.Thread({start}).start()"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        taken = measure_processes(process.pid)
        process.communicate(b"\n")
    assert process.pid in taken
    assert len(taken) == 2
    assert all(2**20 < memory < 2**30 for memory in taken.values())
    assert measure_processes(process.pid) == {}
    assert os.getpid() in measure_processes(os.getpid())


def test_memory_that_is_free_goes_back_to_the_system(monkeypatch):
    monkeypatch.setattr(renderers, "PAGES_PER_RETURN_OF_MEMORY", 2)
    blocks = [bytes(4096) for _ in range(20_000)]
    del blocks[:-1]  # the last block, at the top of the heap, keeps the C library from returning the others
    with Renderer() as renderer:
        renderer.render(page(), "<p>first")
        before = resident_bytes()
        renderer.render(page(), "<p>second")
        assert resident_bytes() < before - 20_000 * 4096 / 2
