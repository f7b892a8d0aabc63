"""Represent the sample pages that an item wrapper is learnt from, and the units of text that they are made of."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import find_inside
from webquarry.html.urls import Resolver, fold_address, make_resolver
from webquarry.html.visibility import BLOCKS, CELLS, is_for_screen_readers
from webquarry.model.document import Document
from webquarry.page.column_words import content_word, property_name, telling_word
from webquarry.page.landmarks import find_folded
from webquarry.page.stated_blocks import read_blocks
from webquarry.page.stated_items import find_item_lists
from webquarry.page.text_runs import Elements
from webquarry.page.trees import BREAK, RULE, ColumnsTree
from webquarry.values.column_values import read_value
from webquarry.values.text_value import Locale
from webquarry.wrapping.field_signatures import PathStep, StepPath, Texts, is_name, is_plain, plain_names
from webquarry.wrapping.item_matches import SiblingPlaces
from webquarry.wrapping.label_texts import fold_value
from webquarry.wrapping.section_samples import HIDING_CLASSES

_BREAKING = (BREAK, RULE)
_BLOCKS = BLOCKS | CELLS
TITLE = "title"
_STATES = frozenset("first last odd even active selected current open closed show in fade loaded".split())
"""Class names that say where among others an element is, or in which state."""
_WORDS_OF_AMOUNTS = frozenset("deal discount fee offer pay price prices rent salary sale wage".split())


class ItemPage:
    """A sample page: its visible texts in order, and the texts of its elements."""

    def __init__(self, document: Document, classes: frozenset[str], names: frozenset[str]) -> None:
        """Take the class names and ids that count."""
        self.document = document
        self.tree = ColumnsTree(document)
        self.elements = Elements(self.tree, frozenset(), shows_panels=True)
        self.is_hidden = _find_hidden(document)
        """For each node whether it is not shown: by style sheets, or by its class name without a layout."""
        self.texts = Texts()
        self.leaves: list[int] = []
        """The nodes of the texts."""
        self._line_starts: list[int] = []
        """The numbers of the texts behind a line break."""
        self.parents: list[int] = document.parents.tolist()
        self.ends: list[int] = document.ends.tolist()
        self._classes, self._names = classes, names
        self._steps: dict[int, PathStep] = {}
        self.place = SiblingPlaces(self.tree)
        self._gather()

    def _gather(self) -> None:
        last_block, gap, is_broken = None, False, False
        for node, text, parent, is_spaced in self.tree.leaves():
            gap |= is_spaced
            if text in _BREAKING:
                gap = is_broken = True
                continue
            block, _, is_hidden, *_ = self.elements(parent)
            if not is_hidden and not self.is_hidden[node]:
                if is_broken:
                    self._line_starts.append(len(self.leaves))
                self.texts.add(text, gap=gap or block != last_block or self.texts.begins_value(text))
                self.leaves.append(node)
                last_block, gap, is_broken = block, False, False

    @cached_property
    def stated(self) -> dict[str, str]:
        """The names of the properties of the values that the page states about its item."""
        return _read_stated(self.document)

    @cached_property
    def resolve(self) -> Resolver:
        """Resolves addresses as written to absolute ones."""
        return make_resolver(self.document)

    @cached_property
    def own_address(self) -> str:
        """The page's own address, folded to compare it."""
        return fold_address(self.document.web_address)

    @cached_property
    def body(self) -> int:
        """The body of the page."""
        return next(iter(self.tree.named("body")), 0)

    def span(self, node: int) -> tuple[int, int]:
        """Return the number of the first text in a node, and the number after the last."""
        before = self._texts_before
        return before[node], before[self.ends[node]]

    @cached_property
    def _texts_before(self) -> list[int]:
        """For each node the number of texts before it."""
        counts: list[int] = np.searchsorted(self.leaves, np.arange(len(self.parents) + 1)).tolist()
        return counts

    def lines(self, node: int) -> list[range]:
        """List the lines of an element that line breaks separate, as numbers of texts."""
        start, stop = self.span(node)
        starts = self._line_starts
        bounds = [start, *starts[bisect_right(starts, start) : bisect_left(starts, stop)], stop]
        return [range(*bound) for bound in pairwise(bounds)]

    def text(self, node: int) -> str:
        """Return the visible text of a node on one line."""
        start, stop = self.span(node)
        return self.texts.join(start, stop) if start < stop else ""

    def leaf_text(self, number: int) -> str:
        """Return the text of a number on one line."""
        return self.texts.join(number, number + 1)

    def children(self, node: int) -> list[int]:
        """List the elements directly in an element that have visible text."""
        before, ends = self._texts_before, self.ends
        return [child for child in self.tree.children(node) if before[child] < before[ends[child]]]

    def first_text(self, unit: Unit) -> int:
        """Return the number of the first text of a unit on this page."""
        node = unit.nodes[self][0]
        return self.own_leaves(node)[unit.places[self]] if unit.leaf else self.span(node)[0]

    def metas(self, names: Container[str]) -> list[str]:
        """List what the `meta` elements with one of the names or properties say."""
        owns = (self.document.attributes[node] for node in self.tree.named("meta"))
        return [own.get("content", "") for own in owns if own.get("property", own.get("name", "")) in names]

    def own_leaves(self, node: int) -> list[int]:
        """List the numbers of the texts directly in an element."""
        return self._own_leaves.get(node, [])

    @cached_property
    def _own_leaves(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for place, leaf in enumerate(self.leaves):
            found.setdefault(self.parents[leaf], []).append(place)
        return found

    def tag(self, node: int) -> str:
        """Return the tag of an element."""
        return self.document.tag(node)

    def around(self, node: int, levels: int = 3) -> list[int]:
        """List some elements around a node, from the innermost outwards."""
        found = []
        for _ in range(levels):
            node = self.parents[node]
            if node <= self.body:
                break
            found.append(node)
        return found

    def innermost(self, node: int) -> int:
        """Return the innermost element with all the text of an element."""
        while len(inside := self.children(node)) == 1 and not self.own_leaves(node):
            node = inside[0]
        return node

    def find_tag(self, node: int, tags: Container[str], levels: int = 3) -> int | None:
        """Find the innermost element with one of the tags: a node, or one of so many around it."""
        return next((each for each in (node, *self.around(node, levels)) if self.tag(each) in tags), None)

    def is_block(self, node: int) -> bool:
        """Tell whether an element, or one with text in it, is a block."""
        return self.tag(node) in _BLOCKS or not self.is_inline(node)

    def is_inline(self, node: int) -> bool:
        """Tell whether an element and all elements with text in it are inline."""
        blocks = self._blocks_with_text
        place = bisect_right(blocks, node)
        return place == len(blocks) or blocks[place] >= self.ends[node]

    @cached_property
    def _blocks_with_text(self) -> list[int]:
        holders: set[int] = set()
        for leaf in self.leaves:
            each = self.parents[leaf]
            while each > 0 and each not in holders:
                holders.add(each)
                each = self.parents[each]
        return sorted(node for node in holders if self.tag(node) in _BLOCKS)

    def step(self, node: int) -> PathStep:
        """Describe an element by its tag, the class names and the id that count, and its property."""
        if node not in self._steps:
            own, tag = self.document.attributes[node], self.tag(node)
            name, prop = own.get("id", ""), own.get("itemprop", "")
            self._steps[node] = PathStep(
                tag if is_plain(tag) else "*",
                (plain_names(own.get("class", "")) & self._classes) - _STATES,
                name if name in self._names else "",
                prop=prop if is_name(prop) else "",
            )
        return self._steps[node]

    @cached_property
    def _steps_of_tag(self) -> dict[str, list[PathStep]]:
        found: dict[str, list[PathStep]] = {}
        for node in range(self.body, self.ends[self.body]):
            if self.document.tags[node] >= 0:
                step = self.step(node)
                found.setdefault(step.tag, []).append(step)
        return found

    def find(self, path: StepPath) -> list[int]:
        """List the elements that a path of a few steps names."""
        tags = self.document.tags
        return [
            node for node in range(self.body, self.ends[self.body]) if tags[node] >= 0 and _fits_path(self, path, node)
        ]

    def count_fits(self, step: PathStep) -> int:
        """Count the elements of the page that a step names."""
        return sum(
            step.classes <= other.classes
            and (not step.name or step.name == other.name)
            and (not step.prop or step.prop == other.prop)
            for other in self._steps_of_tag.get(step.tag, ())
        )

    def count_rows(self, node: int) -> int:
        """Count the rows and terms in an element."""
        before = self._rows_before
        return before[self.ends[node]] - before[node + 1]

    @cached_property
    def _rows_before(self) -> list[int]:
        """For each node the number of rows and terms before it."""
        return [0, *np.cumsum(self.document.has_tag(("tr", "dt"))).tolist()]

    def inner_steps(self, node: int) -> frozenset[PathStep]:
        """List the steps of the elements with text in an element."""
        start, stop = self.span(node)
        inside: set[int] = set()
        for place in range(start, stop):
            each = self.parents[self.leaves[place]]
            while each > node and each not in inside:
                inside.add(each)
                each = self.parents[each]
        return frozenset(map(self.step, inside))


def _read_stated(document: Document) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in find_item_lists(read_blocks(document)):
        if len(each.items) > 1:
            continue
        for path, stated in each.items[0].values.items():
            word = next(
                (name for part in reversed(path.split(".")) if (name := property_name(part)) and name != TITLE), ""
            )
            if word and len(stated.text) > 1:
                found.setdefault(fold_value(stated.text), content_word(word) or word)
    return found


def _find_hidden(document: Document) -> NDArray[np.bool_]:
    if document.layout is not None:
        return document.hidden & ~find_folded(document, document.hidden)
    chosen = np.zeros(len(document), dtype=np.bool_)
    for node, own in enumerate(document.attributes):
        names = own.get("class", "")
        if names and (is_for_screen_readers(names) or not HIDING_CLASSES.isdisjoint(names.split())):
            chosen[node] = True
    hidden = document.hidden | find_inside(document.ends, chosen)
    return hidden & ~find_folded(document, hidden)


def find_hidden_steps(pages: Sequence[ItemPage]) -> list[StepPath]:
    """Find paths of one or two steps that name elements that are hidden on the pages, and none that is shown."""
    hidden: dict[tuple[PathStep, PathStep], None] = {}
    for page in pages:
        for node in _list_elements(page, page.is_hidden):
            if not page.is_hidden[page.parents[node]] and not page.elements(node)[2]:
                hidden.setdefault((page.step(page.parents[node]), page.step(node)))
    tags = {inner.tag for _, inner in hidden}
    seen: dict[str, set[tuple[PathStep, PathStep]]] = {}
    for page in pages if hidden else ():
        for node in _list_elements(page, ~page.is_hidden):
            if (step := page.step(node)).tag in tags:
                seen.setdefault(step.tag, set()).add((page.step(page.parents[node]), step))
    found: dict[StepPath, None] = {}
    for outer, inner in hidden:
        shown = [each for each in seen.get(inner.tag, ()) if _fits(inner, each[1])]
        if not shown and (inner.classes or inner.name):
            found.setdefault((inner,))
        elif not any(_fits(outer, each[0]) for each in shown) and (inner.classes or outer.classes or outer.name):
            found.setdefault((outer, inner))
    return list(found)


def _list_elements(page: ItemPage, chosen: NDArray[np.bool_]) -> list[int]:
    """List the chosen elements in the body of a page."""
    nodes = slice(page.body + 1, page.ends[page.body])
    found: list[int] = (np.flatnonzero(chosen[nodes] & (page.document.tags[nodes] >= 0)) + nodes.start).tolist()
    return found


def _fits_path(page: ItemPage, path: StepPath, node: int) -> bool:
    for step in reversed(path):
        if not _fits(step, page.step(node)):
            return False
        node = page.parents[node]
    return True


def _fits(step: PathStep, other: PathStep) -> bool:
    return step.tag == other.tag and step.classes <= other.classes and step.name in ("", other.name)


def read_pages(documents: Sequence[Document]) -> list[ItemPage]:
    """Read documents with the class names and ids that several of them share."""
    classes, names = _shared_classes(documents), _shared_ids(documents)
    return [ItemPage(document, classes, names) for document in documents]


def _shared_ids(documents: Sequence[Document]) -> frozenset[str]:
    """Find the ids that all pages have."""
    ids = [{own["id"] for own in document.attributes if is_name(own.get("id", ""))} for document in documents]
    return frozenset(set.intersection(*ids)) if ids else frozenset()


def _shared_classes(documents: Sequence[Document]) -> frozenset[str]:
    """Find the class names that two pages have, or the only one.

    Parts that few pages have keep theirs, and of a single page those about amounts: few products are on sale.
    """
    counts = Counter(
        name
        for document in documents
        for name in {name for own in document.attributes if "class" in own for name in own["class"].split()}
    )
    least = min(2, len(documents))
    return frozenset(
        name for name, count in counts.items() if count >= least or telling_word(name) in _WORDS_OF_AMOUNTS
    )


TEXT, IMAGE, LINK = "text", "image", "link"
Group = dict[ItemPage, int]
"""An element by page."""
Groups = dict[ItemPage, list[int]]
"""Elements by page."""


@dataclass(frozen=True)
class Zones:
    """The parts of the sample pages: for each node of each page, whether it is in them."""

    item: Mapping[ItemPage, NDArray[np.bool_]]
    """The part about the item."""
    others: Mapping[ItemPage, NDArray[np.bool_]]
    """Boilerplate, and cards of related items."""

    def counted(self, page: ItemPage) -> NDArray[np.bool_]:
        """Tell which nodes of a page are about the item and nothing else."""
        return self.item[page] & ~self.others[page]


def each_element(groups: Groups) -> list[tuple[ItemPage, int]]:
    """List the elements of all pages, each with its page."""
    return [(page, node) for page, nodes in groups.items() for node in nodes]


_SIGNS_THAT_COUNT = frozenset("$€£¥₹★☆")


def says_something(text: str) -> bool:
    """Tell whether a text is more than punctuation: a level of prices, `€€`, or of stars is a value too."""
    return any(map(str.isalnum, text)) or not _SIGNS_THAT_COUNT.isdisjoint(text)


def differ_in_type(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether each place of the rows of several pages has texts of a type of its own; the last may be empty.

    >>> differ_in_type([["3 May 2026", "40 min", "+44 20 55"], ["9 June 2026", "5 min"]]), differ_in_type([["a", "b"]])
    (True, False)
    """
    types = [list(map(type_of, row)) for row in rows]
    longest = max(types, key=len)
    return len(set(longest)) == len(longest) and all(row == longest[: len(row)] for row in types)


def have_own_types(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether some place of rows has an amount or a date on all pages, of a type that no other place has.

    >>> have_own_types([["4 €", "a chair"], ["9 €", "a bench"]]), have_own_types([["4 €", "5 €"], ["6 €", "7 €"]])
    (True, False)
    """
    types = [list(map(type_of, row)) for row in rows]
    same = [place[0] for place in zip(*types, strict=True) if len(set(place)) == 1]
    return any(kind[0] not in _UNTYPED and all(row.count(kind) == 1 for row in types) for kind in same)


_UNTYPED = ("address", "code", "text")


def type_of(text: str) -> tuple[str, str]:
    """Return the type of a text and its unit: one of those of columns, or `address`, `text` or `code`."""
    read = read_value(text, Locale())
    if read is not None:
        return read[0], read[1].unit or ""
    return "address" if "@" in text else "text" if any(map(str.isalpha, text)) else "code", ""


@dataclass(eq=False)
class Unit:
    """A part of the template with text, or with the address of a picture or link."""

    kind: str
    nodes: Groups
    values: dict[ItemPage, list[str]]
    label: str = ""
    """The label that is in the elements, or before them."""
    leaf: bool = False
    """Whether the values are texts directly in the elements."""
    is_last: bool = False
    """Whether the labels of pairs are behind their values."""
    places: Group = field(default_factory=dict)
    """For a leaf, which of the texts directly in its element it is, by page."""
    name: str = ""
    """The name, if it is known already."""
    attribute: str = ""
    """The attributes with the address of a picture or link."""

    @property
    def firsts(self) -> Group:
        """The first element of each page that has one."""
        return {page: nodes[0] for page, nodes in self.nodes.items() if nodes}

    @property
    def texts(self) -> list[str]:
        """The value of each page that has one; a list as one text."""
        return [", ".join(values) for values in self.values.values() if values]
