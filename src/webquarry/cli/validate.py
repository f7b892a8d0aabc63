"""`quarry validate`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.browsing import check_static, has_browser
from webquarry.cli.faults import UsageFault, complain
from webquarry.cli.options import Format, Knobs, ResultFile, Table, fetching, rendering, shares
from webquarry.cli.output import choose_output, write_result
from webquarry.cli.progress import show_progress

if TYPE_CHECKING:
    from webquarry.model import Report
    from webquarry.validating.deleting import Row
    from webquarry.validating.measuring import Measure

DROPS_TOLD = 20
"""Nodes that `--drop` tells one by one; a report has all."""


@shares(knobs=rendering, policy=fetching)
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
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            help="vote (default for texts), columns (default for records), knn, hbos, hbos-dynamic or hbos-pyod.",
        ),
    ] = None,
    k: Annotated[
        float | None, typer.Option("--k", metavar="K", help="For knn: neighbours; below 1 a share of the nodes (0.05).")
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option("--scope", help="What nodes are compared with: page (default for listings), site or corpus."),
    ] = None,
    voter: Annotated[
        str | None, typer.Option("--voter", metavar="METHOD", help="A method of read that votes for the extraction.")
    ] = None,
    scaled: Annotated[bool, typer.Option("--scaled", help="For knn and hbos: numbers scaled to 0..1.")] = False,
    alpha: Annotated[bool, typer.Option("--alpha", help="For knn and hbos: colours with their alpha.")] = False,
    labels: Annotated[
        Path | None, typer.Option("--labels", metavar="FILE", help="JSON lines or CSV of page, node and label.")
    ] = None,
    recall: Annotated[
        str | None,
        typer.Option("--recall", metavar="R,R", help="With --labels of extracted nodes alone: recalls to assume."),
    ] = None,
    drop: Annotated[bool, typer.Option("--drop", help="Write the extraction without what looks wrong.")] = False,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write a page of HTML with pictures and reasons.")
    ] = None,
    render: Annotated[
        bool | None, typer.Option("--render/--static", help="With a browser (default), or by the markup alone.")
    ] = None,
    output_format: Format = None,
    output: ResultFile = None,
    table: Table = None,
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
    check_static(render=render, scripts=knobs["scripts"])
    _check(method, scope, voter, k, vectors=scaled or alpha)
    is_look_needed = _is_look_needed(method, render=render)
    recalls = _recalls(recall, labels)
    if extractions.count("-") > 1:
        raise UsageFault("standard input can be read once; name - once")
    if drop and (len(extractions) > 1 or output_format or table):
        raise UsageFault("--drop writes one extraction back as it was; name one, and leave --format and --table out")
    chosen = None if drop else choose_output(output_format, output, table)
    _check_places(chosen, output, table, report)
    from webquarry import pipeline  # noqa: PLC0415 - help and usage errors need no stages

    files = [pipeline.load_extraction(name) for name in extractions]
    truth = None if labels is None else pipeline.load_labels(labels)
    needed = bool(render) or knobs["scripts"] or is_look_needed
    rendered = render is not False and has_browser(knobs["browser"], needed=needed)
    task = {"method": method, "scope": scope, "voter": voter, "scaled": scaled, "alpha": alpha, "k": k}
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
    measured = None if truth is None else pipeline.measure_report(done.report, truth, recalls)
    if chosen is None:
        _write_back(done.without_drops(0, files[0]), output)
    else:
        _store(done.report, chosen, output, table)
    code = _tell(done.report, measured, told_drops=drop and report is None)
    if report is not None:  # after the results: those must not wait for pictures, nor for a full disk
        pictures = pipeline.picture(done, **knobs, **policy) if rendered else {}
        page = pipeline.write_report(done.report, screenshots=pictures, measured=measured)
        write_result(report, page.encode(), "--report")
    return code


def _check(method: str | None, scope: str | None, voter: str | None, k: float | None, *, vectors: bool) -> None:
    """Raise for names that there are not, and for knobs that a method has not."""
    from webquarry.pipeline import ARTICLE_READERS, JUDGES, LOOKING, SCOPES  # noqa: PLC0415

    choices = {
        "--method": (method, tuple(JUDGES)),
        "--scope": (scope, SCOPES),
        "--voter": (voter, tuple(ARTICLE_READERS)),
    }
    for option, (given, known) in choices.items():
        if given is not None and given not in known:
            raise typer.BadParameter(f"choose from {', '.join(known)}", param_hint=option)
    if k is not None and not k > 0:
        raise typer.BadParameter("a number of neighbours, or below 1 a share of the nodes", param_hint="--k")
    if k is not None and method != "knn":
        raise UsageFault("--k is for --method knn")
    if vectors and method not in LOOKING:
        raise UsageFault(f"--scaled and --alpha are for --method {', '.join(LOOKING)}")


def _is_look_needed(method: str | None, *, render: bool | None) -> bool:
    """Whether a method goes by what only a browser tells; raises when there is to be none."""
    from webquarry.pipeline import LOOKING  # noqa: PLC0415

    if method in LOOKING and render is False:
        raise UsageFault(f"--method {method} goes by how pages look; leave --static out, or choose vote or columns")
    return method in LOOKING


def _recalls(given: str | None, labels: Path | None) -> list[float]:
    if given is None:
        return []
    if labels is None:
        raise UsageFault("--recall goes with --labels, which tell what of the extraction is content")
    try:
        recalls = [float(part) for part in given.split(",")]
    except ValueError:
        recalls = []
    if not recalls or not all(0 < recall <= 1 for recall in recalls):
        raise typer.BadParameter("shares with commas between, such as .65,.75,.85,.95", param_hint="--recall")
    return recalls


def _check_places(chosen: str | None, output: Path | None, table: str | None, report: Path | None) -> None:
    """Raise what would keep results from being written, before there are any."""
    from webquarry.storing import check_table_place  # noqa: PLC0415
    from webquarry.storing.faults import check_place  # noqa: PLC0415

    if chosen is not None:
        check_table_place(chosen, output, table)
    elif output is not None:
        check_place(output)
    if report is not None:
        if output is not None and report.resolve() == output.resolve():
            raise UsageFault(f"-o and --report both name {report}; choose another file for one of them")
        check_place(report, "--report")


def _write_back(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    else:
        write_result(output, text.encode(), "-o")


def _store(report: Report, chosen: str, output: Path | None, table: str | None) -> None:
    from webquarry.storing.reports import store_report  # noqa: PLC0415

    told = store_report(report, chosen, output, table_name=table)
    if output is not None:
        typer.echo(told, err=True)


def _tell(report: Report, measured: Measure | None, *, told_drops: bool) -> int:
    """Say on standard error what there is to know, and give the exit code."""
    for failure in report.failures:
        complain(failure.error, 0)
    if told_drops:
        _tell_drops(report)
    for note in (*report.notes, *(measured.notes if measured else ())):
        complain(note, 0)
    if report.pages:
        typer.echo(report.summary, err=True)
    elif not report.failures:
        complain("the extraction has no nodes, so there is nothing to judge", 0)
    if measured is not None:
        for line in _tabulate(measured):
            typer.echo(line, err=True)
    return 1 if report.failures else 0


def _tell_drops(report: Report) -> None:
    dropped = [each for page in report.pages for each in page.dropped]
    for page, text, reason in dropped[:DROPS_TOLD]:
        complain(f"dropped from {page}: {text[:80]!r}: {reason}", 0)
    if len(dropped) > DROPS_TOLD:
        complain(f"and {len(dropped) - DROPS_TOLD:,} more; --report FILE has all", 0)


def _tabulate(measured: Measure) -> list[str]:
    """The rows of the paper's Table 1."""
    recalls = [f"recall {recall:g}" for recall in measured.recalls] or ["recall"]
    heads = [
        "",
        "precision",
        *(part for recall in recalls for part in (recall, "F1")),
        "nodes deleted",
        "bytes deleted",
    ]
    lines = [heads, *map(_cells, measured.rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(heads))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]


def _cells(row: Row) -> list[str]:
    pairs = zip(row.recalls, row.f1s, strict=True)
    figures = (f"{figure:.4f}" for pair in pairs for figure in pair)
    return [row.name, f"{row.precision:.4f}", *figures, f"{row.deleted_nodes:.2%}", f"{row.deleted_bytes:.2%}"]
