"""What Boilerpipe makes of tags."""

from __future__ import annotations

from enum import IntFlag

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document


class Role(IntFlag):
    """What the tags of an element do."""

    PARTS_BLOCKS = 1
    PARTS_WORDS = 2
    IS_LEVEL = 4
    """What stands in it is deeper."""
    LINKS = 8
    IS_PASSED_OVER = 16
    IS_HEADING = 32
    IS_ITEM = 64
    IS_BODY = 128


_BLOCK = Role.PARTS_BLOCKS | Role.IS_LEVEL
"""Also of every tag that is not named here."""
_ROLES = (
    {"a": Role.LINKS | Role.PARTS_WORDS | Role.IS_LEVEL, "body": _BLOCK | Role.IS_BODY, "li": _BLOCK | Role.IS_ITEM}
    | dict.fromkeys("abbr acronym".split(), Role.PARTS_WORDS)
    | dict.fromkeys("b code em font i span strike strong sub sup tt u var".split(), Role(0))
    | dict.fromkeys("applet embed link noscript object option script style".split(), _BLOCK | Role.IS_PASSED_OVER)
    | dict.fromkeys("h1 h2 h3".split(), _BLOCK | Role.IS_HEADING)
)


def find_roles(document: Document) -> NDArray[np.int64]:
    """For each node the roles of its tags; none for what is no element."""
    return np.array([*(_ROLES.get(name, _BLOCK) for name in document.tag_names), 0], dtype=np.int64)[document.tags]
