"""The command `quarry validate`."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.messages import complain, say
from webquarry.cli.option_groups import BROWSER, OUTPUT, suggest
from webquarry.cli.options import ResultPlace, check_static, fetching, has_browser, rendering, shares, storing
from webquarry.cli.output import choose_output, show_progress
from webquarry.cli.program import UsageFault
from webquarry.pipeline import read_pages, validate_files, validate_results
from webquarry.storing import query_tables
from webquarry.storing.atomic_files import check_place, write_whole
from webquarry.validating import quality

if TYPE_CHECKING:
    from webquarry.fetching.policy import FetchOptions
    from webquarry.model.report import Report
    from webquarry.pipeline.validate_results import JudgeOptions
    from webquarry.rendering.renderer import BrowserOptions

EXAMPLE = "quarry validate news.jsonl --report report.html"


DROPS_LISTED = 20
"""Nodes that `--drop` lists one by one; a report has all."""


@dataclass(frozen=True)
class Truth:
    """Labels to measure by, if there are any."""

    labels: Path | None
    recalls: tuple[float, ...]
    """Recalls to assume."""


def judging(
    *,
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            metavar="NAME",
            help="vote (default for texts), columns (default for records); or by how nodes look: knn, hbos, "
            "hbos-dynamic, hbos-pyod.",
            autocompletion=suggest("vote", "columns", "knn", "hbos", "hbos-dynamic", "hbos-pyod"),
        ),
    ] = None,
    k: Annotated[
        float | None,
        typer.Option(
            "--k", metavar="K", help="For knn: the number of neighbours, or below 1 a share of the nodes (0.05)."
        ),
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option(
            "--scope",
            metavar="SCOPE",
            autocompletion=suggest("page", "site", "corpus"),
            help="Compare nodes within: page (default for listings), site, or corpus (all pages).",
        ),
    ] = None,
    voter: Annotated[
        str | None,
        typer.Option("--voter", metavar="METHOD", help="A method of read that votes instead of the extraction."),
    ] = None,
    scaled: Annotated[bool, typer.Option("--scaled", help="For knn and hbos: scale numbers to 0..1.")] = False,
    alpha: Annotated[
        bool, typer.Option("--alpha", help="For knn and hbos: compare the transparency of colours too.")
    ] = False,
) -> JudgeOptions:
    """Give the knobs of `webquarry.validate`; raises for unknown names, and for knobs that the method does not have."""
    _check_choice("--method", method, validate_results.JUDGES)
    _check_choice("--scope", scope, validate_results.SCOPES)
    _check_choice("--voter", voter, read_pages.ARTICLE_READERS)
    if k is not None and not 0 < k < inf:
        raise typer.BadParameter("a number of neighbours, or below 1 a share of the nodes", param_hint="--k")
    if k is not None and method != "knn":
        raise UsageFault("--k is for --method knn")
    if (scaled or alpha) and method not in validate_results.LOOKING:
        raise UsageFault(f"--scaled and --alpha are for --method {', '.join(validate_results.LOOKING)}")
    return {"method": method, "k": k, "scope": scope, "voter": voter, "scaled": scaled, "alpha": alpha}


def labelling(
    *,
    labels: Annotated[
        Path | None, typer.Option("--labels", metavar="FILE", help="JSON lines or CSV of page, node and label.")
    ] = None,
    recall: Annotated[
        str | None,
        typer.Option(
            "--recall",
            metavar="R,R",
            help="Shares of the content that were extracted, to assume if only extracted nodes have labels.",
        ),
    ] = None,
) -> Truth:
    """Give the labels to measure by."""
    if recall is None:
        return Truth(labels, ())
    if labels is None:
        raise UsageFault("--recall goes with --labels, which say what is content")
    try:
        recalls = tuple(float(part) for part in recall.split(","))
    except ValueError:
        recalls = ()
    if not recalls or not all(0 < each <= 1 for each in recalls):
        raise typer.BadParameter("shares separated by commas, such as .65,.75,.85,.95", param_hint="--recall")
    return Truth(labels, recalls)


def _check_choice(option: str, given: str | None, known: Collection[str]) -> None:
    if given is not None and given not in known:
        raise typer.BadParameter(f"choose from {', '.join(known)}", param_hint=option)


@shares(task=judging, truth=labelling, place=storing, knobs=rendering, policy=fetching)
def validate(
    extractions: Annotated[
        list[str],
        typer.Argument(
            metavar="EXTRACTION...",
            help="JSON of read, mine or extract, CSV or Parquet of mine, or JSON lines or CSV of any system with pages "
            "and XPaths; - is standard input.",
            show_default=False,
        ),
    ],
    *,
    task: JudgeOptions,
    truth: Truth,
    drop: Annotated[bool, typer.Option("--drop", help="Write the extraction without what looks wrong.")] = False,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="Write an HTML page with pictures, scores and reasons.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    render: Annotated[
        bool | None,
        typer.Option(
            "--render/--static", help="Render pages (default), or use the markup alone.", rich_help_panel=BROWSER
        ),
    ] = None,
    place: ResultPlace,
    pages: Annotated[
        list[str] | None,
        typer.Option(
            "--pages",
            metavar="INPUT",
            help="An archive or folder with the pages, instead of fetching them; may be repeated.",
        ),
    ] = None,
    knobs: BrowserOptions,
    policy: FetchOptions,
) -> int:
    """Report what looks wrong in an extraction, and why."""
    needs_look = _check_look(task["method"], render=render, scripts=knobs["scripts"])
    chosen = _choose(extractions, place, drop=drop)
    _check_places(chosen, place, report)
    _check_kept({"-o": None if drop else place.file, "--report": report}, [*extractions, truth.labels])

    files = [validate_files.load_extraction(name) for name in extractions]
    labels = None
    if truth.labels is not None:
        labels, notes = validate_files.load_labels(truth.labels, files, scripts=knobs["scripts"])
        for note in notes:
            complain(note, 0)
    rendered = render is not False and has_browser(knobs["browser"], needed=needs_look)
    with show_progress("rendering" if rendered else "reading") as progress:
        done = validate_files.validate_extractions(
            files,
            supplied=pages or (),
            rendered=rendered,
            progress=progress,
            judging=task,
            **knobs,
            **policy,
        )
    measured = None if labels is None else quality.measure(done.report, labels, truth.recalls)
    if chosen is None:
        _write_back(done.without_drops(0, files[0]), place.file)
    elif place.target is not None or place.format is not None or report is None:  # a report says it all
        stored = query_tables.store_report(
            done.report, chosen, place.target, table_name=place.table, addition=place.addition
        )
        if place.target is not None:
            say(stored)
    code = _tell_report(done.report, measured, lists_drops=drop and report is None)
    if report is not None:  # last: results must not wait for pictures, nor be lost if the disk is full
        pictures = validate_files.picture_pages(done, **knobs, **policy) if rendered else {}
        page = validate_files.write_report(done.report, screenshots=pictures, measured=measured)
        write_whole(report, page.encode(), "--report")
    return code


def _check_look(method: str | None, *, render: bool | None, scripts: bool) -> bool:
    """Tell whether a browser is needed; raises when it is and `--static` excludes it."""
    check_static(render=render, scripts=scripts)
    if method in validate_results.LOOKING and render is False:
        raise UsageFault(f"--method {method} goes by how pages look; leave out --static, or choose vote or columns")
    return bool(render) or scripts or method in validate_results.LOOKING


def _choose(extractions: list[str], place: ResultPlace, *, drop: bool) -> str | None:
    """Choose the format of the report; None when the extraction is written."""
    if extractions.count("-") > 1:
        raise UsageFault("standard input can be read only once; name - once")
    if not drop:
        return choose_output(place)
    if place.target is not None and place.file is None:
        raise UsageFault("--drop writes the extraction back in its own format; name a file with -o")
    if len(extractions) > 1 or place.format or place.table or place.safe_csv:
        raise UsageFault(
            "--drop writes one extraction back in its own format; name one, and leave out --format, --table and "
            "--safe-csv"
        )
    return None


def _check_places(chosen: str | None, place: ResultPlace, report: Path | None) -> None:
    """Raise if results could not be written, before there are any."""
    if chosen is not None:
        query_tables.check_table_place(chosen, place.target, place.table)
    elif place.file is not None:
        check_place(place.file)
    if report is not None:
        if place.file is not None and report.resolve() == place.file.resolve():
            raise UsageFault(f"-o and --report both name {report}; choose another file for one of them")
        check_place(report, "--report")


def _check_kept(outputs: Mapping[str, Path | None], inputs: Sequence[str | Path | None]) -> None:
    """Raise for results that would replace what they are made from."""
    read = {Path(each).resolve() for each in inputs if each not in (None, "-")}
    for option, output in outputs.items():
        if output is not None and output.resolve() in read:
            raise UsageFault(f"{option} {output} would replace an input; name another file")


def _write_back(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    else:
        write_whole(output, text.encode(), "-o")


def _tell_report(report: Report, measured: quality.Measure | None, *, lists_drops: bool) -> int:
    """Say on standard error what there is to know of the whole, and give the exit code."""
    for failure in report.failures:
        complain(failure.error, 0)
    if lists_drops:
        dropped = [each for page in report.pages for each in page.dropped]
        for page, text, reason in dropped[:DROPS_LISTED]:
            complain(f"dropped from {page}: {text[:80]!r}: {reason}", 0)
        if len(dropped) > DROPS_LISTED:
            complain(f"and {len(dropped) - DROPS_LISTED:,} more; --report FILE has all", 0)
    for note in (*report.notes, *(measured.notes if measured else ())):
        complain(note, 0)
    if report.pages:
        say(report.summary)
    elif not report.failures:
        complain("the extraction has no nodes, so there is nothing to judge", 0)
    if measured is not None:
        for line in _tabulate(measured):
            say(line)
    return 1 if report.failures else 0


def _tabulate(measured: quality.Measure) -> list[str]:
    """Make the rows of the paper's Table 1."""
    recalls = [f"recall {recall:g}" for recall in measured.recalls] or ["recall"]
    lines = [
        ["", "precision", *(head for recall in recalls for head in (recall, "F1")), "nodes deleted", "bytes deleted"]
    ]
    for row in measured.rows:
        figures = [f"{figure:.4f}" for pair in zip(row.recalls, row.f1s, strict=True) for figure in pair]
        deleted = [f"{row.deleted_nodes:.2%}", f"{row.deleted_bytes:.2%}"]
        lines.append([row.name, f"{row.precision:.4f}", *figures, *deleted])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
