"""The rules of XHTML 1.0 for the attributes of an element, whoever writes them.

They follow section 2.1 of the CleanDOM paper (Cosulschi): attributes are never minimised, `lang`
goes with `xml:lang`, `id` stands beside `name` on the elements whose `name` XHTML 1.0 deprecates.
"""

from __future__ import annotations

from collections.abc import Iterable

from webquarry.html.characters import legal_text
from webquarry.html.names import encode_local

BOOLEAN = frozenset(
    "allowfullscreen async autofocus autoplay checked compact controls declare default defer disabled formnovalidate "
    "hidden inert ismap itemscope loop multiple muted nohref nomodule noresize noshade novalidate nowrap open "
    "playsinline readonly required reversed selected".split()
)
"""Attributes that may be minimised in HTML; an empty value becomes the name (`noresize="noresize"`)."""

NAMED = frozenset("a applet form frame iframe img map".split())
"""Elements that XHTML 1.0 (section 4.10) asks to carry an `id` beside their `name`."""

INCOMPLETE = BOOLEAN | {"lang", "xml:lang", "name"}
"""Attributes that may need another one beside them, or another value."""


class Ids:
    """The ids of a document, from which new ones are given."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._uses = dict.fromkeys(taken, 1)

    def give(self, name: str) -> str:
        """A valid id for an element of this name that no other element has.

        >>> ids = Ids({"top"})
        >>> ids.give("top"), ids.give("top"), ids.give("2 go")
        ('top_2', 'top_3', '_x0032__x0020_go')
        """
        wanted = given = encode_local(name) if name else "id"
        while given in self._uses:
            self._uses[wanted] = number = self._uses.get(wanted, 0) + 1
            given = f"{wanted}_{number}"
        self._uses[given] = 1
        return given


def is_minimised(value: str) -> bool:
    """True for the value of an attribute that was written without one, or with nothing that XML can hold."""
    return not legal_text(value)


def complete_attributes(tag: str, attributes: dict[str, str], ids: Ids) -> dict[str, str]:
    """The attributes with what XHTML asks for beside them.

    >>> complete_attributes("img", {"name": "logo", "ismap": "", "lang": "fr"}, Ids([]))
    {'name': 'logo', 'ismap': 'ismap', 'lang': 'fr', 'id': 'logo', 'xml:lang': 'fr'}
    """
    completed = {name: name if name in BOOLEAN and is_minimised(value) else value for name, value in attributes.items()}
    if tag in NAMED and "name" in completed and "id" not in completed:
        completed["id"] = ids.give(completed["name"])
    if "lang" in completed:
        completed.setdefault("xml:lang", completed["lang"])
    elif "xml:lang" in completed:
        completed["lang"] = completed["xml:lang"]
    return completed
