"""What the requests of a page get: the page itself, parts saved with it, files beside it, or what `load` fetches."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import quote, unquote

from webquarry.model import Page
from webquarry.rendering.answers import Answer
from webquarry.rendering.content import content_of, refers_to_resources, sets_rules
from webquarry.rendering.disk import Disk

Load = Callable[[str], Page]

NO_ADDRESS = "http://page.invalid/"
PARTS = "https://parts.invalid/"
"""Where the browser sees parts of an archive that have no address: it does not ask for `cid:` addresses, and for
those of http it does not ask from a page of https."""
MAX_FETCHES = 1_000
"""Resources of one page that are fetched from the web."""

_log = logging.getLogger(__name__)
_FETCHED = frozenset(["Document", "Stylesheet", "Image", "Font"])
_FETCHED_BY_SCRIPTS = _FETCHED | {"Script", "XHR", "Fetch"}


class Serving:
    """The answers to the requests of one page; `address` is where the browser sees it."""

    def __init__(
        self, page: Page, markup: str, *, roots: Iterable[Path] = (), load: Load | None = None, scripts: bool = False
    ) -> None:
        self._parts = {_without_fragment(part.url): part for part in page.parts}
        on_disk = page.url.startswith("file:") and not page.parts
        self._disk = Disk(page.url, roots) if on_disk else None
        on_web = page.url.startswith(("http://", "https://"))
        self._load = load if on_web and not page.parts else None
        self._fetched = _FETCHED_BY_SCRIPTS if scripts else _FETCHED
        self._fetches = 0
        self.address = self._disk.address if self._disk else _without_fragment(page.url) if on_web else NO_ADDRESS
        self.markup = content_of(markup.replace("cid:", PARTS) if page.parts else markup)
        can_give = bool(self._disk or self._load or self._parts)
        self.sets_rules = sets_rules(self.markup)
        self.needs_address = scripts or self.sets_rules or (can_give and refers_to_resources(self.markup))

    def page(self) -> Answer:
        """The page itself."""
        return Answer(self.markup.encode(), "text/html; charset=utf-8")

    def at_hand(self, address: str) -> Answer | None:
        """What can be given at once."""
        part = self._parts.get(_part_address(address)) or self._parts.get(address)
        if part is not None:
            return _answer_of(part)
        return self._disk.answer(address) if self._disk else None

    def may_fetch(self, address: str, kind: str, method: str) -> bool:
        """Whether a request is one that `load` is to answer."""
        if self._load is None or method != "GET" or kind not in self._fetched or self._fetches >= MAX_FETCHES:
            return False
        self._fetches += 1
        return address.startswith(("http://", "https://"))

    def fetch(self, address: str) -> Answer | None:
        """What `load` gives; None when it refuses or fails."""
        if self._load is None:
            return None
        try:
            return _answer_of(self._load(address))
        except Exception as error:  # noqa: BLE001 - a page is shown without what fails, whatever the reason
            _log.debug("%s: %s", address, error)
            return None

    def original(self, text: str) -> str:
        """A text of the rendered page as the page had it."""
        return text.replace(PARTS, "cid:") if self._parts else text


def _answer_of(page: Page) -> Answer:
    return Answer(page.body, page.header("content-type") or "")


def _without_fragment(address: str) -> str:
    return address.partition("#")[0]


def _part_address(address: str) -> str:
    return (
        f"cid:{unquote(address.removeprefix(PARTS))}" if address.startswith(PARTS) else quote(address, safe="/:?=&%#")
    )
