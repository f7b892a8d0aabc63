"""Query a catalog: its sources as a tree, the plan of a query, the answer as a table, and the places of its values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webquarry.errors import InputError, WebquarryError
from webquarry.model.arrow_values import list_values, to_line
from webquarry.model.wording import count
from webquarry.pipeline.open_catalogs import Connection
from webquarry.querying.query_nouns import Answer, Whereabouts
from webquarry.storing.formats import choose_format
from webquarry.storing.query_tables import store_table
from webquarry.workbench.bench_server import WorkProgress
from webquarry.workbench.opened_pages import OpenedPage

ROWS_SENT = 1_000
"""Rows of an answer that the browser gets; the saved table has all."""


@dataclass(frozen=True)
class ShownPlace:
    """The value of an answer whose place is on screen."""

    row: int
    column: int
    found: Whereabouts
    at: int
    """The number of the place that is shown."""
    page: int | None
    """The number of its page; None when there is no place."""


class CatalogWork:
    """A catalog with the last query, its plan and its answer."""

    def __init__(
        self,
        folder: Path,
        connection: Connection,
        open_page: Callable[[str], OpenedPage],
        progress: WorkProgress,
        *,
        max_pages: int | None = None,
    ) -> None:
        """`open_page` opens the page at an address; pages are opened when a value on them is clicked.

        A query that needs more than `max_pages` pages is refused.
        """
        self._progress, self._max_pages = progress, max_pages
        self.pages: list[OpenedPage] = []
        self._open_page = open_page
        self._opened: dict[str, int] = {}
        """The numbers of pages by their addresses."""
        self._shown: ShownPlace | None = None
        self._folder = folder
        self._connection = connection
        self._query = ""
        self._plan = ""
        self._answer: Answer | None = None
        self._sources = [self._describe(row) for row in connection.sql("SHOW TABLES").to_arrow().to_pylist()]

    def show(self, number: int) -> dict[str, Any]:  # noqa: ARG002 - the clicked value says which page it is
        """Describe the sources, the last query, and the place of the value that was clicked."""
        return {
            "view": "catalog",
            "name": self._folder.name or str(self._folder),
            "kind": "catalog",
            "sources": self._sources,
            "query": self._query,
            "plan": self._plan,
            "answer": None if self._answer is None else _describe_answer(self._answer),
            "where": None if self._shown is None else self._describe_place(self._shown),
        }

    def act(self, number: int, action: str, given: Mapping[str, Any]) -> str:  # noqa: ARG002
        """Plan a query, run it, save its answer, or open the page that a value comes from."""
        if action == "export":
            return self._export(str(given.get("file", "")), str(given.get("table", "")))
        if action == "where":
            return self._find_place(*(_to_number(given.get(name, 0)) for name in ("row", "column", "at")))
        if action == "close":
            self._shown = None
            return ""
        if action not in ("explain", "run"):
            raise InputError(f"a catalog has no action {action!r}; choose from explain, run, where, close and export")
        self._query = str(given.get("query", "")).strip()
        if not self._query:
            raise InputError("write a query, such as SELECT * FROM a source LIMIT 10")
        self._answer, self._shown, self._plan = None, None, ""
        self._plan = self._connection.explain(self._query).to_text()
        if action == "explain":
            return "planned; only indexes were fetched"
        with self._progress.track("fetching pages"):
            self._answer = self._connection.sql(self._query, max_pages=self._max_pages, progress=self._progress.report)
        rows = count(self._answer.table.num_rows, "row")
        failed = f"; partial result: {count(len(self._answer.failures), 'page')} failed" * self._answer.is_partial
        return f"{rows} from {count(sum(self._answer.pages.values()), 'page')}{failed}"

    def find_gaps(self, number: int) -> list[str]:  # noqa: ARG002
        """Return nothing: an answer has all that its query asks for."""
        return []

    def _find_place(self, row: int, column: int, at: int) -> str:
        if self._answer is None:
            raise InputError("run a query first: there is no answer with values")
        found = self._answer.where(row, column)
        if not found.places:
            self._shown = ShownPlace(row, column, found, 0, None)
            return found.note
        at %= len(found.places)
        address = found.places[at].page
        if address not in self._opened:
            self.pages.append(self._open_page(address))
            self._opened[address] = len(self.pages) - 1
        self._shown = ShownPlace(row, column, found, at, self._opened[address])
        return found.note or found.places[at].node

    def _describe_place(self, shown: ShownPlace) -> dict[str, Any]:
        described = {"row": shown.row, "column": shown.column, "note": shown.found.note, "page": shown.page}
        if shown.page is None:
            return described
        page, place = self.pages[shown.page], shown.found.places[shown.at]
        here = [each for each in shown.found.places if each.page == place.page and each.node]
        nodes = {each.node: page.place_of(each.node) for each in here}
        return described | {
            "at": shown.at,
            "count": len(shown.found.places),
            "address": place.page,
            "node": place.node,
            "nodes": [{"node": node, "place": at} for node, at in nodes.items() if at is not None],
        }

    def _export(self, file: str, table: str) -> str:
        if self._answer is None:
            raise InputError("run a query first: there is no answer to save")
        if not file:
            raise InputError("name a file, such as answer.csv, answer.parquet or answer.duckdb")
        path = Path(file)
        store_table(self._answer.table, choose_format(path, None, is_terminal=False), path, table_name=table or None)
        return f"wrote {count(self._answer.table.num_rows, 'row')} to {file}"

    def _describe(self, row: Mapping[str, Any]) -> dict[str, Any]:
        name = str(row["name"])
        try:
            columns = self._connection.sql(f'DESCRIBE "{name}"').to_arrow().to_pylist()
        except WebquarryError as error:
            return {"name": name, "columns": [], "error": str(error)}
        return {"name": name, "columns": [{"name": each["column"], "type": each["type"]} for each in columns]}


def _to_number(given: object) -> int:
    if not isinstance(given, int):
        raise InputError("rows, columns and places are given by their numbers")
    return given


def _describe_answer(answer: Answer) -> dict[str, Any]:
    table = answer.table.slice(0, ROWS_SENT)
    columns = [[to_line(value) for value in list_values(column)] for column in table.columns]
    return {
        "columns": table.column_names,
        "rows": [list(row) for row in zip(*columns, strict=True)],
        "count": answer.table.num_rows,
        "failures": [failure.error for failure in answer.failures],
        "pages": dict(answer.pages),
    }
