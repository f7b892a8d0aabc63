"""Real pages with something taken out: what they load from elsewhere, or all that styles them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import turbohtml

from webquarry.html.parsing import parse_html

_LOADING = "link, script, iframe, frame, object, embed, source, video, audio, base, use, image"
_ADDRESSES = ("src", "srcset", "poster", "background", "data")
_IN_STYLES = re.compile(r"@import[^;]*;?|url\([^)]*\)", re.IGNORECASE)


def without_resources(markup: str) -> str:
    """The page without all that loads something; its own styles stay.

    >>> without_resources('<link href=a.css><style>p {background: url(a.png); color: red}</style><p><img src=a.png>')
    '<html><head><style>p {background: none; color: red}</style></head><body><p><img></p></body></html>'
    """
    tree = parse_html(markup)
    _drop(tree.select(_LOADING))
    for name in _ADDRESSES:
        for node in tree.select(f"[{name}]"):
            del node.attrs[name]
    for node in tree.select("[style]"):
        node.attrs["style"] = _IN_STYLES.sub("none", str(node.attrs["style"]))
    for node in tree.select("style"):
        node.set_text(_IN_STYLES.sub("none", node.text))
    return tree.html


def without_styles(markup: str) -> str:
    """The page without author styles: no style sheets, style elements or style attributes.

    >>> without_styles('<link rel="alternate stylesheet" href=a.css><style>p {}</style><p style="color: red" class=a>x')
    '<html><head></head><body><p class="a">x</p></body></html>'
    """
    tree = parse_html(markup)
    _drop(node for node in tree.select("link[rel]") if "stylesheet" in _relations(node))
    _drop(tree.select("style"))
    for node in tree.select("[style]"):
        del node.attrs["style"]
    return tree.html


def _relations(node: turbohtml.Element) -> str:
    said = node.attrs["rel"]
    return (" ".join(said) if isinstance(said, list) else str(said)).lower()


def _drop(nodes: Iterable[turbohtml.Element]) -> None:
    for node in nodes:
        node.extract()
