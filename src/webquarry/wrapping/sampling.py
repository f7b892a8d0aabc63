"""Reading sample pages together: which class names tell formats apart, what is hidden, what names each page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.formats.elements import SEPARATOR, Elements
from webquarry.formats.pieces import read_pieces
from webquarry.formats.trees import ColumnsTree
from webquarry.html.kinds import Kind
from webquarry.model import Document
from webquarry.wrapping.samples import Samples, to_sample
from webquarry.wrapping.titles import find_title, strip_title

STABLE_SHARE = 0.6
"""Of the sample pages; a class name on fewer belongs to single pages, such as the colour of a region."""

HIDING_CLASSES = frozenset(
    "d-none hidden hide invisible modal offscreen screen-reader-only screen-reader-text sr-only visually-hidden "
    "visuallyhidden".split()
)
"""What the common style sheets hide, or hide until it is asked for."""


def read_samples(documents: Sequence[Document]) -> Samples:
    """The pages as pieces; class names that vary over them are left out of signatures, titles out of headings."""
    classes = _stable_classes(documents)
    trees = [ColumnsTree(document) for document in documents]
    hidden = _find_hidden(trees, classes)
    pages = [to_sample(tree.document, read_pieces(tree, classes, hidden)) for tree in trees]
    title = find_title(pages)
    for page in pages:
        strip_title(page.pieces, next((piece.text for piece in page.pieces if piece.signature == title), ""))
    return Samples(pages, classes, hidden, title)


def _stable_classes(documents: Sequence[Document]) -> frozenset[str]:
    """The class names that most pages have, but for those that are one page's variant of what all have.

    Where such a name stands, it stands on all elements of a tag that have another name, as `bar-europe` on `div.bar`.
    """
    listed = [_list_classes(document) for document in documents]
    pages: Counter[str] = Counter(name for names in listed for name in {name for _, each in names for name in each})
    everywhere = {name for name, count in pages.items() if count == len(documents)}
    most = {name for name, count in pages.items() if STABLE_SHARE * len(documents) <= count < len(documents)}
    return frozenset(everywhere | {name for name in most if not _is_variant(name, listed, everywhere)})


def _list_classes(document: Document) -> list[tuple[str, list[str]]]:
    """The tag and the class names of each element that has any."""
    classed = [(node, each["class"]) for node, each in enumerate(document.attributes) if "class" in each]
    return [(document.tag(node), names.split()) for node, names in classed]


def _is_variant(name: str, listed: Sequence[Sequence[tuple[str, list[str]]]], everywhere: Collection[str]) -> bool:
    """Whether elements have the name for being of a tag and of another name; those that have it alone do not tell."""
    with_it = [names for names in listed if any(name in each for _, each in names)]
    bare: set[tuple[str, str]] = set()
    beside: list[set[tuple[str, str]]] = []
    for tag, each in (element for names in with_it for element in names):
        pairs = {(tag, other) for other in each if other in everywhere}
        if name not in each:
            bare |= pairs
        elif pairs:
            beside.append(pairs)
    return bool(beside) and all(pairs - bare for pairs in beside)


def _find_hidden(trees: Sequence[ColumnsTree], classes: frozenset[str]) -> tuple[str, ...]:
    """The steps, or pairs of them, that tell what is hidden by style sheets alone.

    Without a layout they are those whose class names say so by convention.
    """
    if any(tree.document.layout is None for tree in trees):
        return tuple(sorted({step for tree in trees for step in _called_hidden(tree, classes)}))
    hidden: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for tree in trees:
        elements = Elements(tree, classes)
        document = tree.document
        texts, shown = _count_texts(document)
        for node in np.flatnonzero(document.tags >= 0).tolist():
            parent = tree.parent(node)
            _, _, is_unseen, _, _, step, _ = elements(node)
            if parent is None or is_unseen:
                continue
            both = (step, elements.step(parent) + SEPARATOR + step)
            if shown[node]:
                seen.update(both)
            elif texts[node] and shown[parent]:
                hidden.update(both)
    return _shortest(hidden, seen)


def _called_hidden(tree: ColumnsTree, classes: frozenset[str]) -> Iterator[str]:
    elements = Elements(tree, classes)
    for node, attributes in enumerate(tree.document.attributes):
        if "class" in attributes and not HIDING_CLASSES.isdisjoint(attributes["class"].split()):
            yield elements.step(node)


def _count_texts(document: Document) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each node how many texts that are not blank it holds, and how many of them are shown."""
    is_text = np.array([bool(text) and not text.isspace() for text in document.texts]) & (document.kinds == Kind.TEXT)
    before = np.concatenate([[0], np.cumsum(is_text)])
    shown_before = np.concatenate([[0], np.cumsum(is_text & ~document.hidden)])
    return before[document.ends] - before[:-1], shown_before[document.ends] - shown_before[:-1]


def _shortest(hidden: Counter[str], seen: Counter[str]) -> tuple[str, ...]:
    single = {step for step in hidden if SEPARATOR not in step and step not in seen and "." in step}
    pairs = {
        step
        for step in hidden
        if SEPARATOR in step and step not in seen and step.partition(SEPARATOR)[2] not in single and "." in step
    }
    return (*sorted(single), *sorted(pairs))
