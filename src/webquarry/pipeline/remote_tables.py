"""Read the rows that a query asks for from an agent, which has the wrapper of a source and reads its pages there.

The contents of messages in the language SECTIONS are lists: `(describe)`, `(index)`, and
`(rows (keys "Kestria" …) (sections geography.area …))`.  Answers are JSON; rows are Arrow streams in base 64.

The columns and keys of a source are remembered in the cache.  If its agent does not answer, a query can still be
planned: the pages of this source fail, and the answer is partial.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from webquarry.errors import FetchError, InputError, WebquarryError
from webquarry.fetching.kqml import AgentConnection, AgentGoneError, Message, Value, Word, parse_agent_address
from webquarry.fetching.policy import Policy, cache_path
from webquarry.model.page import Failure
from webquarry.querying.query_nouns import ColumnPath, Reading, SourceTable
from webquarry.storing.result_files import read_text, write_whole

LANGUAGE = "SECTIONS"
MARK = b"remote"
"""The key that marks a file of a remote source."""


def find_remote(path: Path) -> str:
    """Return the address of the agent that a file of a catalog names; empty if it is a wrapper."""
    try:
        content = path.read_bytes()
    except OSError:
        return ""
    if MARK not in content:
        return ""
    try:
        source = tomllib.loads(read_text(path)).get("source")
    except tomllib.TOMLDecodeError:
        return ""
    return str(source.get("remote", "")) if isinstance(source, dict) else ""


class RemoteTable:
    """A source that an agent serves, as a table (a `webquarry.querying.query_nouns.SourceTable`)."""

    def __init__(self, name: str, address: str, policy: Policy) -> None:
        self.name = name
        self._agent = AgentConnection(parse_agent_address(address), allow_private=policy.allow_private)
        self._memory = AgentMemory(address, policy)
        try:
            described = self._recall("describe")
        except BaseException:
            self.close()
            raise
        try:
            self.schema: pa.Schema = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(described["schema"])))
            self.key: str = str(described["key"])
            self.is_listed = bool(described["is_listed"])
            self.index_pages = int(described["index_pages"])
            self.is_row_a_page = bool(described["is_row_a_page"])
            self.is_rendered = bool(described["is_rendered"])
            self.example = str(described["example"])
        except (KeyError, TypeError, ValueError, binascii.Error, pa.ArrowException) as error:
            raise FetchError(
                f"{address}: the agent's description of its source cannot be read; is it of another version?"
            ) from error

    def index(self) -> Mapping[str, str]:
        """List the addresses of the source's pages by their keys."""
        return self._index

    @cached_property
    def _index(self) -> dict[str, str]:
        return {str(key): str(address) for key, address in self._recall("index")}

    def sections(self, columns: Sequence[ColumnPath]) -> list[str]:
        """List the sections that are read for these columns, as dotted paths."""
        try:
            return [str(each) for each in self._ask("sections", _sections(columns))]
        except AgentGoneError:
            return [".".join(column) for column in columns]

    def read(self, keys: Sequence[str], columns: Sequence[ColumnPath], progress: Callable[[], None]) -> Reading:
        """Read the rows of the pages with these keys; if the agent stops answering, the remaining ones fail."""
        content = (Word("rows"), (Word("keys"), *keys), _sections(columns))
        parts: list[pa.Table] = []
        nodes: list[dict[str, list[str]]] = []
        failures: list[Failure] = []
        left = list(keys)
        try:
            for message in self._agent.ask("stream-all", content, language=LANGUAGE):
                part = _load(message)
                parts.append(_read_rows(part["rows"], self.schema))
                nodes += part["nodes"]
                failures += [Failure(str(page), str(error)) for page, error in part["failures"]]
                done = int(part["pages"])
                left = left[done:]
                for _ in range(done):
                    progress()
        except FetchError as error:
            failures += [Failure(key, f"{key}: {error}") for key in left]
        except (KeyError, TypeError, ValueError, binascii.Error, pa.ArrowException) as error:
            said = f"{self._agent.address}: the agent sent rows that cannot be read ({error})"
            failures += [Failure(key, f"{key}: {said}") for key in left]
        rows = pa.concat_tables(parts) if parts else self.schema.empty_table()

        def find_nodes(row: int, column: ColumnPath) -> Sequence[str]:
            return nodes[row].get(".".join(column), ()) if row < len(nodes) else ()

        return Reading(rows, tuple(failures), find_nodes)

    def close(self) -> None:
        """End the connection to the agent."""
        self._agent.close()

    def _recall(self, verb: str) -> Any:
        """Ask a question about the source; if the agent does not answer, use its last answer."""
        try:
            answer = self._ask(verb)
        except AgentGoneError:
            answer = self._memory.load(verb)
            if answer is None:
                raise
        else:
            self._memory.save(verb, answer)
        return answer

    def _ask(self, *content: Value) -> Any:
        words = (Word(str(content[0])), *content[1:])
        (message,) = self._agent.ask("ask-one", words, language=LANGUAGE)
        return _load(message)


class AgentMemory:
    """Keeps the last answers of an agent about its source in the cache folder."""

    def __init__(self, address: str, policy: Policy) -> None:
        name = hashlib.sha256(address.encode()).hexdigest()[:32]
        self._folder = cache_path(policy).parent / "agents" / name

    def load(self, verb: str) -> Any:
        """Return the last answer, or None."""
        try:
            return json.loads((self._folder / f"{verb}.json").read_bytes())
        except (OSError, ValueError):
            return None

    def save(self, verb: str, answer: Any) -> None:
        """Keep an answer, if it is new and the folder can be written."""
        if answer != self.load(verb):
            with suppress(WebquarryError, OSError):
                self._folder.mkdir(parents=True, exist_ok=True)
                write_whole(self._folder / f"{verb}.json", json.dumps(answer).encode())


def _sections(columns: Sequence[ColumnPath]) -> tuple[Value, ...]:
    return (Word("sections"), *(".".join(column) for column in columns))


def _load(message: Message) -> Any:
    try:
        return json.loads(message.text("content"))
    except ValueError as error:
        raise FetchError("the agent's answer is not JSON") from error


def _read_rows(written: str, schema: pa.Schema) -> pa.Table:
    return pa.ipc.open_stream(base64.b64decode(written)).read_all().cast(schema)


def describe_table(table: SourceTable) -> dict[str, Any]:
    """Describe a source, for clients of its agent."""
    return {
        "schema": base64.b64encode(table.schema.serialize().to_pybytes()).decode(),
        "key": table.key,
        "is_listed": table.is_listed,
        "index_pages": table.index_pages,
        "is_row_a_page": table.is_row_a_page,
        "is_rendered": table.is_rendered,
        "example": table.example,
    }


def describe_reading(table: SourceTable, keys: Sequence[str], columns: Sequence[ColumnPath]) -> dict[str, Any]:
    """Read pages of a source, and encode the rows for clients of its agent."""
    reading = table.read(keys, columns, lambda: None)
    stream = pa.BufferOutputStream()
    with pa.ipc.new_stream(stream, reading.rows.schema) as writer:
        writer.write_table(reading.rows)
    return {
        "pages": len(keys),
        "rows": base64.b64encode(stream.getvalue().to_pybytes()).decode(),
        "failures": [[failure.page, failure.error] for failure in reading.failures],
        "nodes": [
            {".".join(column): nodes for column in columns if (nodes := list(reading.find_nodes(row, column)))}
            for row in range(len(reading.rows))
        ],
    }


def parse_columns(value: Value) -> list[ColumnPath]:
    """Read the list of sections in a message."""
    if not isinstance(value, tuple) or not value or value[0] != "sections":
        raise InputError("name the columns as (sections geography.area ...)")
    return [tuple(each.split(".")) for each in value[1:] if isinstance(each, str)]
