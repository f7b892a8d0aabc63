"""How the formats of a page stand in its lines."""

from __future__ import annotations

from collections import Counter

from webquarry.formats.pieces import RUN_IN
from webquarry.wrapping.samples import Format, Sample

FEWEST_LABELS = 3
"""Of a signature whose lines begin with labels."""


class Lines:
    """The lines of a page, each looked at once."""

    def __init__(self, page: Sample) -> None:
        lines = [piece.line for piece in page.pieces]
        self.starts = [number == 0 or line != lines[number - 1] for number, line in enumerate(lines)]
        """For each piece whether it is the first of its line."""
        self._firsts = Counter(
            piece.signature for piece, starts in zip(page.pieces, self.starts, strict=True) if starts
        )
        sizes = Counter(lines)
        self._pieces = Counter(page.formats)
        self._alone = Counter(format_ for format_, line in zip(page.formats, lines, strict=True) if sizes[line] == 1)

    def are_labelled(self, signature: str) -> bool:
        """Whether most lines of a label's signature begin with a label."""
        labels = self._firsts[signature]
        return labels >= FEWEST_LABELS and labels >= self._firsts[signature.removesuffix(RUN_IN)]

    def share_alone(self, format_: Format) -> float:
        """The share of the pieces of a format that have lines of their own."""
        return self._alone[format_] / self._pieces[format_]
