"""Formats of text: the pieces of a page, each in one format, line by line.

`trees.py` is what pages are read from: the columns of a document, or quicker the parser's own tree.  `elements.py`
tells what an element makes of the text in it: block, signature, whether it is seen; cells of `data_tables.py` are
known apart.  `pieces.py` cuts texts into pieces by it, and `looks.py` says how they look, as painted by a browser or as
far as signatures tell.  `selectors.py` makes CSS selectors of signatures.
"""

from webquarry.formats.elements import Elements
from webquarry.formats.looks import Look, rendered_look, static_look
from webquarry.formats.pieces import Piece, gather_pieces, open_tree, read_pieces
from webquarry.formats.selectors import to_selector
from webquarry.formats.trees import ColumnsTree, MarkupTree, Tree

__all__ = [
    "ColumnsTree",
    "Elements",
    "Look",
    "MarkupTree",
    "Piece",
    "Tree",
    "gather_pieces",
    "open_tree",
    "read_pieces",
    "rendered_look",
    "static_look",
    "to_selector",
]
