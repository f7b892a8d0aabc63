"""`quarry fetch`: archives that a stopped run keeps and the next one completes."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

PAGE = b"<title>Lamp</title><ul><li>One<li>Two<li>Three</ul>"


@pytest.fixture
def addresses(work, server):
    server.pages = {f"/{name}": PAGE for name in "abc"}
    names = [f"{server.url}/{name}" for name in "abc"]
    (work / "list.txt").write_text("\n".join(names))
    return names


def test_an_archive_has_the_pages_and_the_next_run_only_what_is_missing(quarry, work, addresses, server):
    first = quarry("fetch", *addresses[:2], "--allow-private", "-o", "x.warc.gz")
    assert (first.returncode, first.stdout, first.stderr) == (0, b"", b"2 pages added to x.warc.gz\n")
    server.pages = {"/c": PAGE}  # the others would fail if they were fetched again
    second = quarry("fetch", "list.txt", "--allow-private", "--refresh", "-o", "x.warc.gz")
    assert second.stderr == b"1 page added to x.warc.gz\n"
    third = quarry("fetch", "list.txt", "--allow-private", "-o", "x.warc.gz")
    assert (third.returncode, third.stderr) == (0, b"x.warc.gz has all pages already\n")
    cleaned = quarry("clean", "x.warc.gz", "-o", "out")
    assert cleaned.returncode == 0
    assert len(list((work / "out").rglob("*.xhtml"))) == 3


def test_failed_pages_are_told_and_tried_again(quarry, addresses, server):
    del server.pages["/b"]
    done = quarry("fetch", *addresses, "--allow-private", "-o", "x.warc.gz")
    assert done.returncode == 1
    assert addresses[1].encode() in done.stderr
    assert done.stderr.endswith(b"2 pages added to x.warc.gz\n")
    server.pages["/b"] = PAGE
    again = quarry("fetch", *addresses, "--allow-private", "--refresh", "-o", "x.warc.gz")
    assert (again.returncode, again.stderr) == (0, b"1 page added to x.warc.gz\n")


def test_a_run_that_is_stopped_keeps_its_pages(work, addresses, server, environment):
    arguments = ["fetch", *addresses, server.url + "/slow", "--allow-private", "-o", "x.warc.gz"]
    with subprocess.Popen(
        [sys.executable, "-m", "webquarry", *arguments], stderr=subprocess.PIPE, cwd=work, env=environment
    ) as process:
        assert server.asked.wait(120)
        while not (work / "x.warc.gz").exists() or (work / "x.warc.gz").stat().st_size < 900:
            assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 143
    assert b"x.warc.gz keeps them, and the same command continues" in errors


def test_folders_become_archives_too(quarry, work):
    (work / "site").mkdir()
    for name in ("a.html", "b.html"):
        (work / "site" / name).write_bytes(PAGE)
    assert quarry("fetch", "site", "-o", "x.warc.gz").stderr == b"2 pages added to x.warc.gz\n"
    assert quarry("mine", "x.warc.gz", "--static", "-o", "x.csv").returncode == 0


def test_wrong_files_are_told(quarry, work):
    done = quarry("fetch", "a.html", "-o", "x.warc")
    assert (done.returncode, b"ends in .warc.gz" in done.stderr) == (2, True)
    (work / "x.warc.gz").write_bytes(b"hello")
    (work / "a.html").write_bytes(PAGE)
    done = quarry("fetch", "a.html", "-o", "x.warc.gz")
    assert (done.returncode, b"is not a gzipped WARC file" in done.stderr) == (1, True)
