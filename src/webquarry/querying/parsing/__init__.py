"""From the text of a query to what its names stand for.

A query is refused unless it is one SELECT (`statements.py`) of sources and local things (`guarding.py`).  Its tree
becomes a `Tree` (`trees.py`) of blocks and relations (`blocks.py`): `building.py` makes these, `selecting.py` fills the
block of a SELECT, for which `joining.py` knows its FROM and `resolving.py` its names.  `using.py` notes which columns
the answer depends on; `aggregates.py` and `volatility.py` know functions, `expressions.py` the parts of expressions.
"""
