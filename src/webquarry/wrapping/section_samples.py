"""Represent the sample pages that sections are learnt from: pieces of text with formats and indents, and a title.

The title is the heading that names a page, such as the country in a fact book; other headings may repeat it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind
from webquarry.html.node_paths import depths_of
from webquarry.html.visibility import is_for_screen_readers
from webquarry.model.document import Document, Layout
from webquarry.page.looks import Look, indents, rendered_look, static_look
from webquarry.page.text_runs import (
    COLON,
    RUN_IN,
    SEPARATOR,
    Elements,
    Piece,
    read_first_piece,
    read_pieces,
    to_selector,
)
from webquarry.page.trees import ColumnsTree, MarkupTree, Tree

MIN_SHARE_OF_HEADINGS_IN_CONTENT = 0.95
"""Share of the headings that the content of a page contains."""
SAME_SIZE = 0.5
"""Pixels: formats whose sizes differ by no more have one size.  Sizes are rounded to the half."""
MIN_SHARE_OF_PAGES_WITH_CLASS = 0.6
"""A class name on fewer of the sample pages belongs to single pages, such as the colour of a region."""
HIDING_CLASSES = frozenset("d-none hidden hide invisible modal offscreen".split())
"""Class names that common style sheets hide, at least at first."""
PIXELS_PER_SPACE = 8.0
"""Width of a space of preformatted text."""


class Closeness:
    """Answers which elements of a document are close to each other."""

    def __init__(self, document: Document) -> None:
        self._parents: list[int] = document.parents.tolist()
        self._ends: list[int] = document.ends.tolist()
        self._depths: list[int] = depths_of(document.ends).tolist()

    def depth_around(self, first: int, second: int) -> int:
        """Return the depth of the smallest element that contains both."""
        here, other = min(first, second), max(first, second)
        while self._ends[here] <= other:
            here = self._parents[here]
        return self._depths[here]

    def smallest_around(self, elements: Sequence[int]) -> int:
        """Find the smallest element that contains most of some elements."""
        if not elements:
            return 0
        ordered = sorted(elements)
        here = ordered[len(ordered) // 2]
        while here > 0:
            inside = bisect_left(ordered, self._ends[here]) - bisect_left(ordered, here)
            if inside >= MIN_SHARE_OF_HEADINGS_IN_CONTENT * len(ordered):
                break
            here = self._parents[here]
        return here


@dataclass(frozen=True)
class Format:
    """The signature and look that pieces of one kind have in common."""

    signature: str
    look: Look

    @property
    def style(self) -> Format:
        """The format as a person sees it: a label looks the same whether its value is beside or below it."""
        if not self.signature.endswith(RUN_IN):
            return self
        return Format(self.signature.removesuffix(RUN_IN) + COLON, self.look)


@dataclass(slots=True, kw_only=True)
class SamplePiece(Piece):
    """A piece of a sample page."""

    format: Format
    left: float
    """Pixels from the side where lines begin."""


@dataclass(frozen=True)
class Sample:
    """A page as its visible pieces."""

    document: Document
    pieces: list[SamplePiece]
    content: int = 0
    """The element that contains the headings."""
    spots: dict[Any, list[Any]] = field(default_factory=dict, compare=False, repr=False)
    """The headings that wrappers found on it last; see `read_spots`."""
    looks: dict[int, str] = field(default_factory=dict, compare=False, repr=False)
    """The looks of its elements, as far as they were asked for."""

    @cached_property
    def tree(self) -> ColumnsTree:
        """The nodes of the page."""
        return ColumnsTree(self.document)

    @cached_property
    def closeness(self) -> Closeness:
        """The elements of the page by closeness."""
        return Closeness(self.document)


@dataclass(frozen=True)
class Samples:
    """The sample pages of a source, read with the same class names."""

    pages: list[Sample]
    classes: frozenset[str]
    """The class names that signatures are made of."""
    hidden: tuple[str, ...]
    """Steps of elements that are hidden on every page, though their markup does not say so."""
    title: str
    """The signature of the heading that names a page."""

    @property
    def is_rendered(self) -> bool:
        """True if all pages have a layout."""
        return all(page.document.layout is not None for page in self.pages)


def read_samples(documents: Sequence[Document]) -> Samples:
    """Read pages as pieces; varying class names are left out of signatures, titles out of headings."""
    classes = stable_classes(documents)
    trees = [ColumnsTree(document) for document in documents]
    hidden = _find_hidden(trees, classes)
    pages = [to_sample(tree.document, read_pieces(tree, classes, hidden)) for tree in trees]
    title = find_title(pages)
    for page in pages:
        strip_title(page.pieces, next((piece.text for piece in page.pieces if piece.signature == title), ""))
    return Samples(pages, classes, hidden, title)


def stable_classes(documents: Sequence[Document]) -> frozenset[str]:
    """Find the class names that most pages have."""
    written = ({each["class"] for each in document.attributes if "class" in each} for document in documents)
    pages = Counter(name for values in written for name in set(" ".join(values).split()))
    return frozenset(name for name, count in pages.items() if count >= MIN_SHARE_OF_PAGES_WITH_CLASS * len(documents))


def _find_hidden(trees: Sequence[ColumnsTree], classes: frozenset[str]) -> tuple[str, ...]:
    """Find the steps, or pairs of steps, that only style sheets hide.

    Without a layout, they are those whose class names say so by convention.
    """
    if any(tree.document.layout is None for tree in trees):
        return tuple(sorted({step for tree in trees for step in _hidden_by_name(tree, classes)}))
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


def _hidden_by_name(tree: ColumnsTree, classes: frozenset[str]) -> Iterator[str]:
    elements = Elements(tree, classes)
    for node, attributes in enumerate(tree.document.attributes):
        names = attributes.get("class", "")
        if names and (is_for_screen_readers(names) or not HIDING_CLASSES.isdisjoint(names.split())):
            yield elements.step(node)


def _count_texts(document: Document) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count for each node the texts that it contains and that are not blank, and how many of them are shown."""
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


def to_sample(document: Document, pieces: Iterable[Piece]) -> Sample:
    """Read a page as its visible pieces with their formats."""
    is_hidden, layout = document.hidden, document.layout
    left = indents(document) if layout is None else _distances_from_start(document, layout)
    looks: dict[int, Look] = {}

    def look_of(piece: Piece) -> Look:
        if layout is None:
            return static_look(piece.signature)
        if piece.element not in looks:
            looks[piece.element] = rendered_look(layout, piece.element)
        return looks[piece.element]

    return Sample(
        document,
        [
            SamplePiece(
                **{name: getattr(piece, name) for name in _PIECE},
                format=Format(piece.signature, look_of(piece)),
                left=float(left[piece.node]) + PIXELS_PER_SPACE * piece.indent,
            )
            for piece in pieces
            if not is_hidden[piece.node]
        ],
    )


_PIECE = [each.name for each in fields(Piece)]


def _distances_from_start(document: Document, layout: Layout) -> NDArray[np.float32]:
    """Measure the distance of each node from the side where lines begin, in pixels."""
    left, width = layout.boxes[:, 0], layout.boxes[:, 2]
    outermost = [node for path in ("/html", "/html/body") if (node := document.node(path)) is not None]
    is_rtl = any(document.attributes[node].get("dir", "").lower() == "rtl" for node in outermost)
    return layout.width - left - width if is_rtl else left


MIN_REPEATING_HEADINGS = 3
"""Headings of a signature that repeat the title."""
MIN_SHARE_REPEATING = 0.8
"""Share of the pieces of a signature that repeat the title."""
MAX_TITLE_CANDIDATES = 500
"""Elements of the title's tag that are tried on a page."""
_TAG_ENDS = re.compile(r"[.:\[]")
_SEPARATORS = " \xa0:;,.-–—|·•»/"  # noqa: RUF001 - dashes of all kinds


def find_title(pages: Sequence[Sample]) -> str:
    """Find the signature of the largest text that is unique to each page; empty if there is none.

    A page has it once, or always the same; no two pages share it.  A single page is not enough to find it.
    """
    if len(pages) <= 1:
        return ""
    own = [_single_texts(page) for page in pages]
    shared = set.intersection(*(set(texts) for texts in own))
    distinct = [format_ for format_ in shared if len({texts[format_][1] for texts in own}) == len(pages)]
    if not distinct:
        return ""

    def rank(format_: Format) -> tuple[float, bool, int]:
        return -format_.look.size, not format_.look.is_bold, sum(texts[format_][0] for texts in own)

    return min(distinct, key=rank).signature


def _single_texts(page: Sample) -> dict[Format, tuple[int, str]]:
    """Map each format whose pieces are all one text to the number of the first piece, and the text."""
    found: dict[Format, tuple[int, str]] = {}
    several = set()
    for place, piece in enumerate(page.pieces):
        is_label = piece.signature.endswith((COLON, RUN_IN))
        _, text = found.setdefault(piece.format, (place, piece.text))
        if is_label or text != piece.text:
            several.add(piece.format)
    return {format_: text for format_, text in found.items() if format_ not in several}


def read_title(tree: Tree[Any], elements: Elements, signature: str) -> Piece | None:
    """Find the title of a page."""
    for node in _candidates(tree, signature)[:MAX_TITLE_CANDIDATES] if signature else []:
        _, found, is_hidden, *_ = elements(node)
        if found == signature and not is_hidden:
            piece = read_first_piece(tree, elements, node)
            if piece is not None and piece.signature == signature:
                return piece
    return None


def _candidates(tree: Tree[Any], signature: str) -> list[Any]:
    """Select the elements whose text may have a signature."""
    selector = to_selector([signature])
    if isinstance(tree, MarkupTree) and selector:
        return tree.select(selector)
    step = signature.rsplit(SEPARATOR, maxsplit=1)[-1]
    return tree.named(_TAG_ENDS.split(step, maxsplit=1)[0])


def strip_title(pieces: Sequence[Piece], title: str) -> None:
    """Remove the page's title from headings that repeat it, as in `Geography :: Elm` or `Elm: Geography`.

    Headings repeat it if nearly all pieces of their signature do.
    """
    if not title:
        return
    repeating: dict[str, list[Piece]] = defaultdict(list)
    for piece in pieces:
        if title in piece.text and without_title(piece.text, title):
            repeating[piece.signature].append(piece)
    totals = Counter(piece.signature for piece in pieces) if repeating else Counter[str]()
    for signature, found in repeating.items():
        if len(found) >= MIN_REPEATING_HEADINGS and len(found) >= MIN_SHARE_REPEATING * totals[signature]:
            for piece in found:
                piece.text = without_title(piece.text, title)


def without_title(text: str, title: str) -> str:
    """Remove a title that a text begins or ends with; return an empty text if it does not.

    >>> [without_title(text, "Elm") for text in ("Geography :: Elm", "Elm, Geography", "New Elm Geography")]
    ['Geography', 'Geography', '']
    """
    if text.endswith(title):
        return text.removesuffix(title).rstrip(_SEPARATORS)
    return text.removeprefix(title).lstrip(_SEPARATORS) if text.startswith(title) else ""
