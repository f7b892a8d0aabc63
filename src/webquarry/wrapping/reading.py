"""Reading pages of a source by its wrapper."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from webquarry.formats.elements import Elements, Sort
from webquarry.formats.pieces import Piece, gather_pieces, open_tree
from webquarry.formats.trees import Marks, MarkupTree, Tree
from webquarry.model import Document, Extraction, SectionValue, Wrapper
from webquarry.model.wrapper import TITLE
from webquarry.values import Locale
from webquarry.wrapping.loosening import Loosening
from webquarry.wrapping.narrowing import Narrowing
from webquarry.wrapping.parsing import Parser, find_missing, find_unknown, is_wanted
from webquarry.wrapping.titles import read_title, strip_title
from webquarry.wrapping.writing import Writer


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
