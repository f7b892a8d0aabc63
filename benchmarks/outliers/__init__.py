"""Visual outliers: what finding them costs, beside PyOD.

`sites.py` has the rendered pages of whole sites; `speed.py` is a part.
"""
