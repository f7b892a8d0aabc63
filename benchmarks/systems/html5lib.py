"""Clean with html5lib, using all its options that bring the output closer to XML."""

from __future__ import annotations

import re
from importlib import metadata
from typing import Any
from xml.etree import ElementTree as ET

import html5lib

TITLE = "html5lib"
WRITES_XML = False
HAS_EXACT_TREE = True
_TREE = html5lib.treebuilders.getTreeBuilder("etree", ET, fullTree=True)
_OPTIONS: dict[str, Any] = {
    "quote_attr_values": "always",
    "minimize_boolean_attributes": False,
    "use_trailing_solidus": True,
    "omit_optional_tags": False,
    "escape_rcdata": True,
}
_INDENT = re.compile(r"^(?:\|  |(?=<!DOCTYPE ))", re.MULTILINE)


def version() -> str:
    return metadata.version("html5lib")


def clean(markup: str) -> str:
    written: str = html5lib.serialize(html5lib.parse(markup), tree="etree", **_OPTIONS)
    return written


def dump(markup: str) -> str:
    """Dump the tree by html5lib's test serialiser, adapted to the current format of html5lib-tests."""
    parser = html5lib.HTMLParser(tree=_TREE, namespaceHTMLElements=False)
    written = parser.tree.testSerializer(parser.parse(markup))
    return _INDENT.sub("| ", written.removeprefix("#document\n"))
