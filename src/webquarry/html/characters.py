"""Characters that XML 1.0 cannot hold, and those that it writes as references.

A form feed is white space in HTML and becomes a space, so that no two words grow together.
Every other control character, surrogate and non-character shows nothing and is left out.
"""

from __future__ import annotations

import re

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_CONTROLS = bytes([*range(9), 11, 12, *range(14, 32)])
_BEYOND_ASCII = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")  # U+FFFE and U+FFFF in UTF-8
_MARKUP = re.compile(r"[&<>\r]")
_QUOTED_MARKUP = re.compile(r"[&<>\"\r\n\t]")
_REFERENCES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}


def legal_text(text: str) -> str:
    r"""The text without the characters that XML cannot hold.

    >>> legal_text("a\x0cb\x01c")
    'a bc'
    """
    if _is_legal(text):
        return text
    return _ILLEGAL.sub(lambda match: " " if match[0] == "\x0c" else "", text)


def legal_comment(text: str) -> str:
    """The text of a comment in the form that XML allows, and that HTML does not take for its end.

    >>> legal_comment("a---b-"), legal_comment("->")
    ('a- - -b- ', ' ->')
    """
    spaced = text.replace("--", "- -").replace("--", "- -")
    start = " " if spaced.startswith((">", "->")) else ""
    return f"{start}{spaced} " if spaced.endswith("-") else start + spaced


def escape_text(text: str) -> str:
    """The text as it stands in XML between tags."""
    return _MARKUP.sub(lambda match: _REFERENCES[match[0]], text)


def escape_value(value: str) -> str:
    """The text as it stands in XML between quotes; white space is kept by references."""
    return _QUOTED_MARKUP.sub(lambda match: _REFERENCES[match[0]], value)


def _is_legal(text: str) -> bool:
    """True when the text needs no change; on bytes, because that is ten times faster than by expression."""
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        return False
    return len(encoded.translate(None, _CONTROLS)) == len(encoded) and not any(map(encoded.__contains__, _BEYOND_ASCII))
