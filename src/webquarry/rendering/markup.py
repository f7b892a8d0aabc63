"""HTML for a tree that a browser gave, so that it can be read again."""

from __future__ import annotations

from html import escape

from webquarry.html.columns import Columns
from webquarry.html.kinds import Kind

_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_RAW = frozenset("iframe noembed noframes plaintext script style xmp".split())
_DROPS_NEWLINE = frozenset(["listing", "pre", "textarea"])


def write_markup(columns: Columns) -> str:
    """The tree as the standard serialises it."""
    parts: list[str] = []
    open_elements: list[int] = []
    parents = columns.parents.tolist()
    for node, kind in enumerate(columns.kinds.tolist()):
        while open_elements and open_elements[-1] != parents[node]:
            parts.append(_end_tag(_name(columns, open_elements.pop())))
        if kind == Kind.ELEMENT:
            parts.append(_start_tag(columns, node))
            open_elements.append(node)
        elif kind == Kind.TEXT:
            holder = _name(columns, parents[node]) if parents[node] > 0 else ""
            parts.append(columns.texts[node] if holder in _RAW else escape(columns.texts[node], quote=False))
        elif kind == Kind.COMMENT:
            parts.append(f"<!--{columns.texts[node]}-->")
        elif kind == Kind.INSTRUCTION:
            parts.append(f"<?{columns.texts[node]}?>")
        elif kind == Kind.DOCTYPE:
            parts.append(_doctype(columns.texts[node]))
    parts += [_end_tag(_name(columns, node)) for node in reversed(open_elements)]
    return "".join(parts)


def _name(columns: Columns, node: int) -> str:
    name: str = columns.tag_names[columns.tags[node]]
    return name


def _start_tag(columns: Columns, node: int) -> str:
    name = _name(columns, node)
    attributes = "".join(f' {key}="{escape(value)}"' for key, value in columns.attributes[node].items())
    # The parser drops a newline that comes first; a second one keeps one.
    return f"<{name}{attributes}>" + ("\n" if name in _DROPS_NEWLINE else "")


def _end_tag(name: str) -> str:
    return "" if name in _VOID else f"</{name}>"


def _doctype(text: str) -> str:
    name, _, ids = text.partition(" ")
    return f"<!DOCTYPE {name} PUBLIC {ids}>" if ids else f"<!DOCTYPE {name}>"
