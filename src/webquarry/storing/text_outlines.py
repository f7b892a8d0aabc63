"""Extractions for a terminal: the sections of each page, indented; the records of a listing as a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webquarry.model import Extraction, Field, Wrapper
from webquarry.model.wrapper import HEADING, TEXT
from webquarry.storing.text_tables import printable, to_table

_STEP = 2  # cells that a section stands further in than the one that holds it
_DEEPEST = 20  # cells; deeper sections would leave their values no room


def to_outline(wrapper: Wrapper, extraction: Extraction, width: int) -> str:
    """What was found on a page, in lines of at most this width."""
    head = printable(extraction.page)
    if not extraction.values:
        return f"{head}\nnothing found\n\n"
    body = _sections(extraction, width) if wrapper.listing is None else _records(extraction, width)
    return f"{head}\n{body}"


def _records(extraction: Extraction, width: int) -> str:
    """The records of a listing, whose paths are its name, a number and the name of a field."""
    places: dict[Any, int] = {}
    for value in extraction.values:
        places.setdefault(value.path[1], len(places))
    columns: dict[Any, list[str | None]] = {}
    for value in extraction.values:
        column = columns.setdefault(value.headings[-1], [None] * len(places))
        column[places[value.path[1]]] = value.text
    fields = [Field(str(name), "text", tuple(texts), ()) for name, texts in columns.items()]
    return to_table(fields, len(places), width)


def _sections(extraction: Extraction, width: int) -> str:
    lines = [line.rstrip() for line in _lines(extraction.record, "")]
    shown = [_cut(line, width) for line in lines]
    count = sum(bool(value.headings) for value in extraction.values)  # those in parts are not told twice
    said = f"{count} value{'s' * (count != 1)}"
    if shown != lines:
        said += "; long values cut; -o FILE has everything"
    return "\n".join([*shown, said]) + "\n\n"


def _lines(inside: Any, indent: str) -> Iterator[str]:
    """The lines of what is in a section."""
    if isinstance(inside, list):
        for each in inside:
            yield from _section("-", each, indent)
        return
    for name, each in inside.items():
        if name not in (TEXT, HEADING):
            yield from _section(f"{printable(name).removesuffix(':')}:", each, indent)


def _section(label: str, inside: Any, indent: str) -> Iterator[str]:
    """The line of a section with its own text, and those of what is in it."""
    if isinstance(inside, str):
        yield f"{indent}{label} {printable(inside)}"
        return
    names = (HEADING, TEXT) if isinstance(inside, dict) else ()
    own = [inside[name] for name in names if isinstance(inside.get(name), str)]
    yield f"{indent}{label} {': '.join(map(printable, own))}"
    yield from _lines(inside, indent if len(indent) >= _DEEPEST else indent + " " * _STEP)


def _cut(line: str, width: int) -> str:
    """The line in at most this many cells, with an ellipsis where it is cut.

    >>> _cut("Western Europe", 8), _cut("Europe", 8)
    ('Western…', 'Europe')
    """
    from rich.cells import cell_len, set_cell_size  # noqa: PLC0415 - slow to import

    if cell_len(line) <= width:
        return line
    return set_cell_size(line, max(width - 1, 0)).rstrip() + "…"
