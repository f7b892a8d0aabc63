"""Read texts as numbers, money, dates and booleans, in the locale they are written in.

`column_values.py` reads a column, `section_types.py` a section; units and currency signs are in `units.py`.
"""
