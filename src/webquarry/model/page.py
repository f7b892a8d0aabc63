"""Pages as they were fetched, and failures in place of pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from email.utils import parsedate_to_datetime

from webquarry.model.wording import shorten


@dataclass(frozen=True)
class Page:
    """The bytes of a page as they were received, with their address."""

    url: str
    body: bytes
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    parts: tuple[Page, ...] = field(default=(), repr=False)
    """Files saved together with the page, as in MHTML; the URL of a part without an address is `cid:` and its name."""
    address: str = ""
    """The address on the web of a saved page, if it is known; `url` stays that of the file."""

    def __post_init__(self) -> None:
        """Reject a text in place of bytes: its encoding would be unknown."""
        if not isinstance(self.url, str) or not isinstance(self.body, bytes):
            given = f"url={type(self.url).__name__} and body={type(self.body).__name__}"
            raise TypeError(f"a Page takes url=str and body=bytes, not {given}; encode a text: body=text.encode()")

    def __repr__(self) -> str:
        saved = f", {len(self.parts):,} files saved with it" if self.parts else ""
        return f"<Page {shorten(self.url)}: status {self.status}, {len(self.body):,} bytes{saved}>"

    def header(self, name: str) -> str | None:
        """Return the first value of a header, whatever the case of its name, or None."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    @property
    def received(self) -> date | None:
        """The day on which a server sent the page, by its `Date` header; None for pages from disk."""
        stated = self.header("date")
        try:
            return parsedate_to_datetime(stated).date() if stated else None
        except ValueError:
            return None


@dataclass(frozen=True)
class Failure:
    """A page that could not be fetched or processed, and why; it takes the place of the result."""

    page: str
    error: str
    kind: str = field(default="", repr=False, compare=False)
    """What failed: fetch, input, render, limit, died (its process) or internal (a bug of ours); empty if unknown."""
