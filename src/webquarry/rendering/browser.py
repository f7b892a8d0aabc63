"""A browser at work: its process, the connection to it, and its version."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import tempfile
import threading
import time
import weakref
from contextlib import suppress
from pathlib import Path

from webquarry.errors import BrowserError
from webquarry.rendering.protocol import BrowserGoneError, Connection, DeadlineError, Message, ProtocolError

# MERGED rendering/process: The browser as a process that leaves nothing behind.
FEATURES_OFF = (
    # One process for a page and its frames: interception and snapshot then cover all of them.
    "IsolateOrigins",
    "IsolateSandboxedIframes",
    "site-per-process",
    # One page after the other in that process, none kept to go back to: a third less CPU a page.
    "BackForwardCache",
    "ProactivelySwapBrowsingInstance",
    "RenderDocument",
    # Requests that are not the page's.
    "HttpsUpgrades",
    "MediaRouter",
    "Translate",
)
FLAGS = (
    "--headless",
    "--remote-debugging-pipe",
    # Containment: no name resolves, so that no request leaves even if our interception misses it.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--block-new-web-contents",
    "--js-flags=--max-old-space-size=256",
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
    f"--disable-features={','.join(FEATURES_OFF)}",
    # The same picture everywhere.
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--force-device-scale-factor=1",
    "--hide-scrollbars",
    "--mute-audio",
)
# The shell outlives both us and the browser: whoever is killed, it removes the folder.  It closes its own copies of
# the pipe, so that the end of the browser is seen at once.
_SCRIPT = '"$@" & exec 3>&- 4>&-; wait $!; rm -rf "$0"'
_PIPE_BYTES = 2**20
_KILL_SECONDS = 5.0
_DYING_SECONDS = 0.05  # a process that was killed may still end what it had begun, such as making a folder


class BrowserProcess:
    """A running browser: `reader` and `writer` are our ends of its pipe."""

    def __init__(self, program: Path, *, flags: tuple[str, ...] = ()) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="webquarry-browser-"))
        sandbox = () if os.geteuid() else ("--no-sandbox",)  # Chromium refuses to run its sandbox as root
        command = [str(program), *FLAGS, *sandbox, *flags, f"--user-data-dir={self.folder}"]
        try:
            self.pid, self.reader, self.writer = _spawn(["/bin/sh", "-c", _SCRIPT, str(self.folder), *command])
        except OSError as error:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise BrowserError(f"{program}: it does not start ({error.strerror or error})") from error
        # Runs also at exit and when we are collected.
        self._end = weakref.finalize(self, _end, self.pid, self.folder)

    def kill(self) -> None:
        """End the browser and all that it started, and remove its folder."""
        self._end()


def _spawn(command: list[str]) -> tuple[int, int, int]:
    """Start a program with a pipe at its descriptors 3 and 4, in a session of its own."""
    theirs_in, writer = os.pipe()
    reader, theirs_out = os.pipe()
    null = os.open(os.devnull, os.O_RDWR)
    # Above the numbers that the actions below overwrite.
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
        with suppress(AttributeError, OSError):  # only Linux has it; it spares the browser waits on large answers
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


# MERGED rendering/finding: Which browser renders.
VARIABLE = "WEBQUARRY_BROWSER"
NAMES = (
    "chromium-headless-shell",
    "headless_shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
"""Names of browsers on the search path, the headless shells first: they cost half as much a page."""
ADVICE = (
    "on Debian get one with: apt-get install chromium-headless-shell; elsewhere install Chromium or Chrome, "
    f"or name the program with --browser or {VARIABLE}"
)
_IN_PLAYWRIGHT = (
    "chromium_headless_shell-*/*/*headless*shell",
    "chromium-*/*/chrome",
    "chromium-*/*/*.app/Contents/MacOS/*",
)


def find_browser(named: str | Path | None = None) -> Path | None:
    """The browser that was named, by the caller or in the environment, or else the first that is found."""
    wanted = named or os.environ.get(VARIABLE)
    if wanted:
        found = shutil.which(str(Path(wanted).expanduser()))
        if found is None:
            raise BrowserError(f"{wanted}: no such program to render with; {ADVICE}")
        return Path(found)
    return _find_in_playwright() or _find_on_path()


def require_browser(named: str | Path | None = None) -> Path:
    """The browser to use, or an error that says how to get one."""
    found = find_browser(named)
    if found is None:
        raise BrowserError(f"rendering needs a browser and none was found; {ADVICE}")
    return found


def _find_in_playwright() -> Path | None:
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or "~/.cache/ms-playwright").expanduser()
    for pattern in _IN_PLAYWRIGHT:
        found = sorted(path for path in folder.glob(pattern) if os.access(path, os.X_OK))
        if found:
            return found[-1]
    return None


def _find_on_path() -> Path | None:
    names = (shutil.which(name) for name in NAMES)
    return next((Path(name) for name in names if name), None)
