"""Connections to public addresses only, checked on the very address that is connected to.

A check of the host name before the request would not do: a name may resolve to a private address, or to a public one
when it is checked and to a private one when it is used.  So names are resolved here, once, and the connection goes to
an address that passed.
"""

from __future__ import annotations

import socket
import ssl
import threading
import weakref
from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any

import httpcore2

from webquarry.errors import RefusedError
from webquarry.fetching.budget import spending

# RFC 6052: the last 32 bits are an IPv4 address that a gateway connects to.
NAT64 = IPv6Network("64:ff9b::/96")
# RFC 4291, section 2.5.5.1, deprecated; some systems still connect to the IPv4 address inside.
IPV4_COMPATIBLE = IPv6Network("::/96")

Resolver = Callable[[str, int], list[str]]


def resolve(host: str, port: int) -> list[str]:
    """The addresses of a host, in the order in which the system would try them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_public(address: str) -> bool:
    """Whether an address belongs to the public internet, also the IPv4 address that an IPv6 one stands for."""
    parsed = ip_address(address.partition("%")[0])
    if isinstance(parsed, IPv6Address):
        inner = _inner_ipv4(parsed)
        if inner is not None:
            return is_public(str(inner))
        if parsed.is_site_local or parsed in IPV4_COMPATIBLE:
            return False
    return parsed.is_global and not parsed.is_multicast and not parsed.is_reserved


def _inner_ipv4(address: IPv6Address) -> IPv4Address | None:
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour


class GuardedBackend(httpcore2.NetworkBackend):
    """Opens connections for the pool, if the guard and the time budget allow."""

    def __init__(self, *, allow_private: bool, resolver: Resolver = resolve) -> None:
        """`resolver` gives the addresses of a host."""
        self._allow_private = allow_private
        self._resolver = resolver
        self._backend = httpcore2.SyncBackend()
        self._lock = threading.Lock()
        self._open: weakref.WeakSet[_GuardedStream] = weakref.WeakSet()
        self._aborted = False

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """A connection to the first address of the host that passes and answers."""
        failure: Exception | None = None
        for address in self._allowed(host, port):
            try:
                with spending(timeout) as seconds:
                    stream = self._backend.connect_tcp(address, port, seconds, local_address, socket_options)
                return self._watched(stream)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure or httpcore2.ConnectError(f"no address for {host}")

    def abort(self) -> None:
        """Wake every thread that waits on a connection, by ending the connection, also one that is opened later."""
        with self._lock:
            self._aborted = True
            streams = list(self._open)
        for stream in streams:
            stream.abort()

    def _allowed(self, host: str, port: int) -> list[str]:
        with spending(None):
            try:
                addresses = self._resolver(host, port)
            except (OSError, UnicodeError) as error:
                raise httpcore2.ConnectError(str(error)) from error
        if self._allow_private:
            return addresses
        public = [address for address in addresses if is_public(address)]
        if addresses and not public:
            place = host if host == addresses[0] else f"{host}, at {addresses[0]},"
            raise RefusedError(f"{place} is not on the public internet; allow it with --allow-private")
        return public

    def _watched(self, stream: httpcore2.NetworkStream) -> _GuardedStream:
        watched = _GuardedStream(stream, self._watched)
        with self._lock:
            self._open.add(watched)
            too_late = self._aborted
        if too_late:
            watched.abort()
        return watched


class _GuardedStream(httpcore2.NetworkStream):
    """A connection whose waits are paid from the page's time budget."""

    def __init__(
        self, stream: httpcore2.NetworkStream, watch: Callable[[httpcore2.NetworkStream], _GuardedStream]
    ) -> None:
        self._stream = stream
        self._watch = watch

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with spending(timeout) as seconds:
            return self._stream.read(max_bytes, seconds)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        with spending(timeout) as seconds:
            self._stream.write(buffer, seconds)

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        with spending(timeout) as seconds:
            return self._watch(self._stream.start_tls(ssl_context, server_hostname, seconds))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def abort(self) -> None:
        try:
            # Of the plain socket: the method of a TLS socket would take its state from under the reading thread.
            socket.socket.shutdown(self._stream.get_extra_info("socket"), socket.SHUT_RDWR)
        except OSError:
            return
