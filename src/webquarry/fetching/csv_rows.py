"""Read the rows of CSV files that users write."""

from __future__ import annotations

import csv
import io

from webquarry.errors import InputError


def parse_rows(content: bytes, shown: str) -> list[dict[str, str]]:
    """Read the rows of a CSV file by the names in its header row; missing cells are empty.

    `shown` names the file in errors.

    >>> parse_rows(b"file;url\\na.html\\n", "urls.csv")
    [{'file': 'a.html', 'url': ''}]
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{shown}: line {line} is not in UTF-8; save the file as CSV in UTF-8") from error
    first = text.lstrip().partition("\n")[0]
    # Spreadsheets write semicolons where commas are decimal.
    separator = "," if "," in first else next((mark for mark in ";\t" if mark in first), ",")
    try:
        table = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        rows = [row for row in table if any(map(str.strip, row))]
    except csv.Error as error:
        raise InputError(f"{shown}: this is not CSV ({error})") from error
    if not rows:
        raise InputError(f"{shown}: the file is empty; its first line names the columns")
    names = [name.strip() for name in rows[0]]
    return [dict(zip(names, row + [""] * (len(names) - len(row)), strict=False)) for row in rows[1:]]
