"""Exchange messages with the browser over its pipe: JSON, each ended by a zero byte."""

from __future__ import annotations

import itertools
import json
import os
import select
import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any

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
