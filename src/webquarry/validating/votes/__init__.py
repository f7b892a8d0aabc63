"""The vote per style class: what a reader called content page by page, put right by the pages of a site together.

`classes.py` tells which nodes look the same and stand in the same place, `ballots.py` has the votes of a page,
`tallying.py` those of a site, on `counting.py`.  `framing.py` finds the element of the template that holds the content,
`voting.py` decides and `telling.py` says why.  `sites.py` finds which pages are of one site, and `elections.py` lets
the pages of all sites of a run vote.
"""
