"""Traits: what values of a column are compared by.

`texts.py` has what texts say and how they are written, `looks.py` styles and boxes, `paths.py` the elements that hold
values, and `places.py` where on their page they stand.  `trait.py` is what all of them give.
"""

from webquarry.validating.columns.traits.looks import find_look_traits
from webquarry.validating.columns.traits.paths import find_path_traits
from webquarry.validating.columns.traits.places import find_place_traits
from webquarry.validating.columns.traits.texts import find_text_traits
from webquarry.validating.columns.traits.trait import FRAME, KINDS, LOOK, NUMBER, PATH, TEXT, TYPE, Trait, to_codes

__all__ = [
    "FRAME",
    "KINDS",
    "LOOK",
    "NUMBER",
    "PATH",
    "TEXT",
    "TYPE",
    "Trait",
    "find_look_traits",
    "find_path_traits",
    "find_place_traits",
    "find_text_traits",
    "to_codes",
]
