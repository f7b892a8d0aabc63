"""Batches on a cluster of three Ray nodes, each a set of processes; collected by `make test-ray`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from tests.batching.conftest import stories, titles_in, write_archive, write_folder

from webquarry.batching.batch_run import Batch
from webquarry.batching.page_tasks import BatchTask
from webquarry.batching.ray_engine import RayEngine
from webquarry.batching.stores import OutputFolder
from webquarry.errors import InputError
from webquarry.pipeline.worker_pool import Workers

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray leaves files and sockets to the end of the process


class Cluster:
    """A head and two more nodes, with one core each."""

    def __init__(self) -> None:
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        from ray.cluster_utils import Cluster as Nodes

        head = {"num_cpus": 1, "include_dashboard": False}
        self.nodes = Nodes(initialize_head=True, head_node_args=head)
        self.others = [self.nodes.add_node(num_cpus=1) for _ in range(2)]

    def run(self, out, inputs, tell=None, task=None):
        batch = Batch(OutputFolder(str(out)), {}, Workers(1))
        engine = RayEngine(self.nodes.address)
        return batch.start(task or BatchTask("read"), [*map(str, inputs)], pages=1000, engine=engine, tell=tell)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
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
def test_a_cluster_that_a_batch_starts_needs_no_network_but_loopback(tmp_path):
    inputs = archives(tmp_path, 2)
    command = [sys.executable, "-m", "webquarry", "batch", "read", *map(str, inputs), "-o", str(tmp_path / "out")]
    alone = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    done = subprocess.run([*alone, *command, "--engine", "ray"], capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stderr.decode().splitlines()[-1] == f"40 rows of 40 pages in {tmp_path / 'out'}"
    assert len(titles_in(tmp_path / "out")) == 40
