"""Which namespace declarations a page may keep, and which prefixes we declare for it.

In HTML `xmlns:og="..."` is an attribute like any other and `og:title` a name with a colon in it;
in XML they have meaning, and a wrong one is a fatal error.  So declarations stand on the root
alone, each prefix with an address of its own; a prefix that the page left undeclared gets one of
ours, and a declaration that XML would refuse is kept under an encoded name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain

from turbohtml import Namespace

from webquarry.html.names import encode_local, encode_name, prefix_of

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
