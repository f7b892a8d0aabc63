"""Turn the browser's snapshot of a page into a document with a layout.

Elements that style sheets generate, such as `::before`, are dropped. The content of a shadow root
takes the place of its host's, as displayed; templates and processing instructions have no content in
a snapshot. A page rendered without scripts has the tree of its markup, so the columns of the static
document are used then: they have what a snapshot leaves out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from datetime import date
from html import escape
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Columns, Kind, Values, subtree_ends
from webquarry.model.document import VISUAL_VALIDATION, Document, Layout
from webquarry.rendering.visible_nodes import DECIDING_PROPERTIES, find_visible

PROPERTIES = (*VISUAL_VALIDATION, "display", *DECIDING_PROPERTIES)
"""Style properties in a layout: those of visual validation, and more that decide visibility."""

_KINDS = (Kind.ELEMENT, Kind.TEXT, Kind.INSTRUCTION, Kind.COMMENT, Kind.DOCUMENT, Kind.DOCTYPE)
_CDATA = 4  # node type in the DOM standard; for us a text like any other
_FOREIGN_ROOTS = {"svg": 1, "math": 2}
_PLACEHOLDERS = ("about:blank", "chrome-error://")  # documents of frames that got no answer
_FRAME_INSETS = (("border-left-width", "padding-left"), ("border-top-width", "padding-top"))
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_RAW_TEXT = frozenset("iframe noembed noframes plaintext script style xmp".split())
_DROPS_NEWLINE = frozenset(["listing", "pre", "textarea"])


@dataclass(frozen=True)
class Origin:
    """Where a snapshot comes from."""

    browser: str
    viewport: int
    url: str
    kind: str
    address: str = ""
    received: date | None = None
    is_unstyled: bool = False


@dataclass(frozen=True)
class _Tree:
    """A tree, the markup that produces it, and the number in it of each node of the snapshot."""

    columns: Columns
    markup: str
    numbers: NDArray[np.int32]


def build_document(raw: dict[str, Any], static: Columns, markup: str, origin: Origin) -> Document:
    """Build the document of the page in a snapshot; `static` is the tree of its `markup`, before any scripts ran."""
    strings = [*raw["strings"], ""]  # the number of an empty string is -1
    snapshots = [_Snapshot(document, strings) for document in raw["documents"]]
    if origin.kind == "rendered":
        numbers = _align(static, snapshots[0])
        if numbers is not None:
            return _build(snapshots, snapshots[0], _Tree(static, markup, numbers), origin)
    return _build(snapshots, snapshots[0], _own_tree(snapshots[0]), origin)


def _own_tree(snapshot: _Snapshot) -> _Tree:
    columns = snapshot.columns()
    return _Tree(columns, write_markup(columns), np.arange(len(columns.kinds), dtype=np.int32))


def _build(
    snapshots: list[_Snapshot], snapshot: _Snapshot, tree: _Tree, origin: Origin, *, shift: tuple[float, float] = (0, 0)
) -> Document:
    boxes, styles, values = _measure(snapshot, tree)

    def find_styled(name: str, matches: Callable[[str], bool]) -> NDArray[np.bool_]:
        chosen = np.array([*map(matches, values), False])
        found: NDArray[np.bool_] = chosen[styles[:, PROPERTIES.index(name)]]
        return found

    visible = find_visible(tree.columns, boxes, find_styled)
    boxes[:, :2] += shift
    layout = Layout(
        boxes=boxes,
        styles=styles,
        values=values,
        properties=PROPERTIES,
        visible=visible,
        width=int(snapshot.document["contentWidth"]),
        height=int(snapshot.document["contentHeight"]),
        browser=origin.browser,
        viewport=origin.viewport,
        is_unstyled=origin.is_unstyled,
    )
    frames = tuple(_build_frames(snapshots, snapshot, tree, layout, origin))
    return Document(
        markup=tree.markup,
        url=origin.url,
        kind=origin.kind,
        layout=replace(layout, frames=frames),
        tree=tree.columns,
        address=origin.address,
        received=origin.received,
    )


def _build_frames(
    snapshots: list[_Snapshot], snapshot: _Snapshot, tree: _Tree, layout: Layout, origin: Origin
) -> Iterator[tuple[int, Document]]:
    """Yield each visible frame: its node in the outer document, and its own document in page coordinates."""
    for holder, number in snapshot.frame_holders():
        inner = snapshots[number]
        node = int(tree.numbers[holder])
        if layout.visible[node] and not inner.url.startswith(_PLACEHOLDERS):
            x, y = (
                float(layout.boxes[node, axis]) + sum(_pixels(layout.style(node, name)) for name in names)
                for axis, names in enumerate(_FRAME_INSETS)
            )
            yield (
                node,
                _build(snapshots, inner, _own_tree(inner), replace(origin, url=inner.url, address=""), shift=(x, y)),
            )


def _pixels(value: str) -> float:
    return float(value.removesuffix("px")) if value.endswith("px") else 0.0


def _measure(snapshot: _Snapshot, tree: _Tree) -> tuple[NDArray[np.float32], NDArray[np.int32], tuple[str, ...]]:
    """Return boxes, style codes and the values they stand for; of several boxes of a node the first counts."""
    count = len(tree.columns.kinds)
    laid_out = snapshot.document["layout"]
    nodes = np.array(laid_out["nodeIndex"], dtype=np.int64)
    styled = [len(style) == len(PROPERTIES) for style in laid_out["styles"]]
    first = np.zeros(len(nodes), dtype=np.bool_)
    first[np.unique(nodes, return_index=True)[1]] = True
    wanted = first & snapshot.kept[nodes]
    numbers = tree.numbers[snapshot.renumbered[nodes]]

    boxes = np.full((count, 4), np.nan, dtype=np.float32)
    boxes[numbers[wanted]] = np.array(laid_out["bounds"], dtype=np.float32)[wanted]
    # Collapsed white space has a place in the layout, but no box.
    boxes[(tree.columns.kinds == Kind.TEXT) & (boxes[:, 2] == 0) & (boxes[:, 3] == 0)] = np.nan

    styles = np.full((count, len(PROPERTIES)), -1, dtype=np.int32)
    chosen = wanted & np.array(styled)
    codes = np.array(list(compress(laid_out["styles"], chosen.tolist())), dtype=np.int64).reshape(-1, len(PROPERTIES))
    used, interned = np.unique(codes, return_inverse=True)
    styles[numbers[chosen]] = interned.reshape(codes.shape)
    return boxes, styles, tuple(snapshot.strings[code] for code in used.tolist())


def _align(static: Columns, snapshot: _Snapshot) -> NDArray[np.int32] | None:
    """Return for each node of the snapshot its number in the static tree; None if the trees differ."""
    outside_templates = np.ones(len(static.kinds), dtype=np.bool_)
    if "template" in static.tag_names:
        ends = subtree_ends(static.parents)
        for node in np.flatnonzero(static.tags == static.tag_names.index("template")).tolist():
            outside_templates[node + 1 : ends[node]] = False
    numbers = np.flatnonzero(outside_templates).astype(np.int32)
    if len(numbers) != len(snapshot.kinds) or not np.array_equal(static.kinds[numbers], snapshot.kinds):
        return None
    parents = snapshot.parents.copy()
    parents[1:] = numbers[parents[1:]]
    if not np.array_equal(static.parents[numbers], parents):
        return None
    elements = np.flatnonzero(snapshot.kinds == Kind.ELEMENT).tolist()
    names = [static.tag_names[tag] for tag in static.tags[numbers[elements]].tolist()]
    return numbers if names == [snapshot.names[node] for node in elements] else None


class _Snapshot:
    """One document of a snapshot, reduced to the nodes that are kept."""

    def __init__(self, document: dict[str, Any], strings: list[str]) -> None:
        self.strings = strings
        self.document = document
        self.url = strings[document["documentURL"]]
        nodes = document["nodes"]
        parents = np.array(nodes["parentIndex"], dtype=np.int32)
        kinds = np.array(nodes["nodeType"], dtype=np.uint8)
        kinds[kinds == _CDATA] = Kind.TEXT
        self.kept = _find_kept(parents, kinds, nodes["pseudoType"]["index"])
        self.renumbered = np.cumsum(self.kept, dtype=np.int32) - 1
        kept_parents = parents[self.kept]
        self.kinds = kinds[self.kept]
        self.parents = np.where(kept_parents < 0, -1, self.renumbered[kept_parents]).astype(np.int32)
        names = [strings[code] for code in compress(nodes["nodeName"], self.kept.tolist())]
        self.names = [_element_name(name) for name in names]
        self._upper = [name != lower for name, lower in zip(names, self.names, strict=True)]

    def columns(self) -> Columns:
        """Return the columns of the kept nodes."""
        nodes = self.document["nodes"]
        kept = self.kept.tolist()
        elements = (self.kinds == Kind.ELEMENT).tolist()
        codes: dict[str, int] = {}
        tags = [
            codes.setdefault(name, len(codes)) if is_element else -1
            for name, is_element in zip(self.names, elements, strict=True)
        ]
        texts = [self.strings[code] for code in compress(nodes["nodeValue"], kept)]
        for node in np.flatnonzero(self.kinds == Kind.DOCTYPE).tolist():
            texts[node] = self._doctype(self.names[node])
        for node in np.flatnonzero(self.kinds == Kind.INSTRUCTION).tolist():
            texts[node] = f"{self.names[node]} {texts[node]}"
        return Columns(
            kinds=self.kinds,
            parents=self.parents,
            tags=np.array(tags, dtype=np.int32),
            namespaces=self._namespaces(),
            tag_names=tuple(codes),
            texts=tuple(texts),
            values=self._values(),
        )

    def frame_holders(self) -> list[tuple[int, int]]:
        """Return the nodes that hold frames, each with the number of its document."""
        held = self.document["nodes"]["contentDocumentIndex"]
        return [
            (int(self.renumbered[node]), number)
            for node, number in zip(held["index"], held["value"], strict=True)
            if self.kept[node]
        ]

    def _values(self) -> Values:
        """Return the values of attributes by name and node."""
        strings, values = self.strings, defaultdict[str, dict[int, str]](dict)
        for node, flat in enumerate(compress(self.document["nodes"]["attributes"], self.kept.tolist())):
            for name, value in zip(flat[::2], flat[1::2], strict=True):
                values[strings[name]][node] = strings[value]
        return dict(values)

    def _doctype(self, name: str) -> str:
        ids = [self.strings[self.document[key]] for key in ("publicId", "systemId")]
        return f'{name} "{ids[0]}" "{ids[1]}"' if any(ids) else name

    def _namespaces(self) -> NDArray[np.uint8]:
        """Return namespaces: HTML names are in upper case in a snapshot, others belong to the `svg` or `math` above."""
        spaces = np.zeros(len(self.kinds), dtype=np.uint8)
        for node in np.flatnonzero((self.kinds == Kind.ELEMENT) & ~np.array(self._upper)).tolist():
            spaces[node] = _FOREIGN_ROOTS.get(self.names[node]) or spaces[self.parents[node]]
        return spaces


def _find_kept(parents: NDArray[np.int32], kinds: NDArray[np.uint8], generated: list[int]) -> NDArray[np.bool_]:
    kept = np.isin(kinds, _KINDS)
    kept[generated] = False
    while True:
        narrowed = kept & (kept[parents] | (parents < 0))
        if np.array_equal(narrowed, kept):
            return kept
        kept = narrowed


def _element_name(name: str) -> str:
    """Return the name as written: HTML names in lower case, foreign ones as they are.

    >>> _element_name("O:P"), _element_name("linearGradient")
    ('o:p', 'linearGradient')
    """
    return name if any("a" <= letter <= "z" for letter in name) else name.lower()


def write_markup(columns: Columns, left_out: Container[int] = ()) -> str:
    """Serialise a tree as the HTML standard does, so that parsing gives the tree again, without what is left out."""
    parts: list[str] = []
    open_elements: list[int] = []
    parents = columns.parents.tolist()
    for node, kind in enumerate(columns.kinds.tolist()):
        if node in left_out:
            continue
        while open_elements and open_elements[-1] != parents[node]:
            parts.append(_end_tag(_name(columns, open_elements.pop())))
        if kind == Kind.ELEMENT:
            parts.append(_start_tag(columns, node))
            open_elements.append(node)
        elif kind == Kind.TEXT:
            holder = _name(columns, parents[node]) if parents[node] > 0 else ""
            parts.append(columns.texts[node] if holder in _RAW_TEXT else escape(columns.texts[node], quote=False))
        elif kind == Kind.COMMENT:
            parts.append(f"<!--{columns.texts[node]}-->")
        elif kind == Kind.INSTRUCTION:
            parts.append(f"<?{columns.texts[node]}?>")
        elif kind == Kind.DOCTYPE:
            name, _, ids = columns.texts[node].partition(" ")
            parts.append(f"<!DOCTYPE {name} PUBLIC {ids}>" if ids else f"<!DOCTYPE {name}>")
    parts += [_end_tag(_name(columns, node)) for node in reversed(open_elements)]
    return "".join(parts)


def _name(columns: Columns, node: int) -> str:
    name: str = columns.tag_names[columns.tags[node]]
    return name


def _start_tag(columns: Columns, node: int) -> str:
    name = _name(columns, node)
    attributes = "".join(f' {key}="{escape(value)}"' for key, value in columns.attributes[node].items())
    # The parser drops a newline that comes first, so write one more.
    return f"<{name}{attributes}>" + ("\n" if name in _DROPS_NEWLINE else "")


def _end_tag(name: str) -> str:
    return "" if name in _VOID else f"</{name}>"
