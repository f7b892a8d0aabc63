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
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from itertools import chain

from turbohtml import Namespace

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


# MERGED html/namespaces: Which namespace declarations a page may keep, and which prefixes we declare for it.
# MERGED
# MERGED In HTML `xmlns:og="..."` is an attribute like any other and `og:title` a name with a colon in it;
# MERGED in XML they have meaning, and a wrong one is a fatal error.  So declarations stand on the root
# MERGED alone, each prefix with an address of its own; a prefix that the page left undeclared gets one of
# MERGED ours, and a declaration that XML would refuse is kept under an encoded name.
XHTML = "http://www.w3.org/1999/xhtml"
SVG = "http://www.w3.org/2000/svg"
MATHML = "http://www.w3.org/1998/Math/MathML"
XLINK = "http://www.w3.org/1999/xlink"

NAMESPACE_OF = {Namespace.HTML: XHTML, Namespace.SVG: SVG, Namespace.MATHML: MATHML}

UNDECLARED = "urn:webquarry:prefix:"
"""What the address of a prefix begins with that the page used without declaring it."""

DECLARABLE = frozenset([("xmlns", XHTML), ("xmlns", SVG), ("xmlns", MATHML), ("xmlns:xlink", XLINK)])
"""Declarations that may stand on any element."""

_BOUND = {"xml": "http://www.w3.org/XML/1998/namespace", "xmlns": "http://www.w3.org/2000/xmlns/", "xlink": XLINK}
# narrower than RFC 3986, because libxml2 refuses a document for a namespace that it does not take for a URI
_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]*:(?://[a-z0-9.-]+(?::[0-9]{1,5})?(?=[/?#]|$)|(?!//))[a-z0-9/_.~?=&;,:@!$*+-]*(?:#[a-z0-9/_.~-]*)?",
    re.IGNORECASE | re.ASCII,
)


def encode_declaration(name: str) -> str:
    """The name of a declaration in a form without meaning, and still reversible.

    >>> encode_declaration("xmlns"), encode_declaration("xmlns:o")
    ('_x0078_mlns', 'xmlns_x003a_o')
    """
    return "_x0078_mlns" if name == "xmlns" else encode_local(name)


def declare_prefixes(attributes: Mapping[str, str], used: Iterable[str]) -> dict[str, str]:
    """The attributes of a root that declares the XHTML namespace and every prefix of the used names.

    `xlink` is declared for the root alone; whoever writes elements declares it for them.

    >>> declare_prefixes({"xmlns:og": "http://ogp.me/ns#", "xmlns:x": ""}, used=["og:title", "o:p"])
    ... # doctest: +NORMALIZE_WHITESPACE
    {'xmlns': 'http://www.w3.org/1999/xhtml', 'xmlns:og': 'http://ogp.me/ns#', 'xmlns_x003a_x': '',
     'xmlns:o': 'urn:webquarry:prefix:o'}
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
    for prefix in sorted({prefix_of(name) for name in chain(used, declared)} - {"", *_BOUND}):
        declared.setdefault(f"xmlns:{prefix}", UNDECLARED + prefix)
    return declared


def is_declarable(prefix: str, address: str) -> bool:
    """True when XML readers accept the declaration of the prefix without a word."""
    return prefix != "" and encode_local(prefix) == prefix and _ADDRESS.fullmatch(address) is not None


# MERGED html/characters: Characters that XML 1.0 cannot hold, and those that it writes as references.
# MERGED
# MERGED A form feed is white space in HTML and becomes a space, so that no two words grow together.
# MERGED Every other control character, surrogate and non-character shows nothing and is left out.
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
