"""The three strict XML readers that must accept what a cleaner writes."""

from __future__ import annotations

from collections.abc import Callable
from xml.parsers import expat

import lxml.etree


def read_with_lxml(document: bytes) -> None:
    lxml.etree.fromstring(document, lxml.etree.XMLParser())


def read_with_expat(document: bytes) -> None:
    expat.ParserCreate().Parse(document, True)


def read_with_expat_namespaces(document: bytes) -> None:
    expat.ParserCreate(namespace_separator=" ").Parse(document, True)


READERS: dict[str, Callable[[bytes], None]] = {
    "lxml": read_with_lxml,
    "expat": read_with_expat,
    "expat with namespaces": read_with_expat_namespaces,
}


def find_objection(document: str) -> str | None:
    """What the first reader that refuses the document says of it; None when all accept it.

    >>> find_objection("<p/>"), find_objection("<o:p/>")
    (None, 'lxml: Namespace prefix o on p is not defined, line 1, column 5 (<string>, line 1)')
    """
    try:
        encoded = document.encode()
    except UnicodeEncodeError as error:
        return f"UTF-8: {error.reason}"
    for name, read in READERS.items():
        try:
            read(encoded)
        except (lxml.etree.XMLSyntaxError, expat.ExpatError) as error:
            return f"{name}: {error}"
    return None
