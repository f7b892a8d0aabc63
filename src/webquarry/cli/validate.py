"""`quarry validate`: find likely errors in an extraction."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.messages import complain, say
from webquarry.cli.options import ResultPlace, decide_rendering, fetching, rendering, shares, storing
from webquarry.cli.output import choose_output, show_progress
from webquarry.cli.program import BROWSER, OUTPUT, UsageFault, suggest
from webquarry.errors import InputError
from webquarry.pipeline import read_pages, validate_files, validate_results
from webquarry.storing import query_tables
from webquarry.storing.result_files import check_place, write_whole
from webquarry.validating import (
    content_labels,
    deletion_curves,
    outliers,
    quality,
)

if TYPE_CHECKING:
    from webquarry.fetching.policy import FetchOptions
    from webquarry.model.report import Report
    from webquarry.pipeline.validate_files import LoadedFile
    from webquarry.pipeline.validate_results import AnyLabels, JudgeOptions
    from webquarry.rendering.renderer import BrowserOptions

EXAMPLE = "quarry validate news.jsonl --report report.html"


DROPS_LISTED = 20
"""Nodes that `--drop` lists one by one; a report has all."""


@dataclass(frozen=True)
class Truth:
    """The labels to measure by, if any."""

    labels: Path | None
    selector: str | None
    """A CSS selector of the content, instead of a file."""
    recalls: tuple[float, ...]
    """The assumed recalls."""

    @property
    def is_given(self) -> bool:
        """Tell whether there are any labels."""
        return self.labels is not None or self.selector is not None


def judging(
    *,
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            metavar="NAME",
            help="vote (default for texts), columns (default for records); or by how nodes look: knn, kth-nn, hbos, "
            "hbos-joined, hbos-dynamic, hbos-pyod.",
            autocompletion=suggest(
                "vote", "columns", "knn", "kth-nn", "hbos", "hbos-joined", "hbos-dynamic", "hbos-pyod"
            ),
        ),
    ] = None,
    k: Annotated[
        float | None,
        typer.Option(
            "--k",
            metavar="K",
            help="For knn and kth-nn: the number of neighbours, or below 1 a share of the nodes (0.05).",
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
    stop: Annotated[
        str | None,
        typer.Option(
            "--stop",
            metavar="WHERE",
            help="For knn and hbos: how much to drop, instead of by a vote: best-f1 (by labels), nodes:N, share:X (of "
            "the nodes) or score:S.",
            autocompletion=suggest("best-f1", "nodes:", "share:", "score:"),
        ),
    ] = None,
) -> JudgeOptions:
    """Return the options of `webquarry.validate`; raise for unknown names, and for options that the method lacks."""
    _check_choice("--method", method, validate_results.JUDGES)
    _check_choice("--scope", scope, validate_results.SCOPES)
    _check_choice("--voter", voter, read_pages.ARTICLE_READERS)
    if k is not None and not 0 < k < inf:
        raise typer.BadParameter("a number of neighbours, or below 1 a share of the nodes", param_hint="--k")
    if k is not None and method not in outliers.NEIGHBOURLY:
        raise UsageFault(f"--k is for --method {' and '.join(outliers.NEIGHBOURLY)}")
    if stop is not None:
        _check_stop(stop)
    if (scaled or alpha) and method not in validate_results.LOOKING:
        raise UsageFault(f"--scaled and --alpha are for --method {', '.join(validate_results.LOOKING)}")
    return {"method": method, "k": k, "scope": scope, "voter": voter, "scaled": scaled, "alpha": alpha, "stop": stop}


def _check_stop(stop: str) -> None:
    try:
        deletion_curves.parse_stop(stop)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--stop") from error


def labelling(
    *,
    labels: Annotated[
        Path | None, typer.Option("--labels", metavar="FILE", help="JSON lines or CSV of page, node and label.")
    ] = None,
    labels_by: Annotated[
        str | None,
        typer.Option(
            "--labels-by", metavar="CSS", help="Instead: the elements that match this selector hold the content."
        ),
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
    """Return the labels to measure by."""
    if labels is not None and labels_by is not None:
        raise UsageFault("--labels and --labels-by exclude each other")
    if labels_by is not None:
        try:
            content_labels.check_selector(labels_by)
        except InputError as error:
            raise typer.BadParameter(str(error), param_hint="--labels-by") from error
    if recall is None:
        return Truth(labels, labels_by, ())
    if labels is None and labels_by is None:
        raise UsageFault("--recall goes with --labels, which say what is content")
    try:
        recalls = tuple(float(part) for part in recall.split(","))
    except ValueError:
        recalls = ()
    if not recalls or not all(0 < each <= 1 for each in recalls):
        raise typer.BadParameter("shares separated by commas, such as .65,.75,.85,.95", param_hint="--recall")
    return Truth(labels, labels_by, recalls)


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
    paper_tables: Annotated[
        bool,
        typer.Option(
            "--paper-tables", help="Print the paper's Tables 1 and 2 by labels: 10 to 500-NN and HBOS, four recalls."
        ),
    ] = False,
    fail_above: Annotated[
        float | None,
        typer.Option(
            "--fail-above",
            metavar="SHARE",
            min=0,
            max=1,
            help="Exit 1 if more than this share of the nodes looks wrong.",
        ),
    ] = None,
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
    matrix: Annotated[
        Path | None,
        typer.Option(
            "--matrix",
            metavar="FILE",
            help="Write the normalised styles of all nodes with their scores, as CSV.",
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
    if paper_tables:
        task = _choose_paper_method(task, truth, place, drop=drop)
    _check_stopping(task, truth)
    needs_look = _check_look(task["method"], render=render, matrix=matrix)
    chosen = _choose(extractions, place, drop=drop)
    _check_places(chosen, place, {"--report": report, "--matrix": matrix})
    outputs = {"-o": None if drop else place.file, "--report": report, "--matrix": matrix}
    _check_kept(outputs, [*extractions, truth.labels])

    files = [validate_files.load_extraction(name) for name in extractions]
    labels = _load_labels(truth, files, scripts=knobs["scripts"])
    if task["stop"] is not None:
        task = {**task, "labels": labels, "recalls": truth.recalls}
    rendered = decide_rendering(render, knobs, default=None, needed=needs_look)
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
    measured = None if labels is None else _measure(done.report, labels, truth.recalls)
    if chosen is None:
        _write_back(done.without_drops(0, files[0]), place.file)
    elif place.file is not None or place.format is not None or (report is None and not paper_tables):
        # without -o and --format, a report or the paper's tables say the same
        stored = query_tables.store_report(done.report, chosen, place.file, table_name=place.table)
        if place.file is not None:
            say(stored)
    code = _tell_report(done.report, None if paper_tables else measured, lists_drops=drop and report is None)
    if paper_tables and measured is not None and measured.tables is not None:
        for line in quality.write_paper_tables(measured.tables):
            typer.echo(line)
    if matrix is not None:
        written = quality.write_matrix(done.report, scaled=task["scaled"], alpha=task["alpha"])
        write_whole(matrix, written.encode(), "--matrix")
    if report is not None:  # last: results must not wait for pictures, nor be lost if the disk is full
        pictures = validate_files.picture_pages(done, **knobs, **policy) if rendered else {}
        page = validate_files.write_report(done.report, screenshots=pictures, measured=measured)
        write_whole(report, page.encode(), "--report")
    return max(code, _judge_share(done.report, fail_above))


def _choose_paper_method(task: JudgeOptions, truth: Truth, place: ResultPlace, *, drop: bool) -> JudgeOptions:
    """Return the paper's method and scope if none was chosen; raise for options that do not go with its tables."""
    if not truth.is_given:
        raise UsageFault("--paper-tables needs --labels or --labels-by, which say what is content")
    if drop or (place.format is not None and place.file is None):
        raise UsageFault("--paper-tables prints its tables; leave out --drop and --format, or name a file with -o")
    return {**task, "method": task["method"] or "hbos", "scope": task["scope"] or "corpus"}


def _check_stopping(task: JudgeOptions, truth: Truth) -> None:
    """Raise if the method has no stop, or the stop no labels."""
    if task["stop"] is None:
        return
    if task["method"] not in validate_results.LOOKING:
        raise UsageFault(f"--stop is for --method {', '.join(validate_results.LOOKING)}")
    if task["stop"] == "best-f1" and not truth.is_given:
        raise UsageFault("--stop best-f1 needs --labels or --labels-by, which say what is content")


def _load_labels(truth: Truth, files: Sequence[LoadedFile], *, scripts: bool) -> AnyLabels | None:
    """Load labels from their file, or give the function that makes them by a selector."""
    if truth.selector is not None:
        return partial(content_labels.label_by_selector, selector=truth.selector)
    if truth.labels is None:
        return None
    labels, notes = validate_files.load_labels(truth.labels, files, scripts=scripts)
    for note in notes:
        complain(note, 0)
    return labels


def _measure(report: Report, labels: AnyLabels, recalls: Sequence[float]) -> quality.Measure:
    documents = [page.selection.document for page in report.pages]
    return quality.measure(report, validate_results.resolve_labels(labels, documents), recalls)


def _judge_share(report: Report, most: float | None) -> int:
    """Return the exit code of a gate: 1 if more of the nodes look wrong than allowed."""
    if most is None or not len(report) or report.dropped <= most * len(report):
        return 0
    wrong = f"{report.dropped / len(report):.2%} of the nodes look wrong"
    return complain(f"{wrong}, more than the {most:.2%} of --fail-above", 1)


def _check_look(method: str | None, *, render: bool | None, matrix: Path | None) -> bool:
    """Tell whether looks are needed; raises when they are and `--static` excludes them."""
    if matrix is not None and render is False:
        raise UsageFault("--matrix has styles, which need a browser; leave out --static")
    if method in validate_results.LOOKING and render is False:
        raise UsageFault(f"--method {method} goes by how pages look; leave out --static, or choose vote or columns")
    return matrix is not None or method in validate_results.LOOKING


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


def _check_places(chosen: str | None, place: ResultPlace, others: Mapping[str, Path | None]) -> None:
    """Raise if results could not be written, before there are any."""
    if chosen is not None:
        query_tables.check_table_place(chosen, place.target, place.table)
    elif place.file is not None:
        check_place(place.file)
    taken = {} if place.file is None else {place.file.resolve(): "-o"}
    for option, file in others.items():
        if file is None:
            continue
        if (other := taken.setdefault(file.resolve(), option)) != option:
            raise UsageFault(f"{other} and {option} both name {file}; choose another file for one of them")
        check_place(file, option)


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
    """Print a summary on standard error; return the exit code."""
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
        for line in quality.write_measure(measured.recalls, measured.rows):
            say(line)
    return 1 if report.failures else 0
