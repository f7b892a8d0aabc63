"""What of a page the browser has to be told: its markup, and whether also its address."""

from __future__ import annotations

import re

from webquarry.errors import RenderError
from webquarry.html.parsing import bounded

MAX_TAGS = 250_000
"""A page of 400,000 nodes takes a browser 46 s and 1.4 GB; this many tags make up to half as many elements."""
WITHOUT = "its markup can be read without a browser, by --static or clean"
"""What to do about a page that a browser cannot lay out."""

_REFERS = re.compile(
    r"<(?:link|base|object|image|use|feimage)\b|\bsrc(?:set)?\s*=\s*[\"']?+(?!data:)|\burl\(\s*[\"']?+(?!data:|#)"
    r"|@import|\b(?:background|poster|data)\s*=",
    re.IGNORECASE,
)
# A refresh would load the empty document again into which the page was put, and a policy would bind the next page.
# These do nothing of the kind in a browser; most pages have one of them.
_HARMLESS = (
    "cache-control|cleartype|content-language|content-script-type|content-style-type|content-type|expires|imagetoolbar"
    "|last-modified|pragma|x-ua-compatible"
)
_SETS_RULES = re.compile(rf"http-equiv(?!\s*=\s*[\"']?\s*(?:{_HARMLESS})\s*[\"'\s>])", re.IGNORECASE)


def check_size(url: str, markup: str) -> None:
    """Refuse a page that would take a browser minutes."""
    tags = markup.count("<")
    if tags > MAX_TAGS:
        raise RenderError(f"{url}: too large to render ({tags:,} tags, at most {MAX_TAGS:,}); {WITHOUT}")


def content_of(markup: str) -> str:
    """The markup as the browser gets it; lone surrogates, which UTF-8 cannot hold, become U+FFFD."""
    return bounded(markup).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def refers_to_resources(markup: str) -> bool:
    """Whether the page seems to need style sheets, pictures or the like that it does not hold itself."""
    return _REFERS.search(markup) is not None


def sets_rules(markup: str) -> bool:
    """Whether the page may set a policy or refresh itself."""
    return _SETS_RULES.search(markup) is not None
