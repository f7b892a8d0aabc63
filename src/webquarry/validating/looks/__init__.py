"""How nodes look, as vectors of numbers: the encoding of the paper's section 4.2.

`styles.py` gathers styles of nodes of many pages as codes, `vectors.py` makes of each distinct one a row of numbers:
lengths by `lengths.py` after `percentages.py` resolved them, colours by `colours.py`, categories by the lists in
`css_values.py`.  `distinct.py` finds equal rows.
"""
