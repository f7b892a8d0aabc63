"""Work through shards with a pool of workers, and write for each a result file and a file of failed pages."""

from __future__ import annotations

import gzip
import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, replace
from typing import Any

import pyarrow as pa

from webquarry.batching.page_tasks import BatchTask, conform, make_work
from webquarry.batching.shards import ADDRESSES, ARCHIVE, Shard, ShardPages, digest_page
from webquarry.batching.stores import OutputFolder
from webquarry.fetching.policy import FetchOptions, Policy
from webquarry.model.page import Failure
from webquarry.pipeline.fetch_pages import fetch_all
from webquarry.pipeline.worker_pool import Pool, Progress, Workers
from webquarry.pipeline.worker_process import UNREAD, GivenPages, Job, LoadServer
from webquarry.storing.formats import to_json, to_parquet

FAILED = "_failed"
"""The folder of failed pages, with a file for each shard that has some."""
_LOADED_BY_ARROW = ["pandas"]
"""Modules that Arrow imports with the first table of a process, if they are installed; it takes as long as 20 pages."""


@dataclass(frozen=True)
class ShardReport:
    """The outcome of a shard: a line of the manifest."""

    shard: str
    input: str
    start: int
    end: int | None
    digest: str
    """The size of the pages that were read."""
    pages: int
    rows: int
    failures: Mapping[str, int]
    """Counts of failed pages by kind."""
    voted: int | None
    """Pages that were read with a vote of their site; None for verbs without a vote."""
    seconds: float
    code: str
    wrapper: str
    retried: str = ""

    @property
    def failed(self) -> int:
        """The number of failed pages."""
        return sum(self.failures.values())

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class UnreadShard:
    """A shard that could not be read; the next run tries it again."""

    shard: str
    error: str


@dataclass(frozen=True)
class ShardContent:
    """What a worker makes of the pages of a shard."""

    content: bytes = b""
    """The result file."""
    rows: int = 0
    pages: int = 0
    failures: Sequence[tuple[Any, Failure]] = ()
    """Failed pages with their places."""
    digest: str = ""
    """The digest of the pages that were read."""
    voted: int | None = None
    unread: str = ""
    """Why the shard could not be read."""


@dataclass(frozen=True)
class GatherShard:
    """Makes the content of a shard in the worker, so that the supervisor holds no results."""

    task: BatchTask
    schema: bytes

    def __call__(self, outcomes: Sequence[tuple[Any, Any]]) -> ShardContent:
        """Take the results of all pages, each with its position."""
        unread = [each.error for _, each in outcomes if isinstance(each, Failure) and each.kind == UNREAD]
        if unread:
            return ShardContent(unread=unread[0])
        digest = hashlib.sha256("".join(digest for (_, digest), _ in outcomes).encode()).hexdigest()
        failures = [(place, each) for (place, _), each in outcomes if isinstance(each, Failure)]
        results = [each for _, each in outcomes if not isinstance(each, Failure)]
        content, rows = self._to_table(results) if self.task.is_table else self._to_lines(results, outcomes)
        votes = self.task.verb == "read" and self.task.options.get("method", "vote") == "vote"
        voted = sum(method == "vote" for method, _ in results) if votes else None
        return ShardContent(content, rows, len(outcomes), failures, digest, voted)

    def _to_table(self, results: Sequence[Any]) -> tuple[bytes, int]:
        schema = pa.ipc.read_schema(pa.BufferReader(self.schema))
        table = conform(self.task.rows.to_table(results), schema)
        return to_parquet(table), table.num_rows

    def _to_lines(self, results: Sequence[Any], outcomes: Sequence[tuple[Any, Any]]) -> tuple[bytes, int]:
        lines = iter(self.task.rows.to_lines(results))
        failed = (_to_line(each) for _, each in outcomes if isinstance(each, Failure))
        if self.task.options.get("chunks"):  # several lines for each page
            ordered = [*lines, *failed]
        else:
            ordered = [next(failed if isinstance(each, Failure) else lines) for _, each in outcomes]
        return gzip.compress("".join(f"{line}\n" for line in ordered).encode(), mtime=0), len(ordered)


@dataclass(frozen=True)
class ShardRun:
    """Everything needed to work through shards, here or on another machine."""

    task: BatchTask
    schema: bytes
    """The Arrow schema of all files, serialized; empty for JSON lines."""
    code: str
    """The version of the program."""
    wrapper: str
    """The digest of the wrapper."""
    fetching: FetchOptions
    workers: Workers

    def run(
        self, shards: Iterable[Shard], folder: OutputFolder, progress: Progress | None = None
    ) -> Iterator[ShardReport | UnreadShard]:
        """Work through shards, and yield a report for each as soon as its file is written.

        `progress` is called with the number of pages so far, and how many of them failed.
        """
        begun: list[tuple[Shard, float]] = []
        work = replace(make_work(self.task, self.fetching), gather=GatherShard(self.task, self.schema))
        policy = work.opening.loading if work.opening is not None else None
        with ExitStack() as stack:
            loads = None if policy is None else stack.enter_context(closing(LoadServer(policy)))
            pool = Pool(work, self.workers, loads=loads, preloaded=[__name__, *_LOADED_BY_ARROW], progress=progress)
            for number, content in stack.enter_context(closing(pool.run(self._to_jobs(shards, begun)))):
                shard, started = begun[number]
                yield self._write(shard, content, time.monotonic() - started, folder)

    def _to_jobs(self, shards: Iterable[Shard], begun: list[tuple[Shard, float]]) -> Iterator[Job]:
        max_bytes = Policy(**self.fetching).max_bytes
        for shard in shards:
            job: Job = ShardPages(shard, max_bytes)
            if shard.kind == ADDRESSES:
                given = fetch_all([*shard.items], follow_lists=False, **self.fetching)
                job = _FetchedPages([*given], shard.input)
            begun.append((shard, time.monotonic()))
            yield job

    def _write(
        self, shard: Shard, made: ShardContent, seconds: float, folder: OutputFolder
    ) -> ShardReport | UnreadShard:
        """Write the files of a shard."""
        if made.unread:
            return UnreadShard(shard.name, made.unread)
        folder.write(f"{shard.name}{self.task.ending}", made.content)
        failed = "".join(f"{to_json(_to_failed_page(shard, *each))}\n" for each in made.failures)
        if failed:
            folder.write(f"{FAILED}/{shard.name}.jsonl", failed.encode())
        else:
            folder.remove(f"{FAILED}/{shard.name}.jsonl")
        return ShardReport(
            shard=shard.name,
            input=shard.input,
            start=shard.start,
            end=shard.end,
            digest=made.digest,
            pages=made.pages,
            rows=made.rows,
            failures=dict(Counter(failure.kind or "other" for _, failure in made.failures)),
            voted=made.voted,
            seconds=round(seconds, 3),
            code=self.code,
            wrapper=self.wrapper,
            retried=shard.retried,
        )


@dataclass(frozen=True)
class _FetchedPages(GivenPages):
    """Pages that were fetched in this process, with positions like those of other shards."""

    def pages(self, after: Any) -> Iterator[tuple[Any, Any]]:
        for number, page in super().pages(None if after is None else after[0]):
            yield (number, digest_page(page)), page  # type: ignore[arg-type]


def _to_failed_page(shard: Shard, place: Any, failure: Failure) -> dict[str, Any]:
    """Describe a failed page, and where its bytes are."""
    address = ""
    if shard.kind == ARCHIVE:
        item: Any = (shard.input, place)
    else:
        item = shard.items[place]
        item = item if isinstance(item, tuple) else (item, None)
        address = shard.addresses[place] if shard.addresses else ""
    return {
        "page": failure.page,
        "error": failure.error,
        "kind": failure.kind,
        "shard": shard.name,
        "input": item[0],
        "place": item[1],
        **({"address": address} if address else {}),
    }


def _to_line(failure: Failure) -> str:
    return to_json({"page": failure.page, "error": failure.error})


def read_failed_pages(folder: OutputFolder, shard: str) -> list[dict[str, Any]]:
    """Read the failed pages of a shard."""
    content = folder.read(f"{FAILED}/{shard}.jsonl") or b""
    return [json.loads(line) for line in content.decode().splitlines() if line.strip()]
