"""Serve an agent by TCP: a thread for each connection, within limits of number, size and time."""

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
"""Messages that are answered at a time; others wait."""
MAX_MESSAGE_CHARACTERS = 2**20
IDLE_SECONDS = 600.0
"""To wait for a message."""
MESSAGE_SECONDS = 60.0
"""For a message to arrive whole, and for an answer to be taken."""

_log = logging.getLogger(__name__)


class AgentServer(socketserver.ThreadingTCPServer):
    """Listens for messages to an agent."""

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
        """Where it listens."""
        host, port = self.server_address[:2]
        return AgentAddress(str(host), int(port), self.agent.name)

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002 - as its base has it
        """Note a fault of a connection; the others go on."""
        _log.debug("the connection from %s failed", client_address, exc_info=True)


class _Handler(socketserver.BaseRequestHandler):
    server: AgentServer
    request: socket.socket

    def handle(self) -> None:
        agent = self.server.agent
        if not self.server.places.acquire(blocking=False):
            self._send(agent.refuse(f"there are {MAX_CONNECTIONS} connections already; try again later"))
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
        """Wait for bytes: long between messages, but a message must not drip in for ever."""
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
    """Tell whether only programs of this machine reach a host.

    >>> [is_loopback(each) for each in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"
