"""Correct what was kept of pages: the texts of articles, and the values of an extraction, worst outliers first.

Corrections can be undone and redone, and are saved as labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.errors import InputError
from webquarry.model.article import Article
from webquarry.model.document import Document
from webquarry.model.nouns import replace_fields
from webquarry.model.wording import count
from webquarry.pipeline.validate_files import LoadedFile, Validation
from webquarry.storing.article_files import open_article_sink
from webquarry.storing.result_files import write_whole
from webquarry.validating.labelled_quality import Label, Measure, measure, write_labels
from webquarry.workbench.opened_pages import OpenedPage


class Step(NamedTuple):
    """One correction, of texts by the number of their page and their places there."""

    page: int
    before: Mapping[int, bool | None]
    """The earlier verdict for each place; None if there was none."""
    kept: bool
    said: str


class TextWork:
    """Texts of pages that were kept or left out, with a person's corrections: articles, or an extraction."""

    pages: list[OpenedPage]

    def __init__(
        self,
        pages: Sequence[OpenedPage],
        corrections: TextCorrections,
        texts: Sequence[Sequence[str]],
        *,
        labels: str,
        words: Mapping[bool, str],
        lines: Sequence[Sequence[int]] = (),
    ) -> None:
        """`labels` is the file to save to if none is named; the others are those of `TextCorrections.decide`."""
        self.pages = list(pages)
        self.corrections = corrections
        self._texts, self._lines, self._words, self._labels = texts, lines, words, labels

    def act(self, number: int, action: str, given: Mapping[str, Any]) -> str:  # noqa: ARG002
        """Do what was clicked: correct a text, undo, redo, save labels, or write the results."""
        file = str(given.get("file", ""))
        actions: dict[str, Callable[[], str]] = {
            "decide": lambda: self.corrections.decide(given, self._words, self._texts, self._lines),
            "undo": self.corrections.undo,
            "redo": self.corrections.redo,
            "save": lambda: self.save(Path(file or self._labels)),
            "export": lambda: self.export(file),
        }
        if action not in actions:
            raise InputError(f"there is no action {action!r}; choose from {', '.join(actions)}")
        return actions[action]()

    def save(self, file: Path) -> str:
        """Write labels."""
        return self.corrections.save(file)

    def export(self, file: str) -> str:
        """Write the results as they are with the corrections."""
        raise NotImplementedError

    def find_gaps(self, number: int) -> list[str]:  # noqa: ARG002
        """Return nothing: texts are not requested by name."""
        return []


class TextCorrections:
    """Texts of pages, each kept or left out, and the corrections so far."""

    def __init__(self, documents: Sequence[Document], nodes: Sequence[NDArray[np.int32]], kept: Sequence[Any]) -> None:
        self._documents = documents
        self._nodes = nodes
        self._found = kept
        self._decided: dict[tuple[int, int], bool] = {}
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._saved: dict[tuple[int, int], bool] | None = None

    def describe(self) -> dict[str, Any]:
        """Describe the history for the browser, as that of a wrapper."""
        return {
            "is_saved": self._saved == self._decided,
            "history": [step.said for step in self._done],
            "can_redo": bool(self._undone),
        }

    def kept(self, page: int) -> NDArray[np.bool_]:
        """Tell which texts of a page are kept, with the corrections."""
        kept = np.array(self._found[page], dtype=np.bool_)
        for (number, place), decision in self._decided.items():
            if number == page:
                kept[place] = decision
        return kept

    def decision(self, page: int, place: int) -> bool | None:
        """Return a person's verdict on a text: True to keep it, None if there is none."""
        return self._decided.get((page, place))

    def decide(
        self,
        given: Mapping[str, Any],
        words: Mapping[bool, str],
        texts: Sequence[Sequence[str]],
        lines: Sequence[Sequence[int]] = (),
    ) -> str:
        """Keep or leave out the text that the browser names; `words` say which was done.

        For a `whole` line all texts go with it; `lines` has the number of the line of each text.
        """
        page, place, kept = given.get("of"), given.get("place"), given.get("kept")
        if not (isinstance(page, int) and 0 <= page < len(texts) and isinstance(kept, bool)):
            raise InputError("a correction must name the page of a text, its place, and whether it is kept")
        if not (isinstance(place, int) and 0 <= place < len(texts[page])):
            raise InputError(f"the page has {count(len(texts[page]), 'text')}; there is no text {place}")
        places = [place]
        if given.get("whole") and lines:
            places = [at for at, line in enumerate(lines[page]) if line == lines[page][place]]
        more = f" and {count(len(places) - 1, 'text')} of its line" if len(places) > 1 else ""
        step = Step(
            page,
            {at: self.decision(page, at) for at in places},
            kept,
            f'{words[kept]} "{_shorten(texts[page][place])}"{more}',
        )
        self._undone.clear()
        return self._do(step)

    def _do(self, step: Step) -> str:
        self._done.append(step)
        self._decided |= {(step.page, place): step.kept for place in step.before}
        return step.said

    def undo(self) -> str:
        """Take back the last correction."""
        if not self._done:
            raise InputError("there is nothing to undo")
        step = self._done.pop()
        self._undone.append(step)
        for place, before in step.before.items():
            if before is None:
                del self._decided[step.page, place]
            else:
                self._decided[step.page, place] = before
        return f"undone: {step.said}"

    def redo(self) -> str:
        """Make the correction again that was taken back last."""
        if not self._undone:
            raise InputError("there is nothing to redo")
        return self._do(self._undone.pop())

    def to_labels(self) -> list[Label]:
        """Make a label of each text, corrected or not."""
        return [
            Label(document.url, document.xpath(node), content)
            for number, (document, nodes) in enumerate(zip(self._documents, self._nodes, strict=True))
            for node, content in zip(nodes.tolist(), self.kept(number).tolist(), strict=True)
        ]

    def save(self, file: Path) -> str:
        """Write the labels of all texts."""
        labels = self.to_labels()
        write_whole(file, write_labels(labels, as_csv=file.suffix.lower() == ".csv").encode(), "labels")
        self._saved = dict(self._decided)
        corrected = count(len(self._done), "correction")
        return f"saved {count(len(labels), 'label')} of {count(len(self._nodes), 'page')}, {corrected}, in {file}"


def _shorten(text: str, length: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1]}…"


ARTICLE_WORDS = {True: "keep", False: "leave out"}


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
        super().__init__(pages, corrections, self._texts, labels=labels, words=ARTICLE_WORDS, lines=self._lines)

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


EXTRACTION_WORDS = {True: "accept", False: "reject"}
OUTLIERS_SENT = 500
"""The number of worst outliers that the browser gets; a person does not go through more."""

POINTS_SENT = 200
"""The number of points of each curve."""


class ExtractionWork(TextWork):
    """An extraction with the report on it, and the verdicts that a person changed."""

    def __init__(
        self,
        loaded: LoadedFile,
        validation: Validation,
        pages: Sequence[OpenedPage],
        labels: Sequence[Label] = (),
    ) -> None:
        """Measure by labels, if there are any: of all texts of the pages."""
        self._curves = _describe_curves(measure(validation.report, labels)) if labels else None
        self._loaded = loaded
        self._validation = validation
        self._file = Path(loaded.name)
        self._stem = self._file.name.partition(".")[0]
        self._verdicts = validation.report.pages
        selections = [each.selection for each in self._verdicts]
        self._texts = [each.texts for each in selections]
        corrections = TextCorrections(
            [each.document for each in selections],
            [each.nodes for each in selections],
            [~each.drops for each in self._verdicts],
        )
        super().__init__(pages, corrections, self._texts, labels=f"{self._stem}-labels.jsonl", words=EXTRACTION_WORDS)
        self._ranked = sorted(
            (not verdicts.drops[at], -float(verdicts.scores[at]), of, at)
            for of, verdicts in enumerate(self._verdicts)
            for at in range(len(verdicts.scores))
        )

    def show(self, number: int) -> dict[str, Any]:
        """Describe the outliers of all pages, and all that was extracted from one."""
        kept = [self.corrections.kept(of) for of in range(len(self._verdicts))]
        odd = [(of, at) for *_, of, at in self._ranked if self._is_odd(of, at) or self._is_decided(of, at)]
        return {
            "view": "outliers",
            "name": self._stem,
            "kind": "extraction",
            "summary": self._validation.report.summary,
            "notes": list(self._validation.report.notes),
            "texts": [self._describe(number, at, kept) for at in range(len(self._texts[number]))],
            "outliers": [self._describe(of, at, kept) for of, at in odd[:OUTLIERS_SENT]],
            "outlier_count": len(odd),
            "curves": self._curves,
            "dropped": int(sum((~each).sum() for each in kept)),
            "files": {
                "labels": f"{self._stem}-labels.jsonl",
                "kept": f"{self._stem}-kept{''.join(self._file.suffixes)}",
            },
            **self.corrections.describe(),
        }

    def save(self, file: Path) -> str:
        """Write labels, and measure by them; they are of the extracted values alone."""
        said = super().save(file)
        labels = self.corrections.to_labels()
        if any(label.content for label in labels):
            self._curves = _describe_curves(measure(self._validation.report, labels, (1.0,)))
        return said

    def _is_odd(self, of: int, at: int) -> bool:
        """Tell whether a value is to be dropped, or has a score with a reason."""
        verdicts = self._verdicts[of]
        return bool(verdicts.drops[at] or (verdicts.scores[at] > 0 and verdicts.reasons[at]))

    def _is_decided(self, of: int, at: int) -> bool:
        return self.corrections.decision(of, at) is not None

    def _describe(self, of: int, at: int, kept: Sequence[Any]) -> dict[str, Any]:
        verdicts, selection = self._verdicts[of], self._verdicts[of].selection
        return {
            "id": f"{of}/{at}",
            "of": of,
            "at": at,
            "text": " ".join(selection.texts[at].split()),
            "column": selection.columns[at] if selection.columns else "",
            "place": self.pages[of].numbers.place(int(selection.nodes[at])),
            "kept": bool(kept[of][at]),
            "is_odd": self._is_odd(of, at),
            "score": round(float(verdicts.scores[at]), 2),
            "reason": verdicts.reasons[at],
            "is_corrected": self._is_decided(of, at),
        }

    def export(self, file: str) -> str:
        """Write the extraction without what is rejected, as `quarry validate --drop` does."""
        if not file:
            raise InputError("name a file for the extraction without what is rejected")
        drops: list[Any] = [~self.corrections.kept(of) for of in range(len(self._verdicts))]
        pages = tuple(replace(each, drops=drop) for each, drop in zip(self._verdicts, drops, strict=True))
        corrected = replace(self._validation, report=replace(self._validation.report, pages=pages))
        write_whole(Path(file), corrected.without_drops(0, self._loaded).encode(), "file")
        return f"wrote {file} without {count(int(np.concatenate(drops).sum()), 'value')}"


def _describe_curves(measured: Measure) -> dict[str, Any]:
    """Describe precision, recall and F1 by the number of deleted values, at no more points than a chart can show."""
    deletion = measured.deletion
    last = len(deletion.deleted) - 1
    spread = {round(number * last / (POINTS_SENT - 1)) for number in range(POINTS_SENT)}
    points = sorted({*spread, *deletion.stops.values()})
    return {
        "points": points,
        "measures": {
            name: [round(float(values[point]), 4) for point in points] for name, values in deletion.measures.items()
        },
        "stops": dict(deletion.stops),
    }
