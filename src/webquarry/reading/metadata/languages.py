"""Language tags."""

from __future__ import annotations

import re

_TAG = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|\d{3}))?(?:[-_.@,;\s].*)?", re.DOTALL)


def read_language(text: str) -> str:
    """The tag that a text begins with, as in BCP 47; nothing when it is none.

    >>> [read_language(text) for text in ("en_us", "zh-hant-tw", "de, en", "English", "en-US.UTF-8")]
    ['en-US', 'zh-Hant-TW', 'de', '', 'en-US']
    """
    match = _TAG.fullmatch(text.strip())
    if match is None:
        return ""
    language, script, region = match.groups()
    parts = (language.lower(), script and script.title(), region and region.upper())
    return "-".join(part for part in parts if part)
