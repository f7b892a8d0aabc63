"""Characters that XML 1.0 cannot hold, and those that it writes as references.

A form feed is white space in HTML and becomes a space, so that no two words grow together.
Every other control character, surrogate and non-character shows nothing and is left out.
"""

from __future__ import annotations

import re

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_CONTROLS = bytes([*range(9), 11, 12, *range(14, 32)])
_BEYOND_ASCII = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")  # U+FFFE and U+FFFF in UTF-8
_SEPARATOR = "\0"  # XML cannot hold it, so a text that has it loses nothing that could stay
_REFERENCES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}


def is_legal(text: str) -> bool:
    """True when XML can hold the text as it is.

    It looks at bytes, because that is several times faster than an expression.
    """
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        return False
    return len(encoded.translate(None, _CONTROLS)) == len(encoded) and not any(map(encoded.__contains__, _BEYOND_ASCII))


def legal_text(text: str) -> str:
    r"""The text without the characters that XML cannot hold.

    >>> legal_text("a\x0cb\x01c")
    'a bc'
    """
    if is_legal(text):
        return text
    return _ILLEGAL.sub(lambda match: " " if match[0] == "\x0c" else "", text)


def without_surrogates(text: str) -> str:
    r"""The text with U+FFFD for each surrogate that stands alone, as a decoder gives it.

    >>> without_surrogates("a\ud800b")
    'a\ufffdb'
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def legal_comment(text: str) -> str:
    """The text of a comment in the form that XML allows, and that HTML does not take for its end.

    It has no characters that XML cannot hold: leaving them out later could join two hyphens.

    >>> legal_comment("a---b-"), legal_comment("->")
    ('a- - -b- ', ' ->')
    """
    spaced = legal_text(text).replace("--", "- -").replace("--", "- -")
    start = " " if spaced.startswith((">", "->")) else ""
    return f"{start}{spaced} " if spaced.endswith("-") else start + spaced


def escape_texts(texts: list[str]) -> list[str]:
    """The texts as they stand in XML between tags.

    >>> escape_texts(["a<b", "&"])
    ['a&lt;b', '&amp;']
    """
    return _replace_in_all(texts, "&<>\r")


def escape_values(values: list[str]) -> list[str]:
    """The texts as they stand in XML between quotes; white space is kept by references."""
    return _replace_in_all(values, '&<>"\r\n\t')


def _replace_in_all(texts: list[str], characters: str) -> list[str]:
    """The texts with references for the characters: joined, replaced and divided, which is fastest."""
    if not texts:
        return []
    joined = _SEPARATOR.join(texts)
    if joined.count(_SEPARATOR) >= len(texts):
        joined = _SEPARATOR.join([text.replace(_SEPARATOR, "") for text in texts])
    for character in characters:
        joined = joined.replace(character, _REFERENCES[character])
    return joined.split(_SEPARATOR)
