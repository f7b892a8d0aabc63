"""Naming: what columns are called, by what the page says, else by their kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from webquarry.mining.fields.attribute_names import LONGEST_NAME, name_by_attributes
from webquarry.mining.fields.captions import is_fixed
from webquarry.mining.fields.header_rows import find_headers
from webquarry.mining.fields.keys import find_cells
from webquarry.mining.fields.labels import Labels
from webquarry.mining.fields.pieces import Pieces
from webquarry.mining.fields.prominence import find_title
from webquarry.mining.fields.slots import Column

TITLE, LINK, TEXT = "title", "link", "text"
_KINDS = {"money": "price", "date": "date", "number": "number", "image": "image"}
_LONGEST_LEAD = 3
"""Words of a text that leads to the next, as `by` does to an author."""

Names = list[str | None]


def name_columns(
    pieces: Pieces, labels: Labels, links: Sequence[int], groups: Sequence[list[Column]], types: Sequence[str]
) -> list[str]:
    """The names of columns; captions that stand together go by the first of them."""
    columns = [group[0] for group in groups]
    names = _by_header(pieces, columns)
    names = [_KINDS[kind] if kind == "image" else name for name, kind in zip(names, types, strict=True)]
    if any(labels.names):
        names = _fill(names, lambda: [_by_label(labels, column) for column in columns])
    candidates = [place for place, name in enumerate(names) if name is None and types[place] == TEXT]
    names = _fill(names, lambda: [_by_text(pieces, group) for group in groups])
    names = _fill(names, lambda: name_by_attributes(pieces, columns, names))
    title = find_title(pieces, columns, links, candidates)
    if title is not None and names[title] is None and TITLE not in names:
        names[title] = TITLE
    _put_leads(names, pieces, columns, links)
    found = [name or _KINDS.get(kind, TEXT) for name, kind in zip(names, types, strict=True)]
    return _number(found, [len(column) for column in columns])


def _number(names: list[str], sizes: list[int]) -> list[str]:
    """The names made unique; of columns of one kind the one that most records have gets the plain name."""
    order = sorted(range(len(names)), key=lambda place: (names[place] != TEXT) * -sizes[place])
    numbered = dict(zip(order, unique_names([names[place] for place in order]), strict=True))
    return [numbered[place] for place in range(len(names))]


def unique_names(names: Iterable[str]) -> list[str]:
    """The names, those that were there before with a number.

    >>> unique_names(["text", "Text", "price", "text"])
    ['text', 'Text_2', 'price', 'text_3']
    """
    used: set[str] = set()
    counts: Counter[str] = Counter()
    unique = []
    for name in names:
        free, small = name, name.lower()
        counts[small] += 1
        while free.lower() in used:
            free = f"{name}_{max(counts[small], 2)}"
            counts[small] += free.lower() in used
        used.add(free.lower())
        unique.append(free)
    return unique


def _fill(names: Names, others: Callable[[], Names]) -> Names:
    """The names, and where there are none, others."""
    if all(names):
        return names
    return [name or other for name, other in zip(names, others(), strict=True)]


def _by_header(pieces: Pieces, columns: Sequence[Column]) -> Names:
    headers = find_headers(pieces)
    if not headers:
        return [None] * len(columns)
    cells = find_cells(pieces)
    return [_shorten(headers.get(cells[next(iter(column.values()))[0]])) for column in columns]


def _by_label(labels: Labels, column: Column) -> str | None:
    """The label that most pieces of a column have; a label itself is called one."""
    first = next(iter(column.values()))[0]
    names = Counter(labels.names[piece] for members in column.values() for piece in members)
    name, count = names.most_common(1)[0]
    if not name or 2 * count <= names.total():
        return None
    return _shorten(f"{name}_label" if labels.is_label[first] else name)


def _put_leads(names: Names, pieces: Pieces, columns: Sequence[Column], links: Sequence[int]) -> None:
    """Name columns by fixed words that lead to them on their line, as `by` does to an author."""
    leads = {
        members[-1]: place
        for place, column in enumerate(columns)
        if _is_lead(pieces, column, links)
        for members in column.values()
    }
    for place, column in enumerate(columns if leads else ()):
        lead = _lead_of(pieces, column, leads)
        if lead is not None and names[place] is None:
            text = pieces.texts[next(iter(columns[lead].values()))[0]]
            names[place], names[lead] = _shorten(text), _shorten(f"{text}_label")


def _is_lead(pieces: Pieces, column: Column, links: Sequence[int]) -> bool:
    first = next(iter(column.values()))[0]
    text = pieces.texts[first]
    return text != "" and text.count(" ") < _LONGEST_LEAD and links[first] < 0 and is_fixed(pieces, column)


def _lead_of(pieces: Pieces, column: Column, leads: dict[int, int]) -> int | None:
    """The one column of leads that stands before all pieces of a column, on their line."""
    firsts = [members[0] for members in column.values()]
    lead = leads.get(firsts[0] - 1)
    for piece in firsts:
        if leads.get(piece - 1) != lead or pieces.lines[piece - 1] != pieces.lines[piece]:
            return None
    return None if is_fixed(pieces, column) else lead


def _by_text(pieces: Pieces, group: Sequence[Column]) -> str | None:
    """The text of a column that has no other: a button, a badge."""
    if not all(is_fixed(pieces, column) for column in group):
        return None
    texts = [pieces.texts[next(iter(column.values()))[0]].strip(" :\uff1a") for column in group]
    return _shorten(", ".join(texts)) or None


def _shorten(name: str | None) -> str | None:
    return name if name is None or len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1].rstrip() + "…"
