"""Read values that a page shows without text: dates of `time`, ratings as stars, pictures in the background."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Attributes, Kind
from webquarry.html.urls import IMAGE_ATTRIBUTES, largest
from webquarry.mining.record_pieces import Pieces
from webquarry.model.document import Document
from webquarry.values.text_value import Value

MAX_LEVELS = 3  # elements around a text that may be its `time`
MIN_STATED = 0.8  # share of the texts of a column that must be in a `time`
MAX_STARS = 5  # of a rating that is drawn by width
MAX_SENTENCE = 80  # characters of a text that says a rating
_ISO_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_RATING = re.compile(
    r"(?<![\d.,])(\d{1,2}(?:[.,]\d+)?)\s?(?:/|out of|of|von|sur|de|su|из|z|av|van|op|sobre|üzerinden)\s?"
    r"(5|10)(?:[.,]0)?(?![\d.,]\d|\d)",
    re.IGNORECASE,
)
_RATED_CLASS = re.compile(r"rat(?:ing|ed)|star|score|review", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,2}(?:[.,]\d+)?")
_PRICE = re.compile(r"\d{1,12}(?:\.\d{1,2})?")
_WIDTH = re.compile(r"width:\s*(\d{1,3}(?:\.\d+)?)%", re.IGNORECASE)
_BACKGROUND = re.compile(r"background(?:-image)?\s*:[^;]*?url\(\s*['\"]?([^'\")]+)", re.IGNORECASE)
_SAYING_ATTRIBUTES = ("aria-label", "title", "alt")
_NUMBER_ATTRIBUTES = ("data-rating", "data-score", "data-stars")
_RATING_ATTRIBUTES = frozenset((*_SAYING_ATTRIBUTES, *_NUMBER_ATTRIBUTES, "style"))
_BACKGROUND_ATTRIBUTES = ("data-bg", "data-background", "data-background-image", "data-bgset", "data-bg-src")
_PICTURE_ATTRIBUTES = frozenset((*_BACKGROUND_ATTRIBUTES, *IMAGE_ATTRIBUTES, "src", "style"))
_IMAGE_FILE = re.compile(r"\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)", re.IGNORECASE)

Found = list[tuple[str, int] | None]
"""For each record a text and its node, or None."""


def read_stated_dates(pieces: Pieces, firsts: Sequence[int | None]) -> list[Value | None] | None:
    """Read the dates of `time` elements around the given pieces, one a record; None if too few have one."""
    found = [None if piece is None else _stated_date(pieces, piece) for piece in firsts]
    filled = sum(piece is not None for piece in firsts)
    stated = sum(value is not None for value in found)
    return found if stated and stated >= MIN_STATED * filled else None


def _stated_date(pieces: Pieces, piece: int) -> Value | None:
    document, node = pieces.document, pieces.owners[piece]
    for _ in range(MAX_LEVELS):
        if node < 0:
            return None
        if document.tag(node) == "time":
            return read_iso_date(document.attributes[node].get("datetime", ""))
        node = int(document.parents[node])
    return None


def read_iso_date(text: str) -> Value | None:
    """Read the date that a machine-readable time begins with.

    >>> read_iso_date("2026-03-14T19:30:00-07:00"), read_iso_date("19:30")
    (Value(value=datetime.date(2026, 3, 14), unit=None), None)
    """
    match = _ISO_DATE.match(text.strip())
    try:
        return Value(date(*map(int, match.groups()))) if match else None
    except ValueError:  # the 31st of February
        return None


def find_ratings(document: Document, spans: Sequence[tuple[int, int]]) -> Found:
    """Find the rating that each record states in a label, a title, a hidden sentence, or by the width of its stars."""
    is_hidden_text = (document.kinds == int(Kind.TEXT)) & document.hidden
    return [_find_rating(document, nodes) for nodes in _nodes_of(spans, (document.tags >= 0) | is_hidden_text)]


def _nodes_of(spans: Sequence[tuple[int, int]], is_wanted: NDArray[np.bool_]) -> list[list[int]]:
    """List the wanted nodes of each record."""
    wanted = np.flatnonzero(is_wanted)
    bounds = np.searchsorted(wanted, np.array(spans, dtype=np.int64)).tolist()
    return [wanted[start:stop].tolist() for start, stop in bounds]


def _find_rating(document: Document, nodes: Sequence[int]) -> tuple[str, int] | None:
    """Find a rating among elements and hidden texts."""
    attributes, texts = document.attributes, document.texts
    widths: list[tuple[str, int]] = []
    for node in nodes:
        own = attributes[node]
        if own:
            if _RATING_ATTRIBUTES.isdisjoint(own):
                continue
            if (rating := _rating_of(own)) is not None:
                return rating, node
            if "style" in own and (width := _WIDTH.search(own["style"])) and _is_of_stars(document, node):
                widths.append((f"{float(width[1]) / 100 * MAX_STARS:g}", node))
        elif 0 < len(texts[node]) <= MAX_SENTENCE:
            said = _RATING.search(texts[node])
            if said:
                return said[1].replace(",", "."), node
    return widths[0] if len(widths) == 1 else None  # several are stars of their own, each filled in part


def _is_of_stars(document: Document, node: int) -> bool:
    parent = document.attributes[int(document.parents[node])].get("class", "")
    return _RATED_CLASS.search(f"{document.attributes[node].get('class', '')} {parent}") is not None


def _rating_of(attributes: Attributes) -> str | None:
    for name in _SAYING_ATTRIBUTES:
        if name in attributes and len(attributes[name]) <= MAX_SENTENCE and (said := _RATING.search(attributes[name])):
            return said[1].replace(",", ".")
    for name in _NUMBER_ATTRIBUTES:
        if name in attributes and (said := _NUMBER.fullmatch(attributes[name].strip())):
            return said[0].replace(",", ".")
    return None


def find_stated_prices(document: Document, spans: Sequence[tuple[int, int]]) -> Found:
    """Find the price that each record has in an attribute for scripts."""
    found: Found = []
    for nodes in _nodes_of(spans, document.tags >= 0):
        said = ((document.attributes[node].get("data-price", "").strip(), node) for node in nodes)
        found.append(next(((price, node) for price, node in said if _PRICE.fullmatch(price)), None))
    return found


def find_backgrounds(document: Document, spans: Sequence[tuple[int, int]], *, only_backgrounds: bool = False) -> Found:
    """Find the first picture of each record that takes no room: a background, or one that is not loaded."""
    find = _background_of if only_backgrounds else _unseen_picture_of
    return [
        next(((address, node) for node in nodes if (address := find(document, node))), None)
        for nodes in _nodes_of(spans, document.tags >= 0)
    ]


def _unseen_picture_of(document: Document, node: int) -> str | None:
    attributes = document.attributes[node]
    if not attributes:
        return None
    if "src" in attributes and "-" in document.tag(node) and _IMAGE_FILE.search(attributes.get("src", "")):
        return attributes["src"]
    if document.tag(node) == "img":  # without a size: it is loaded by a script, or its file is missing
        addresses = (largest(attributes[name]) for name in IMAGE_ATTRIBUTES if attributes.get(name))
        return next((address for address in addresses if not address.startswith("data:")), None)
    return _background_of(document, node)


def _background_of(document: Document, node: int) -> str | None:
    attributes = document.attributes[node]
    if _PICTURE_ATTRIBUTES.isdisjoint(attributes):
        return None
    for name in _BACKGROUND_ATTRIBUTES:
        if attributes.get(name):
            return attributes[name].split()[0]
    if "url(" in attributes.get("style", "") and (said := _BACKGROUND.search(attributes["style"])):
        return said[1].strip()
    return None
