"""Check an extraction on its pages: the outliers, worst first, to accept or reject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from webquarry.errors import InputError
from webquarry.model.names import count
from webquarry.pipeline.validate_files import LoadedFile, Validation
from webquarry.storing.atomic_files import write_whole
from webquarry.workbench.opened_pages import OpenedPage
from webquarry.workbench.text_corrections import TextCorrections

WORDS = {True: "accept", False: "reject"}
OUTLIERS_SENT = 500
"""Outliers that the browser gets, the worst; a person does not go through more."""


class ExtractionWork:
    """An extraction with the report on it, and the verdicts that a person changed."""

    def __init__(self, loaded: LoadedFile, validation: Validation, pages: Sequence[OpenedPage]) -> None:
        self.pages = list(pages)
        self._loaded = loaded
        self._validation = validation
        self._file = Path(loaded.name)
        self._verdicts = validation.report.pages
        selections = [each.selection for each in self._verdicts]
        self._texts = [each.texts for each in selections]
        self._corrections = TextCorrections(
            [each.document for each in selections],
            [each.nodes for each in selections],
            [~each.drops for each in self._verdicts],
        )
        self._ranked = sorted(
            (not verdicts.drops[at], -float(verdicts.scores[at]), of, at)
            for of, verdicts in enumerate(self._verdicts)
            for at in range(len(verdicts.scores))
        )

    def show(self, number: int) -> dict[str, Any]:
        """Describe the outliers of all pages, and all that was extracted from one."""
        kept = [self._corrections.kept(of) for of in range(len(self._verdicts))]
        odd = [(of, at) for *_, of, at in self._ranked if self._is_odd(of, at) or self._is_decided(of, at)]
        stem = self._file.name.partition(".")[0]
        return {
            "view": "outliers",
            "name": stem,
            "kind": "extraction",
            "summary": self._validation.report.summary,
            "notes": list(self._validation.report.notes),
            "texts": [self._describe(number, at, kept) for at in range(len(self._texts[number]))],
            "outliers": [self._describe(of, at, kept) for of, at in odd[:OUTLIERS_SENT]],
            "outlier_count": len(odd),
            "dropped": int(sum((~each).sum() for each in kept)),
            "files": {"labels": f"{stem}-labels.jsonl", "kept": f"{stem}-kept{''.join(self._file.suffixes)}"},
            **self._corrections.describe(),
        }

    def act(self, number: int, action: str, given: Mapping[str, Any]) -> str:  # noqa: ARG002
        """Accept or reject a value, undo, redo, save labels, or write the file without what was rejected."""
        file = str(given.get("file", ""))
        match action:
            case "decide":
                return self._corrections.decide(given, WORDS, self._texts)
            case "undo":
                return self._corrections.undo()
            case "redo":
                return self._corrections.redo()
            case "save":
                return self._corrections.save(Path(file or f"{self._file.name.partition('.')[0]}-labels.jsonl"))
            case "drop":
                return self._drop(file)
        raise InputError(f"an extraction has no action {action!r}; there are decide, undo, redo, save and drop")

    def _is_odd(self, of: int, at: int) -> bool:
        """Tell whether a value is to be dropped, or has a score with a reason."""
        verdicts = self._verdicts[of]
        return bool(verdicts.drops[at] or (verdicts.scores[at] > 0 and verdicts.reasons[at]))

    def _is_decided(self, of: int, at: int) -> bool:
        return self._corrections.decision(of, at) is not None

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

    def _drop(self, file: str) -> str:
        """Write the extraction without what is rejected, as `quarry validate --drop` does."""
        if not file:
            raise InputError("name a file for the extraction without what is rejected")
        drops: list[Any] = [~self._corrections.kept(of) for of in range(len(self._verdicts))]
        pages = tuple(replace(each, drops=drop) for each, drop in zip(self._verdicts, drops, strict=True))
        corrected = replace(self._validation, report=replace(self._validation.report, pages=pages))
        write_whole(Path(file), corrected.without_drops(0, self._loaded).encode(), "file")
        return f"wrote {file} without {count(int(np.concatenate(drops).sum()), 'value')}"
