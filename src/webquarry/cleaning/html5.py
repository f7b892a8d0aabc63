"""Clean a page by the HTML standard, the default: build the tree that browsers build."""

from __future__ import annotations

import re

from webquarry.errors import InputError
from webquarry.html.page_lists import sniff
from webquarry.html.parsing import decode
from webquarry.model.document import Document
from webquarry.model.page import Page

_SIGNATURES = {
    b"%PDF-": "a PDF document",
    b"\x89PNG\r\n": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"RIFF": "a picture, sound or film",
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"\xd0\xcf\x11\xe0": "an old office document",
    b"\x1f\x8b": "compressed with gzip",
    b"BZh": "compressed with bzip2",
    b"\xfd7zXZ": "compressed with xz",
    b"\x28\xb5\x2f\xfd": "compressed with zstd",
    b"\x7fELF": "a program",
    b"MZ": "a program",
    b"SQLite format 3": "a database",
    b"wOFF": "a font",
    b"wOF2": "a font",
}
_MEDIA_TYPES = ("image/", "audio/", "video/", "font/", "application/pdf", "application/zip", "application/octet-stream")
_BINARY_BYTES = bytes([*range(9), *range(14, 27), *range(28, 32)])  # MIME sniffing standard, section 3
_SNIFFED_BYTES = 1445  # that the MIME sniffing standard reads
_TAG = re.compile(
    rb"<\0?(?:[a-z]\0|!doctype|!--|/?(?:html|head|body|title|meta|link|script|style|div|span|table|tr|td|ul|ol|li|dl|pre"
    rb"|h[1-6]|br|hr|img|font|center|form|section|article|main|header|nav|p|a|b|i)(?:[\s/]|>))",
    re.IGNORECASE,
)
"""What text with many control characters, or in UTF-16, must have to be a page; binary data has a `<` now and then."""
_MIN_BINARY_BYTES = 64  # of fewer, a share says little
_MIN_BINARY_SHARE = 0.05  # of random bytes 0.1; of the pages in the benchmarks' corpora at most 0.001


def clean_html5(page: Page) -> Document:
    """Build the document that a browser would build from the page."""
    return Document(read_markup(page), method="html5", url=page.url, address=page.address, received=page.received)


def read_markup(page: Page) -> str:
    """Decode a page to markup; raise InputError if it is not text."""
    described = _describe_binary(page.body)
    if described is not None:
        raise InputError(f"{page.url}: not a web page but {described}")
    listed = sniff(page.body)
    if listed is not None:
        raise InputError(f"{page.url}: not a web page but {listed}; name it as an input of its own to read its pages")
    content_type = page.header("content-type")
    if (
        content_type is not None
        and content_type.strip().lower().startswith(_MEDIA_TYPES)
        and b"<" not in page.body[:_SNIFFED_BYTES]
    ):
        raise InputError(f"{page.url}: not a web page; the server sent it as {content_type}")
    return decode(page.body, content_type)


def _describe_binary(body: bytes) -> str | None:
    for signature, description in _SIGNATURES.items():
        if body.startswith(signature):
            return description
    start = body[:_SNIFFED_BYTES]
    if _TAG.search(start) or start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None
    if len(start) < _MIN_BINARY_BYTES and b"<" in start:
        return None
    strange = len(start) - len(start.translate(None, _BINARY_BYTES))
    return "binary data" if strange > _MIN_BINARY_SHARE * len(start) else None
