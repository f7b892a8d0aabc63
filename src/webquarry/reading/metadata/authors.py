"""Names of authors."""

from __future__ import annotations

import re
from collections.abc import Iterable

from webquarry.reading.metadata.sites import SiteNames
from webquarry.reading.metadata.texts import fold_name, plain, squeeze

_BY = re.compile(
    r"(?:(?:written|posted|published|article|words|story|reviewed|geschrieben) )?"
    r"(?:by|von|par|por|di|door|av|af)\b:?\s+|authors?\s*:\s+",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"https?:|www\.|^/|\w@\w|\.(?:com|org|net|html?|php)\b", re.IGNORECASE)
_NOBODY = frozenset(
    "admin administrator anonymous author authors by editor editorial guest nobody none null root site staff system"
    " undefined unknown user webmaster wordpress wpadmin".split()
)
"""What programs put in the place of a name."""
_LONGEST = 12
"""Words of a name, with titles and the like: longer ones are sentences about the author."""


def join_authors(stated: Iterable[str], site: SiteNames) -> str:
    """The names that are any good, each once, parted by commas; that of the site is not."""
    found: dict[str, str] = {}
    for text in stated:
        name = _BY.sub("", plain(text).strip(" ,;|·-"), count=1).strip(" ,;|·-@")
        if _is_name(name) and not _is_site(name, site):
            found.setdefault(fold_name(name), name)
    return ", ".join(found.values())


def _is_site(name: str, site: SiteNames) -> bool:
    """Whether a name is that of the site; people have hosts too, and are written in words."""
    return squeeze(name) == site.stated or (" " not in name and site.have(name))


def _is_name(text: str) -> bool:
    folded = fold_name(text)
    return bool(folded) and folded not in _NOBODY and len(text.split()) <= _LONGEST and not _ADDRESS.search(text)
