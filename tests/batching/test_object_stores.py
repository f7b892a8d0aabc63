"""Batches from and to S3, as moto's server plays it on loopback; collected by `make test-ray`."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError

import pyarrow.parquet as pq
import pytest
from tests.batching.conftest import article, run_in_lonely_network, stories, write_archive

from webquarry.batching import stores
from webquarry.batching.batch_run import Batch, BatchState
from webquarry.batching.page_tasks import BatchTask
from webquarry.batching.stores import CLAIMS, OutputFolder, open_store
from webquarry.errors import InputError
from webquarry.pipeline.worker_pool import Workers

SERVER = Path(sys.prefix) / "s3" / "bin" / "moto_server"
PORT = 15_739


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    place = f"http://127.0.0.1:{PORT}"
    process = subprocess.Popen(
        [SERVER, "-H", "127.0.0.1", "-p", str(PORT)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + 120
    while True:
        assert process.poll() is None
        assert time.monotonic() < end
        try:
            urllib.request.urlopen(urllib.request.Request(f"{place}/crawls", method="PUT")).close()
        except URLError:
            time.sleep(0.1)
        else:
            break
    yield place
    process.terminate()
    process.wait()


@pytest.fixture
def store(endpoint, monkeypatch):
    keys = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1"}
    for name, value in {**keys, "AWS_ENDPOINT_URL": endpoint}.items():
        monkeypatch.setenv(name, value)
    return open_store("s3://crawls")[0]


def put(store, name: str, content: bytes) -> None:
    with store.open_output_stream(f"crawls/{name}", compression=None) as stream:
        stream.write(content)


def start(out: str, *inputs: str, workers: int = 1, **options) -> BatchState:
    return Batch(OutputFolder(out), {}, Workers(workers)).start(BatchTask("read"), inputs, pages=10, **options)


def test_archives_and_pages_of_a_store_become_tables_in_it(store, tmp_path):
    put(store, "in/a.warc.gz", write_archive(tmp_path / "a.warc.gz", stories(12)).read_bytes())
    for number in range(12, 15):
        put(store, f"in/pages/{number}.html", article(number).encode())
    state = start("s3://crawls/out", "s3://crawls/in/", workers=2)
    assert (state.rows, state.failures) == (15, {})
    table = pq.read_table("crawls/out", filesystem=store)
    assert sorted(table["title"].to_pylist()) == sorted(f"Story {number}" for number in range(15))
    assert "s3://crawls/in/pages/12.html" in table["_page"].to_pylist()


def test_a_batch_in_a_store_is_resumed_and_restarted(store, tmp_path):
    put(store, "more/a.warc.gz", write_archive(tmp_path / "a.warc.gz", stories(3)).read_bytes())
    start("s3://crawls/resumed", "s3://crawls/more/")
    told = []
    state = start("s3://crawls/resumed", "s3://crawls/more/", tell=lambda *each: told.append(each))
    assert (state.rows, told) == (3, [])
    assert start("s3://crawls/resumed", "s3://crawls/more/", restart=True).rows == 3
    assert Batch(OutputFolder("s3://crawls/resumed"), {}, Workers()).state().finished == 1


def test_a_second_run_on_the_same_folder_is_refused(store):
    put(store, "claimed/1.html", article(1).encode())
    refused = []

    def start_another(report, state):
        with pytest.raises(InputError, match=rf"another batch is writing there \(process {os.getpid()} on ") as error:
            start("s3://crawls/out4", "s3://crawls/claimed/")
        refused.append(error)

    assert start("s3://crawls/out4", "s3://crawls/claimed/", tell=start_another).rows == 1
    assert refused
    assert OutputFolder("s3://crawls/out4").list_names(CLAIMS) == []
    assert start("s3://crawls/out4", "s3://crawls/claimed/").rows == 1


@pytest.mark.parametrize(
    ("host", "seconds", "is_refused"),
    [(socket.gethostname(), 60, False), ("another", 60, True), ("another", -1, False)],
)
def test_a_run_that_was_killed_is_not_waited_for_longer_than_needed(store, monkeypatch, host, seconds, is_refused):
    monkeypatch.setattr(stores, "STALE_SECONDS", seconds)
    out = OutputFolder(f"s3://crawls/out-{host}-{seconds}")
    with subprocess.Popen(["true"]) as ended:
        pass
    out.write(f"{CLAIMS}/x.json", json.dumps({"host": host, "process": ended.pid, "started": "1"}).encode())
    put(store, "once/1.html", article(1).encode())
    if is_refused:
        with pytest.raises(InputError, match=f"process {ended.pid} on another"):
            start(out.place, "s3://crawls/once/")
        assert out.list_names(CLAIMS) == ["x.json"]
    else:
        assert start(out.place, "s3://crawls/once/").rows == 1
        assert out.list_names(CLAIMS) == []


def test_a_claim_is_renewed_while_the_run_lasts(store, monkeypatch):
    monkeypatch.setattr(stores, "RENEW_SECONDS", 0.05)
    out = OutputFolder("s3://crawls/out5")
    with stores.claimed(out):
        (name,) = out.list_names(CLAIMS)
        store.delete_file(f"crawls/out5/{CLAIMS}/{name}")
        end = time.monotonic() + 60
        while out.list_names(CLAIMS) != [name]:
            assert time.monotonic() < end
            time.sleep(0.02)


@pytest.mark.skipif(os.geteuid() != 0, reason="a network of its own needs root")
def test_the_metadata_address_is_not_asked_for_keys(monkeypatch, tmp_path):
    for name in [*os.environ]:
        if name.startswith("AWS_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("HOME", str(tmp_path))
    done = run_in_lonely_network([sys.executable, "-m", "webquarry", "batch", "read", "s3://a/b/", "-o", "s3://a/c"])
    assert (done.returncode, done.stdout.split()) == (1, [])
    assert done.stderr.count("\n") == 1


def test_what_is_not_there_is_said(store):
    with pytest.raises(InputError, match="no objects at this address"):
        start("s3://crawls/out2", "s3://crawls/gone/")
    put(store, "one/1.html", b"<p>One")
    with pytest.raises(InputError, match=r"cannot be written .*NO_SUCH_BUCKET"):
        start("s3://gone/out", "s3://crawls/one/")


def test_an_object_that_is_gone_since_the_batch_was_planned_fails_alone(store):
    for number in range(2):
        put(store, f"vanishing/{number}.html", article(number).encode())

    class Vanishing:
        def __call__(self, run, shards, folder, progress):
            store.delete_file("crawls/vanishing/1.html")
            return run.run(shards, folder, progress)

    state = start("s3://crawls/out3", "s3://crawls/vanishing/", engine=Vanishing())
    assert (state.rows, state.failures) == (1, {"input": 1})
