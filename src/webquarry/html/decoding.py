"""Decode bytes as the HTML standard says: byte order mark, header, meta, then a guess.

An undeclared page is UTF-8 if its bytes are; else turbohtml guesses from the frequency of characters, as browsers do;
windows-1252 is the last resort. Malformed bytes become U+FFFD.
"""

from __future__ import annotations

import codecs
import re

import turbohtml
import turbohtml.detect  # registers the codecs of the Encoding standard under the names `whatwg-...`

from webquarry.html.parsing import OUR_ROOT, OUR_START

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
