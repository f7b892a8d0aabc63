"""Storing: results to files and databases, whole or not at all.

`results.py` is what there is to store of a page, `formats.py` the table of formats.  JSON (`json_files.py`) and
tables for a terminal (`text_tables.py`) take page after page; the others gather the best region of each page
into one table (`gathering.py`) and write it in the end (`csv_files.py`, `parquet_files.py`, `duckdb_files.py`,
`sqlite_files.py`), tables of databases growing as `fitting.py` says.  `files.py` writes a file so that no half
of it is ever seen, `names.py` finds a name for the result of each page.
"""

from webquarry.storing.files import write_whole
from webquarry.storing.formats import FORMATS, Sink, choose_format, open_sink
from webquarry.storing.names import ResultNames
from webquarry.storing.results import PageRegions, PageResult

__all__ = [
    "FORMATS",
    "PageRegions",
    "PageResult",
    "ResultNames",
    "Sink",
    "choose_format",
    "open_sink",
    "write_whole",
]
