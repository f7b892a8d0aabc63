"""Check an extraction on its pages: the outliers, worst first, to accept or reject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from webquarry.errors import InputError
from webquarry.model.wording import count
from webquarry.pipeline.validate_files import LoadedFile, Validation
from webquarry.storing.atomic_files import write_whole
from webquarry.validating.content_labels import Label
from webquarry.validating.quality import Measure, measure
from webquarry.workbench.opened_pages import OpenedPage
from webquarry.workbench.text_corrections import TextCorrections, TextWork

WORDS = {True: "accept", False: "reject"}
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
        super().__init__(pages, corrections, self._texts, labels=f"{self._stem}-labels.jsonl", words=WORDS)
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
