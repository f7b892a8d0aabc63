"""Draft columns for what records do not say in texts of their own.

These are dates of `time`, ratings as stars, prices in attributes, links, pictures in the background, and headings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from webquarry.html.columns import Attributes, Kind
from webquarry.html.urls import IMAGE_ATTRIBUTES, LAZY_IMAGE_ATTRIBUTES, Resolver, largest
from webquarry.mining.column_labels import GroupHeadings
from webquarry.mining.column_names import IN_BRACKETS, LINK, PRICE, RATING, REVIEWS, STARS, TEXT
from webquarry.mining.piece_texts import day_reader
from webquarry.mining.record_pieces import Pieces
from webquarry.model.document import Document
from webquarry.page.leaves import IMAGES, Leaves
from webquarry.values.column_values import read_column
from webquarry.values.dates import read_iso_day
from webquarry.values.text_value import Locale, Value
from webquarry.values.units import may_be_unit

MIN_SAME_RATINGS = 0.8  # share of the ratings that a column of numbers has, for it to be them
MAX_RATING = 10
SCALES = (5.0, 10.0)  # what ratings are out of
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_LED_NUMBER = re.compile(r"([^\W\d_]{2,20}\.?) (\d{1,9})")
MIN_LED, MIN_LED_NUMBERS = 0.8, 2  # share of the texts with a number behind their common word, and different numbers
MAX_ROUNDING = 0.05  # of ratings: half of the last digit that is shown
GROUP = "group"
"""The name of a column with the headings above groups of records."""

# Values without text
MAX_LEVELS = 3  # elements around a text that may be its `time`
MIN_STATED = 0.8  # share of the texts of a column that must be in a `time`
MAX_STARS = 5  # of a rating that is drawn by width
MAX_SENTENCE = 80  # characters at the end of a text, which say a rating
MAX_SAYING = 250  # characters of such a text; it may name the thing first
_RATING = re.compile(
    r"(\d(?<![\d.,]\d)\d?(?:[.,]\d+)?)\s?(?:[^\W\d_]+ )?(?:/|out of|of|von|sur|de|su|из|z|av|van|op|sobre|na)\s?"
    r"(5|10)(?:[.,]0)?(?![\d.,]\d|\d)|(\d(?:[.,]\d+)?) (?:stars? )?out of five"
    r"|(?:5つ星のうち|5점 만점에|5 üzerinden)\s?(\d(?:[.,]\d+)?)"
    r"|^(?:rated )?(\d[.,]\d+) ?(?:stars?(?: rating)?|sterne|étoiles|estrellas|estrelas|stelle|звезд\w*|gwiazd\w*"
    r"|hvězd\w*)$",
    re.IGNORECASE,
)
"""Ratings as sentences say them: `4.5 out of 5`, `4,5 Sterne von 5`, `4.5 stars`."""
_DIGIT = re.compile(r"\d")
_RATED_CLASS = re.compile(r"rat(?:ing|ed)|star|score|review", re.IGNORECASE)
_RATED_NUMBER = re.compile(r"\d{1,2}(?:[.,]\d+)?")
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

Reading = tuple[str, tuple[Value | None, ...]]
"""The type of a column, and its typed values."""
Found = list[tuple[str, int] | None]
"""For each record a text and its node, or None."""


@dataclass(frozen=True)
class Cells:
    """The values of a column, one entry a record; None where it has none."""

    values: list[str | None]
    nodes: list[int | None]

    def __bool__(self) -> bool:
        return self.nodes.count(None) < len(self.nodes)


Draft = tuple[str, Reading, Cells]
"""A column that is not yet a field: its name may occur twice."""


def draft_headings(headings: GroupHeadings | None, locale: Locale) -> list[Draft]:
    """Draft the column of headings above groups of records, if there are any."""
    if headings is None:
        return []
    reading = read_column(headings.texts, locale) or (TEXT, ())
    is_day = day_reader(locale.language)
    are_days = reading[0] == "date" or all(is_day(text) for text in set(headings.texts) if text)
    return [("date" if are_days else GROUP, reading, Cells(headings.texts, headings.nodes))]


def draft_ratings(document: Document, unseen: UnseenValues, drafts: list[Draft]) -> list[Draft]:
    """Draft the column of ratings that records state as stars, unless there is one.

    A column of the same numbers takes its name; other texts within the stars say the same and go.
    """
    if unseen.count < 2:
        return drafts
    ratings = unseen.find_ratings()
    drafts = _type_said_ratings(drafts)
    if not any(ratings):
        return drafts
    typed = tuple(each and _to_value(each[0]) for each in ratings)
    names = [name for name, _, _ in drafts]
    starred = next((name for name in (RATING, STARS) if name in names), None)
    if starred and _counts_others(typed, drafts[names.index(starred)][1][1]):
        drafts = _rename(drafts, starred, REVIEWS)
    numbers = [(place, name, seen) for place, (name, (kind, seen), _) in enumerate(drafts) if kind == "number"]
    same = [place for place, _, seen in numbers if _agree(typed, seen)]
    place = next((place for place, name, _ in numbers if name == RATING), next(iter(same), None))
    own = (("number", typed), _to_cells(ratings)) if place is None else drafts[place][1:]
    kept = [
        (RATING, *own) if other == place else draft
        for other, draft in enumerate(drafts)
        if other == place or draft[1][0] == "link" or not _repeats(document, draft, ratings)
    ]
    kept = _name_counts(document, kept, own[1])
    return kept if place is not None else [*kept, (RATING, *own)]


def _rename(drafts: Sequence[Draft], name: str, other: str) -> list[Draft]:
    """Give a column and its links another name."""
    renamed = {name: other, f"{name}_{LINK}": f"{other}_{LINK}"}
    return [(renamed.get(name, name), reading, cells) for name, reading, cells in drafts]


def _name_counts(document: Document, drafts: list[Draft], ratings: Cells) -> list[Draft]:
    """Call unnamed numbers `reviews` that are in brackets beside ratings, or come next after their stars."""
    names = [name for name, _, _ in drafts]
    for name, (kind, _), cells in drafts:
        is_unnamed = kind == "number" and name.partition("_")[0] in ("number", "count") and REVIEWS not in names
        if is_unnamed and (
            all(IN_BRACKETS.fullmatch(text) for text in cells.values if text is not None)
            or _come_next(document, ratings, cells, [others for _, _, others in drafts])
        ):
            return _rename(drafts, name, REVIEWS)
    return drafts


def _come_next(document: Document, ratings: Cells, counts: Cells, columns: Sequence[Cells]) -> bool:
    """Tell whether numbers follow stars in the element around these, with no other value between them."""
    rated = [
        (stars, count, record)
        for record, (stars, count) in enumerate(zip(ratings.nodes, counts.nodes, strict=True))
        if stars is not None and count is not None
    ]
    return bool(rated) and all(
        stars < count < document.ends.item(document.parents.item(stars))
        and not any(stars < (column.nodes[record] or 0) < count for column in columns)
        for stars, count, record in rated
    )


def _counts_others(stated: Sequence[Value | None], seen: Sequence[Value | None]) -> bool:
    """Tell whether numbers beside stars count the ratings: nearly all are other numbers, and some exceed any rating."""
    counts = [number for number in to_numbers(seen) if number is not None]
    return any(count > MAX_RATING for count in counts) and not _agree(stated, seen)


def _type_said_ratings(drafts: list[Draft]) -> list[Draft]:
    """Type the column of ratings if its texts say them, such as `4.5 out of 5`; without one, the first that does."""
    names = [name for name, _, _ in drafts]
    for place, (name, (kind, _), cells) in enumerate(drafts):
        if kind != TEXT or name != (RATING if RATING in names else name):
            continue
        said = _read_ratings(cells.values)
        if any(said):
            typed = tuple(_to_value(rating or None) for rating in said)
            return [*drafts[:place], (RATING, ("number", typed), cells), *drafts[place + 1 :]]
    return drafts


def _read_ratings(texts: Sequence[str | None]) -> list[str | None]:
    """Read the ratings that texts say; nothing as soon as too many say none."""
    most, others = (1 - MIN_SAME_RATINGS) * (len(texts) - texts.count(None)), 0
    said: list[str | None] = []
    for text in texts:
        said.append(text and read_rating(text))
        others += text is not None and not said[-1]
        if others > most:
            return []
    return said


def type_led_numbers(drafts: list[Draft]) -> list[Draft]:
    """Type numbers behind a word that most texts of a column share: `Lot 12`, `Published 1995`; the word names them.

    Names of things may be such texts too: only columns that nothing else names are typed.
    """
    return [
        _type_led(draft) if draft[1][0] == TEXT and draft[0].partition("_")[0] == TEXT else draft for draft in drafts
    ]


def _type_led(draft: Draft) -> Draft:
    _, _, cells = draft
    amounts = [_LED_NUMBER.fullmatch(text) if text else None for text in cells.values]
    leads = Counter(match[1] for match in amounts if match)
    filled = len(cells.values) - cells.values.count(None)
    lead, count = leads.most_common(1)[0] if leads else ("", 0)
    numbers = [match[2] if match and match[1] == lead else None for match in amounts]
    if count < MIN_LED * filled or not may_be_unit(lead) or len(set(numbers) - {None}) < MIN_LED_NUMBERS:
        return draft
    return lead.rstrip("."), ("number", tuple(map(_to_whole, numbers))), cells


def _to_whole(number: str | None) -> Value | None:
    return None if number is None else Value(int(number))


def _to_value(number: str | None) -> Value | None:
    return None if number is None else Value(float(number))


def _agree(stated: Sequence[Value | None], seen: Sequence[Value | None]) -> bool:
    """Tell whether most stated values are seen too, in their records."""
    numbers = zip(to_numbers(stated), to_numbers(seen), strict=True)
    pairs = [(one, other) for one, other in numbers if one is not None]
    same = sum(other is not None and abs(one - other) <= MAX_ROUNDING for one, other in pairs)
    return same >= MIN_SAME_RATINGS * len(pairs)


def _repeats(document: Document, draft: Draft, ratings: Sequence[tuple[str, int] | None]) -> bool:
    """Tell whether a column says no more than ratings do: its texts are in their elements and have no other number."""
    _, _, cells = draft
    for text, node, rating in zip(cells.values, cells.nodes, ratings, strict=True):
        if text is None or node is None:
            continue
        if rating is None or not rating[1] < node < document.ends[rating[1]]:
            return False
        if not {float(number.replace(",", ".")) for number in _NUMBER.findall(text)} <= {float(rating[0]), *SCALES}:
            return False
    return True


def draft_unseen(
    spans: Sequence[tuple[int, int]], unseen: UnseenValues, drafts: Sequence[Draft], resolve: Resolver
) -> list[Draft]:
    """Draft columns for what records do not say in a text: prices in attributes and backgrounds."""
    names, types = {name for name, _, _ in drafts}, {reading[0] for _, reading, _ in drafts}
    found: list[Draft] = []
    if len(spans) > 1 and PRICE not in names and "money" not in types:
        prices = unseen.find_prices()
        found.append((PRICE, ("number", tuple(each and Value(float(each[0])) for each in prices)), _to_cells(prices)))
    pictures = [
        (address, each[1]) if each and (address := resolve(each[0])) else None
        for each in unseen.find_pictures(only_backgrounds="image" in types)
    ]
    if "image" not in types or len(set(pictures) - {None}) > len(spans) / 2:
        found.append(("image", ("image", ()), _to_cells(pictures)))
    return [draft for draft in found if draft[2]]


def draft_bare_links(
    document: Document,
    spans: Sequence[tuple[int, int]],
    drafts: list[Draft],
    captions: Collection[str],
    resolve: Resolver,
) -> list[Draft]:
    """Draft the link of records whose title and pictures have none: their first, also if it is that of a button.

    `captions` has the names of the columns with what buttons such as `Read more` lead to.
    """
    if any(name == LINK for name, _, _ in drafts):
        return drafts
    bare = _to_cells(_find_bare_links(document, spans, resolve))
    if not leads_apart(bare):
        return drafts
    same = [place for place, (_, _, cells) in enumerate(drafts) if cells.values == bare.values]
    if not same:
        return [*drafts, (LINK, ("link", ()), bare)]
    return [
        (LINK if place in same and name in captions else name, reading, cells)
        for place, (name, reading, cells) in enumerate(drafts)
    ]


def leads_apart(cells: Cells, least: float = 0.0) -> bool:
    """Tell whether links lead to different pages, and at least a share of the records has one."""
    found = [value for value in cells.values if value]
    return len(found) >= least * len(cells.values) and len(set(found)) >= min(2, len(cells.values))


def widen(document: Document, spans: Sequence[tuple[int, int]], leaves: Leaves) -> list[tuple[int, int]]:
    """Widen records to the elements around them that show nothing else: they may have pictures that are not loaded."""
    found = []
    for first, stop in spans:
        node = first
        if document.ends.item(first) == stop:
            count = leaves.counts.item(first)
            while (parent := document.parents.item(node)) > 0 and leaves.counts.item(parent) == count:
                node = parent
        found.append((node, document.ends.item(node) if node != first else stop))
    return found


def _find_bare_links(
    document: Document, spans: Sequence[tuple[int, int]], resolve: Resolver
) -> list[tuple[str, int] | None]:
    """Find the first link of each record."""
    links = document.has_tag(["a"]).nonzero()[0]
    bounds = np.searchsorted(links, np.array(spans, dtype=np.int64)).tolist()
    found: list[tuple[str, int] | None] = []
    for start, stop in bounds:
        addresses = ((resolve(document.attributes[link].get("href", "")), link) for link in links[start:stop].tolist())
        found.append(next(((address, link) for address, link in addresses if address), None) if start < stop else None)
    return found


def _to_cells(found: Sequence[tuple[str, int] | None]) -> Cells:
    return Cells([each and each[0] for each in found], [each and each[1] for each in found])


def to_numbers(values: Sequence[Value | None]) -> list[float | None]:
    """Return the numbers of values; None where there is none."""
    return [value.value if value and isinstance(value.value, int | float) else None for value in values]


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
        marked = sorted({node for name in _ATTRIBUTES for node in document.values_of(name)})
        bounds = np.searchsorted(marked, np.array(spans, dtype=np.int64)).tolist()
        self._marked = [marked[start:stop] for start, stop in bounds]

    def find_ratings(self) -> Found:
        """Find the rating that each record states in a label, a title, a hidden sentence, or by the width of stars."""
        document = self._document
        hidden = ((document.kinds == Kind.TEXT) & document.hidden).nonzero()[0]
        bounds = np.searchsorted(hidden, np.array(self._spans, dtype=np.int64)).tolist()
        written = document.texts
        texts = [
            [node for node in hidden[start:stop].tolist() if len(written[node]) <= MAX_SAYING] for start, stop in bounds
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
    if len(widths) != 1 or _is_in_one_star(document, widths[0][1]):  # each star has a width of its own
        return None
    width, node = widths[0]
    return f"{float(width[1]) / 100 * MAX_STARS:g}", node


def _is_of_stars(document: Document, node: int) -> bool:
    parent = document.attributes[document.parents.item(node)].get("class", "")
    return _RATED_CLASS.search(f"{document.attributes[node].get('class', '')} {parent}") is not None


def _is_in_one_star(document: Document, node: int) -> bool:
    """Tell whether an element fills one star of a row of stars, not the row."""
    star = document.parents.item(node)
    row = document.children(document.parents.item(star)) if star > 0 else []
    return sum(_RATED_CLASS.search(document.attributes[each].get("class", "")) is not None for each in row) >= MAX_STARS


def _rating_of(attributes: Attributes) -> str | None:
    for name in _SAYING_ATTRIBUTES:
        if name in attributes and (said := read_rating(attributes[name])):
            return said
    for name in _NUMBER_ATTRIBUTES:
        if name in attributes and (number := _RATED_NUMBER.fullmatch(attributes[name].strip())):
            return number[0].replace(",", ".")
    return None


def read_rating(sentence: str) -> str | None:
    """Read the rating at the end of a short text.

    >>> [read_rating(said) for said in ("Rated 4.5 out of 5", "3 stelle su 5", "5つ星のうち4.2", "4.7 Stars", "of 5")]
    ['4.5', '3', '4.2', '4.7', None]
    """
    if len(sentence) > MAX_SAYING or _DIGIT.search(sentence) is None:  # the second is much quicker than the next
        return None
    found = _RATING.search(sentence.strip()[-MAX_SENTENCE:])
    return (found[1] or found[3] or found[4] or found[5]).replace(",", ".") if found else None


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
    if document.tag(node) not in IMAGES:
        for name in LAZY_IMAGE_ATTRIBUTES:
            if _IMAGE_FILE.search(attributes.get(name, "")):
                return attributes[name].strip()
    if "url(" in attributes.get("style", "") and (said := _BACKGROUND.search(attributes["style"])):
        return said[1].strip()
    return None
