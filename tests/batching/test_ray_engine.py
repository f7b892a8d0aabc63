"""Batches on a cluster of three Ray nodes, each a set of processes; collected by `make test-ray`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
from tests.batching.conftest import run_in_lonely_network, stories, titles_in, write_archive, write_folder

from webquarry.batching.batch_run import Batch
from webquarry.batching.page_tasks import BatchTask
from webquarry.batching.ray_engine import LOOPBACK, RayEngine, staying_here
from webquarry.batching.stores import OutputFolder
from webquarry.errors import InputError
from webquarry.pipeline.worker_pool import Workers

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray leaves files and sockets to the end of the process


class Cluster:
    """A head and two more nodes on loopback, with one core each."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster as Nodes

        each = {"num_cpus": 1, "node_ip_address": LOOPBACK}
        self.nodes = Nodes(initialize_head=True, head_node_args={**each, "include_dashboard": False})
        self.others = [self.nodes.add_node(**each) for _ in range(2)]

    def run(self, out, inputs, tell=None, task=None):
        batch = Batch(OutputFolder(str(out)), {}, Workers(1))
        engine = RayEngine(self.nodes.address)
        return batch.start(task or BatchTask("read"), [*map(str, inputs)], pages=1000, engine=engine, tell=tell)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with staying_here():
        started = Cluster()
        yield started
        started.nodes.shutdown()


def archives(folder, count, pages=20):
    return [
        write_archive(folder / f"{number:02d}.warc.gz", stories(pages, first=pages * number)) for number in range(count)
    ]


def test_shards_are_worked_through_by_the_cluster_and_not_twice(cluster, tmp_path):
    inputs = archives(tmp_path, 4)
    state = cluster.run(tmp_path / "out", inputs)
    assert (state.finished, state.rows, state.failures) == (4, 80, {})
    assert titles_in(tmp_path / "out") == [f"Story {number}" for number in range(80)]
    told = []
    assert cluster.run(tmp_path / "out", inputs, tell=lambda *each: told.append(each)).rows == 80
    assert told == []


def test_a_node_that_is_lost_loses_no_row_and_doubles_none(cluster, tmp_path):
    def lose_a_node(report, state):
        if cluster.others:
            cluster.nodes.remove_node(cluster.others.pop(), allow_graceful=False)

    state = cluster.run(tmp_path / "out", archives(tmp_path, 9, pages=40), tell=lose_a_node)
    assert (state.finished, state.rows, state.unread) == (9, 360, ())
    assert sorted(titles_in(tmp_path / "out")) == sorted(f"Story {number}" for number in range(360))
    assert not list((tmp_path / "out").glob(".quarry-*"))


def test_addresses_are_refused(cluster, tmp_path):
    with pytest.raises(InputError, match="quarry fetch"):
        cluster.run(tmp_path / "out", ["https://news.example/1"])


def test_a_cluster_that_is_not_there_is_said(tmp_path):
    batch = Batch(OutputFolder(str(tmp_path / "out")), {}, Workers(1))
    folder = write_folder(tmp_path / "pages", 2)
    with pytest.raises(InputError, match=r"the Ray cluster at 127\.0\.0\.1:1 cannot be reached"):
        batch.start(BatchTask("read"), [str(folder)], pages=10, engine=RayEngine("127.0.0.1:1"))


@pytest.mark.skipif(os.geteuid() != 0, reason="a network of its own needs root")
def test_a_cluster_that_a_batch_starts_sends_nothing_but_to_loopback(tmp_path):
    inputs = archives(tmp_path, 2)
    command = [sys.executable, "-m", "webquarry", "batch", "read", *map(str, inputs), "-o", str(tmp_path / "out")]
    done = run_in_lonely_network([*command, "--engine", "ray"])
    assert (done.returncode, done.stdout.split()) == (0, [])
    assert done.stderr.splitlines()[-1] == f"40 rows of 40 pages in {tmp_path / 'out'}"
    assert len(titles_in(tmp_path / "out")) == 40


@pytest.mark.skipif(os.geteuid() != 0, reason="a network of its own needs root")
def test_the_cluster_of_these_tests_sends_nothing_but_to_loopback():
    done = run_in_lonely_network([sys.executable, "-m", "pytest", "-q", __file__, "-k", "not_twice"])
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "")


@pytest.mark.skipif(os.geteuid() != 0, reason="a network of its own needs root")
def test_what_is_sent_out_of_loopback_is_seen():
    script = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.9', 9))"
    assert run_in_lonely_network([sys.executable, "-c", script]).stdout.split() == ["192.0.2.9"]
