"""What pages of a folder that was named may use."""

from __future__ import annotations

from pathlib import Path

import pytest

from webquarry.cli.options import PageAccess, rendering

SEEN = "The chain ferry carries passengers across the river again from Saturday, after ten years on the bank."
HIDDEN = "Members have a seat in the shade on every crossing, and pay for it once a year with a smile."


@pytest.fixture
def site(work: Path) -> Path:
    """Pages whose style sheet is beside the index, above their own folder."""
    (work / "site" / "articles").mkdir(parents=True)
    (work / "site" / "index.html").write_text("<h1>Ferries")
    (work / "site" / "look.css").write_text(".members { display: none }")
    for name in "ab":
        (work / "site" / "articles" / f"{name}.html").write_text(
            "<!doctype html><link rel=stylesheet href=../look.css><main>"
            f"<p>{SEEN}</p><p>{SEEN}</p><p class=members>{HIDDEN}</p></main>"
        )
    return work / "site"


def test_folders_count_with_their_web_roots_after_those_that_are_named(site):
    access = PageAccess(rendering(root=[site / "articles"]), {})
    options = access.render_options([site / "articles", site])
    assert options["roots"] == [site / "articles", site, site]
    assert options.keys() == rendering().keys()


@pytest.mark.needs_browser
def test_pages_of_a_folder_find_the_style_sheets_of_their_site(quarry, site):
    for given in (site / "articles", site / "articles" / "a.html"):
        done = quarry("read", given, "--render", "--format", "text")
        assert (done.returncode, done.stderr) == (0, b"")
        assert SEEN in done.stdout.decode()
        assert HIDDEN not in done.stdout.decode()


@pytest.mark.needs_browser
def test_a_style_sheet_outside_is_told_once_and_a_root_lets_it_in(quarry, site):
    (site / "index.html").unlink()
    alone = quarry("read", site / "articles", "--render", "--format", "text")
    assert HIDDEN in alone.stdout.decode()
    first, *others = alone.stderr.decode().splitlines()
    assert first.startswith(f"quarry: WARNING: {(site / 'articles').as_uri()}/")
    assert first.endswith(f": missing style sheets: 1 of 1; the layout may be off (use --root {site})")
    assert others == ["quarry: WARNING: missing style sheets also on 1 more page"]
    named = quarry("read", site / "articles", "--render", "--format", "text", "--root", site)
    assert HIDDEN not in named.stdout.decode()
    assert named.stderr == b""
