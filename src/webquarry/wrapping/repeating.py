"""Sections that repeat: on a page that holds all of a source, each is a record and its heading a value."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from webquarry.model.naming import snake_case
from webquarry.wrapping.nesting import Part
from webquarry.wrapping.samples import Format, Sample

FEWEST = 3
"""Of sections that repeat."""
FEWEST_LISTS = 6
"""Of sections that have nothing in common but that they are lists; half as many when their headings share a word."""
MOST = 0.6
COMMON = 0.5
"""Share of the sections that have a field, when it is one of all."""
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_LISTED = ("li", "dd", "td")
YEAR = "year"
NAMELESS = "section"


def find_repeated(page: Sample, root: Part) -> dict[Format, str]:
    """The formats whose headings are values, each with a name for its sections.

    Their sections have the same fields, or are all lists, as of people by year or of places by state.
    """
    by_format: dict[Format, list[Part]] = defaultdict(list)
    for part in root.walk():
        if part.mark is not None:
            by_format[part.mark.format].append(part)
    found: dict[Format, str] = {}
    for format_, parts in by_format.items():
        headings = [page.pieces[part.mark.piece].text for part in parts if part.mark]
        name = _name(headings)
        enough = FEWEST if name != NAMELESS else FEWEST_LISTS
        is_listed = len(parts) >= enough and _are_lists(page, parts)
        if len(parts) >= FEWEST and (name == YEAR or _have_common_fields(parts) or is_listed):
            found[format_] = name
    return found


def _have_common_fields(parts: Sequence[Part]) -> bool:
    counts = Counter(name for part in parts for name in {child.name for child in part.children})
    common = [name for name, count in counts.items() if count >= COMMON * len(parts) and count > 1]
    return len(common) > 1


def _are_lists(page: Sample, parts: Sequence[Part]) -> bool:
    """Whether most of the sections are lists, or tables without headers: several lines, all in items or cells."""
    if any(part.children for part in parts):
        return False
    lists = lines = 0
    for part in parts:
        pieces = [page.pieces[number] for number in part.mark.following] if part.mark else []
        lists += bool(pieces) and all(piece.signature.startswith(_LISTED) for piece in pieces)
        lines += len({piece.line for piece in pieces})
    return lists >= MOST * len(parts) and lines > len(parts)


def _name(headings: Sequence[str]) -> str:
    """A name for sections by what their headings have in common: all years, or one word.

    >>> _name(["1990", "1991"]), _name(["Session 1: Sources", "Session 2: Views"]), _name(["Ohio", "Utah"])
    ('year', 'session', 'section')
    """
    if all(_YEAR.fullmatch(heading.strip()) for heading in headings):
        return YEAR
    words = Counter(
        word for heading in headings for word in {word.lower() for word in re.findall(r"[^\W\d_]+", heading)}
    )
    word, count = words.most_common(1)[0] if words else ("", 0)
    return snake_case(word) if count >= MOST * len(headings) and count > 1 else NAMELESS
