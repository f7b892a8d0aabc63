"""Names of elements and attributes that every XML reader accepts, and the way back.

HTML allows nearly any character in a name (``@click``, ``a"b``, ``o:p``); XML does not, and
readers differ on letters beyond ASCII (expat follows the fourth edition, libxml2 the fifth).
A character that some reader refuses is written ``_xhhhh_``, its code point in hexadecimal, as
in SQL/XML (ISO 9075-14); an underscore that begins such a sequence by chance is written so too:

>>> encode_name("@click"), decode_name("_x0040_click")
('_x0040_click', '@click')
>>> encode_name("_x0040_"), decode_name("_x005f_x0040_")
('_x005f_x0040_', '_x0040_')

A prefixed name keeps its colon, because the emitter declares the prefix; any other colon is
encoded:

>>> encode_name("o:p"), encode_name(":class"), encode_name("fb:like:layout")
('o:p', '_x003a_class', 'fb:like_x003a_layout')
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256

MAX_NAME = 2_000
"""Characters of a written name.  libxml2 refuses names over 50,000; a longer one than ours is
cut and closed with a digest, the only change of a name that cannot be undone."""

_XML_ID = "xml:id"  # libxml2 refuses a document for one that is no name, or that another element has
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_HAZARD = re.compile(r"_(?=x[0-9a-f]{4}(?:[0-9a-f]{2})?_)|[^A-Za-z0-9_.-]")
_ENCODED = re.compile(r"_x([0-9a-f]{6}|[0-9a-f]{4})_")


@lru_cache(maxsize=4096)
def is_plain(name: str) -> bool:
    """True for a name that stands in XML as it is, without a prefix."""
    return len(name) <= MAX_NAME and _PLAIN.fullmatch(name) is not None and "_x" not in name


@lru_cache(maxsize=4096)
def encode_name(name: str) -> str:
    """The name in a form that is legal in XML and in XML namespaces."""
    prefix, colon, local = name.partition(":")
    if not (prefix and local) or prefix == "xmlns" or name == _XML_ID:
        prefix, colon, local = "", "", name
    encoded = (encode_local(prefix) if prefix else "") + colon + encode_local(local)
    if len(encoded) <= MAX_NAME:
        return encoded
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{encode_local(name[: MAX_NAME // 8]).replace(':', '_')}_{digest}"


def decode_name(name: str) -> str:
    """The name as it stood in HTML."""
    if "_x" not in name:
        return name
    return _ENCODED.sub(lambda match: _character(match[0], int(match[1], 16)), name)


def is_bound(name: str) -> bool:
    """True for a name with a prefix that XML, or the writer, declares by itself.

    >>> is_bound("xlink:href"), is_bound("xml:id"), is_bound("xml:a:b")
    (True, False, False)
    """
    prefix, _, local = name.partition(":")
    return prefix in ("xml", "xlink") and name != _XML_ID and is_plain(local)


def prefix_of(name: str) -> str:
    """The prefix of an encoded name, or nothing.

    >>> prefix_of("o:p"), prefix_of("p")
    ('o', '')
    """
    return name.partition(":")[0] if ":" in name else ""


def encode_local(part: str) -> str:
    """The name in a legal form that has no colon, as an id must be; it has at least one character.

    >>> encode_local("o:p")
    'o_x003a_p'
    """
    encoded = _HAZARD.sub(lambda match: f"_x{ord(match[0]):04x}_" if match[0] < "\U00010000" else _long(match[0]), part)
    first = encoded[0]
    return encoded if first.isalpha() or first == "_" else f"_x{ord(first):04x}_{encoded[1:]}"


def _long(character: str) -> str:
    return f"_x{ord(character):06x}_"


def _character(written: str, code: int) -> str:
    return chr(code) if code <= 0x10FFFF else written
