"""Mine and read a small page when imported, in the server that workers are forked from.

The first pages of a process load modules and tables and compile patterns, which takes as long as twenty further pages.
A worker that replaces one that died inherits all that.
"""

from __future__ import annotations

import gc
import gzip
import pickle
from io import BytesIO

from webquarry.fetching.archives import read_archive
from webquarry.pipeline.fetch_pages import CLEANERS, DEFAULT_CLEANER
from webquarry.pipeline.mine_pages import MINERS
from webquarry.pipeline.read_pages import make_reading
from webquarry.values.dates import read_dates
from webquarry.values.text_value import Locale

_RECORD = "<li><h3><a href='/{0}'>Lamp number {0}</a></h3><p>12 May 2024, € {0}9.50, 4 of 5 stars</p><img src={0}.png>"
_POST = f"<article class=post><h2>On lamps</h2><p>{'All the lamps that we have, with their prices. ' * 9}</p></article>"
# the euro sign is there because text beyond ASCII needs further codecs
_MARKUP = (
    "<!doctype html><html lang=en><title>Lamps</title><nav><a href=/>Home</a></nav><main><h1>Lamps</h1>"
    f"<p class=author>Ann Lee</p><p class=date>12 January 2024</p>{_POST * 3}"
    f"<ul>{''.join(map(_RECORD.format, range(1, 7)))}</ul>"
    "<table><tr><th>Name<th>Price<tr><td>Lamp<td>9.50</table></main>"
)

_RESPONSE = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{_MARKUP}".encode()
_HEAD = (
    "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://lamps.example/\r\n"
    f"Content-Type: application/http\r\nContent-Length: {len(_RESPONSE)}\r\n\r\n"
)
_ARCHIVE = gzip.compress(b"".join([_HEAD.encode(), _RESPONSE, b"\r\n\r\n"]))

_MONTHS = ("jan", "feb", "mar", "apr", "mai", "jul")
"""Names of months that are written so in most of the languages that have such."""


def _warm_up() -> None:
    [(_, page)] = read_archive(BytesIO(_ARCHIVE), "lamps.warc.gz", max_bytes=len(_RESPONSE))
    document = CLEANERS[DEFAULT_CLEANER](page)
    for region in MINERS["visual"](document):
        _ = region.fields
    reading = make_reading("vote", with_metadata=True)
    drafts = [reading.each(document) for _ in range(3)]
    reading.finish_together(pickle.loads(pickle.dumps(drafts)))  # noqa: S301 - of our own process
    for month in _MONTHS:
        read_dates([f"12 {month} x 2024"], Locale())
    gc.collect()
    gc.freeze()  # a worker would copy the memory of all modules when it collects garbage


_warm_up()
