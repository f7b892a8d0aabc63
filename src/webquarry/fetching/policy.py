"""Options of fetching with their defaults, and the place of the cache."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict, cast

from webquarry.fetching.saved_sites import UrlMap, is_web_address

# The version is that of the caching library's tables: another layout needs another name.
CACHE_FILE = "pages-v2.sqlite"
FRAMING_HEADERS = frozenset("connection content-length expect keep-alive te trailer transfer-encoding upgrade".split())
"""Headers that belong to the connection (RFC 9110, section 7.6.1) or to the message, not to its sender."""
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, section 5.6.2
_HEADER_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*")

Headers = Mapping[str, str] | Iterable[tuple[str, str]]


class FetchOptions(TypedDict, total=False):
    """Options of fetching; archives only use `max_bytes`, and files `base_url` and `url_map` too."""

    offline: bool
    """Answer from the cache only; no request leaves the machine."""
    refresh: bool
    """Ask the server about every page, even if the cached copy is fresh."""
    cache: Path | str | None
    """Folder of the cache; None means `webquarry` in $XDG_CACHE_HOME or ~/.cache."""
    user_agent: str | None
    """None means `webquarry/<version>`; robots.txt rules are looked up by it."""
    headers: Headers
    """Names and values to send with every request, as a dict or pairs; a redirect to another host loses Authorization
    and Cookie."""
    allow_private: bool
    """Also connect to loopback and private addresses; link-local and metadata addresses stay refused."""
    ignore_robots: bool
    """Fetch what robots.txt disallows."""
    requests_per_second: float
    """For each host; `math.inf` means no limit."""
    connections_per_host: int
    """Requests to one host at a time."""
    max_redirects: int
    """Redirects that are followed for a page."""
    timeout: float
    """Seconds for one wait on the network (all waits of a page may take four times as long), and to render a page."""
    max_bytes: int
    """Limit of a body, after decompression."""
    retries: int
    """Further attempts after a broken connection or an answer of 429, 502, 503 or 504."""
    backoff: float
    """Seconds before the first retry, doubled for each further one; Retry-After takes precedence."""
    base_url: str
    """The address on the web of a saved page."""
    url_map: UrlMap | Path | str | None
    """The addresses on the web of saved pages, or the CSV file that has them in columns `file` and `url`."""


@dataclass(frozen=True)
class Policy:
    """The options of fetching with their defaults, for a polite reader of public pages."""

    offline: bool = False
    refresh: bool = False
    cache: Path | str | None = None
    user_agent: str | None = None
    headers: Headers = ()
    allow_private: bool = False
    ignore_robots: bool = False
    requests_per_second: float = 4.0
    connections_per_host: int = 4
    max_redirects: int = 10
    timeout: float = 30.0
    max_bytes: int = 64 * 2**20
    retries: int = 3
    backoff: float = 0.5
    base_url: str = ""
    url_map: UrlMap | Path | str | None = field(default=None, hash=False)

    def __post_init__(self) -> None:
        """Reject options that contradict each other."""
        if self.offline and self.refresh:
            raise ValueError("offline and refresh cannot be used together; choose one")
        if not self.requests_per_second > 0:
            raise ValueError("requests_per_second must be above 0; use math.inf for no limit")
        object.__setattr__(self, "headers", _pair_up(self.headers))  # so that policies can be hashed
        if self.base_url and not is_web_address(self.base_url):
            raise ValueError(f"base_url {self.base_url!r} is not an http or https address")

    @property
    def header_pairs(self) -> tuple[tuple[str, str], ...]:
        """The headers as pairs."""
        return cast(tuple[tuple[str, str], ...], self.headers)


def _pair_up(headers: Headers) -> tuple[tuple[str, str], ...]:
    """Read headers as pairs of a name and a value; raise if something else is given, or a header cannot be sent."""
    given: object = tuple(headers.items()) if isinstance(headers, Mapping) else headers
    pairs = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    for pair in pairs:
        match pair:
            case [str(name), str(value)]:
                check_header(name, value)
            case _:
                raise TypeError(f"headers takes a dict, as in {{'Accept-Language': 'fr'}}, or pairs, not {pair!r}")
    return tuple((name, value) for name, value in pairs)


def check_header(name: str, value: str) -> None:
    """Raise ValueError for a header that cannot be sent, or that says how the request is framed."""
    if not _HEADER_NAME.fullmatch(name):
        raise ValueError(f"{name!r} cannot be the name of a header: use letters, digits and hyphens of ASCII")
    if name.lower() in FRAMING_HEADERS:
        raise ValueError(f"the header {name} is set by the request itself; leave it out")
    if not _HEADER_VALUE.fullmatch(value):
        raise ValueError(f"the value of the header {name} must be on one line, without control characters")


DEFAULT_POLICY = Policy()


def cache_path(policy: Policy = DEFAULT_POLICY) -> Path:
    """Return the file that holds cached pages, whether or not it exists."""
    folder = policy.cache
    if folder is None:
        # The XDG specification says to ignore a relative path.
        root = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache")
        folder = (root if root.is_absolute() else Path("~/.cache").expanduser()) / "webquarry"
    return Path(folder).expanduser() / CACHE_FILE


def cache_size(policy: Policy = DEFAULT_POLICY) -> int:
    """Return the bytes that the cache takes on disk; 0 if there is none."""
    return sum(file.stat().st_size for file in _cache_files(policy))


def clear_cache(policy: Policy = DEFAULT_POLICY) -> int:
    """Delete all cached pages and return the number of bytes freed."""
    freed = cache_size(policy)
    for file in _cache_files(policy):
        file.unlink(missing_ok=True)
    return freed


def _cache_files(policy: Policy) -> list[Path]:
    database = cache_path(policy)
    # SQLite keeps recent writes and an index of them in two files beside the database.
    companions = [database.with_name(database.name + ending) for ending in ("-wal", "-shm")]
    return [file for file in (database, *companions) if file.exists()]
