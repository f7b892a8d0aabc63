"""Trees as text, in the format of the standard's tree-construction cases."""

from __future__ import annotations

import re
from collections.abc import Mapping

_ADJUSTED = {
    **{f"xlink:{name}": f"xlink {name}" for name in "actuate arcrole href role show title type".split()},
    "xml:lang": "xml lang",
    "xml:space": "xml space",
    "xmlns": "xmlns xmlns",
    "xmlns:xlink": "xmlns xlink",
}
"""Attributes that have a namespace on SVG and MathML elements (HTML standard, 13.2.6.1)."""

_OPTIONAL = frozenset(["body", "head", "title"])
_ENTRY = re.compile(r"^\| ", re.MULTILINE)
_PREFIX = re.compile(r"<(?:svg|math) ")


class Dump:
    """A dump that grows node by node, in document order.

    >>> dump = Dump()
    >>> dump.element(0, "template", {"id": "a"})
    >>> dump.text(1, "x")
    >>> print(dump)
    | <template>
    |   id="a"
    |   content
    |     "x"
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._templates: list[int] = []

    def __str__(self) -> str:
        return "\n".join(self._lines)

    def element(self, depth: int, name: str, attributes: Mapping[str, str], namespace: str = "") -> None:
        """Add an element; `namespace` is "svg", "math" or nothing."""
        self._add(depth, f"<{namespace} {name}>" if namespace else f"<{name}>")
        names = {_ADJUSTED.get(key, key) if namespace else key: value for key, value in attributes.items()}
        for key, value in sorted(names.items()):
            self._add(depth + 1, f'{key}="{value}"')
        if name == "template" and not namespace:
            self._add(depth + 1, "content")
            self._templates.append(depth)

    def text(self, depth: int, text: str) -> None:
        self._add(depth, f'"{text}"')

    def comment(self, depth: int, text: str) -> None:
        self._add(depth, f"<!-- {text} -->")

    def doctype(self, depth: int, text: str) -> None:
        self._add(depth, f"<!DOCTYPE {text}>")

    def _add(self, depth: int, entry: str) -> None:
        while self._templates and self._templates[-1] >= depth:
            self._templates.pop()
        self._lines.append(f"| {'  ' * (depth + len(self._templates))}{entry}")


def outline(dump: str) -> list[tuple[int, str]]:
    r"""What a dump says of the nesting of elements and of their text, and nothing else.

    For trees that cannot hold doctypes or namespaces: comments and attributes do not count, nor
    white space, nor an empty title, head or body, which some add and some leave out.

    >>> outline('| <html>\n|   <head>\n|     <title>\n|   <body>\n|     id="a"\n|     " x"\n|     "y z"')
    [(0, 'html'), (1, 'body'), (2, '"xyz')]
    """
    nodes: list[tuple[int, str]] = []
    for entry in _ENTRY.split(dump)[1:]:
        body = entry.lstrip(" ").removesuffix("\n")
        depth = (len(entry) - len(entry.lstrip(" "))) // 2
        if body.startswith('"') and (text := "".join(body[1:-1].split())):
            joins = bool(nodes) and nodes[-1][0] == depth and nodes[-1][1].startswith('"')
            nodes.append((depth, nodes.pop()[1] + text if joins else f'"{text}'))
        elif body.startswith("<") and body[1] not in "!?":
            nodes.append((depth, _PREFIX.sub("<", body)[1:-1].lower()))
    return _without_empty(nodes)


def _without_empty(nodes: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The nodes without those of `_OPTIONAL` that hold nothing; the last first, as one may hold another."""
    kept: list[tuple[int, str]] = []
    for depth, name in reversed(nodes):
        if name not in _OPTIONAL or (kept and kept[-1][0] > depth):
            kept.append((depth, name))
    return kept[::-1]
