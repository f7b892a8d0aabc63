"""Querying: SQL over web sources, answered by DuckDB from as few pages as the query can need."""
