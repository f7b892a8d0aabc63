"""Correct articles on their pages: what is kept, what is left out, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from webquarry.errors import InputError
from webquarry.model.article import Article
from webquarry.model.nouns import replace_fields
from webquarry.model.wording import count
from webquarry.storing.article_files import open_article_sink
from webquarry.workbench.opened_pages import OpenedPage
from webquarry.workbench.text_corrections import TextCorrections, TextWork

WORDS = {True: "keep", False: "leave out"}


class ArticleWork(TextWork):
    """The articles of some pages, read together, and the corrections so far."""

    def __init__(self, name: str, pages: Sequence[OpenedPage], articles: Sequence[Article]) -> None:
        self._name = name
        self._articles = articles
        self._texts = [
            [" ".join(each.document.texts[node].split()) for node in each.nodes.tolist()] for each in articles
        ]
        self._lines = [_number_lines(each) for each in articles]
        documents = [each.document for each in articles]
        corrections = TextCorrections(documents, [each.nodes for each in articles], [each.kept for each in articles])
        labels = f"{name}-labels.jsonl"
        super().__init__(pages, corrections, self._texts, labels=labels, words=WORDS, lines=self._lines)

    def show(self, number: int) -> dict[str, Any]:
        """Describe the texts of one page: kept or left out, with score and reason."""
        article, page, corrections = self._articles[number], self.pages[number], self.corrections
        kept, lines = corrections.kept(number).tolist(), self._lines[number]
        texts_of_line = Counter(lines)
        entries = zip(article.nodes.tolist(), article.scores.tolist(), article.reasons, kept, strict=True)
        return {
            "view": "article",
            "name": self._name,
            "kind": "article",
            "title": article.metadata.title,
            "texts": [
                {
                    "id": f"{number}/{place}",
                    "of": number,
                    "at": place,
                    "text": self._texts[number][place],
                    "place": page.numbers.place(node),
                    "kept": is_kept,
                    "score": round(score, 2),
                    "reason": reason,
                    "in_line": texts_of_line[lines[place]],
                    "is_corrected": corrections.decision(number, place) is not None,
                }
                for place, (node, score, reason, is_kept) in enumerate(entries)
            ],
            "files": {
                "labels": f"{self._name}-labels.jsonl",
                "text": f"{self._name}.md" if len(self.pages) == 1 else f"{self._name}-texts",
            },
            **corrections.describe(),
        }

    def export(self, file: str) -> str:
        """Write the corrected texts as Markdown: of one page into a file, of several into a folder."""
        if not file:
            raise InputError("name a file for the Markdown, such as article.md; for several pages a folder")
        articles = [
            replace_fields(article, kept=self.corrections.kept(number)) for number, article in enumerate(self._articles)
        ]
        inputs = [page.page.url for page in self.pages]
        sink = open_article_sink("markdown", Path(file), many=len(articles) > 1, inputs=inputs)
        with closing(sink):
            for article in articles:
                sink.add(article)
            sink.finish()
        return f"wrote {count(sum(map(len, articles)), 'text')} of {count(len(articles), 'page')} to {file}"


def _number_lines(article: Article) -> list[int]:
    """Return for each text the number of the line that it is in, as a reader sees lines."""
    lines = article.document.lines_of(article.nodes)
    number_of = {node: number for number, (nodes, _) in enumerate(lines) for node in nodes}
    return [number_of.get(node, -node) for node in article.nodes.tolist()]
