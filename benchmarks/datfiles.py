"""The files of the standard's tree-construction cases: markup, and the tree that it must give."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_START = re.compile(r"^#data\n", re.MULTILINE)
_SECTION = re.compile(r"^#(errors|new-errors|document-fragment|script-off|script-on|document)(?:\n|\Z)", re.MULTILINE)


@dataclass(frozen=True)
class TreeCase:
    """A case; `tree` is the expected dump, a line a node."""

    markup: str
    tree: str
    is_fragment: bool = False
    is_scripted: bool = False


def read_cases(path: Path) -> list[TreeCase]:
    """The cases of a file."""
    with path.open(encoding="utf-8", newline="") as file:  # carriage returns are part of the cases
        return parse_cases(file.read())


def parse_cases(text: str) -> list[TreeCase]:
    r"""The cases in the text of a file.

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
