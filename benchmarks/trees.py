"""Count how many of the HTML standard's tree-construction cases a parser gets right.

Expected trees are text dumps, one line a node, in the format of html5lib-tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.systems import System

_START = re.compile(r"^#data\n", re.MULTILINE)
_SECTION = re.compile(r"^#(errors|new-errors|document-fragment|script-off|script-on|document)(?:\n|\Z)", re.MULTILINE)


@dataclass(frozen=True)
class TreeCase:
    """Markup and the dump of the tree it must give."""

    markup: str
    tree: str
    is_fragment: bool = False
    is_scripted: bool = False


def read_cases(path: Path) -> list[TreeCase]:
    """Read the cases of a file."""
    with path.open(encoding="utf-8", newline="") as file:  # keep carriage returns, which are part of the cases
        return parse_cases(file.read())


def parse_cases(text: str) -> list[TreeCase]:
    r"""Parse the text of a file of cases.

    >>> parse_cases("#data\na\n#errors\n#document\n| <html>\n\n")
    [TreeCase(markup='a', tree='| <html>', is_fragment=False, is_scripted=False)]
    """
    return [_parse_case(part) for part in _START.split(text)[1:]]


def _parse_case(part: str) -> TreeCase:
    markup, *rest = _SECTION.split(part)
    sections = dict(zip(rest[::2], rest[1::2], strict=True))
    return TreeCase(
        markup=markup.removesuffix("\n"),
        tree=sections.get("document", "").rstrip("\n"),
        is_fragment="document-fragment" in sections,
        is_scripted="script-on" in sections,
    )


_ADJUSTED = {
    **{f"xlink:{name}": f"xlink {name}" for name in "actuate arcrole href role show title type".split()},
    "xml:lang": "xml lang",
    "xml:space": "xml space",
    "xmlns": "xmlns xmlns",
    "xmlns:xlink": "xmlns xlink",
}
"""Attributes with a namespace on SVG and MathML elements (HTML standard, 13.2.6.1)."""

_OPTIONAL = frozenset(["body", "head", "title"])
_ENTRY = re.compile(r"^\| ", re.MULTILINE)
_PREFIX = re.compile(r"<(?:svg|math) ")


class Dump:
    """A dump, built node by node in document order.

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
        """Add an element; `namespace` is "svg", "math" or empty."""
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
    r"""Reduce a dump to the nesting of elements and their text.

    For trees without doctypes or namespaces.  Drops comments, attributes, white space, and an empty
    title, head or body, which parsers may add or omit.

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
    """Drop empty elements of `_OPTIONAL`, from last to first because they may be nested."""
    kept: list[tuple[int, str]] = []
    for depth, name in reversed(nodes):
        if name not in _OPTIONAL or (kept and kept[-1][0] > depth):
            kept.append((depth, name))
    return kept[::-1]


@dataclass(frozen=True)
class TreeScore:
    """The shares of cases that are right; `exact` is None for trees without doctypes or namespaces."""

    exact: float | None
    lenient: float
    failures: tuple[str, ...] = ()


def documents(cases: Iterable[TreeCase]) -> list[TreeCase]:
    """Select the cases that are whole documents and need no scripting."""
    return [case for case in cases if not case.is_fragment and not case.is_scripted]


def score_trees(system: System, cases: list[TreeCase]) -> TreeScore:
    """Score a system; a case on which it raises counts as wrong."""
    exact = lenient = 0
    failures = []
    for case in cases:
        try:
            dump = system.dump(case.markup)
        except Exception as error:  # noqa: BLE001 - a peer may raise anything
            failures.append(f"{case.markup!r}: {error!r}")
            continue
        is_exact = dump == case.tree
        exact += is_exact
        lenient += is_exact or outline(dump) == outline(case.tree)
        if not is_exact:
            failures.append(repr(case.markup))
    return TreeScore(exact / len(cases) if system.HAS_EXACT_TREE else None, lenient / len(cases), tuple(failures))
