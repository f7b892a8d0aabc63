"""The rows of a batch in PostgreSQL: each shard once, however often and whenever it is stored."""

from __future__ import annotations

import pytest
from adbc_driver_postgresql import dbapi
from tests.batching.conftest import write_folder

from webquarry.batching.batch_run import Batch, store_batch
from webquarry.batching.page_tasks import BatchTask
from webquarry.batching.stores import OutputFolder
from webquarry.errors import InputError
from webquarry.pipeline.worker_pool import Workers
from webquarry.storing import postgres_store
from webquarry.storing.result_files import Addition, Server


@pytest.fixture
def titles(postgresql):
    def ask(query: str = "SELECT title FROM texts ORDER BY title") -> list[str]:
        with dbapi.connect(postgresql) as connection, connection.cursor() as cursor:
            cursor.execute(query)
            found = [title for (title,) in cursor.fetchall()] if query.startswith("SELECT") else []
            connection.commit()
            return found

    ask("DROP SCHEMA public CASCADE")
    ask("CREATE SCHEMA public")
    return ask


@pytest.fixture
def store(tmp_path, postgresql):
    def run() -> list[tuple[int, bool]]:
        batch = Batch(OutputFolder(str(tmp_path / "out")), {}, Workers())
        return list(store_batch(batch, Server(postgresql), "texts", Addition()))

    return run


def test_shards_are_added_once_and_later_ones_when_they_are_finished(start, store, titles, tmp_path):
    start(write_folder(tmp_path / "a", 25))
    assert store() == [(10, True), (10, True), (5, True)]
    assert store() == [(10, False), (10, False), (5, False)]
    start(tmp_path / "a", write_folder(tmp_path / "b", 4, first=25))
    assert store() == [(10, False), (10, False), (5, False), (4, True)]
    assert len(titles()) == len(set(titles())) == 29


def test_a_run_that_is_cut_off_adds_the_rest_next_time(start, store, titles, tmp_path, monkeypatch):
    start(write_folder(tmp_path / "a", 25))
    append, calls = postgres_store.append_once, []

    def fail_later(*given):
        calls.append(given)
        if len(calls) == 2:
            raise InputError("the connection was lost")
        return append(*given)

    with monkeypatch.context() as patch:
        patch.setattr(postgres_store, "append_once", fail_later)
        with pytest.raises(InputError, match="lost"):
            store()
    assert len(titles()) == 10
    assert store() == [(10, False), (10, True), (5, True)]
    assert len(set(titles())) == 25


def test_refuses_batches_that_cannot_be_stored(start, store, tmp_path):
    with pytest.raises(InputError, match="there is no batch"):
        store()
    start(write_folder(tmp_path / "a", 3), task=BatchTask("read", format="jsonl"))
    with pytest.raises(InputError, match="takes Parquet batches only"):
        store()
