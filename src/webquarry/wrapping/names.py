"""Headings as names."""

from __future__ import annotations

import re
from functools import lru_cache

from webquarry.model.naming import snake_case

_COUNT = re.compile(r"\s*\(\d+\)$")
_NUMBER = re.compile(r"^\s*(?:\d+(?:\.\d+)*[.)]|\(?[ivxIVX]+[.)]|[A-Z][.)])\s+")
_ENDS = " \t\xa0:;,.-–—|»›>*#•·"  # noqa: RUF001 - dashes and arrows of all kinds


@lru_cache(maxsize=65536)
def plain_heading(text: str) -> str:
    """The heading without what merely ends it, and without its number.

    >>> plain_heading("Geography ::"), plain_heading("Area:"), plain_heading("6. Mapping")
    ('Geography', 'Area', 'Mapping')
    """
    return _NUMBER.sub("", text).strip(_ENDS) or text.strip()


@lru_cache(maxsize=65536)
def heading_name(text: str) -> str:
    """The name of the section that a heading starts; a count behind it does not make it another.

    >>> heading_name("Border countries (8):")
    'border_countries'
    """
    return snake_case(_COUNT.sub("", plain_heading(text)))
