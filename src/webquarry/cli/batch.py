"""`quarry batch`: process many pages in shards."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webquarry.batching import batch_run, page_tasks, ray_engine, shard_files, shards, stores
from webquarry.cli import clean as clean_command, extract as extract_command, mine as mine_command, read as read_command
from webquarry.cli.messages import complain, say
from webquarry.cli.options import (
    PageAccess,
    PageMemory,
    PageTimeout,
    ResultPlace,
    WrapperFile,
    borrowed,
    check_base_url,
    fetching,
    flag,
    folders_of,
    grouped,
    opening,
    option,
    parse_size,
    saved_pages,
    shares,
    storing,
)
from webquarry.cli.output import open_bar
from webquarry.cli.program import OUTPUT, WORKERS, UsageFault
from webquarry.cli.stopping import STOPPER
from webquarry.model.wording import count, printable
from webquarry.pipeline import source_pages, worker_pool
from webquarry.storing import postgres_store, result_files
from webquarry.storing.result_files import Server

if TYPE_CHECKING:
    from webquarry.batching.batch_run import BatchState, Engine
    from webquarry.batching.shard_files import ShardReport, UnreadShard
    from webquarry.fetching.policy import FetchOptions
    from webquarry.pipeline.worker_pool import Workers

EXAMPLE = "quarry batch read crawl.warc.gz -o texts"
SECONDS_BETWEEN_LINES = 10.0
"""The time between two lines of progress, if standard error is not a terminal."""
SECONDS_SHOWN = 120
"""The time from which on it is shown in minutes."""

BatchInputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT...",
        help="Archives (.warc, .warc.gz, .wacz), files, folders, http(s) addresses, s3:// and other stores, or @FILE, "
        "a list of them.",
        show_default=False,
    ),
]
Out = Annotated[str, typer.Argument(metavar="OUT", help="The folder of a batch.", show_default=False)]


@dataclass(frozen=True)
class BatchOptions:
    """The options of a batch."""

    output: str
    format: str
    pages: int
    restart: bool
    keep: bool


@grouped(OUTPUT)
def placing(
    *,
    output: Annotated[str, option("-o, --output", "OUT", "The folder for results, or s3://BUCKET/FOLDER.")],
    output_format: Annotated[
        str,
        option(
            "--format",
            "NAME",
            "parquet (default), or jsonl with the nodes of all values.",
            values=("parquet", "jsonl"),
            show_default=False,
        ),
    ] = "parquet",
    shard_pages: Annotated[
        int,
        option("--shard-pages", "N", "The approximate number of pages in a shard (1000).", min=1, show_default=False),
    ] = 1000,
    restart: Annotated[bool, flag("--restart", "Start over; remove earlier results.")] = False,
    keep: Annotated[
        bool, flag("--keep", "Keep finished shards even if webquarry, the wrapper or inputs have changed.")
    ] = False,
) -> BatchOptions:
    """Return where results go, and what happens to earlier ones."""
    if restart and keep:
        raise UsageFault("--restart and --keep cannot be used together")
    return BatchOptions(output, output_format, shard_pages, restart, keep)


@dataclass(frozen=True)
class Crew:
    """The processes or machines that do the work."""

    workers: Workers
    engine: Engine


@grouped(WORKERS)
def choosing_engine(
    *,
    workers: Annotated[
        int | None, option("--workers", "N", "The number of worker processes (default: the number of cores).", min=1)
    ] = None,
    page_timeout: PageTimeout = None,
    page_memory: PageMemory = None,
    engine: Annotated[
        str,
        option(
            "--engine",
            "NAME",
            "local (default), or ray, for many machines.",
            values=("local", "ray"),
            show_default=False,
        ),
    ] = "local",
    address: Annotated[
        str | None, option("--address", "HOST:PORT", "The Ray cluster; without it, one is started on this machine.")
    ] = None,
) -> Crew:
    """Return which processes or machines do the work."""
    if address is not None and engine != "ray":
        raise UsageFault("--address is for Ray clusters; add --engine ray")
    is_ray = engine == "ray"
    number = workers or (1 if is_ray else len(os.sched_getaffinity(0)))
    chosen = worker_pool.Workers(number, page_timeout, parse_size(page_memory))
    return Crew(chosen, ray_engine.RayEngine(address) if is_ray else shard_files.ShardRun.run)


@dataclass(frozen=True)
class PageOptions:
    """The options of batches whose pages have addresses and may be rendered."""

    place: BatchOptions
    crew: Crew
    access: PageAccess
    saved: FetchOptions


@shares(place=placing, crew=choosing_engine, access=opening, saved=saved_pages)
def handling_pages(*, place: BatchOptions, crew: Crew, access: PageAccess, saved: FetchOptions) -> PageOptions:
    """Return how pages are fetched, rendered and stored."""
    return PageOptions(place, crew, access, saved)


@shares(what=borrowed(clean_command.clean, "method"), place=placing, crew=choosing_engine, policy=fetching)
def clean(inputs: BatchInputs, *, what: dict[str, Any], place: BatchOptions, crew: Crew, policy: FetchOptions) -> int:
    """Clean many pages."""
    return _start(page_tasks.BatchTask("clean", what, format=place.format), inputs, place, crew, policy)


@shares(what=borrowed(read_command.read, "method", "clean", "render", "chunks"), pages=handling_pages)
def read(inputs: BatchInputs, *, what: dict[str, Any], pages: PageOptions) -> int:
    """Read the main text of many pages."""
    rendered = pages.access.decide_rendering(what.pop("render"), default=False, clean=what["clean"])
    task = page_tasks.BatchTask("read", what, _browser_options(inputs, pages, rendered), pages.place.format)
    return _start_pages(task, inputs, pages)


_CHOOSING = tuple(each.name for each in fields(mine_command.Wanted))


@shares(what=borrowed(mine_command.mine, "method", *_CHOOSING, "clean", "render"), pages=handling_pages)
def mine(inputs: BatchInputs, *, what: dict[str, Any], pages: PageOptions) -> int:
    """Find the records on many pages."""
    if what["every"] and pages.place.format != page_tasks.JSON_LINES:
        raise UsageFault("--all gives several tables for each page, which parquet does not hold; add --format jsonl")
    is_emine = what["method"] == "emine"
    rendered = pages.access.decide_rendering(what.pop("render"), default=None, clean=what["clean"], needed=is_emine)
    what |= asdict(mine_command.choosing(**{name: what[name] for name in _CHOOSING}))
    task = page_tasks.BatchTask("mine", what, _browser_options(inputs, pages, rendered), pages.place.format)
    return _start_pages(task, inputs, pages)


@shares(what=borrowed(extract_command.extract, "only", "clean", "render"), pages=handling_pages)
def extract(wrapper_file: WrapperFile, inputs: BatchInputs, *, what: dict[str, Any], pages: PageOptions) -> int:
    """Extract records from many pages by a wrapper."""
    wrapper = source_pages.load_wrapper(wrapper_file)
    rendered = pages.access.decide_rendering(what.pop("render"), default=wrapper.source.render, clean=what["clean"])
    task = page_tasks.BatchTask(
        "extract",
        {**what, "file": str(wrapper_file)},
        _browser_options(inputs, pages, rendered),
        pages.place.format,
        wrapper=result_files.read_text(wrapper_file),
        folder=str(wrapper_file.parent.absolute()),
    )
    source = wrapper.source
    learnt = saved_pages(
        base_url=source.base_url or None, url_map=wrapper_file.parent / source.url_map if source.url_map else None
    )
    return _start_pages(task, inputs, pages, learnt)


def status(folder: Out) -> int:
    """Show the progress of a batch, and what failed."""
    batch = batch_run.Batch(_open_folder(folder), {}, worker_pool.Workers())
    for line in describe_state(batch.state()):
        typer.echo(line)
    return 0


@shares(crew=choosing_engine, policy=fetching)
def retry(folder: Out, *, crew: Crew, policy: FetchOptions) -> int:
    """Try the failed pages of a batch again."""
    batch = batch_run.Batch(_open_folder(folder), policy, crew.workers)
    batch.require_settings()  # before the folder is locked, which needs a file in it
    return _watch(f"quarry batch retry {folder}", folder, lambda **told: batch.retry(engine=crew.engine, **told))


@shares(place=storing)
def store(folder: Out, *, place: ResultPlace) -> int:
    """Add the rows of a batch to a PostgreSQL table, each shard once."""
    if not isinstance(place.target, Server) or not place.table:
        raise UsageFault("name a database and a table: -o postgresql://HOST/DATABASE --table NAME")
    batch = batch_run.Batch(_open_folder(folder), {}, worker_pool.Workers())
    batch.require_settings()
    postgres_store.check(place.target, place.table)
    rows = added = shards = 0
    STOPPER.message = "stopped; added shards stay, and the same command continues"
    for size, is_new in batch_run.store_batch(batch, place.target, place.table, place.addition):
        rows += size
        added += size * is_new
        shards += 1
    known = f"; {count(rows - added, 'row')} were there already" if rows > added else ""
    say(f"{count(added, 'row')} of {count(shards, 'shard')} added to table {place.table} of {place.target}{known}")
    return 0


COMMANDS = {
    "read": EXAMPLE,
    "mine": "quarry batch mine listings/ --static -o offers",
    "extract": "quarry batch extract factbook.toml crawl/*.warc.gz -o facts",
    "clean": "quarry batch clean pages/ -o xhtml",
    "status": "quarry batch status texts",
    "store": "quarry batch store offers -o postgresql:///prices --table offers",
    "retry": "quarry batch retry texts --page-timeout 120",
}
"""The subcommands, each with an example."""


def _browser_options(inputs: Sequence[str], pages: PageOptions, rendered: bool) -> Mapping[str, Any] | None:
    if not rendered:
        return None
    options = pages.access.render_options(folders_of([*inputs]))
    return {name: options[name] for name in pages.access.browsing}  # type: ignore[literal-required]


def _open_folder(place: str) -> stores.OutputFolder:
    if place.rstrip("/").endswith(":"):
        raise UsageFault(f"{place}: names no bucket; write it as s3://BUCKET/FOLDER")
    return stores.OutputFolder(place, STOPPER.hold)


def _find_addresses(inputs: list[str], saved: FetchOptions, *learnt: FetchOptions) -> shards.AddressOf:
    """Return the function that gives the address of a saved page, by the options or as the wrapper was learnt."""
    check_base_url(saved, inputs)
    known = [(each["url_map"] or {}, each["base_url"]) for each in (saved, *learnt)]

    def find(path: str) -> str:
        real = os.path.realpath(path)
        return next((found for urls, base in known if (found := urls.get(real, base))), "")  # type: ignore[union-attr]

    return find


def _start_pages(task: page_tasks.BatchTask, inputs: list[str], pages: PageOptions, *learnt: FetchOptions) -> int:
    addresses = _find_addresses(inputs, pages.saved, *learnt)
    return _start(task, inputs, pages.place, pages.crew, pages.access.policy, addresses)


def _start(  # noqa: PLR0917 - all that a batch is
    task: page_tasks.BatchTask,
    inputs: Sequence[str],
    place: BatchOptions,
    crew: Crew,
    policy: FetchOptions,
    address_of: shards.AddressOf | None = None,
) -> int:
    batch = batch_run.Batch(_open_folder(place.output), policy, crew.workers)
    return _watch(
        "the same command",
        place.output,
        lambda **told: batch.start(
            task,
            inputs,
            pages=place.pages,
            address_of=address_of,
            engine=crew.engine,
            restart=place.restart,
            keep=place.keep,
            **told,
        ),
    )


def _watch(resume: str, folder: str, run: Callable[..., BatchState]) -> int:
    """Run a batch, show its progress, and say how it ended."""
    STOPPER.message = f"stopped; finished shards stay in {folder}, and {resume} continues"
    is_failed = False

    def tell(report: ShardReport | UnreadShard, state: BatchState) -> None:
        nonlocal is_failed
        if state.unread and report is state.unread[-1]:
            is_failed = True
            complain(state.unread[-1].error, 1)
        show(state)

    with _show(time.monotonic()) as (progress, show):
        state = run(progress=progress, tell=tell)
    failed = sum(state.failures.values())
    say(f"{count(state.rows, 'row')} of {count(state.pages, 'page')} in {folder}")
    if failed:
        kinds = ", ".join(f"{number:,} {kind}" for kind, number in state.failures.items())
        complain(
            printable(
                f"{count(failed, 'page')} failed ({kinds}); see {folder}/_failed, or run quarry batch retry {folder}"
            ),
            1,
        )
    return 1 if failed or is_failed else 0


@contextmanager
def _show(started: float) -> Iterator[tuple[Callable[[int, int], None], Callable[[BatchState], None]]]:
    """Yield the functions that show the pages and the shards that are done, as a bar or as lines now and then."""
    pages = failed = 0
    latest: deque[BatchState] = deque(maxlen=1)
    told = time.monotonic()

    def describe() -> str:
        rate = pages / max(time.monotonic() - started, 1e-9)
        parts = [f"{count(pages, 'page')}", f"{rate:.0f} a second"]
        if latest:
            state = latest[-1]
            parts.insert(0, f"{state.finished:,} of {count(state.shards, 'shard')}")
        return ", ".join([*parts, *([f"{failed:,} failed"] if failed else [])])

    if not sys.stderr.isatty():

        def say_now_and_then(done: int, wrong: int) -> None:
            nonlocal pages, failed, told
            pages, failed = done, wrong
            if time.monotonic() - told > SECONDS_BETWEEN_LINES:
                told = time.monotonic()
                say(describe())

        yield say_now_and_then, latest.append
        return
    with open_bar("batch", "Bar", "{task.fields[said]}", "TimeRemaining", "{task.fields[left]}") as bar:
        shown = bar.add_task("batch", total=None, said="starting", left="")

        def update(done: int, wrong: int) -> None:
            nonlocal pages, failed
            pages, failed = done, wrong
            bar.update(shown, said=f"{describe()}," if latest else describe())

        def advance(state: BatchState) -> None:
            latest.append(state)
            bar.update(shown, completed=state.finished, total=state.shards, said=f"{describe()},", left="left")

        yield update, advance


def describe_state(state: BatchState) -> Iterator[str]:
    """Describe the progress of a batch, line by line."""
    done = f"{state.finished:,} of {count(state.shards, 'shard')} finished"
    yield f"{done}: {count(state.pages, 'page')}, {count(state.rows, 'row')}"
    if state.seconds:
        rate = state.pages / state.seconds
        left = (state.shards - state.finished) * state.seconds / max(state.finished, 1)
        time_left = f"{left:.0f} more seconds" if left < SECONDS_SHOWN else f"{left / 60:.0f} more minutes"
        more = f"; one worker would need about {time_left}" if left else ""
        yield f"{rate:.1f} pages per second and worker{more}"
    for kind, number in state.failures.items():
        yield f"{count(number, 'page')} failed: {kind}"
