"""Addresses as other systems write them, and the nodes that they stand for.

Trees of other parsers differ from a browser's in small ways that an address shows: names in upper case or with a
prefix, no `tbody` where the markup has none, an index on every step.  What is no plain path is evaluated by lxml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from webquarry.html.kinds import Kind
from webquarry.model.document import Document

_ATTRIBUTE = re.compile(r"/(?:@|attribute::)[\w:.-]+$")
_BY_ID = re.compile(r"""(?://\*\[@id=(["'])(?P<a>[^"']*)\1\]|id\((["'])(?P<b>[^"']*)\3\))(?P<rest>/[^/].*)?""")
_ROOTLESS = re.compile(r"(?:html|body)(?=[/\[]|$)", re.IGNORECASE)
_PREFIX = re.compile(r"/(?:\{[^}]*\}|[A-Za-z_][\w.-]*:(?!:))")
_WITHOUT_BODY = re.compile(r"(/table(?:\[\d+\])?)(?=/tr\b)")
_BODY = re.compile(r"/tbody(?:\[\d+\])?(?=/)")
_QUOTED_OR_NAME = re.compile(r"""("[^"]*"|'[^']*')|(?<![@\w-])[A-Z][A-Z0-9]*(?![\w(:-])""")


class Paths:
    """The nodes of one document by the addresses that other systems have for them."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def find(self, xpath: str) -> list[int]:
        """The nodes that an address stands for, in the order of the page; of an attribute its element.

        >>> document = Document("<table id=t><tr><td>One<td>Two")
        >>> [document.xpath(*Paths(document).find(each)) for each in ("/HTML[1]/BODY/TABLE/TR/TD[2]", "//*[@id='t']")]
        ['/html/body/table/tbody/tr/td[2]', '/html/body/table']
        """
        path = _ATTRIBUTE.sub("", xpath.strip())
        if _ROOTLESS.match(path):
            path = "/html" * path[:4].lower().startswith("body") + "/" + path
        for variant in dict.fromkeys(_variants(self._from_root(path))):
            node = self._document.node(variant) if variant.startswith("/") else None
            if node:  # the document itself is no node of an extraction
                return [node]
        return [] if _is_plain(path) else list(dict.fromkeys(self._evaluate(path)))

    def _from_root(self, path: str) -> str:
        """The path, from the root on where it begins at an id: so browsers write addresses, and so lxml is spared."""
        by_id = _BY_ID.fullmatch(path)
        holder = self._ids.get(by_id["a"] or by_id["b"] or "") if by_id else None
        return path if by_id is None or holder is None else self._document.xpath(holder) + (by_id["rest"] or "")

    @cached_property
    def _ids(self) -> dict[str, int]:
        """The first element of each id."""
        pairs = [(own["id"], node) for node, own in enumerate(self._document.attributes) if own and "id" in own]
        return dict(reversed(pairs))

    @cached_property
    def _tree(self) -> Any:
        return self._document.to_lxml()

    def _evaluate(self, path: str) -> Iterator[int]:
        """What lxml finds; nothing where the path is none, or gives no nodes."""
        import lxml.etree  # noqa: PLC0415 - slow to import, and most addresses are plain paths

        path = re.sub(r"^id\((.*?)\)", r"//*[@id=\1]", path)
        for variant in dict.fromkeys((path, _lower_names(path))):
            try:
                found = self._tree.xpath(variant)
            except lxml.etree.XPathError:
                continue
            if isinstance(found, list) and found:
                for each in found:
                    yield from self._number(each)
                return

    def _number(self, found: Any) -> Iterator[int]:
        """The node of an element or text of the tree."""
        is_text = isinstance(found, str)
        holder = found.getparent() if is_text else found
        if holder is None or isinstance(holder, tuple):  # an attribute of a namespace
            return
        node = self._document.node(holder.getroottree().getpath(holder))
        if node is None:
            return
        if is_text and not getattr(found, "is_attribute", False):
            node = int(self._document.ends[node]) if getattr(found, "is_tail", False) else node + 1
            if node >= len(self._document) or self._document.kinds[node] != Kind.TEXT:
                return
        yield node


def _is_plain(path: str) -> bool:
    """Whether a path has nothing but names and places, from the root on."""
    return re.fullmatch(r"(?:/(?:[\w.:{}-]+|text\(\)|\*)(?:\[\d+\])?)+/?", path) is not None


def _variants(path: str) -> Iterator[str]:
    """The path as it stands, then as a browser's tree would have it."""
    yield path
    if not _is_plain(path):
        return
    plain = _PREFIX.sub("/", path)
    yield plain
    plain = plain.lower()
    yield plain
    yield _WITHOUT_BODY.sub(r"\1/tbody", plain)
    yield _BODY.sub("", plain)


def _lower_names(path: str) -> str:
    """The path with names of elements in lower case; what stands between quotes is kept.

    >>> _lower_names("//DIV[@ID='A']/P[2]")
    "//div[@ID='A']/p[2]"
    """
    return _QUOTED_OR_NAME.sub(lambda match: match[1] or match[0].lower(), path)
