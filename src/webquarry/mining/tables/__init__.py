"""Tables: the data tables of a document as regions.

`regions.py` is the recipe: `cell_contents.py` and `cell_looks.py` read cells, `grid.py` lays them out in rows and
columns, `headers.py` tells header rows from records and names columns, `data_tables.py` tells data from layout,
`ranking.py` ranks.  The table model itself is in `html/tables.py`.
"""

from webquarry.mining.tables.regions import grid_of, mine_tables

__all__ = ["grid_of", "mine_tables"]
