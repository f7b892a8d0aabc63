"""The default cleaning: the tree of the HTML standard, which is the tree that browsers build."""

from __future__ import annotations

from webquarry.errors import InputError
from webquarry.html.decoding import decode
from webquarry.model.document import Document
from webquarry.model.page import Page

# MERGED cleaning/markup: The bytes of a page as characters, if they are a web page at all.
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
_MEDIA = ("image/", "audio/", "video/", "font/", "application/pdf", "application/zip", "application/octet-stream")
_BINARY = bytes([*range(9), *range(14, 27), *range(28, 32)])  # the bytes by which the MIME sniffing standard tells
_SNIFFED = 1445  # bytes that the MIME sniffing standard looks at
_BINARY_SHARE = 0.1  # a page with control characters strewn in stays far below


def read_markup(page: Page) -> str:
    """The characters of the page; an InputError for what is not meant to be read as text."""
    described = _describe_binary(page.body)
    if described is not None:
        raise InputError(f"{page.url}: not a web page but {described}")
    content_type = page.header("content-type")
    if (
        content_type is not None
        and content_type.strip().lower().startswith(_MEDIA)
        and b"<" not in page.body[:_SNIFFED]
    ):
        raise InputError(f"{page.url}: not a web page; its server calls it {content_type}")
    return decode(page.body, content_type)


def _describe_binary(body: bytes) -> str | None:
    for signature, description in _SIGNATURES.items():
        if body.startswith(signature):
            return description
    start = body[:_SNIFFED]
    if b"<" in start or start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None
    strange = len(start) - len(start.translate(None, _BINARY))
    return "binary data" if strange > _BINARY_SHARE * len(start) else None


def clean_html5(page: Page) -> Document:
    """The document that a browser would build from the page."""
    return Document(read_markup(page), method="html5", url=page.url)
