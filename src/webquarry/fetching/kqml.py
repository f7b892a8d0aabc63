"""Read and write KQML messages (Labrou and Finin's proposal of 1997), and ask an agent in them over TCP.

A message is a balanced list of limited size: a performative, then parameters as keywords with values.

>>> reader = MessageReader(iter([b'(ask-one :content "1 + 1" :reply-with q1)']).__next__)
>>> message = reader.read()
>>> message.performative, message.text("content"), message.text("reply-with")
('ask-one', '1 + 1', 'q1')
>>> write_message(Message("tell", {"in-reply-to": Word("q1"), "content": 'said "2"'}))
'(tell :in-reply-to q1 :content "said \\\\"2\\\\"")\\n'
"""

from __future__ import annotations

import codecs
import os
import re
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from itertools import count, pairwise
from pathlib import Path
from typing import NamedTuple

from webquarry.errors import FetchError, InputError, RefusedError, WebquarryError
from webquarry.fetching.transport import ALLOW_PRIVATE, is_forbidden, is_public, resolve

MAX_CHARACTERS = 16 * 2**20
MAX_DEPTH = 32
"""The limit of lists nested in lists."""
MAX_PARAMETERS = 64

_PLAIN = re.compile(r'[^()"#]+')
_COUNTED = re.compile(r'#([0-9]{1,9})"')
_PERHAPS_COUNTED = re.compile(r"#[0-9]{0,9}\Z")
_NO_COUNTED = r'(?!#[0-9]{1,9}")'  # a text of known length ends a word, as a quote does
_WORD = re.compile(rf"[^\s()\"#'`,:](?:{_NO_COUNTED}[^\s()\"])*")
_KEYWORD = re.compile(rf":((?:{_NO_COUNTED}[^\s()\"])+)")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SPACE = re.compile(r"\s*")
_QUOTES = "'`,"
_END_OF_TEXT = re.compile(r'["\\]')


class MessageError(WebquarryError):
    """A malformed message; `is_last` if the start of the next message cannot be found either."""

    def __init__(self, reason: str, *, is_last: bool = False, label: str = "") -> None:
        super().__init__(reason)
        self.is_last = is_last
        self.label = label
        """The label that the answer must repeat, if the message has one."""


class Word(str):
    """A value written without quotes."""

    __slots__ = ()


class Keyword(Word):
    """The name of a parameter, written with a colon."""

    __slots__ = ()


Value = str | tuple["Value", ...]
"""A text, a word, or a list of values."""


@dataclass(frozen=True)
class Message:
    """A performative with its parameters, whose names are in lower case and without the colon."""

    performative: str
    parameters: Mapping[str, Value] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return a parameter that is a text or a word; empty if it is missing or a list."""
        value = self.parameters.get(name, "")
        return value if isinstance(value, str) else ""


class MessageReader:
    """A reader of messages from a stream of bytes."""

    def __init__(self, receive: Callable[[], bytes], *, max_characters: int = MAX_CHARACTERS) -> None:
        """Read bytes by `receive`, which returns none at the end of the stream."""
        self._receive, self._max = receive, max_characters
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._buffer = ""

    @property
    def is_idle(self) -> bool:
        """True between messages."""
        return not self._buffer.strip()

    def read(self) -> Message | None:
        """Read the next message; None at the end of the stream."""
        text = self._read_list()
        return None if text is None else _parse_message(text)

    def _read_list(self) -> str | None:
        """Read up to the end of a balanced list."""
        self._buffer = self._buffer.lstrip()
        while not self._buffer:
            if not self._fill():
                return None
            self._buffer = self._buffer.lstrip()
        if self._buffer[0] != "(":
            raise MessageError("a message must start with (", is_last=True)
        end = _find_end(self)
        text, self._buffer = self._buffer[:end], self._buffer[end:]
        return text

    def need(self, length: int) -> str:
        """Return the buffer with at least `size` characters; raise if the stream ends before."""
        while len(self._buffer) < length:
            if not self._fill():
                raise MessageError("the message is incomplete", is_last=True)
        return self._buffer

    def _fill(self) -> bool:
        piece = self._receive()
        self._buffer += self._decoder.decode(piece, final=not piece)
        if len(self._buffer) > self._max:
            raise MessageError(f"the message has more than {self._max:,} characters", is_last=True)
        return bool(piece)


def _find_end(reader: MessageReader) -> int:
    """Find where the list at the beginning of the buffer ends, reading on as far as needed."""
    depth = position = 0
    while True:
        text = reader.need(position + 1)
        mark = text[position]
        if mark == '"':
            position = _skip_text(reader, position + 1)
        elif mark == "#":
            position = _skip_counted(reader, position)
        elif mark == "(":
            depth += 1
            position += 1
            if depth > MAX_DEPTH:
                raise MessageError(f"lists are nested more than {MAX_DEPTH} levels deep", is_last=True)
        elif mark == ")":
            depth -= 1
            position += 1
            if not depth:
                return position
        else:
            found = _PLAIN.match(text, position)
            position = found.end() if found else position + 1


def _skip_text(reader: MessageReader, position: int) -> int:
    """Return the place after the quote that ends a text."""
    while True:
        text = reader.need(position + 1)
        found = _END_OF_TEXT.search(text, position)
        if found is None:
            position = len(text)
        elif found.group() == '"':
            return found.end()
        else:
            position = found.end() + 1  # what is escaped


def _skip_counted(reader: MessageReader, position: int) -> int:
    """Return the place after a text of known length; after the sign if it begins none."""
    text = reader.need(position + 1)
    while _PERHAPS_COUNTED.match(text, position):
        text = reader.need(len(text) + 1)
    found = _COUNTED.match(text, position)
    if found is None:
        return position + 1
    end = found.end() + int(found.group(1))
    reader.need(end)
    return end


def _parse_message(text: str) -> Message:
    parsed, _ = _parse_list(text, 1)
    label = _find_label(parsed)
    if not parsed or not isinstance(parsed[0], Word):
        raise MessageError("a message must start with a performative", label=label)
    names, values = parsed[1::2], parsed[2::2]
    if len(names) != len(values) or not all(isinstance(name, Keyword) for name in names):
        raise MessageError(
            "the performative must be followed by keywords such as :content, each with a value", label=label
        )
    if len(names) > MAX_PARAMETERS:
        raise MessageError(f"a message has at most {MAX_PARAMETERS} parameters", label=label)
    parameters = {str(name).lower(): value for name, value in zip(names, values, strict=True)}
    if len(parameters) < len(names):
        raise MessageError("a parameter is given twice", label=label)
    return Message(str(parsed[0]).lower(), parameters)


def _find_label(parsed: tuple[Value, ...]) -> str:
    for name, value in pairwise(parsed):
        if isinstance(name, Keyword) and name.lower() == "reply-with" and isinstance(value, str):
            return str(value)
    return ""


def _parse_list(text: str, position: int) -> tuple[tuple[Value, ...], int]:
    """Parse what follows an opening bracket, up to the closing one, which is there."""
    values: list[Value] = []
    while True:
        position = _skip_space(text, position)
        mark = text[position]
        if mark == ")":
            return tuple(values), position + 1
        value, position = _parse_value(text, position)
        values.append(value)


def _parse_value(text: str, position: int) -> tuple[Value, int]:
    mark = text[position]
    if mark == "(":
        return _parse_list(text, position + 1)
    if mark == '"':
        return _parse_text(text, position + 1)
    if counted := _COUNTED.match(text, position):
        end = counted.end() + int(counted.group(1))
        return text[counted.end() : end], end
    if mark in _QUOTES:  # a quoted expression stands for itself
        position = _skip_space(text, position + 1)
        if text[position] in f"){_QUOTES}":
            raise MessageError("nothing follows a quote")
        return _parse_value(text, position)
    if keyword := _KEYWORD.match(text, position):
        return Keyword(keyword.group(1)), keyword.end()
    if word := _WORD.match(text, position):
        return Word(word.group()), word.end()
    raise MessageError(f"{text[position : position + 20]!r} is neither a word, a text nor a list")


def _parse_text(text: str, position: int) -> tuple[str, int]:
    start = position
    while (found := _END_OF_TEXT.search(text, position)) and found.group() != '"':
        position = found.end() + 1
    end = len(text) if found is None else found.start()
    return _ESCAPED.sub(r"\1", text[start:end]), end + 1


def _skip_space(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return position if found is None else found.end()


def write_message(message: Message) -> str:
    """Write a message on a line of its own."""
    pairs = (f" :{name} {_write_value(value)}" for name, value in message.parameters.items())
    return f"({message.performative}{''.join(pairs)})\n"


def _write_value(value: Value) -> str:
    if isinstance(value, tuple):
        return f"({' '.join(map(_write_value, value))})"
    if isinstance(value, Word) and _WORD.fullmatch(value):
        return f":{value}" if isinstance(value, Keyword) else value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


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
