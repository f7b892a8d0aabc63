"""The journal of a worker, which its successor reads."""

from __future__ import annotations

import os
import pickle
import tempfile
from types import SimpleNamespace

import pytest

from webquarry.errors import WebquarryError
from webquarry.model.page import Page
from webquarry.pipeline.page_guard import PageWork
from webquarry.pipeline.worker_process import Assignment, GivenPages, Journal, Packed, _JobRun


@pytest.fixture
def journal():
    journal = Journal()
    yield journal
    journal.close()


def read(journal):
    """Return the results, the drafts and the failures that a journal has."""
    kept = journal.read()
    load = [[(position, journal.load(each)) for position, each in made] for made in (kept.results, kept.drafts)]
    return *load, kept.failed


def test_results_replace_the_drafts_before_them(journal):
    journal.clear()
    journal.add([(0, Packed(b"a"))], 0, are_drafts=True)
    journal.add([(1, Packed(b"b"))], 1, are_drafts=True)
    assert read(journal) == ([], [(0, b"a"), (1, b"b")], 1)
    journal.add([(0, Packed(b"A")), (1, Packed(b"B"))], 1)
    journal.add([(2, Packed(b"c"))], 1, are_drafts=True)
    assert read(journal) == ([(0, b"A"), (1, b"B")], [(2, b"c")], 1)


def test_an_entry_that_death_cut_off_is_forgotten(journal):
    journal.clear()
    journal.add([(0, Packed(b"a"))], 0)
    whole = size_of(journal)
    journal.add([(1, Packed(b"b" * 100))], 0)
    for size in range(whole, size_of(journal)):
        assert read(journal)[0] == [(0, b"a"), (1, b"b" * 100)]
        journal._file.truncate(size)
        assert read(journal) == ([(0, b"a")], [], 0)
        assert size_of(journal) == whole
        journal.add([(1, Packed(b"b" * 100))], 0)
    journal._file.truncate(whole)
    journal.add([(1, Packed(b"c"))], 0)
    assert read(journal)[0] == [(0, b"a"), (1, b"c")]


def size_of(journal):
    return os.fstat(journal._file.fileno()).st_size


def test_a_full_disk_is_an_error_that_says_what_to_do(journal, monkeypatch):
    folder = tempfile.gettempdir()
    copied = journal.__getstate__()[0], SimpleNamespace(detach=lambda: os.open("/dev/full", os.O_RDWR))
    monkeypatch.setattr(tempfile, "tempdir", "/elsewhere")  # where a worker finds room
    full = Journal.__new__(Journal)
    full.__setstate__(copied)
    with pytest.raises(WebquarryError, match=rf"{folder}: cannot be written \(No space left on device\); make room"):
        full.add([(0, Packed(b"a"))], 0)
    full.close()


def test_the_place_is_that_of_the_last_mark(journal):
    journal.clear()
    assert (journal.place.done, journal.place.pages) == (0, 0)
    journal.add([(0, Packed(b"a"))], 0)
    journal.mark(1, 1, 7, are_together=True)
    place = journal.place
    assert (place.done, place.failed, place.pages, place.are_together) == (1, 1, 7, True)
    assert place.held > 0
    assert read(journal)[0] == [(0, b"a")]


@pytest.mark.parametrize("gather", [None, dict])
def test_a_successor_reads_the_results_before_it_when_its_job_is_done(journal, monkeypatch, gather):
    journal.clear()
    journal.add([(0, Packed(pickle.dumps("did 0")))], 0)
    done = []
    read_journal = Journal.load
    monkeypatch.setattr(Journal, "load", lambda *given: done.append("journal") or read_journal(*given))

    def act(page):
        done.append(page.url)
        return f"did {page.url}"

    job = GivenPages([Page(url=str(number), body=b"") for number in range(3)])
    made = _JobRun(Assignment(job), PageWork(act, gather=gather), act, journal).run()
    assert done == ["1", "2", "journal"]
    results = [*made.values()] if gather else [*map(pickle.loads, made)]
    assert results == ["did 0", "did 1", "did 2"]
