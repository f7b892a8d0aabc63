"""`quarry validate`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.browsing import check_static, has_browser
from webquarry.cli.faults import UsageFault, complain
from webquarry.cli.judging import Truth, judging, labelling
from webquarry.cli.options import Knobs, ResultPlace, fetching, rendering, shares, storing
from webquarry.cli.output import choose_output, write_result
from webquarry.cli.progress import show_progress
from webquarry.cli.report_lines import tell_report

if TYPE_CHECKING:
    from webquarry.model import Report
    from webquarry.pipeline.extractions import Extracted
    from webquarry.validating.labels import Label


@shares(task=judging, truth=labelling, place=storing, knobs=rendering, policy=fetching)
def validate(
    extractions: Annotated[
        list[str],
        typer.Argument(
            metavar="EXTRACTION...",
            help="What read, mine or extract wrote as JSON, or the JSON lines or CSV of any system that name pages and "
            "XPaths; - is standard input.",
            show_default=False,
        ),
    ],
    *,
    task: Knobs,
    truth: Truth,
    drop: Annotated[bool, typer.Option("--drop", help="Write the extraction without what looks wrong.")] = False,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write a page of HTML with pictures and reasons.")
    ] = None,
    render: Annotated[
        bool | None, typer.Option("--render/--static", help="With a browser (default), or by the markup alone.")
    ] = None,
    place: ResultPlace,
    pages: Annotated[
        list[str] | None,
        typer.Option(
            "--pages", metavar="INPUT", help="An archive or folder that has the pages, to fetch none; may be repeated."
        ),
    ] = None,
    knobs: Knobs,
    policy: Knobs,
) -> int:
    """Tell what looks wrong in an extraction, and why."""
    needs_look = _check_look(task["method"], render=render, scripts=knobs["scripts"])
    chosen = _choose(extractions, place, drop=drop)
    _check_places(chosen, place, report)
    _check_kept({"-o": None if drop else place.file, "--report": report}, [*extractions, truth.labels])
    from webquarry import pipeline  # noqa: PLC0415 - help and usage errors need no stages

    files = [pipeline.load_extraction(name) for name in extractions]
    labels = _load_labels(truth.labels, files, scripts=knobs["scripts"])
    rendered = render is not False and has_browser(knobs["browser"], needed=needs_look)
    with show_progress("rendering" if rendered else "reading") as progress:
        done = pipeline.validate_extractions(
            files,
            supplied=pages or (),
            rendered=rendered,
            rendering=knobs,
            policy=policy,
            progress=progress,
            **task,
        )
    measured = None if labels is None else pipeline.measure_report(done.report, labels, truth.recalls)
    if chosen is None:
        _write_back(done.without_drops(0, files[0]), place.file)
    else:
        _store(done.report, chosen, place)
    code = tell_report(done.report, measured, told_drops=drop and report is None)
    if report is not None:  # after the results: those must not wait for pictures, nor for a full disk
        pictures = pipeline.picture(done, **knobs, **policy) if rendered else {}
        page = pipeline.write_report(done.report, screenshots=pictures, measured=measured)
        write_result(report, page.encode(), "--report")
    return code


def _check_look(method: str | None, *, render: bool | None, scripts: bool) -> bool:
    """Whether it takes a browser; raises when it does and there is to be none."""
    from webquarry.pipeline import LOOKING  # noqa: PLC0415

    check_static(render=render, scripts=scripts)
    if method in LOOKING and render is False:
        raise UsageFault(f"--method {method} goes by how pages look; leave --static out, or choose vote or columns")
    return bool(render) or scripts or method in LOOKING


def _choose(extractions: list[str], place: ResultPlace, *, drop: bool) -> str | None:
    """The format of the report; None when what is written is the extraction."""
    if extractions.count("-") > 1:
        raise UsageFault("standard input can be read once; name - once")
    if not drop:
        return choose_output(place)
    if len(extractions) > 1 or place.format or place.table:
        raise UsageFault("--drop writes one extraction back as it was; name one, and leave --format and --table out")
    return None


def _check_places(chosen: str | None, place: ResultPlace, report: Path | None) -> None:
    """Raise what would keep results from being written, before there are any."""
    from webquarry.storing import check_table_place  # noqa: PLC0415
    from webquarry.storing.faults import check_place  # noqa: PLC0415

    if chosen is not None:
        check_table_place(chosen, place.file, place.table)
    elif place.file is not None:
        check_place(place.file)
    if report is not None:
        if place.file is not None and report.resolve() == place.file.resolve():
            raise UsageFault(f"-o and --report both name {report}; choose another file for one of them")
        check_place(report, "--report")


def _check_kept(outputs: Mapping[str, Path | None], inputs: Sequence[str | Path | None]) -> None:
    """Raise for results that would take the place of what they are made from."""
    read = {Path(each).resolve() for each in inputs if each not in (None, "-")}
    for option, output in outputs.items():
        if output is not None and output.resolve() in read:
            raise UsageFault(f"{option} {output} would replace what is read; name another file for what comes of it")


def _load_labels(path: Path | None, files: Sequence[Extracted], *, scripts: bool) -> list[Label] | None:
    from webquarry.pipeline import load_labels  # noqa: PLC0415

    if path is None:
        return None
    labels, notes = load_labels(path, files, scripts=scripts)
    for note in notes:
        complain(note, 0)
    return labels


def _write_back(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    else:
        write_result(output, text.encode(), "-o")


def _store(report: Report, chosen: str, place: ResultPlace) -> None:
    from webquarry.storing.reports import store_report  # noqa: PLC0415

    told = store_report(report, chosen, place.file, table_name=place.table)
    if place.file is not None:
        typer.echo(told, err=True)
