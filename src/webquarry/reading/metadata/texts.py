"""Texts of statements in plain characters."""

from __future__ import annotations

import re
from html import unescape

from webquarry.values.folding import fold

_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_WORD = re.compile(r"\w+")


def plain(text: str) -> str:
    """The text without tags and references, which statements often hold although they are read as they stand.

    >>> plain("Salt &amp; <i>pepper</i>  here")
    'Salt & pepper here'
    """
    if "&" in text:
        text = unescape(text)
    if "<" in text:
        text = _TAG.sub("", text)
    return " ".join(text.split())


def fold_name(text: str) -> str:
    """What is left to compare titles and names by: words in small letters.

    >>> fold_name("Salt & Pepper: A Story")
    'salt pepper a story'
    """
    return " ".join(_WORD.findall(fold(text).casefold()))


def squeeze(text: str) -> str:
    """The text as a host would name it.

    >>> squeeze("The Salt Museum")
    'thesaltmuseum'
    """
    return fold_name(text).replace(" ", "")
