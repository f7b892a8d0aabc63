"""A tab of the browser: shows one page at a time, and everything that it does has a deadline."""

from __future__ import annotations

import json
import time
from base64 import b64decode
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from webquarry.rendering.browser import Browser
from webquarry.rendering.painted import PROPERTIES
from webquarry.rendering.protocol import GONE, BrowserGoneError, DeadlineError, Inbox, Message, ProtocolError, result_of
from webquarry.rendering.requests import Serving

HEIGHT = 768
"""CSS pixels of the window; pages are as long as they are."""
LOADING_SHARE = 0.6
"""Of the time for a page; then it is taken as far as it has come."""
QUIET_SECONDS = 0.5
"""A page whose scripts ask for nothing for so long has settled."""
MAX_PICTURE = 16_000
"""CSS pixels of a screenshot in each direction; longer pages are cut."""
_OPEN_SECONDS = 20.0
_CLOSE_SECONDS = 5.0
_STOP_SECONDS = 1.0
_POLL_SECONDS = 0.1
_SERVED = "webquarry.served"


class TabLostError(Exception):
    """The process of the tab has died."""


class ReplacedError(Exception):
    """The page put another one in its place."""


class Tab:
    """A tab with cookies and storage of its own; one that is not `drawn` lays pages out, but has no pictures."""

    def __init__(self, browser: Browser, fetchers: Executor, *, width: int, scripts: bool, drawn: bool) -> None:
        self._connection = browser.connection
        self._fetchers = fetchers
        self._inbox: Inbox = SimpleQueue()
        self._serving: Serving | None = None
        self._is_blank = True
        self._must_clear = False
        self._deadline = time.monotonic() + _OPEN_SECONDS
        self._reset()
        self._handlers: dict[str, Callable[[Message], None]] = {
            "Fetch.requestPaused": self._on_request,
            "Inspector.detached": self._on_lost,
            "Inspector.targetCrashed": self._on_lost,
            "Page.frameNavigated": self._on_navigated,
            "Page.javascriptDialogOpening": self._on_dialog,
            "Page.loadEventFired": self._on_load,
            _SERVED: self._on_served,
        }
        call = self._connection.call
        created = call("Target.createBrowserContext", timeout=_OPEN_SECONDS, disposeOnDetach=True)
        self._context = created["browserContextId"]
        self._target: str = self._create_target(drawn=drawn or scripts)["targetId"]
        attached = call("Target.attachToTarget", timeout=_OPEN_SECONDS, targetId=self._target, flatten=True)
        self._session: str = attached["sessionId"]
        self._connection.join(self._session, self._inbox)
        self._call("Page.enable")
        self._call("Inspector.enable")
        self._call("Fetch.enable", patterns=[{"urlPattern": "*"}])
        self._call("Browser.setDownloadBehavior", behavior="deny", browserContextId=self._context)
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=HEIGHT, deviceScaleFactor=1, mobile=False)
        if not scripts:
            self._call("Emulation.setScriptExecutionDisabled", value=True)
        frame = self._call("Page.getFrameTree")["frameTree"]["frame"]
        self._frame: str = frame["id"]
        self._loader: str = frame["loaderId"]

    def _create_target(self, *, drawn: bool) -> Message:
        """Without frames nothing is painted: a sixth less CPU a page, for the same boxes.

        Scripts may wait for frames.
        """
        params = {"url": "about:blank", "browserContextId": self._context}
        if not drawn:
            with suppress(ProtocolError):  # only the headless shell can leave them out
                return self._connection.call(
                    "Target.createTarget", timeout=_OPEN_SECONDS, enableBeginFrameControl=True, **params
                )
        return self._connection.call("Target.createTarget", timeout=_OPEN_SECONDS, **params)

    def show(self, serving: Serving, *, timeout: float, scripts: bool, wait_for: str | None) -> None:
        """Load a page and let it settle; what is not ready by then is left out."""
        start = time.monotonic()
        self._deadline = start + timeout
        if self._must_clear or not (self._is_blank or serving.needs_address):
            self._clear()
        self._reset()
        self._serving = serving
        self._must_clear = serving.sets_rules
        loading = start + timeout * LOADING_SHARE
        if serving.needs_address:
            self._navigate(serving.address)
        else:
            self._put(serving.markup)
        ready = self._wait(loading, lambda: self._loaded)
        if scripts:
            if wait_for is not None:
                self._wait_for(wait_for, loading)
            ready = self._wait_until_quiet(loading) and ready
        if scripts or not ready:
            self._stop()

    def snapshot(self) -> Message:
        """The tree, boxes and styles of the page that is shown."""
        taken = self._call(
            "DOMSnapshot.captureSnapshot",
            computedStyles=list(PROPERTIES),
            includePaintOrder=False,
            includeDOMRects=False,
        )
        if self._loader != self._shown:
            raise ReplacedError
        return taken

    def screenshot(self, width: int, height: int) -> bytes:
        """A picture of the page that is shown, as PNG."""
        area = {"x": 0, "y": 0, "width": min(width, MAX_PICTURE), "height": min(height, MAX_PICTURE), "scale": 1}
        taken = self._call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=area)
        return b64decode(taken["data"])

    def close(self) -> None:
        """Close the tab, also one that hangs; raises DeadlineError when the browser does not manage to."""
        self._connection.leave(self._session)
        with suppress(BrowserGoneError, ProtocolError):
            self._connection.call("Target.closeTarget", timeout=_CLOSE_SECONDS, targetId=self._target)
            self._connection.call(
                "Target.disposeBrowserContext", timeout=_CLOSE_SECONDS, browserContextId=self._context
            )

    def _reset(self) -> None:
        self._loaded = False
        self._requested = False
        self._waiting = 0
        self._last_request = 0.0
        self._shown = ""

    def _navigate(self, address: str) -> None:
        self._is_blank = False
        self._shown = self._call("Page.navigate", url=address).get("loaderId", "")

    def _put(self, markup: str) -> None:
        """Put the markup into an empty document, which costs two thirds of navigating."""
        self._requested = True  # any request for a document is one to replace the page
        self._shown = self._loader
        self._call("Page.setDocumentContent", frameId=self._frame, html=markup)

    def _clear(self) -> None:
        """Leave the last page: a refresh that it has under way must not be taken for a request of the next."""
        self._reset()
        self._requested = True
        self._call("Page.navigate", url="about:blank")
        self._wait(self._deadline, lambda: self._loaded)
        self._is_blank = True

    def _wait_for(self, selector: str, deadline: float) -> None:
        expression = f"document.querySelector({json.dumps(selector)}) !== null"
        while True:
            found = self._call("Runtime.evaluate", expression=expression)
            if "exceptionDetails" in found:
                raise ProtocolError(f"{selector!r} is not a CSS selector that it knows")
            if found["result"].get("value"):
                return
            if time.monotonic() >= deadline:
                raise DeadlineError(f"nothing matched {selector!r}")
            self._wait(time.monotonic() + _POLL_SECONDS, lambda: False)

    def _wait_until_quiet(self, deadline: float) -> bool:
        self._last_request = time.monotonic()
        while (now := time.monotonic()) < deadline:
            quiet_at = self._last_request + QUIET_SECONDS
            if not self._waiting and now >= quiet_at:
                return True
            self._wait(min(deadline, max(quiet_at, now + _POLL_SECONDS)), lambda: False)
        return False

    def _stop(self) -> None:
        """Stop scripts and loading; a page in an endless loop does not answer, so nothing is waited for long."""
        for method, params in (
            ("Runtime.terminateExecution", {}),
            ("Emulation.setScriptExecutionDisabled", {"value": True}),
            ("Page.stopLoading", {}),
        ):
            with suppress(DeadlineError, ProtocolError):
                self._call(method, deadline=time.monotonic() + _STOP_SECONDS, **params)

    def _call(self, method: str, *, deadline: float | None = None, **params: Any) -> Message:
        number = self._connection.send(method, params, session=self._session, inbox=self._inbox)
        until = min(self._deadline, deadline or self._deadline)
        while True:
            message = self._receive(until)
            if message is None:
                raise DeadlineError(method)
            if message.get("id") == number:
                return result_of(message)
            self._handle(message)

    def _send(self, method: str, **params: Any) -> None:
        """Send a call whose answer does not matter."""
        self._connection.send(method, params, session=self._session)

    def _wait(self, deadline: float, is_ready: Callable[[], bool]) -> bool:
        while not is_ready():
            message = self._receive(deadline)
            if message is None:
                return False
            self._handle(message)
        return True

    def _receive(self, deadline: float) -> Message | None:
        try:
            message = self._inbox.get(timeout=max(0.0, deadline - time.monotonic()))
        except Empty:
            return None
        if message is GONE:
            raise BrowserGoneError
        return message

    def _handle(self, message: Message) -> None:
        handler = self._handlers.get(message.get("method", ""))
        if handler is not None:
            handler(message.get("params", {}))

    def _on_load(self, _: Message) -> None:
        self._loaded = True

    def _on_lost(self, _: Message) -> None:
        raise TabLostError

    def _on_dialog(self, _: Message) -> None:
        self._send("Page.handleJavaScriptDialog", accept=False)

    def _on_navigated(self, event: Message) -> None:
        if "parentId" not in event["frame"]:
            self._loader = event["frame"]["loaderId"]

    def _on_served(self, event: Message) -> None:
        if event["serving"] is self._serving:  # not one that an earlier page had asked for
            self._waiting -= 1
            self._last_request = time.monotonic()

    def _on_request(self, event: Message) -> None:
        request, kind = event["requestId"], event["resourceType"]
        self._last_request = time.monotonic()
        serving = self._serving
        if kind == "Document" and event["frameId"] == self._frame:
            if self._requested or serving is None:
                # Aborted leaves the page in place; any other reason would show an error page instead.
                self._send("Fetch.failRequest", requestId=request, errorReason="Aborted")
                return
            self._requested = True
            self._send("Fetch.fulfillRequest", **serving.page().to_params(request))
            return
        address, method = event["request"]["url"], event["request"]["method"]
        answer = serving.at_hand(address) if serving is not None else None
        if answer is not None:
            self._send("Fetch.fulfillRequest", **answer.to_params(request))
        elif serving is not None and serving.may_fetch(address, kind, method):
            self._waiting += 1
            self._fetchers.submit(self._fetch, serving, address, request)
        else:
            self._send("Fetch.failRequest", requestId=request, errorReason="BlockedByClient")

    def _fetch(self, serving: Serving, address: str, request: str) -> None:
        """Answer a request in a thread that may wait for the network."""
        try:
            answer = serving.fetch(address)
            with suppress(BrowserGoneError):
                if answer is None:
                    self._send("Fetch.failRequest", requestId=request, errorReason="Failed")
                else:
                    self._send("Fetch.fulfillRequest", **answer.to_params(request))
        finally:
            self._inbox.put({"method": _SERVED, "params": {"serving": serving}})
