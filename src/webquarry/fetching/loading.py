"""Single addresses over one session, for those who learn one by one what they need."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from webquarry.fetching.policy import Policy
from webquarry.model import Page

if TYPE_CHECKING:
    from webquarry.fetching.session import Session


class Loader:
    """Fetches for any number of threads; the session is opened when the first of them asks."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._lock = threading.Lock()
        self._session: Session | None = None

    def load(self, address: str) -> Page:
        """The resource at an address."""
        with self._lock:
            if self._session is None:
                from webquarry.fetching.session import Session  # noqa: PLC0415 - pages on disk need no network

                self._session = Session(self._policy)
            session = self._session
        return session.fetch(address)

    def stop(self) -> None:
        """Let all requests that are under way fail soon."""
        if self._session is not None:
            self._session.stop()

    def close(self) -> None:
        """Close the session."""
        if self._session is not None:
            self._session.__exit__(None, None, None)
