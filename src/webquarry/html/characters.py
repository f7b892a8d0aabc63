"""Characters that XML 1.0 cannot hold.

A form feed is white space in HTML and becomes a space, so that no two words grow together.
Every other control character, surrogate and non-character shows nothing and is left out.
"""

from __future__ import annotations

import re

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def legal_text(text: str) -> str:
    r"""The text without the characters that XML cannot hold.

    >>> legal_text("a\x0cb\x01c")
    'a bc'
    """
    return _ILLEGAL.sub(lambda match: " " if match[0] == "\x0c" else "", text)
