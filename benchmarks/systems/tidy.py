"""Clean with HTML Tidy (pytidylib), set to write XHTML and change nothing else."""

from __future__ import annotations

import ctypes
from importlib import metadata

import lxml.etree
from tidylib import Tidy  # type: ignore[import-untyped]

from benchmarks.systems.lxml_xml import dump_tree

TITLE = "HTML Tidy"
WRITES_XML = True
HAS_EXACT_TREE = False
_TIDY = Tidy()
_OPTIONS = {
    "output-xhtml": 1,
    "force-output": 1,
    "numeric-entities": 1,
    "drop-empty-elements": 0,
    "drop-empty-paras": 0,
    "merge-divs": 0,
    "merge-spans": 0,
    "indent": 0,
    "doctype": "auto",
    "show-warnings": 0,
    "quiet": 1,
}


def version() -> str:
    _TIDY._tidy.tidyLibraryVersion.restype = ctypes.c_char_p
    return f"{_TIDY._tidy.tidyLibraryVersion().decode()} (pytidylib {metadata.version('pytidylib')})"


def clean(markup: str) -> str:
    encoded = markup.encode("utf-8", "ignore")
    options = _OPTIONS | {"input-encoding": "utf8", "output-encoding": "utf8"}
    written: bytes = _TIDY.tidy_document(encoded, options)[0]
    return written.decode("utf-8", "replace")


def dump(markup: str) -> str:
    return dump_tree(lxml.etree.fromstring(clean(markup).encode()))
