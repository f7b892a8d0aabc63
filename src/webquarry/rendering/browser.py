"""Run a Chromium browser: find it, start it so that nothing is left behind, exchange messages, bound its memory.

Messages pass through its pipe as JSON, each ended by a zero byte.
"""

from __future__ import annotations

import ctypes
import fcntl
import itertools
import json
import os
import select
import shutil
import signal
import tempfile
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from webquarry.errors import BrowserError

VARIABLE = "WEBQUARRY_BROWSER"
_PROGRAMS = (
    "chromium-headless-shell",
    "headless_shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
"""Searched on the path in this order; headless shells cost half as much per page."""
ADVICE = (
    "on Debian get one with: apt-get install chromium-headless-shell; elsewhere install Chromium or Chrome, "
    f"or name the program with --browser or {VARIABLE}"
)
_PLAYWRIGHT_PATTERNS = (
    "chromium_headless_shell-*/*/*headless*shell",
    "chromium-*/*/chrome",
    "chromium-*/*/*.app/Contents/MacOS/*",
)
START_SECONDS = 30.0
"""A browser starts within a second; a busy machine may need much longer."""
_DISABLED_FEATURES = (
    # One process for a page and its frames, so that interception and snapshot cover all of them.
    "IsolateOrigins",
    "IsolateSandboxedIframes",
    "site-per-process",
    # One process for page after page, none kept to go back to: a third less CPU per page.
    "BackForwardCache",
    "ProactivelySwapBrowsingInstance",
    "RenderDocument",
    # Requests that no page made.
    "HttpsUpgrades",
    "MediaRouter",
    "Translate",
)
_MAX_HEAP_MEGABYTES = 1024
"""What scripts may fill. The nodes of a page count too: at a quarter of it, pages of 100,000 nodes make the browser
collect garbage over and over, a fifth of their CPU time."""
_FLAGS = (
    "--headless",
    "--remote-debugging-pipe",
    # Containment: no name resolves, so that no request leaves even if our interception misses one.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--block-new-web-contents",
    f"--js-flags=--max-old-space-size={_MAX_HEAP_MEGABYTES}",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-quic",
    "--disable-sync",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-pings",
    "--disable-site-isolation-trials",
    f"--disable-features={','.join(_DISABLED_FEATURES)}",
    # The same picture everywhere.
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--force-device-scale-factor=1",
    "--hide-scrollbars",
    "--mute-audio",
)
# The shell outlives both us and the browser: whichever is killed, it removes the folder. It closes its own copies
# of the pipe, so that the end of the browser is noticed at once.
_SCRIPT = '"$@" & exec 3>&- 4>&-; wait $!; rm -rf "$0"'
_PIPE_BYTES = 2**20
_KILL_SECONDS = 5.0
_DYING_SECONDS = 0.05  # a killed process may still finish what it had begun, such as making a folder


def find_browser(named: str | Path | None = None) -> Path | None:
    """Return the browser named by the caller or in the environment, or else the first one found."""
    wanted = named or os.environ.get(VARIABLE)
    if wanted:
        path = Path(wanted).expanduser()
        found = shutil.which(str(path)) or shutil.which(path.resolve())  # a Path drops the dot of ./browser
        if found is None:
            raise BrowserError(f"{wanted}: there is no such program; {ADVICE}")
        return Path(found)
    on_path = (shutil.which(program) for program in _PROGRAMS)
    return _find_in_playwright() or next((Path(program) for program in on_path if program), None)


def require_browser(named: str | Path | None = None) -> Path:
    """Return the browser to use, or raise an error that says how to get one."""
    found = find_browser(named)
    if found is None:
        raise BrowserError(f"rendering needs a browser, and none was found; {ADVICE}")
    return found


def _find_in_playwright() -> Path | None:
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or "~/.cache/ms-playwright").expanduser()
    for pattern in _PLAYWRIGHT_PATTERNS:
        found = sorted(path for path in folder.glob(pattern) if os.access(path, os.X_OK))
        if found:
            return found[-1]
    return None


class Browser:
    """A running browser; `version` is its product and version."""

    def __init__(self, program: Path) -> None:
        self._process = BrowserProcess(program)
        self.memory = MemoryWatch(self._process.pid)
        self._closing = threading.Lock()
        self._closed = False
        itself = weakref.ref(self)

        def on_event(message: Message) -> None:  # must not keep the browser alive
            browser = itself()
            if browser is not None:
                browser.close_popup(message)

        self.connection = Connection(self._process.reader, self._process.writer, on_event)
        try:
            deadline = time.monotonic() + START_SECONDS
            self.version: str = self.connection.call("Browser.getVersion", timeout=START_SECONDS)["product"]
            left = max(0.0, deadline - time.monotonic())
            self.connection.call("Target.setDiscoverTargets", timeout=left, discover=True)
        except (BrowserGoneError, DeadlineError, ProtocolError) as error:
            self.close()
            raise BrowserError(
                f"{program}: does not start as a browser; try: {program} --headless --dump-dom about:blank"
            ) from error
        except BaseException:
            self.close()
            raise

    @property
    def gone(self) -> bool:
        """True once the browser has ended."""
        return self.connection.gone

    def close(self) -> None:
        """End the browser and remove all it left on disk."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self.memory.stop()
                self._process.kill()
                self.connection.close()

    def close_popup(self, message: Message) -> None:
        """Close a window that a page opened, since its requests would not be intercepted."""
        if message["method"] == "Target.targetCreated":
            target = message["params"]["targetInfo"]
            if "openerId" in target:
                # This thread reads, so it must not wait until the browser listens.
                threading.Thread(target=self._close_target, args=(target["targetId"],), daemon=True).start()

    def _close_target(self, target: str) -> None:
        with suppress(BrowserGoneError):
            self.connection.send("Target.closeTarget", {"targetId": target})


class BrowserProcess:
    """The process of a browser; `reader` and `writer` are our ends of its pipe."""

    def __init__(self, program: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="webquarry-browser-"))
        sandbox = () if os.geteuid() else ("--no-sandbox",)  # Chromium refuses to run its sandbox as root
        command = [str(program), *_FLAGS, *sandbox, f"--user-data-dir={self.folder}"]
        try:
            self.pid, self.reader, self.writer = _spawn(["/bin/sh", "-c", _SCRIPT, str(self.folder), *command])
        except OSError as error:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise BrowserError(f"{program}: does not start ({error.strerror or error})") from error
        # Also runs at exit and when this object is collected.
        self._end = weakref.finalize(self, _end, self.pid, self.folder)

    def kill(self) -> None:
        """Kill the browser and everything it started, and remove its folder."""
        self._end()


def _spawn(command: list[str]) -> tuple[int, int, int]:
    """Start a program in its own session, with pipes at its descriptors 3 and 4."""
    theirs_in, writer = os.pipe()
    reader, theirs_out = os.pipe()
    null = os.open(os.devnull, os.O_RDWR)
    # Moved above the numbers that the actions below overwrite.
    raised = [fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 10) for number in (theirs_in, theirs_out, null)]
    actions = [
        (os.POSIX_SPAWN_DUP2, raised[source], target) for source, target in ((2, 0), (2, 1), (2, 2), (0, 3), (1, 4))
    ]
    try:
        pid = os.posix_spawn(command[0], command, os.environ, file_actions=actions, setsid=True)
    except BaseException:
        os.close(reader)
        os.close(writer)
        raise
    finally:
        for number in (theirs_in, theirs_out, null, *raised):
            os.close(number)
    for number in (reader, writer):
        with suppress(AttributeError, OSError):  # Linux only; spares the browser waits on large answers
            fcntl.fcntl(number, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    return pid, reader, writer


def _end(pid: int, folder: Path) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)
    deadline = time.monotonic() + _KILL_SECONDS
    while time.monotonic() < deadline:
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(_DYING_SECONDS)
        if not folder.exists():
            return


Message = dict[str, Any]
Inbox = SimpleQueue[Message]

GONE: Message = {"method": "webquarry.gone"}
"""Put into every inbox when the browser has ended."""
MAX_MESSAGE_BYTES = 512 * 2**20
"""The snapshot of a page at our limit of tags has about a third of it."""
_MAX_BYTES_READ = 2**20
_SEND_SECONDS = 10.0
_JOIN_SECONDS = 1.0


class BrowserGoneError(Exception):
    """The browser has ended or does not respond."""


class ProtocolError(Exception):
    """The browser refused a call."""


class DeadlineError(Exception):
    """No answer came in time."""


class Connection:
    """Our end of the pipe; threads may share it.

    A thread reads all messages and puts each into an inbox: an answer into that of its caller, an
    event into that of its session. Events without a session go to `on_event`, which must not block.
    """

    def __init__(self, reader: int, writer: int, on_event: Callable[[Message], None]) -> None:
        self._reader, self._writer = reader, writer
        self._on_event = on_event
        self._numbers = itertools.count(1)
        self._callers: dict[int, Inbox] = {}
        self._sessions: dict[str, Inbox] = {}
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._gone = False
        os.set_blocking(writer, False)
        self._thread = threading.Thread(target=self._read, name="webquarry-browser", daemon=True)
        self._thread.start()

    @property
    def gone(self) -> bool:
        """True once the browser has ended."""
        return self._gone

    def join(self, session: str, inbox: Inbox) -> None:
        """Deliver the events of a session to an inbox."""
        with self._lock:
            self._sessions[session] = inbox

    def leave(self, session: str) -> None:
        """Drop the events of a session."""
        with self._lock:
            self._sessions.pop(session, None)

    def send(self, method: str, params: Message, *, session: str | None = None, inbox: Inbox | None = None) -> int:
        """Send a call and return its number; the answer goes to the inbox."""
        number = next(self._numbers)
        message: Message = {"id": number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        with self._lock:
            if self._gone:
                raise BrowserGoneError
            if inbox is not None:
                self._callers[number] = inbox
        self._write(json.dumps(message).encode() + b"\0")
        return number

    def call(self, method: str, *, timeout: float, **params: Any) -> Message:
        """Return the answer to a call that concerns the browser as a whole."""
        inbox: Inbox = SimpleQueue()
        self.send(method, params, inbox=inbox)
        try:
            return result_of(inbox.get(timeout=timeout))
        except Empty:
            raise DeadlineError(method) from None

    def close(self) -> None:
        """Close the pipe; call it after the browser was killed, since the thread ends with the browser."""
        with self._writing:
            self._gone = True
            os.close(self._writer)
        self._thread.join(_JOIN_SECONDS)

    def _write(self, data: bytes) -> None:
        deadline = time.monotonic() + _SEND_SECONDS
        rest = memoryview(data)
        with self._writing:
            while rest:
                if self._gone:  # the descriptor may already belong to another file
                    raise BrowserGoneError
                try:
                    rest = rest[os.write(self._writer, rest) :]
                except BlockingIOError:
                    self._wait_to_write(deadline)
                except OSError as error:
                    self._gone = True  # before the reading thread reaches the end of what was sent
                    raise BrowserGoneError from error

    def _wait_to_write(self, deadline: float) -> None:
        poll = select.poll()
        poll.register(self._writer, select.POLLOUT)
        if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            self._gone = True  # half a message was sent: nothing can follow it
            raise BrowserGoneError

    def _read(self) -> None:
        parts: list[bytes] = []
        length = 0
        while data := os.read(self._reader, _MAX_BYTES_READ):
            *ended, rest = data.split(b"\0")
            for piece in ended:
                parts.append(piece)
                self._deliver(json.loads(b"".join(parts)))
                parts, length = [], 0
            parts.append(rest)
            length += len(rest)
            if length > MAX_MESSAGE_BYTES:
                break
        os.close(self._reader)
        self._end()

    def _deliver(self, message: Message) -> None:
        with self._lock:
            if "id" in message:
                inbox = self._callers.pop(message["id"], None)
            else:
                inbox = self._sessions.get(message.get("sessionId", ""))
        if inbox is not None:
            inbox.put(message)
        elif "id" not in message and "sessionId" not in message:
            self._on_event(message)

    def _end(self) -> None:
        with self._lock:
            self._gone = True
            inboxes = {id(inbox): inbox for inbox in (*self._callers.values(), *self._sessions.values())}
        for inbox in inboxes.values():
            inbox.put(GONE)


def result_of(message: Message) -> Message:
    """Return the result in an answer; raise if it is an error."""
    if message is GONE:
        raise BrowserGoneError
    if "error" in message:
        raise ProtocolError(message["error"].get("message", "no reason given"))
    result: Message = message["result"]
    return result


MAX_PROCESS_BYTES = 2 * 2**30
"""Memory of one process of the browser; those of ordinary pages take a tenth of it."""
WATCH_SECONDS = 0.2
"""Time between two looks; a page takes a few hundred megabytes in it at most."""
_PROC = Path("/proc")
_BYTES_OF_MEMORY_PAGE = os.sysconf("SC_PAGE_SIZE")


class MemoryWatch:
    """A thread that watches a process and all that it started; without `/proc` it sees nothing."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._stopped = threading.Event()
        self.ended = 0
        """Number of processes that were ended for the memory they took."""
        self.total_bytes = 0
        """Memory of all processes at the last look."""
        self._thread = threading.Thread(target=self._watch, name="webquarry-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._stopped.set()

    def _watch(self) -> None:
        while not self._stopped.wait(WATCH_SECONDS):
            taken = measure_processes(self._pid)
            self.total_bytes = sum(taken.values())
            for pid, memory in taken.items():
                if memory > MAX_PROCESS_BYTES:
                    self.ended += 1  # first, so that who finds the tab lost knows why
                    with suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, signal.SIGKILL)


def measure_processes(pid: int) -> dict[int, int]:
    """Return the bytes in memory of a process and of all that it started, by their numbers."""
    taken: dict[int, int] = {}
    waiting = [pid]
    while waiting:
        pid = waiting.pop()
        with suppress(OSError, ValueError):  # it has ended, or the system has no such files
            if memory := resident_bytes(pid):  # none if it has ended
                taken[pid] = memory
            for thread in (_PROC / str(pid) / "task").iterdir():  # Chromium starts its network service from a thread
                waiting += map(int, (thread / "children").read_bytes().split())
    return taken


def resident_bytes(process: int | None = None) -> int:
    """Return the memory that a process, or this one, holds; 0 where the system does not tell."""
    try:
        with open(f"/proc/{process or 'self'}/statm", "rb", buffering=0) as file:  # noqa: PTH123 - quicker, for each page
            return int(file.read().split()[1]) * _BYTES_OF_MEMORY_PAGE
    except (OSError, IndexError):
        return 0


def return_free_memory() -> None:
    """Return memory that is free in this process to the system, where its C library can (glibc).

    Threads that render allocate in areas of their own, which would otherwise grow from page to page: by a tenth in 600
    pages.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
