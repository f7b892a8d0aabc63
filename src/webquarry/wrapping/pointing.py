"""Where on a page the headings of its sections stand."""

from __future__ import annotations

from webquarry.formats.trees import ColumnsTree
from webquarry.model import Document, Token, Wrapper
from webquarry.wrapping.ashish import extract_ashish
from webquarry.wrapping.parsing import Parser
from webquarry.wrapping.reading import Reader


def find_tokens(wrapper: Wrapper, document: Document) -> list[Token]:
    """The headings that start sections of the page, in their order.

    The paper's method goes by the markup and knows no node of a heading: there it is that of the section's text.
    """
    if wrapper.method == "ashish":
        return _find_ashish(wrapper, document)
    _, pieces = Reader(wrapper).read_pieces(ColumnsTree(document))
    traced = Parser(wrapper).trace(document, pieces)
    return [Token(pieces[place].text, pieces[place].node, token.level, path) for place, token, path in traced]


def _find_ashish(wrapper: Wrapper, document: Document) -> list[Token]:
    tokens = []
    for value in extract_ashish(wrapper, document).values:
        node = document.node(value.node)
        if node is not None:
            path = tuple(map(str, value.path))
            tokens.append(Token(str(value.headings[-1]), node, len(path), path))
    return tokens
