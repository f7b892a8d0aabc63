"""Read values that a page shows without text: dates of `time`, ratings as stars, pictures in the background."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from webquarry.html.columns import Attributes, Kind
from webquarry.html.urls import IMAGE_ATTRIBUTES, largest
from webquarry.mining.record_pieces import Pieces
from webquarry.model.document import Document
from webquarry.values.dates import read_iso_day
from webquarry.values.text_value import Value

MAX_LEVELS = 3  # elements around a text that may be its `time`
MIN_STATED = 0.8  # share of the texts of a column that must be in a `time`
MAX_STARS = 5  # of a rating that is drawn by width
MAX_SENTENCE = 80  # characters of a text that says a rating
_RATING = re.compile(
    r"(\d(?<![\d.,]\d)\d?(?:[.,]\d+)?)\s?(?:[^\W\d_]+ )?(?:/|out of|of|von|sur|de|su|из|z|av|van|op|sobre|na)\s?"
    r"(5|10)(?:[.,]0)?(?![\d.,]\d|\d)|(?:5つ星のうち|5점 만점에|5 üzerinden)\s?(\d(?:[.,]\d+)?)"
    r"|^(?:rated )?(\d[.,]\d+) ?(?:stars?(?: rating)?|sterne|étoiles|estrellas|estrelas|stelle|звезд\w*|gwiazd\w*"
    r"|hvězd\w*)$",
    re.IGNORECASE,
)
"""Ratings as sentences say them: `4.5 out of 5`, `4,5 Sterne von 5`, `4.5 stars`."""
_DIGIT = re.compile(r"\d")
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
_PRICE_ATTRIBUTE = "data-price"
_ATTRIBUTES = _RATING_ATTRIBUTES | _PICTURE_ATTRIBUTES | {_PRICE_ATTRIBUTE}
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
            return read_iso_day(document.attributes[node].get("datetime", ""))
        node = document.parents.item(node)
    return None


class UnseenValues:
    """The values that records have in attributes and hidden texts."""

    def __init__(self, document: Document, spans: Sequence[tuple[int, int]]) -> None:
        self._document, self._spans, self.count = document, spans, len(spans)
        attributes, wanted = document.attributes, _ATTRIBUTES & document.attribute_names
        self._marked = [
            [node for node, own in enumerate(attributes[first:stop], first) if own and not wanted.isdisjoint(own)]
            for first, stop in spans
        ]

    def find_ratings(self) -> Found:
        """Find the rating that each record states in a label, a title, a hidden sentence, or by the width of stars."""
        document = self._document
        hidden = ((document.kinds == int(Kind.TEXT)) & document.hidden).nonzero()[0]
        bounds = np.searchsorted(hidden, np.array(self._spans, dtype=np.int64)).tolist()
        written = document.texts
        texts = [
            [node for node in hidden[start:stop].tolist() if len(written[node]) <= MAX_SENTENCE]
            for start, stop in bounds
        ]
        said = " ".join([written[node] for nodes in texts for node in nodes])
        if _DIGIT.search(said) is None or _RATING.search(said) is None:  # much quicker than text by text
            texts = [[]] * len(texts)
        return [_find_rating(document, *nodes) for nodes in zip(self._marked, texts, strict=True)]

    def find_prices(self) -> Found:
        """Find the price that each record has in an attribute for scripts."""
        if _PRICE_ATTRIBUTE not in self._document.attribute_names:
            return [None] * len(self._spans)
        attributes = self._document.attributes
        said = [
            [(attributes[node].get(_PRICE_ATTRIBUTE, "").strip(), node) for node in nodes] for nodes in self._marked
        ]
        return [next((each for each in prices if _PRICE.fullmatch(each[0])), None) for prices in said]

    def find_pictures(self, *, only_backgrounds: bool) -> Found:
        """Find the first picture of each record that takes no room: a background, or one that is not loaded."""
        document, find = self._document, _background_of if only_backgrounds else _unseen_picture_of
        return [
            next(((address, node) for node in nodes if (address := find(document, node))), None)
            for nodes in self._marked
        ]


def _find_rating(document: Document, elements: Sequence[int], hidden: Sequence[int]) -> tuple[str, int] | None:
    """Find the first rating among elements and hidden texts."""
    said = next(((rating, node) for node in elements if (rating := _rating_of(document.attributes[node]))), None)
    for node in hidden:
        if said is not None and said[1] < node:
            break
        text = document.texts[node]
        if not text.isspace() and (rating := read_rating(text)):
            return rating, node
    return said or _rating_by_width(document, elements)


def _rating_by_width(document: Document, elements: Sequence[int]) -> tuple[str, int] | None:
    styled = [(own["style"], node) for node in elements if "style" in (own := document.attributes[node])]
    widths = [
        (width, node)
        for style, node in styled
        if "%" in style and (width := _WIDTH.search(style)) and _is_of_stars(document, node)
    ]
    if len(widths) != 1:  # several are stars of their own, each filled in part
        return None
    width, node = widths[0]
    return f"{float(width[1]) / 100 * MAX_STARS:g}", node


def _is_of_stars(document: Document, node: int) -> bool:
    parent = document.attributes[document.parents.item(node)].get("class", "")
    return _RATED_CLASS.search(f"{document.attributes[node].get('class', '')} {parent}") is not None


def _rating_of(attributes: Attributes) -> str | None:
    for name in _SAYING_ATTRIBUTES:
        if name in attributes and (said := read_rating(attributes[name])):
            return said
    for name in _NUMBER_ATTRIBUTES:
        if name in attributes and (number := _NUMBER.fullmatch(attributes[name].strip())):
            return number[0].replace(",", ".")
    return None


def read_rating(sentence: str) -> str | None:
    """Read the rating in a short sentence.

    >>> [read_rating(said) for said in ("Rated 4.5 out of 5", "3 stelle su 5", "5つ星のうち4.2", "4.7 Stars", "of 5")]
    ['4.5', '3', '4.2', '4.7', None]
    """
    if len(sentence) > MAX_SENTENCE or _DIGIT.search(sentence) is None:  # the second is much quicker than the next
        return None
    found = _RATING.search(sentence.strip())
    return (found[1] or found[3] or found[4]).replace(",", ".") if found else None


def _unseen_picture_of(document: Document, node: int) -> str | None:
    attributes = document.attributes[node]
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
