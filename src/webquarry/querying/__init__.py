"""Querying: SQL over web sources, answered by DuckDB from as few pages as the query can need.

A `Catalog` says what there is to query: sources, which are read from the web on demand (`SourceTable`), and what
DuckDB has by itself: files, databases, tables at hand; and views over all of them.
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
