"""Clean with our method `cleandom`."""

from __future__ import annotations

import lxml.etree

from benchmarks.systems.lxml_xml import dump_tree
from benchmarks.systems.webquarry_html5 import version
from webquarry.cleaning import cleandom

TITLE = "webquarry, cleandom"
WRITES_XML = True
HAS_EXACT_TREE = False

__all__ = ["clean", "dump", "version"]


def clean(markup: str) -> str:
    return cleandom.clean_markup(markup)


def dump(markup: str) -> str:
    return dump_tree(lxml.etree.fromstring(clean(markup).encode()))
