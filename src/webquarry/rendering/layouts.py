"""The browser's snapshot of a page as a document with a layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Columns, build_columns
from webquarry.html.kinds import Kind
from webquarry.model import Document, Layout
from webquarry.rendering.alignment import align
from webquarry.rendering.markup import write_markup
from webquarry.rendering.properties import PROPERTIES
from webquarry.rendering.snapshot import Snapshot
from webquarry.rendering.visibility import find_visible

_PLACEHOLDERS = ("about:blank", "chrome-error://")  # what a frame holds that was given nothing
_INSETS = (("border-left-width", "padding-left"), ("border-top-width", "padding-top"))


@dataclass(frozen=True)
class Origin:
    """Where a snapshot comes from."""

    browser: str
    viewport: int
    url: str
    kind: str


@dataclass(frozen=True)
class _Tree:
    """A tree, the markup that gives it, and the place in it of each node of the snapshot."""

    columns: Columns
    markup: str
    places: NDArray[np.int32]


def build_document(raw: dict[str, Any], markup: str, origin: Origin) -> Document:
    """The document of the page in a snapshot; `markup` is what the page was before any scripts."""
    strings = [*raw["strings"], ""]
    snapshots = [Snapshot(document, strings) for document in raw["documents"]]
    if origin.kind == "rendered":
        static = build_columns(markup)
        places = align(static, snapshots[0])
        if places is not None:
            return _build(snapshots, snapshots[0], _Tree(static, markup, places), origin)
    return _build(snapshots, snapshots[0], _own_tree(snapshots[0]), origin)


def _own_tree(snapshot: Snapshot) -> _Tree:
    columns = snapshot.columns()
    return _Tree(columns, write_markup(columns), np.arange(len(columns.kinds), dtype=np.int32))


def _build(
    snapshots: list[Snapshot], snapshot: Snapshot, tree: _Tree, origin: Origin, *, shift: tuple[float, float] = (0, 0)
) -> Document:
    boxes, styles, values = _measure(snapshot, tree)
    visible = find_visible(tree.columns, boxes, styles, values)
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
    )
    frames = tuple(_frames(snapshots, snapshot, tree, layout, origin))
    return Document(
        markup=tree.markup,
        url=origin.url,
        kind=origin.kind,
        layout=replace(layout, frames=frames),
        tree=tree.columns,
    )


def _frames(
    snapshots: list[Snapshot], snapshot: Snapshot, tree: _Tree, layout: Layout, origin: Origin
) -> Iterator[tuple[int, Document]]:
    for holder, number in snapshot.holders():
        inner = snapshots[number]
        node = int(tree.places[holder])
        if layout.visible[node] and not inner.url.startswith(_PLACEHOLDERS):
            x, y = (
                float(layout.boxes[node, axis]) + sum(_pixels(layout.style(node, name)) for name in names)
                for axis, names in enumerate(_INSETS)
            )
            yield node, _build(snapshots, inner, _own_tree(inner), replace(origin, url=inner.url), shift=(x, y))


def _pixels(value: str) -> float:
    return float(value.removesuffix("px")) if value.endswith("px") else 0.0


def _measure(snapshot: Snapshot, tree: _Tree) -> tuple[NDArray[np.float32], NDArray[np.int32], tuple[str, ...]]:
    """Boxes, style codes and their values for each node; a node with several boxes has the first."""
    count = len(tree.columns.kinds)
    laid_out = snapshot.document["layout"]
    nodes = np.array(laid_out["nodeIndex"], dtype=np.int64)
    styled = [len(style) == len(PROPERTIES) for style in laid_out["styles"]]
    first = np.zeros(len(nodes), dtype=np.bool_)
    first[np.unique(nodes, return_index=True)[1]] = True
    wanted = first & snapshot.kept[nodes]
    numbers = tree.places[snapshot.renumbered[nodes]]

    boxes = np.full((count, 4), np.nan, dtype=np.float32)
    boxes[numbers[wanted]] = np.array(laid_out["bounds"], dtype=np.float32)[wanted]
    # White space that is folded away has a place in the layout, but no box.
    boxes[(tree.columns.kinds == Kind.TEXT) & (boxes[:, 2] == 0) & (boxes[:, 3] == 0)] = np.nan

    styles = np.full((count, len(PROPERTIES)), -1, dtype=np.int32)
    chosen = wanted & np.array(styled)
    codes = np.array(list(compress(laid_out["styles"], chosen.tolist())), dtype=np.int64).reshape(-1, len(PROPERTIES))
    used, interned = np.unique(codes, return_inverse=True)
    styles[numbers[chosen]] = interned.reshape(codes.shape)
    return boxes, styles, tuple(snapshot.strings[code] for code in used.tolist())
