"""Tell a PostgreSQL database from a file where a user says that results go."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, unquote

_SERVER = re.compile(r"postgres(?:ql)?://", re.IGNORECASE)
_CREDENTIALS = re.compile(r"(?<=://).*@")  # up to the last @, because a password that is not escaped may contain one
_SECRET_PARAMETERS = re.compile(r"(?<=[?&])(?:ssl)?password=[^&]*&?", re.IGNORECASE)
CONFLICTS = ("fail", "skip", "replace")
"""The choices for a record whose key the table already has."""


@dataclass(frozen=True)
class Server:
    """A PostgreSQL database, by its address; shows itself without user and password."""

    uri: str

    def __str__(self) -> str:
        return _SECRET_PARAMETERS.sub("", _CREDENTIALS.sub("", self.uri, count=1)).rstrip("?&")

    def __repr__(self) -> str:
        return f"<Server {self}>"

    def hide_password(self, message: str) -> str:
        """Remove the password from a message of the database or its driver.

        >>> Server("postgresql://me:t0p%21@db.example/shop").hide_password("no t0p! here, nor t0p%21")
        'no *** here, nor ***'
        """
        found = _CREDENTIALS.search(self.uri)
        given = [] if found is None else [found.group().rstrip("@").partition(":")[2]]
        given += [value for name, value in parse_qsl(self.uri.partition("?")[2]) if name.lower().endswith("password")]
        # if the password is not escaped, the message may have only a part of it
        parts = {each for secret in given for each in (secret, unquote(secret), *re.split("[:/?#@]", secret)) if each}
        for part in sorted(parts, key=len, reverse=True):
            message = message.replace(part, "***")
        return message


Target = Path | Server
"""The target of results, if not standard output."""


@dataclass(frozen=True)
class Addition:
    """The options for adding records to a PostgreSQL table."""

    unique: Sequence[str] = ()
    """The columns that identify a record: the table has each combination once."""
    on_conflict: str = "fail"
    """One of CONFLICTS: what to do with a record that the table already has."""
    flat: bool = False
    """True to write each section to a separate column instead of `jsonb`."""


PLAIN_ADDITION = Addition()


def resolve_target(named: str | None) -> Target | None:
    """Return the target that an option names: a database, a file, or None.

    >>> resolve_target("postgresql://me:secret@db.example/shop?password=x&sslmode=require")
    <Server postgresql://db.example/shop?sslmode=require>
    >>> resolve_target("offers.csv")
    PosixPath('offers.csv')
    """
    if named is None:
        return None
    return Server(named) if _SERVER.match(named) else Path(named)
