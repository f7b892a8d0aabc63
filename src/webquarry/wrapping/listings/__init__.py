"""Listings and tables: their records and columns learnt from mined regions, and read on pages without a browser.

Learning: `samples` sets the regions of sample pages beside each other, `owners` finds the nodes that say a mined value
and `unseen` what only a browser hides.  `alternatives` and `fields` make rules of columns, `regions` of where records
stand, and `learning` the wrapper; `agreement` tells how far it gives again what was mined, by which `choosing` decides.
Reading: `finding` looks for the records of a page, `matching` for the nodes of their fields, `cells` reads these,
and `reading` makes the extraction.  `tables` does both for tables, which are `grids` with headings.
Rules are written in `signatures`; `views` are documents made quick to look things up in.
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
