"""What fetching gives: pages, and failures in the place of those that could not be had."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Page:
    """The bytes of a page as they were received, with the address that they came from."""

    url: str
    body: bytes
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    parts: tuple[Page, ...] = field(default=(), repr=False)
    """What was saved together with the page, as in MHTML; a part without an address has `cid:` and its name."""

    def header(self, name: str) -> str | None:
        """The first value of a header, whatever the case of its name."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)


@dataclass(frozen=True)
class Failure:
    """A page that could not be had or read, and why; it stands in the place of its result."""

    page: str
    error: str
