"""`quarry extract`: extract records from pages by a wrapper."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from webquarry.cli.options import (
    Clean,
    MaybeInputs,
    PageAccess,
    RenderInstead,
    ResultPlace,
    WrapperFile,
    folders_of,
    opening_many,
    option,
    shares,
    storing,
    varied,
    working,
)
from webquarry.cli.output import ResultSink, choose_output, hand_over, keeping, show_progress
from webquarry.cli.program import UsageFault
from webquarry.cli.wrap import open_source_pages
from webquarry.model import extraction as extractions
from webquarry.model.page import Failure
from webquarry.model.wording import count, printable
from webquarry.pipeline import extract_pages, fetch_pages, source_pages
from webquarry.storing import formats

if TYPE_CHECKING:
    from webquarry.model.extraction import Extraction
    from webquarry.pipeline.worker_pool import WorkerOptions

_log = logging.getLogger(__name__)

EXAMPLE = "quarry extract factbook.toml pages/ --only geography.area -o areas.csv"


_storing = varied(
    storing,  # without --key, which chooses pages here
    unique=Annotated[
        str | None,
        option("--unique", "COLUMN,...", "In PostgreSQL: the columns that identify a record; see --on-conflict."),
    ],
)


@shares(place=_storing, crew=working, access=opening_many)
def extract(
    wrapper_file: WrapperFile,
    inputs: MaybeInputs = None,
    *,
    only: Annotated[
        list[str] | None, option("--only", "PATH", "A section to keep, such as geography.area; may be repeated.")
    ] = None,
    keys: Annotated[list[str] | None, option("--key", "KEY", "A page of the index; may be repeated.")] = None,
    clean: Clean = "html5",
    render: RenderInstead = None,
    place: ResultPlace,
    crew: WorkerOptions,
    access: PageAccess,
) -> int:
    """Extract records from pages by a wrapper; without INPUT from all pages of its index."""
    if inputs and keys:
        raise UsageFault("--key chooses pages of the index; name either INPUT or keys")
    access.check_base_url(inputs or [])
    wrapper = source_pages.load_wrapper(wrapper_file)
    shape = extract_pages.narrow_wrapper(wrapper, only or ())
    chosen = choose_output(place)
    opened = formats.open_sink(chosen, place.target, table=place.table, addition=place.addition, wrapper=shape)
    sink = ResultSink(opened, place.target)
    rendered = access.decide_rendering(render, default=wrapper.source.render, clean=clean)
    folder, policy = wrapper_file.parent, access.policy
    sources = [] if inputs else source_pages.sources_of(wrapper, folder=folder, keys=keys or (), **policy)
    with keeping(sink), show_progress("extracting", sink.tally) as progress:
        if wrapper.source.form and not inputs:
            answers = [address for _, address in sources[: access.max_pages]]
            pages = fetch_pages.fetch_answers(answers, progress=progress, **policy)
            if left := len(sources) - len(answers):
                _log.warning("%s left out, because of --max-pages %d", count(left, "page"), len(answers))
        else:
            named = inputs or [address for _, address in sources]
            pages = access.fetch(named, progress, follow_lists=bool(inputs))
        documents = open_source_pages(
            wrapper, pages, access, folder=folder, inputs=folders_of(inputs or []), rendered=rendered, clean=clean
        )
        results = extract_pages.extract_all(wrapper, documents, only=only or (), **crew)
        if inputs:
            results = source_pages.name_by_index(wrapper, results, folder=folder, **policy)
        else:
            results = (
                result if isinstance(result, Failure) else replace(result, key=key)
                for (key, _), result in zip(sources, results, strict=access.max_pages is None)
            )
        poor: list[str] = []  # pages with more missing than found: likely of another template

        def take(result: Extraction | Failure) -> None:
            if not isinstance(result, Failure) and 0 < len(result.values) < len(result.missing):
                poor.append(result.page)
            sink.write(result, f"nothing of wrapper {wrapper_file} was found")

        hand_over(results, take)
    total = sink.tally.pages
    if poor and len(poor) >= extractions.MIN_SHARE_OF_DRIFT * total:
        check = printable(f"quarry check {wrapper_file} {poor[0]}")
        _log.warning(
            "%d of %s lack most of what the wrapper expects (different template?); see: %s",
            len(poor),
            count(total, "page"),
            check,
        )
    return sink.exit_code
