"""The headings of sample pages, in their order."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from webquarry.wrapping.headings import Heading
from webquarry.wrapping.names import heading_name
from webquarry.wrapping.samples import Format, Sample


@dataclass(frozen=True)
class Mark:
    """A heading on a page, and the pieces that follow it up to the next."""

    piece: int
    name: str
    format: Format
    indent: float
    following: tuple[int, ...]
    is_bound_back: bool = False
    """Whether it stands together with what is before it rather than with what comes after."""


def find_marks(
    page: Sample, headings: Mapping[Format, Heading], ignored: Collection[str] = (), other: Collection[str] = ()
) -> list[Mark]:
    """The headings of a page, without those of `other` names.

    A heading begins a line, or follows another, or is of a format that may stand within lines.  A name of `other`
    and what follows it in its line are passed over.
    """
    kept = [number for number, piece in enumerate(page.pieces) if piece.signature not in ignored]
    starts: list[int] = []
    bodies: list[list[int]] = []
    last_line, after_heading, passed_line = -1, False, -1
    for place, number in enumerate(kept):
        piece, format_ = page.pieces[number], page.formats[number]
        begins = piece.line != last_line
        last_line = piece.line
        heading = headings.get(format_)
        is_heading = (
            heading is not None
            and piece.cell is None
            and (begins or after_heading or heading.is_inline)
            and heading.takes(piece.text)
        )
        if is_heading and other and heading_name(piece.text) in other:
            passed_line = piece.line
        if piece.line == passed_line:
            after_heading = False
        elif is_heading:
            starts.append(place)
            bodies.append([])
            after_heading = True
        else:
            if bodies:
                bodies[-1].append(number)
            after_heading = False
    return [_mark(page, kept, place, body) for place, body in zip(starts, bodies, strict=True)]


def _mark(page: Sample, kept: Sequence[int], place: int, body: Sequence[int]) -> Mark:
    number = kept[place]
    is_bound_back = False
    if not body and 0 < place < len(kept) - 1:
        before, here, after = (page.pieces[kept[place + step]].element for step in (-1, 0, 1))
        is_bound_back = page.groups.closeness(before, here) > page.groups.closeness(here, after)
    name = heading_name(page.pieces[number].text)
    return Mark(number, name, page.formats[number], page.indents[number], tuple(body), is_bound_back)


def text_of(page: Sample, numbers: Collection[int]) -> str:
    """The text of some pieces."""
    return " ".join(page.pieces[number].text for number in numbers)
