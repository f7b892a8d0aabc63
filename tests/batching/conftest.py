"""Archives, folders and commands for batches."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from webquarry.batching import batch_run
from webquarry.batching.page_tasks import BatchTask
from webquarry.batching.stores import OutputFolder
from webquarry.pipeline.worker_pool import Workers

if not os.environ.get("WEBQUARRY_CLUSTERS"):  # Ray takes longer to start than all other tests here
    collect_ignore = ["test_ray_engine.py", "test_object_stores.py"]

TEXT = "The ferry returned to the river on Monday after eleven years in a dry dock, and the town came to see it. "


def article(number: int, body: str = "") -> str:
    """A page with a text."""
    text = body or TEXT * 3
    return f"<title>Story {number}</title><main><h1>Story {number}</h1><p>{text} Number {number}.</p></main>"


def to_record(url: str, markup: str) -> bytes:
    """A page as a record of an archive."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + markup.encode()
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {len(http)}\r\n"
    return f"{head}Content-Type: application/http; msgtype=response\r\n\r\n".encode() + http + b"\r\n\r\n"


def write_archive(path: Path, pages: Iterable[tuple[str, str]], *, packed: bool = True) -> Path:
    """Write an archive, each record a gzip member of its own."""
    records = [to_record(*page) for page in pages]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(gzip.compress(each, mtime=0) for each in records) if packed else b"".join(records))
    return path


def stories(count: int, first: int = 0) -> list[tuple[str, str]]:
    """Addresses and markup of pages."""
    return [(f"https://news.example/{number}", article(number)) for number in range(first, first + count)]


def write_folder(folder: Path, count: int, first: int = 0) -> Path:
    """Write pages to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, first + count):
        (folder / f"{number:03d}.html").write_text(article(number))
    return folder


@pytest.fixture
def start(tmp_path) -> Callable[..., batch_run.BatchState]:
    """Starts a batch that writes to the folder `out`."""

    def run(*inputs: str | Path, task: BatchTask | None = None, pages: int = 10, workers: int = 1, **options: object):
        batch = batch_run.Batch(OutputFolder(str(tmp_path / "out")), {}, Workers(workers))
        return batch.start(task or BatchTask("read"), [*map(str, inputs)], pages=pages, **options)

    return run


def titles_in(folder: Path) -> list[str]:
    """The titles of all rows, in the order of files."""
    files = sorted(folder.glob("*.parquet"))
    return [title for file in files for title in pq.read_table(file)["title"].to_pylist()]


def run_in_lonely_network(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command where all addresses lead to loopback; its output is the others that it sent to."""
    seen = [sys.executable, str(Path(__file__).with_name("lonely_network.py")), *command]
    return subprocess.run(seen, capture_output=True, text=True, check=False)
