"""What each element of a page is for, as its tag and roles, and as its names tell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import NO_ATTRIBUTES
from webquarry.model import Document
from webquarry.reading.names import MEANINGS, Role

_TAGS = {
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
    """Columns with one entry a node, of `Role`, except where said otherwise."""

    stated: NDArray[np.int32]
    """By tag, role and property: what HTML, ARIA and schema.org define."""
    named: NDArray[np.int32]
    """By the words of class and id, which mean what their authors thought of."""

    types: frozenset[str]
    """Of schema.org, that items of the page are stated to have."""

    def at(self, nodes: NDArray[np.int64]) -> Landmarks:
        """The landmarks of some nodes."""
        return Landmarks(self.stated[nodes], self.named[nodes], self.types)

    def are_stated(self, roles: Role) -> NDArray[np.bool_]:
        """For each node whether it is stated to be one of these."""
        said: NDArray[np.bool_] = (self.stated & int(roles)) != 0
        return said

    def are_named(self, roles: Role) -> NDArray[np.bool_]:
        """For each node whether its names say that it is one of these."""
        said: NDArray[np.bool_] = (self.named & int(roles)) != 0
        return said

    def are(self, roles: Role) -> NDArray[np.bool_]:
        """For each node whether it is one of these by either."""
        said: NDArray[np.bool_] = ((self.stated | self.named) & int(roles)) != 0
        return said


def find_landmarks(document: Document) -> Landmarks:
    """What the elements of a document are for.  An id of a heading is made of its text, and is not asked."""
    tags, stated = document.tags, document.by_tag(_ROLE_OF_TAG)
    headings = {code for code, name in enumerate(document.tag_names) if name in _HEADINGS}
    types: set[str] = set()
    named: dict[int, int] = {}
    for node, own in enumerate(document.attributes):
        if own is NO_ATTRIBUTES:
            continue
        said = MEANINGS[own["class"]] if "class" in own else 0
        if "id" in own and (by_id := MEANINGS[own["id"]]) and int(tags[node]) not in headings:
            said |= by_id
        if said:
            named[node] = said
        if "role" in own and own["role"] in _ROLE_OF_ROLE:
            stated[node] |= _ROLE_OF_ROLE[own["role"]]
        if "itemtype" in own:
            types.add(own["itemtype"].rstrip("/").rsplit("/", 1)[-1])
        if "itemprop" in own and own["itemprop"] in _ROLE_OF_PROPERTY:
            stated[node] |= _ROLE_OF_PROPERTY[own["itemprop"]]
    by_names = np.zeros(len(document), dtype=np.int32)
    by_names[list(named)] = list(named.values())
    return Landmarks(stated, by_names, frozenset(types))
