"""Work through shards on a Ray cluster: a task for each shard, which Ray restarts if its machine is lost."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from webquarry.batching.shard_files import ShardReport, ShardRun, UnreadShard
from webquarry.batching.shards import ADDRESSES, Shard
from webquarry.batching.stores import WEB, OutputFolder, scheme_of
from webquarry.errors import InputError

RETRIES = 5
"""The number of times that Ray restarts a shard after its process or machine was lost."""
TASKS_AHEAD = 4
"""Tasks per worker that are submitted at a time: the driver would hold a whole queue in memory."""
LOOPBACK = "127.0.0.1"
CONNECT_SECONDS = 10.0
"""Time in which a cluster must answer."""
_QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "AWS_EC2_METADATA_DISABLED": "true"}
"""Turns off usage reports, and requests of our own to the metadata address of clouds."""
_HERE = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # loopback is the address of a node, not replaced by the machine's
    "RAY_USAGE_STATS_REPORT_URL": f"http://{LOOPBACK}:9/",  # where Ray would report that usage reports are off
}
"""Keeps a cluster on this machine."""
_CLUSTER_FILE = "ray_bootstrap_config.yaml"
"""The description of a cluster in the cloud, which Ray's head looks for in the home folder."""
_USUAL_HOME = "WEBQUARRY_HOME_OUTSIDE_RAY"
"""The variable with the home folder of the user, where Ray has another."""


@dataclass(frozen=True)
class RayEngine:
    """An engine that works through shards on a Ray cluster; without an address it starts one on this machine."""

    address: str | None = None

    def __call__(
        self,
        run: ShardRun,
        shards: Sequence[Shard],
        folder: OutputFolder,
        progress: Callable[[int, int], None] | None = None,
    ) -> Iterator[ShardReport | UnreadShard]:
        """Yield a report for each shard as soon as its file is written."""
        if any(shard.kind == ADDRESSES for shard in shards):
            raise InputError(
                "--engine ray does not fetch addresses, because a single machine must keep the pace of each host; "
                "fetch them first with quarry fetch INPUT... -o pages.warc.gz"
            )
        if scheme_of(folder.place) in WEB:
            raise InputError(f"{folder.place}: name a shared folder or an object store")
        place = str(folder.path.absolute()) if folder.is_local else folder.place
        with nullcontext() if self.address else staying_here():
            ray = _connect(self.address)
            try:
                yield from _run(ray, run, shards, place, progress)
            finally:
                ray.shutdown()


@contextmanager
def staying_here() -> Iterator[None]:
    """Keep a cluster that is started in the block on loopback; Ray must not be imported before.

    Even without usage reports, its head asks the metadata address of clouds where it is, unless it finds a file in the
    home folder.  So all processes of Ray get another home folder; work on shards has the usual one.
    """
    with TemporaryDirectory(prefix="webquarry-ray-") as home, ExitStack() as stack:
        (Path(home) / _CLUSTER_FILE).write_text("{}")
        for name, value in {**_QUIET, **_HERE, "HOME": home, _USUAL_HOME: str(Path.home())}.items():
            stack.callback(_set_variable, name, os.environ.get(name))
            os.environ[name] = value
        yield


def _set_variable(name: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


def _connect(address: str | None) -> Any:
    _check_address(address)
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    here: dict[str, Any] = {"_node_ip_address": LOOPBACK} if _USUAL_HOME in os.environ else {}
    try:
        ray = import_module("ray")
    except ImportError as error:
        raise InputError("--engine ray needs Ray; get it with: pip install 'webquarry[ray]'") from error
    try:
        ray.init(
            address=address or "local",
            **({} if address else {"include_dashboard": False}),
            **here,
            log_to_driver=False,
            logging_level="ERROR",
            runtime_env={"env_vars": dict(_QUIET)},
        )
    except (ConnectionError, RuntimeError, ValueError) as error:
        where = f"the Ray cluster at {address} cannot be reached" if address else "Ray does not start"
        raise InputError(f"{where} ({str(error).strip().splitlines()[0]})") from error
    return ray


def _check_address(address: str | None) -> None:
    """Raise if nobody answers there: Ray itself would try for minutes, and then end the process."""
    host, colon, port = (address or "").removeprefix("ray://").rpartition(":")
    if not colon or not port.isdigit():
        return  # a name such as auto
    try:
        socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
    except OSError as error:
        raise InputError(
            f"the Ray cluster at {address} cannot be reached ({error.strerror or error}); start it: ray start --head"
        ) from error


def _run(
    ray: Any, run: ShardRun, shards: Sequence[Shard], place: str, progress: Callable[[int, int], None] | None
) -> Iterator[ShardReport | UnreadShard]:
    work = ray.remote(num_cpus=run.workers.workers, max_retries=RETRIES)(run_shard)
    shared = ray.put(run)
    todo, under_way = iter(shards), dict[Any, Shard]()
    most = max(1, int(TASKS_AHEAD * ray.cluster_resources().get("CPU", 1)))
    pages = failed = 0
    while True:
        for shard in todo:
            under_way[work.remote(shared, shard, place)] = shard
            if len(under_way) >= most:
                break
        if not under_way:
            return
        (ready,), _ = ray.wait([*under_way], num_returns=1)
        shard = under_way.pop(ready)
        try:
            report = ray.get(ready)
        except ray.exceptions.RayError as error:
            report = UnreadShard(shard.name, f"{shard.input}: Ray lost it ({str(error).strip().splitlines()[0]})")
        if isinstance(report, ShardReport) and progress is not None:
            pages, failed = pages + report.pages, failed + report.failed
            progress(pages, failed)
        yield report


def run_shard(run: ShardRun, shard: Shard, place: str) -> ShardReport | UnreadShard:
    """Work through one shard, on any machine of the cluster."""
    _set_variable("HOME", os.environ.get(_USUAL_HOME, os.environ.get("HOME")))
    folder = OutputFolder(place)
    folder.prepare()
    reports = run.run([shard], folder)
    try:
        return next(reports)
    finally:
        with suppress(RuntimeError):
            reports.close()  # type: ignore[attr-defined]
