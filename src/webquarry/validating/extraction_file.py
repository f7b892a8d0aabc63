"""Read the rows of an extraction file, and write the file without some of them.

A file is JSON lines, one JSON array, CSV or TSV.  What loses nothing is written back byte for byte; a JSON object that
loses a part is rewritten (decision 13).
"""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from io import StringIO
from itertools import accumulate

from webquarry.errors import InputError
from webquarry.model.names import FETCHED, PAGE
from webquarry.model.table_columns import DATA
from webquarry.model.wording import count, list_names, whole
from webquarry.validating.extraction_lines import (
    COLUMN_NAMES,
    LIST_NAMES,
    PAGE_NAMES,
    TEXT_NAMES,
    XPATH_NAMES,
    Cut,
    check_page,
    find_name,
    read_line,
    show,
)
from webquarry.validating.foreign_xpaths import Row

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")
_DELIMITERS = "\t,;|"
_ADDRESS = re.compile(r"(?:https?|file|mailto|tel|data):", re.IGNORECASE)
_OWN_COLUMNS = (PAGE, FETCHED)
"""Columns of a table that are not from the page."""


@dataclass(frozen=True)
class Item:
    """A line, array element or table row of a file."""

    start: int
    """In the text of the file; so is `stop`."""
    stop: int
    rows: tuple[Row, ...]
    cut: Cut | None = None
    """Takes rows out of a JSON object; None if the item goes with its row."""


@dataclass(frozen=True)
class ExtractionFile:
    """The rows of an extraction, in its order, and the text that they were read from."""

    text: str = field(repr=False)
    items: tuple[Item, ...] = field(repr=False)
    failures: int = 0
    """Pages that the extraction itself reports as failed; they have no rows."""
    is_table: bool = False
    """True for a table of records without nodes: an item has several rows, and cannot lose a single one."""

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """All rows; a row is known by its place among them."""
        return tuple(row for item in self.items for row in item.rows)

    @cached_property
    def pages(self) -> dict[str, list[int]]:
        """For each page the places of its rows, in the order in which pages come."""
        pages: defaultdict[str, list[int]] = defaultdict(list)
        for place, row in enumerate(self.rows):
            pages[row.page].append(place)
        return dict(pages)

    def without(self, dropped: Collection[int]) -> str:
        """Write the file without some rows, given by their places; raises for a table of records."""
        if self.is_table:
            raise InputError("a table cannot lose single values; write the records with --format jsonl and drop there")
        places = set(dropped)
        first, end = 0, self.items[0].start if self.items else 0
        parts = [self.text[:end]]
        for item in self.items:
            own = {place - first for place in range(first, first + len(item.rows)) if place in places}
            first += len(item.rows)
            separator, end = self.text[end : item.start], item.stop
            if not own or item.cut is not None:
                parts += [separator if len(parts) > 1 else "", self._write(item, own)]
        return "".join([*parts, self.text[end:]])

    def _write(self, item: Item, dropped: Collection[int]) -> str:
        source = self.text[item.start : item.stop]
        if not dropped or item.cut is None:
            return source
        line = json.loads(source)
        item.cut(line, dropped)
        return whole(json.dumps(line, ensure_ascii=source.isascii()))


def read_extraction(text: str, name: str = "extraction") -> ExtractionFile:
    """Read the rows of an extraction: of ours, or of another system as JSON, JSON lines, CSV or TSV.

    `name` is the file's, for errors.  Raises InputError with the line that cannot be read.
    """
    place = _skip_space(text, 1 if text.startswith("\ufeff") else 0)
    if place == len(text):
        raise InputError(f"{name}: the file is empty; give JSON lines or CSV of pages and XPaths")
    if text[place] not in "[{":
        lines = tuple(_read_table(text, name))
        return ExtractionFile(text, lines, is_table=any(len(each.rows) > 1 for each in lines))
    is_array = text[place] == "["
    place = _skip_space(text, place + is_array)
    line, items, failures = 1 + text.count("\n", 0, place), [], 0
    while place < len(text) and not (is_array and text[place] == "]"):
        try:
            value, stop = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            at = line + text.count("\n", place, getattr(error, "pos", place))
            what = getattr(error, "msg", error)
            raise InputError(f"{name}:{at}: not JSON ({what}); fix the line or remove it") from error
        if not isinstance(value, dict):
            raise InputError(f"{name}:{line}: expected an object with a page and XPaths, found {show(value)}")
        if "error" in value and find_name(value, (*XPATH_NAMES, *LIST_NAMES)) is None:
            failures += 1
            items.append(Item(place, stop, ()))
        else:
            items.append(Item(place, stop, *read_line(value, f"{name}:{line}")))
        following = _skip_space(text, stop)
        if is_array and text[following : following + 1] == ",":
            following = _skip_space(text, following + 1)
        line += text.count("\n", place, following)
        place = following
    if is_array and place == len(text):
        raise InputError(f"{name}:{line}: not JSON (the array has no end); write the extraction again")
    return ExtractionFile(text, tuple(items), failures)


def _skip_space(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return match.end() if match else place


def _read_table(text: str, name: str) -> Iterator[Item]:
    """Read CSV or TSV with a header that names the columns."""
    lines = list(StringIO(text, newline=""))
    starts = list(accumulate(map(len, lines), initial=0))
    reader = csv.reader(lines, delimiter=max(_DELIMITERS, key=lines[0].count))
    try:
        header = [cell.removeprefix("\ufeff") for cell in next(reader, [])]
        read = _choose_reader(header, f"{name}:1")
        before = reader.line_num
        for cells in reader:
            if any(cells):
                stop = starts[reader.line_num - 1] + len(lines[reader.line_num - 1].rstrip("\r\n"))
                yield Item(starts[before], stop, read(cells, f"{name}:{before + 1}"))
            before = reader.line_num
    except csv.Error as error:
        raise InputError(f"{name}:{reader.line_num}: not a table ({error}); quote cells as CSV does") from error


def _choose_reader(header: list[str], place: str) -> Callable[[list[str], str], tuple[Row, ...]]:
    """Choose how to read the rows of a table: a node in each, or a record, as `mine` writes them."""
    if PAGE in header and find_name(header, XPATH_NAMES) is None:
        texts = _find_texts(header)
        return lambda cells, where: _read_record(cells, texts, header.index(PAGE), where)
    columns = _find_columns(header, place)
    return lambda cells, where: (_read_row(cells, columns, where),)


def _find_texts(header: list[str]) -> dict[str, int]:
    """Find the cells that have the texts of columns: of typed ones `NAME_text`, as the values are converted.

    >>> _find_texts(["_page", "title", "price", "price_to", "price_unit", "price_text", "data.sku"])
    {'title': 1, 'price': 5}
    """
    typed = {name.removesuffix("_text") for name in header if name.endswith("_text")} & set(header)
    beside = {f"{name}{end}" for name in typed for end in ("_text", "_unit", "_to")}
    names = [name for name in header if not name.startswith((*_OWN_COLUMNS, DATA)) and name not in beside]
    return {name: header.index(f"{name}_text" if name in typed else name) for name in names}


def _read_record(cells: list[str], texts: Mapping[str, int], page: int, place: str) -> tuple[Row, ...]:
    """Read the values of a record; addresses, which nobody sees on the page, are passed over."""
    check_page(cells[page] if page < len(cells) else "", f"cell {page + 1}", place)
    found = [(name, cells[cell]) for name, cell in texts.items() if cell < len(cells)]
    return tuple(Row(cells[page], "", text, name) for name, text in found if text and not _ADDRESS.match(text))


def _find_columns(header: list[str], place: str) -> dict[str, int]:
    """Find the places of page, XPath, text and column in a row."""
    names = {"page": PAGE_NAMES, "xpath": XPATH_NAMES, "text": TEXT_NAMES, "column": COLUMN_NAMES}
    named = {what: find_name(header, wanted) for what, wanted in names.items()}
    for what, plural in (("page", "pages"), ("xpath", "XPaths")):
        if named[what] is None:
            raise InputError(
                f"{place}: no column of {plural}; expected one called {list_names(names[what])}, found "
                f"{list_names(header) or 'nothing'}; give CSV with a header"
            )
    return {what: header.index(each) for what, each in named.items() if each is not None}


def _read_row(cells: list[str], columns: dict[str, int], place: str) -> Row:
    page, xpath = columns["page"], columns["xpath"]
    if len(cells) <= max(page, xpath):
        found = count(len(cells), "cell")
        raise InputError(f"{place}: expected page and XPath in cells {page + 1} and {xpath + 1}, found {found}")
    values = {what: cells[column] for what, column in columns.items() if column < len(cells)}
    check_page(values["page"], f"cell {page + 1}", place)
    text = values.get("text", "")
    return Row(values["page"], values["xpath"], text if text.strip() else None, values.get("column"))
