"""Name the columns of records as a person would: by words of the page, else by their type.

Sources in order: a header row above the records, labels such as `Brand:`, prominence (the title), attributes, icons,
addresses of links, a word that leads to the value, such as `by`, and a fixed text.  Prices, dates and places have the
same names in every language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from statistics import median

from webquarry.mining.column_labels import Labels, find_headers
from webquarry.mining.column_splits import Column, are_lines, find_cells, first_piece, is_fixed
from webquarry.mining.piece_texts import MAX_LENGTH_OF_MOMENT, day_reader
from webquarry.mining.record_pieces import Pieces, innermost_around
from webquarry.mining.title_column import SAMPLE_SIZE, find_title
from webquarry.model.document import Document
from webquarry.model.names import distinct
from webquarry.page.column_words import (
    CONTENT_WORDS,
    MONEY_WORDS,
    PLACES,
    content_word,
    icon_name,
    is_old,
    property_name,
    standard_name,
    telling_words,
)
from webquarry.values.units import dimension_of, is_measure

TITLE, LINK, TEXT = "title", "link", "text"
PRICE, OLD_PRICE = "price", "old_price"
_TYPE_NAMES = {"money": PRICE, "date": "date", "number": "number", "image": "image"}
DESCRIPTION, TAGS, LOCATION = "description", "tags", "location"
RATING, REVIEWS, BADGE = "rating", "reviews", "badge"
MAX_TAG_LENGTH, MIN_TAGS = 30, 3  # characters of the longest, and different ones
MAX_SHARE_WITH_BADGE, MAX_WORDS_OF_BADGE = 0.5, 2  # of the records; more is a fact of the things
MIN_WORDS_OF_PROSE = 5  # of a text that says something about the thing; brands, places and addresses are shorter
MAX_NAME_LENGTH = 40  # characters
MAX_WORDS_OF_NAME = 4  # of a fixed text that names its column; longer ones are sentences
MIN_UNIT_LETTERS = 3  # of a word that names what it counts: less is a sign or an abbreviation
MAX_LEAD_WORDS = 3  # of a text that leads to the next, as `by` does to an author
MAX_LEVELS = 20  # elements around a piece whose attributes are read
MIN_PLACES = 0.8  # share of the texts that look like places
_STATED = ("data-label", "data-title", "data-th", "data-field", "data-column", "data-name")
_CALLED = ("class", "data-testid", "data-test", "data-qa", "data-cy", "data-hook", "data-auto")
_ANY_PRICE = frozenset(
    "amount price prices sale current final special now value money cost pricing offer total".split()
)
_PLACE = (
    r"(?:[^\d,;]{2,40}(?:, [^\d,;]{2,40})*, [A-Z]{2,3}"
    r"|(?:.{1,60}, )?(?:[A-Z]{1,2}-)?\d{2}-?\d{3} [^\W\d_].{1,40}|[^\W\d_]\D{1,40} \(?\d{5}\)?"
    r"|(?!19|20)\d{4}(?: [A-Z]{2})? (?![a-z])[^\W\d_][^\W\d_A-Z]\D{0,40}|Remote(?: [-\u2013] |, )[^\d;]{2,40})"
)
_PLACES = re.compile(rf"(?:Remote; )?{_PLACE}(?:; {_PLACE})*")
_PLACE_AND_TOWN = re.compile(r"([^,|]{2,60}), ((?![a-z])[^\W\d_][^,\d|]{1,30})")
_ADDRESS = re.compile(
    r"(?:https?://|www\.)\S+(?: ?[\u203a/] ?.*)?|(?:[a-z\d-]+\.)+[a-z]{2,}(?: ?[\u203a/] ?.*)?|/[\w%-]+(?:/[\w.%-]*)*",
    re.IGNORECASE,
)
"""Addresses of pages as they are written: whole, without their scheme, as a path, or with `\u203a` between folders."""
IN_BRACKETS = re.compile(r"\([\d.,\s]+[kKmM]?\)")
_UNSURE = (None, "count", RATING)  # what numbers in brackets may be called although they count reviews
_SCORE = re.compile(r"\D{0,3}(?:10|\d)(?:[.,]\d{1,2})?")
_YEAR = re.compile(r"\(?(?:19|20)\d\d\)?")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")

Names = list[str | None]


def name_columns(
    pieces: Pieces,
    labels: Labels,
    links: Sequence[int],
    groups: Sequence[list[Column]],
    *,
    types: Sequence[str],
    units: Sequence[str],
    struck: Sequence[bool],
    leads: Mapping[int, int],
    dropped: Collection[int],
) -> list[str]:
    """Name columns; a group of captions is named by the first of them.

    `units` has what the numbers of each column count or measure, `struck` tells which are struck through, `leads` is
    as `find_leads` gives it.  A column that is `dropped` gets a name only for the column of its links.
    """
    columns = [group[0] for group in groups]
    stated, spare = _by_header(pieces, columns, types)
    stated = ["image" if kind == "image" else name for name, kind in zip(stated, types, strict=True)]
    if any(labels.names):
        stated = _fill(stated, lambda place: _by_label(labels, columns[place]))
    called = name_by_attributes(pieces, columns)
    called = [
        None if _is_misnamed(pieces, columns[place], name, types, place) else name for place, name in enumerate(called)
    ]
    names = _standardise(stated, types)
    texts = [
        place
        for place, name in enumerate(names)
        if name is None and types[place] == TEXT and place in spare and place not in dropped
    ]
    title = find_title(pieces, columns, links, texts, called)
    if title is not None and TITLE not in names:
        names[title] = TITLE
    names = _fill(names, spare.get)
    names = _fill(names, lambda place: _by_caption(pieces, groups[place], links))
    led = set(leads.values())
    names = _fill(names, lambda place: None if place in led else _by_unit(units[place]))
    known = [name if name in CONTENT_WORDS else None for name in called]
    names = _fill(names, _once(_standardise(known, types), names).__getitem__)
    names = _fill(names, lambda place: _by_icon(pieces, columns[place], types[place]))
    plain = [None if types[place] == "money" else name for place, name in enumerate(called)]
    names = _fill(names, _once(_standardise(plain, types), names).__getitem__)
    names = _fill(names, lambda place: _by_address(pieces, columns, links, place, title))
    prices = [place for place, kind in enumerate(types) if kind == "money" and not struck[place]]
    leads = {lead: place for lead, place in leads.items() if prices != [place]}  # the only price is the price
    _put_leads(names, pieces, columns, leads, types)
    names = _fill(names, lambda place: _by_text(pieces, groups[place]))
    names = _fill(names, lambda place: _by_looks_of_values(pieces, columns[place]))
    is_stated = [name is not None for name in stated]
    _name_prices(names, columns, types, struck, is_stated)
    _name_date(names, types, is_stated, lambda place: place not in dropped and _are_dates(pieces, columns[place]))
    names = _fill(names, lambda place: "discount" if units[place] == "%" and "money" in types else None)
    names = _fill(names, lambda place: TAGS if types[place] == TEXT and _are_tags(pieces, columns[place]) else None)
    names = _fill(names, lambda place: BADGE if types[place] == TEXT and _are_badges(pieces, columns[place]) else None)
    _name_location(names, types, is_stated)
    _name_reviews(names, pieces, columns, types)
    _name_description(names, pieces, columns, types, dropped)
    found = [name or _TYPE_NAMES.get(kind, TEXT) for name, kind in zip(names, types, strict=True)]
    return _number(found, [len(column) for column in columns], dropped)


def _number(names: list[str], sizes: list[int], dropped: Collection[int]) -> list[str]:
    """Make names unique; among columns of one type, the one that most records have gets the plain name."""
    order = sorted(range(len(names)), key=lambda place: (names[place] != TEXT) * -sizes[place])
    kept = [place for place in order if place not in dropped]
    numbered = dict(zip(kept, distinct([names[place] for place in kept], ignore_case=True), strict=True))
    return [numbered.get(place, name) for place, name in enumerate(names)]


def _fill(names: Names, find_name: Callable[[int], str | None]) -> Names:
    """Fill in missing names; the function finds the name of the column at a place."""
    return [name or find_name(place) for place, name in enumerate(names)]


def _once(names: Names, taken: Sequence[str | None]) -> Names:
    """Leave out words that would name several columns, or one that has a name."""
    often = Counter(names)
    often.update(name for name in taken if name)
    return [name if often[name] == 1 or (name is not None and name in _TYPE_NAMES.values()) else None for name in names]


def _standardise(names: Names, types: Sequence[str]) -> Names:
    return [name and (standard_name(name, kind) or name) for name, kind in zip(names, types, strict=True)]


def _name_prices(
    names: Names, columns: Sequence[Column], types: Sequence[str], struck: Sequence[bool], stated: Sequence[bool]
) -> None:
    """Call the price of most records `price`, and a price that is struck through or said to be old `old_price`."""
    money = [place for place, kind in enumerate(types) if kind == "money"]
    for place in money:
        if struck[place] or (is_old(names[place] or "") and len(money) > 1):
            names[place] = OLD_PRICE
    current = [place for place in money if names[place] is None or (not stated[place] and names[place] in _ANY_PRICE)]
    holding = [place for place in money if names[place] != OLD_PRICE]
    if len(holding) == 1 and not stated[holding[0]] and names[holding[0]] not in MONEY_WORDS:
        current = holding
    if current and PRICE not in names:
        named = [place for place in current if names[place] is not None]
        names[max(current, key=lambda place: (len(columns[place]), place in named))] = PRICE


def _name_date(names: Names, types: Sequence[str], stated: Sequence[bool], are_dates: Callable[[int], bool]) -> None:
    """Call the only date `date`, unless the page itself says what it is the date of; also one without a year."""
    dates = [place for place, kind in enumerate(types) if kind == "date"]
    if not dates and "date" not in names:
        dates = [
            place for place, kind in enumerate(types) if kind == TEXT and names[place] != TITLE and are_dates(place)
        ]
    if len(dates) == 1 and not stated[dates[0]]:
        names[dates[0]] = "date"


def _name_location(names: Names, types: Sequence[str], stated: Sequence[bool]) -> None:
    """Call the only place `location`, unless the page itself says what kind of place it is."""
    places = [place for place, name in enumerate(names) if name in PLACES and types[place] == TEXT]
    if len(places) == 1 and not stated[places[0]] and LOCATION not in names:
        names[places[0]] = LOCATION


def _name_reviews(names: Names, pieces: Pieces, columns: Sequence[Column], types: Sequence[str]) -> None:
    """Call numbers in brackets behind a number of at most ten `reviews`, and that number `rating`."""
    for place in range(1, len(names)):
        before = place - 1 if types[place - 1] == "number" or place == 1 else place - 2  # stars may be between
        if types[place] != "number" or types[before] != "number" or REVIEWS in names:
            continue
        is_counted = names[place] in _UNSURE and _match_all(pieces, columns[place], IN_BRACKETS)
        if is_counted and names[before] in (None, RATING) and _match_all(pieces, columns[before], _SCORE):
            names[before], names[place] = RATING, REVIEWS


def _match_all(pieces: Pieces, column: Column, looks: re.Pattern[str]) -> bool:
    return all(looks.fullmatch(pieces.texts[members[0]]) for members in column.values())


def _are_tags(pieces: Pieces, column: Column) -> bool:
    """Tell whether a column has lists of short words that differ, and share some; rows of buttons are all alike."""
    lists = [[pieces.texts[piece] for piece in members] for members in column.values()]
    texts = [text for each in lists for text in each]
    return (
        2 * len(set(map(tuple, lists))) > len(lists)
        and len(texts) > len(set(texts)) >= MIN_TAGS
        and max(map(len, lists)) > 1
        and max(map(len, texts)) <= MAX_TAG_LENGTH
        and not any(are_lines(pieces, members) for members in column.values() if len(members) > 1)
    )


def _are_badges(pieces: Pieces, column: Column) -> bool:
    """Tell whether a few records have a word or two that the others lack, such as `New` and `Best seller`."""
    if len(column) > MAX_SHARE_WITH_BADGE * len(pieces.spans) or max(map(len, column.values())) > 1:
        return False
    texts = [pieces.texts[members[0]] for members in column.values()]
    return all(
        text.count(" ") < MAX_WORDS_OF_BADGE and any(map(str.isalpha, text)) and len(text) <= MAX_TAG_LENGTH
        for text in texts
    ) and not any(pieces.has_digits[members[0]] for members in column.values())


def _name_description(
    names: Names, pieces: Pieces, columns: Sequence[Column], types: Sequence[str], dropped: Collection[int]
) -> None:
    """Call the longest of the texts that nothing names `description`, if most records have it and it is prose."""
    if DESCRIPTION in names:
        return
    words = {
        place: median(pieces.texts[members[0]].count(" ") + 1 for members in columns[place].values())
        for place, name in enumerate(names)
        if name is None and types[place] == TEXT and place not in dropped
        if 2 * len(columns[place]) > len(pieces.spans)
    }
    longest = max(words, key=words.__getitem__, default=None)
    if longest is not None and words[longest] >= MIN_WORDS_OF_PROSE:
        names[longest] = DESCRIPTION


def _by_header(pieces: Pieces, columns: Sequence[Column], types: Sequence[str]) -> tuple[Names, dict[int, str | None]]:
    """Name columns by the headings of their cells; of several in a cell, the first.

    The first cell with texts may hold the title beside others: names of its columns come second, to be used if nothing
    else names them.  So do columns without a heading; no other may be the title.
    """
    headers, cells = find_headers(pieces), find_cells(pieces)
    known = [(headers[piece], cells[piece]) for piece in map(first_piece, columns)]
    lead = next((here for here, kind in zip(known, types, strict=True) if kind == TEXT), None)
    names = [_shorten(here[0]) if here not in known[:place] else None for place, here in enumerate(known)]
    is_open = [here[0] is None or (here == lead and known.count(here) > 1) for here in known]
    spare = {place: name for place, name in enumerate(names) if is_open[place]}
    return [None if place in spare else name for place, name in enumerate(names)], spare


def _by_label(labels: Labels, column: Column) -> str | None:
    """Name a column by the label of most of its pieces."""
    names = Counter([labels.names[piece] for members in column.values() for piece in members])
    name = max(names, key=names.__getitem__)
    return _shorten(name) if name and 2 * names[name] > names.total() else None


def _put_leads(
    names: Names, pieces: Pieces, columns: Sequence[Column], leads: Mapping[int, int], types: Sequence[str]
) -> None:
    """Name columns by the fixed words beside them on their line, as `by` before an author, `members` after a price."""
    for lead, place in leads.items():
        if names[place] is None and 2 * len(columns[lead]) > len(columns[place]):
            name = _shorten(pieces.texts[first_piece(columns[lead])])
            if name and any(map(str.isalpha, name)):
                names[place] = standard_name(name, types[place]) or name


def find_leads(pieces: Pieces, columns: Sequence[Column], links: Sequence[int]) -> dict[int, int]:
    """Find columns of fixed words that are always before values of one column on their line, and that column for each.

    Before or after an amount of money such words may be missing from some records.  Where several values have fixed
    words below them, in pairs, these name them too.
    """
    leads = [place for place, column in enumerate(columns) if _is_lead(pieces, column, links)]
    if not leads:
        return {}
    column_of = {
        piece: place for place, column in enumerate(columns) for members in column.values() for piece in members
    }
    found, below = {}, {}
    for place in leads:
        for step in (1, -1):
            beside = _column_beside(pieces, columns[place], column_of, step)
            if beside is not None and _is_led(pieces, columns[beside], columns[place], step):
                found[place] = beside
                break
        else:
            above = {column_of.get(members[0] - 1) for members in columns[place].values()}
            if len(above) == 1 and _are_captions(pieces, columns, above.pop(), columns[place]):
                below[place] = column_of[first_piece(columns[place]) - 1]
    return found | below if len(below) > 1 else found


def _is_lead(pieces: Pieces, column: Column, links: Sequence[int]) -> bool:
    first = first_piece(column)
    text = pieces.texts[first]
    if not text or pieces.has_digits[first] or _fills_link(pieces, first, links):  # `4 of 5` before a price is a fact
        return False
    return text.count(" ") < MAX_LEAD_WORDS and is_fixed(pieces, column)


def _fills_link(pieces: Pieces, piece: int, links: Sequence[int]) -> bool:
    """Tell whether a piece is in a link that does not hold the next piece too."""
    if links[piece] < 0:
        return False
    return piece + 1 == len(pieces) or pieces.nodes[piece + 1] >= pieces.document.ends[links[piece]]


def _column_beside(pieces: Pieces, column: Column, column_of: dict[int, int], step: int) -> int | None:
    """Find the one column whose pieces are beside those of a column on their line, or in pairs with them.

    Some values may be missing beside their label, but not most.
    """
    found: Counter[int | None] = Counter()
    for members in column.values():
        piece = members[-1] if step > 0 else members[0]
        other = piece + step
        if not 0 <= other < len(pieces) or pieces.records[other] != pieces.records[piece]:
            continue
        if pieces.lines[other] == pieces.lines[piece] or (step > 0 and _are_pair(pieces, piece, other)):
            found[column_of.get(other)] += 1
    return next(iter(found)) if len(found) == 1 and 2 * found.total() > len(column) else None


def _are_pair(pieces: Pieces, piece: int, other: int) -> bool:
    """Tell whether an element holds two pieces and nothing else: a label, and its value below it, or the reverse."""
    if pieces.is_image[piece] or pieces.is_image[other]:
        return False
    around = innermost_around(pieces.document, pieces.owners[piece], pieces.owners[other])
    is_first = piece == 0 or pieces.nodes[piece - 1] < around
    is_last = other + 1 == len(pieces) or pieces.nodes[other + 1] >= pieces.document.ends[around]
    return is_first and is_last and around > pieces.spans[pieces.records[piece]][0]


def _is_led(pieces: Pieces, column: Column, lead: Column, step: int) -> bool:
    """Tell whether words beside a column only introduce it."""
    if pieces.is_money(first_piece(column)):
        return step > 0 or 2 * len(lead) > len(column)
    return step > 0 and not is_fixed(pieces, column) and lead.keys() >= column.keys()


def _are_captions(pieces: Pieces, columns: Sequence[Column], place: int | None, lead: Column) -> bool:
    """Tell whether fixed words are below the values of a column in pairs with them, and nowhere else."""
    if place is None or lead.keys() != columns[place].keys() or is_fixed(pieces, columns[place]):
        return False
    return all(_are_pair(pieces, members[0] - 1, members[0]) for members in lead.values())


def _by_caption(pieces: Pieces, group: Sequence[Column], links: Sequence[int]) -> str | None:
    return _by_text(pieces, group) if links[first_piece(group[0])] >= 0 else None


def _by_text(pieces: Pieces, group: Sequence[Column]) -> str | None:
    """Name a column by its only text, if that is short: a badge, the caption of a link."""
    if not all(is_fixed(pieces, column) for column in group):
        return None
    texts = [pieces.texts[first_piece(column)].strip(" :\uff1a.[]()") for column in group]
    name = ", ".join(texts)
    return _shorten(name) if name.count(" ") < MAX_WORDS_OF_NAME and any(map(str.isalpha, name)) else None


def _shorten(name: str | None) -> str | None:
    """Leave out invisible characters, and what exceeds the length of a name."""
    if name is None:
        return None
    name = _INVISIBLE.sub("", name)
    return name if len(name) <= MAX_NAME_LENGTH else name[: MAX_NAME_LENGTH - 1].rstrip() + "…"


def _is_misnamed(pieces: Pieces, column: Column, name: str | None, types: Sequence[str], place: int) -> bool:
    """Tell whether texts are named price or date but are neither, because they only are beside one."""
    if types[place] != TEXT:
        return False
    return (name == PRICE and "money" in types) or (name == "date" and not _are_dates(pieces, column))


def _are_dates(pieces: Pieces, column: Column) -> bool:
    """Tell whether texts are dates, although some lack what types them: `3 May`, `yesterday at 9:15`."""
    texts = [pieces.texts[members[0]] for members in column.values()]
    if len(column) < MIN_PLACES * len(pieces.spans) or any(len(text) > MAX_LENGTH_OF_MOMENT for text in texts):
        return False
    return _fit_most(texts, day_reader(pieces.document.language))


def _fit_most(texts: Sequence[str], fits: Callable[[str], object]) -> bool:
    """Tell whether most texts fit, stopping as soon as too many do not."""
    fitting = len(texts)
    for text in texts:
        if not fits(text):
            fitting -= 1
            if fitting < MIN_PLACES * len(texts):
                return False
    return True


def _by_unit(unit: str) -> str | None:
    """Name a column of numbers by what they count, such as `reviews`; areas have one name whatever their unit."""
    measured = dimension_of(unit)
    if measured:
        return measured if measured == "area" else None
    is_word = len(unit) >= MIN_UNIT_LETTERS and "/" not in unit and not is_measure(unit)
    return _shorten(unit) if is_word else None


def _by_looks_of_values(pieces: Pieces, column: Column) -> str | None:
    """Name a column of places such as `Springfield, IL, US` or `35000 Rennes`, of years or of addresses."""
    texts = [pieces.texts[members[0]] for members in column.values()]
    for name, looks in ((LOCATION, _PLACES), ("year", _YEAR), ("url", _ADDRESS)):
        if _fit_most(texts, looks.fullmatch):
            return name
    return LOCATION if _share_towns(texts) else None


def _share_towns(texts: Sequence[str]) -> bool:
    """Tell whether texts are different places of a few towns: `Old Quay, Varel`, `Mill Lane, Varel`."""
    parts = [match for match in map(_PLACE_AND_TOWN.fullmatch, texts) if match]
    towns = Counter(match[2] for match in parts)
    return (
        len(parts) >= MIN_PLACES * len(texts)
        and len({match[1] for match in parts}) >= MIN_PLACES * len(parts)
        and towns.total() > len(towns) + 1
        and len(towns) > 1
    )


def name_by_attributes(pieces: Pieces, columns: Sequence[Column]) -> Names:
    """Name columns by attributes around their pieces, and around no others; all sampled records must agree."""
    return [_name(pieces, column) for column in columns]


def _name(pieces: Pieces, column: Column) -> str | None:
    if len(column) < min(2, len(pieces.spans)):  # one record alone is not enough evidence
        return None
    sample = _sample(column)
    shared = _words_around(pieces, sample[0])
    for piece in sample[1:] if shared else ():
        others = _words_around(pieces, piece)
        shared = [word for word in shared if word in others]
    return shared[0] if shared else None


def _sample(column: Column) -> list[int]:
    members = [several[0] for several in column.values()]
    return members[:: max(1, len(members) // SAMPLE_SIZE)][:SAMPLE_SIZE]


def _words_around(pieces: Pieces, piece: int) -> list[str]:
    """List names from the innermost element outwards to the last that holds no other piece."""
    document, node = pieces.document, pieces.owners[piece]
    low, high = _exclusive_range(pieces, piece)
    text = pieces.texts[piece]
    words: list[str] = []
    for _ in range(MAX_LEVELS):
        if node <= low or document.ends.item(node) > high:
            break
        attributes = document.attributes[node]
        if document.tag(node) == "address":
            words.append("location")
        if attributes:
            words.append(property_name(attributes.get("itemprop", "")[:MAX_NAME_LENGTH]))
            words += [attributes[name][:MAX_NAME_LENGTH].strip() for name in _STATED if name in attributes]
            label = attributes.get("aria-label", "").strip()
            if label and len(label) <= MAX_NAME_LENGTH and label not in text and text not in label:
                words.append(label)
            for name in _CALLED:
                if name in attributes:
                    words += telling_words(attributes[name][:200])
        node = document.parents.item(node)
    return [word for word in words if word and any(map(str.isalpha, word))]


def _exclusive_range(pieces: Pieces, piece: int) -> tuple[int, int]:
    """Return the range of ancestors that contain only this piece (and texts of the same element)."""
    low, high = pieces.spans[pieces.records[piece]][0], len(pieces.document)
    owner, before, after = pieces.owners[piece], piece - 1, piece + 1
    if before >= 0 and pieces.owners[before] != owner:
        low = max(low, pieces.nodes[before])
    if after < len(pieces) and pieces.owners[after] != owner:
        high = pieces.nodes[after]
    return low, high


def _by_icon(pieces: Pieces, column: Column, kind: str) -> str | None:
    """Name a column by the small drawing before its values; a number after a calendar is a year."""
    found = {_icon_before(pieces, piece) for piece in _sample(column)}
    name = found.pop() if len(found) == 1 else None
    return "year" if name == "date" and kind == "number" else name


def _icon_before(pieces: Pieces, piece: int) -> str | None:
    document, low = pieces.document, _exclusive_range(pieces, piece)[0]
    for node in range(pieces.nodes[piece] - 1, max(low, pieces.nodes[piece] - MAX_LEVELS), -1):
        attributes = document.attributes[node]
        if not attributes or document.ends.item(node) > pieces.nodes[piece]:  # what holds the text draws nothing
            continue
        if document.tag(node) in ("i", "svg", "use", "span", "img") and not _says_something(document, node):
            said = " ".join(attributes.get(name, "") for name in ("class", "href", "xlink:href", "data-icon", "alt"))
            if name := icon_name(said[:200]):
                return name
    return None


def _says_something(document: Document, node: int) -> bool:
    """Tell whether an element has a text, hidden or not, so that it is no mere drawing."""
    return any(len(text.strip()) > 1 for text in document.texts[node : document.ends.item(node)])


def _share_links(
    pieces: Pieces, columns: Sequence[Column], links: Sequence[int], place: int, title: int | None
) -> bool:
    """Tell whether a column leads where the title does: then the address says what the record is, not the column."""
    if title is None:
        return False
    attributes = pieces.document.attributes
    pairs = (
        (links[members[0]], links[columns[title][record][0]])
        for record, members in columns[place].items()
        if record in columns[title]
    )
    return any(min(pair) >= 0 and attributes[pair[0]]["href"] == attributes[pair[1]]["href"] for pair in pairs)


def _by_address(
    pieces: Pieces, columns: Sequence[Column], links: Sequence[int], place: int, title: int | None
) -> str | None:
    """Name a linked column by a folder that all its addresses share, such as `/author/`."""
    sample = [members[0] for members in islice(columns[place].values(), 2 * SAMPLE_SIZE)]
    if all(links[piece] < 0 for piece in sample) or _share_links(pieces, columns, links, place, title):
        return None
    found = set()
    for piece in sample:
        address = pieces.document.attributes[links[piece]]["href"] if links[piece] >= 0 else ""
        folder = address.split("?")[0].rstrip("/").rpartition("/")[0]
        found.add(content_word(folder.partition("://")[2].partition("/")[2] if "://" in folder else folder))
    return found.pop() if len(found) == 1 else None
