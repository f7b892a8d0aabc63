"""Work through shards with a pool of workers, and write for each a result file and a file of failed pages."""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field
from typing import Any

import pyarrow as pa

from webquarry.batching.page_tasks import BatchTask, conform, make_work
from webquarry.batching.shards import ADDRESSES, ARCHIVE, Shard, ShardPages, digest_page
from webquarry.batching.stores import OutputFolder
from webquarry.fetching.policy import FetchOptions, Policy
from webquarry.model.page import Failure
from webquarry.pipeline.fetch_pages import fetch_all
from webquarry.pipeline.worker_downloads import LoadServer
from webquarry.pipeline.worker_pool import Outcome, Pool, Workers
from webquarry.pipeline.worker_process import UNREAD, GivenPages, Job
from webquarry.storing.formats import to_json, to_parquet

FAILED = "_failed"
"""The folder of failed pages, with a file for each shard that has some."""


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


@dataclass
class _Progress:
    """The results of a shard so far."""

    shard: Shard
    started: float
    results: list[Any] = field(default_factory=list)
    failures: list[tuple[Any, Failure]] = field(default_factory=list)
    order: list[bool] = field(default_factory=list)
    digest: Any = field(default_factory=hashlib.sha256)
    unread: str = ""


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
        self, shards: Iterable[Shard], folder: OutputFolder, progress: Callable[[int, int], None] | None = None
    ) -> Iterator[ShardReport | UnreadShard]:
        """Work through shards, and yield a report for each as soon as its file is written.

        `progress` is called with the number of pages so far, and how many of them failed.
        """
        states: dict[int, _Progress] = {}
        work = make_work(self.task, self.fetching)
        policy = work.opening.loading if work.opening is not None else None
        pages = failed = 0
        with ExitStack() as stack:
            loads = None if policy is None else stack.enter_context(closing(LoadServer(policy)))
            pool = Pool(work, self.workers, loads=loads, preloaded=[make_work.__module__])
            for outcome in stack.enter_context(closing(pool.run(self._to_jobs(shards, states)))):
                state = states[outcome.job]
                if isinstance(outcome, Outcome):
                    _take(state, outcome)
                    pages += 1
                    failed += isinstance(outcome.result, Failure)
                    if progress is not None:
                        progress(pages, failed)
                else:
                    del states[outcome.job]
                    yield self._finish(state, folder)

    def _to_jobs(self, shards: Iterable[Shard], states: dict[int, _Progress]) -> Iterator[Job]:
        max_bytes = Policy(**self.fetching).max_bytes
        for number, shard in enumerate(shards):
            job: Job = ShardPages(shard, max_bytes)
            if shard.kind == ADDRESSES:
                given = fetch_all([*shard.items], follow_lists=False, **self.fetching)
                job = _FetchedPages([*given], shard.input)
            states[number] = _Progress(shard, time.monotonic())
            yield job

    def _finish(self, state: _Progress, folder: OutputFolder) -> ShardReport | UnreadShard:
        shard, task = state.shard, self.task
        if state.unread:
            return UnreadShard(shard.name, state.unread)
        content, rows = self._to_content(state)
        folder.write(f"{shard.name}{task.ending}", content)
        failed = "".join(f"{to_json(_to_failed_page(shard, *each))}\n" for each in state.failures)
        if failed:
            folder.write(f"{FAILED}/{shard.name}.jsonl", failed.encode())
        else:
            folder.remove(f"{FAILED}/{shard.name}.jsonl")
        votes = task.verb == "read" and task.options.get("method", "vote") == "vote"
        return ShardReport(
            shard=shard.name,
            input=shard.input,
            start=shard.start,
            end=shard.end,
            digest=state.digest.hexdigest(),
            pages=len(state.order),
            rows=rows,
            failures=dict(Counter(failure.kind or "other" for _, failure in state.failures)),
            voted=sum(method == "vote" for method, _ in state.results) if votes else None,
            seconds=round(time.monotonic() - state.started, 3),
            code=self.code,
            wrapper=self.wrapper,
            retried=shard.retried,
        )

    def _to_content(self, state: _Progress) -> tuple[bytes, int]:
        """Build the file of a shard; return its bytes and the number of rows or lines."""
        if self.task.is_table:
            schema = pa.ipc.read_schema(pa.BufferReader(self.schema))
            table = conform(self.task.rows.to_table(state.results), schema)
            return to_parquet(table), table.num_rows
        lines, failures = iter(self.task.rows.to_lines(state.results)), iter(state.failures)
        if self.task.options.get("chunks"):  # several lines for each page
            ordered = [*lines, *(_to_line(failure) for _, failure in failures)]
        else:
            ordered = [next(lines) if is_result else _to_line(next(failures)[1]) for is_result in state.order]
        text = "".join(f"{line}\n" for line in ordered)
        return text.encode(), len(ordered)


@dataclass(frozen=True)
class _FetchedPages(GivenPages):
    """Pages that were fetched in this process, with positions like those of other shards."""

    def pages(self, after: Any) -> Iterator[tuple[Any, Any]]:
        for number, page in super().pages(None if after is None else after[0]):
            yield (number, digest_page(page)), page  # type: ignore[arg-type]


def _take(state: _Progress, outcome: Outcome) -> None:
    result = outcome.result
    if isinstance(result, Failure) and result.kind == UNREAD:
        state.unread = result.error
        return
    place, digest = outcome.position
    state.digest.update(digest.encode())
    state.order.append(not isinstance(result, Failure))
    if isinstance(result, Failure):
        state.failures.append((place, result))
    else:
        state.results.append(result)


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
