"""Fetching: from what a user names to pages, as bytes.

An input is a file, a folder, a WARC archive, standard input or an http(s) address; `sources.py` tells which.  Files
and archives are read here and now (`files.py`, `mhtml.py`, `warc.py`).  Addresses go through a `Session`: robots.txt is
asked first, the cache answers what is fresh, and the rest goes out in turn, over connections that reach public
addresses only.  A `Policy` holds all knobs.  `fetch` gives one page or raises; `fetch_all` gives many, in order, and a
`Failure` in the place of each that could not be had.  A `Loader` gives single addresses, `fetch_onward` the page that
another leads to.
"""

from webquarry.fetching.loading import Loader
from webquarry.fetching.many import fetch, fetch_all
from webquarry.fetching.onward import fetch_onward
from webquarry.fetching.policy import Policy, cache_path, cache_size, clear_cache

__all__ = ["Loader", "Policy", "cache_path", "cache_size", "clear_cache", "fetch", "fetch_all", "fetch_onward"]
