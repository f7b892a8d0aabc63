"""Fields: from records to columns with names and types.

`aligning.py` is the recipe.  A record is cut into pieces (`lines.py`, `highlights.py`, `wraps.py`, `pieces.py`), pieces
of one key (`keys.py`, `record_paths.py`) are aligned (`splitting.py`, `slots.py`, `alignment.py`), columns that are one
are joined (`variants.py`, `captions.py`), filled (`filling.py`, and `links.py` of the stage) and named (`labels.py`,
`header_rows.py`, `attribute_names.py`, `prominence.py`, `naming.py`).
"""

from webquarry.mining.fields.aligning import align_fields

__all__ = ["align_fields"]
