"""The knobs of fetching, with defaults that suit a polite reader of public pages."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

# Named for the layout of its tables, which belongs to the caching library: another layout needs another name.
CACHE_FILE = "pages-v2.sqlite"


@dataclass(frozen=True)
class Policy:
    """How pages are fetched; files and archives heed only `max_bytes`."""

    offline: bool = False
    """Only the cache answers; no request leaves the machine."""
    refresh: bool = False
    """Ask the server about every page, also about those that are fresh in the cache."""
    cache: Path | str | None = None
    """The folder of the cache; None is `webquarry` in $XDG_CACHE_HOME or ~/.cache."""
    user_agent: str | None = None
    """None is `webquarry/<version>`; rules in robots.txt are looked up by it."""
    headers: tuple[tuple[str, str], ...] = ()
    """Sent with every request; a redirect to another host loses Authorization and Cookie."""
    allow_private: bool = False
    """Connect also to loopback, private and link-local addresses."""
    ignore_robots: bool = False
    """Fetch what robots.txt disallows."""
    requests_per_second: float = 4.0
    """For each host; `math.inf` is no limit."""
    connections_per_host: int = 4
    max_redirects: int = 10
    timeout: float = 30.0
    """Seconds for one wait on the network; a page may spend four times as many in all of them together."""
    max_bytes: int = 64 * 2**20
    """The longest body that is read, counted after decompression."""
    retries: int = 3
    """Further attempts after a broken connection or an answer of 429, 502, 503 or 504."""
    backoff: float = 0.5
    """Seconds before the first retry, doubled for each further one; Retry-After takes precedence."""

    def __post_init__(self) -> None:
        """Two wishes that exclude each other are a mistake of the caller."""
        if self.offline and self.refresh:
            raise ValueError("offline and refresh exclude each other: choose one")
        if not self.requests_per_second > 0:
            raise ValueError("requests_per_second must be above 0; use math.inf for no limit")


DEFAULT_POLICY = Policy()


def cache_path(policy: Policy = DEFAULT_POLICY) -> Path:
    """The file that holds cached pages, whether or not it exists."""
    folder = policy.cache
    if folder is None:
        # The XDG specification says that a relative path is to be ignored.
        root = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache")
        folder = (root if root.is_absolute() else Path("~/.cache").expanduser()) / "webquarry"
    return Path(folder).expanduser() / CACHE_FILE


def cache_size(policy: Policy = DEFAULT_POLICY) -> int:
    """The bytes that the cache takes on disk; 0 when there is none."""
    return sum(file.stat().st_size for file in _cache_files(policy))


def clear_cache(policy: Policy = DEFAULT_POLICY) -> int:
    """Delete all cached pages and give the number of bytes that were freed."""
    freed = cache_size(policy)
    for file in _cache_files(policy):
        file.unlink(missing_ok=True)
    return freed


def _cache_files(policy: Policy) -> list[Path]:
    database = cache_path(policy)
    # SQLite keeps recent writes and its index of them in two files beside the database.
    companions = [database.with_name(database.name + ending) for ending in ("-wal", "-shm")]
    return [file for file in (database, *companions) if file.exists()]
