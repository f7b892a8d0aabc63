from __future__ import annotations

import json
from pathlib import Path

import pytest

from webquarry.cli.demo import find_examples
from webquarry.rendering import renderer


def test_writes_summary_json_and_pictures_of_a_page(quarry, browser, tmp_path):
    page = find_examples() / "factbook" / "geos" / "am.html"
    files = [tmp_path / name for name in ("a.png", "b.png", "a.json")]
    run = quarry("render", page, "--png", files[0], "--picture", files[1], "--tag", "td", "-o", files[2])
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout.decode().startswith(f"{page.as_uri()}: 1366 x ")
    assert b" nodes, " in run.stdout
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files[:2])
    written = json.loads(files[2].read_text())
    assert written["document"] == "rendered"
    assert len(written["properties"]) == len(written["nodes"][1]["styles"] or written["properties"])
    body = next(node for node in written["nodes"] if node["node"] == "/html/body")
    assert body["tag"] == "body"
    assert body["visible"]
    assert len(body["box"]) == 4
    display = written["properties"].index("display")
    assert written["values"][body["styles"][display]] == "block"


def test_many_pages_go_into_a_folder_and_failures_to_standard_error(quarry, browser, tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("a", "b"):
        (tmp_path / "in" / f"{name}.html").write_text(f"<p>{name}")
    run = quarry("render", tmp_path / "in", tmp_path / "missing.html", "-o", tmp_path / "out")
    assert run.returncode == 1
    assert len(run.stdout.splitlines()) == 2
    assert "missing.html: there is no such file" in run.stderr.decode()
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.json", "b.json"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x.html", "--wait-for", "p"], "--wait-for needs --scripts"),
        (["x.html", "--root", "nowhere"], "--root nowhere: there is no such folder"),
        (["x.html", "--picture", "a.png"], "--picture and --tag go together"),
        (["x.html", "--tag", "td"], "--picture and --tag go together"),
        (["x.html", "--picture", "a.png", "--tag", " "], "--tag is empty"),
        (["x.html", "--width", "0"], "--width"),
    ],
)
def test_wrong_usage_is_told(quarry, arguments, message):
    run = quarry("render", *arguments)
    assert run.returncode == 2
    assert message in run.stderr.decode()


def test_a_picture_shows_one_page(quarry, browser, tmp_path: Path):
    run = quarry("render", find_examples() / "news", "--png", tmp_path / "a.png")
    assert run.returncode == 2
    assert "a picture shows one page" in run.stderr.decode()


def test_a_browser_that_is_missing_is_told(quarry):
    run = quarry("render", find_examples() / "news" / "index.html", "--browser", "/no/such/browser")
    assert run.returncode == 1
    assert "apt-get install chromium-headless-shell" in run.stderr.decode()
    assert len(run.stderr.splitlines()) == 1


@pytest.fixture
def large_page(monkeypatch, work) -> Path:
    """A table that is too large for a browser."""
    monkeypatch.setattr(renderer, "MAX_NODES", 100)
    page = work / "large.html"
    page.write_text("<table>" + "".join(f"<tr><td>lamp {row}<td>{row}.50 €" for row in range(40)))
    return page


@pytest.mark.parametrize("options", [["mine"], ["mine", "--follow", "2"], ["read", "--render"]])
def test_a_page_too_large_for_a_browser_is_read_from_its_markup(quarry, browser, large_page, options):
    done = quarry(options[0], large_page, *options[1:], "-o", "out.txt" if options[0] == "read" else "out.csv")
    said = (
        f"quarry: WARNING: {large_page.as_uri()}: too large to render (206 nodes, at most 100), so its markup alone is"
    )
    assert done.returncode == 0
    assert done.stderr.decode().count(said) == 1
    assert "lamp 39" in next(large_page.parent.glob("out.*")).read_text()


def test_a_page_too_large_for_a_browser_has_no_boxes(quarry, browser, large_page):
    (large_page.parent / "small.html").write_text("<p>Small")
    done = quarry("render", large_page, large_page.parent / "small.html", "-o", "layouts")
    assert done.returncode == 1
    assert f"quarry: {large_page.as_uri()}: not rendered\n" in done.stderr.decode()
    assert [path.name for path in (large_page.parent / "layouts").iterdir()] == ["small.json"]


@pytest.mark.parametrize("options", [["mine", "--picture", "a.png"], ["render", "--png", "a.png"]])
def test_a_page_too_large_for_a_browser_has_no_picture(quarry, browser, large_page, options):
    done = quarry(*options, large_page)
    assert done.returncode == 1
    assert "too large to render (206 nodes, at most 100)" in done.stderr.decode()
    assert not (large_page.parent / "a.png").exists()
