"""`quarry demo`."""

from __future__ import annotations


def test_the_demo_cleans_all_example_pages(quarry, work, read):
    done = quarry("demo", "results")
    assert (done.returncode, done.stderr) == (0, b"")
    written = list((work / "results").rglob("*.xhtml"))
    assert f"{len(written)} of {len(written)} pages" in done.stdout.decode()
    assert len(written) > 30
    assert "/html/body" in done.stdout.decode()
    for path in written[:5]:
        read(path.read_text(encoding="utf-8").rstrip("\n"))
