"""Read the records corpus: saved search-result pages with their style sheets, images and true records."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.corpora import draw_evenly
from benchmarks.halves import split
from benchmarks.scoring.records import words_of
from webquarry.model.page import Page

_ENCODINGS = ("utf-8", "cp1252", "latin-1")  # of the truth files, tried in this order; latin-1 decodes any bytes


@dataclass(frozen=True)
class Listing:
    """A page and the cells of its true records."""

    name: str
    half: str
    page: Page
    truths: tuple[tuple[str, ...], ...]


@cache
def listings(root: Path, count: int | None = None) -> tuple[Listing, ...]:
    """Read the corpus or an even sample of it; all pages of a site are in one half."""
    folders = sorted(path.parent for path in (root / "records").glob("*/records.csv"))
    halves = split(site_of(folder.name) for folder in folders)
    drawn = draw_evenly(folders, count) if count else folders
    return tuple(_read(folder, halves[site_of(folder.name)]) for folder in drawn)


def site_of(name: str) -> str:
    """Return the site of a page.

    >>> site_of("my-shop.example-2")
    'my-shop.example'
    """
    return name.rpartition("-")[0]


def _read(folder: Path, half: str) -> Listing:
    path = folder / "page.html"
    rows = csv.reader(io.StringIO(_decode((folder / "records.csv").read_bytes())))
    truths = tuple(tuple(row) for row in rows if words_of(" ".join(row)))
    return Listing(folder.name, half, Page(path.resolve().as_uri(), path.read_bytes()), truths)


def _decode(body: bytes) -> str:
    for encoding in _ENCODINGS:
        try:
            return body.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise AssertionError("latin-1 decodes any bytes")
