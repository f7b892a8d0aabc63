"""Pages as samples, and wrappers learnt from them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from webquarry.model.document import Document
from webquarry.model.wrapper import Source, Wrapper
from webquarry.wrapping.ashish import wrap_ashish
from webquarry.wrapping.section_learner import learn_sections
from webquarry.wrapping.section_samples import Sample, read_samples


@pytest.fixture(scope="session")
def sample() -> Callable[..., list[Sample]]:
    return lambda *markups: read_samples([Document(markup) for markup in markups]).pages


@pytest.fixture(scope="session")
def learn() -> Callable[..., Wrapper]:
    return lambda *markups: learn_sections([Document(markup) for markup in markups], Source("book"))


PLACES = {
    "Arvo": ("north of Belm", "1,250", "1,210", "mild; wet winters", "88,120", "2.1%", "Ruth Ansell"),
    "Belm": ("between Arvo and Corin", "930", "900", "dry and hot", "51,004", "0.4%", "Ivo Brandt"),
    "Corin": ("south of Belm", "4,410", "4,300", "cold; much snow", "7,950", "1.7%", "Tome Avelar"),
}
NOTES = {"Arvo": "the total is of 1990", "Corin": "the islands are counted"}


def write_page(name: str) -> str:
    """A page in which `Size` is called `Extent` on one page, and the growth of the population is a field of its own."""
    location, total, land, climate, population, growth, chief = PLACES[name]
    note = f"<p><i>note:</i> {NOTES[name]}</p>" if name in NOTES else ""
    size = "Extent" if name == "Belm" else "Size"
    return (
        f"<html><body><h1>{name}</h1>"
        f"<h2>Geography</h2><p><b>Location:</b> {location}</p>"
        f"<p><b>{size}:</b></p><p><i>total:</i> {total} sq km</p><p><i>land:</i> {land} sq km</p>{note}"
        f"<p><b>Climate:</b> {climate}</p><p>Chief river of {name}</p><p>{name} Water, {total} km</p>"
        f"<h2>People</h2><p><b>Population:</b> {population}</p><p><b>Growth:</b> {growth}</p>"
        f"<p><b>Government:</b></p><p><i>chief:</i> {chief}</p><p><i>note:</i> elected for {len(name)} years</p>"
        f'<p><span class="small">Motto</span><br>{name} first</p>'
        "</body></html>"
    )


@pytest.fixture(scope="session")
def pages() -> list[Document]:
    """The sample pages."""
    return [Document(write_page(name), url=f"{name.lower()}.html") for name in PLACES]


@pytest.fixture(scope="session")
def book(pages: list[Document]) -> Wrapper:
    """The wrapper as it is learnt."""
    return learn_sections(pages, Source("book"))


@pytest.fixture(scope="session")
def paper_pages(pages: list[Document]) -> list[Document]:
    """The sample pages with a line for each heading: the paper's expressions do not look behind the end of a line."""
    return [Document(page.markup.replace("<p>", "\n<p>").replace("<h2>", "\n<h2>"), url=page.url) for page in pages]


@pytest.fixture(scope="session")
def paper_book(paper_pages: list[Document]) -> Wrapper:
    """The wrapper that the paper's method learns from the first page."""
    return wrap_ashish(paper_pages, name="book")
