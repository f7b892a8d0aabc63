"""The whole way on the example pages, offline.

`showing.py` takes one step after the other: `cleaning.py`, `mining.py`, `wrapping.py`, `querying.py`, `reading.py` and
`validating.py` show what the commands of these names are for.  `finding.py` knows where the example pages are,
`truth.py` what a perfect reading of them gives, and `telling.py` prints.
"""

from webquarry.demo.finding import find_examples
from webquarry.demo.showing import show

__all__ = ["find_examples", "show"]
