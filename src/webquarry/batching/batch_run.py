"""Run a batch: plan shards, resume an earlier run, retry failed pages, report progress, and fill a database.

    OUT/part-00000.parquet ...    a file for each shard
    OUT/_batch.json               the task and its schema
    OUT/_plan.jsonl               a line for each shard
    OUT/_manifest.jsonl           a line for each finished shard
    OUT/_failed/part-00000.jsonl  the failed pages of a shard

Programs that read a folder of Parquet files as one table skip names that begin with `_`.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2s
from importlib.metadata import version
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import webquarry
from webquarry.batching.page_tasks import (
    PARQUET,
    BatchTask,
    find_schema,
    make_work,
    to_plain_task,
)
from webquarry.batching.shard_files import FAILED, ShardReport, ShardRun, UnreadShard, read_failed_pages
from webquarry.batching.shards import ADDRESSES, FAILED_PAGES, AddressOf, Shard, ShardPages, plan_shards, shard_of
from webquarry.batching.stores import WEB, OutputFolder, scheme_of
from webquarry.errors import InputError
from webquarry.fetching.policy import FetchOptions, Policy
from webquarry.model.page import Failure
from webquarry.model.wording import list_names
from webquarry.pipeline.worker_pool import Pool, Progress, Workers
from webquarry.storing import postgres_store
from webquarry.storing.formats import to_json
from webquarry.storing.result_files import Addition, Server

BATCH, PLAN, MANIFEST = "_batch.json", "_plan.jsonl", "_manifest.jsonl"
SAMPLE_SHARDS, SAMPLE_PAGES = 8, 25
"""The number of shards, and of pages in each, that are sampled to find the columns of mined tables."""
_RETRY = "-retry"


Engine = Callable[[ShardRun, Sequence[Shard], OutputFolder, Progress | None], Iterator[ShardReport | UnreadShard]]
"""A way to work through shards, on this machine or on a cluster; it gives a report for each as soon as its file is
written."""


@dataclass(frozen=True)
class BatchState:
    """The progress of a batch."""

    shards: int
    finished: int
    pages: int
    rows: int
    failures: Mapping[str, int]
    """Counts of failed pages by kind, without those that a retry has read."""
    unread: Sequence[UnreadShard] = ()
    """Shards that could not be read in this run."""
    seconds: float = 0.0
    """Working time on the finished shards, summed over workers."""


Tell = Callable[[ShardReport | UnreadShard, BatchState], None]


class Batch:
    """A batch in its output folder."""

    def __init__(self, folder: OutputFolder, fetching: FetchOptions, workers: Workers) -> None:
        self.folder, self._fetching, self._workers = folder, fetching, workers

    def start(
        self,
        task: BatchTask,
        inputs: Sequence[str],
        *,
        pages: int,
        address_of: AddressOf | None = None,
        engine: Engine = ShardRun.run,
        restart: bool = False,
        keep: bool = False,
        progress: Progress | None = None,
        tell: Tell | None = None,
    ) -> BatchState:
        """Work through the inputs, or resume where the last run stopped.

        `address_of` gives the addresses of saved pages.
        `restart` discards earlier results; `keep` keeps finished shards even if the program, the wrapper or an input
        has changed.
        """
        self.folder.prepare()
        with self.folder.lock():
            if restart:
                self._clear()
            known = self._read_settings()
            shards = self._plan(plan_shards(inputs, pages=pages, address_of=address_of), pages, known, keep=keep)
            if known is None:
                schema = self._find_schema(task, shards)
                self._save(task, inputs, pages, schema)
            else:
                self._check(task, known, keep=keep)
                schema = base64.b64decode(known["schema"])
            return self._work(task, schema, shards, engine=engine, progress=progress, tell=tell)

    def retry(
        self,
        *,
        engine: Engine = ShardRun.run,
        progress: Progress | None = None,
        tell: Tell | None = None,
    ) -> BatchState:
        """Retry the failed pages of finished shards, and write their results to additional files."""
        with self.folder.lock():
            known = self.require_settings()
            task, shards = BatchTask(**known["task"]), self._read_plan()
            reports = self._read_reports()
            again = [*self._plan_retries(reports)]
            for shard in again:
                self.folder.add_line(PLAN, {"shard": shard.name, **shard.to_dict()})
            schema = base64.b64decode(known["schema"])
            everything = [*shards, *again]
            return self._work(task, schema, everything, engine=engine, progress=progress, tell=tell, only=again)

    def state(self) -> BatchState:
        """Report the progress of the batch."""
        self.require_settings()
        return _sum_up(self._read_plan(), self._read_reports())

    def reports(self) -> list[ShardReport]:
        """Return the reports of the finished shards."""
        return [*self._read_reports().values()]

    def require_settings(self) -> dict[str, Any]:
        """Read the task of the batch; raise if there is none."""
        known = self._read_settings()
        if known is None:
            raise InputError(
                f"{self.folder.place}: there is no batch here; start one with quarry batch VERB INPUT... -o OUT"
            )
        return known

    def _read_settings(self) -> dict[str, Any] | None:
        content = self.folder.read(BATCH)
        return None if content is None else json.loads(content)

    def _read_plan(self) -> list[Shard]:
        lines = self.folder.read_lines(PLAN)
        return [shard_of({name: value for name, value in line.items() if name != "shard"}) for line in lines]

    def _read_reports(self) -> dict[str, ShardReport]:
        return {line["shard"]: ShardReport(**line) for line in self.folder.read_lines(MANIFEST)}

    def _clear(self) -> None:
        """Remove an earlier batch; other files in the folder stay."""
        for shard in self._read_plan():
            for name in (f"{shard.name}.parquet", f"{shard.name}.jsonl.gz", f"{FAILED}/{shard.name}.jsonl"):
                self.folder.remove(name)
        for name in (MANIFEST, PLAN):
            self.folder.remove(name)
            for each in [] if self.folder.is_local else self.folder.list_names(name):
                self.folder.remove(f"{name}/{each}")
        self.folder.remove(BATCH)

    def _plan(self, wanted: Sequence[Shard], pages: int, known: dict[str, Any] | None, *, keep: bool) -> list[Shard]:
        """Join the shards with those of an earlier run, which keep their names; new inputs add shards."""
        if known is not None and known["pages"] != pages:
            raise InputError(
                f"{self.folder.place}: this batch has {known['pages']:,} pages per shard; leave --shard-pages out, "
                "or start over with --restart"
            )
        earlier = self._read_plan()
        by_identity = {shard.identity: shard for shard in earlier if shard.kind != FAILED_PAGES}
        gone = [shard for identity, shard in by_identity.items() if identity not in {each.identity for each in wanted}]
        changed = [
            shard
            for shard in wanted
            if (before := by_identity.get(shard.identity)) is not None
            and (before.stamp, before.addresses) != (shard.stamp, shard.addresses)
        ]
        if known is not None and (gone or changed) and not keep:
            what = "has changed since the batch was started" if changed else "is no longer among the inputs"
            raise InputError(
                f"{self.folder.place}: {(changed or gone)[0].input} {what}; start over with --restart, or keep "
                "finished shards with --keep"
            )
        new = [shard for shard in wanted if shard.identity not in by_identity]
        number = sum(shard.kind != FAILED_PAGES for shard in earlier)
        added = [replace(shard, name=f"part-{number + place:05d}") for place, shard in enumerate(new)]
        if not self.folder.is_local:
            for shard in added:
                self.folder.add_line(PLAN, {"shard": shard.name, **shard.to_dict()})
        elif added:
            lines = [self.folder.read(PLAN) or b""]
            lines += [f"{to_json({'shard': shard.name, **shard.to_dict()})}\n".encode() for shard in added]
            self.folder.write(PLAN, b"".join(lines))
        return [*earlier, *added]

    def _check(self, task: BatchTask, known: dict[str, Any], *, keep: bool) -> None:
        """Raise if the folder has the results of another task, or of another version of this one."""
        before, wanted = dict(known["task"]), to_plain_task(task)
        wrappers = before.pop("wrapper"), wanted.pop("wrapper")
        if json.loads(json.dumps(wanted)) != before:
            raise InputError(
                f"{self.folder.place}: the batch here has other options ({_describe_task(before)}); name another "
                "folder with -o, or start over with --restart"
            )
        changed = ["the wrapper"] * (wrappers[0] != wrappers[1]) + ["webquarry"] * (known["code"] != code_version())
        if changed and not keep:
            raise InputError(
                f"{self.folder.place}: {list_names(changed)} changed since the batch was started; start over with "
                "--restart, or keep finished shards with --keep"
            )

    def _save(self, task: BatchTask, inputs: Sequence[str], pages: int, schema: bytes) -> None:
        settings = {
            "format": 1,
            "task": to_plain_task(task),
            "inputs": [*inputs],
            "pages": pages,
            "code": code_version(),
            "schema": base64.b64encode(schema).decode(),
        }
        self.folder.write(BATCH, json.dumps(settings, ensure_ascii=False, indent=1).encode())

    def _find_schema(self, task: BatchTask, shards: Sequence[Shard]) -> bytes:
        if not task.is_table:
            return b""
        sample = self._take_sample(task, shards) if task.verb == "mine" else []  # its columns depend on the pages
        return bytes(find_schema(task, sample).serialize())

    def _take_sample(self, task: BatchTask, shards: Sequence[Shard]) -> list[Any]:
        """Process the first pages of a few evenly spaced shards."""
        local = [shard for shard in shards if shard.kind != ADDRESSES]
        step = max(1, len(local) // SAMPLE_SHARDS)
        jobs = [_FirstPages(ShardPages(shard, Policy(**self._fetching).max_bytes)) for shard in local[::step]]
        outcomes = Pool(make_work(task, {**self._fetching, "offline": True}), self._workers).run(
            jobs[:SAMPLE_SHARDS], ordered=True
        )
        return [each for _, results in outcomes for each in results if not isinstance(each, Failure)]

    def _plan_retries(self, reports: Mapping[str, ShardReport]) -> Iterator[Shard]:
        """Plan a new shard for the failed pages of each shard that has some and was not retried yet."""
        retried = {report.retried for report in reports.values() if report.retried}
        for name, report in reports.items():
            if not report.failed or name in retried:
                continue
            failed = read_failed_pages(self.folder, name)
            base, _, number = name.partition(_RETRY)
            items = tuple((each["input"], None if each["place"] is None else tuple(each["place"])) for each in failed)
            kind = ADDRESSES if failed and scheme_of(failed[0]["input"]) in WEB else FAILED_PAGES
            named = tuple(place for place, _ in items) if kind == ADDRESSES else items
            again = Shard(f"{base}{_RETRY}{int(number or 0) + 1}", kind, report.input, items=named, retried=name)
            addresses = tuple(each.get("address", "") for each in failed)
            yield replace(again, addresses=addresses) if any(addresses) else again

    def _work(
        self,
        task: BatchTask,
        schema: bytes,
        shards: Sequence[Shard],
        *,
        engine: Engine,
        progress: Progress | None,
        tell: Tell | None,
        only: Sequence[Shard] | None = None,
    ) -> BatchState:
        reports = self._read_reports()
        wrapper = hashlib.sha256(task.wrapper.encode()).hexdigest()[:16] if task.wrapper else ""
        run = ShardRun(task, schema, code_version(), wrapper, self._fetching, self._workers)
        todo = [shard for shard in (shards if only is None else only) if shard.name not in reports]
        unread: list[UnreadShard] = []
        for report in engine(run, todo, self.folder, progress):
            if isinstance(report, UnreadShard):
                unread.append(report)
            else:
                self.folder.add_line(MANIFEST, report.to_dict())
                reports[report.shard] = report
            if tell is not None:
                tell(report, _sum_up(shards, reports, unread))
        return _sum_up(shards, reports, unread)


def _sum_up(
    shards: Sequence[Shard], reports: Mapping[str, ShardReport], unread: Sequence[UnreadShard] = ()
) -> BatchState:
    retried = {report.retried for report in reports.values() if report.retried}
    failures: Counter[str] = Counter()
    for name, report in reports.items():
        if name not in retried:
            failures.update(report.failures)
    return BatchState(
        shards=len(shards),
        finished=len(reports),
        pages=sum(report.pages for report in reports.values() if not report.retried),
        rows=sum(report.rows for report in reports.values()),
        failures=dict(failures.most_common()),
        unread=tuple(unread),
        seconds=sum(report.seconds for report in reports.values()),
    )


@dataclass(frozen=True)
class _FirstPages:
    """The first pages of a shard."""

    job: ShardPages

    @property
    def name(self) -> str:
        return self.job.name

    def pages(self, after: Any) -> Iterator[tuple[Any, Any]]:
        return islice(self.job.pages(after), SAMPLE_PAGES)


def _describe_task(plain: Mapping[str, Any]) -> str:
    options = [f"{name}={value}" for name, value in plain["options"].items() if value not in (None, False)]
    return " ".join([plain["verb"], *options, plain["format"]])


@cache
def code_version() -> str:
    """Return the version of the program with a digest of its source, which changes between releases."""
    digest = hashlib.sha256()
    for path in sorted(Path(webquarry.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return f"{version('webquarry')}+{digest.hexdigest()[:12]}"


def store_batch(batch: Batch, server: Server, table: str, addition: Addition) -> Iterator[tuple[int, bool]]:
    """Add the finished shards of a batch, each in a transaction; yield for each its rows and whether they were new.

    The database records which shards it has. So a run that was stopped, or is repeated after more shards are finished,
    adds only what is missing.
    """
    if batch.require_settings()["task"]["format"] != PARQUET:
        raise InputError(f"{batch.folder.place}: a database takes Parquet batches only; leave --format jsonl out")
    for report in batch.reports():
        part = blake2s(to_json(report.to_dict()).encode(), digest_size=16).hexdigest()
        rows = _read_shard(batch, f"{report.shard}.parquet") if report.rows else None
        if rows is not None:
            yield len(rows), postgres_store.append_once(server, table, rows, part, addition)


def _read_shard(batch: Batch, name: str) -> pa.Table:
    content = batch.folder.read(name)
    if content is None:
        raise InputError(f"{batch.folder.place}/{name}: is missing; start the batch over with --restart")
    try:
        return pq.read_table(BytesIO(content))
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            f"{batch.folder.place}/{name}: cannot be read ({error}); start the batch over with --restart"
        ) from error
