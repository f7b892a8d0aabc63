"""Serve the workbench to one browser on this machine: a token, our own origin only, and a strict policy.

Pages are shown in frames that can do nothing (`opened_pages`).  No text of a page enters our own page as markup: the
browser gets JSON, and its views write texts.
"""

from __future__ import annotations

import json
import secrets
import socket
import threading
import time
import webbrowser
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from webquarry.errors import InputError, WebquarryError
from webquarry.workbench.opened_pages import FRAME_POLICY, RESOURCE_POLICY, OpenedPage

APP_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HOSTS = ["127.0.0.1", "localhost"]
MAX_BODY = 2**20
"""Bytes of a request; the longest text that a person selects is far shorter."""
SECONDS_TO_END = 2
"""The time that requests in progress get when the workbench is stopped; a browser may keep connections open."""
SECONDS_TO_OPEN = 1.0
"""The delay before the browser is opened; work that fails sooner is reported without it."""
SECONDS_BETWEEN_LOOKS = 0.02
"""The interval at which background work checks for actions in progress."""
_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

_NOT_FOUND = PlainTextResponse("there is no such page or file", 404)

Handler = Callable[[Request], Awaitable[Response]]


class StoppedError(InputError):
    """A person stopped the work."""


class WorkProgress:
    """The long work of the process: its name, its progress, and whether it is to be stopped.

    The thread that works reports; those that answer requests read it and ask to stop.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._label = ""
        self._done, self._total = 0, 0
        self._is_stopped = False

    @contextmanager
    def track(self, label: str) -> Iterator[None]:
        """Name the work of a block, such as `rendering`; stopping is possible wherever it reports."""
        with self._lock:
            self._label, self._done, self._total, self._is_stopped = label, 0, 0, False
        try:
            yield
        finally:
            with self._lock:
                self._label, self._is_stopped = "", False

    def report(self, done: int, total: int | None = None) -> None:
        """Say how much is done; raise StoppedError if a person asked to stop."""
        with self._lock:
            self._done, self._total = done, total or 0
            if self._is_stopped:
                self._is_stopped = False
                of_all = f" of {total}" if total else ""
                raise StoppedError(f"stopped while {self._label}: {done}{of_all} done")

    def stop(self) -> None:
        """Ask the work to stop; it does so when it reports next."""
        with self._lock:
            self._is_stopped = bool(self._label)

    def describe(self) -> dict[str, Any]:
        """Describe the work for the browser; empty if there is none."""
        with self._lock:
            if not self._label:
                return {}
            return {"label": self._label, "done": self._done, "total": self._total, "is_stopping": self._is_stopped}


class Work(Protocol):
    """The content of the workbench: a wrapper, a catalog, an article or an extraction."""

    pages: list[OpenedPage]

    def show(self, number: int) -> dict[str, Any]:
        """Describe it, and what it finds on one page."""
        ...

    def act(self, number: int, action: str, given: Mapping[str, Any]) -> str:
        """Do what was clicked; say what was done."""
        ...

    def find_gaps(self, number: int) -> list[str]:
        """List what a page lacks that it should have."""
        ...


Opening = Callable[[WorkProgress], tuple[Work, Sequence[str]]]
"""Opens the work of a process; returns it with warnings about what could not be opened."""


class Bench:
    """The work of one process, with the version by which two windows notice each other."""

    def __init__(self, opening: Opening, *, shoot: Callable[[OpenedPage], bytes | None]) -> None:
        self.shoot = shoot
        self.progress = WorkProgress()
        self._opening = opening
        self._work: Work | None = None
        self._warnings: Sequence[str] = ()
        self._version = 1
        self._lock = threading.Lock()
        self._waiting = 0
        """The number of actions in progress; background work waits for them."""

    def open(self) -> None:
        """Open the work, which may take long; until then the browser shows the progress."""
        self._work, self._warnings = self._opening(self.progress)

    @property
    def work(self) -> Work:
        """The content of the workbench, once it is open."""
        if self._work is None:
            raise ValueError("the workbench is not open yet")
        return self._work

    @property
    def pages(self) -> Sequence[OpenedPage]:
        """The pages that are open."""
        return self._work.pages if self._work else ()

    def show(self, number: int) -> dict[str, Any]:
        """Describe the work on one page."""
        if self._work is None:
            return {"view": "opening"}
        with self._lock:
            return self._show(number)

    def find_gaps(self, version: int) -> dict[str, Any]:
        """List for each page what it lacks, page after page; give up when an action changes the work meanwhile."""
        gaps: list[list[str]] = []
        while self._work is not None and len(gaps) < len(self._work.pages):
            while self._waiting:
                time.sleep(SECONDS_BETWEEN_LOOKS)
            with self._lock:
                if version != self._version:
                    return {}
                gaps.append(self._work.find_gaps(len(gaps)))
        return {"version": version, "gaps": gaps}

    def act(self, given: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """Do an action unless another window has changed the work since; return the HTTP status and the answer."""
        number = given.get("page", 0)
        if not isinstance(number, int):
            return 422, {"error": "page is the number of a page"}
        self._waiting += 1
        try:
            with self._lock:
                return self._act(number, given)
        finally:
            self._waiting -= 1

    def _act(self, number: int, given: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        if given.get("version") != self._version:
            return 409, {
                "error": "another window made a change, which is now shown; repeat yours if it still applies",
                "state": self._show(number),
            }
        try:
            said = self.work.act(number, str(given.get("action", "")), given)
        except (WebquarryError, ValueError, OSError) as error:
            return 422, {"error": str(error), "state": self._show(number)}
        self._version += 1
        return 200, {"said": said, "state": self._show(number)}

    def _show(self, number: int) -> dict[str, Any]:
        number = max(min(number, len(self.work.pages) - 1), 0)
        return {
            "version": self._version,
            "page": number,
            "pages": [{"title": page.title, "address": page.page.url} for page in self.work.pages],
            "warnings": list(self._warnings),
            "folder": str(Path.cwd()),
            **self.work.show(number),
        }


def make_app(bench: Bench, token: str, port: int) -> Starlette:
    """Make the application; all but the first request need the cookie that the address with the token sets."""
    gate = _Gate(token, port)
    views = _Views(bench)
    routes = [
        Route("/", gate.enter),
        Route("/assets/{path:path}", gate.guard(_send_asset)),
        Route("/state", gate.guard(views.send_state)),
        Route("/act", gate.guard(views.act), methods=["POST"]),
        Route("/gaps", gate.guard(views.send_gaps)),
        Route("/progress", gate.guard(views.send_progress)),
        Route("/stop", gate.guard(views.stop), methods=["POST"]),
        Route("/frames/{page:int}", gate.guard(views.send_frame)),
        Route("/resources/{page:int}/{number:int}", gate.guard(views.send_resource)),
        Route("/tags/{page:int}", gate.guard(views.send_tags)),
        Route("/boxes/{page:int}", gate.guard(views.send_boxes)),
        Route("/elements/{page:int}/{element:int}", gate.guard(views.send_element)),
        Route("/pictures/{page:int}", gate.guard(views.send_picture)),
    ]
    middleware = [Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS), Middleware(SafeHeaders)]
    return Starlette(routes=routes, middleware=middleware)


class _Gate:
    """Middleware that admits only requests of our own page, in the browser that opened the address with the token."""

    def __init__(self, token: str, port: int) -> None:
        self._token = token
        self._cookie = f"quarry-workbench-{port}"
        self._origins = {f"http://{host}:{port}" for host in HOSTS}

    async def enter(self, request: Request) -> Response:
        """Set the cookie for the right token, or show the workbench to whoever has it."""
        given = request.query_params.get("token")
        if given is None:
            return await self.guard(_send_index)(request)
        if not secrets.compare_digest(given.encode(), self._token.encode()):
            return PlainTextResponse("wrong token; use the address that `quarry workbench` printed last", 403)
        response = RedirectResponse("/", 303)
        response.set_cookie(self._cookie, self._token, httponly=True, samesite="strict")
        return response

    def guard(self, handler: Handler) -> Handler:
        """Refuse requests without the cookie, and changes that another page asks for."""

        async def guarded(request: Request) -> Response:
            given = request.cookies.get(self._cookie, "")
            if not secrets.compare_digest(given.encode(), self._token.encode()):
                return PlainTextResponse("open the address with the token that `quarry workbench` printed", 403)
            if request.method == "POST" and not self._is_own(request):
                return PlainTextResponse("only the workbench itself may send requests", 403)
            return await handler(request)

        return guarded

    def _is_own(self, request: Request) -> bool:
        site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
        return site in ("same-origin", None) and origin in self._origins


class _Views:
    """The handlers of requests about the work and its pages."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    async def send_state(self, request: Request) -> Response:
        """Describe the work on a page."""
        return JSONResponse(await run_in_threadpool(self._bench.show, _to_number(request.query_params.get("page"))))

    async def send_gaps(self, request: Request) -> Response:
        """List what the pages lack; the browser asks for it when it has shown the page on screen."""
        version = _to_number(request.query_params.get("version"))
        return JSONResponse(await run_in_threadpool(self._bench.find_gaps, version))

    async def send_progress(self, _request: Request) -> Response:
        """Describe long work in progress."""
        return JSONResponse(self._bench.progress.describe())

    async def stop(self, _request: Request) -> Response:
        """Stop long work."""
        self._bench.progress.stop()
        return JSONResponse({})

    async def act(self, request: Request) -> Response:
        """Do what was clicked."""
        given = await _read_body(request)
        if given is None:
            return JSONResponse({"error": "the request is too long or not JSON"}, 400)
        status, answer = await run_in_threadpool(self._bench.act, given)
        return JSONResponse(answer, status)

    async def send_frame(self, request: Request) -> Response:
        """Send the markup of a page for its frame."""
        page = self._find_page(request)
        if page is None:
            return _NOT_FOUND
        markup = await run_in_threadpool(lambda: page.frame.markup)
        headers = {"Content-Security-Policy": FRAME_POLICY}
        return Response(markup.encode(), headers=headers, media_type="text/html; charset=utf-8")

    async def send_resource(self, request: Request) -> Response:
        """Send a style sheet, picture or font of a page."""
        page = self._find_page(request)
        answer = page.frame.resource(request.path_params["number"]) if page else None
        if answer is None:
            return _NOT_FOUND
        headers = {"Content-Security-Policy": RESOURCE_POLICY, "Content-Type": answer.content_type}
        return Response(answer.body, headers=headers)

    async def send_tags(self, request: Request) -> Response:
        """Send the names of a page's elements, by which the browser checks that its frame has the same tree."""
        page = self._find_page(request)
        return _NOT_FOUND if page is None else PlainTextResponse(await run_in_threadpool(lambda: page.numbers.tags))

    async def send_boxes(self, request: Request) -> Response:
        """Send where things are on the picture of a page."""
        page = self._find_page(request)
        return _NOT_FOUND if page is None else JSONResponse(await run_in_threadpool(page.numbers.describe_boxes))

    async def send_element(self, request: Request) -> Response:
        """Send what an element of a page says, for a correction that it is an example of."""
        page, number = self._find_page(request), request.path_params["element"]
        if page is None or not page.numbers.has(number):
            return _NOT_FOUND
        return JSONResponse(await run_in_threadpool(page.describe_element, number))

    async def send_picture(self, request: Request) -> Response:
        """Send a picture of a page whose frame has another tree."""
        page = self._find_page(request)
        picture = None if page is None else await run_in_threadpool(self._bench.shoot, page)
        return _NOT_FOUND if picture is None else Response(picture, media_type="image/png")

    def _find_page(self, request: Request) -> OpenedPage | None:
        number, pages = request.path_params["page"], self._bench.pages
        return pages[number] if 0 <= number < len(pages) else None


class SafeHeaders:
    """Middleware that adds our policy to responses without one, and keeps all of them out of caches."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on, and add headers to the start of its answer."""

        async def send_safely(message: Any) -> None:
            if message["type"] == "http.response.start":
                names = {name.lower() for name, _ in message["headers"]}
                extra = {
                    b"content-security-policy": APP_POLICY.encode(),
                    b"x-content-type-options": b"nosniff",
                    b"referrer-policy": b"no-referrer",
                    b"cross-origin-resource-policy": b"same-origin",
                    b"cache-control": b"no-store",
                }
                message["headers"] += [(name, value) for name, value in extra.items() if name not in names]
            await send(message)

        await self._app(scope, receive, send_safely)


async def _send_index(_request: Request) -> Response:
    return Response(_read_asset("index.html"), media_type="text/html; charset=utf-8")


async def _send_asset(request: Request) -> Response:
    path = request.path_params["path"]
    content_type = next((kind for ending, kind in _TYPES.items() if path.endswith(ending)), None)
    if content_type is None or "\\" in path or any(part in ("", ".", "..") for part in path.split("/")):
        return _NOT_FOUND
    try:
        return Response(_read_asset(path), media_type=content_type)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return _NOT_FOUND


def _read_asset(path: str) -> bytes:
    return files("webquarry.workbench").joinpath("assets", *path.split("/")).read_bytes()


async def _read_body(request: Request) -> dict[str, Any] | None:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            return None
    try:
        given = json.loads(body)
    except ValueError:
        return None
    return given if isinstance(given, dict) else None


def _to_number(written: str | None) -> int:
    return int(written) if written is not None and written.isdecimal() and len(written) < 10 else 0


def serve(bench: Bench, *, port: int, opens: bool, say: Callable[[str], None]) -> None:
    """Open the work and serve it on loopback until it is stopped; `say` gets the address, which holds the token.

    Work that takes long to open is served while it opens, so that the browser can show how far it is and stop it.
    """
    token = secrets.token_urlsafe(24)
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOSTS[0], port))
        except OSError as error:
            raise InputError(f"--port {port}: {error.strerror}; choose another, or leave it out") from error
        listening.listen()  # the browser may send requests as soon as it has the address
        port = listening.getsockname()[1]
        config = uvicorn.Config(
            make_app(bench, token, port),
            log_level="error",
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=SECONDS_TO_END,
        )
        server = uvicorn.Server(config)
        ended = threading.Event()

        def run() -> None:
            try:
                server.run(sockets=[listening])
            finally:
                ended.set()

        serving = threading.Thread(target=run, daemon=True)
        address = f"http://{HOSTS[0]}:{port}/?token={token}"

        def announce() -> None:
            serving.start()
            say(address)
            if opens:
                webbrowser.open(address)

        waiting = threading.Timer(SECONDS_TO_OPEN, announce)
        waiting.start()
        try:
            bench.open()  # in the main thread: a page that takes too long is given up by a signal
            waiting.cancel()
            waiting.join()
            if serving.ident is None:
                announce()
            ended.wait()  # a join that a signal interrupts takes the thread for ended from then on
        finally:
            waiting.cancel()
            server.should_exit = True
            if serving.ident is not None:  # the socket must stay open as long as it serves
                ended.wait(2 * SECONDS_TO_END)
                server.force_exit = True
                ended.wait()
