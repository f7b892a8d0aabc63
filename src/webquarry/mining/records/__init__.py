"""Records: from the leaves of a document to the groups of them that are records.

`grouping.py` finds candidates, with `sequences.py` for runs of siblings and `menus.py` for menus, which both part nodes
by their parent (`siblings.py`); `candidates.py` holds them as columns.  `measures.py` counts what can be counted of
them, `scoring.py` makes one figure of it.  `choosing.py` takes the best, `rows.py` splits rows of a grid, `members.py`
settles who belongs, knowing `advertisements.py`; `furniture.py` knows what is on every page of a site, `single.py` what
to do where nothing comes again.
"""
