"""Ask an agent that serves a source in KQML over TCP."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import ip_address
from itertools import count
from pathlib import Path
from typing import NamedTuple

from webquarry.errors import FetchError, InputError, RefusedError
from webquarry.fetching.kqml_messages import Message, MessageError, MessageReader, Value, Word, write_message
from webquarry.fetching.transport import ALLOW_PRIVATE, is_forbidden, is_public, resolve

TOKEN = "WEBQUARRY_AGENT_TOKEN"  # noqa: S105 - the name of a variable
"""The environment variable with the token of agents; with the suffix _FILE, the one that names a file with it."""
CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 300.0
"""The time to wait for a message; an agent may have to fetch and render pages for it."""
RECEIVED_BYTES = 2**16
_ADDRESS = re.compile(r"kqml://(\[[0-9a-fA-F:.]+\]|[^/:@\s]+):(\d{1,5})/([^/\s]+)")


class AgentGoneError(FetchError):
    """An agent that does not answer; what is known of its source may be used without it."""


class AgentAddress(NamedTuple):
    """The address that an agent listens on, with the name of its source."""

    host: str
    port: int
    source: str

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"kqml://{host}:{self.port}/{self.source}"


def parse_agent_address(address: str) -> AgentAddress:
    """Parse the address of an agent.

    >>> parse_agent_address("kqml://[::1]:4500/factbook")
    AgentAddress(host='::1', port=4500, source='factbook')
    """
    found = _ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found.group(2)) < 2**16:
        raise InputError(f"{address}: not the address of an agent, such as kqml://localhost:4500/factbook")
    return AgentAddress(found.group(1).strip("[]"), int(found.group(2)), found.group(3))


def find_token(file: Path | None = None) -> str:
    """Find the token that agents and their clients share; empty if there is none."""
    named = file or (Path(os.environ[f"{TOKEN}_FILE"]) if os.environ.get(f"{TOKEN}_FILE") else None)
    if named is None:
        return os.environ.get(TOKEN, "")
    try:
        return named.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise InputError(f"{named}: the token of the agent cannot be read ({error.strerror or error})") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{named}: the token of the agent is not in UTF-8") from error


class AgentConnection:
    """A connection to an agent, opened by the first question."""

    def __init__(self, address: AgentAddress, *, allow_private: bool = False) -> None:
        self.address = address
        self._allow_private = allow_private
        self._socket: socket.socket | None = None
        self._reader: MessageReader | None = None
        self._labels = map("q{}".format, count(1))

    def ask(self, performative: str, content: Value, *, language: str) -> Iterator[Message]:
        """Ask a question, and yield each `tell` of the answer; raise if there is none."""
        label = next(self._labels)
        parameters: dict[str, Value] = {
            "receiver": Word(self.address.source),
            "reply-with": Word(label),
            "language": Word(language),
            "content": content,
        }
        if token := find_token():
            parameters["token"] = token
        try:
            answer = self._send(Message(performative, parameters), label)
            while True:
                if answer.performative == "eos":
                    return
                yield answer
                if performative != "stream-all":
                    return
                answer = self._receive(label)
        except (OSError, MessageError) as error:
            self.close()
            reason = getattr(error, "strerror", None) or str(error)
            reason = "it did not answer in time" if isinstance(error, TimeoutError) else reason
            raise AgentGoneError(
                f"{self.address}: the agent does not answer: {reason}; check that it is running"
            ) from error

    def close(self) -> None:
        """End the connection."""
        if self._socket is not None:
            with suppress(OSError):
                self._socket.close()
        self._socket = self._reader = None

    def _send(self, message: Message, label: str) -> Message:
        """Send a message, and wait for the first answer; an idle agent may have hung up since the last one."""
        if self._socket is not None:
            try:
                self._socket.sendall(write_message(message).encode())
                return self._receive(label)
            except OSError:
                self.close()
        self._socket = self._connect()
        self._reader = MessageReader(lambda: self._socket.recv(RECEIVED_BYTES) if self._socket else b"")
        self._socket.sendall(write_message(message).encode())
        return self._receive(label)

    def _receive(self, label: str) -> Message:
        """Wait for a message that is an answer; skip others, such as `advertise`."""
        while True:
            message = self._reader.read() if self._reader else None
            if message is None:
                raise OSError("it hung up")
            if message.performative == "error" and message.text("in-reply-to") in ("", label):
                raise FetchError(f"{self.address}: the agent refused: {message.text('content')}")
            if message.text("in-reply-to") != label:
                continue
            if message.performative == "sorry":
                raise FetchError(f"{self.address}: the agent has no answer: {message.text('content')}")
            return message

    def _connect(self) -> socket.socket:
        found = resolve(self.address.host, self.address.port)
        left = [each for each in found if not is_forbidden(each)]
        if found and not left:
            raise RefusedError(f"{self.address}: a link-local or metadata address, which is never contacted")
        allowed = [each for each in left if self._allow_private or is_public(each) or is_loopback(each)]
        if left and not allowed:
            raise RefusedError(f"{self.address}: not on the public internet; {ALLOW_PRIVATE}")
        failure = OSError("it has no address")
        for each in allowed:
            try:
                connected = socket.create_connection((each, self.address.port), CONNECT_SECONDS)
            except OSError as error:
                failure = error
                continue
            connected.settimeout(ANSWER_SECONDS)
            return connected
        raise failure


def is_loopback(host: str) -> bool:
    """Tell whether a host can only be reached from this machine.

    >>> [is_loopback(each) for each in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"
