"""Record the corrections of texts that were kept or left out, with undo and redo, and write them as labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.wording import count
from webquarry.storing.atomic_files import write_whole
from webquarry.validating.content_labels import Label, write_labels
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
