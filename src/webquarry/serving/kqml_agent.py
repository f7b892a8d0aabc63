"""Answer KQML messages about one source, its pages and their content, and serve the answers over TCP.

The server has a thread for each connection, with limits on number, size and time.
"""

from __future__ import annotations

import hmac
import json
import logging
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain

import pyarrow as pa
import pyarrow.compute as pc

from webquarry.errors import InputError, QueryError, WebquarryError
from webquarry.fetching.kqml import (
    RECEIVED_BYTES,
    AgentAddress,
    Keyword,
    Message,
    MessageError,
    MessageReader,
    Value,
    Word,
    write_message,
)
from webquarry.model.names import join_key, key_names
from webquarry.model.wording import count
from webquarry.pipeline.open_catalogs import Connection
from webquarry.pipeline.remote_tables import LANGUAGE, describe_reading, describe_table, parse_columns
from webquarry.querying.query_nouns import ColumnPath, SourceTable
from webquarry.storing.formats import to_json
from webquarry.storing.query_tables import plain_rows

ASKING = ("ask-if", "ask-one", "ask-all", "stream-all")
"""The performatives that get an answer."""
_ANSWERING = ("tell", "untell", "eos", "sorry", "error")
"""Performatives that are answers themselves; answering them would never end."""
_OTHERS = (
    "advertise unadvertise subscribe standby ready next rest discard register unregister forward broadcast broker-one "
    "broker-all recommend-one recommend-all recruit-one recruit-all"
).split()
"""KQML performatives that this agent recognizes but does not serve."""
MAX_ANSWER_CHARACTERS = 8 * 2**20
"""The limit of one message; longer answers must be streamed."""
KEYS_PER_MESSAGE = 16
"""Pages that are read together for a stream: as many as are downloaded at the same time."""

_log = logging.getLogger(__name__)


class KqmlAgent:
    """An agent that answers messages about a source, independent of the transport."""

    def __init__(self, name: str, connection: Connection, *, token: str = "", max_pages: int | None = None) -> None:
        """Answer from the one source of `connection`; refuse a message that needs more than `max_pages`."""
        self.name = name
        self._connection, self._token, self._max_pages = connection, token, max_pages

    def advertise(self) -> Iterator[Message]:
        """Yield a message for each performative that is answered."""
        for performative in ASKING:
            asked = (Word(performative), Keyword("receiver"), Word(self.name), Keyword("language"), Word("SQL"))
            yield Message("advertise", {"sender": Word(self.name), "language": Word("KQML"), "content": asked})

    def answer(self, message: Message) -> Iterator[Message]:
        """Yield the answers to a message; every question gets at least one."""
        if message.performative in _ANSWERING:
            return
        try:
            yield from self._answer(message)
        except (InputError, QueryError) as error:
            yield self._reply(message, "error", str(error))
        except WebquarryError as error:
            yield self._reply(message, "sorry", str(error))
        except Exception as error:  # noqa: BLE001 - one message must not end the agent
            _log.exception("a message could not be answered")
            yield self._reply(message, "error", f"internal error: {type(error).__name__}")

    def refuse(self, reason: str, label: str = "") -> Message:
        """Build the answer to something that is not a message."""
        return self._reply(Message("", {"reply-with": label} if label else {}), "error", reason)

    def _answer(self, message: Message) -> Iterator[Message]:
        if self._token and not hmac.compare_digest(message.text("token").encode(), self._token.encode()):
            yield self._reply(message, "error", "the token is missing or wrong")
        elif message.performative in _OTHERS:
            yield self._reply(message, "sorry", f"this agent answers {', '.join(ASKING)}")
        elif message.performative not in ASKING:
            yield self._reply(message, "error", f"there is no performative {message.performative!r}")
        elif message.text("receiver").lower() not in ("", self.name.lower()):
            yield self._reply(message, "sorry", f"this is {self.name}, not {message.text('receiver')}")
        elif message.text("language").upper() == LANGUAGE:
            yield from self._answer_list(message)
        elif message.text("language").upper() in ("SQL", ""):
            yield from self._answer_sql(message)
        else:
            yield self._reply(message, "sorry", f"this agent speaks SQL and {LANGUAGE}, not {message.text('language')}")

    def _answer_sql(self, message: Message) -> Iterator[Message]:
        query = message.parameters.get("content")
        if not isinstance(query, str):
            raise InputError('the content must be a SELECT in quotes, such as "SELECT * FROM ..."')
        answer = self._connection.sql(str(query), max_pages=self._max_pages, reads_files=False)
        failed = [failure.error for failure in answer.failures]
        yield from self._give_rows(message, answer.table, failed)

    def _give_rows(self, message: Message, table: pa.Table, failed: Sequence[str] = ()) -> Iterator[Message]:
        rows = chain.from_iterable(plain_rows(table))
        if message.performative == "ask-if":
            content = message.parameters.get("content", "")
            yield self._reply(message, "tell" if table.num_rows else "untell", content, failed)
        elif message.performative == "stream-all":
            for row in rows:
                yield self._reply(message, "tell", to_json(row))
            yield self._reply(message, "eos", None, failed)
        elif message.performative == "ask-all":
            yield self._reply(message, "tell", _within_limit(to_json(list(rows))), failed)
        elif table.num_rows:
            yield self._reply(message, "tell", to_json(next(rows)), failed)
        else:
            yield self._reply(message, "sorry", "; ".join(["there is no such row", *failed]))

    def _answer_list(self, message: Message) -> Iterator[Message]:
        content = message.parameters.get("content")
        if not isinstance(content, tuple) or not content or not isinstance(content[0], str):
            raise InputError(
                f"in {LANGUAGE} the content must be a list: (describe), (index) or (read (keys ...) (sections ...))"
            )
        verb = content[0].lower()
        with self._connection.open_source(self.name) as table:
            if verb in ("read", "rows"):
                yield from self._read(message, table, content)
                return
            answers: dict[str, Callable[[], object]] = {
                "describe": lambda: describe_table(table),
                "index": lambda: [*table.index().items()] if table.is_listed else [],
                "sections": lambda: table.sections(parse_columns(content[1] if len(content) > 1 else ())),
            }
            if verb not in answers:
                raise InputError(f"{verb!r} is unknown; choose from {', '.join([*answers, 'read', 'rows'])}")
            yield self._reply(message, "tell", _within_limit(json.dumps(answers[verb]())))

    def _read(self, message: Message, table: SourceTable, content: tuple[Value, ...]) -> Iterator[Message]:
        """Read pages: rows in JSON for `read`, and for the `rows` of mediators Arrow streams of a few pages each."""
        keys, columns = self._parse_reading(table, content)
        if content[0] == "rows":
            for start in range(0, len(keys), KEYS_PER_MESSAGE):
                part = describe_reading(table, keys[start : start + KEYS_PER_MESSAGE], columns)
                yield self._reply(message, "tell", json.dumps(part))
            yield self._reply(message, "eos", None)
            return
        reading = table.read(keys, columns, lambda: None)
        failed = [failure.error for failure in reading.failures]
        wanted = [*((name,) for name in key_names(table.key)), *columns]
        rows = pa.table({".".join(path): _find_column(reading.rows, path) for path in wanted})
        yield from self._give_rows(message, rows, failed)

    def _parse_reading(self, table: SourceTable, content: tuple[Value, ...]) -> tuple[list[str], list[ColumnPath]]:
        lists = {each[0]: each for each in content[1:] if isinstance(each, tuple) and each}
        if "keys" not in lists or "sections" not in lists:
            raise InputError("the content must have the form (read (keys ...) (sections ...))")
        keys = [each if isinstance(each, str) else join_key(map(str, each)) for each in lists["keys"][1:]]
        columns = parse_columns(lists["sections"])
        if self._max_pages is not None and len(keys) > self._max_pages:
            raise InputError(f"this agent reads at most {count(self._max_pages, 'page')} for a message")
        known = table.index() if table.is_listed else None
        for key in keys:
            if known is not None and key not in known:
                raise InputError(f"there is no page {key!r}; (index) lists all keys")
        empty = table.schema.empty_table()
        for column in columns:
            _find_column(empty, column)
        return keys, columns

    def _reply(self, message: Message, performative: str, content: Value | None, failed: Sequence[str] = ()) -> Message:
        parameters: dict[str, Value] = {"sender": Word(self.name)}
        for name, source in (("receiver", "sender"), ("in-reply-to", "reply-with")):
            if label := message.text(source):
                parameters[name] = Word(label)
        if performative == "tell" and not isinstance(content, tuple):
            parameters["language"] = Word("JSON")
        if content is not None:
            parameters["content"] = content
        if failed:
            parameters["failures"] = tuple(failed)
        return Message(performative, parameters)


def _find_column(rows: pa.Table, path: ColumnPath) -> pa.ChunkedArray:
    """Return the values of a column, or of a section in it."""
    try:
        column = rows.column(path[0])
        return pc.struct_field(column, list(path[1:])) if path[1:] else column
    except (KeyError, pa.ArrowException) as error:
        raise InputError(f"there is no section {'.'.join(path)}; choose from {', '.join(rows.column_names)}") from error


def _within_limit(content: str) -> str:
    if len(content) > MAX_ANSWER_CHARACTERS:
        raise InputError(f"the answer has more than {MAX_ANSWER_CHARACTERS:,} characters; ask with stream-all")
    return content


MAX_CONNECTIONS = 32
MAX_ANSWERS = 4
"""Messages that are answered at the same time; others wait."""
MAX_MESSAGE_CHARACTERS = 2**20
IDLE_SECONDS = 600.0
"""The time to wait for a message."""
MESSAGE_SECONDS = 60.0
"""The time in which a message must arrive completely, and an answer must be received."""


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
