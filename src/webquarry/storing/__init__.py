"""Storing: results to files, whole or not at all.

`files.py` writes a file so that no half of it is ever seen, `names.py` finds a name for the result of
each page.
"""

from webquarry.storing.files import write_whole
from webquarry.storing.names import ResultNames

__all__ = ["ResultNames", "write_whole"]
