"""The text of an extraction to its rows, and back."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from io import StringIO
from itertools import accumulate
from typing import Any, TypeVar

from webquarry.errors import InputError
from webquarry.model.names import list_names
from webquarry.model.wording import count
from webquarry.validating.extraction_edits import (
    Edit,
    Item,
    JsonItem,
    JsonPath,
    WholeItem,
    apply_edits,
    check_address,
    check_page,
    cut_members,
    decode,
    members,
    refuse_address,
    show,
    skip_space,
)
from webquarry.validating.foreign_xpaths import Row
from webquarry.validating.own_results import read_own

# MERGED validating/extractions/names: What systems call the page, the address of a node, its text and its co
PAGES = ("page", "_page", "page_url", "url", "address", "uri", "source_url", "source", "file", "filename", "document")
ADDRESSES = ("xpath", "xpaths", "x_path", "node_xpath", "node", "path", "paths", "selector", "selectors", "location")
TEXTS = ("text", "texts", "value", "values", "content", "extracted", "string")
COLUMNS = ("column", "field", "attribute", "property", "name", "label", "key")
LISTS = ("nodes", "items", "results", "records", "entries", "elements", "extractions", "values", "data", "scores")

_Value = TypeVar("_Value")


def find_name(names: Iterable[str], wanted: tuple[str, ...]) -> str | None:
    """The name that is called as the first of some that is there; capitals and hyphens make no difference.

    >>> find_name(["URL", "X-Path"], ADDRESSES), find_name(["title"], PAGES)
    ('X-Path', None)
    """
    return _find(tuple(names), wanted)


def find_value(values: Mapping[str, _Value], wanted: tuple[str, ...]) -> _Value | None:
    """The value under the first of some names that is there."""
    name = find_name(values, wanted)
    return None if name is None else values[name]


@lru_cache(maxsize=1024)  # the lines of a file have the same names
def _find(names: tuple[str, ...], wanted: tuple[str, ...]) -> str | None:
    plain = {name.strip().lower().replace("-", "_").replace(" ", "_"): name for name in reversed(names)}
    return next((plain[name] for name in wanted if name in plain), None)


# MERGED validating/extractions/delimited: Tables of rows as CSV or TSV, with a header that names the columns
_DELIMITERS = "\t,;|"


def read_delimited(text: str, name: str) -> Iterator[tuple[int, int, WholeItem]]:
    """The rows of a table, each with where it begins and ends in the text; `name` is the file's, for errors."""
    lines = list(StringIO(text, newline=""))
    starts = list(accumulate(map(len, lines), initial=0))
    header_line = lines[0] if lines else ""
    delimiter = max(_DELIMITERS, key=header_line.count)
    reader = csv.reader(lines, delimiter=delimiter)
    try:
        header = [cell.removeprefix("\ufeff") for cell in next(reader, [])]
        columns = _find_columns(header, f"{name}:1")
        before = reader.line_num
        for cells in reader:
            if any(cells):
                place = f"{name}:{before + 1}"
                stop = starts[reader.line_num - 1] + len(lines[reader.line_num - 1].rstrip("\r\n"))
                yield starts[before], stop, WholeItem((_read_row(cells, columns, place),))
            before = reader.line_num
    except csv.Error as error:
        raise InputError(
            f"{name}:{reader.line_num}: this is no table of text ({error}); quote cells as CSV does"
        ) from error


def _find_columns(header: list[str], place: str) -> dict[str, int]:
    """Where in a row page, address, text and column stand."""
    names = {"page": PAGES, "xpath": ADDRESSES, "text": TEXTS, "column": COLUMNS}
    named = {what: find_name(header, wanted) for what, wanted in names.items()}
    if named["xpath"] is None and "_page" in header:
        raise InputError(
            f"{place}: the table has values without the nodes that they stand in, as CSV of `quarry mine` has; write "
            "the extraction with --format jsonl and validate that"
        )
    for what in ("page", "xpath"):
        if named[what] is None:
            raise InputError(
                f"{place}: no column of {'pages' if what == 'page' else 'XPaths'}; looked for one called "
                f"{list_names(names[what])}, found {list_names(header) or 'nothing'}; give CSV with a header"
            )
    return {what: header.index(each) for what, each in named.items() if each is not None}


def _read_row(cells: list[str], columns: dict[str, int], place: str) -> Row:
    if len(cells) <= max(columns["page"], columns["xpath"]):
        wanted = f"{columns['page'] + 1} and {columns['xpath'] + 1}"
        raise InputError(
            f"{place}: looked for page and XPath in cells {wanted}, found {count(len(cells), 'cell')}; mend the row"
        )
    told = {what: cells[column] for what, column in columns.items() if column < len(cells)}
    page = check_page(told["page"], f"cell {columns['page'] + 1}", place)
    return Row(page, told["xpath"], told.get("text"), told.get("column"))


# MERGED validating/extractions/foreign_lines: JSON of other systems: an object with a page and the addresses
Line = Mapping[str, Any]
_Told = tuple[Row, tuple[JsonPath, ...]]
"""A row, and the values that are of it alone."""


def read_foreign(line: Line, start: int, place: str) -> Item:
    """The rows of an object that begins at a place of the text; `place` names its line in errors."""
    paged = find_name(line, PAGES)
    if paged is None:
        raise InputError(
            f"{place}: no page; looked for a text under {list_names(PAGES)}, found {_found(line)}; name each row's page"
        )
    page = check_page(line[paged], paged, place)
    named = find_name(line, ADDRESSES)
    if named is not None and isinstance(line[named], str):
        return WholeItem((Row(page, line[named], _text(find_value(line, TEXTS)), _text(find_value(line, COLUMNS))),))
    listed = named if named is not None else find_name(line, LISTS)
    if listed is None:
        raise InputError(
            f"{place}: no addresses of nodes; looked for an XPath under {list_names(ADDRESSES)}, or a list of them "
            f"under {list_names(LISTS)}, found {_found(line)}"
        )
    if not isinstance(line[listed], list | dict):
        raise refuse_address(line[listed], listed, place)
    read = _read_named if isinstance(line[listed], dict) else _read_list
    told = list(read(line, listed, page, place))
    return JsonItem(start, tuple(row for row, _ in told), tuple(paths for _, paths in told))


def _read_list(line: Line, name: str, page: str, place: str) -> Iterator[_Told]:
    """A list of addresses, with a list of texts as long beside it or without; or of objects."""
    addresses = line[name]
    beside = {each: line[each] for wanted in (TEXTS, COLUMNS) if (each := find_name(line, wanted))}
    beside = {each: values for each, values in beside.items() if each != name and isinstance(values, list)}
    beside = {each: values for each, values in beside.items() if len(values) == len(addresses)}
    for number, entry in enumerate(addresses):
        here = f"{name}[{number}]"
        if isinstance(entry, dict):
            address, told, paths = _find_address(entry, here, place), entry, [(name, number)]
        else:
            address = check_address(entry, here, place)
            told = {each: values[number] for each, values in beside.items()}
            paths = [(each, number) for each in (name, *beside)]
        yield Row(page, address, _text(find_value(told, TEXTS)), _text(find_value(told, COLUMNS))), tuple(paths)


def _find_address(entry: Line, name: str, place: str) -> str:
    named = find_name(entry, ADDRESSES)
    if named is None:
        raise InputError(
            f"{place}: {name} has no address; looked for an XPath under {list_names(ADDRESSES)}, found {_found(entry)}"
        )
    return check_address(entry[named], f"{name}.{named}", place)


def _read_named(line: Line, name: str, page: str, place: str) -> Iterator[_Told]:
    """Addresses by the names of their columns; a column that is null has none on this page."""
    for column, entry in line[name].items():
        here = f"{name}.{column}"
        if isinstance(entry, list):
            for number, address in enumerate(entry):
                row = Row(page, check_address(address, f"{here}[{number}]", place), None, column)
                yield row, ((name, column, number),)
        elif entry is not None:
            yield Row(page, check_address(entry, here, place), None, column), ((name, column),)


def _text(value: Any) -> str | None:
    """A text or number as text; None for what is neither."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return value if isinstance(value, str) else repr(value)


def _found(line: Line) -> str:
    return list_names(list(line)) or "nothing"


@dataclass(frozen=True)
class ExtractionFile:
    """The rows of an extraction, in its order, and the text that they were read from."""

    text: str = field(repr=False)
    items: tuple[tuple[int, int, Item], ...] = field(repr=False)
    """Each with where it begins and ends in the text."""
    failures: int = 0
    """Pages that the extraction itself says it failed on; there is nothing of them to validate."""
    is_array: bool = False
    """Whether the items are members of one array of JSON."""

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """All rows; a row is known by its place among them."""
        return tuple(row for _, _, item in self.items for row in item.rows)

    @cached_property
    def pages(self) -> dict[str, list[int]]:
        """For each page the places of its rows, in the order in which pages come."""
        pages: defaultdict[str, list[int]] = defaultdict(list)
        for place, row in enumerate(self.rows):
            pages[row.page].append(place)
        return dict(pages)

    def without(self, dropped: Collection[int]) -> str:
        """The text of the file without some rows, which are given by their places; all else is as it was."""
        places = set(dropped)
        edits: list[Edit] = []
        gone, first = set(), 0
        for number, (_, _, item) in enumerate(self.items):
            own = {place - first for place in range(first, first + len(item.rows)) if place in places}
            cuts = item.drop(self.text, own) if own else []
            first += len(item.rows)
            if cuts is None:
                gone.add(number)
            else:
                edits += cuts
        return apply_edits(self.text, [*edits, *self._cut_items(gone)])

    def _cut_items(self, gone: set[int]) -> list[Edit]:
        spans = [(start, stop) for start, stop, _ in self.items]
        if self.is_array:
            return cut_members(spans, gone)
        return [(spans[number][0], _line_end(self.text, spans[number][1]), "") for number in gone]


def read_extraction(text: str, name: str = "extraction") -> ExtractionFile:
    """The rows of an extraction: of ours, or of another system as JSON, JSON lines, CSV or TSV.

    `name` is the file's, for the text of errors.  Raises InputError with the line that cannot be read.
    """
    start = skip_space(text, 1 if text.startswith("\ufeff") else 0)
    if not text[start:]:
        raise InputError(f"{name}: the file is empty; give JSON lines or CSV of pages and XPaths")
    if text[start] not in "[{":
        return ExtractionFile(text, tuple(read_delimited(text, name)))
    is_array = text[start] == "["
    items, failures = [], 0
    for value, begin, end, place in _values(text, start, name, is_array=is_array):
        if not isinstance(value, dict):
            raise InputError(f"{place}: looked for an object with a page and XPaths, found {show(value)}")
        if "error" in value and find_name(value, (*ADDRESSES, *LISTS)) is None:
            failures += 1
            continue
        items.append((begin, end, read_own(value, begin, place) or read_foreign(value, begin, place)))
    return ExtractionFile(text, tuple(items), failures, is_array)


def _values(text: str, start: int, name: str, *, is_array: bool) -> Iterator[tuple[Any, int, int, str]]:
    """The objects of an array, or of one line after the other, each with its place in the text and the file."""
    line, place = 1 + text.count("\n", 0, start), start
    try:
        if is_array:
            for each in members(text, start):
                line, place = line + text.count("\n", place, each.value), each.value
                yield decode(text, place)[0], place, each.stop, f"{name}:{line}"
            return
        while place < len(text):
            value, stop = decode(text, place)
            yield value, place, stop, f"{name}:{line}"
            following = skip_space(text, stop)
            line += text.count("\n", place, following)
            place = following
    except (ValueError, RecursionError, IndexError) as error:
        at = line + text.count("\n", place, getattr(error, "pos", place))
        what = getattr(error, "msg", error)
        raise InputError(f"{name}:{at}: this is not JSON ({what}); mend the line, or leave it out") from error


def _line_end(text: str, place: int) -> int:
    """Where the next line begins, if nothing else stands on this one."""
    after = place
    while after < len(text) and text[after] in " \t\r":
        after += 1
    return after + 1 if text[after : after + 1] == "\n" else place
