"""Corrections: what a person changes in a wrapper, a step at a time.

An action (`actions.py`) names sections by the text of an example or by a dotted path; `finding.py` says what is meant,
on the sample pages as `pages.py` reads them.  `adding.py` and `dropping.py` change which texts are headings; then
`growing.py` nests the headings of the samples again and grows the grammar by what it finds, `leveling.py` says how far
in a new format is, and `types_of_new.py` what its values are.  `moving.py`, `renaming.py` and `joining.py` change the
grammar alone, by the edits of `grammars.py`.  `correcting.py` makes a step of an action and counts it; `undoing.py`
writes down what takes it back.
"""

from webquarry.wrapping.corrections.actions import Add, Correction, Drop, Join, Move, Rename
from webquarry.wrapping.corrections.correcting import correct, undo

__all__ = ["Add", "Correction", "Drop", "Join", "Move", "Rename", "correct", "undo"]
