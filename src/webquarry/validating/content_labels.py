"""What people say is content, node by node.

A file of labels is JSON lines, or CSV with a heading, of `page`, `node` (an absolute XPath) and `label`.  The label of
an element holds for all that is in it, unless something in it has one of its own.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.validating.selections import select

CONTENT, BOILERPLATE, UNKNOWN = 1, 0, -1
FIELDS = ("page", "node", "label")
_YES = frozenset("1 true yes y t content relevant keep kept main".split())
_NO = frozenset("0 false no n f boilerplate irrelevant drop noise other".split())


@dataclass(frozen=True)
class Label:
    """Whether a node is content."""

    page: str
    """The address of the page, or how it ends, from a slash on."""
    node: str
    """The absolute address of a text or an element."""
    content: bool
    line: int = 0
    """Of the file."""


def parse_labels(text: str, name: str = "labels") -> list[Label]:
    """The labels of a file; `name` is what errors call it."""
    text = text.removeprefix("\ufeff")
    rows = _read_json_lines(text, name) if text.lstrip().startswith("{") else _read_csv(text, name)
    return [_make_label(row, line, name) for line, row in rows]


def part_by_page(labels: Iterable[Label], addresses: Sequence[str]) -> tuple[list[Label], list[Label]]:
    """The labels of pages with these addresses, and all others."""
    places = _Places(addresses)
    parted: tuple[list[Label], list[Label]] = ([], [])
    for label in labels:
        parted[places.find(label.page) is None].append(label)
    return parted


def match_labels(
    labels: Iterable[Label], documents: Sequence[Document], name: str = "labels"
) -> tuple[list[NDArray[np.int8]], list[str]]:
    """For each document the label of each node, `CONTENT`, `BOILERPLATE` or `UNKNOWN`, and what was not found."""
    found: list[dict[int, bool]] = [{} for _ in documents]
    places, missing = _Places([document.url for document in documents]), []
    for label in labels:
        place = places.find(label.page)
        node = documents[place].node(label.node) if place is not None else None
        if place is None:
            missing.append(f"{name}:{label.line}: no such page: {label.page}")
        elif node is None:
            missing.append(f"{name}:{label.line}: no such node: {label.node} of {label.page}")
        else:
            found[place][node] = label.content
    return [spread(document, each) for document, each in zip(documents, found, strict=True)], missing


def spread(document: Document, labels: Mapping[int, bool]) -> NDArray[np.int8]:
    """The label of each node: its own, or that of the innermost element around it that has one."""
    spread_out = np.full(len(document), UNKNOWN, dtype=np.int8)
    for node in sorted(labels):  # an element comes before what is in it
        spread_out[node : document.ends[node]] = CONTENT if labels[node] else BOILERPLATE
    return spread_out


def label_by_selector(document: Document, selector: str) -> NDArray[np.int8]:
    """The label of each node when content is what stands in the elements that a CSS selector chooses."""
    labels = dict.fromkeys(select(document, selector), True)
    return spread(document, {0: False} | labels)


class _Places:
    """Pages by their address, or by how it ends."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._urls = addresses
        self._known: dict[str, int | None] = {url: place for place, url in enumerate(addresses)}

    def find(self, page: str) -> int | None:
        """The place of the page; None when there is none, or several that end so."""
        if page not in self._known:
            ending = f"/{page.lstrip('./')}"
            places = [place for place, url in enumerate(self._urls) if url.endswith(ending)]
            self._known[page] = places[0] if len(places) == 1 else None
        return self._known[page]


def _read_json_lines(text: str, name: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise InputError(f"{name}:{number}: this is not JSON: {error}") from error
        if not isinstance(row, dict):
            raise InputError(f"{name}:{number}: an object with {', '.join(FIELDS)} is expected")
        yield number, row


def _read_csv(text: str, name: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    rows = csv.reader(io.StringIO(text, newline=""))
    try:
        heads = [head.strip().lower() for head in next(rows, [])]
        if missing := [field for field in FIELDS if field not in heads]:
            raise InputError(f"{name}:1: the heading lacks {', '.join(missing)}")
        for row in rows:
            if any(cell.strip() for cell in row):
                yield rows.line_num, dict(zip(heads, row, strict=False))
    except csv.Error as error:
        raise InputError(f"{name}:{rows.line_num}: this is not CSV: {error}") from error


def _make_label(row: Mapping[str, object], line: int, name: str) -> Label:
    if missing := [field for field in FIELDS if row.get(field) in (None, "")]:
        raise InputError(f"{name}:{line}: {', '.join(missing)} missing")
    word = str(row["label"]).strip().lower()
    if word not in _YES | _NO:
        raise InputError(f"{name}:{line}: {row['label']!r} is no label; it must be true or false")
    return Label(str(row["page"]).strip(), str(row["node"]).strip(), word in _YES, line)
