from __future__ import annotations

import json
import os
from collections.abc import Iterator
from queue import SimpleQueue

import pytest

from webquarry.rendering import browser as module
from webquarry.rendering.browser import GONE, BrowserGoneError, Connection, DeadlineError, ProtocolError


class Peer:
    """The other end of a pipe, instead of a browser."""

    def __init__(self) -> None:
        theirs_in, writer = os.pipe()
        reader, theirs_out = os.pipe()
        self.reads, self.writes = theirs_in, theirs_out
        self.events: list[dict[str, object]] = []
        self.connection = Connection(reader, writer, self.events.append)

    def receive(self) -> dict[str, object]:
        message: dict[str, object] = json.loads(os.read(self.reads, 65536).rstrip(b"\0"))
        return message

    def send(self, message: dict[str, object]) -> None:
        os.write(self.writes, json.dumps(message).encode() + b"\0")

    def end(self) -> None:
        if self.writes:
            os.close(self.writes)
            self.writes = 0


@pytest.fixture
def peer() -> Iterator[Peer]:
    peer = Peer()
    yield peer
    peer.end()
    peer.connection.close()
    os.close(peer.reads)


def test_an_answer_comes_to_the_inbox_of_its_caller(peer):
    one, two = SimpleQueue(), SimpleQueue()
    first = peer.connection.send("One", {}, inbox=one)
    second = peer.connection.send("Two", {}, inbox=two)
    peer.send({"id": second, "result": {"is": 2}})
    peer.send({"id": first, "result": {"is": 1}})
    assert (one.get(timeout=60)["result"], two.get(timeout=60)["result"]) == ({"is": 1}, {"is": 2})


def test_an_event_comes_to_the_inbox_of_its_session(peer):
    inbox = SimpleQueue()
    peer.connection.join("s", inbox)
    peer.send({"method": "Other", "sessionId": "t", "params": {}})
    peer.send({"method": "Mine", "sessionId": "s", "params": {}})
    assert inbox.get(timeout=60)["method"] == "Mine"


def test_a_message_may_come_in_pieces_and_several_in_one(peer):
    inbox = SimpleQueue()
    peer.connection.join("s", inbox)
    messages = b"".join(json.dumps({"method": name, "sessionId": "s"}).encode() + b"\0" for name in ("A", "B", "C"))
    for start in range(0, len(messages), 17):
        os.write(peer.writes, messages[start : start + 17])
    assert [inbox.get(timeout=60)["method"] for _ in range(3)] == ["A", "B", "C"]


def test_a_call_without_answer_ends_in_time(peer):
    with pytest.raises(DeadlineError):
        peer.connection.call("Sleep", timeout=0.05)


def test_a_refused_call_is_told(peer):
    inbox = SimpleQueue()
    number = peer.connection.send("Wrong", {}, inbox=inbox)
    peer.send({"id": number, "error": {"message": "no such method"}})
    with pytest.raises(ProtocolError, match="no such method"):
        module.result_of(inbox.get(timeout=60))


def test_the_end_of_the_browser_is_told_to_all(peer):
    waiting, session = SimpleQueue(), SimpleQueue()
    peer.connection.send("Wait", {}, inbox=waiting)
    peer.connection.join("s", session)
    peer.end()
    assert waiting.get(timeout=60) is GONE
    assert session.get(timeout=60) is GONE
    assert peer.connection.gone
    with pytest.raises(BrowserGoneError):
        peer.connection.send("More", {})


def test_a_browser_that_no_longer_reads_is_gone_before_its_end_is_seen(peer):
    os.close(peer.reads)
    with pytest.raises(BrowserGoneError):
        peer.connection.send("More", {})
    assert peer.connection.gone
    peer.reads = os.open(os.devnull, os.O_RDONLY)


def test_a_browser_that_does_not_listen_is_given_up(peer, monkeypatch):
    monkeypatch.setattr(module, "_SEND_SECONDS", 0.05)
    with pytest.raises(BrowserGoneError):
        peer.connection.send("Large", {"body": "x" * 2_000_000})


def test_an_endless_message_is_given_up(peer, monkeypatch):
    monkeypatch.setattr(module, "MAX_MESSAGE_BYTES", 1000)
    inbox = SimpleQueue()
    peer.connection.join("s", inbox)
    os.write(peer.writes, b"x" * 2000)
    assert inbox.get(timeout=60) is GONE
