"""Markup to the tree that a browser would build, in bounded memory.

HTML is parsed as the standard says, with scripting off (so `noscript` holds elements) and with
declarative shadow roots left where they are written, as content of their `template`.

XHTML that we wrote ourselves, known by its doctype and namespace in exactly our spelling, is
read as XML: only so does cleaning it again give the same bytes.
"""

from __future__ import annotations

import re

import turbohtml

from webquarry.html.xhtml_names import XHTML

DOCTYPE = (
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'
)
OUR_START = f"{DOCTYPE}<"
OUR_ROOT = f'<html xmlns="{XHTML}"'

MAX_CLONES = 64 * 1024 * 1024
"""Characters of start tags that re-opened formatting elements may add to a page.  A browser
opens `<font color=1>`, `<font color=2>`, ... again in every following block, which makes
gigabytes of tree out of a megabyte of markup.  Over this bound they are read as `span`, which
is not re-opened: no text and no attribute is lost."""

_LARGE = 512 * 1024  # characters; the tree of a smaller page stays under three gigabytes at worst
_MANY_NODES = 40_000_000  # a node takes about 250 bytes, and a block that re-opens formatting at least 4 characters
_SHORTEST_TAG = 8  # characters of markup for an element on the densest pages that people write
_IMPLIED = 100  # elements that a browser adds to a page however short
FORMATTING = frozenset("b big code em font i s small strike strong tt u".split())
"""Elements that a browser opens again; `a` and `nobr` too, but these close their like and do not pile up."""
_ANY_CASE = re.sub(  # quicker than a flag
    r"[a-z]", lambda letter: f"[{letter[0]}{letter[0].upper()}]", "|".join(sorted(FORMATTING))
)
_INITIALS = "".join(sorted({name[0] + name[0].upper() for name in FORMATTING}))  # looking for them first is quicker too
_FORMATTING_TAG = re.compile(rf"<(?=/?[{_INITIALS}])(/?)({_ANY_CASE})(?=[\s/>])[^>]*")


def parse_html(markup: str) -> turbohtml.Document:
    """The tree that the HTML standard gives for the markup; the caller owns it and may change it."""
    return turbohtml.parse(bounded(markup), positions=False, allow_declarative_shadow_roots=False)


def bounded(markup: str) -> str:
    """The markup in a form whose tree fits into memory."""
    if len(markup) <= _LARGE or _estimated_clones(markup) <= MAX_CLONES or not _may_pile_up(markup):
        return markup
    return without_formatting(markup)


def parse_ours(markup: str) -> turbohtml.Document | None:
    """The tree of XHTML that we wrote, read as XML; None for any other markup."""
    if not markup.startswith(OUR_START) or OUR_ROOT not in markup:
        return None
    try:
        return turbohtml.parse_xml(markup)
    except turbohtml.HTMLParseError:
        return None


def expected_elements(markup: str) -> int:
    """The most elements that the markup accounts for; a tree with more has opened some again."""
    return len(markup) // _SHORTEST_TAG + _IMPLIED


def tame(markup: str) -> str:
    """The markup, with its formatting elements renamed when re-opening them would go over the bound."""
    return markup if _estimated_clones(markup) <= MAX_CLONES else without_formatting(markup)


def without_formatting(markup: str) -> str:
    """The markup with `span` for each formatting element."""
    return _FORMATTING_TAG.sub(lambda tag: f"<{tag[1]}span{tag[0][len(tag[1]) + len(tag[2]) + 1 :]}", markup)


def _may_pile_up(markup: str) -> bool:
    """False when the page has too few formatting elements with attributes to make many nodes.

    Equal ones are re-opened three times at most, so those without attributes do not count; the others
    have white space or a slash between their brackets.
    """
    enough = _MANY_NODES // len(markup)
    if markup.count(">") <= enough:
        return False
    return len(markup.split(None, enough)) > enough or markup.count("/") - markup.count("</") > enough


def _estimated_clones(markup: str) -> int:
    """Characters of start tags, when every tag of a dense page re-opens the formatting open before it.

    It is an upper bound: the browser re-opens only after a block, and of equal elements only three.
    """
    open_lengths: dict[str, list[int]] = {}
    open_length = total = last = 0
    for tag in _FORMATTING_TAG.finditer(markup):
        total += open_length * (tag.start() - last) // _SHORTEST_TAG
        last = tag.start()
        lengths = open_lengths.setdefault(tag[2].lower(), [])
        if not tag[1]:
            lengths.append(len(tag[0]))
            open_length += len(tag[0])
        elif lengths:
            open_length -= lengths.pop()
    return total + open_length * (len(markup) - last) // _SHORTEST_TAG
