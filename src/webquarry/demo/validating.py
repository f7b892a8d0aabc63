"""What looks wrong in what another system took for the text of a paper."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from webquarry.demo.reading import SHOWN, read_articles
from webquarry.demo.truth import find_paragraphs, load_paragraphs
from webquarry.pipeline import load_extraction, measure_report, picture, validate, validate_extractions, write_report
from webquarry.storing import write_whole

if TYPE_CHECKING:
    from webquarry.model import Report
    from webquarry.validating.deleting import Row
    from webquarry.validating.labels import Label
    from webquarry.validating.measuring import Measure

SITE = "news"
ODDEST = 6
"""Nodes that are shown of those that the paper's method ranks highest, of different looks."""


def show_validating(examples: Path, folder: Path) -> bool:
    """Validate what Boilerpipe took from the articles, and leave reports; whether that went well."""
    from webquarry.rendering import find_browser  # noqa: PLC0415 - NumPy is slow to import

    typer.echo("11. Validate: what looks wrong in the texts that Boilerpipe finds on the same pages?")
    extraction = folder / "boilerpipe.jsonl"
    _write_extraction(examples, extraction)
    knobs = {"roots": [examples / SITE]}
    has_browser = find_browser() is not None
    done = validate_extractions([load_extraction(str(extraction))], rendered=has_browser, rendering=knobs)
    labels = _label(done.report, examples)
    pictures = picture(done, **knobs) if has_browser else {}
    _show_vote(done.report, labels, folder, pictures)
    if has_browser:
        _show_ranking(done.report, labels, folder, pictures)
    typer.echo("")
    return not done.report.failures


def _show_vote(report: Report, labels: list[Label], folder: Path, pictures: dict[str, bytes]) -> None:
    """What the pages vote against."""
    typer.echo(f"   {report.dropped} of {len(report)} texts look wrong by the vote of the pages, on {SHOWN} these:")
    for page, text, reason in [each for verdicts in report.pages for each in verdicts.dropped]:
        if page.endswith(SHOWN):
            typer.echo(f"   {text[:34]!r:36} {reason}")
    measured = measure_report(report, labels)
    typer.echo("   By bytes, against truth/paragraphs.csv:")
    _print_row("as Boilerpipe reads them", measured.rows[0])
    _print_row("without what the vote drops", measured.rows[1])
    _leave(folder / "report.html", report, measured, pictures)


def _show_ranking(voted: Report, labels: list[Label], folder: Path, pictures: dict[str, bytes]) -> None:
    """What the method of the paper makes of the same texts."""
    report = validate([page.selection for page in voted.pages], method="hbos", scope="corpus")
    typer.echo("   By how rare their style is (HBOS, as in the paper) the oddest of these texts are:")
    for text, reason in _find_oddest(report):
        typer.echo(f"   {text[:34]!r:36} {reason}")
    measured = measure_report(report, labels)
    _print_row("without what our stop drops", measured.rows[1])
    _print_row("stopped where the truth says, as the paper", measured.rows[2])
    _leave(folder / "report-hbos.html", report, measured, pictures)


def _find_oddest(report: Report) -> list[tuple[str, str]]:
    """The first texts of the oddest looks, with reasons."""
    scores = [score for page in report.pages for score in page.scores.tolist()]
    told = [each for page in report.pages for each in zip(page.selection.texts, page.reasons, strict=True)]
    order = sorted(range(len(told)), key=lambda place: -scores[place])
    firsts = {told[place][1]: told[place][0] for place in reversed(order)}
    return [(text, reason) for reason, text in reversed(firsts.items())][:ODDEST]


def _print_row(name: str, row: Row) -> None:
    typer.echo(f"   {name:45}precision {row.precision:.3f}  recall {row.recalls[0]:.3f}  F1 {row.f1s[0]:.3f}")


def _leave(place: Path, report: Report, measured: Measure, pictures: dict[str, bytes]) -> None:
    write_whole(place, write_report(report, screenshots=pictures, measured=measured).encode())
    typer.echo(f"   The report{', with pictures of the pages,' * bool(pictures)} is {place}")


def _write_extraction(examples: Path, place: Path) -> None:
    from webquarry.storing.articles import open_article_sink  # noqa: PLC0415

    with closing(open_article_sink("jsonl", place)) as sink:
        for result in read_articles(examples, method="boilerpipe"):
            sink.add(result)
        sink.finish()


def _label(report: Report, examples: Path) -> list[Label]:
    """The paragraphs on the pages of a report."""
    from webquarry.validating.labels import Label  # noqa: PLC0415

    paragraphs = load_paragraphs(examples)
    documents = [page.selection.document for page in report.pages]
    return [
        Label(document.url, document.xpath(node), content=True)
        for document in documents
        for node in find_paragraphs(document, paragraphs[document.url])
    ]
