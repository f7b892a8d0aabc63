"""Which pages a query needs, as far as what is at hand tells.

`restricting.py` finds the conditions that restrict each relation of a block, `contexts.py` those that an occurrence of
a source meets on its way to the answer, where `transparency.py` says what passes through a block.  `translating.py`
puts them in terms of rows and keys that are at hand, by which DuckDB tells the keys that are needed (`keys.py`).
`choosing.py` says what is best read next, `limits.py` what can be read bit by bit; `explaining.py` tells it all.
"""
