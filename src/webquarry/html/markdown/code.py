"""Preformatted text."""

from __future__ import annotations

import re
from html import escape

import numpy as np
from numpy.typing import NDArray

from webquarry.html.kinds import Kind
from webquarry.html.markdown.tree import Tree
from webquarry.html.visibility import BLOCKS

_LANGUAGE = re.compile(r"(?:^|\s)(?:lang(?:uage)?-|brush:\s*|highlight-source-|highlight-text-)([\w+#.-]+)")
_STATED_IN = ("data-lang", "data-language")
_FURTHEST = 2
"""Elements around it whose classes can tell its language."""


def write_code(text: str, language: str) -> str:
    """Preformatted text as HTML."""
    name = f' class="language-{escape(language)}"' if language else ""
    # the parser takes away a line break directly behind the tag, which may be the text's own
    return f"<pre>\n<code{name}>{escape(text, quote=False)}</code></pre>"


def read_code(tree: Tree, node: int, chosen: NDArray[np.bool_]) -> str:
    """The chosen texts of a preformatted element; blocks in it are lines of their own."""
    parts: list[str] = []
    is_parted = False
    ends: list[int] = []  # of the blocks that are open
    for inner in range(node + 1, int(tree.ends[node])):
        while ends and ends[-1] <= inner:
            ends.pop()
            is_parted = True
        if not chosen[inner]:
            continue
        tag = tree.tag_names[tree.tags[inner]] if tree.tags[inner] >= 0 else ""
        if tag == "br":
            parts.append("\n")
        elif tag in BLOCKS:
            ends.append(int(tree.ends[inner]))
            is_parted = True
        elif tree.kinds[inner] == Kind.TEXT:
            if is_parted and parts and not parts[-1].endswith("\n"):
                parts.append("\n")
            parts.append(tree.texts[inner])
            is_parted = False
    code = "".join(parts).strip("\n")
    return "" if code.isspace() else code


def find_language(tree: Tree, node: int) -> str:
    """The language that a preformatted element, its first element or one around it states; nothing for none."""
    inside = node + 1 if node + 1 < tree.ends[node] else node
    places = [inside, node]
    for _ in range(_FURTHEST):
        places.append(max(0, int(tree.parents[places[-1]])))
    for place in places:
        own = tree.attributes[place]
        stated = next((own[name] for name in _STATED_IN if own.get(name)), "")
        match = _LANGUAGE.search(own.get("class", "")) if not stated else None
        if stated or match:
            return (stated or (match[1] if match else "")).strip().lower()
    return ""
