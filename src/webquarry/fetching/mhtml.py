"""MHTML: a page and what it needs, saved as the parts of one e-mail message (RFC 2557)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webquarry.errors import InputError

if TYPE_CHECKING:
    from email.message import Message

PAGE_TYPES = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True)
class Part:
    """One resource of a saved page, its transfer encoding undone."""

    location: str | None
    """The address that it came from."""
    content_id: str | None
    content_type: str
    """With its parameters, as written."""
    body: bytes


@dataclass(frozen=True)
class Snapshot:
    """A saved page: the part to show first, and all of them in the order of the file."""

    root: Part
    parts: tuple[Part, ...]


def parse_mhtml(data: bytes) -> Snapshot:
    """The parts of an MHTML file; its root is the part that `start` names, or else the first page among them."""
    from email.parser import BytesParser  # noqa: PLC0415  slow to import, and most pages are plain HTML

    message: Message = BytesParser().parsebytes(data)
    leaves = [_part(leaf) for leaf in message.walk() if not leaf.is_multipart()]
    start = _trimmed(message.get_param("start"))
    pages = [leaf for leaf in leaves if leaf.content_type.partition(";")[0].strip().lower() in PAGE_TYPES]
    if not pages:
        raise InputError("it holds no HTML part; save the page again as MHTML, or as HTML")
    root = next((page for page in pages if start and page.content_id == start), pages[0])
    snapshot_location = _trimmed(message.get("Snapshot-Content-Location"))
    if root.location is None and snapshot_location:
        placed = Part(snapshot_location, root.content_id, root.content_type, root.body)
        leaves[leaves.index(root)] = placed
        root = placed
    return Snapshot(root, tuple(leaves))


def _part(message: Message) -> Part:
    body = message.get_payload(decode=True)
    return Part(
        location=_trimmed(message.get("Content-Location")),
        content_id=_trimmed(message.get("Content-ID")),
        content_type=_trimmed(message.get("Content-Type")) or message.get_content_type(),
        body=body if isinstance(body, bytes) else b"",
    )


def _trimmed(value: object) -> str | None:
    """A header's text without folding and angle brackets; long addresses are folded over several lines."""
    text = "".join(_lines(value)).strip().removeprefix("<").removesuffix(">")
    return text or None


def _lines(value: object) -> Iterator[str]:
    if value is not None:
        yield from (line.strip() for line in str(value).splitlines())
