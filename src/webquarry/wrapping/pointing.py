"""Where on a page the headings of its sections stand."""

from __future__ import annotations

from webquarry.model import Document, Token, Wrapper
from webquarry.wrapping.ashish import extract_ashish
from webquarry.wrapping.reading import Reader


def find_tokens(wrapper: Wrapper, document: Document) -> list[Token]:
    """The headings that start sections of the page, in their order.

    The paper's method goes by the markup and knows no node of a heading: there it is that of the section's text.
    """
    if wrapper.method != "ashish":
        return Reader(wrapper).find_tokens(document)
    return [
        Token(str(value.headings[-1]), document.node(value.node) or 0, len(value.path), tuple(map(str, value.path)))
        for value in extract_ashish(wrapper, document).values
    ]
