"""Correct what was kept of pages: the texts of articles, and the values of an extraction, worst outliers first.

Corrections can be undone and redone, and are saved as labels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
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


class TextWork(ABC):
    """Texts of pages, each kept or left out, with a person's corrections so far: articles, or an extraction."""

    words: Mapping[bool, str]
    """What keeping a text and leaving it out are called."""

    def __init__(
        self,
        name: str,
        pages: Sequence[OpenedPage],
        nodes: Sequence[NDArray[np.int32]],
        kept: Sequence[NDArray[np.bool_]],
        texts: Sequence[Sequence[str]],
        *,
        lines: Sequence[Sequence[int]] = (),
    ) -> None:
        """`nodes`, `kept` and `texts` have an entry for each text of each page; `lines` the number of its line."""
        self.pages = list(pages)
        self._name, self._nodes, self._found, self._texts, self._lines = name, nodes, kept, texts, lines
        self._decided: dict[tuple[int, int], bool] = {}
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._saved: dict[tuple[int, int], bool] | None = None

    def act(self, number: int, action: str, given: Mapping[str, Any]) -> str:  # noqa: ARG002
        """Do what was clicked: correct a text, undo, redo, save labels, or write the results."""
        file = str(given.get("file", ""))
        actions: dict[str, Callable[[], str]] = {
            "decide": lambda: self._decide(given),
            "undo": self._undo,
            "redo": self._redo,
            "save": lambda: self.save(Path(file or f"{self._name}-labels.jsonl")),
            "export": lambda: self.export(file),
        }
        if action not in actions:
            raise InputError(f"there is no action {action!r}; choose from {', '.join(actions)}")
        return actions[action]()

    @abstractmethod
    def export(self, file: str) -> str:
        """Write the results as they are with the corrections."""

    def find_gaps(self, number: int) -> list[str]:  # noqa: ARG002
        """Return nothing: texts are not requested by name."""
        return []

    def describe_history(self) -> dict[str, Any]:
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

    def is_decided(self, page: int, place: int) -> bool:
        """Tell whether a person kept a text, or left it out."""
        return (page, place) in self._decided

    def to_labels(self) -> list[Label]:
        """Make a label of each text, corrected or not."""
        return [
            Label(page.document.url, page.document.xpath(node), content)
            for number, (page, nodes) in enumerate(zip(self.pages, self._nodes, strict=True))
            for node, content in zip(nodes.tolist(), self.kept(number).tolist(), strict=True)
        ]

    def save(self, file: Path) -> str:
        """Write the labels of all texts."""
        labels = self.to_labels()
        write_whole(file, write_labels(labels, as_csv=file.suffix.lower() == ".csv").encode(), "labels")
        self._saved = dict(self._decided)
        corrected = count(len(self._done), "correction")
        return f"saved {count(len(labels), 'label')} of {count(len(self._nodes), 'page')}, {corrected}, in {file}"

    def _decide(self, given: Mapping[str, Any]) -> str:
        """Keep or leave out the text that the browser names; for a `whole` line all texts go with it."""
        page, place, kept = given.get("of"), given.get("place"), given.get("kept")
        if not (isinstance(page, int) and 0 <= page < len(self._texts) and isinstance(kept, bool)):
            raise InputError("a correction must name the page of a text, its place, and whether it is kept")
        texts = self._texts[page]
        if not (isinstance(place, int) and 0 <= place < len(texts)):
            raise InputError(f"the page has {count(len(texts), 'text')}; there is no text {place}")
        places = [place]
        if given.get("whole") and self._lines:
            places = [at for at, line in enumerate(self._lines[page]) if line == self._lines[page][place]]
        more = f" and {count(len(places) - 1, 'text')} of its line" if len(places) > 1 else ""
        before = {at: self._decided.get((page, at)) for at in places}
        self._undone.clear()
        return self._do(Step(page, before, kept, f'{self.words[kept]} "{_shorten(texts[place])}"{more}'))

    def _do(self, step: Step) -> str:
        self._done.append(step)
        self._decided |= {(step.page, place): step.kept for place in step.before}
        return step.said

    def _undo(self) -> str:
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

    def _redo(self) -> str:
        if not self._undone:
            raise InputError("there is nothing to redo")
        return self._do(self._undone.pop())


def _shorten(text: str, length: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1]}…"


class ArticleWork(TextWork):
    """The articles of some pages, read together, and the corrections so far."""

    words: Mapping[bool, str] = {True: "keep", False: "leave out"}

    def __init__(self, name: str, pages: Sequence[OpenedPage], articles: Sequence[Article]) -> None:
        self._articles = articles
        texts = [[" ".join(each.document.texts[node].split()) for node in each.nodes.tolist()] for each in articles]
        nodes, kept = [each.nodes for each in articles], [each.kept for each in articles]
        super().__init__(name, pages, nodes, kept, texts, lines=[_number_lines(each) for each in articles])

    def show(self, number: int) -> dict[str, Any]:
        """Describe the texts of one page: kept or left out, with score and reason."""
        article, page = self._articles[number], self.pages[number]
        kept, lines = self.kept(number).tolist(), self._lines[number]
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
                    "is_corrected": self.is_decided(number, place),
                }
                for place, (node, score, reason, is_kept) in enumerate(entries)
            ],
            "files": {
                "labels": f"{self._name}-labels.jsonl",
                "text": f"{self._name}.md" if len(self.pages) == 1 else f"{self._name}-texts",
            },
            **self.describe_history(),
        }

    def export(self, file: str) -> str:
        """Write the corrected texts as Markdown: of one page into a file, of several into a folder."""
        if not file:
            raise InputError("name a file for the Markdown, such as article.md; for several pages a folder")
        articles = [replace_fields(article, kept=self.kept(number)) for number, article in enumerate(self._articles)]
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


OUTLIERS_SENT = 500
"""The number of worst outliers that the browser gets; a person does not go through more."""

POINTS_SENT = 200
"""The number of points of each curve."""


class ExtractionWork(TextWork):
    """An extraction with the report on it, and the verdicts that a person changed."""

    words: Mapping[bool, str] = {True: "accept", False: "reject"}

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
        self._verdicts = validation.report.pages
        selections = [each.selection for each in self._verdicts]
        super().__init__(
            self._file.name.partition(".")[0],
            pages,
            [each.nodes for each in selections],
            [~each.drops for each in self._verdicts],
            [each.texts for each in selections],
        )
        self._ranked = sorted(
            (not verdicts.drops[at], -float(verdicts.scores[at]), of, at)
            for of, verdicts in enumerate(self._verdicts)
            for at in range(len(verdicts.scores))
        )

    def show(self, number: int) -> dict[str, Any]:
        """Describe the outliers of all pages, and all that was extracted from one."""
        kept = [self.kept(of) for of in range(len(self._verdicts))]
        odd = [(of, at) for *_, of, at in self._ranked if self._is_odd(of, at) or self.is_decided(of, at)]
        return {
            "view": "outliers",
            "name": self._name,
            "kind": "extraction",
            "summary": self._validation.report.summary,
            "notes": list(self._validation.report.notes),
            "texts": [self._describe(number, at, kept) for at in range(len(self._texts[number]))],
            "outliers": [self._describe(of, at, kept) for of, at in odd[:OUTLIERS_SENT]],
            "outlier_count": len(odd),
            "curves": self._curves,
            "dropped": int(sum((~each).sum() for each in kept)),
            "files": {
                "labels": f"{self._name}-labels.jsonl",
                "kept": f"{self._name}-kept{''.join(self._file.suffixes)}",
            },
            **self.describe_history(),
        }

    def save(self, file: Path) -> str:
        """Write labels, and measure by them; they are of the extracted values alone."""
        said = super().save(file)
        labels = self.to_labels()
        if any(label.content for label in labels):
            self._curves = _describe_curves(measure(self._validation.report, labels, (1.0,)))
        return said

    def _is_odd(self, of: int, at: int) -> bool:
        """Tell whether a value is to be dropped, or has a score with a reason."""
        verdicts = self._verdicts[of]
        return bool(verdicts.drops[at] or (verdicts.scores[at] > 0 and verdicts.reasons[at]))

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
            "is_corrected": self.is_decided(of, at),
        }

    def export(self, file: str) -> str:
        """Write the extraction without what is rejected, as `quarry validate --drop` does."""
        if not file:
            raise InputError("name a file for the extraction without what is rejected")
        drops: list[Any] = [~self.kept(of) for of in range(len(self._verdicts))]
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
