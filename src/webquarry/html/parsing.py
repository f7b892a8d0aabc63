"""Parse markup to the tree that a browser would build, in bounded memory.

HTML is parsed as the standard says, with scripting off (so `noscript` holds elements) and with declarative shadow roots
left as content of their `template`.

XHTML that we wrote ourselves, recognised by the exact spelling of its doctype and namespace, is read as XML: only so
does cleaning it again give the same bytes.

Bytes are decoded as the HTML standard says: byte order mark, header, meta, then a guess. An undeclared page is UTF-8
if its bytes are; else turbohtml guesses from the frequency of characters, as browsers do; windows-1252 is the last
resort. Malformed bytes become U+FFFD.
"""

from __future__ import annotations

import codecs
import re

import turbohtml
import turbohtml.detect  # registers the codecs of the Encoding standard under the names `whatwg-...`

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


_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_BE, "utf-16-be"), (codecs.BOM_UTF16_LE, "utf-16-le"))
_PRESCAN = 1024  # bytes in which the standard looks for a declaration before it parses
_OUR_START, _OUR_ROOT = OUR_START.encode(), OUR_ROOT.encode()
_LAST_RESORT = "windows-1252"
_CHARSET = re.compile(rb"charset", re.IGNORECASE)
_LATIN = re.compile(rb"1252|8859-?_?1\b|latin1|\bl1\b|ascii|ansi_x3|819", re.IGNORECASE)
"""Parts of all labels of windows-1252 (Encoding standard, section 4.2)."""
_OTHER_NAME = re.compile(rb"charset\s*=[\s\"']*(?!utf-?8)[^\s\"']")
_PARAMETER = re.compile(r"charset\s*=\s*[\"']?\s*([^\s;\"']+)", re.IGNORECASE)


def decode(body: bytes, content_type: str | None = None) -> str:
    """Decode a page that was served with a content type.

    >>> decode(b"caf\\xc3\\xa9"), decode(b"caf\\xe9", "text/html; charset=ISO-8859-1")
    ('café', 'café')
    """
    if body.startswith(_OUR_START) and _OUR_ROOT in body:
        content_type = content_type or "charset=utf-8"  # XML's default, whatever a `meta` of the page says
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace")
    stated = _codec(_charset_of(content_type)) or _codec(_declared(body))
    return _decode_undeclared(body) if stated is None else body.decode(stated, "replace")


def _charset_of(content_type: str | None) -> str | None:
    parameter = _PARAMETER.search(content_type or "")
    return parameter[1] if parameter else None


def _declared(body: bytes) -> str | None:
    """Find the encoding that a `meta` at the start of the page names."""
    start = body[:_PRESCAN]
    if not _CHARSET.search(start):
        return None
    encoding = turbohtml.parse(start).encoding
    # windows-1252 also comes from a tag that declares nothing, such as `<meta name=charset>`.
    return encoding if encoding != _LAST_RESORT or _LATIN.search(start) else None


def _decode_undeclared(body: bytes) -> str:
    """Decode by the encoding that a late `meta` names or that the bytes suggest.

    Only parsing tells which names are in a `meta`, and it takes three times as long as all the rest. So it is done
    only if the page names an encoding other than UTF-8, or any encoding while its bytes are not UTF-8.
    """
    lowered = body.lower()
    if b"charset" not in lowered:
        label = turbohtml.detect.detect(body).encoding
    elif not _OTHER_NAME.search(lowered) and (text := _read_utf8(body)) is not None:
        return text
    else:
        label = turbohtml.parse(body, detect_encoding=True).encoding
    return body.decode(_codec(label) or _LAST_RESORT, "replace")


def _read_utf8(body: bytes) -> str | None:
    """Decode bytes that can only be UTF-8; pure ASCII could be ISO-2022-JP."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return None
    return None if text.isascii() else text


def _codec(label: str | None) -> str | None:
    """Find the codec for a label of the Encoding standard; Python's own for UTF-8, which is faster."""
    if label is None:
        return None
    if label.lower() in {"utf-8", "utf8"}:
        return "utf-8"
    try:
        return codecs.lookup(f"whatwg-{label.lower()}").name
    except LookupError:
        return None
