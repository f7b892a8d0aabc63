"""Markup as a list of tokens.

A token is a plain tuple, because a page has tens of thousands: what it is, the name of its element
(or its text), and its attributes.
"""

from __future__ import annotations

from enum import IntEnum

import turbohtml
from turbohtml import TokenType


class What(IntEnum):
    """What a token is."""

    OPEN = 0
    CLOSE = 1
    EMPTY = 2
    TEXT = 3
    COMMENT = 4


Attributes = tuple[tuple[str, str], ...]
Token = tuple[int, str, Attributes]

OPEN, CLOSE, EMPTY, TEXT, COMMENT = map(int, What)
VOID = frozenset(
    "area base basefont bgsound br col embed frame hr image img input isindex keygen link meta param source track "
    "wbr".split()
)
"""Elements that have no content, and so no closing tag."""

OPAQUE = frozenset(["script", "style"])
"""Elements whose content is no HTML.  Their tags always come in pairs."""

_START_TAG, _END_TAG, _TEXT, _COMMENT = TokenType.START_TAG, TokenType.END_TAG, TokenType.TEXT, TokenType.COMMENT


def read_tokens(markup: str) -> list[Token]:
    """The tags, texts and comments of the markup, in order.

    >>> read_tokens("<p class=a>x<br></p>")
    [(0, 'p', (('class', 'a'),)), (3, 'x', ()), (2, 'br', ()), (1, 'p', ())]
    """
    tokens: list[Token] = []
    opaque = ""
    for token in turbohtml.tokenize(markup):
        kind = token.type
        if kind == _TEXT:
            tokens.append((TEXT, token.data or "", ()))
        elif kind == _END_TAG:
            tag = token.tag or ""
            if tag not in VOID and (tag not in OPAQUE or tag == opaque):
                tokens.append((CLOSE, tag, ()))
            opaque = ""
        elif kind == _START_TAG:
            tag = token.tag or ""
            opaque = tag if tag in OPAQUE else ""
            what = EMPTY if tag in VOID or (token.self_closing and not opaque) else OPEN
            tokens.append((what, tag, tuple(token.attrs or ())))
        elif kind == _COMMENT:
            tokens.append((COMMENT, token.data or "", ()))
        elif kind == TokenType.PROCESSING_INSTRUCTION:
            tokens.append((COMMENT, f"?{token.target} {token.data}?", ()))
    return [*tokens, (CLOSE, opaque, ())] if opaque else tokens
