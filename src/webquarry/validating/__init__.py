"""Validating: what looks wrong in an extraction, by how it looks on the page, and why.

`extractions/` reads files of extractions, `addresses/` finds their nodes on pages, `selecting.py` takes what our own
stages give.  `judging.py` judges texts by the vote of a site (`votes/`) or by rank: their looks as vectors (`looks/`),
scored by `knn.py` or `hbos.py` and dropped as far as `stopping.py` says.  `columns/` judges values of records.
`reasons/` says why, in words; `grouping.py` tells what is judged together.

Where nodes are labelled (`labels.py`, `selectors.py`), `deleting.py` and `measuring.py` tell what deletion gives,
as in the paper's tables and figures.  `page/` is the report in HTML.
"""
