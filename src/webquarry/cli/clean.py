"""`quarry clean`: write pages as XHTML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

from webquarry.cleaning import cleandom
from webquarry.cli.options import Inputs, MaxPages, Output, fetching, flag, option, shares, working
from webquarry.cli.output import PageSink, hand_over, keeping, show_progress
from webquarry.cli.program import UsageFault
from webquarry.pipeline import fetch_pages, page_guard, worker_pool

if TYPE_CHECKING:
    from webquarry.fetching.policy import FetchOptions
    from webquarry.model.document import Document
    from webquarry.pipeline.worker_pool import WorkerOptions

EXAMPLE = "quarry clean listing.html -o listing.xhtml"


@shares(crew=working, policy=fetching)
def clean(
    inputs: Inputs,
    *,
    method: Annotated[
        str,
        option(
            "--method",
            "NAME",
            "html5 (as browsers parse it), or the published method cleandom.",
            values=("html5", "cleandom"),
        ),
    ] = "html5",
    trace: Annotated[
        bool, flag("--trace", "For cleandom: write the tokens, the forward and the backward pass instead.")
    ] = False,
    output: Output = None,
    max_pages: MaxPages = None,
    crew: WorkerOptions,
    policy: FetchOptions,
) -> int:
    """Write pages as XHTML that every XML reader accepts."""
    if trace and method != "cleandom":
        raise UsageFault("--trace shows the passes of --method cleandom; add that")
    write = _write_trace if trace else _write_xhtml
    sink = PageSink(
        output,
        inputs,
        ".txt" if trace else ".xhtml",
        lambda each: each.content if isinstance(each, WrittenPage) else write(each),
    )
    with keeping(sink), show_progress("cleaning", sink.tally) as progress:
        pages = fetch_pages.fetch_all(inputs, progress=progress, max_pages=max_pages, **policy)
        # a document of html5 has the markup as it was, which the passes start from
        documents = fetch_pages.clean_all(pages, method="html5" if trace else method)
        workers = worker_pool.Workers(**crew)
        if workers.are_apart:
            work = page_guard.PageWork(partial(_write_apart, write))
            hand_over(worker_pool.work_apart(documents, work, workers), sink.write)
        else:
            hand_over(documents, sink.write)
    return sink.exit_code


@dataclass(frozen=True)
class WrittenPage:
    """The result of a page that a worker wrote."""

    url: str
    content: bytes


def _write_apart(write: Callable[[Document], bytes], document: Document) -> WrittenPage:
    return WrittenPage(document.url, write(document))


def _write_xhtml(document: Document) -> bytes:
    return document.to_xhtml().encode() + b"\n"


def _write_trace(document: Document) -> bytes:
    return str(cleandom.trace_markup(document.markup)).encode()
