"""Name the columns of records as a person would: by words of the page, else by their type.

Sources in order: a header row above the records, labels such as `Brand:`, prominence (the title), attributes, icons,
addresses of links, a word that leads to the value, such as `by`, and a fixed text.  Prices, dates and places have the
same names in every language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from webquarry.mining.column_labels import Labels, find_headers, leads_to_author, name_by_attributes, name_by_icon
from webquarry.mining.column_splits import Column, are_lines, find_cells, first_piece, is_fixed
from webquarry.mining.piece_texts import MAX_LENGTH_OF_MOMENT, day_reader
from webquarry.mining.record_pieces import Pieces
from webquarry.mining.title_column import SAMPLE_SIZE, find_title
from webquarry.model.names import distinct
from webquarry.page.column_words import (
    CONTENT_WORDS,
    MONEY_WORDS,
    PLACES,
    TYPE_NAMES,
    content_word,
    is_old,
    shorten_name,
    standard_name,
)
from webquarry.values.column_values import fit_most
from webquarry.values.places import are_places
from webquarry.values.units import dimension_of, is_measure

TITLE, LINK, TEXT = "title", "link", "text"
PRICE, OLD_PRICE = "price", "old_price"
DESCRIPTION, TAGS, LOCATION = "description", "tags", "location"
RATING, REVIEWS, STARS, BADGE = "rating", "reviews", "stars", "badge"
MAX_TAG_LENGTH, MIN_TAGS = 30, 3  # characters of the longest, and different ones
MAX_SHARE_WITH_BADGE, MAX_WORDS_OF_BADGE = 0.5, 2  # of the records; more is a fact of the things
MIN_WORDS_OF_PROSE = 5  # of a text that says something about the thing; brands, places and addresses are shorter
MAX_WORDS_OF_NAME = 4  # of a fixed text that names its column; longer ones are sentences
MIN_UNIT_LETTERS = 2  # of a word that names what it counts: less is a sign
MIN_LEAD_LETTERS = 4  # of a word before values that names them: `on` and `von` do not
MIN_DATED = 0.3  # share of the records with a date, for it to be theirs
MIN_WORDS_OF_SNIPPET = 3
_PROSE_NAMES = frozenset("abstract description excerpt snippet summary teaser".split())
_ANY_PRICE = frozenset(
    "amount price prices sale current final special now value money cost pricing offer total".split()
)
_ADDRESS = re.compile(
    r"(?:https?://|www\.)\S+(?: ?[\u203a/] ?.*)?|(?:[a-z\d-]+\.)+[a-z]{2,}(?: ?[\u203a/] ?.*)?|/[\w%-]+(?:/[\w.%-]*)*",
    re.IGNORECASE,
)
"""Addresses of pages as they are written: whole, without their scheme, as a path, or with `\u203a` between folders."""
IN_BRACKETS = re.compile(r"\([\d.,\s]+[kKmM]?\)")
_UNSURE = (None, "count", RATING)  # what numbers in brackets may be called although they count reviews
_SCORE = re.compile(r"\D{0,3}(?:10|\d)(?:[.,]\d{1,2})?(?!\d|[.,]\d)")
_DURATION = re.compile(
    r"(?:\D{0,3}\d+(?:[.,]\d+)? ?(?:h|hrs?|hours?|m|mins?|minutes?|std|stunden?|minuten?|heures?|horas?|minutos?"
    r"|ore|uur|минут\w*|мин|час\w*|ч)\b\.?,?)+",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\(?(?:19|20)\d\d\)?")
_SCHEMES = {"mailto": "email", "tel": "phone"}
_PHONE = re.compile(r"\D{0,20}(?:\d\D{0,3}){5,20}\D{0,20}")

Names = list[str | None]


@dataclass
class Naming:
    """Columns that are being named, with what rules ask about them."""

    pieces: Pieces
    labels: Labels
    links: Sequence[int]
    groups: Sequence[list[Column]]
    types: Sequence[str]
    units: Sequence[str]  # what the numbers of each column count or measure
    struck: Sequence[bool]  # whether it is struck through
    dearer: Collection[int]  # columns of prices that are always higher than another: old ones, if nothing else is said
    leads: Mapping[int, int]  # columns of words that lead to the values of others, as `find_leads` gives them
    dropped: Collection[int]  # columns that get a name only for the column of their links
    title: int | None = None
    stated: Collection[int] = ()  # columns that the page itself names

    def __post_init__(self) -> None:
        self.columns = [group[0] for group in self.groups]
        self.names: Names = [None] * len(self.groups)
        self.has_labels = any(self.labels.names)
        self.firsts = [[members[0] for members in column.values()] for column in self.columns]

    def texts(self, place: int) -> list[str]:
        """Return the first text of each record that has any."""
        return [self.pieces.texts[piece] for piece in self.firsts[place]]

    def standard(self, name: str | None, place: int) -> str | None:
        """Return the name that a column has in every language, if there is one, else the one given."""
        return name and (standard_name(name, self.types[place]) or name)

    @cached_property
    def headers(self) -> list[str | None]:
        """The heading of the cell of each column; of several columns in a cell, the first has it."""
        cells = self._cells
        return [
            here[0] and shorten_name(here[0]) if here not in cells[:place] else None for place, here in enumerate(cells)
        ]

    @cached_property
    def unheaded(self) -> set[int]:
        """The columns that a heading need not name: without one, or beside others in the first cell with texts."""
        cells = self._cells
        lead = next((here for here, kind in zip(cells, self.types, strict=True) if kind == TEXT), None)
        return {
            place for place, here in enumerate(cells) if here[0] is None or (here == lead and cells.count(here) > 1)
        }

    @cached_property
    def _cells(self) -> list[tuple[str | None, int]]:
        headers, cells = find_headers(self.pieces), find_cells(self.pieces)
        return [(headers[firsts[0]], cells[firsts[0]]) for firsts in self.firsts]

    @cached_property
    def called(self) -> Names:
        """The innermost names that attributes give, unless the type of a column contradicts them."""
        return [names[0] if names else None for names in self._stated_names]

    @cached_property
    def _stated_names(self) -> list[list[str]]:
        """The names that attributes give, innermost first; none if the type of a column contradicts the first."""
        found = []
        for place, names in enumerate(name_by_attributes(self.pieces, self.columns)):
            fitting = [name for name in names if not _is_misnamed(self, place, name)]
            found.append(fitting if fitting[:1] == names[:1] else [])
        return found

    @cached_property
    def known(self) -> Names:
        """The innermost of these names that are words about content."""
        found = [next((name for name in names if name.lower() in CONTENT_WORDS), None) for names in self._stated_names]
        return [self.standard(name, place) for place, name in enumerate(found)]

    @cached_property
    def plain(self) -> Names:
        """The names that attributes give, without those of money."""
        names = enumerate(self.called)
        return [None if self.types[place] == "money" else self.standard(name, place) for place, name in names]

    def follow(self, rules: Mapping[str, ColumnRule]) -> None:
        """Ask each rule for the names of the columns that have none yet."""
        for rule in rules.values():
            self.names = [name or rule(self, place) for place, name in enumerate(self.names)]


def name_columns(naming: Naming) -> list[str]:
    """Name columns; a group of captions is named by the first of them."""
    naming.follow(_STATED_BY_PAGE)
    naming.stated = {place for place, name in enumerate(naming.names) if name is not None}
    naming.title = _find_title_column(naming)
    naming.follow(_RULES)
    for settle in _SETTLED_TOGETHER.values():
        settle(naming)
    found = [name or TYPE_NAMES.get(kind, TEXT) for name, kind in zip(naming.names, naming.types, strict=True)]
    return _number(found, [len(column) for column in naming.columns], naming.dropped)


def _number(names: list[str], sizes: list[int], dropped: Collection[int]) -> list[str]:
    """Make names unique; among columns of one type, the one that most records have gets the plain name."""
    order = sorted(range(len(names)), key=lambda place: (names[place] != TEXT) * -sizes[place])
    kept = [place for place in order if place not in dropped]
    numbered = dict(zip(kept, distinct([names[place] for place in kept], ignore_case=True), strict=True))
    return [numbered.get(place, name) for place, name in enumerate(names)]


def _by_image(naming: Naming, place: int) -> str | None:
    return "image" if naming.types[place] == "image" else None


def _by_header(naming: Naming, place: int) -> str | None:
    """Name a column by the heading of its cell, unless the cell may hold the title beside others."""
    return None if place in naming.unheaded else naming.standard(naming.headers[place], place)


def _by_label(naming: Naming, place: int) -> str | None:
    """Name a column by the label of most of its pieces."""
    if not naming.has_labels:
        return None
    labels = [naming.labels.names[piece] for members in naming.columns[place].values() for piece in members]
    names = Counter(labels)
    name = max(names, key=names.__getitem__)
    return naming.standard(shorten_name(name), place) if name and 2 * names[name] > len(labels) else None


def _find_title_column(naming: Naming) -> int | None:
    possible = [
        place
        for place in sorted(naming.unheaded)
        if naming.names[place] is None and naming.types[place] == TEXT and place not in naming.dropped
    ]
    return find_title(naming.pieces, naming.columns, naming.links, possible, naming.called)


def _by_prominence(naming: Naming, place: int) -> str | None:
    return TITLE if place == naming.title and TITLE not in naming.names else None


def _by_first_cell(naming: Naming, place: int) -> str | None:
    """Name a column by the heading of the first cell with texts, in which it is beside others."""
    return naming.headers[place] if place in naming.unheaded else None


def _by_caption(naming: Naming, place: int) -> str | None:
    is_link = naming.links[naming.firsts[place][0]] >= 0
    return _by_text(naming, place) if is_link and place not in naming.leads.values() else None


def _by_unit(naming: Naming, place: int) -> str | None:
    """Name a column of numbers by what they count, such as `reviews`; areas have one name whatever their unit."""
    unit = naming.units[place]
    if not unit or place in naming.leads.values():
        return None
    if measured := dimension_of(unit):
        return measured if measured == "area" else None
    is_word = len(unit) >= MIN_UNIT_LETTERS and "/" not in unit and not is_measure(unit)
    return shorten_name(unit) if is_word else None


def _by_known_word(naming: Naming, place: int) -> str | None:
    return _unless_taken(naming, naming.known, place)


def _by_any_word(naming: Naming, place: int) -> str | None:
    return _unless_taken(naming, naming.plain, place)


def _unless_taken(naming: Naming, words: Names, place: int) -> str | None:
    """Return the word of a column unless it would name several, or names one; types may name several."""
    word = words[place]
    is_one = word in TYPE_NAMES.values() or words.count(word) + naming.names.count(word) == 1
    return word if word is not None and is_one else None


def _by_lead(naming: Naming, place: int) -> str | None:
    """Name a column by the fixed words beside it on its line, as `by` before an author, `members` after a price."""
    prices = [each for each, kind in enumerate(naming.types) if kind == "money" and not naming.struck[each]]
    if prices == [place]:
        return None  # the only price is the price
    for lead in [lead for lead, led in naming.leads.items() if led == place]:
        name = shorten_name(naming.texts(lead)[0])
        if leads_to_author(name):
            return "author"
        if name.isascii() and len(name) < MIN_LEAD_LETTERS:
            continue
        if name and 2 * len(naming.columns[lead]) > len(naming.columns[place]) and any(map(str.isalpha, name)):
            return naming.standard(name, place)
    return None


def _by_text(naming: Naming, place: int) -> str | None:
    """Name a column by its only text, if that is short: a badge, the caption of a link."""
    group = naming.groups[place]
    if not all(is_fixed(naming.pieces, column) for column in group):
        return None
    texts = [naming.pieces.texts[first_piece(column)].strip(" :\uff1a.[]()") for column in group]
    name = ", ".join(texts)
    return shorten_name(name) if name.count(" ") < MAX_WORDS_OF_NAME and any(map(str.isalpha, name)) else None


def _by_looks_of_values(naming: Naming, place: int) -> str | None:
    """Name a column of places such as `Springfield, IL, US` or `35000 Rennes`, of years, durations or addresses."""
    texts = naming.texts(place)
    if are_places(texts, naming.pieces.document.language):
        return LOCATION
    for name, looks in (("year", _YEAR), ("duration", _DURATION), ("url", _ADDRESS)):
        if fit_most(texts, looks.fullmatch):
            return name
    return None


def _by_share(naming: Naming, place: int) -> str | None:
    return "discount" if naming.units[place] == "%" and "money" in naming.types else None


def _by_list(naming: Naming, place: int) -> str | None:
    """Call lists of short words that differ, and share some, `tags`; rows of buttons are all alike."""
    members = naming.columns[place].values()
    if naming.types[place] != TEXT or max(map(len, members)) < 2:
        return None
    lists = [[naming.pieces.texts[piece] for piece in each] for each in members]
    texts = [text for each in lists for text in each]
    are_tags = (
        2 * len(set(map(tuple, lists))) > len(lists)
        and len(texts) > len(set(texts)) >= MIN_TAGS
        and max(map(len, texts)) <= MAX_TAG_LENGTH
        and not any(are_lines(naming.pieces, each) for each in members if len(each) > 1)
    )
    return TAGS if are_tags else None


def _by_rarity(naming: Naming, place: int) -> str | None:
    """Call a word or two that a few records have and the others lack, such as `New` and `Best seller`, `badge`."""
    pieces, column = naming.pieces, naming.columns[place]
    if naming.types[place] != TEXT or len(column) > MAX_SHARE_WITH_BADGE * len(pieces.spans):
        return None
    are_badges = max(map(len, column.values())) == 1 and all(
        text.count(" ") < MAX_WORDS_OF_BADGE
        and any(map(str.isalpha, text))
        and len(text) <= MAX_TAG_LENGTH
        and not pieces.has_digits[piece]
        for piece, text in zip(naming.firsts[place], naming.texts(place), strict=True)
    )
    return BADGE if are_badges else None


def _settle_prices(naming: Naming) -> None:
    """Call the price of most records `price`, and a price that is struck through or said to be old `old_price`."""
    names, stated = naming.names, naming.stated
    money = [place for place, kind in enumerate(naming.types) if kind == "money"]
    for place in money:
        is_dearer = place in naming.dearer and place not in stated
        if naming.struck[place] or is_dearer or (is_old(names[place] or "") and len(money) > 1):
            names[place] = OLD_PRICE
    current = [place for place in money if names[place] is None or (place not in stated and names[place] in _ANY_PRICE)]
    holding = [place for place in money if names[place] != OLD_PRICE]
    if len(holding) == 1 and holding[0] not in stated and names[holding[0]] not in MONEY_WORDS:
        current = holding
    if current and PRICE not in names:
        named = [place for place in current if names[place] is not None]
        names[max(current, key=lambda place: (len(naming.columns[place]), place in named))] = PRICE


def _settle_date(naming: Naming) -> None:
    """Call the only date `date`, unless the page itself says what it is the date of; also one without a year."""
    dates = [place for place, kind in enumerate(naming.types) if kind == "date"]
    if not dates and "date" not in naming.names:
        texts = [place for place, kind in enumerate(naming.types) if kind == TEXT and place not in naming.dropped]
        dates = [place for place in texts if naming.names[place] != TITLE and _are_dates(naming, place)]
    if len(dates) == 1 and dates[0] not in naming.stated:
        naming.names[dates[0]] = "date"


def _settle_location(naming: Naming) -> None:
    """Call the only place `location`, unless the page itself says what kind of place it is."""
    names = naming.names
    places = [place for place, name in enumerate(names) if name in PLACES and naming.types[place] == TEXT]
    if len(places) == 1 and places[0] not in naming.stated and LOCATION not in names:
        names[places[0]] = LOCATION


def _settle_reviews(naming: Naming) -> None:
    """Call numbers in brackets behind a number of at most ten `reviews`, and that number `rating`."""
    names, types = naming.names, naming.types
    for place in range(1, len(names)):
        before = place - 1 if types[place - 1] == "number" or place == 1 else place - 2  # stars may be between
        if types[place] != "number" or types[before] != "number" or REVIEWS in names:
            continue
        is_counted = names[place] in _UNSURE and all(map(IN_BRACKETS.fullmatch, naming.texts(place)))
        if is_counted and names[before] in (None, RATING) and all(map(_SCORE.fullmatch, naming.texts(before))):
            names[before], names[place] = RATING, REVIEWS


def _settle_description(naming: Naming) -> None:
    """Call the longest of the texts that nothing names `description`, if most records have it and it is prose."""
    if DESCRIPTION in naming.names:
        return
    words = {
        place: median(text.count(" ") + 1 for text in naming.texts(place))
        for place, name in enumerate(naming.names)
        if name is None and naming.types[place] == TEXT and place not in naming.dropped
        if 2 * len(naming.columns[place]) > len(naming.pieces.spans)
    }
    longest = max(words, key=words.__getitem__, default=None)
    if longest is not None and words[longest] >= MIN_WORDS_OF_PROSE:
        naming.names[longest] = DESCRIPTION


def _is_misnamed(naming: Naming, place: int, name: str | None) -> bool:
    """Tell whether texts are named price, date, phone or snippet but are none, because they only are beside one.

    Class names such as `hide-phone` are about devices.
    """
    if naming.types[place] != TEXT:
        return False
    if name in _PROSE_NAMES:  # in class names of parts of a page: `attribute-snippet`
        return median(text.count(" ") + 1 for text in naming.texts(place)) < MIN_WORDS_OF_SNIPPET
    if name == "phone":
        return not fit_most(naming.texts(place), _PHONE.fullmatch)
    return (name == PRICE and "money" in naming.types) or (name == "date" and not _are_dates(naming, place))


def _are_dates(naming: Naming, place: int) -> bool:
    """Tell whether texts are dates, although some lack what types them: `3 May`, `yesterday at 9:15`."""
    texts, pieces = naming.texts(place), naming.pieces
    if len(texts) < MIN_DATED * len(pieces.spans) or any(len(text) > MAX_LENGTH_OF_MOMENT for text in texts):
        return False
    return fit_most(texts, day_reader(pieces.document.language))


def _by_icon(naming: Naming, place: int) -> str | None:
    """Name a column by the small drawing before its values: a number after a calendar is a year, after a star stars."""
    name = name_by_icon(naming.pieces, naming.columns[place])
    if naming.types[place] != "number":
        return name
    if name == RATING and not fit_most(naming.texts(place), _SCORE.match):
        return STARS
    return "year" if name == "date" else name


def _by_address(naming: Naming, place: int) -> str | None:
    """Name a linked column by a folder that all its addresses share, such as `/author/`."""
    links, sample = naming.links, naming.firsts[place][: 2 * SAMPLE_SIZE]
    if all(links[piece] < 0 for piece in sample) or _leads_where_title_does(naming, place):
        return None
    found = set()
    for piece in sample:
        address = naming.pieces.document.attributes[links[piece]]["href"] if links[piece] >= 0 else ""
        folder = address.split("?")[0].rstrip("/").rpartition("/")[0]
        found.add(content_word(folder.partition("://")[2].partition("/")[2] if "://" in folder else folder))
    return found.pop() if len(found) == 1 else None


def _by_scheme(naming: Naming, place: int) -> str | None:
    """Name the texts of links to write to or to call."""
    attributes, links = naming.pieces.document.attributes, naming.links
    addresses = [attributes[links[piece]]["href"] for piece in naming.firsts[place] if links[piece] >= 0]
    schemes = {_SCHEMES.get(address.partition(":")[0].lower()) for address in addresses}
    return schemes.pop() if len(schemes) == 1 else None


def _leads_where_title_does(naming: Naming, place: int) -> bool:
    """Tell whether a column has a link of the title: then the address says what the record is, not the column."""
    if naming.title is None:
        return False
    titles, attributes, links = naming.columns[naming.title], naming.pieces.document.attributes, naming.links
    pairs = (
        (links[members[0]], links[titles[record][0]])
        for record, members in naming.columns[place].items()
        if record in titles
    )
    return any(min(pair) >= 0 and attributes[pair[0]]["href"] == attributes[pair[1]]["href"] for pair in pairs)


ColumnRule = Callable[[Naming, int], str | None]
_STATED_BY_PAGE: dict[str, ColumnRule] = {
    "an image is an image": _by_image,
    "the heading of its cell": _by_header,
    "its label": _by_label,
}
_RULES: dict[str, ColumnRule] = {
    "the title": _by_prominence,
    "the heading of the cell that it shares with the title": _by_first_cell,
    "the caption of its links": _by_caption,
    "what its numbers count": _by_unit,
    "a word about content in attributes": _by_known_word,
    "the icon before it": _by_icon,
    "a percentage beside prices": _by_share,
    "a folder of its addresses": _by_address,
    "another word in attributes": _by_any_word,
    "mail and telephone": _by_scheme,
    "words that lead to it": _by_lead,
    "its only text": _by_text,
    "places, years and addresses": _by_looks_of_values,
    "lists of short words": _by_list,
    "words that few records have": _by_rarity,
}
"""Rules in order: each is asked for the names of the columns that none before it has named."""
_SETTLED_TOGETHER: dict[str, Callable[[Naming], None]] = {
    "price and old price": _settle_prices,
    "the only date": _settle_date,
    "the only place": _settle_location,
    "rating and reviews": _settle_reviews,
    "the longest prose": _settle_description,
}
"""Names that depend on all columns: these replace others, but not those that the page itself states."""
