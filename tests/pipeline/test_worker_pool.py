"""Workers that die, hang or grow: only their page fails, and nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial
from operator import itemgetter
from pathlib import Path

import pytest

import webquarry as wq
from webquarry.errors import WebquarryError
from webquarry.model.page import Failure, Page
from webquarry.pipeline import worker_pool
from webquarry.pipeline.fetch_pages import Cleaning
from webquarry.pipeline.page_guard import PageWork
from webquarry.pipeline.worker_pool import Pool, Workers, work_apart
from webquarry.pipeline.worker_process import GivenPages

FATES = ("kill", "crash", "hang", "loop", "grow", "raise", "exit", "leave")
FIRST = itemgetter(slice(0, 1))


@pytest.fixture
def hostile(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    import hostile_work

    monkeypatch.setattr(worker_pool, "GRACE_SECONDS", 0.2)
    return hostile_work


def pages_of(*texts: str) -> list[Page]:
    return [Page(url=f"https://example.org/{n}", body=f"<p>{text}".encode()) for n, text in enumerate(texts)]


def tight(workers: int = 2) -> Workers:
    return Workers(workers, page_timeout=0.4, page_memory=150 * 2**20)


def test_each_fate_of_a_worker_costs_one_page_and_the_order_stays(hostile):
    texts = [fate if place == 5 else f"well {place}" for fate in FATES for place in range(10)]
    given = [Failure("gone", "gone: not fetched"), *pages_of(*texts)]
    first, *results = work_apart(given, PageWork(hostile.work, Cleaning()), tight())
    assert first == Failure("gone", "gone: not fetched")
    assert [each for each in results if not isinstance(each, Failure)] == [
        f"did {text}" for text in texts if text.startswith("well")
    ]
    failed = {text: each for text, each in zip(texts, results, strict=True) if isinstance(each, Failure)}
    assert list(failed) == list(FATES)
    assert {fate: failure.kind for fate, failure in failed.items()} == {
        "kill": "died",
        "crash": "died",
        "hang": "limit",
        "loop": "limit",
        "grow": "limit",
        "raise": "internal",
        "exit": "died",
        "leave": "died",
    }
    assert "SIGKILL" in failed["kill"].error
    assert "SIGSEGV" in failed["crash"].error
    assert "bad page" in failed["raise"].error
    assert all(failure.error.startswith(failure.page) for failure in failed.values())


def test_pages_that_are_worked_on_together_lose_only_the_one_that_kills(hostile):
    texts = ["well 0", "kill", "well 2", "well 3", "well 4", "leave"]
    work = PageWork(hostile.work, Cleaning(), together=hostile.together, group=4)
    results = list(work_apart(pages_of(*texts), work, tight(1)))
    assert [isinstance(each, Failure) for each in results] == [text in ("kill", "leave") for text in texts]
    assert [each for each in results if not isinstance(each, Failure)] == [
        "3: did well 0",
        "3: did well 2",
        "3: did well 3",
        "1: did well 4",
    ]


def test_pages_of_a_group_are_worked_on_once_whatever_others_kill(hostile, tmp_path):
    texts = [f"count {tmp_path / str(n)}" for n in range(12)]
    texts[2:2] = texts[6:6] = texts[10:10] = ["crash"]
    work = PageWork(hostile.work, Cleaning(), together=hostile.together, group=30)
    results = list(work_apart(pages_of(*texts), work, tight(1)))
    assert [isinstance(each, Failure) for each in results] == [text == "crash" for text in texts]
    assert {each.partition(":")[0] for each in results if not isinstance(each, Failure)} == {"12"}
    assert [(tmp_path / str(n)).read_text() for n in range(12)] == ["x"] * 12


@pytest.mark.parametrize("fate", ["crash", "leave"])
def test_a_page_that_ends_its_process_by_itself_is_not_tried_again(hostile, tmp_path, fate):
    first, second = work_apart(
        pages_of(f"tell {fate} {tmp_path / 'tries'}", "well"), PageWork(hostile.work, Cleaning()), tight(1)
    )
    assert (first.kind, second) == ("died", "did well")
    assert (tmp_path / "tries").read_text() == "x"


def test_a_page_whose_process_was_ended_from_outside_is_tried_again(hostile, tmp_path):
    texts = [f"once {tmp_path / str(number)}" for number in range(3)]
    results = list(work_apart(pages_of(*texts), PageWork(hostile.work, Cleaning()), tight()))
    assert results == [f"did {text}" for text in texts]


def test_pages_that_are_worked_on_together_survive_some_kills(hostile, tmp_path):
    together = partial(hostile.die_together, str(tmp_path / "tries"), worker_pool.TRIES + 1)
    work = PageWork(hostile.work, Cleaning(), together=together, group=3)
    assert list(work_apart(pages_of("well 0", "well 1"), work, tight(1))) == ["did well 0", "did well 1"]


def test_results_of_a_job_come_in_order_whichever_job_ends_first(hostile):
    jobs = [GivenPages(pages_of(*(f"well {job}.{n}" for n in range(3)))) for job in range(6)]
    done = dict(Pool(PageWork(hostile.work, Cleaning()), tight()).run(jobs))
    assert done == {job: [f"did well {job}.{n}" for n in range(3)] for job in range(6)}


def test_what_a_worker_gathers_of_a_job_is_the_same_after_a_death(hostile):
    work = PageWork(hostile.work, Cleaning(), gather=hostile.gather)
    jobs = [GivenPages(pages_of("well 0", "crash", "well 2", "leave", "well 4"))]
    told = []
    pool = Pool(work, tight(1), progress=lambda pages, failed: told.append((pages, failed)))
    assert list(pool.run(jobs)) == [(0, "0 did well 0, 1 failed, 2 did well 2, 3 failed, 4 did well 4")]
    assert told[-1] == (5, 2)


def test_pages_fail_together_if_their_worker_dies_of_all_of_them(hostile):
    work = PageWork(hostile.work, Cleaning(), together=hostile.crash_together, group=3)
    results = list(work_apart(pages_of("well 0", "raise", "die 2", "well 3", "well 4"), work, tight(1)))
    assert [isinstance(each, Failure) and each.kind for each in results] == ["died", "internal", "died", False, False]
    assert results[0].error.startswith("https://example.org/0: its worker was ended by SIGSEGV with 2 pages together")


def test_rendered_pages_do_not_wait_for_others(hostile):
    rendering = PageWork(hostile.work, hostile.Loading())
    assert list(map(len_of, worker_pool._cut(pages_of(*"abc"), rendering))) == [1, 1, 1]
    assert list(map(len_of, worker_pool._cut(pages_of(*"abc"), PageWork(hostile.work, Cleaning())))) == [3]


def len_of(job):
    return len(job.given)


def test_closing_the_results_ends_the_workers(hostile):
    results = work_apart(pages_of(*["well"] * 40), PageWork(hostile.work, Cleaning()), tight())
    next(results)
    before = child_workers()
    results.close()
    assert before
    assert not [pid for pid in before if is_alive(pid)]


def child_workers() -> list[int]:
    """The processes that were forked by the server of this one."""
    from multiprocessing import forkserver

    server = forkserver._forkserver._forkserver_pid
    return [int(n.name) for n in Path("/proc").glob("[0-9]*") if parent_of(n) == server]


def parent_of(process: Path) -> int:
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def is_alive(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_function_that_workers_cannot_import_is_said(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import webquarry as wq\n"
        "def first(regions): return regions[:1]\n"
        "page = wq.Page(url='https://example.org/', body=b'<p>One')\n"
        "list(wq.mine_all(wq.clean_all([page]), choose=first, workers=2))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert "define it in a module" in done.stderr.splitlines()[-1]


def test_a_script_without_a_guard_can_have_workers(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import webquarry as wq\n"
        "pages = [wq.Page(url=f'https://example.org/{n}', body=b'<p>One') for n in range(20)]\n"
        "print(len(list(wq.read_all(wq.clean_all(pages), workers=2))))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("20\n", "")


def test_workers_end_when_their_supervisor_is_killed(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "import hostile_work, webquarry as wq\n"
        "from webquarry.pipeline.fetch_pages import Cleaning\n"
        "from webquarry.pipeline.page_guard import PageWork\n"
        "from webquarry.pipeline.worker_pool import Pool, Workers, _Task\n"
        "from webquarry.pipeline.worker_process import Assignment, GivenPages\n"
        "pages = [wq.Page(url='https://example.org/', body=b'<p>hang')]\n"
        "pool = Pool(PageWork(hostile_work.work, Cleaning()), Workers(2))\n"
        "pool._find_idle().begin(_Task(0, Assignment(GivenPages(pages))))\n"
        "print(*pool.process_ids, flush=True)\n"
        "import time; time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as process:
        workers = [int(pid) for pid in process.stdout.readline().split()]
        assert workers
        time.sleep(0.3)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    end = time.monotonic() + 20
    while any(is_alive(pid) for pid in workers):
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("workers", [{"workers": 2}, {"workers": 1, "page_timeout": 30.0}])
def test_workers_give_the_same_results_in_the_same_order(workers):
    folder = [*wq.fetch_all(["examples/news", "examples/shops/kettleby"]), Failure("gone", "gone: not there")]
    wrapper = wq.wrap([wq.clean(wq.fetch(f"examples/factbook/geos/{code}.html")) for code in ("am", "bv")], name="f")
    facts = [*wq.fetch_all(["examples/factbook/geos"])]
    for each in (
        lambda **crew: wq.read_all(wq.clean_all(folder), **crew),
        lambda **crew: wq.read_all(wq.clean_all(folder), method="blocks", **crew),
        lambda **crew: wq.read_all([wq.clean(page) for page in folder[:-1]], **crew),
        lambda **crew: wq.clean_all(folder, **crew),
        lambda **crew: wq.extract_all(wrapper, facts, **crew),
        lambda **crew: wq.extract_all(wrapper, wq.clean_all(facts), only=["geography"], **crew),
    ):
        assert list(each(**workers)) == list(each())
    mined, apart = (list(wq.mine_all(wq.clean_all(folder), choose=FIRST, **crew)) for crew in ({}, workers))
    assert list(map(plain, mined)) == list(map(plain, apart))


def plain(result):
    return result if isinstance(result, Failure) else result.to_dict()


def test_logs_of_workers_reach_the_caller(caplog, tmp_path):
    pages = [wq.Page(url=f"https://example.org/{n}", body=b"<p>One short text") for n in range(2)]
    with caplog.at_level("INFO", logger="webquarry"):
        list(wq.read_all(wq.clean_all(pages), workers=2))
    assert any("read alone" in record.getMessage() for record in caplog.records)


def test_a_new_worker_has_loaded_what_pages_of_archives_need(hostile):
    work = PageWork(hostile.list_modules, hostile.ListingModules())
    ((_, [modules]),) = Pool(work, tight(1)).run([GivenPages(pages_of("one"))])
    assert {"fastwarc.warc", "encodings.utf_8_sig", "encodings.utf_32_le"} <= {*modules}


def test_a_worker_whose_end_is_told_late_is_not_blamed_on_its_page(hostile, monkeypatch, tmp_path):
    monkeypatch.setattr(worker_pool, "GRACE_SECONDS", 0)
    results = list(
        work_apart(pages_of(f"once {tmp_path / 'page'}", "well 1"), PageWork(hostile.work, Cleaning()), tight(1))
    )
    assert results == [f"did once {tmp_path / 'page'}", "did well 1"]


def test_less_than_one_worker_is_refused():
    with pytest.raises(ValueError, match="1 or more"):
        wq.mine_all([], workers=0)


@pytest.mark.parametrize(("deaths", "is_read"), [(5, True), (worker_pool.TRIES_BEFORE_MANY, False)])
def test_workers_that_are_killed_before_they_reach_a_page_are_replaced(hostile, tmp_path, deaths, is_read):
    job = hostile.KilledReading(pages_of("well 0", "well 1"), str(tmp_path / "reads"), deaths)
    ((_, results),) = Pool(PageWork(hostile.work, Cleaning()), tight(1)).run([job])
    assert results == ["did well 0", "did well 1"] if is_read else [each.kind for each in results] == ["unread"]


def test_a_page_is_not_blamed_for_workers_that_are_killed_before_they_reach_it(hostile, tmp_path):
    pages = pages_of(f"once {tmp_path / 'page'}", "well 1")
    job = hostile.KilledReading(pages, str(tmp_path / "reads"), deaths=5, spared=1)
    ((_, results),) = Pool(PageWork(hostile.work, Cleaning()), tight(1)).run([job])
    assert results == [f"did once {tmp_path / 'page'}", "did well 1"]


def test_a_worker_that_cannot_start_is_replaced(hostile, tmp_path):
    work = PageWork(hostile.work, hostile.Faltering(str(tmp_path / "starts"), 2))
    assert list(work_apart(pages_of("well 0", "well 1"), work, tight(1))) == ["did well 0", "did well 1"]


def test_an_error_that_concerns_all_pages_is_raised(hostile):
    work = PageWork(hostile.work, hostile.Missing())
    with pytest.raises(WebquarryError, match="no browser"):
        list(work_apart(pages_of("a"), work, tight()))
