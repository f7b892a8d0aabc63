"""What each element of a page is for, as its tag and roles, and as its names tell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import NO_ATTRIBUTES
from webquarry.model import Document
from webquarry.reading.names import MEANINGS, Role

_TAGS = {
    Role.WIDGET: "button label option select textarea",
    Role.NAVIGATION: "nav menu",
    Role.FOOT: "footer",
    Role.HEAD: "header",
    Role.ASIDE: "aside",
    Role.CONTROL: "form fieldset",
    Role.NOTICE: "noscript dialog",
    Role.BYLINE: "time address",
    Role.CAPTION: "figcaption",
    Role.MAIN: "main",
}
_ROLES = {
    Role.NAVIGATION: "navigation menu menubar menuitem tablist",
    Role.HEAD: "banner",
    Role.FOOT: "contentinfo",
    Role.ASIDE: "complementary",
    Role.CONTROL: "search",
    Role.NOTICE: "dialog alertdialog alert status tooltip",
    Role.MAIN: "main",
}
"""Of ARIA."""
_PROPERTIES = {
    Role.BYLINE: "datePublished dateModified author publisher",
    Role.COMMENTS: "comment",
    Role.CONTENT: "articleBody",
}
"""Of schema.org."""
_ROLE_OF_TAG, _ROLE_OF_ROLE, _ROLE_OF_PROPERTY = (
    {word: int(role) for role, words in table.items() for word in words.split()}
    for table in (_TAGS, _ROLES, _PROPERTIES)
)
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(frozen=True)
class Landmarks:
    """Columns with one entry an element that is for something."""

    nodes: NDArray[np.int64]
    roles: NDArray[np.int64]
    """What it is for, of `Role`."""

    def find(self, role: Role) -> NDArray[np.int64]:
        """The nodes that are for this."""
        found: NDArray[np.int64] = self.nodes[(self.roles & int(role)) != 0]
        return found


def find_landmarks(document: Document, elements: NDArray[np.int64]) -> Landmarks:
    """What some elements are for: by tag, role and property, as HTML, ARIA and schema.org define them, and by names.

    An id of a heading is made of its text, and is not asked.
    """
    attributes, names = document.attributes, document.tag_names
    roles_of_tags = [_ROLE_OF_TAG.get(name, 0) for name in names]
    headings = {code for code, name in enumerate(names) if name in _HEADINGS}
    found: dict[int, int] = {}
    for node, tag in zip(elements.tolist(), document.tags[elements].tolist(), strict=True):
        said, own = roles_of_tags[tag], attributes[node]
        if own is not NO_ATTRIBUTES:
            if "class" in own:
                said |= MEANINGS[own["class"]]
            if "id" in own and tag not in headings:
                said |= MEANINGS[own["id"]]
            if "role" in own:
                said |= _ROLE_OF_ROLE.get(own["role"], 0)
            if "itemprop" in own:
                said |= _ROLE_OF_PROPERTY.get(own["itemprop"], 0)
        if said:
            found[node] = said
    return Landmarks(*(np.array(list(each), dtype=np.int64) for each in (found, found.values())))
