"""Characters that XML 1.0 cannot hold, and those that it writes as references.

A form feed is white space in HTML and becomes a space, so that no two words grow together.
Every other control character, surrogate and non-character shows nothing and is left out.
"""

from __future__ import annotations

import re

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_CONTROLS = bytes([*range(9), 11, 12, *range(14, 32)])
_REFERENCES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}

NULL = "\0"
"""XML cannot hold it, so what is written may have it as a mark until all is escaped together."""

QUOTE = f"{NULL}="
"""The mark of a quote inside a value; no name begins with the second character."""


def is_legal(text: str) -> bool:
    """True when XML can hold the text as it is.

    It looks for one byte after the other, because that is several times faster than an expression.
    """
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        return False
    return not any(map(encoded.__contains__, _CONTROLS)) and "\ufffe" not in text and "\uffff" not in text


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


def escape_text(text: str) -> str:
    """The text as it stands in XML between tags.

    >>> escape_text("a<b")
    'a&lt;b'
    """
    return _escape(text, "&<>\r")


def escape_value(value: str) -> str:
    """The text as it stands in XML between quotes; white space is kept by references."""
    return _escape(value, '&<>"\r\n\t')


def escape_quoted(written: str) -> str:
    """What stands between quotes of its own, as it stands in XML; quotes inside are `QUOTE`.

    >>> escape_quoted(f'title="a<{QUOTE}"')
    'title="a&lt;&quot;"'
    """
    return _escape(written, "&<>\r\n\t").replace(QUOTE, _REFERENCES['"'])


def _escape(text: str, characters: str) -> str:
    for character in characters:
        text = text.replace(character, _REFERENCES[character])
    return text
