"""Time a join of three sources, each keyed by a nested field of the one before, on a server with a delay.

The baseline is a loop that fetches page after page over one connection and reads them by the same wrappers.
"""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote, urlsplit

import webquarry as wq
from benchmarks.findings import Finding
from benchmarks.queries.catalogs import Workplace, open_workplace
from benchmarks.queries.server import PageServer, serve
from benchmarks.queries.timing import measure
from webquarry.model.page import Page
from webquarry.model.wrapper import Wrapper
from webquarry.wrapping.section_reader import Reader

DELAY = 0.02
"""Seconds that the server waits before each response."""
LENGTH = 24
"""Pages of each source."""
SAMPLES = 5
QUERY = (
    "SELECT c.country, p.life.born FROM countries c JOIN cities t ON t.city = c.government.capital"
    " JOIN persons p ON p.person = t.administration.mayor"
)
_PAGE = """<html><head><title>{title}</title></head><body><h1>{title}</h1>
<h2>{first}</h2><p><b>{label}:</b> {value}</p><p><b>Remark:</b> the {number}th of its kind, as of {year}</p>
<h2>{second}</h2><p><b>Size:</b> {number},500</p><p><b>Found in:</b> {year}</p></body></html>
"""
_OURS, _LOOP = "webquarry", "loop"


@dataclass(frozen=True)
class Link:
    """A source of the chain."""

    name: str
    key: str
    first: str
    """The section with the field that leads to the next source."""
    label: str
    second: str


CHAIN = (
    Link("countries", "country", "Government", "Capital", "Geography"),
    Link("cities", "city", "Administration", "Mayor", "People"),
    Link("persons", "person", "Life", "Born", "Works"),
)


def run_chain(root: Path, count: int | None = None) -> Finding:  # noqa: ARG001 - as all parts
    """Measure the chain on generated pages; `count` is ignored, because few pages leave nothing to parallelise."""
    length = LENGTH
    pages = {path: body for link in CHAIN for path, body in _make_pages(link, length)}
    index = "country\n" + "".join(f"{_name(CHAIN[0], number)}\n" for number in range(length))
    with serve({**pages, "/index.csv": index.encode()}, delay=DELAY) as server, open_workplace() as workplace:
        wrappers = [_learn(link, server.address, pages) for link in CHAIN]
        for wrapper in wrappers:
            workplace.add(wrapper)
        fetched, rows = _count(server, workplace)
        loop = sorted(_go_page_by_page(server.address, wrappers, length))
        costs = measure(
            {
                _OURS: partial(workplace.sql, QUERY),
                _LOOP: lambda: list(_go_page_by_page(server.address, wrappers, length)),
            },
            "a chain of three sources",
        )
    ratio = costs[_OURS].wall / costs[_LOOP].wall
    return Finding(
        title="A chain of three sources",
        note=f"{length} pages of each source; the server waits {DELAY * 1000:.0f} ms before each response. Wall time.",
        heads=("", "pages", "rows", "time to the loop", "time in server delays"),
        rows=[
            ["one query", str(fetched), str(len(rows)), f"{ratio:.2f}", f"{costs[_OURS].wall / DELAY:.0f}"],
            ["page by page", str(3 * length), str(len(loop)), "1.00", f"{costs[_LOOP].wall / DELAY:.0f}"],
        ],
        figures={
            "chain, pages beyond the least": fetched - 3 * length,
            "chain, rows that are wrong": len(set(rows) ^ set(loop)),
            "chain, by the clock to a loop": ratio,
        },
    )


def _name(link: Link, number: int) -> str:
    return f"{link.key.title()} {chr(ord('A') + number % 26)}{number}"


def _make_pages(link: Link, length: int) -> Iterator[tuple[str, bytes]]:
    """Generate the pages of a source; they link to the next source in another order, so no page can be guessed."""
    after = next((each for before, each in pairwise(CHAIN) if before is link), None)
    for number in range(length):
        year = 1900 + number
        value = _name(after, length - 1 - number) if after else f"by the river of {_name(link, number)}"
        page = _PAGE.format(
            title=_name(link, number),
            first=link.first,
            label=link.label,
            value=value,
            second=link.second,
            number=number + 3,
            year=year,
        )
        yield f"/{link.name}/{quote(_name(link, number))}.html", page.encode()


def _learn(link: Link, address: str, pages: dict[str, bytes]) -> Wrapper:
    samples = [(path, body) for path, body in pages.items() if path.startswith(f"/{link.name}/")][:SAMPLES]
    documents = [wq.clean(Page(f"{address}{path[1:]}", body)) for path, body in samples]
    wrapper = wq.wrap(
        documents, name=link.name, kind="sections", base=address, pages=f"{link.name}/{{{link.key}}}.html", key=link.key
    )
    if link is not CHAIN[0]:
        return wrapper
    return replace(wrapper, source=replace(wrapper.source, index_file="index.csv"))


def _count(server: PageServer, workplace: Workplace) -> tuple[int, list[tuple[str, ...]]]:
    server.take_counts()
    rows = workplace.sql(QUERY).table.to_pylist()
    counts = server.take_counts()
    return sum(number for path, number in counts.items() if path.endswith(".html")), [
        tuple(row.values()) for row in rows
    ]


def _go_page_by_page(address: str, wrappers: list[Wrapper], length: int) -> Iterator[tuple[str, ...]]:
    readers = [Reader(wrapper) for wrapper in wrappers]
    with closing(http.client.HTTPConnection(urlsplit(address).netloc)) as connection:
        for number in range(length):
            key = country = _name(CHAIN[0], number)
            for link, reader in zip(CHAIN, readers, strict=True):
                connection.request("GET", f"/{link.name}/{quote(key)}.html")
                page = Page(address, connection.getresponse().read())
                key = reader.read(wq.clean(page)).record[link.first][link.label]
            yield country, key
