"""Reading pages of a source by its wrapper."""

from __future__ import annotations

from collections.abc import Collection

from webquarry.formats.pieces import open_tree, read_pieces
from webquarry.model import Document, Extraction, Wrapper
from webquarry.values import Locale
from webquarry.wrapping.parsing import Parser, find_missing, find_unknown
from webquarry.wrapping.writing import Writer


class Reader:
    """Reads pages of a source; made once for many pages."""

    def __init__(self, wrapper: Wrapper, only: Collection[str] = ()) -> None:
        """`only` are the dotted paths of the sections that are wanted; all when there are none."""
        self._wrapper = wrapper
        self._parser = Parser(wrapper)
        self._classes = frozenset(wrapper.classes)
        self._only = [tuple(path.split(".")) for path in only]
        source = wrapper.source
        self._locale = Locale(source.decimal, source.day_first, source.language)

    def read(self, document: Document) -> Extraction:
        """What the page has of the sections."""
        tree = open_tree(document)
        pieces = read_pieces(tree, self._classes, self._wrapper.hidden, self._wrapper.content)
        root = self._parser.parse(document, pieces)
        return Extraction(
            page=document.url,
            document=document.kind,
            source=self._wrapper.source.name,
            values=Writer(tree, self._locale, self._only).write(root),
            missing=tuple(find_missing(root)),
            unknown=tuple(find_unknown(root)),
        )
