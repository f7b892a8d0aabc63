"""The title of an article, of what a page states and of its largest headings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from webquarry.reading.metadata.sites import SiteNames
from webquarry.reading.metadata.texts import fold_name

_PARTING = re.compile(r"\s+[-|–—·•:»«/~]+\s+|\s*[|»]+\s*|\s+::\s+|: ")  # noqa: RUF001 - dashes of all kinds
_LONGEST_HEADING = 40
"""Words: a longer first heading is a paragraph that was to be large."""


def choose_title(stated: Sequence[str], headings: Sequence[str], site: SiteNames) -> str:
    """The title as the page's heading says it, where a statement says the same; else the first statement.

    The name of the site is cut off what is stated, and is a title only where there is no other.
    """
    names = [cut_site(each, site) for each in dict.fromkeys(stated) if each]
    titles = [each for each in names if not site.have(each)]
    headings = [each for each in headings if len(each.split()) <= _LONGEST_HEADING and not site.have(each)]
    folded = [fold_name(each) for each in titles]
    for heading in headings:
        own = fold_name(heading)
        if own and own in folded:
            return titles[folded.index(own)] if heading.isupper() else heading
    for heading in headings:
        own = fold_name(heading)
        if own and any(_begins_or_ends(each, own) for each in folded):
            return heading
    return next(iter([*titles, *headings, *names]), "")


def cut_site(title: str, site: SiteNames) -> str:
    """A title without the site's name before or behind it; the title alone where nothing else would be left.

    >>> from webquarry.reading.metadata.sites import find_site_names
    >>> cut_site("Salt - a history | Salt Museum", find_site_names("The Salt Museum", ""))
    'Salt - a history'
    >>> [cut_site(title, find_site_names("", "https://www.bose.com/")) for title in ("Bose: Headphones", "Bose")]
    ['Headphones', 'Bose']
    """
    for _ in range(2):  # the site's name before and behind, or twice in two forms
        marks = list(_PARTING.finditer(title))
        if not marks:
            break
        if site.are_in(title[marks[-1].end() :]):
            title = title[: marks[-1].start()]
        elif site.are_in(title[: marks[0].start()]):
            title = title[marks[0].end() :]
        else:
            break
    return title.strip()


def _begins_or_ends(text: str, part: str) -> bool:
    return text.startswith(f"{part} ") or text.endswith(f" {part}")
