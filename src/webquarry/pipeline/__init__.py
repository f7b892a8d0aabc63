"""The order of the stages, written once; implementations are chosen by name from plain tables.

`pages.py` makes documents of pages, `mining.py` regions of documents, `reading.py` articles, `wrapping.py` wrappers of
sample pages and extractions of all pages: `verifying.py` tells whether that goes without a browser, `narrowing.py`
cuts to what is wanted.  `correcting.py` takes what a person says about a wrapper, `sources.py` knows where wrapper
files and the pages of a source are.  `validating.py` reports what looks wrong in what was extracted, `extractions.py`
in files of any system, whose pages `extracted_pages.py` has again and whose labels `labels.py`; `voters.py` knows what
readers say to a vote.  `querying.py` answers SQL: `catalogs.py` finds what a query can name, `source_tables.py` makes
tables of sources; `page_places.py` knows their pages by keys, `page_supply.py` fetches each once a query and
`page_reading.py` judges what was read.  What fails on one page does not stop the others: `attempts.py`.
"""

from webquarry.pipeline.correcting import ACTIONS, check_options, correct, undo
from webquarry.pipeline.extractions import (
    load_extraction,
    measure_report,
    picture,
    validate_extractions,
    write_report,
)
from webquarry.pipeline.labels import load_labels
from webquarry.pipeline.mining import MINERS, mine, mine_all, mine_following, mine_pictured
from webquarry.pipeline.narrowing import find_paths, find_wanted, narrow_wrapper
from webquarry.pipeline.pages import (
    CLEANERS,
    RENDERING,
    clean,
    clean_all,
    fetch,
    fetch_all,
    open_reader,
    render,
    render_all,
    shoot,
)
from webquarry.pipeline.querying import Connection, connect
from webquarry.pipeline.reading import ARTICLE_READERS, read, read_all
from webquarry.pipeline.sources import (
    address_of,
    find_base,
    load_wrapper,
    name_by_index,
    relative_to,
    save_wrapper,
    sources_of,
)
from webquarry.pipeline.validating import JUDGES, LOOKING, SCOPES, drop, validate
from webquarry.pipeline.wrapping import READERS, WRAPPERS, extract, extract_all, wrap, wrap_pictured, wrap_samples

__all__ = [
    "ACTIONS",
    "ARTICLE_READERS",
    "CLEANERS",
    "JUDGES",
    "LOOKING",
    "MINERS",
    "READERS",
    "RENDERING",
    "SCOPES",
    "WRAPPERS",
    "Connection",
    "address_of",
    "check_options",
    "clean",
    "clean_all",
    "connect",
    "correct",
    "drop",
    "extract",
    "extract_all",
    "fetch",
    "fetch_all",
    "find_base",
    "find_paths",
    "find_wanted",
    "load_extraction",
    "load_labels",
    "load_wrapper",
    "measure_report",
    "mine",
    "mine_all",
    "mine_following",
    "mine_pictured",
    "name_by_index",
    "narrow_wrapper",
    "open_reader",
    "picture",
    "read",
    "read_all",
    "relative_to",
    "render",
    "render_all",
    "save_wrapper",
    "shoot",
    "sources_of",
    "undo",
    "validate",
    "validate_extractions",
    "wrap",
    "wrap_pictured",
    "wrap_samples",
    "write_report",
]
