"""The browser as a process that leaves nothing behind."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import tempfile
import time
import weakref
from contextlib import suppress
from pathlib import Path

from webquarry.errors import BrowserError

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
