from __future__ import annotations

import io
import math
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from webquarry.errors import FetchError, InputError
from webquarry.fetching.downloads import INPUTS_AHEAD, WORKERS, Lanes, fetch, fetch_all
from webquarry.fetching.inputs import read_file
from webquarry.fetching.policy import Policy
from webquarry.fetching.session import Session
from webquarry.model.page import Failure, Page

if TYPE_CHECKING:
    from conftest import Archive, Request, Server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two pages and an advertisement."""
    for name in ("pages/b.html", "pages/a.html", "pages/a_files/ad.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path / "pages"


def no_thread_is_left() -> bool:
    """Of those that fetch; a browser that other tests share has threads too."""
    return not [thread for thread in threading.enumerate() if thread.name.startswith("webquarry-fetch")]


def named(results: list[Page | Failure]) -> list[str]:
    return [result.url if isinstance(result, Page) else f"failed {result.page}" for result in results]


def test_inputs_of_all_kinds_come_in_their_order(
    server: Server, policy: Policy, folder: Path, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"<p>in</p>")))
    server.routes["/a"] = server.answer()
    warc = folder / "x.warc.gz"
    warc.write_bytes(archive.gzip_each(archive.page(1), archive.page(2)))
    inputs = [server.url("/a"), folder, server.url("/gone"), "-", warc, folder / "gone.html", str(folder / "a.html")]
    assert named(list(fetch_all(inputs, policy=policy))) == [
        server.url("/a"),
        (folder / "a.html").as_uri(),
        (folder / "b.html").as_uri(),
        f"failed {server.url('/gone')}",
        "stdin:",
        "http://example.org/1",
        "http://example.org/2",
        f"failed {folder / 'gone.html'}",
        (folder / "a.html").as_uri(),
    ]


def test_no_page_is_lost_among_many(server: Server, policy: Policy) -> None:
    paths = [f"/{number}" for number in range(3 * INPUTS_AHEAD)]
    server.routes |= {path: server.answer(path.encode()) for path in paths if int(path[1:]) % 3}
    results = list(fetch_all([server.url(path) for path in paths], policy=policy))
    assert len(results) == len(paths)
    for path, result in zip(paths, results, strict=True):
        if int(path[1:]) % 3:
            assert isinstance(result, Page)
            assert result.body == path.encode()
        else:
            assert isinstance(result, Failure)
            assert result.page == server.url(path)
            assert result.error.startswith(f"{server.url(path)}: the server answered 404")


def test_addresses_are_fetched_at_the_same_time(server: Server, policy: Policy) -> None:
    together = threading.Barrier(4, timeout=60)

    def wait_for_the_others(connection: socket.socket, _: Request) -> None:
        together.wait()
        connection.sendall(server.answer(Connection="close"))

    paths = [f"/{number}" for number in range(4)]
    server.routes |= dict.fromkeys(paths, wait_for_the_others)
    results = list(fetch_all([server.url(path) for path in paths], policy=policy))
    assert all(isinstance(result, Page) for result in results)


def test_connections_to_a_host_stay_within_the_limit(server: Server, policy: Policy) -> None:
    under_way: list[str] = []
    most = 0

    def count(connection: socket.socket, request: Request) -> None:
        nonlocal most
        under_way.append(request.path)
        most = max(most, len(under_way))
        time.sleep(0.005)
        under_way.remove(request.path)
        connection.sendall(server.answer(Connection="close"))

    paths = [f"/{number}" for number in range(40)]
    server.routes |= dict.fromkeys(paths, count)
    limited = replace(policy, connections_per_host=2, ignore_robots=True)
    assert all(isinstance(page, Page) for page in fetch_all([server.url(path) for path in paths], policy=limited))
    assert most <= 2


def test_the_order_is_kept_when_the_first_page_is_the_slowest(server: Server, policy: Policy) -> None:
    others_done = threading.Semaphore(0)

    def slow(connection: socket.socket, _: Request) -> None:
        others_done.acquire(timeout=60)
        connection.sendall(server.answer(b"slow"))

    def quick(connection: socket.socket, _: Request) -> None:
        connection.sendall(server.answer(b"quick"))
        others_done.release()

    server.routes |= {"/slow": slow, "/quick": quick}
    results = list(fetch_all([server.url("/slow"), server.url("/quick")], policy=policy))
    assert [result.body for result in results if isinstance(result, Page)] == [b"slow", b"quick"]


def test_inputs_are_taken_only_as_they_are_needed(folder: Path) -> None:
    taken: list[int] = []

    def endless() -> Iterator[Path]:
        while True:
            taken.append(1)
            yield folder / "a.html"

    results = fetch_all(endless())
    assert taken == []
    assert isinstance(next(results), Page)
    assert len(taken) <= INPUTS_AHEAD + 1
    results.close()  # type: ignore[attr-defined]


def test_a_folder_that_cannot_be_read_fails_alone(folder: Path, lock: Callable[[Path], None]) -> None:
    locked = folder / "aa"
    locked.mkdir()
    lock(locked)
    pages = [(folder / name).as_uri() for name in ("a.html", "b.html")]
    assert named(list(fetch_all([folder]))) == [pages[0], f"failed {locked}", pages[1]]
    with pytest.raises(InputError, match="several pages"):
        fetch(folder)
    (folder / "a.html").unlink()
    with pytest.raises(InputError, match=r"aa: cannot be read \(Permission denied\)"):
        fetch(folder)


def test_nothing_in_nothing_out() -> None:
    assert list(fetch_all([])) == []


def test_a_single_input_need_not_be_in_a_list(folder: Path) -> None:
    assert len(list(fetch_all(folder))) == len(list(fetch_all(str(folder)))) == 2  # type: ignore[arg-type]


# Progress


def test_progress_counts_pages_and_failures(folder: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    results = fetch_all([folder, "gone.html"], progress=lambda done, total: seen.append((done, total)))
    assert len(list(results)) == 3
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_the_total_is_unknown_with_archives_and_streams(folder: Path, archive: Archive) -> None:
    (folder / "x.warc").write_bytes(archive.page(1))
    seen: list[tuple[int, int | None]] = []
    list(fetch_all([folder / "x.warc"], progress=lambda *counts: seen.append(counts)))
    list(fetch_all(iter([folder / "a.html"]), progress=lambda *counts: seen.append(counts)))
    assert seen == [(1, None), (1, None)]


# The end


def test_closing_ends_downloads_that_are_under_way(server: Server, policy: Policy) -> None:
    under_way = threading.Event()

    def hang(_connection: socket.socket, _request: Request) -> None:
        under_way.set()
        server.closing.wait(300)

    server.routes |= {"/a": server.answer(), "/hang": hang}
    patient = replace(policy, timeout=300.0, ignore_robots=True)
    results = fetch_all([server.url("/a"), *[server.url("/hang")] * 10], policy=patient)
    assert isinstance(next(results), Page)
    assert under_way.wait(60)
    results.close()  # type: ignore[attr-defined]
    assert no_thread_is_left()


def test_closing_ends_waits_for_a_turn(
    server: Server, policy: Policy, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = threading.Event()

    def book(_timetable: object, _host: str, _interval: float) -> float:
        waiting.set()
        return 1000.0

    monkeypatch.setattr("webquarry.fetching.robots.Timetable.book", book)
    server.routes["/b"] = server.answer()
    results = fetch_all([folder / "a.html", server.url("/b")], policy=replace(policy, ignore_robots=True))
    assert isinstance(next(results), Page)
    assert waiting.wait(60)
    results.close()  # type: ignore[attr-defined]
    assert server.hits("/b") == 0
    assert no_thread_is_left()


def test_an_error_of_the_caller_ends_downloads_too(server: Server, policy: Policy) -> None:
    server.routes["/a"] = server.answer()

    def interrupt(done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(fetch_all([server.url("/a")] * 3, policy=policy, progress=interrupt))
    assert no_thread_is_left()


def test_an_interrupt_ends_a_run_at_once(server: Server, policy: Policy) -> None:
    under_way = threading.Event()

    def hang(_connection: socket.socket, _request: Request) -> None:
        under_way.set()
        server.closing.wait(300)

    server.routes["/hang"] = hang
    code = (
        "import signal, sys; from pathlib import Path; from webquarry.fetching.downloads import fetch_all\n"
        "from webquarry.fetching.policy import Policy\n"
        # Shells let the jobs of a background run ignore it.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "policy = Policy(cache=Path(sys.argv[1]), allow_private=True, ignore_robots=True, timeout=300)\n"
        "try: list(fetch_all([sys.argv[2]] * 40, policy=policy))\n"
        "except KeyboardInterrupt: print('interrupted')"
    )
    command = [sys.executable, "-c", code, str(policy.cache), server.url("/hang")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert under_way.wait(120)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60) == ("interrupted\n", "")


def test_a_fault_of_a_library_fails_one_page_only(
    server: Server, policy: Policy, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Session, address: str) -> Page:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(Session, "fetch", broken)
    failure, page = fetch_all([server.url("/a"), folder / "a.html"], policy=policy)
    assert isinstance(failure, Failure)
    assert failure.error == f"{server.url('/a')}: unexpected ZeroDivisionError (oops); please report it"
    assert isinstance(page, Page)


def test_a_fault_of_ours_in_a_file_fails_one_page_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(path: Path, *, max_bytes: int) -> Page:
        if path.name == "a.html":
            raise ZeroDivisionError("oops")
        return read_file(path, max_bytes=max_bytes)

    monkeypatch.setattr("webquarry.fetching.downloads.read_file", broken)
    (folder / "sound.html").write_text("<p>sound")
    failure, page = fetch_all([folder / "a.html", folder / "sound.html"])
    assert isinstance(failure, Failure)
    assert failure.error == f"{folder / 'a.html'}: unexpected ZeroDivisionError (oops); please report it"
    assert isinstance(page, Page)


# One page


def test_one_page_from_a_file(folder: Path) -> None:
    assert fetch(folder / "a.html") == fetch(str(folder / "a.html")) == fetch((folder / "a.html").as_uri())


def test_one_page_from_a_folder_or_an_archive_of_one(tmp_path: Path, archive: Archive) -> None:
    (tmp_path / "a.warc").write_bytes(archive.page(1))
    assert fetch(tmp_path / "a.warc").url == "http://example.org/1"
    (tmp_path / "a.html").touch()
    assert fetch(tmp_path).url == (tmp_path / "a.html").as_uri()


def test_several_pages_are_for_fetch_all(folder: Path, archive: Archive) -> None:
    (folder / "a.warc").write_bytes(archive.page(1) + archive.page(2))
    for source in (folder, folder / "a.warc"):
        with pytest.raises(InputError, match="it holds several pages; use fetch_all"):
            fetch(source)


@pytest.mark.parametrize("source", ["gone.html", "gone.warc", "ftp://x/", ""])
def test_one_page_that_is_not_there_raises(source: str) -> None:
    with pytest.raises(InputError):
        fetch(source)


def test_one_page_by_http_raises_what_went_wrong(server: Server, policy: Policy) -> None:
    with pytest.raises(FetchError, match="404"):
        fetch(server.url("/gone"), policy=policy)


def test_requests_a_second_are_limited_on_loopback_too(
    server: Server, policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    intervals: list[float] = []

    def book(_timetable: object, _host: str, interval: float) -> float:
        intervals.append(interval)
        return 0.0

    monkeypatch.setattr("webquarry.fetching.robots.Timetable.book", book)
    server.routes["/a"] = server.answer()
    for rate in (Policy().requests_per_second, math.inf):
        fetch(server.url("/a"), policy=replace(policy, requests_per_second=rate, ignore_robots=True, refresh=True))
    assert intervals == [0.25, 0.0]


def test_files_are_read_without_the_libraries_of_the_network(folder: Path) -> None:
    code = "import sys, webquarry.fetching.downloads as f; list(f.fetch_all(sys.argv[1:])); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=True)
    assert not {"httpx2", "httpcore2", "hishel", "sqlite3", "fastwarc", "ssl"} & set(done.stdout.split())


def test_a_slow_host_leaves_threads_to_the_others() -> None:
    patience, lanes, released = 60, Lanes(per_host=4), threading.Event()
    page = Page("http://quick.test/", b"")
    try:
        slow = [lanes.submit("slow.test", lambda: released.wait(patience) and page) for _ in range(2 * WORKERS)]
        quick = [lanes.submit("quick.test", lambda: page) for _ in range(WORKERS)]
        assert [each.result(patience) for each in quick] == [page] * WORKERS
        assert not any(each.done() for each in slow)
        released.set()
        assert [each.result(patience) for each in slow] == [page] * 2 * WORKERS
    finally:
        released.set()
        lanes.close()
    assert no_thread_is_left()
