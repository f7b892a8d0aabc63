"""Drive one tab of the browser, which shows one page at a time and has a deadline for everything it does."""

from __future__ import annotations

import json
import time
from base64 import b64decode
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from webquarry.rendering.browser import (
    GONE,
    Browser,
    BrowserGoneError,
    DeadlineError,
    Inbox,
    Message,
    ProtocolError,
    result_of,
)
from webquarry.rendering.requests import Responder
from webquarry.rendering.snapshot import PROPERTIES

HEIGHT = 768
"""CSS pixels of the window; layouts cover the whole page however long it is."""
LOADING_SHARE = 0.6
"""Share of a page's time after which it is taken as far as it has loaded."""
QUIET_SECONDS = 0.5
"""A page whose scripts request nothing for this long has settled."""
MAX_PICTURE_PIXELS = 16_000
"""CSS pixels of a screenshot in each direction; longer pages are cut off."""
_OPEN_SECONDS = 20.0
_CLOSE_SECONDS = 5.0
_STOP_SECONDS = 1.0
_POLL_SECONDS = 0.1
_WORLD = "webquarry"
"""Where our own script runs: what a page's scripts redefine does not reach it."""
_AFTER_ANIMATIONS = """
(() => {
  const shown = (frame) => (frame.visibility === "hidden" ? 0 : parseFloat(frame.opacity ?? 1));
  const settle = (animation) => {
    const {delay, duration, endTime} = animation.effect.getComputedTiming();
    if (animation.timeline !== animation.effect.target.ownerDocument.timeline) {
      animation.cancel();  // it follows scrolling
    } else if (isFinite(endTime)) {
      animation.finish();
    } else {  // endless: the moment at which it shows most
      const [first, ...frames] = animation.effect.getKeyframes();
      const best = frames.reduce((best, frame) => (shown(frame) > shown(best) ? frame : best), first);
      animation.pause();
      animation.currentTime = delay + Math.min(best.computedOffset, 0.999) * duration;
    }
  };
  const views = [window];
  for (const view of views) {
    for (let number = 0; number < view.length; number++) views.push(view[number]);
    for (const animation of view.document.getAnimations()) {
      try { settle(animation); } catch { animation.cancel(); }
    }
    const marquees = () => view.document.querySelectorAll("marquee");
    for (const marquee of marquees()) marquee.replaceWith(marquee.cloneNode(true));  // or they stop displaced
    for (const marquee of marquees()) marquee.stop();
  }
})()
"""
_UNFOLD = """
(() => {
  const size = (element) => [...element.querySelectorAll("script, style, template")].reduce(
    (size, each) => size - each.textContent.length, element.textContent.length);
  for (const {sheet} of document.querySelectorAll("noscript style, noscript link")) {
    if (sheet) sheet.disabled = true;  // it hides the page from people without scripts
  }
  const least = %s * size(document.body ?? document.documentElement);
  const holds = (element) => size(element) > least;
  for (let element = document.documentElement; element; element = [...element.children].findLast(holds)) {
    if (getComputedStyle(element).display === "none") element.style.setProperty("display", "revert", "important");
  }
})()
"""
_FETCHED = "webquarry.fetched"
"""Event that our own threads put into the inbox when they have answered a request."""


class TabLostError(Exception):
    """The process of the tab has died."""


class ReplacedError(Exception):
    """The page navigated away to another one."""


class Tab:
    """A tab with its own cookies and storage; unless `drawn`, it lays pages out but takes no screenshots."""

    def __init__(self, browser: Browser, fetchers: Executor, *, width: int, scripts: bool, drawn: bool) -> None:
        self._connection = browser.connection
        self._fetchers = fetchers
        self._inbox: Inbox = SimpleQueue()
        self._responder: Responder | None = None
        self._is_blank = True
        self._must_clear = False
        self._deadline = time.monotonic() + _OPEN_SECONDS
        self._reset()
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
        self._current_loader: str = frame["loaderId"]

    @property
    def gone(self) -> bool:
        """True once the browser has ended."""
        return self._connection.gone

    def _create_target(self, *, drawn: bool) -> Message:
        """Open the tab; one that is not drawn paints no frames, which saves a sixth of the CPU for the same boxes.

        Scripts may wait for frames, so they need a drawn tab.
        """
        params = {"url": "about:blank", "browserContextId": self._context}
        if not drawn:
            with suppress(ProtocolError):  # only the headless shell can do without frames
                return self._connection.call(
                    "Target.createTarget", timeout=_OPEN_SECONDS, enableBeginFrameControl=True, **params
                )
        return self._connection.call("Target.createTarget", timeout=_OPEN_SECONDS, **params)

    def _reset(self) -> None:
        """Forget the state of the last page."""
        self._loaded = False
        self._document_requested = False
        self._pending_fetches = 0
        self._last_request = 0.0
        self._page_loader = ""

    def show(self, responder: Responder, *, timeout: float, scripts: bool, wait_for: str | None) -> None:
        """Load a page and let it settle; what is not ready in time is left out."""
        start = time.monotonic()
        self._deadline = start + timeout
        if self._must_clear or not (self._is_blank or responder.needs_address):
            self._clear()
        self._reset()
        self._responder = responder
        self._must_clear = responder.sets_rules
        loading_deadline = start + timeout * LOADING_SHARE
        if responder.needs_address:
            self._is_blank = False
            self._page_loader = self._call("Page.navigate", url=responder.address).get("loaderId", "")
        else:
            # Putting the markup into an empty document costs two thirds of navigating to it.
            self._document_requested = True  # any further request for a document would replace the page
            self._page_loader = self._current_loader
            self._call("Page.setDocumentContent", frameId=self._frame, html=responder.markup)
        ready = self._wait(loading_deadline, lambda: self._loaded)
        if scripts:
            if wait_for is not None:
                self._wait_for_match(wait_for, loading_deadline)
            ready = self._wait_until_quiet(loading_deadline) and ready
        if scripts or not ready:
            self._stop()
        if scripts or responder.has_motion:
            self._run(_AFTER_ANIMATIONS)  # the same page whether or not frames are drawn

    def snapshot(self) -> Message:
        """Capture the tree, boxes and styles of the page."""
        captured = self._call(
            "DOMSnapshot.captureSnapshot",
            computedStyles=list(PROPERTIES),
            includePaintOrder=False,
            includeDOMRects=False,
        )
        if self._current_loader != self._page_loader:
            raise ReplacedError
        return captured

    def screenshot(self, width: int, height: int) -> bytes:
        """Take a picture of the page, as PNG."""
        width, height = min(width, MAX_PICTURE_PIXELS), min(height, MAX_PICTURE_PIXELS)
        area = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        taken = self._call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=area)
        return b64decode(taken["data"])

    def close(self) -> None:
        """Close the tab, even one that hangs; raise DeadlineError if the browser does not manage to."""
        self._connection.leave(self._session)
        call = self._connection.call
        with suppress(BrowserGoneError, ProtocolError):
            call("Target.closeTarget", timeout=_CLOSE_SECONDS, targetId=self._target)
            call("Target.disposeBrowserContext", timeout=_CLOSE_SECONDS, browserContextId=self._context)

    def _clear(self) -> None:
        """Leave the last page, so that a refresh it still has in progress is not taken for a request of the next."""
        self._reset()
        self._document_requested = True
        self._call("Page.navigate", url="about:blank")
        self._wait(self._deadline, lambda: self._loaded)
        self._is_blank = True

    def _wait_for_match(self, selector: str, deadline: float) -> None:
        expression = f"document.querySelector({json.dumps(selector)}) !== null"
        while True:
            found = self._call("Runtime.evaluate", expression=expression)
            if "exceptionDetails" in found:
                raise ProtocolError(f"{selector!r} is not a valid CSS selector")
            if found["result"].get("value"):
                return
            if time.monotonic() >= deadline:
                raise DeadlineError(f"nothing matched {selector!r}")
            self._wait(time.monotonic() + _POLL_SECONDS, lambda: False)

    def _wait_until_quiet(self, deadline: float) -> bool:
        self._last_request = time.monotonic()
        while (now := time.monotonic()) < deadline:
            quiet_at = self._last_request + QUIET_SECONDS
            if not self._pending_fetches and now >= quiet_at:
                return True
            self._wait(min(deadline, max(quiet_at, now + _POLL_SECONDS)), lambda: False)
        return False

    def unfold(self, share: float) -> None:
        """Display each element that holds more than a share of the page's text, as if scripts had run."""
        self._run(_UNFOLD % share)

    def _run(self, script: str) -> None:
        """Run a script of our own, which no setting of the page prevents."""
        world = self._call("Page.createIsolatedWorld", frameId=self._frame, worldName=_WORLD, grantUniveralAccess=True)
        self._call("Runtime.evaluate", expression=script, contextId=world["executionContextId"])

    def _stop(self) -> None:
        """Stop scripts and loading; a page in an endless loop does not answer, so wait only briefly."""
        for method, params in (
            ("Runtime.terminateExecution", {}),
            ("Emulation.setScriptExecutionDisabled", {"value": True}),
            ("Page.stopLoading", {}),
        ):
            with suppress(DeadlineError, ProtocolError):
                self._call(method, deadline=time.monotonic() + _STOP_SECONDS, **params)

    def _call(self, method: str, *, deadline: float | None = None, **params: Any) -> Message:
        """Send a call and return its answer, handling the events that arrive in between."""
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
        """Handle events until something is ready; return false at the deadline."""
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
        method, event = message.get("method"), message.get("params", {})
        if method == "Fetch.requestPaused":
            self._answer_request(event)
        elif method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Page.frameNavigated" and "parentId" not in event["frame"]:
            self._current_loader = event["frame"]["loaderId"]
        elif method == "Page.javascriptDialogOpening":
            self._send("Page.handleJavaScriptDialog", accept=False)
        elif method in ("Inspector.detached", "Inspector.targetCrashed"):
            raise TabLostError
        elif method == _FETCHED and event["responder"] is self._responder:  # else a leftover of an earlier page
            self._pending_fetches -= 1
            self._last_request = time.monotonic()

    def _answer_request(self, event: Message) -> None:
        request, kind = event["requestId"], event["resourceType"]
        address, method = event["request"]["url"], event["request"]["method"]
        self._last_request = time.monotonic()
        responder = self._responder
        if kind == "Document" and event["frameId"] == self._frame:
            if self._document_requested or responder is None:
                # "Aborted" leaves the page in place; any other reason would show an error page instead.
                self._send("Fetch.failRequest", requestId=request, errorReason="Aborted")
                return
            self._document_requested = True
            self._send("Fetch.fulfillRequest", **responder.page().to_params(request))
            return
        answer = responder.answer_locally(address) if responder is not None else None
        if answer is None and responder is not None and responder.may_fetch(address, kind, method):
            self._pending_fetches += 1
            self._fetchers.submit(self._fetch, responder, event)
            return
        if responder is not None:
            responder.note(address, kind, event["request"]["initialPriority"], answer)
        if answer is not None:
            self._send("Fetch.fulfillRequest", **answer.to_params(request))
        else:
            self._send("Fetch.failRequest", requestId=request, errorReason="BlockedByClient")

    def _fetch(self, responder: Responder, event: Message) -> None:
        """Answer a request from a thread that may wait for the network."""
        request, address = event["requestId"], event["request"]["url"]
        try:
            answer = responder.fetch(address)
            responder.note(address, event["resourceType"], event["request"]["initialPriority"], answer)
            with suppress(BrowserGoneError):
                if answer is None:
                    self._send("Fetch.failRequest", requestId=request, errorReason="Failed")
                else:
                    self._send("Fetch.fulfillRequest", **answer.to_params(request))
        finally:
            self._inbox.put({"method": _FETCHED, "params": {"responder": responder}})
