"""Read the rows of an extraction file, and write the file without some of them.

A file is JSON lines, one JSON array, CSV or TSV.  A JSON object is what `read`, `mine` or `extract` write for a page,
or that of another system: a page and one XPath or many, under usual names.  What loses nothing is written back byte
for byte; an object that loses a part is rewritten (decision 13).
"""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from io import StringIO
from itertools import accumulate
from typing import Any, NamedTuple

from webquarry.errors import InputError
from webquarry.model.names import FETCHED, PAGE, distinct, snake_case
from webquarry.model.table_columns import DATA
from webquarry.model.wording import count, list_names, whole
from webquarry.model.wrapper import OTHER, TEXT
from webquarry.validating.foreign_xpaths import Row

PAGE_NAMES = tuple("page _page page_url url address uri source_url source file filename document".split())
XPATH_NAMES = tuple("xpath xpaths x_path node_xpath node path paths selector selectors location".split())
TEXT_NAMES = tuple("text texts value values content extracted string".split())
COLUMN_NAMES = tuple("column field attribute property name label key".split())
LIST_NAMES = tuple("nodes items results records entries elements extractions values data scores".split())
"""Names that other systems use; the first that is there counts."""

_MAX_SHOWN = 80  # characters of a wrong value in an error

Line = dict[str, Any]
JsonPath = tuple[str | int, ...]
"""The way to a value: names of members and places in arrays."""
RowPaths = tuple[Row, list[JsonPath]]
"""A row, and the values that belong to it alone."""
Cut = Callable[[Line, Collection[int]], None]
"""Changes a line so that it lacks some rows, given by their places in it."""


class LineRows(NamedTuple):
    """The rows of a line."""

    rows: tuple[Row, ...]
    cut: Cut | None = None
    """None if the line is one row and goes with it."""


def read_line(line: Line, place: str) -> LineRows:
    """Read the rows of an object; `place` names its line in errors."""
    read_own = next((read for fits, read in _OWN_FORMS if "page" in line and fits(line)), None)
    if read_own is None:
        return _read_foreign(line, place)
    check_page(line["page"], "page", place)
    return read_own(line, place)


def find_name(names: Iterable[str], wanted: tuple[str, ...]) -> str | None:
    """Find the name that matches the earliest of the wanted ones; case, hyphens and spaces make no difference.

    >>> find_name(["URL", "X-Path"], XPATH_NAMES), find_name(["title"], PAGE_NAMES)
    ('X-Path', None)
    """
    return _find_name(tuple(names), wanted)


@lru_cache(maxsize=1024)  # the lines of a file have the same names
def _find_name(names: tuple[str, ...], wanted: tuple[str, ...]) -> str | None:
    plain = {name.strip().lower().replace("-", "_").replace(" ", "_"): name for name in reversed(names)}
    return next((plain[name] for name in wanted if name in plain), None)


def check_page(page: Any, name: str, place: str) -> str:
    """Return the page found under a name; raise with its place in the file if there is none."""
    if isinstance(page, str) and page.strip():
        return page
    raise InputError(f"{place}: the page is missing, {name} is {show(page)}; name the page of each row")


def check_xpath(xpath: Any, name: str, place: str) -> str:
    """Return the XPath found under a name; raise with its place in the file if it is something else."""
    if isinstance(xpath, str):
        return xpath
    raise _not_an_xpath(xpath, name, place)


def _not_an_xpath(found: Any, name: str, place: str) -> InputError:
    return InputError(f"{place}: expected an XPath under {name}, found {show(found)}; fix the line or remove it")


def show(value: Any) -> str:
    """Return the beginning of a value as JSON."""
    return json.dumps(value, ensure_ascii=False)[:_MAX_SHOWN]


def _is_article(line: Line) -> bool:
    """Tell what `read` writes: an article with all its nodes, even those that are not kept."""
    nodes = line.get("nodes")
    return isinstance(nodes, list) and all(isinstance(each, dict) and {"node", "kept"} <= each.keys() for each in nodes)


def _read_article(line: Line, place: str) -> LineRows:
    rows = tuple(
        Row(
            line["page"],
            check_xpath(each["node"], f"nodes[{number}].node", place),
            _text_at(each, ("text",)),
            left_out=None if each["kept"] else _text_at(each, ("reason",)) or "",
        )
        for number, each in enumerate(line["nodes"])
    )
    return LineRows(rows, _cut_article)


def _cut_article(line: Line, dropped: Collection[int]) -> None:
    """Mark nodes as not kept, and take their texts out of the article's."""
    if article := _text_at(line, ("text",)):
        kept = [(number, each) for number, each in enumerate(line["nodes"]) if each["kept"]]
        pieces = [_text_at(each, ("text",)) or "" for _, each in kept]
        line["text"] = without_pieces(article, pieces, [number in dropped for number, _ in kept])
    for number in dropped:
        line["nodes"][number]["kept"] = False


_GAPS = ("\n", "\t", " ")
"""White space between pieces, the strongest first."""


def without_pieces(text: str, pieces: Sequence[str], dropped: Sequence[bool]) -> str:
    """Take the dropped pieces out of a text that is made of all pieces, in order.

    White space may have been collapsed in pieces.  Pieces that are not in the text are skipped.

    >>> without_pieces("One two\\nShare\\nThree", ["One", "two", "Share", "Three"], [False, False, True, False])
    'One two\\nThree'
    """
    parts: list[str] = []
    gap, place = "", 0
    for piece, is_dropped in zip(pieces, dropped, strict=True):
        start, stop = _find_piece(text, piece, place)
        if start == stop:
            continue
        gap = _stronger_gap(gap, text[place:start])
        if not is_dropped:
            parts += [gap if parts else "", text[start:stop]]
            gap = ""
        place = stop
    return "".join(parts)


def _find_piece(text: str, piece: str, place: int) -> tuple[int, int]:
    words = piece.split()
    if words and (start := text.find(piece, place)) >= 0:
        return start, start + len(piece)
    match = re.compile(r"\s+".join(map(re.escape, words))).search(text, place)
    return match.span() if match else (place, place)


def _stronger_gap(one: str, other: str) -> str:
    return next((each for mark in _GAPS for each in (one, other) if mark in each), one or other)


def _is_mined(line: Line) -> bool:
    """Tell what `mine` writes: regions of records."""
    regions = line.get("regions")
    return isinstance(regions, list) and all(
        isinstance(record, dict) and isinstance(record.get("nodes"), dict) and isinstance(record.get("values"), dict)
        for region in regions
        for record in (region.get("records", [None]) if isinstance(region, dict) else [None])
    )


def _read_mined(line: Line, place: str) -> LineRows:
    found: list[RowPaths] = []
    for number, region in enumerate(line["regions"]):
        for order, record in enumerate(region["records"]):
            for name, node in record["nodes"].items():
                column = f"{number + 1}.{name}" if number else name  # a page's regions may share names of columns
                xpath = check_xpath(node, f"regions[{number}].records[{order}].nodes.{name}", place)
                if "#" in xpath:  # a place in the JSON of a script, which nobody sees
                    continue
                above = ("regions", number, "records", order)
                paths: list[JsonPath] = [(*above, part, name) for part in ("values", "nodes", "typed")]
                found.append((Row(line["page"], xpath, _text_at(record["values"], (name,)), column), paths))
    return _to_line_rows(found)


def _is_extracted(line: Line) -> bool:
    """Tell what `extract` writes: a nested record, and the XPaths of its values by the names of the wrapper."""
    return isinstance(line.get("nodes"), dict) and isinstance(line.get("record"), dict)


def _read_extracted(line: Line, place: str) -> LineRows:
    nodes = {name: node for name, node in line["nodes"].items() if f"{name}[0]" not in line["nodes"]}  # lists by parts
    ways = _match_names(list(nodes), dict(_walk_record(line["record"], "", ())))
    found: list[RowPaths] = []
    for name, node in nodes.items():
        way = ways.get(name)
        text = None if way is None else _text_at(line["record"], way)
        paths: list[JsonPath] = [("nodes", name), ("typed", name)]
        if way is not None:
            paths.append(("record", *way))
        found.append((Row(line["page"], check_xpath(node, f"nodes.{name}", place), text, name), paths))
    return _to_line_rows(found)


def _match_names(names: list[str], leaves: Mapping[str, JsonPath]) -> dict[str, JsonPath]:
    """Find for each name of a wrapper the place of its text in the record.

    The record has the names of the page; values whose names differ are matched by their order.
    """
    found = {name: leaves[plain] for name in names if (plain := _without_own(name)) in leaves}
    taken = set(found.values())
    open_names = [name for name in names if name not in found]
    places = [each for each in leaves.values() if each not in taken]
    return found | dict(zip(open_names, places, strict=True)) if len(open_names) == len(places) else found


def _walk_record(record: Any, name: str, path: JsonPath) -> Iterator[tuple[str, JsonPath]]:
    """List the texts of a record by the names that a wrapper would have for them."""
    if isinstance(record, list):
        for place, each in enumerate(record):
            yield from _walk_record(each, f"{name}[{place}]", (*path, place))
    elif isinstance(record, dict):
        plain = distinct(key if key in (TEXT, OTHER) else snake_case(key) for key in record)
        for key, part in zip(record, plain, strict=True):
            yield from _walk_record(record[key], f"{name}.{part}" if name else part, (*path, key))
    else:
        yield _without_own(name), path


def _without_own(name: str) -> str:
    return name.removesuffix(f".{TEXT}")


_OWN_FORMS: tuple[tuple[Callable[[Line], bool], Callable[[Line, str], LineRows]], ...] = (
    (_is_article, _read_article),
    (_is_mined, _read_mined),
    (_is_extracted, _read_extracted),
)


def _read_foreign(line: Line, place: str) -> LineRows:
    """Read what another system wrote."""
    page_name = find_name(line, PAGE_NAMES)
    if page_name is None:
        raise InputError(f"{place}: no page; expected one under {list_names(PAGE_NAMES)}, found {_keys(line)}")
    page = check_page(line[page_name], page_name, place)
    name = find_name(line, XPATH_NAMES)
    if name is not None and isinstance(line[name], str):
        return LineRows((_make_row(page, line[name], line),))
    name = name or find_name(line, LIST_NAMES)
    if name is None:
        raise InputError(
            f"{place}: no XPaths; expected one under {list_names(XPATH_NAMES)}, or a list of them under "
            f"{list_names(LIST_NAMES)}, found {_keys(line)}"
        )
    if not isinstance(line[name], list | dict):
        raise _not_an_xpath(line[name], name, place)
    read = _read_named if isinstance(line[name], dict) else _read_list
    return _to_line_rows(read(line, name, page, place))


def _read_list(line: Line, name: str, page: str, place: str) -> Iterator[RowPaths]:
    """Read a list of XPaths, with or without an equally long list of texts beside it; or a list of objects."""
    xpaths = line[name]
    named = [each for wanted in (TEXT_NAMES, COLUMN_NAMES) if (each := find_name(line, wanted)) and each != name]
    beside = {each: line[each] for each in named if isinstance(line[each], list) and len(line[each]) == len(xpaths)}
    for number, entry in enumerate(xpaths):
        here = f"{name}[{number}]"
        if isinstance(entry, dict):
            yield _make_row(page, _find_xpath(entry, here, place), entry), [(name, number)]
        else:
            values = {each: column[number] for each, column in beside.items()}
            row = _make_row(page, check_xpath(entry, here, place), values)
            yield row, [(each, number) for each in (name, *beside)]


def _find_xpath(entry: Line, name: str, place: str) -> str:
    named = find_name(entry, XPATH_NAMES)
    if named is None:
        raise InputError(
            f"{place}: {name} has no XPath; expected one under {list_names(XPATH_NAMES)}, found {_keys(entry)}"
        )
    return check_xpath(entry[named], f"{name}.{named}", place)


def _read_named(line: Line, name: str, page: str, place: str) -> Iterator[RowPaths]:
    """Read XPaths by the names of their columns; a column that is null has none on this page."""
    for column, entry in line[name].items():
        here = f"{name}.{column}"
        if isinstance(entry, list):
            for number, each in enumerate(entry):
                yield Row(page, check_xpath(each, f"{here}[{number}]", place), None, column), [(name, column, number)]
        elif entry is not None:
            yield Row(page, check_xpath(entry, here, place), None, column), [(name, column)]


def _make_row(page: str, xpath: str, values: Mapping[str, Any]) -> Row:
    text, column = (_to_text(values.get(find_name(values, names) or "")) for names in (TEXT_NAMES, COLUMN_NAMES))
    return Row(page, xpath, text if text and text.strip() else None, column)  # a blank text says nothing


def _to_text(value: Any) -> str | None:
    """Return a text or number as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return value if isinstance(value, str) else repr(value)


def _keys(line: Line) -> str:
    return list_names(list(line)) or "nothing"


def _text_at(record: Any, path: JsonPath) -> str | None:
    for key in path:
        record = record[key] if isinstance(key, int) else record.get(key)
    return record if isinstance(record, str) else None


def _to_line_rows(found: Iterable[RowPaths]) -> LineRows:
    pairs = list(found)
    return LineRows(tuple(row for row, _ in pairs), partial(_cut_rows, [paths for _, paths in pairs]))


def _cut_rows(paths: Sequence[list[JsonPath]], line: Line, dropped: Collection[int]) -> None:
    cut_paths(line, [path for place in dropped for path in paths[place]])


def cut_paths(value: Any, paths: Iterable[JsonPath]) -> None:
    """Take the values at some paths out of a JSON value; paths that lead nowhere are skipped.

    >>> line = {"a": [1, 2, 3], "b": {"c": 4, "d": 5}}
    >>> cut_paths(line, [("a", 0), ("a", 1), ("b", "c"), ("b", "x")])
    >>> line
    {'a': [3], 'b': {'d': 5}}
    """
    below: defaultdict[Any, list[JsonPath]] = defaultdict(list)
    for key, *rest in paths:
        below[key].append(tuple(rest))
    for key in sorted(below, reverse=True):  # from the end of a list, so that places before stay valid
        if isinstance(value, list) or (isinstance(value, dict) and key in value):
            if () in below[key]:
                del value[key]
            else:
                cut_paths(value[key], below[key])


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
