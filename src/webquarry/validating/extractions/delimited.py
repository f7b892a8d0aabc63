"""Tables of rows as CSV or TSV, with a header that names the columns of pages and addresses."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from itertools import accumulate

from webquarry.errors import InputError
from webquarry.model.naming import list_names
from webquarry.model.wording import count
from webquarry.validating.addresses.rows import Row
from webquarry.validating.extractions.checking import check_page
from webquarry.validating.extractions.items import WholeItem
from webquarry.validating.extractions.names import ADDRESSES, COLUMNS, PAGES, TEXTS, find_name

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
