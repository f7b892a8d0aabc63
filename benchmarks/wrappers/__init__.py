"""What wrappers do: sections learnt and read, the paper's Table 2 again, numbers beside the CIA's own, cost.

`books.py`, `sites.py` and `sources.py` are the pages, `outlines.py` counts correction steps; the others are parts.
"""
