"""A newspaper to its texts."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from webquarry.demo.telling import print_some
from webquarry.demo.truth import fold, load_paragraphs
from webquarry.model import Article
from webquarry.pipeline import clean_all, fetch_all, read_all

if TYPE_CHECKING:
    from webquarry.model import Failure

ARTICLES = "news/articles"
SHOWN = "ferry-returns.html"
LINES = 9
"""Of the text that is shown."""
OF_EACH = 3
"""Texts that were kept, and that were left out, that are shown."""
WIDTH = 110
"""Characters of a line that is shown."""


def show_reading(examples: Path, folder: Path) -> bool:
    """Read all articles of the paper into a folder; whether that went well."""
    typer.echo(
        "10. Read: the main text of each article of a paper, together as they are of one site, without a browser"
    )
    results = list(read_articles(examples, method="vote"))
    articles = [result for result in results if isinstance(result, Article)]
    _write(results, examples, folder)
    shown = next(article for article in articles if article.page.endswith(SHOWN))
    stated = shown.metadata
    typer.echo(f"   {SHOWN}: {stated.title!r} by {stated.author}, {stated.date}, in {stated.site}, {stated.language}")
    print_some("\n".join(line[:WIDTH] for line in shown.to_markdown().splitlines() if line.strip()), LINES)
    typer.echo("   Every text of the page has its node, a verdict and a reason; some of them:")
    for line in _tell_texts(shown):
        typer.echo(f"   {line}")
    typer.echo(_compare(articles, load_paragraphs(examples)))
    typer.echo(f"   The texts are in {folder / 'articles'}, with all nodes in {folder / 'articles.jsonl'}\n")
    return len(articles) == len(results)


def read_articles(examples: Path, *, method: str) -> list[Article | Failure]:
    """The articles of the news site."""
    return list(read_all(clean_all(fetch_all([examples / ARTICLES])), method=method))


def _write(results: list[Article | Failure], examples: Path, folder: Path) -> None:
    from webquarry.storing.articles import open_article_sink  # noqa: PLC0415 - NumPy is slow to import

    places = (("markdown", folder / "articles"), ("jsonl", folder / "articles.jsonl"))
    for name, place in places:
        with closing(open_article_sink(name, place, many=True, inputs=[examples / ARTICLES])) as sink:
            for result in results:
                sink.add(result)
            sink.finish()


def _tell_texts(article: Article) -> list[str]:
    """The first texts that have different reasons, some that were kept and some that were not."""
    firsts = {reason: place for place, reason in reversed(list(enumerate(article.reasons)))}
    places = {
        kept: [place for place in sorted(firsts.values()) if article.kept[place] == kept] for kept in (True, False)
    }
    return [
        f"{'kept' if article.kept[place] else 'left'} {_start(article, place)!r:36} {article.reasons[place]}"
        for place in sorted(places[True][:OF_EACH] + places[False][:OF_EACH])
    ]


def _start(article: Article, place: int) -> str:
    return fold(article.document.texts[int(article.nodes[place])])[:34]


def _compare(articles: list[Article], paragraphs: dict[str, list[str]]) -> str:
    lines = [(article.page, fold(line)) for article in articles for line in article.text.splitlines()]
    wanted = {(page, text) for page, texts in paragraphs.items() for text in texts}
    others = [text for page, text in lines if (page, text) not in wanted]
    found = len(wanted.intersection(lines))
    return (
        f"   {found} of {len(wanted)} paragraphs of truth/paragraphs.csv are in the {len(articles)} texts; so are "
        f"{len(others)} lines that are none,\n   such as {others[0][:60]!r}"
    )
