"""Listings and tables: their records and columns learnt from mined regions, and read on pages without a browser.

`samples` sets the regions of sample pages beside each other, `owners` finds which nodes say a mined value, `fields`
makes rules of them and `learning` the wrapper; `agreement` tells how far it gives again what was mined, and `unseen`
what only a browser hides.  `finding` looks for the records of a page, `matching` for the nodes of their fields,
`cells` reads these and `reading` makes the extraction.  `signatures` are what rules are written in, `views` documents
made quick to look things up in.  `tables` does the same for tables, whose columns are known by their headings.
"""

from webquarry.wrapping.listings.agreement import Agreement
from webquarry.wrapping.listings.learning import check_listing, learn_listing
from webquarry.wrapping.listings.reading import read_listing
from webquarry.wrapping.listings.tables import check_table, learn_table, read_table

__all__ = [
    "Agreement",
    "check_listing",
    "check_table",
    "learn_listing",
    "learn_table",
    "read_listing",
    "read_table",
]
