"""A browser, XML readers that are not ours, and both cleaning methods by name."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.parsers import expat

import lxml.etree
import pytest
from hypothesis import HealthCheck, settings

from webquarry.cleaning.cleandom import clean_markup
from webquarry.model.document import Document
from webquarry.rendering.browser import ADVICE, find_browser

# A machine that is busy with other work is slow, and no test is wrong for that.
sys.path.insert(0, str(Path(__file__).parents[1]))  # the benchmarks are not installed with the package
settings.register_profile("exploring", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The same examples each time, so that a change fails for what it does and not for the luck of its run; others are
# tried with `pytest --hypothesis-profile=exploring`.
settings.register_profile("busy", settings.get_profile("exploring"), derandomize=True, database=None)
settings.load_profile("busy")

NEEDS_BROWSER = pytest.mark.skipif(find_browser() is None, reason=f"no browser: {ADVICE}")
METHODS: dict[str, Callable[[str], str]] = {
    "html5": lambda markup: Document(markup).to_xhtml(),
    "cleandom": clean_markup,
}


def pytest_configure(config: pytest.Config) -> None:
    """Silence workers of pytest-xdist when they exit: DuckDB reports all that is still referenced then as leaked."""
    if hasattr(config, "workerinput"):
        atexit.register(os.dup2, os.open(os.devnull, os.O_WRONLY), 2)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what asks for a browser, by its fixture or its marker, where there is none."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()) or item.get_closest_marker("needs_browser"):
            item.add_marker(NEEDS_BROWSER)


@pytest.fixture(scope="session")
def browser() -> str:
    """The program to render with."""
    return str(find_browser())


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The address of a PostgreSQL database on a socket of its own."""
    from benchmarks.postgres_server import find_programs, running_server

    if find_programs() is None:
        pytest.skip("no PostgreSQL server is installed")
    with running_server() as address:
        yield address


def read_with_every_reader(xhtml: str) -> lxml.etree._Element:
    """The root as lxml reads it with its default limits, after expat has read it too, with namespaces and without."""
    content = xhtml.encode()
    for separator in (None, " "):
        expat.ParserCreate(namespace_separator=separator).Parse(content, True)
    return lxml.etree.fromstring(content)


@pytest.fixture(scope="session")
def read() -> Callable[[str], lxml.etree._Element]:
    return read_with_every_reader


@pytest.fixture(scope="session", params=METHODS)
def method(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="session")
def to_xhtml(method: str) -> Callable[[str], str]:
    """Markup to XHTML by one of the methods; a test that asks for it runs with each."""
    return METHODS[method]
