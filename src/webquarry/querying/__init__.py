"""Querying: SQL over web sources, answered by DuckDB from as few pages as the query can need.

A `Catalog` says what there is to query: sources, which are read from the web on demand (`SourceTable`), and what
DuckDB has by itself: files, databases, tables at hand; and views over all of them.

A query (`querying.py`) is read in `parsing/`: its tree becomes blocks and relations, and each name in it is understood
or counts as whatever it can be.  `planning/` finds which keys of each source it needs, by statements that DuckDB
(`engine.py`) answers over what is at hand: the keys of indexes, and what was read so far.  `executing.py` reads the
pages (`store.py`), each once and no more than are allowed (`counting.py`).  In the end DuckDB answers the query as it
was written, over what was read: conditions that were not understood cost pages, never rows.
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
