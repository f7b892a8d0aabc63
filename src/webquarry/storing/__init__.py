"""Storing: results to files and databases, whole or not at all.

`results.py` is what there is to store of a page, `formats.py` the table of formats.  JSON (`json_files.py`) and what
a terminal shows (`text_tables.py`, `text_outlines.py`) take page after page; the others gather the records of all pages
into one table (`gathering.py`) and write it in the end (`csv_files.py`, `parquet_files.py`, `duckdb_files.py`,
`sqlite_files.py`), without sections in sections where there cannot be any (`flattening.py`).  Tables of databases grow
as `fitting.py` and `nesting.py` say.  A table that is there as a whole, such as the answer to a query, goes to the same
formats by `tables.py`; `text_rows.py` shows it.  Articles go where `articles.py` says, as text and Markdown
by `text_pages.py`; reports where `reports.py` says.  `files.py` writes a file so that no half of it is ever seen,
`pieces.py` piece by piece, `json_texts.py` has lines that end where every reader ends them, and `names.py` finds a name
for the result of each page.
"""

from webquarry.storing.files import write_whole
from webquarry.storing.formats import FORMATS, Sink, choose_format, open_sink
from webquarry.storing.names import ResultNames
from webquarry.storing.results import PageRegions, PageResult, Storable
from webquarry.storing.tables import check_table_place, store_table

__all__ = [
    "FORMATS",
    "PageRegions",
    "PageResult",
    "ResultNames",
    "Sink",
    "Storable",
    "check_table_place",
    "choose_format",
    "open_sink",
    "store_table",
    "write_whole",
]
