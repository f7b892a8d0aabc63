"""Querying: SQL over web sources, answered by DuckDB from as few pages as the query can need.

A `Catalog` says what there is to query: sources, which are read from the web on demand (`SourceTable`), and what
DuckDB has by itself: files, databases, tables at hand; and views over all of them.

A query (`querying.py`) is parsed and refused unless it is one SELECT of local things (`statements.py`, `guarding.py`).
Its tree becomes blocks and relations (`building.py`, `selecting.py`, `joining.py`, `resolving.py`, into `blocks.py` and
`trees.py`), which know the columns that are used (`using.py`).  For each occurrence of a source it is found out which
conditions restrict it (`restricting.py`), through all blocks that its rows go through (`contexts.py`).  They are put
into terms of what is at hand (`translating.py`), by which DuckDB tells the keys that are needed (`keys.py`).  The
occurrence that is best read next (`choosing.py`) is read (`executing.py`, `store.py`), which tells more keys of the
others; a LIMIT is filled bit by bit (`limits.py`).  In the end DuckDB answers the query as it was written, over what
was read (`engine.py`): conditions that were not understood cost pages, never rows.
"""

from webquarry.querying.answers import Answer, Plan, Step
from webquarry.querying.catalog import Catalog, ColumnPath, Reading, SourceTable
from webquarry.querying.querying import answer, explain

__all__ = [
    "Answer",
    "Catalog",
    "ColumnPath",
    "Plan",
    "Reading",
    "SourceTable",
    "Step",
    "answer",
    "explain",
]
