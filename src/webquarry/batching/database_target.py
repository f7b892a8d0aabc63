"""Add the rows of a batch to a PostgreSQL table, each shard once."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2s
from io import BytesIO

import pyarrow as pa
import pyarrow.parquet as pq

from webquarry.batching.batch_run import Batch
from webquarry.batching.page_tasks import PARQUET
from webquarry.errors import InputError
from webquarry.storing import postgres_store
from webquarry.storing.formats import to_json
from webquarry.storing.result_places import Addition, Server


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
