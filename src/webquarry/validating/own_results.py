"""What `read`, `mine` and `extract` write, a page a line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webquarry.model.names import distinct, snake_case
from webquarry.model.wrapper import OTHER, TEXT
from webquarry.validating.extraction_edits import (
    Edit,
    Item,
    JsonItem,
    JsonPath,
    check_address,
    check_page,
    find,
    members,
)
from webquarry.validating.foreign_xpaths import Row

# MERGED validating/extractions/article_texts: The text of an article without some of the pieces that it was
_GAPS = ("\n", "\t", " ")
"""What parts pieces, the strongest first."""


def without_pieces(text: str, pieces: Sequence[str], dropped: Sequence[bool]) -> str:
    """The text without the pieces that are dropped; pieces are all that the text is made of, in order.

    White space may have been folded in pieces.  Pieces that are not in the text are passed over.

    >>> without_pieces("One two\\nShare\\nThree", ["One", "two", "Share", "Three"], [False, False, True, False])
    'One two\\nThree'
    """
    parts: list[str] = []
    gap, place = "", 0
    for piece, is_dropped in zip(pieces, dropped, strict=True):
        found = _find(text, piece, place)
        if found is None:
            continue
        gap = _stronger(gap, text[place : found[0]])
        if not is_dropped:
            parts += [gap if parts else "", text[found[0] : found[1]]]
            gap = ""
        place = found[1]
    return "".join(parts)


def _find(text: str, piece: str, place: int) -> tuple[int, int] | None:
    words = piece.split()
    if not words:
        return None
    start = text.find(piece, place)
    if start >= 0:
        return start, start + len(piece)
    match = re.compile(r"\s+".join(map(re.escape, words))).search(text, place)
    return match.span() if match else None


def _stronger(one: str, other: str) -> str:
    """The gap that parts more."""
    return next((each for mark in _GAPS for each in (one, other) if mark in each), one or other)


Line = Mapping[str, Any]


def read_own(line: Line, start: int, place: str) -> Item | None:
    """The rows of a line of ours that begins at a place of the text; None when it is of another system.

    `place` names the line in errors.
    """
    read = next((read for fits, read in _FORMS if "page" in line and fits(line)), None)
    if read is None:
        return None
    check_page(line["page"], "page", place)
    return read(line, start, place)


def _is_article(line: Line) -> bool:
    nodes = line.get("nodes")
    return isinstance(nodes, list) and all(isinstance(each, dict) and {"node", "kept"} <= each.keys() for each in nodes)


def _is_mined(line: Line) -> bool:
    regions = line.get("regions")
    return isinstance(regions, list) and all(
        isinstance(record, dict) and isinstance(record.get("nodes"), dict) and isinstance(record.get("values"), dict)
        for region in regions
        for record in (region.get("records", [None]) if isinstance(region, dict) else [None])
    )


def _is_extracted(line: Line) -> bool:
    return isinstance(line.get("nodes"), dict) and isinstance(line.get("record"), dict)


@dataclass(frozen=True)
class ArticleItem:
    """An article: what is dropped of it is no longer kept, and leaves its text."""

    start: int
    article: str
    """Its text; nothing where the line has none."""
    rows: tuple[Row, ...]
    """Of all its nodes, those that are not kept too."""

    def drop(self, text: str, dropped: Collection[int]) -> list[Edit] | None:
        """Mark nodes as not kept, and make the text of the article anew."""
        nodes = find(text, self.start, ("nodes",))
        inside = list(members(text, nodes.value)) if nodes else []
        kept = [find(text, inside[row].value, ("kept",)) for row in dropped]
        edits: list[Edit] = [(each.value, each.stop, "false") for each in kept if each]
        told = find(text, self.start, ("text",))
        if told and dropped and self.article:
            places = [place for place, row in enumerate(self.rows) if row.left_out is None]
            pieces = [self.rows[place].text or "" for place in places]
            left = without_pieces(self.article, pieces, [place in dropped for place in places])
            edits.append((told.value, told.stop, json.dumps(left, ensure_ascii=False)))
        return edits


def _read_article(line: Line, start: int, place: str) -> Item:
    rows = tuple(
        Row(
            line["page"],
            check_address(each["node"], f"nodes[{number}].node", place),
            _text_at(each, ("text",)),
            left_out=None if each["kept"] else _text_at(each, ("reason",)) or "",
        )
        for number, each in enumerate(line["nodes"])
    )
    return ArticleItem(start, _text_at(line, ("text",)) or "", rows)


def _read_mined(line: Line, start: int, place: str) -> Item:
    rows, paths = [], []
    for number, region in enumerate(line["regions"]):
        for order, record in enumerate(region["records"]):
            for name, node in record["nodes"].items():
                column = f"{number + 1}.{name}" if number else name  # a page's regions may have columns of one name
                address = check_address(node, f"regions[{number}].records[{order}].nodes.{name}", place)
                rows.append(Row(line["page"], address, _text_at(record["values"], (name,)), column))
                above = ("regions", number, "records", order)
                paths.append(tuple((*above, part, name) for part in ("values", "nodes", "typed")))
    return JsonItem(start, tuple(rows), tuple(paths))


def _read_extracted(line: Line, start: int, place: str) -> Item:
    ways = _match(list(line["nodes"]), dict(_walk(line["record"], "", ())))
    rows, paths = [], []
    for name, node in line["nodes"].items():
        way = ways.get(name)
        text = None if way is None else _text_at(line["record"], way)
        rows.append(Row(line["page"], check_address(node, f"nodes.{name}", place), text, name))
        told: list[JsonPath] = [] if way is None else [("record", *way)]
        paths.append((*told, ("nodes", name), ("typed", name)))
    return JsonItem(start, tuple(rows), tuple(paths))


def _match(names: list[str], leaves: Mapping[str, JsonPath]) -> dict[str, JsonPath]:
    """For each name of a value where its text stands in the record.

    Names are those of the wrapper, the record has those of the page: what is called otherwise is known by its order.
    """
    found = {name: leaves[plain] for name in names if (plain := _without_own(name)) in leaves}
    taken = set(found.values())
    names, places = (
        [name for name in names if name not in found],
        [each for each in leaves.values() if each not in taken],
    )
    return found | dict(zip(names, places, strict=True)) if len(names) == len(places) else found


def _walk(record: Any, name: str, path: JsonPath) -> Iterator[tuple[str, JsonPath]]:
    """The texts of a record by the names that a wrapper would have for them."""
    if isinstance(record, list):
        for place, each in enumerate(record):
            yield from _walk(each, f"{name}[{place}]", (*path, place))
    elif isinstance(record, dict):
        plain = distinct(key if key in (TEXT, OTHER) else snake_case(key) for key in record)
        for key, part in zip(record, plain, strict=True):
            yield from _walk(record[key], f"{name}.{part}" if name else part, (*path, key))
    else:
        yield _without_own(name), path


def _without_own(name: str) -> str:
    return name.removesuffix(f".{TEXT}")


def _text_at(record: Any, path: JsonPath) -> str | None:
    for key in path:
        record = record[key] if isinstance(key, int) else record.get(key)
    return record if isinstance(record, str) else None


_FORMS: tuple[tuple[Callable[[Line], bool], Callable[[Line, int, str], Item]], ...] = (
    (_is_article, _read_article),
    (_is_mined, _read_mined),
    (_is_extracted, _read_extracted),
)
