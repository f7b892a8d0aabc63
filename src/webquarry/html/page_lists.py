"""Read files that name pages: sitemaps (XML, index files, plain text) and feeds (RSS, Atom, RDF, JSON).

Nothing in such a file is trusted.  Entities are not resolved and nothing is loaded, so that an XML bomb stays small and
no file of this machine gets into an address.  Broken XML is read as far as it goes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webquarry.html.urls import join_address

if TYPE_CHECKING:
    from lxml.etree import _Element

_SNIFFED_BYTES = 4096
"""Bytes at the beginning of a file that tell what it is."""
_PROLOGUE = re.compile(
    r"\s*(?:(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>)\s*)*", re.DOTALL | re.IGNORECASE
)
_ROOT = re.compile(r"<(?:[\w.-]+:)?(urlset|sitemapindex|rss|feed|RDF)[\s/>]")
_KINDS = {
    "urlset": "a sitemap",
    "sitemapindex": "a sitemap index",
    "rss": "an RSS feed",
    "feed": "an Atom feed",
    "RDF": "an RDF feed",
}
_JSON_FEED, _TEXT = "a JSON feed", "a list of addresses"
_RDF_ABOUT = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"
_WITH_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")  # joining takes "http://" for a relative address
_NAMES_OF_LISTS = re.compile(r"(\.(xml|rss|atom|rdf|txt)(\.gz)?|/(feed|rss|atom|sitemap)/?)$", re.IGNORECASE)


@dataclass(frozen=True)
class PageList:
    """A sitemap or feed: the addresses that it names, absolute, each once and in order."""

    kind: str
    """In words, with an article."""
    addresses: tuple[str, ...]
    is_index: bool = False
    """True if it names further lists instead of pages."""


def sniff(body: bytes, *, may_be_text: bool = False) -> str | None:
    """Return the kind of list that a file is, by its beginning; None if it is not a list.

    Only where it `may_be_text` are lines of addresses a list.

    >>> sniff(b"<?xml version='1.0'?><rss version='2.0'><channel/></rss>"), sniff(b"<html><p>rss")
    ('an RSS feed', None)
    """
    head = _decode(body[:_SNIFFED_BYTES])
    prologue = _PROLOGUE.match(head)
    root = _ROOT.match(head, prologue.end() if prologue else 0)
    if root is not None:
        # RDF is used for more than feeds
        return None if root[1] == "RDF" and "purl.org/rss" not in head else _KINDS[root[1]]
    if head.lstrip().startswith("{") and '"version"' in head and "jsonfeed.org" in head:
        return _JSON_FEED
    return _TEXT if may_be_text and _is_list_of_addresses(head, is_cut=len(body) > _SNIFFED_BYTES) else None


def has_name_of_list(address: str) -> bool:
    """Tell whether an address looks like that of a sitemap or feed.

    >>> [has_name_of_list(each) for each in ("https://a.example/sitemap.xml.gz", "https://a.example/feed/", "a.html")]
    [True, True, False]
    """
    return _NAMES_OF_LISTS.search(re.split("[?#]", address, maxsplit=1)[0]) is not None


def read_list(body: bytes, kind: str, base: str) -> PageList:
    """Read the list of this kind, as `sniff` tells it; addresses in it are relative to `base`."""
    if kind == _JSON_FEED:
        found: Iterable[tuple[str, str]] = ((address, base) for address in _find_json(body))
    elif kind == _TEXT:
        found = ((line, base) for line in _lines(_decode(body)))
    else:
        found = _find_xml(body, kind, base)
    absolute = (_absolute(address.strip(), below) for address, below in found if address.strip())
    return PageList(kind, tuple(dict.fromkeys(absolute)), is_index=kind == _KINDS["sitemapindex"])


def _absolute(address: str, base: str) -> str:
    """Make an address absolute, without its fragment."""
    written = address.partition("#")[0]
    return written if _WITH_SCHEME.match(written) else join_address(base, written)


def _decode(body: bytes) -> str:
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return body.decode("utf-16", "replace")
    return body.decode("utf-8-sig", "replace")


def _lines(text: str) -> Iterator[str]:
    return (line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#"))


def _is_list_of_addresses(head: str, *, is_cut: bool) -> bool:
    lines = list(_lines(head))
    whole = lines[:-1] if is_cut else lines
    return bool(whole) and all(re.match(r"https?://[^\s/]\S*$", line) for line in whole)


def _find_json(body: bytes) -> Iterator[str]:
    try:
        feed = json.loads(_decode(body))
    except (ValueError, RecursionError):
        return
    items = feed.get("items") if isinstance(feed, dict) else None
    for item in items if isinstance(items, list) else ():
        named: dict[str, Any] = item if isinstance(item, dict) else {}
        candidates = (named.get(key) for key in ("url", "external_url", "id"))
        yield next((each for each in candidates if isinstance(each, str) and "/" in each), "")


def _find_xml(body: bytes, kind: str, base: str) -> Iterator[tuple[str, str]]:
    """Find the addresses in a sitemap or feed, each with the address that it is relative to."""
    from lxml import etree  # noqa: PLC0415 - slow to import, and few inputs are lists

    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, recover=True, huge_tree=False, remove_comments=True
    )
    try:
        root = etree.fromstring(body, parser, base_url=base or None)
    except (etree.XMLSyntaxError, ValueError):  # not a single element could be read
        return
    if root is None:
        return
    find = {"a sitemap": _find_locations, "a sitemap index": _find_locations, "an Atom feed": _find_atom}.get(
        kind, _find_items
    )
    for element, address in find(root):
        yield address, element.base or base


def _find_locations(root: _Element) -> Iterator[tuple[_Element, str]]:
    for entry in root.iterchildren("{*}url", "{*}sitemap"):
        for location in entry.iterchildren("{*}loc"):
            yield location, location.text or ""


def _find_items(root: _Element) -> Iterator[tuple[_Element, str]]:
    """Find the pages of RSS: the link of each item, else a permanent identifier."""
    for item in root.iter("{*}item"):
        link, guid = (next(item.iterchildren(f"{{*}}{name}"), None) for name in ("link", "guid"))
        if link is not None and (link.text or link.get("href")):
            yield link, link.text or link.get("href") or ""
        elif guid is not None and guid.get("isPermaLink") != "false":
            yield guid, guid.text or ""
        elif item.get(_RDF_ABOUT):
            yield item, item.get(_RDF_ABOUT) or ""


def _find_atom(root: _Element) -> Iterator[tuple[_Element, str]]:
    """Find the pages of Atom: of each entry the alternate link, a page rather than another form."""
    for entry in root.iterchildren("{*}entry"):
        links = [link for link in entry.iterchildren("{*}link") if link.get("rel", "alternate") == "alternate"]
        links.sort(key=lambda link: link.get("type", "text/html") not in ("text/html", "application/xhtml+xml"))
        if links:
            yield links[0], links[0].get("href", "")
