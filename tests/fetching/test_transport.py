from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import httpcore2
import pytest

from webquarry.errors import RefusedError
from webquarry.fetching import transport as guard
from webquarry.fetching.transport import GuardedBackend, SpentError, is_forbidden, is_public, time_budget

PRIVATE = [
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "2001:db8::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "::10.0.0.1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
    "64:ff9b:1::a00:1",
    "2001::1",
]
PUBLIC = [
    "8.8.8.8",
    "93.184.216.34",
    "172.15.0.1",
    "172.32.0.1",
    "100.63.0.1",
    "2606:2800:220:1::1",
    "2a00:1450::1",
    "::ffff:8.8.8.8",
    "2002:808:808::1",
    "64:ff9b::808:808",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_told_apart(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_told_apart(address: str) -> None:
    assert is_public(address)


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


def port_of(listener: socket.socket) -> int:
    return int(listener.getsockname()[1])


def test_a_private_address_is_refused_before_any_connection(listener: socket.socket) -> None:
    with pytest.raises(
        RefusedError, match=r"^127\.0\.0\.1 is not on the public internet; allow it with --allow-private"
    ):
        GuardedBackend(allow_private=False).connect_tcp("127.0.0.1", port_of(listener))
    listener.settimeout(0.05)
    with pytest.raises(TimeoutError):
        listener.accept()


@pytest.mark.parametrize("host", ["localhost", "2130706433", "0x7f.1", "127.1", "0", "::1", "::ffff:127.0.0.1"])
def test_other_ways_to_write_loopback_are_refused(host: str, listener: socket.socket) -> None:
    with pytest.raises(RefusedError):
        GuardedBackend(allow_private=False).connect_tcp(host, port_of(listener))


def test_private_addresses_can_be_allowed(listener: socket.socket) -> None:
    stream = GuardedBackend(allow_private=True).connect_tcp("127.0.0.1", port_of(listener), timeout=60)
    assert stream.get_extra_info("server_addr") == ("127.0.0.1", port_of(listener))
    stream.close()


def test_connects_to_the_address_that_was_checked(listener: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that resolves to another address the next time, as in DNS rebinding, changes nothing."""
    answers = [["127.0.0.1"], ["127.0.0.2"]]
    monkeypatch.setattr(guard, "is_public", lambda address: address == "127.0.0.1")
    backend = GuardedBackend(allow_private=False, resolver=lambda *_: answers.pop(0))
    stream = backend.connect_tcp("rebinding.test", port_of(listener), timeout=60)
    assert stream.get_extra_info("server_addr")[0] == "127.0.0.1"
    assert len(answers) == 1
    stream.close()
    with pytest.raises(RefusedError, match=r"^rebinding\.test, at 127\.0\.0\.2, is not on the public internet"):
        backend.connect_tcp("rebinding.test", port_of(listener))


def test_only_the_public_addresses_of_a_host_are_tried(
    listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "is_public", lambda address: address == "127.0.0.1")
    backend = GuardedBackend(allow_private=False, resolver=lambda *_: ["127.0.0.9", "127.0.0.1"])
    stream = backend.connect_tcp("mixed.test", port_of(listener), timeout=60)
    assert stream.get_extra_info("server_addr")[0] == "127.0.0.1"
    stream.close()


def test_the_next_address_is_tried_when_one_does_not_answer(listener: socket.socket) -> None:
    backend = GuardedBackend(allow_private=True, resolver=lambda *_: ["127.0.0.9", "127.0.0.1"])
    stream = backend.connect_tcp("two.test", port_of(listener), timeout=60)
    assert stream.get_extra_info("server_addr")[0] == "127.0.0.1"
    stream.close()


def test_a_host_that_nothing_listens_on_is_a_connection_error() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(httpcore2.ConnectError):
            GuardedBackend(allow_private=True).connect_tcp("127.0.0.1", port_of(unused), timeout=60)


@pytest.mark.parametrize("failure", [socket.gaierror(socket.EAI_NONAME, "unknown"), UnicodeError("label too long")])
def test_a_name_that_cannot_be_resolved_is_a_connection_error(failure: Exception) -> None:
    def resolver(host: str, port: int) -> list[str]:
        raise failure

    with pytest.raises(httpcore2.ConnectError):
        GuardedBackend(allow_private=False, resolver=resolver).connect_tcp("nowhere.test", 80)


def test_a_host_without_addresses_is_a_connection_error() -> None:
    with pytest.raises(httpcore2.ConnectError, match=r"no address for empty\.test"):
        GuardedBackend(allow_private=False, resolver=lambda *_: []).connect_tcp("empty.test", 80)


def test_waits_are_paid_from_the_budget(listener: socket.socket) -> None:
    stream = GuardedBackend(allow_private=True).connect_tcp("127.0.0.1", port_of(listener), timeout=60)
    with time_budget(0.05):
        with pytest.raises(httpcore2.ReadTimeout):
            stream.read(1, timeout=60)
        with pytest.raises(SpentError):
            stream.read(1, timeout=60)
    stream.close()


def test_aborting_wakes_a_thread_that_waits(listener: socket.socket) -> None:
    backend = GuardedBackend(allow_private=True)
    stream = backend.connect_tcp("127.0.0.1", port_of(listener), timeout=60)
    received: list[bytes] = []
    thread = threading.Thread(target=lambda: received.append(stream.read(1, timeout=60)))
    thread.start()
    backend.abort()
    thread.join(timeout=60)
    assert received == [b""]
    stream.close()
    backend.abort()


FORBIDDEN = [
    "169.254.169.254",
    "169.254.0.1",
    "fe80::1",
    "fe80::1%eth0",
    "::ffff:169.254.169.254",
    "::169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::a9fe:a9fe",
    "2002:a9fe:a9fe::1",
    "2001:0:4136:e378:8000:63bf:5601:5601",
    "100.100.100.200",
    "168.63.129.16",
    "fd00:ec2::254",
]
NAMES = ["metadata.google.internal", "METADATA.google.internal.", "metadata", "instance-data"]


@pytest.fixture
def unconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail the test before anything is sent."""

    def fail(*_: object, **__: object) -> None:
        pytest.fail("a connection was begun")

    monkeypatch.setattr(guard.httpcore2.SyncBackend, "connect_tcp", fail)
    monkeypatch.setattr(socket.socket, "connect", fail)


@pytest.mark.usefixtures("unconnected")
@pytest.mark.parametrize("address", FORBIDDEN)
@pytest.mark.parametrize("allow_private", [True, False])
def test_link_local_and_metadata_addresses_are_refused_whatever_is_allowed(address: str, allow_private: bool) -> None:
    assert is_forbidden(address)
    backend = GuardedBackend(allow_private=allow_private, resolver=lambda *_: [address])
    with pytest.raises(RefusedError, match="never fetched"):
        backend.connect_tcp("any.test", 80)


@pytest.mark.usefixtures("unconnected")
@pytest.mark.parametrize("host", ["2852039166", "0xA9FEA9FE", "0251.0376.0251.0376", "169.254.43518"])
def test_other_ways_to_write_them_are_refused(host: str) -> None:
    with pytest.raises(RefusedError, match="never fetched"):
        GuardedBackend(allow_private=True).connect_tcp(host, 80)


@pytest.mark.usefixtures("unconnected")
@pytest.mark.parametrize("host", NAMES)
def test_names_of_metadata_services_are_not_even_looked_up(host: str) -> None:
    backend = GuardedBackend(allow_private=True, resolver=lambda *_: pytest.fail("looked up"))
    with pytest.raises(RefusedError, match="never fetched"):
        backend.connect_tcp(host, 80)


@pytest.mark.parametrize("address", [*PUBLIC, "10.0.0.1", "127.0.0.1", "::1", "fd00::1", "100.64.0.1"])
def test_public_and_private_addresses_are_not_forbidden(address: str) -> None:
    assert not is_forbidden(address)


def test_a_look_up_that_hangs_ends_at_the_time_limit() -> None:
    released = threading.Event()
    backend = GuardedBackend(allow_private=False, resolver=lambda *_: released.wait(60) and [])
    try:
        with pytest.raises(httpcore2.ConnectTimeout, match=r"does not answer for slow\.test"):
            backend.connect_tcp("slow.test", 80, timeout=0.05)
    finally:
        released.set()


def test_stopping_ends_a_look_up_that_hangs() -> None:
    released = threading.Event()
    backend = GuardedBackend(allow_private=False, resolver=lambda *_: backend.abort() or (released.wait(60) and []))
    try:
        with pytest.raises(httpcore2.ConnectTimeout):
            backend.connect_tcp("slow.test", 80, timeout=60)
    finally:
        released.set()
