"""Querying: SQL over web sources, answered by DuckDB from as few pages as the query can need.

A `Catalog` says what there is to query: sources, which are read from the web on demand (`SourceTable`), and what
DuckDB has by itself: files, databases, tables at hand; and views over all of them.
"""
