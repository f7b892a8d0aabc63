"""Mining: a document to its regions of records, and the records to columns.

`visual.py` is the default miner, on `records/`; `emine.py` and `mdr.py` are the papers' own; `tables/` reads data
tables.  They work on the leaves of a document (`leaves.py`), and the records of all but the last are aligned in columns
by `fields/`.  `listings/` follows records from page to page.
"""
