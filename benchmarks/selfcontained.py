"""Real pages without what they load from elsewhere: style elements and attributes stay, requests do not arise."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import lxml.html

from benchmarks.corpora import draw_evenly
from webquarry.html.decoding import decode
from webquarry.model import Page

_LOADING = ("link", "script", "iframe", "frame", "object", "embed", "source", "video", "audio", "base", "use", "image")
_ADDRESSES = ("src", "srcset", "poster", "background", "data")
_IN_STYLES = re.compile(r"@import[^;]*;?|url\([^)]*\)", re.IGNORECASE)


def self_contained(root: Path, count: int) -> list[Page]:
    """Article pages, evenly drawn, that need nothing from elsewhere."""
    paths = draw_evenly(sorted((root / "articles-scrapinghub" / "html").glob("*.html.gz")), count)
    return [
        Page(f"https://{place}.example/", without_resources(decode(gzip.decompress(path.read_bytes()))).encode())
        for place, path in enumerate(paths)
    ]


def without_resources(markup: str) -> str:
    """The page without elements and attributes that load something.

    >>> without_resources('<link href=a.css><style>p {background: url(a.png); color: red}</style><p><img src=a.png>')
    '<html><head><style>p {background: none; color: red}</style></head><body><p><img></p></body></html>'
    """
    tree = lxml.html.document_fromstring(markup.encode("utf-8", "replace"), lxml.html.HTMLParser(encoding="utf-8"))
    for node in list(tree.iter(*_LOADING)):
        node.drop_tree()
    for node in tree.iter():
        if isinstance(node.tag, str):
            for name in _ADDRESSES:
                node.attrib.pop(name, None)
            if "style" in node.attrib:
                node.attrib["style"] = _IN_STYLES.sub("none", node.attrib["style"])
            if node.tag == "style":
                node.text = _IN_STYLES.sub("none", node.text or "")
    return lxml.html.tostring(tree, encoding="unicode")
