"""The default cleaning: the tree of the HTML standard, which is the tree that browsers build."""

from __future__ import annotations

from webquarry.cleaning.markup import read_markup
from webquarry.model import Document, Page


def clean_html5(page: Page) -> Document:
    """The document that a browser would build from the page."""
    return Document(read_markup(page), method="html5", url=page.url)
