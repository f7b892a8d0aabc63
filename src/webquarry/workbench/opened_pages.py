"""Open pages for the workbench: rendered, and in a frame that can do nothing.

The frame has the markup of a page with the resources that it was rendered with, and no others; no scripts, no network
and no forms (see `FRAME_POLICY`).  Only attributes and style sheets are changed, so the n-th element of the frame is
the n-th element of the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any
from urllib.parse import urldefrag, urljoin

import numpy as np
from turbohtml.rewrite import Element, rewrite

from webquarry.html.columns import Kind
from webquarry.html.urls import IMAGE_ATTRIBUTES
from webquarry.mining.listing_choice import find_innermost
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.pipeline.fetch_pages import clean, decode
from webquarry.pipeline.page_guard import attempt
from webquarry.pipeline.render_pages import RenderOptions, open_renderer
from webquarry.rendering.renderer import Renderer
from webquarry.rendering.requests import Answer, Responder, ShownPage

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


FRAME_POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin"
)
"""The Content-Security-Policy of a frame: no scripts, no requests except for its own resources, no navigation."""
RESOURCE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""The policy of resources, for those that are opened by themselves, such as SVG images."""

NOTHING = "data:,"
"""The address of an empty resource."""

_URL_ATTRIBUTES = ("src", "href", "xlink:href", "poster", "background", "data")
_LINKING_TAGS = frozenset(["a", "area", "base", "form"])
"""Elements whose addresses lead away and are left alone: nothing can be clicked in a frame."""
_CSS_URL = re.compile(r"""url\(\s*(?:"([^"\n]{0,4000})"|'([^'\n]{0,4000})'|([^)"'\s]{0,4000}))\s*\)""", re.IGNORECASE)
_CSS_IMPORT = re.compile(r"""@import\s+(?:"([^"\n]{0,4000})"|'([^'\n]{0,4000})')""", re.IGNORECASE)
_SHOWN_TYPES = (
    "text/css",
    "image/",
    "font/",
    "application/font",
    "application/x-font",
    "application/vnd.ms-fontobject",
)
_BASE = re.compile(r"<base\b[^>]*?\bhref\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.IGNORECASE)


class PageFrame:
    """The markup of a page for the frame, and the resources it may load below `place`."""

    def __init__(self, shown: ShownPage, place: str) -> None:
        self._answers = shown.answers
        self._place = place.rstrip("/")
        self._addresses: list[str] = []
        self._numbers: dict[str, int] = {}
        stated = _BASE.search(shown.markup)
        base = urljoin(shown.address, next(filter(None, stated.groups()), "")) if stated else shown.address
        self.markup = self._rewrite(shown.markup, base)

    def resource(self, number: int) -> Answer | None:
        """Return a resource by its number; style sheets refer to other resources by numbers too."""
        if not 0 <= number < len(self._addresses):
            return None
        address = self._addresses[number]
        answer = self._answers[address]
        if not answer.content_type.lower().startswith(_SHOWN_TYPES):
            return None
        if not answer.content_type.lower().startswith("text/css"):
            return answer
        sheet = self._rewrite_css(answer.body.decode("utf-8", "replace"), address)
        return Answer(sheet.encode(), "text/css; charset=utf-8")

    def _rewrite(self, markup: str, base: str) -> str:
        inside = ""

        def rewrite_element(element: Element) -> None:
            nonlocal inside
            tag = inside = element.tag
            if tag == "meta":
                element.remove_attribute("http-equiv")  # a policy or refresh of the page is not ours
                return
            for name in _URL_ATTRIBUTES:
                written = element.get(name)
                if written and tag not in _LINKING_TAGS:
                    element.set_attribute(name, self._replace(written, base))
            if sources := element.get("srcset"):
                element.set_attribute("srcset", self._rewrite_sources(sources, base))
            if style := element.get("style"):
                element.set_attribute("style", self._rewrite_css(style, base))

        def rewrite_text(text: Element) -> None:
            if inside == "style":
                text.set_text(self._rewrite_css(text.text, base))
            elif inside == "noscript":  # a frame without scripts shows what tokens have as plain text
                text.set_text(self._rewrite(text.text, base))

        return rewrite(markup, elements=[("*", rewrite_element)], text=rewrite_text)

    def _rewrite_sources(self, sources: str, base: str) -> str:
        parts = [part.strip().split(None, 1) for part in sources.split(", ")]
        return ", ".join(" ".join([self._replace(part[0], base), *part[1:]]) for part in parts if part)

    def _rewrite_css(self, css: str, base: str) -> str:
        def replace(found: re.Match[str]) -> str:
            written = next((group for group in found.groups() if group is not None), "")
            start = "@import " if found[0].lower().startswith("@import") else ""
            return f'{start}url("{self._replace(written, base)}")'

        return _CSS_IMPORT.sub(replace, _CSS_URL.sub(replace, css))

    def _replace(self, written: str, base: str) -> str:
        """Return the place of a resource on our server; one that is not there is not even asked for."""
        if written.startswith(("data:", "#", self._place)):
            return written
        try:
            address, fragment = urldefrag(urljoin(base, written.strip()))
        except ValueError:
            return NOTHING
        if address not in self._answers:
            return NOTHING
        if address not in self._numbers:
            self._numbers[address] = len(self._addresses)
            self._addresses.append(address)
        return f"{self._place}/{self._numbers[address]}" + (f"#{fragment}" if fragment else "")


class ElementNumbers:
    """Translates nodes of a document to places in the frame.

    A place is the number of an element in document order, and for a text the number of the child that it is.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._elements = np.flatnonzero(document.kinds == Kind.ELEMENT)
        self._is_element: list[bool] = (document.kinds == Kind.ELEMENT).tolist()
        self._numbers: list[int] = (np.cumsum(document.kinds == Kind.ELEMENT) - 1).tolist()
        self._parents: list[int] = document.parents.tolist()
        self._ends: list[int] = document.ends.tolist()

    @property
    def tags(self) -> str:
        """The names of all elements in document order, by which a browser checks that it has the same tree."""
        return " ".join(self._document.tag(node) for node in self._elements.tolist())

    def place(self, node: int) -> list[int]:
        """Return the place of a node."""
        if self._is_element[node]:
            return [self._numbers[node]]
        parent = self._parents[node]
        child, number = parent + 1, 0
        while child < node:
            child, number = self._ends[child], number + 1
        return [self._numbers[parent], number]

    def node(self, number: int) -> int:
        """Return the node of an element by its number."""
        return int(self._elements[number])

    def has(self, number: int) -> bool:
        """Tell whether there is an element of this number."""
        return 0 <= number < len(self._elements)

    def count_before(self, node: int) -> int:
        """Count the elements before a node, which may be the one after the last."""
        return self._numbers[node - 1] + 1 if node else 0

    def describe_boxes(self) -> dict[str, Any]:
        """Describe where elements and texts are on the picture of a page, for a browser that has no frame of it."""
        document, layout = self._document, self._document.layout
        if layout is None:
            return {"width": 0, "elements": [], "texts": []}
        boxes = np.rint(np.nan_to_num(layout.boxes)).astype(int).tolist()  # what is not shown has no box
        is_text = document.kinds == Kind.TEXT
        return {
            "width": int(layout.width),
            "elements": [[*boxes[node], self._number_of_parent(node)] for node in self._elements.tolist()],
            "texts": [
                [*self.place(node), boxes[node], " ".join(document.texts[node].split())]
                for node in np.flatnonzero(is_text & ~document.hidden).tolist()
                if not document.texts[node].isspace()
            ],
        }

    def _number_of_parent(self, node: int) -> int:
        parent = self._parents[node]
        return self._numbers[parent] if parent >= 0 else -1
