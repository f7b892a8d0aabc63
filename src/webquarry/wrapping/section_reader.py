"""Reading pages of a source by its wrapper."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.wrapper import TITLE, TokenFormat, Wrapper
from webquarry.page.text_runs import SEPARATOR, Elements, Piece, Sort, gather_pieces, open_tree, to_selector
from webquarry.page.trees import Leaf, Marks, MarkupTree, Tree
from webquarry.values.locale import Locale
from webquarry.wrapping.page_titles import read_title, strip_title, without_title
from webquarry.wrapping.section_headings import heading_name
from webquarry.wrapping.section_parser import Parser, find_missing, find_unknown, is_wanted
from webquarry.wrapping.section_values import Writer

# MERGED wrapping/narrowing: Which part of a page must be read, when only some of its sections are wanted.
MOST_CANDIDATES = 500
"""Elements that may be outermost headings; with more, reading the whole page costs no more."""


class Narrowing:
    """Finds the outermost sections that are wanted by their headings, so that nothing else is looked at."""

    def __init__(self, tokens: Sequence[TokenFormat], wanted: Collection[str]) -> None:
        outermost = min((token.level for token in tokens), default=0)
        self._signatures = {token.signature for token in tokens if token.level == outermost}
        self._wanted = frozenset(wanted)
        self._selector = to_selector(self._signatures)

    def leaves(self, tree: MarkupTree, elements: Elements, content: Sequence[Any], title: str) -> list[Leaf] | None:
        """The leaves of the wanted sections in the content; None when all of it must be read to find them."""
        candidates = tree.select(self._selector) if self._selector else []
        if not 0 < len(candidates) <= MOST_CANDIDATES:
            return None
        headings = [(element, name) for element in candidates if (name := self._name(tree, elements, element, title))]
        found: list[Leaf] = []
        for place, (element, name) in enumerate(headings):
            if name in self._wanted:
                end = headings[place + 1][0] if place + 1 < len(headings) else tree.after(content)
                found += tree.leaves_between(element, end)
        return found or None

    def _name(self, tree: MarkupTree, elements: Elements, element: Any, title: str) -> str:
        """The name of the heading that an element is, without the title of the page where it repeats that."""
        pieces = gather_pieces(elements, tree.leaves([element]))
        if not pieces or pieces[0].signature not in self._signatures:
            return ""
        name, shorter = heading_name(pieces[0].text), without_title(pieces[0].text, title) if title else ""
        return heading_name(shorter) if shorter and name not in self._wanted else name


# MERGED wrapping/loosening: Pages whose class names vary where those of the samples did not.
# MERGED
# MERGED Samples may all be of one region, language or year, and have its class name on every heading.  Pages
# MERGED lack that name: such a heading has some of the names of its format, and says what headings of the gr
OUTER_LEVELS = 2
"""Levels whose headings a page does not lack: those of its sections and of most of their fields."""
MOST = 0.5
"""Share of the pieces of a signature whose names the grammar has."""
_STEP = re.compile(r"([\w-]+)((?:\.[^.\[:\s]+)*)(.*)", re.DOTALL)


class Loosening:
    """Gives headings that lack a class name of their format its signature, where a page has none of that."""

    def __init__(self, wrapper: Wrapper) -> None:
        signatures = {token.signature for token in wrapper.tokens}
        self._outer = {token.signature for token in wrapper.tokens if token.level <= OUTER_LEVELS}
        self._ignored = frozenset(wrapper.ignored)
        self._known = {*signatures, *wrapper.ignored, wrapper.title}
        self._names = {section.name for _, section in wrapper.grammar.walk()}

    def loosen(self, pieces: Sequence[Piece]) -> None:
        """Change the signatures of such pieces; where class names vary, what is no content may lack one too."""
        present = {piece.signature for piece in pieces}
        absent = self._outer - present
        looser = find_looser(pieces, absent, self._known, self._names) if absent else {}
        if not looser:
            return
        looser |= find_looser(pieces, self._ignored - present, {*self._known, *looser})
        for piece in pieces:
            piece.signature = looser.get(piece.signature, piece.signature)


def find_looser(
    pieces: Sequence[Piece], absent: Collection[str], known: Collection[str], names: Collection[str] | None = None
) -> dict[str, str]:
    """Signatures of a page that stand for those that it lacks, each with the one that it stands for.

    `absent` are the signatures that the page lacks, `known` all that the wrapper has; those of headings must mostly
    say one of `names`.
    """
    texts: dict[str, list[str]] = defaultdict(list)
    for piece in pieces:
        if piece.signature not in known:
            texts[piece.signature].append(piece.text)
    found = {}
    for wanted in absent:
        looser = [signature for signature in texts if is_looser(signature, wanted)]
        if names is not None:
            looser = [each for each in looser if _share_of_names(texts[each], names) >= MOST]
        if len(looser) == 1:
            found[looser[0]] = wanted
    return found


def is_looser(signature: str, other: str) -> bool:
    """Whether a signature has the tags of another, and some of its class names but not all.

    >>> is_looser("div.bar > b :", "div.bar.europe > b :"), is_looser("div > b :", "div.bar > b :")
    (True, False)
    """
    ours, theirs = signature.split(SEPARATOR), other.split(SEPARATOR)
    if signature == other or len(ours) != len(theirs):
        return False
    has_names = False
    for own, its in zip(map(_parts, ours), map(_parts, theirs), strict=True):
        if own[0] != its[0] or not own[1] <= its[1]:
            return False
        has_names |= bool(own[1])
    return has_names


def _parts(step: str) -> tuple[tuple[str, str], frozenset[str]]:
    """The tag of a step with what follows its class names, and these."""
    found = _STEP.fullmatch(step)
    if found is None:
        return (step, ""), frozenset()
    tag, classes, rest = found.groups()
    return (tag, rest), frozenset(classes.split(".")[1:])


def _share_of_names(texts: Sequence[str], names: Collection[str]) -> float:
    return sum(heading_name(text) in names for text in texts) / len(texts)


class Reader:
    """Reads pages of a source; made once for many pages."""

    def __init__(self, wrapper: Wrapper, only: Collection[str] = ()) -> None:
        """`only` are the dotted paths of the sections that are wanted, `_title` among them; all when there are none."""
        self._wrapper = wrapper
        self._parser = Parser(wrapper)
        self._classes = frozenset(wrapper.classes)
        self._only = [tuple(path.split(".")) for path in only]
        self._narrowing = Narrowing(wrapper.tokens, {path[0] for path in self._only}) if only else None
        self._sorts: dict[Marks, Sort] = {}
        self._loosening = Loosening(wrapper)
        source = wrapper.source
        self._locale = Locale(source.decimal, source.day_first, source.language)

    def read(self, document: Document) -> Extraction:
        """What the page has of the sections."""
        tree = open_tree(document)
        title, pieces = self.read_pieces(tree)
        root = self._parser.parse(document, pieces)
        values = Writer(tree, self._locale, self._only).write(root)
        if title is not None and (not self._only or (TITLE,) in self._only):
            values = (SectionValue((TITLE,), (TITLE,), title.text, tree.xpath(title.element)), *values)
        missing = (path for path in find_missing(root) if is_wanted(tuple(path.split(".")), self._only))
        return Extraction(
            page=document.url,
            document=document.kind,
            source=self._wrapper.source.name,
            values=values,
            missing=tuple(missing),
            unknown=tuple(find_unknown(root)),
        )

    def read_pieces(self, tree: Tree[Any]) -> tuple[Piece | None, list[Piece]]:
        """The title of a page, and the pieces that its sections are told by."""
        elements = Elements(tree, self._classes, self._wrapper.hidden, self._sorts)
        title = read_title(tree, elements, self._wrapper.title)
        named = title.text if title else ""
        content = elements.follow(self._wrapper.content)
        leaves = None
        if self._narrowing is not None and isinstance(tree, MarkupTree):
            leaves = self._narrowing.leaves(tree, elements, content, named)
        pieces = gather_pieces(elements, tree.leaves(content) if leaves is None else leaves)
        strip_title(pieces, named)
        self._loosening.loosen(pieces)
        return title, pieces
