"""Addresses of any tree of a page, found on the tree at hand.

`rows.py` is what an extraction says of a node.  `mapping.py` finds its node: by path (`paths.py`), then by text and
order (`spans.py`).
"""
