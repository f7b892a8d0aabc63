"""Options of fetching, with defaults for a polite reader of public pages, and the place of the cache."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from webquarry.fetching.saved_sites import UrlMap, is_web_address

# The version is that of the caching library's tables: another layout needs another name.
CACHE_FILE = "pages-v2.sqlite"


@dataclass(frozen=True)
class Policy:
    """Options of fetching; archives only use `max_bytes`, and files `base_url` and `url_map` too."""

    offline: bool = False
    """Answer from the cache only; no request leaves the machine."""
    refresh: bool = False
    """Ask the server about every page, even if the cached copy is fresh."""
    cache: Path | str | None = None
    """Folder of the cache; None means `webquarry` in $XDG_CACHE_HOME or ~/.cache."""
    user_agent: str | None = None
    """None means `webquarry/<version>`; robots.txt rules are looked up by it."""
    headers: tuple[tuple[str, str], ...] = ()
    """Sent with every request; a redirect to another host loses Authorization and Cookie."""
    allow_private: bool = False
    """Also connect to loopback, private and link-local addresses."""
    ignore_robots: bool = False
    """Fetch what robots.txt disallows."""
    requests_per_second: float = 4.0
    """For each host; `math.inf` means no limit."""
    connections_per_host: int = 4
    max_redirects: int = 10
    timeout: float = 30.0
    """Seconds for one wait on the network; all waits of a page together may take four times as long."""
    max_bytes: int = 64 * 2**20
    """Limit of a body, after decompression."""
    retries: int = 3
    """Further attempts after a broken connection or an answer of 429, 502, 503 or 504."""
    backoff: float = 0.5
    """Seconds before the first retry, doubled for each further one; Retry-After takes precedence."""
    base_url: str = ""
    """The address on the web of a saved page."""
    url_map: UrlMap | Path | str | None = field(default=None, hash=False)
    """The addresses on the web of saved pages, or the CSV file that has them in columns `file` and `url`."""

    def __post_init__(self) -> None:
        """Reject options that contradict each other."""
        if self.offline and self.refresh:
            raise ValueError("offline and refresh exclude each other: choose one")
        if not self.requests_per_second > 0:
            raise ValueError("requests_per_second must be above 0; use math.inf for no limit")
        if self.base_url and not is_web_address(self.base_url):
            raise ValueError(f"base_url {self.base_url!r} is not an http or https address")


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
