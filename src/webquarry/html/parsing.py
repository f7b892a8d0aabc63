"""Parse markup to the tree that a browser would build, in bounded memory.

HTML is parsed as the standard says, with scripting off (so `noscript` holds elements) and with declarative shadow roots
left as content of their `template`.

XHTML that we wrote ourselves, recognised by the exact spelling of its doctype and namespace, is read as XML: only so
does cleaning it again give the same bytes.
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
"""Characters of start tags that re-opened formatting elements may add to a page. A browser opens `<font color=1>`,
`<font color=2>`, ... again in every following block, which makes gigabytes of tree out of a megabyte of markup. Over
this bound they are read as `span`, which is not re-opened: no text and no attribute is lost."""

_MIN_LARGE_PAGE = 512 * 1024  # characters; the tree of a smaller page stays under three gigabytes at worst
_MANY_NODES = 40_000_000  # a node takes about 250 bytes, and a block that re-opens formatting at least 4 characters
_MIN_TAG_LENGTH = 8  # characters of markup per element on the densest pages that people write
_IMPLIED_ELEMENTS = 100  # elements that a browser adds to any page
FORMATTING = frozenset("b big code em font i s small strike strong tt u".split())
"""Elements that a browser opens again; also `a` and `nobr`, but these close their like and do not pile up."""
_ANY_CASE = re.sub(  # quicker than a flag
    r"[a-z]", lambda letter: f"[{letter[0]}{letter[0].upper()}]", "|".join(sorted(FORMATTING))
)
_INITIALS = "".join(sorted({name[0] + name[0].upper() for name in FORMATTING}))  # testing them first is quicker too
_FORMATTING_TAG = re.compile(rf"<(?=/?[{_INITIALS}])(/?)({_ANY_CASE})(?=[\s/>])[^>]*")


def parse_html(markup: str) -> turbohtml.Document:
    """Parse markup as the HTML standard says; the caller owns the tree and may change it."""
    return turbohtml.parse(bounded(markup), positions=False, allow_declarative_shadow_roots=False)


def bounded(markup: str) -> str:
    """Return the markup, changed only if its tree would not fit into memory."""
    if len(markup) <= _MIN_LARGE_PAGE or _estimated_clones(markup) <= MAX_CLONES or not _may_pile_up(markup):
        return markup
    return without_formatting(markup)


def parse_ours(markup: str) -> turbohtml.Document | None:
    """Parse XHTML that we wrote as XML; None for any other markup."""
    if not markup.startswith(OUR_START) or OUR_ROOT not in markup:
        return None
    try:
        return turbohtml.parse_xml(markup)
    except turbohtml.HTMLParseError:
        return None


def expected_elements(markup: str) -> int:
    """Bound the number of elements that the markup accounts for; a tree with more has opened some again."""
    return len(markup) // _MIN_TAG_LENGTH + _IMPLIED_ELEMENTS


def tame(markup: str) -> str:
    """Rename formatting elements if re-opening them would exceed `MAX_CLONES`."""
    return markup if _estimated_clones(markup) <= MAX_CLONES else without_formatting(markup)


def without_formatting(markup: str) -> str:
    """Rename each formatting element to `span`."""
    return _FORMATTING_TAG.sub(lambda tag: f"<{tag[1]}span{tag[0][len(tag[1]) + len(tag[2]) + 1 :]}", markup)


def _may_pile_up(markup: str) -> bool:
    """Tell whether the page has enough formatting elements with attributes to make many nodes.

    Equal ones are re-opened three times at most, so those without attributes do not count; the others have white
    space or a slash between their brackets.
    """
    enough = _MANY_NODES // len(markup)
    if markup.count(">") <= enough:
        return False
    return len(markup.split(None, enough)) > enough or markup.count("/") - markup.count("</") > enough


def _estimated_clones(markup: str) -> int:
    """Bound the characters of re-opened start tags from above.

    Every tag of a dense page is taken to re-open the formatting before it; a browser re-opens only after a block, and
    of equal elements only three.
    """
    open_lengths: dict[str, list[int]] = {}
    open_length = total = last = 0
    for tag in _FORMATTING_TAG.finditer(markup):
        total += open_length * (tag.start() - last) // _MIN_TAG_LENGTH
        last = tag.start()
        lengths = open_lengths.setdefault(tag[2].lower(), [])
        if not tag[1]:
            lengths.append(len(tag[0]))
            open_length += len(tag[0])
        elif lengths:
            open_length -= lengths.pop()
    return total + open_length * (len(markup) - last) // _MIN_TAG_LENGTH
