"""Encode names, declarations and characters so that every XML reader accepts them.

HTML allows nearly any character in a name (``@click``, ``a"b``, ``o:p``); XML does not, and readers differ on letters
beyond ASCII (expat follows the fourth edition, libxml2 the fifth). A character that some reader refuses is written
``_xhhhh_``, its code point in hexadecimal, as in SQL/XML (ISO 9075-14), and so is an underscore that begins such a
sequence by chance:

>>> encode_name("@click"), decode_name("_x0040_click")
('_x0040_click', '@click')
>>> encode_name("_x0040_"), decode_name("_x005f_x0040_")
('_x005f_x0040_', '_x0040_')

A prefixed name keeps its colon, because the writer declares the prefix; any other colon is encoded:

>>> encode_name("o:p"), encode_name(":class"), encode_name("fb:like:layout")
('o:p', '_x003a_class', 'fb:like_x003a_layout')

In HTML `xmlns:og="..."` is an attribute like any other; in XML a wrong declaration is a fatal error. So only the root
has declarations, each prefix with an address of its own. A prefix that the page left undeclared gets one of ours, and a
declaration that XML would refuse is kept under an encoded name.

Of characters that XML 1.0 cannot hold, a form feed becomes a space, so that no two words grow together. All other
control characters, surrogates and noncharacters are invisible and left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from itertools import chain

from turbohtml import Namespace

MAX_NAME = 2_000
"""Characters of a written name. libxml2 refuses names over 50,000; a longer one than ours is cut and closed with a
digest, the only change of a name that cannot be undone."""

_XML_ID = "xml:id"  # libxml2 refuses a document with one that is not a name, or not unique
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_HAZARD = re.compile(r"_(?=x[0-9a-f]{4}(?:[0-9a-f]{2})?_)|[^A-Za-z0-9_.-]")
_ENCODED = re.compile(r"_x([0-9a-f]{6}|[0-9a-f]{4})_")


@lru_cache(maxsize=4096)
def is_plain(name: str) -> bool:
    """Tell whether XML accepts a name as it is, without a prefix."""
    return len(name) <= MAX_NAME and _PLAIN.fullmatch(name) is not None and "_x" not in name


@lru_cache(maxsize=4096)
def encode_name(name: str) -> str:
    """Encode a name so that it is legal in XML and in XML namespaces."""
    prefix, colon, local = name.partition(":")
    if not (prefix and local) or prefix == "xmlns" or name == _XML_ID:
        prefix, colon, local = "", "", name
    encoded = (encode_local(prefix) if prefix else "") + colon + encode_local(local)
    if len(encoded) <= MAX_NAME:
        return encoded
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{encode_local(name[: MAX_NAME // 8]).replace(':', '_')}_{digest}"


def decode_name(name: str) -> str:
    """Restore the name that HTML had."""
    if "_x" not in name:
        return name
    return _ENCODED.sub(lambda match: _character(match[0], int(match[1], 16)), name)


def is_bound(name: str) -> bool:
    """Tell whether the prefix of a name is declared by XML or by the writer.

    >>> is_bound("xlink:href"), is_bound("xml:id"), is_bound("xml:a:b")
    (True, False, False)
    """
    prefix, _, local = name.partition(":")
    return prefix in ("xml", "xlink") and name != _XML_ID and is_plain(local)


def prefix_of(name: str) -> str:
    """Return the prefix of an encoded name, or nothing.

    >>> prefix_of("o:p"), prefix_of("p")
    ('o', '')
    """
    return name.partition(":")[0] if ":" in name else ""


def encode_local(part: str) -> str:
    """Encode a name of at least one character without a colon, as an id must be.

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


XHTML = "http://www.w3.org/1999/xhtml"
SVG = "http://www.w3.org/2000/svg"
MATHML = "http://www.w3.org/1998/Math/MathML"
XLINK = "http://www.w3.org/1999/xlink"

NAMESPACE_OF = {Namespace.HTML: XHTML, Namespace.SVG: SVG, Namespace.MATHML: MATHML}

UNDECLARED = "urn:webquarry:prefix:"
"""Start of the address of a prefix that the page does not declare."""

DECLARABLE = frozenset([("xmlns", XHTML), ("xmlns", SVG), ("xmlns", MATHML), ("xmlns:xlink", XLINK)])
"""Declarations that any element may have."""

_BOUND = {"xml": "http://www.w3.org/XML/1998/namespace", "xmlns": "http://www.w3.org/2000/xmlns/", "xlink": XLINK}
# Narrower than RFC 3986: libxml2 refuses a document for a namespace that it does not take for a URI.
_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]*:(?://[a-z0-9.-]+(?::[0-9]{1,5})?(?=[/?#]|$)|(?!//))[a-z0-9/_.~?=&;,:@!$*+-]*(?:#[a-z0-9/_.~-]*)?",
    re.IGNORECASE | re.ASCII,
)


def encode_declaration(name: str) -> str:
    """Encode the name of a declaration so that it declares nothing.

    >>> encode_declaration("xmlns"), encode_declaration("xmlns:o")
    ('_x0078_mlns', 'xmlns_x003a_o')
    """
    return "_x0078_mlns" if name == "xmlns" else encode_local(name)


def declare_prefixes(attributes: Mapping[str, str], used: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the attributes of a root that declares XHTML, and declarations of the other prefixes of the used names.

    `xlink` is declared for the root alone; callers that write elements declare it for them.

    >>> declare_prefixes({"xmlns:og": "http://ogp.me/ns#", "xmlns:x": ""}, used=["og:title", "o:p"])
    ... # doctest: +NORMALIZE_WHITESPACE
    ({'xmlns': 'http://www.w3.org/1999/xhtml', 'xmlns:og': 'http://ogp.me/ns#', 'xmlns_x003a_x': ''},
     {'xmlns:o': 'urn:webquarry:prefix:o'})
    """
    declared = {"xmlns": XHTML}
    addresses = set(_BOUND.values())
    for name, value in attributes.items():
        prefix = name.removeprefix("xmlns:")
        if name == "xmlns":
            continue
        if prefix == name:
            declared[encode_name(name)] = value
        elif (prefix, value) == ("xlink", XLINK):
            declared[name] = value
        elif prefix not in _BOUND and value not in addresses and is_declarable(prefix, value):
            declared[name] = value
            addresses.add(value)
        else:
            declared[encode_declaration(name)] = value
    if any(name.startswith("xlink:") for name in declared):
        declared["xmlns:xlink"] = XLINK
    prefixes = sorted({prefix_of(name) for name in chain(used, declared)} - {"", *_BOUND})
    return declared, {f"xmlns:{each}": UNDECLARED + each for each in prefixes if f"xmlns:{each}" not in declared}


def is_declarable(prefix: str, address: str) -> bool:
    """Tell whether XML readers accept the declaration of the prefix."""
    return prefix != "" and encode_local(prefix) == prefix and _ADDRESS.fullmatch(address) is not None


_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_CONTROLS = bytes([*range(9), 11, 12, *range(14, 32)])
_REFERENCES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}

NULL = "\0"
"""A mark within the output until all is escaped together; XML cannot hold it."""

QUOTE = f"{NULL}="
"""Mark of a quote inside a value; no name begins with the second character."""


def is_legal(text: str) -> bool:
    """Tell whether XML can hold the text as it is.

    Searching for one byte after the other is several times faster than an expression.
    """
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        return False
    return not any(map(encoded.__contains__, _CONTROLS)) and "\ufffe" not in text and "\uffff" not in text


def legal_text(text: str) -> str:
    r"""Remove the characters that XML cannot hold.

    >>> legal_text("a\x0cb\x01c")
    'a bc'
    """
    if is_legal(text):
        return text
    return _ILLEGAL.sub(lambda match: " " if match[0] == "\x0c" else "", text)


def without_surrogates(text: str) -> str:
    r"""Replace each lone surrogate by U+FFFD, as a decoder does.

    >>> without_surrogates("a\ud800b")
    'a\ufffdb'
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def legal_comment(text: str) -> str:
    """Write the text of a comment so that XML allows it and HTML does not end it early.

    Illegal characters are removed first: removing them later could join two hyphens.

    >>> legal_comment("a---b-"), legal_comment("->")
    ('a- - -b- ', ' ->')
    """
    spaced = legal_text(text).replace("--", "- -").replace("--", "- -")
    start = " " if spaced.startswith((">", "->")) else ""
    return f"{start}{spaced} " if spaced.endswith("-") else start + spaced


def escape_text(text: str) -> str:
    """Escape text between tags.

    >>> escape_text("a<b")
    'a&lt;b'
    """
    return _escape(text, "&<>\r")


def escape_value(value: str) -> str:
    """Escape an attribute value; references keep its white space."""
    return _escape(value, '&<>"\r\n\t')


def escape_quoted(written: str) -> str:
    """Escape attributes with their quotes; quotes inside of values are `QUOTE`.

    >>> escape_quoted(f'title="a<{QUOTE}"')
    'title="a&lt;&quot;"'
    """
    return _escape(written, "&<>\r\n\t").replace(QUOTE, _REFERENCES['"'])


def _escape(text: str, characters: str) -> str:
    for character in characters:
        text = text.replace(character, _REFERENCES[character])
    return text
