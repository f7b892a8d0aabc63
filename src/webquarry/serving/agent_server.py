"""Serve an agent over TCP: one thread per connection, with limits on number, size and time."""

from __future__ import annotations

import logging
import socket
import socketserver
import threading
import time
from contextlib import suppress
from ipaddress import ip_address

from webquarry.fetching.kqml_messages import Message, MessageError, MessageReader, write_message
from webquarry.fetching.remote_agent import RECEIVED_BYTES, AgentAddress
from webquarry.serving.kqml_agent import KqmlAgent

MAX_CONNECTIONS = 32
MAX_ANSWERS = 4
"""Messages that are answered at the same time; others wait."""
MAX_MESSAGE_CHARACTERS = 2**20
IDLE_SECONDS = 600.0
"""The time to wait for a message."""
MESSAGE_SECONDS = 60.0
"""The time in which a message must arrive completely, and an answer must be received."""

_log = logging.getLogger(__name__)


class AgentServer(socketserver.ThreadingTCPServer):
    """A TCP server that passes messages to an agent."""

    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False

    def __init__(self, agent: KqmlAgent, host: str, port: int) -> None:
        self.agent = agent
        self.places = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self.turns = threading.BoundedSemaphore(MAX_ANSWERS)
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        super().__init__((host, port), _Handler)

    @property
    def address(self) -> AgentAddress:
        """The address that it listens on."""
        host, port = self.server_address[:2]
        return AgentAddress(str(host), int(port), self.agent.name)

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002 - signature of the base class
        """Log the error of a connection; other connections continue."""
        _log.debug("the connection from %s failed", client_address, exc_info=True)


class _Handler(socketserver.BaseRequestHandler):
    server: AgentServer
    request: socket.socket

    def handle(self) -> None:
        agent = self.server.agent
        if not self.server.places.acquire(blocking=False):
            self._send(agent.refuse(f"all {MAX_CONNECTIONS} connections are in use; try again later"))
            return
        try:
            with suppress(OSError):
                self._converse(agent)
        finally:
            self.server.places.release()

    def _converse(self, agent: KqmlAgent) -> None:
        for advertised in agent.advertise():
            self._send(advertised)
        self._begun: float | None = None
        self._reader = MessageReader(self._receive, max_characters=MAX_MESSAGE_CHARACTERS)
        while True:
            try:
                self._begun = None
                message = self._reader.read()
            except MessageError as error:
                self._send(agent.refuse(str(error), error.label))
                if error.is_last:
                    return
                continue
            if message is None:
                return
            with self.server.turns:
                for reply in agent.answer(message):
                    self._send(reply)

    def _receive(self) -> bytes:
        """Wait for bytes: long between messages, but only briefly within one, against clients that send slowly."""
        if self._reader.is_idle:
            self.request.settimeout(IDLE_SECONDS)
        else:
            self._begun = self._begun or time.monotonic()
            self.request.settimeout(max(0.01, self._begun + MESSAGE_SECONDS - time.monotonic()))
        return self.request.recv(RECEIVED_BYTES)

    def _send(self, message: Message) -> None:
        self.request.settimeout(MESSAGE_SECONDS)
        self.request.sendall(write_message(message).encode("utf-8", "replace"))


def is_loopback(host: str) -> bool:
    """Tell whether a host can only be reached from this machine.

    >>> [is_loopback(each) for each in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"
