"""Which formats start sections."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from webquarry.formats.looks import Look
from webquarry.formats.pieces import COLON, RUN_IN
from webquarry.wrapping.names import heading_name
from webquarry.wrapping.samples import Format, Sample

RECURS_ON = 0.4
"""Share of the sample pages, two at least, on which a heading of the template stands."""
MOSTLY_HEADINGS = 0.7
"""Share of the pieces of a format that recur; below it only those that recur are headings."""
LONGEST_HEADING = 12
"""Words."""
_LABEL_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6", "dt", "th", "caption", "legend", "summary", "label")


@dataclass(frozen=True)
class Heading:
    """A format that starts sections."""

    format: Format
    names: frozenset[str] | None
    """The headings of it, when other pieces look the same; None when all are headings."""

    def takes(self, text: str) -> bool:
        """Whether a text of the format is a heading."""
        return self.names is None or heading_name(text) in self.names


def find_headings(pages: Sequence[Sample]) -> dict[Format, Heading]:
    """The formats that start sections, told by how they stand out and by how their texts recur over the pages."""
    body = _body_look(pages)
    occurrences: dict[Format, Counter[str]] = defaultdict(Counter)
    pages_of: dict[tuple[Format, str], set[int]] = defaultdict(set)
    long: Counter[Format] = Counter()
    for number, page in enumerate(pages):
        for piece, format_, starts in zip(page.pieces, page.formats, line_starts(page), strict=True):
            if not stands_out(format_, body) or not (starts or format_.signature.endswith(COLON)):
                continue
            name = heading_name(piece.text)
            if len(piece.text.split()) > LONGEST_HEADING or not any(map(str.isalpha, piece.text)):
                long[format_] += 1
                continue
            occurrences[format_][name] += 1
            pages_of[format_, name].add(number)
    found = {}
    least = max(2, ceil(RECURS_ON * len(pages)))
    for format_, names in occurrences.items():
        if len(pages) == 1:
            if long[format_] <= names.total():
                found[format_] = Heading(format_, None)
            continue
        recurring = frozenset(name for name in names if len(pages_of[format_, name]) >= least)
        share = sum(names[name] for name in recurring) / (names.total() + long[format_])
        if recurring:
            is_open = share >= MOSTLY_HEADINGS and not format_.signature.endswith(RUN_IN)
            found[format_] = Heading(format_, None if is_open else recurring)
    return found


def line_starts(page: Sample) -> list[bool]:
    """For each piece whether it is the first of its line."""
    lines = [piece.line for piece in page.pieces]
    return [number == 0 or line != lines[number - 1] for number, line in enumerate(lines)]


def stands_out(format_: Format, body: Look) -> bool:
    """Whether a format differs from running text as headings do."""
    signature, look = format_.signature, format_.look
    if signature.endswith((COLON, RUN_IN)) or ":1/2" in signature:
        return True
    if signature.split(".")[0].split(" ")[0].split("[")[0] in _LABEL_TAGS:
        return True
    return (
        look.size > body.size
        or (look.is_bold and not body.is_bold)
        or (look.is_italic and not body.is_italic)
        or (look.is_underlined and not body.is_underlined)
        or (look.colour != body.colour and " a" not in signature)
    )


def _body_look(pages: Sequence[Sample]) -> Look:
    """The look of most characters."""
    characters: Counter[Look] = Counter()
    for page in pages:
        for piece, format_ in zip(page.pieces, page.formats, strict=True):
            characters[format_.look] += len(piece.text)
    return characters.most_common(1)[0][0] if characters else Look()
