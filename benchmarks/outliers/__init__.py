"""How well odd values are told from the others: what is foreign is put among values, and looked for.

`injecting.py` puts foreign texts in the places of values, `scoring.py` counts how many are found and how many of the
others are taken for such, `baselines.py` has the paper's scores for the same values.  The others are parts.
"""
