"""Parse with lxml's HTML parser (libxml2) and write HTML."""

from __future__ import annotations

import lxml.html

from benchmarks.systems.lxml_xml import dump, parse, version

TITLE = "lxml, as HTML"
WRITES_XML = False
HAS_EXACT_TREE = False

__all__ = ["clean", "dump", "version"]


def clean(markup: str) -> str:
    return lxml.html.tostring(parse(markup), encoding="unicode")
