"""Map the names of things to canonical ones in all sources of a catalog, so that joins match.

The file `names.csv` of a catalog has the columns `source`, `name` and `canonical`: what a source calls by a name has
the canonical name in its table.  A source without a column means its key; `groups.country` is a column of `groups`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

import pyarrow as pa

from webquarry.errors import InputError
from webquarry.fetching.inputs import parse_rows
from webquarry.model.names import join_key, key_names, split_key
from webquarry.model.wording import list_names
from webquarry.querying.catalog import ColumnPath, Reading, SourceTable

NAMES_FILE = "names.csv"
HEADER = ("source", "name", "canonical")

Names = dict[str, dict[str, dict[str, str]]]
"""By source and column, empty for the key, the canonical names of things by those that pages have."""


def read_names(path: Path, sources: Iterable[str]) -> Names:
    """Read the names of a catalog with these sources; none if the file has other columns than names have."""
    try:
        rows = list(parse_rows(path.read_bytes(), str(path)))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error
    if not rows or {name.strip().lower() for name in rows[0]} != set(HEADER):
        return {}
    known = {name.lower(): name for name in sources}
    names: Names = {}
    for row in rows:
        cells = {name.strip().lower(): (text or "").strip() for name, text in row.items()}
        if not all(cells.values()):
            raise InputError(f"{path}: a row lacks its {' or '.join(HEADER)}: {list_names(list(cells.values()))}")
        source, _, column = cells["source"].lower().partition(".")
        if source not in known:
            near = get_close_matches(source, known, 1) or list(known)[:5]
            raise InputError(f"{path}: the catalog has no source {source!r}; the nearest are {list_names(near)}")
        given = names.setdefault(known[source], {}).setdefault(column, {})
        if given.setdefault(cells["name"], cells["canonical"]) != cells["canonical"]:
            raise InputError(
                f"{path}: {cells['name']!r} of {cells['source']} is both {given[cells['name']]!r} and "
                f"{cells['canonical']!r}; keep one of these rows"
            )
    return names


class RenamedTable:
    """A source whose things have canonical names (a `webquarry.querying.catalog.SourceTable`)."""

    def __init__(self, table: SourceTable, names: Mapping[str, Mapping[str, str]]) -> None:
        """`names` are canonical names by column, which is empty for the key."""
        self._table = table
        self.name, self.schema, self.key = table.name, table.schema, table.key
        self.is_listed, self.index_pages = table.is_listed, table.index_pages
        self.is_row_a_page, self.is_rendered = table.is_row_a_page, table.is_rendered
        self._keys = key_names(table.key)
        self._names = {self._find_column(column): dict(given) for column, given in names.items()}
        self._back = {
            column: {canonical: name for name, canonical in reversed(given.items())}
            for column, given in self._names.items()
        }

    def _find_column(self, column: str) -> str:
        if not column and len(self._keys) == 1:
            return self._keys[0]
        texts = [field.name for field in self.schema if pa.types.is_string(field.type)]
        found: str | None = next((name for name in texts if name.lower() == column), None)
        if found is None:
            what = f"no column {column!r} of texts" if column else "no single key"
            raise InputError(
                f"{NAMES_FILE}: {self.name} has {what}; write {self.name}.COLUMN with one of {list_names(texts)}"
            )
        return found

    @property
    def example(self) -> str:
        """A key, if one is known without fetching from the web; else empty."""
        return self._translate(self._table.example, self._names) if self._table.example else ""

    def index(self) -> Mapping[str, str]:
        """List the addresses of the source's pages by their canonical keys."""
        index: dict[str, str] = {}
        for key, address in self._listed.items():
            canonical = self._translate(key, self._names)
            if index.setdefault(canonical, address) != address:
                raise InputError(
                    f"{NAMES_FILE}: {self.name} has two pages that would both be {canonical!r}; "
                    f"leave out the row of one of them, such as {key!r}"
                )
        return index

    def sections(self, columns: Sequence[ColumnPath]) -> list[str]:
        """List the outermost sections that are read for these columns, as dotted paths."""
        return self._table.sections(columns)

    def read(self, keys: Sequence[str], columns: Sequence[ColumnPath], progress: Callable[[], None]) -> Reading:
        """Read the rows of the pages with these canonical keys."""
        reading = self._table.read([self._original(key) for key in keys], columns, progress)
        rows = reading.rows
        for column, given in self._names.items():
            texts = [given.get(text, text) for text in rows[column].to_pylist()]
            rows = rows.set_column(rows.schema.get_field_index(column), column, pa.array(texts, pa.string()))
        return replace(reading, rows=rows)

    def _original(self, key: str) -> str:
        if not self.is_listed:
            return self._translate(key, self._back)
        return self._originals.get(key, key)

    @cached_property
    def _listed(self) -> Mapping[str, str]:
        return self._table.index()

    @cached_property
    def _originals(self) -> dict[str, str]:
        return {self._translate(key, self._names): key for key in self._listed}

    def _translate(self, key: str, names: Mapping[str, Mapping[str, str]]) -> str:
        """Translate each part of a key."""
        if not self._keys:
            return key
        parts = zip(self._keys, split_key(key), strict=True)
        return join_key(names.get(column, {}).get(part, part) for column, part in parts)
