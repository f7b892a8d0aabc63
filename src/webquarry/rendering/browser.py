"""A browser at work: its process, the connection to it, and its version."""

from __future__ import annotations

import threading
import weakref
from contextlib import suppress
from pathlib import Path

from webquarry.errors import BrowserError
from webquarry.rendering.connection import BrowserGoneError, Connection, DeadlineError, Message, ProtocolError
from webquarry.rendering.process import BrowserProcess

START_SECONDS = 60.0
"""A browser starts in one second; a loaded machine may need many."""


class Browser:
    """A running browser; `version` is its product and version, `connection` the way to it."""

    def __init__(self, program: Path) -> None:
        self._process = BrowserProcess(program)
        self._closing = threading.Lock()
        self._closed = False
        itself = weakref.ref(self)

        def on_event(message: Message) -> None:  # the reading thread must not keep the browser alive
            browser = itself()
            if browser is not None:
                browser.close_foreign(message)

        self.connection = Connection(self._process.reader, self._process.writer, on_event)
        try:
            self.version: str = self.connection.call("Browser.getVersion", timeout=START_SECONDS)["product"]
            self.connection.call("Target.setDiscoverTargets", timeout=START_SECONDS, discover=True)
        except (BrowserGoneError, DeadlineError, ProtocolError) as error:
            self.close()
            raise BrowserError(
                f"{program}: it does not start as a browser; try: {program} --headless --dump-dom about:blank"
            ) from error
        except BaseException:
            self.close()
            raise

    @property
    def gone(self) -> bool:
        """Whether the browser has ended."""
        return self.connection.gone

    def close(self) -> None:
        """End the browser; nothing of it is left."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._process.kill()
                self.connection.close()

    def close_foreign(self, message: Message) -> None:
        """Close a window that a page opened: requests of it would not be ours to answer."""
        if message["method"] == "Target.targetCreated":
            target = message["params"]["targetInfo"]
            if "openerId" in target:
                # The thread that reads must not wait until the browser listens.
                threading.Thread(target=self._close_target, args=(target["targetId"],), daemon=True).start()

    def _close_target(self, target: str) -> None:
        with suppress(BrowserGoneError):
            self.connection.send("Target.closeTarget", {"targetId": target})
