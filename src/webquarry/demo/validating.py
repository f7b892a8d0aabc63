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

SITE = "news"


def show_validating(examples: Path, folder: Path) -> bool:
    """Validate what Boilerpipe took from the articles, and leave the report; whether that went well."""
    from webquarry.rendering import find_browser  # noqa: PLC0415 - NumPy is slow to import

    typer.echo("11. Validate: what looks wrong in the texts that Boilerpipe finds on the same pages?")
    extraction = folder / "boilerpipe.jsonl"
    _write_extraction(examples, extraction)
    knobs = {"roots": [examples / SITE]}
    has_browser = find_browser() is not None
    done = validate_extractions([load_extraction(str(extraction))], rendered=has_browser, rendering=knobs)
    report = done.report
    labels = _label(report, examples)
    measured = measure_report(report, labels)
    place = folder / "report.html"
    pictures = picture(done, **knobs) if has_browser else {}
    write_whole(place, write_report(report, screenshots=pictures, measured=measured).encode())
    typer.echo(f"   {report.dropped} of {len(report)} texts look wrong by the vote of the pages, on {SHOWN} these:")
    for page, text, reason in [each for verdicts in report.pages for each in verdicts.dropped]:
        if page.endswith(SHOWN):
            typer.echo(f"   {text[:40]!r:42} {reason}")
    rows = {"as Boilerpipe reads them": measured.rows[0], "without what the vote drops": measured.rows[1]}
    if has_browser:
        rows["HBOS of the paper, stopped by the truth"] = _rank(report, labels)
    typer.echo("   By bytes, against truth/paragraphs.csv:")
    for name, row in rows.items():
        typer.echo(f"   {name:42}precision {row.precision:.3f}  recall {row.recalls[0]:.3f}  F1 {row.f1s[0]:.3f}")
    typer.echo(f"   The report{', with pictures of the pages,' * has_browser} is {place}\n")
    return not report.failures


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


def _rank(report: Report, labels: list[Label]) -> Row:
    """What is left where the paper stops: at the best F1, which only labels tell."""
    ranked = validate([page.selection for page in report.pages], method="hbos", scope="corpus")
    return measure_report(ranked, labels).rows[-1]
