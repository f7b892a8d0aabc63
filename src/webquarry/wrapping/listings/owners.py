"""Owners: the nodes of a record that say a mined value, from the innermost outwards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from webquarry.html.resolving import IMAGE_ATTRIBUTES
from webquarry.wrapping.listings.cells import COLONS, is_same
from webquarry.wrapping.listings.matching import find_runs
from webquarry.wrapping.listings.signatures import HOLDER, RUN, TEXT, Path, Step
from webquarry.wrapping.listings.views import View

LONGEST_LABEL = 42
"""Characters, with the colon."""
_LABEL = re.compile(rf"[^{COLONS}]{{1,40}}[{COLONS}]\s*")


@dataclass(frozen=True)
class Owner:
    """A node that says a value, and how."""

    node: int
    path: Path
    attribute: str = ""
    label: str = ""
    """What stands before the value in the node's text, without its colon."""
    is_part: bool = False
    """Whether the value is a list that the node begins."""


@dataclass(frozen=True)
class Place:
    """Where in a record values are looked for."""

    top: int
    """The element that paths begin below."""
    first: int
    """The first node of the record."""
    nodes: tuple[int, ...]
    """Those of all its values."""


def find_owners(view: View, place: Place, node: int, value: str, kind: str) -> list[Owner]:
    """The owners of a value that was mined at a node."""
    top, first = place.top, place.first
    if kind == "link":
        return list(_link(view, top, first, node))
    if kind == "image":
        return list(_image(view, top, node, value))
    if view.tags[node] >= 0 and " ".join(view.attributes[node].get("alt", "").split()) == value:
        path = view.path(node, top)
        return [] if path is None else [Owner(node, path, "alt")]
    return list(_texts(view, place, node, value))


def _link(view: View, top: int, first: int, node: int) -> Iterator[Owner]:
    if node < first:
        yield Owner(node, (Step(HOLDER),), "href")
    elif (path := view.path(node, top)) is not None:
        yield Owner(node, path, "href")


def _image(view: View, top: int, node: int, value: str) -> Iterator[Owner]:
    for inner in range(node, view.ends[node]):
        path = view.path(inner, top) if view.tags[inner] >= 0 else None
        for name in IMAGE_ATTRIBUTES if path is not None else ():
            if name in view.attributes[inner] and view.address(inner, name) == value and path is not None:
                yield Owner(inner, path, name)
                return


def _texts(view: View, place: Place, node: int, value: str) -> Iterator[Owner]:
    top, first, start = place.top, place.first, node
    while node >= max(top, first):
        text, path = view.text(node), view.path(node, top)
        if len(text) > len(value) + LONGEST_LABEL or path is None:
            break
        if is_same(text, value):
            yield Owner(node, path)
        elif text.endswith(value) and _LABEL.fullmatch(text[: len(text) - len(value)]):
            yield Owner(node, path, label=text[: len(text) - len(value)].rstrip(COLONS + " "))
        elif value.startswith((f"{text}, ", f"{text}; ")):
            yield Owner(node, path, is_part=True)
        node = view.parents[node]
    yield from _runs(view, place, start, value)


def _runs(view: View, place: Place, node: int, value: str) -> Iterator[Owner]:
    """The run of texts that a value is, where it is no whole element; the node is its first text or what holds it."""
    start = node
    while node > place.first and (view.is_text[node] or view.is_inline[view.tags[node]]):
        node = view.parents[node]
    path = view.path(node, place.top)
    if path is None:
        return
    others = [each for each in place.nodes if each != start]
    apart = {
        view.name(child) for child in view.children(node) if any(child <= each < view.ends[child] for each in others)
    }
    for first, stop in find_runs(view, node, apart - {TEXT}):
        if is_same(view.text(first, stop), value):
            yield Owner(first, (*path, Step(RUN)))


def is_text(owner: Owner) -> bool:
    """Whether an owner is a text or a run of them, not an element."""
    return bool(owner.path) and owner.path[-1].tag in (TEXT, RUN)
