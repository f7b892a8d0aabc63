"""Files of wrappers: from a wrapper to text that a person reads and edits, and back.

`writing.py` writes, with `spelling.py` for single values.  `reading.py` reads, noting every mistake with its line:
`tables.py` asks a table for its values, `lines.py` finds where they stand, `faults.py` gathers what is wrong.  The
grammar's notation is in `rules.py`; `sections.py` adds to its sections their types and headings.
"""

from webquarry.wrapping.files.reading import read_wrapper
from webquarry.wrapping.files.writing import write_wrapper

__all__ = ["read_wrapper", "write_wrapper"]
