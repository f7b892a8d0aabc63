"""Open pages for the workbench: rendered, with the resources that their frames need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial

from webquarry.html.urls import IMAGE_ATTRIBUTES
from webquarry.mining.wanted_list import find_innermost
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.pipeline.fetch_pages import clean, decode
from webquarry.pipeline.page_guard import attempt
from webquarry.pipeline.render_pages import RenderOptions, open_renderer
from webquarry.rendering.renderer import Renderer
from webquarry.rendering.requests import Responder, ShownPage
from webquarry.workbench.page_frame import ElementNumbers, PageFrame

MAX_EXAMPLE = 200
"""Characters of a text that was clicked, as an example."""


@dataclass(frozen=True)
class OpenedPage:
    """A page on the workbench: as it was fetched, as a document, and as a frame."""

    page: Page
    document: Document
    """Rendered if there is a browser."""
    shown: ShownPage
    place: str
    """Where its resources are on our server."""

    @cached_property
    def static(self) -> Document:
        """The page without a browser, by which most wrappers read it."""
        return clean(self.page)

    @cached_property
    def frame(self) -> PageFrame:
        """The markup and resources of its frame."""
        return PageFrame(self.shown, self.place)

    @cached_property
    def numbers(self) -> ElementNumbers:
        """The places of its nodes in the frame."""
        return ElementNumbers(self.document)

    @property
    def title(self) -> str:
        """A short name for a list of pages: the end of its address."""
        return self.page.url.rstrip("/").rpartition("/")[2] or self.page.url

    def node(self, xpath: str) -> int | None:
        """Find the node at an XPath; of a value in a script element, its element."""
        return self.document.node(xpath.partition("#")[0])

    @cached_property
    def _places(self) -> dict[str, list[int] | None]:
        return {}

    def place_of(self, xpath: str) -> list[int] | None:
        """Return the place in the frame of the node at an XPath; cached, as every correction asks for most of them."""
        if xpath not in self._places:
            node = self.node(xpath)
            self._places[xpath] = None if node is None else self.numbers.place(node)
        return self._places[xpath]

    def describe_element(self, number: int) -> dict[str, str]:
        """Describe what was clicked: its text or the address of its image, and words that are nowhere else."""
        document, node = self.document, self.numbers.node(number)
        own = document.attributes[node]
        written = next((own[name] for name in IMAGE_ATTRIBUTES if own.get(name)), "")
        text = _text_of(document, node) or document.attributes[node].get("alt", "")
        while not text and node > 0:
            node = document.parents.item(node)
            text = _text_of(document, node)
        words = text
        while node > 0 and len(find_innermost(document, words)) > 1:
            node = document.parents.item(node)
            words = _text_of(document, node)
        is_address = document.tag(self.numbers.node(number)) == "img" and written and not written.startswith("data:")
        return {"text": written if is_address else text[:MAX_EXAMPLE], "words": words[:MAX_EXAMPLE]}


def _text_of(document: Document, node: int) -> str:
    return " ".join(document.text(node).split())


class PageOpener:
    """Opens page after page, rendered in one browser; without a browser by their markup alone."""

    def __init__(self, renderer: Renderer | None) -> None:
        self._renderer = renderer
        self._count = 0

    @property
    def has_browser(self) -> bool:
        """True if pages are rendered."""
        return self._renderer is not None

    def open(self, page: Page) -> OpenedPage | Failure:
        """Open a page; one that cannot be rendered becomes a failure."""
        place = f"/resources/{self._count}"
        opened = attempt(page.url, partial(self._open, page, place))
        if not isinstance(opened, Failure):
            self._count += 1
        return opened

    def shoot(self, opened: OpenedPage) -> bytes | None:
        """Take a picture of a page, as PNG; None without a browser."""
        if self._renderer is None:
            return None
        return self._renderer.shoot(opened.page, decode(opened.page))[1]

    def _open(self, page: Page, place: str) -> OpenedPage:
        if self._renderer is not None:
            document, shown = self._renderer.render_with_resources(page, decode(page))
            return OpenedPage(page, document, shown, place)
        return OpenedPage(page, clean(page), Responder(page, decode(page)).shown(), place)


@contextmanager
def open_opener(options: RenderOptions, *, rendered: bool) -> Iterator[PageOpener]:
    """Start a browser if pages are to be rendered; options are those of `render`."""
    if not rendered:
        yield PageOpener(None)
        return
    with open_renderer(options) as renderer:
        yield PageOpener(renderer)
