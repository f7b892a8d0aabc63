"""What a site is called."""

from __future__ import annotations

import re
from typing import NamedTuple

from webquarry.reading.metadata.texts import squeeze

_HOST = re.compile(r"\w+://(?:[^/?#@]*@)?(?:www\.)?([^/?#:]*)")


class SiteNames(NamedTuple):
    """The names of a site as `squeeze` gives them."""

    stated: str
    hosts: frozenset[str]
    """The host of its address, and the parts of that."""

    def have(self, text: str) -> bool:
        """Whether a text is one of them."""
        own = squeeze(text)
        return own == self.stated or own in self.hosts

    def are_in(self, text: str) -> bool:
        """Whether a part of a title is the site's name, in one form or another."""
        own, stated = squeeze(text), self.stated
        if not own or own in self.hosts:
            return True
        return (own in stated and 2 * len(own) >= len(stated)) or bool(stated and stated in own)


def find_site_names(stated: str, url: str) -> SiteNames:
    """The names of a site by its own statement and by an address of it.

    >>> sorted(find_site_names("", "https://www.salt-museum.co.uk/a").hosts)
    ['co', 'saltmuseum', 'saltmuseumcouk']
    """
    match = _HOST.match(url)
    host = match[1] if match else ""
    return SiteNames(squeeze(stated), frozenset(filter(None, (squeeze(host), *map(squeeze, host.split(".")[:-1])))))
