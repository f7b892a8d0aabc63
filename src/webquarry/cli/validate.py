"""`quarry validate`: find likely errors in an extraction."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.messages import complain, say
from webquarry.cli.options import PageAccess, ResultPlace, flag, opening, option, shares, storing
from webquarry.cli.output import choose_output, show_progress
from webquarry.cli.program import BROWSER, OUTPUT, UsageFault, refuse, suggest
from webquarry.errors import InputError
from webquarry.pipeline import validate_files, validate_results
from webquarry.storing import query_tables
from webquarry.storing.result_files import check_place, write_pieces, write_whole
from webquarry.validating import (
    deletion_curves,
    labelled_quality,
    outliers,
)

if TYPE_CHECKING:
    from webquarry.model.report import Report
    from webquarry.pipeline.validate_files import LoadedFile
    from webquarry.pipeline.validate_results import AnyLabels, JudgeOptions

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
        option(
            "--method",
            "NAME",
            "vote (default for texts), columns (default for records); or by how nodes look: knn, kth-nn, hbos, "
            "hbos-joined, hbos-dynamic, hbos-pyod.",
            values=("vote", "columns", "knn", "kth-nn", "hbos", "hbos-joined", "hbos-dynamic", "hbos-pyod"),
        ),
    ] = None,
    k: Annotated[
        float | None,
        option("--k", "K", "For knn and kth-nn: the number of neighbours, or below 1 a share of the nodes (0.05)."),
    ] = None,
    scope: Annotated[
        str | None,
        option(
            "--scope",
            "SCOPE",
            "Compare nodes within: page (default for listings), site, or corpus (all pages).",
            values=("page", "site", "corpus"),
        ),
    ] = None,
    voter: Annotated[
        str | None,
        option(
            "--voter",
            "METHOD",
            "A method of read that votes instead of the extraction.",
            values=("vote", "blocks", "boilerpipe"),
        ),
    ] = None,
    scaled: Annotated[bool, flag("--scaled", "For knn and hbos: scale numbers to 0..1.")] = False,
    alpha: Annotated[bool, flag("--alpha", "For knn and hbos: compare the transparency of colours too.")] = False,
    stop: Annotated[
        str | None,
        option(
            "--stop",
            "WHERE",
            "For knn and hbos: how much to drop, instead of by a vote: best-f1 (by labels), nodes:N, share:X (of "
            "the nodes) or score:S.",
            autocompletion=suggest("best-f1", "nodes:", "share:", "score:"),
        ),
    ] = None,
) -> JudgeOptions:
    """Return the options of `webquarry.validate`; raise for unknown names, and for options that the method lacks."""
    if k is not None and not 0 < k < inf:
        raise typer.BadParameter("a number of neighbours, or below 1 a share of the nodes", param_hint="--k")
    if k is not None and method not in outliers.NEIGHBOURLY:
        raise UsageFault(f"--k is for --method {' and '.join(outliers.NEIGHBOURLY)}")
    if stop is not None:
        try:
            deletion_curves.parse_stop(stop)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--stop") from error
    if (scaled or alpha) and method not in validate_results.LOOKING:
        raise UsageFault(f"--scaled and --alpha are for --method {', '.join(validate_results.LOOKING)}")
    return {"method": method, "k": k, "scope": scope, "voter": voter, "scaled": scaled, "alpha": alpha, "stop": stop}


def labelling(
    *,
    labels: Annotated[Path | None, option("--labels", "FILE", "JSON lines or CSV of page, node and label.")] = None,
    labels_by: Annotated[
        str | None, option("--labels-by", "CSS", "Instead: the elements that match this selector hold the content.")
    ] = None,
    recall: Annotated[
        str | None,
        option(
            "--recall",
            "R,R",
            "Shares of the content that were extracted, to assume if only extracted nodes have labels.",
        ),
    ] = None,
) -> Truth:
    """Return the labels to measure by."""
    if labels is not None and labels_by is not None:
        raise UsageFault("--labels and --labels-by cannot be used together")
    if labels_by is not None:
        try:
            labelled_quality.check_selector(labels_by)
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


@shares(task=judging, truth=labelling, place=storing, access=opening)
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
        bool, flag("--paper-tables", "Print the paper's Tables 1 and 2 by labels: 10 to 500-NN and HBOS, four recalls.")
    ] = False,
    fail_above: Annotated[
        float | None,
        option("--fail-above", "SHARE", "Exit 1 if more than this share of the nodes looks wrong.", min=0, max=1),
    ] = None,
    drop: Annotated[bool, flag("--drop", "Write the extraction without what looks wrong.")] = False,
    report: Annotated[
        Path | None, option("--report", "FILE", "Write an HTML page with pictures, scores and reasons.", OUTPUT)
    ] = None,
    matrix: Annotated[
        Path | None,
        option("--matrix", "FILE", "Write the normalised styles of all nodes with their scores, as CSV.", OUTPUT),
    ] = None,
    render: Annotated[
        bool | None, flag("--render/--static", "Render pages (default), or use the markup alone.", BROWSER)
    ] = None,
    place: ResultPlace,
    pages: Annotated[
        list[str] | None,
        option("--pages", "INPUT", "An archive or folder with the pages, instead of fetching them; may be repeated."),
    ] = None,
    access: PageAccess,
) -> int:
    """Report what looks wrong in an extraction, and why."""
    if paper_tables:
        task = {**task, "method": task["method"] or "hbos", "scope": task["scope"] or "corpus"}
    method, stop = task["method"], task["stop"]
    is_by_look = method in validate_results.LOOKING
    refuse(
        {
            "--paper-tables needs --labels or --labels-by, which say what is content": paper_tables
            and not truth.is_given,
            "--paper-tables prints its tables; leave out --drop and --format, or name a file with -o": paper_tables
            and (drop or (place.format is not None and place.file is None)),
            f"--stop is for --method {', '.join(validate_results.LOOKING)}": stop is not None and not is_by_look,
            "--stop best-f1 needs --labels or --labels-by, which say what is content": stop == "best-f1"
            and not truth.is_given,
            "--matrix has styles, which need a browser; leave out --static": matrix is not None and render is False,
            f"--method {method} goes by how pages look; leave out --static, or choose vote or columns": is_by_look
            and render is False,
            "standard input can be read only once; name - once": extractions.count("-") > 1,
            "--drop writes the extraction back in its own format; name a file with -o": drop
            and place.target is not None
            and place.file is None,
            "--drop writes one extraction back in its own format; name one, and leave out --format, --table and "
            "--safe-csv": drop and (len(extractions) > 1 or place.format or place.table or place.safe_csv),
        }
    )
    chosen = None if drop else choose_output(place)
    _check_places(chosen, place, {"--report": report, "--matrix": matrix})
    outputs = {"-o": None if drop else place.file, "--report": report, "--matrix": matrix}
    _check_kept(outputs, [*extractions, truth.labels])

    files = [validate_files.load_extraction(name) for name in extractions]
    labels = _load_labels(truth, files, scripts=access.browsing["scripts"])
    if stop is not None:
        task = {**task, "labels": labels, "recalls": truth.recalls}
    rendered = access.decide_rendering(render, default=None, needed=is_by_look or matrix is not None)
    with show_progress("rendering" if rendered else "reading") as progress:
        done = validate_files.validate_extractions(
            files,
            supplied=pages or (),
            rendered=rendered,
            progress=progress,
            judging=task,
            **access.options,
        )
    measured = None if labels is None else _measure(done.report, labels, truth.recalls)
    if chosen is None:
        write_pieces([done.without_drops(0, files[0]).encode()], place.file, sys.stdout.buffer)
    elif place.file is not None or place.format is not None or (report is None and not paper_tables):
        # without -o and --format, a report or the paper's tables say the same
        stored = query_tables.store_report(done.report, chosen, place.file, table_name=place.table)
        if place.file is not None:
            say(stored)
    code = _tell_report(done.report, None if paper_tables else measured, lists_drops=drop and report is None)
    if paper_tables and measured is not None and measured.tables is not None:
        for line in labelled_quality.write_paper_tables(measured.tables):
            typer.echo(line)
    if matrix is not None:
        written = labelled_quality.write_matrix(done.report, scaled=task["scaled"], alpha=task["alpha"])
        write_whole(matrix, written.encode(), "--matrix")
    if report is not None:  # last: results must not wait for pictures, nor be lost if the disk is full
        pictures = validate_files.picture_pages(done, **access.options) if rendered else {}
        page = validate_files.write_report(done.report, screenshots=pictures, measured=measured)
        write_whole(report, page.encode(), "--report")
    return max(code, _judge_share(done.report, fail_above))


def _load_labels(truth: Truth, files: Sequence[LoadedFile], *, scripts: bool) -> AnyLabels | None:
    """Load labels from their file, or give the function that makes them by a selector."""
    if truth.selector is not None:
        return partial(labelled_quality.label_by_selector, selector=truth.selector)
    if truth.labels is None:
        return None
    labels, notes = validate_files.load_labels(truth.labels, files, scripts=scripts)
    for note in notes:
        complain(note, 0)
    return labels


def _measure(report: Report, labels: AnyLabels, recalls: Sequence[float]) -> labelled_quality.Measure:
    documents = [page.selection.document for page in report.pages]
    return labelled_quality.measure(report, validate_results.resolve_labels(labels, documents), recalls)


def _judge_share(report: Report, most: float | None) -> int:
    """Return the exit code of a gate: 1 if more of the nodes look wrong than allowed."""
    if most is None or not len(report) or report.dropped <= most * len(report):
        return 0
    wrong = f"{report.dropped / len(report):.2%} of the nodes look wrong"
    return complain(f"{wrong}, more than the {most:.2%} of --fail-above", 1)


def _check_places(chosen: str | None, place: ResultPlace, others: Mapping[str, Path | None]) -> None:
    """Raise if results could not be written, before there are any."""
    if chosen is not None:
        query_tables.check_table_place(chosen, place.target, place.table)
    elif place.file is not None:
        check_place(place.file)
    taken = {} if place.file is None else {place.file.resolve(): "-o"}
    for named, file in others.items():
        if file is None:
            continue
        if (other := taken.setdefault(file.resolve(), named)) != named:
            raise UsageFault(f"{other} and {named} both name {file}; choose another file for one of them")
        check_place(file, named)


def _check_kept(outputs: Mapping[str, Path | None], inputs: Sequence[str | Path | None]) -> None:
    """Raise for results that would replace what they are made from."""
    read = {Path(each).resolve() for each in inputs if each not in (None, "-")}
    for named, output in outputs.items():
        if output is not None and output.resolve() in read:
            raise UsageFault(f"{named} {output} would replace an input; name another file")


def _tell_report(report: Report, measured: labelled_quality.Measure | None, *, lists_drops: bool) -> int:
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
        for line in labelled_quality.write_measure(measured.recalls, measured.rows):
            say(line)
    return 1 if report.failures else 0
