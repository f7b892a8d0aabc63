"""Validating: what looks wrong in an extraction, by how it looks on the page beside the rest, and why.

All starts from selections (`selecting.py`): of what our stages give, or of the files of any system (`extractions/`),
whose addresses are found again on the tree at hand (`addresses/`).  `grouping.py` tells which of them are judged
together.

There are three ways to judge.  `votes/` lets the pages of a site decide on texts in one place and style.  `columns/`
compares values of records with the others of their column.  The paper's `knn.py` and `hbos.py`, by name in
`scoring.py`, score styles as vectors of numbers (`looks/`); `deleting.py` then follows precision, recall and F1 while
the oddest go, and `stopping.py` knows where to stop without labels.

`judging.py` makes verdicts of votes and scores, by the texts that nodes hold (`shares.py`), and `reasons/` says them in
words.  `labels.py` and `selectors.py` have what people say is content, `measuring.py` what a report is worth by that.
`page/` writes the report.
"""
