"""Name the columns of records by words of the page, else by their type.

Sources in order: a header row above the records, labels such as `Brand:`, a fixed text, attributes, prominence (the
title), and a word that leads to the value, such as `by`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import HEADING_TAGS
from webquarry.html.visibility import CELLS
from webquarry.mining.column_splits import Column, find_cells, first_piece, is_fixed, places_in_rows
from webquarry.mining.record_pieces import Pieces
from webquarry.model.document import Document
from webquarry.model.names import distinct
from webquarry.page.data_tables import is_header_row
from webquarry.page.looks import to_number

TITLE, LINK, TEXT = "title", "link", "text"
_TYPE_NAMES = {"money": "price", "date": "date", "number": "number", "image": "image"}
MAX_NAME_LENGTH = 40  # characters
MAX_LEAD_WORDS = 3  # of a text that leads to the next, as `by` does to an author
SAMPLE_SIZE = 3  # records that are asked for attributes and letters

# Titles
MIN_TITLED = 0.5  # share of the records that must have a title
MIN_TITLE_LENGTH = 3  # characters on average: less is a rank, or a letter of the alphabet
MIN_DISTINCT_TITLES = 0.5  # share of the titles that must be different

# Labels
MIN_LABELLED = 0.8  # share of the records with texts of one key in which a label recurs: `Alien: Covenant` is a title
MIN_LISTED = 0.5  # share of the texts of one key that have some recurring label, where records have several such texts
_LABEL = re.compile(r"([^\W\d_][^:\uff1a]{0,39}?)\s*[:\uff1a](?!//)\s*")
_TERMS = frozenset(["dt", "th"])

# Attributes
MAX_LEVELS = 20  # elements around a piece whose attributes are read
_ATTRIBUTES = ("itemprop", "data-label", "aria-label")
_LETTERS = re.compile(r"[^\W\d_]+")
_CAMEL_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PRONOUNCEABLE = re.compile(r"(?=.*[aeiouyäöüéè])[a-zäöüßéèà]{3,20}")
_LAYOUT_WORDS = frozenset(
    """
    active align alt area article aside background badge bar basic bidi big black block blue body bold border bottom
    box break btn button card cell center class clear clearfix clickable col cols column component container content
    css custom data default desktop detail details div element end entry even field fields first flex float font
    footer full gray green grey grid group has header heading hidden hide highlight hit hover icon inline inner item
    items label large last layout left light line link links list listing main margin media medium meta mini mobile
    module more muted nav new node non normal nowrap odd old only outer padding page panel para part pull record red
    regular result results right root row rows search secondary section sep separator show side small span start
    strong style styled sub table tablet text the tile top truncate txt uitext unit unstyled value view views
    visible white width wrap wrapper zone
    """.split()
)
"""Words of class names that describe the place or the look of a column, not its meaning."""

Names = list[str | None]


def name_columns(
    pieces: Pieces, labels: Labels, links: Sequence[int], groups: Sequence[list[Column]], types: Sequence[str]
) -> list[str]:
    """Name columns; a group of captions is named by the first of them."""
    columns = [group[0] for group in groups]
    names = _by_header(pieces, columns)
    names = [_TYPE_NAMES[kind] if kind == "image" else name for name, kind in zip(names, types, strict=True)]
    if any(labels.names):
        names = _fill(names, lambda: [_by_label(labels, column) for column in columns])
    candidates = [place for place, name in enumerate(names) if name is None and types[place] == TEXT]
    names = _fill(names, lambda: [_by_text(pieces, group) for group in groups])
    names = _fill(names, lambda: name_by_attributes(pieces, columns, names))
    title = find_title(pieces, columns, links, candidates)
    if title is not None and names[title] is None and TITLE not in names:
        names[title] = TITLE
    _put_leads(names, pieces, columns, links)
    found = [name or _TYPE_NAMES.get(kind, TEXT) for name, kind in zip(names, types, strict=True)]
    return _number(found, [len(column) for column in columns])


def _number(names: list[str], sizes: list[int]) -> list[str]:
    """Make names unique; among columns of one type, the one that most records have gets the plain name."""
    order = sorted(range(len(names)), key=lambda place: (names[place] != TEXT) * -sizes[place])
    numbered = dict(zip(order, distinct([names[place] for place in order], ignore_case=True), strict=True))
    return [numbered[place] for place in range(len(names))]


def _fill(names: Names, others: Callable[[], Names]) -> Names:
    """Fill missing names with others."""
    if all(names):
        return names
    return [name or other for name, other in zip(names, others(), strict=True)]


def _by_header(pieces: Pieces, columns: Sequence[Column]) -> Names:
    headers = find_headers(pieces)
    if not headers:
        return [None] * len(columns)
    cells = find_cells(pieces)
    return [_shorten(headers.get(cells[first_piece(column)])) for column in columns]


def _by_label(labels: Labels, column: Column) -> str | None:
    """Name a column by the label of most of its pieces; a column of labels gets the suffix `_label`."""
    names = Counter(labels.names[piece] for members in column.values() for piece in members)
    name, count = names.most_common(1)[0]
    if not name or 2 * count <= names.total():
        return None
    return _shorten(f"{name}_label" if labels.is_label[first_piece(column)] else name)


def _put_leads(names: Names, pieces: Pieces, columns: Sequence[Column], links: Sequence[int]) -> None:
    """Name columns by the fixed words before them on their line, as `by` before an author."""
    leads = {
        members[-1]: place
        for place, column in enumerate(columns)
        if _is_lead(pieces, column, links)
        for members in column.values()
    }
    for place, column in enumerate(columns if leads else ()):
        lead = _lead_of(pieces, column, leads)
        if lead is not None and names[place] is None:
            text = pieces.texts[first_piece(columns[lead])]
            names[place], names[lead] = _shorten(text), _shorten(f"{text}_label")


def _is_lead(pieces: Pieces, column: Column, links: Sequence[int]) -> bool:
    first = first_piece(column)
    text = pieces.texts[first]
    return text != "" and text.count(" ") < MAX_LEAD_WORDS and links[first] < 0 and is_fixed(pieces, column)


def _lead_of(pieces: Pieces, column: Column, leads: dict[int, int]) -> int | None:
    """Find the one column of leads that precedes all pieces of a column on their line."""
    firsts = [members[0] for members in column.values()]
    lead = leads.get(firsts[0] - 1)
    for piece in firsts:
        if leads.get(piece - 1) != lead or pieces.lines[piece - 1] != pieces.lines[piece]:
            return None
    return None if is_fixed(pieces, column) else lead


def _by_text(pieces: Pieces, group: Sequence[Column]) -> str | None:
    """Name a column by its only text: a button, a badge."""
    if not all(is_fixed(pieces, column) for column in group):
        return None
    texts = [pieces.texts[first_piece(column)].strip(" :\uff1a") for column in group]
    return _shorten(", ".join(texts)) or None


def _shorten(name: str | None) -> str | None:
    return name if name is None or len(name) <= MAX_NAME_LENGTH else name[: MAX_NAME_LENGTH - 1].rstrip() + "…"


def find_title(
    pieces: Pieces, columns: Sequence[Column], links: Sequence[int], candidates: Sequence[int]
) -> int | None:
    """Find the most prominent candidate: by size of letters, then in a heading, then a link, then the first."""
    least = MIN_TITLED * len(pieces.spans)
    common = [place for place in candidates if len(columns[place]) >= least]
    samples = {
        place: [members[0] for members in islice(columns[place].values(), SAMPLE_SIZE)]
        for place in common
        if _may_be_title(pieces, columns[place])
    }
    layout = pieces.document.layout
    letters = {
        piece: 0.0 if layout is None else to_number(layout.style(pieces.owners[piece], "font-size"), 0.0)
        for several in samples.values()
        for piece in several
    }
    largest = max(letters.values(), default=0.0)
    best, title = (False, False), None
    for place, several in samples.items():
        ranks = [
            (find_heading(pieces, piece) != "", links[piece] >= 0) for piece in several if letters[piece] == largest
        ]
        if ranks and (title is None or max(ranks) > best):
            best, title = max(ranks), place
    return title


def _may_be_title(pieces: Pieces, column: Column) -> bool:
    texts = [pieces.texts[members[0]] for members in column.values()]
    return len(set(texts)) >= MIN_DISTINCT_TITLES * len(texts) and sum(map(len, texts)) >= MIN_TITLE_LENGTH * len(texts)


def find_heading(pieces: Pieces, piece: int) -> str:
    """Give the tag of the heading that holds a piece in its record; empty if there is none."""
    node, first = pieces.owners[piece], pieces.spans[pieces.records[piece]][0]
    tag, parents = pieces.document.tag, pieces.document.parents
    while node >= first:
        if (name := tag(node)) in HEADING_TAGS:
            return name
        node = int(parents[node])
    return ""


@dataclass(frozen=True)
class Labels:
    """The labels of pieces: columns with one entry a piece."""

    names: list[str | None]  # its label; of a piece that is itself a label, that label
    is_label: list[bool]  # it is only a label of what follows
    starts: list[int]  # where in the text the value starts, after its label


def find_labels(pieces: Pieces, keys: Sequence[Hashable]) -> Labels:
    """Find the labels of pieces: before a colon, in a term or in a header cell, in more than one record."""
    labels = Labels([None] * len(pieces), [False] * len(pieces), [0] * len(pieces))
    found, stops = _read(pieces)
    if not found:
        return labels
    holders: dict[tuple[Hashable, str], set[int]] = defaultdict(set)
    for piece, name in found.items():
        holders[keys[piece], name].add(pieces.records[piece])
    several = len(set(pieces.records)) > 1
    sure = {piece: name for piece, name in found.items() if not several or len(holders[keys[piece], name]) > 1}
    by_key = _by_key(keys, sure)
    records = {key: len({pieces.records[piece] for piece in members}) for key, members in by_key.items()}
    labelled = Counter(keys[piece] for piece in sure)
    listed = {
        key
        for key, members in by_key.items()
        if len(members) > records[key] and labelled[key] >= MIN_LISTED * len(members)
    }
    for piece, name in sure.items():
        key = keys[piece]
        if stops[piece] == len(pieces.texts[piece]):
            _apply_label(labels, pieces, piece, name, sure)
        elif labels.names[piece] is None and (key in listed or len(holders[key, name]) >= MIN_LABELLED * records[key]):
            labels.names[piece] = name
            labels.starts[piece] = stops[piece]
    return labels


def _by_key(keys: Sequence[Hashable], wanted: Iterable[int]) -> dict[Hashable, list[int]]:
    """List all pieces of the keys that the wanted pieces have."""
    members: dict[Hashable, list[int]] = {keys[piece]: [] for piece in wanted}
    if members:
        for piece, key in enumerate(keys):
            if key in members:
                members[key].append(piece)
    return members


def _read(pieces: Pieces) -> tuple[dict[int, str], dict[int, int]]:
    """Find the pieces that begin with a label, or are one: the label of each and where it stops."""
    names, stops = {}, {}
    terms = _find_terms(pieces)
    for piece, text in enumerate(pieces.texts):
        if piece in terms:
            names[piece], stops[piece] = text.rstrip(" :\uff1a"), len(text)
        elif ":" in text or "\uff1a" in text:
            match = _LABEL.match(text)
            # labels before a value begin with a capital
            if match and (match.end() == len(text) or not text[0].islower()):
                names[piece], stops[piece] = match[1], match.end()
    return names, stops


def _find_terms(pieces: Pieces) -> set[int]:
    document = pieces.document
    if _TERMS.isdisjoint(document.tag_names):
        return set()
    is_term = document.has_tag(_TERMS, np.array(pieces.owners, dtype=np.int64))
    return {piece for piece in np.flatnonzero(is_term).tolist() if pieces.texts[piece]}


def _apply_label(labels: Labels, pieces: Pieces, piece: int, name: str, sure: dict[int, str]) -> None:
    """Apply a label to what follows it in its record, if that is not a label itself."""
    following = piece + 1
    if following == len(pieces) or pieces.records[following] != pieces.records[piece]:
        return
    if following in sure or pieces.is_image[following] or not _is_in_row(pieces, piece, following):
        return
    labels.names[piece] = labels.names[following] = name
    labels.is_label[piece] = True


def _is_in_row(pieces: Pieces, piece: int, following: int) -> bool:
    """Tell whether what follows a header cell is in its row: the header of a column has its values below."""
    document, owner = pieces.document, pieces.owners[piece]
    return document.tag(owner) != "th" or bool(pieces.nodes[following] < document.ends[document.parents[owner]])


def find_headers(pieces: Pieces) -> dict[int, str]:
    """Find the names of cells by their places in rows, if the records are rows below a header row."""
    document, first = pieces.document, pieces.spans[0][0]
    if document.tag(first) != "tr":
        return {}
    rows = _rows_above(document, first)
    header = next((row for row in reversed(rows) if _is_header(document, row)), None)
    if header is None:
        return {}
    cells = _cells_of(document, header)
    texts = [" ".join(document.text(cell).split()) for cell in cells.tolist()]
    return {place: text for place, text in zip(places_in_rows(document, cells), texts, strict=True) if text}


def _rows_above(document: Document, row: int) -> list[int]:
    """List the rows of its table before a row."""
    table = row
    while table >= 0 and document.tag(table) != "table":
        table = int(document.parents[table])
    code = document.tag_names.index("tr")
    rows = np.flatnonzero(document.tags[max(table, 0) : row] == code) + max(table, 0)
    return [above for above in rows.tolist() if document.ends[above] <= row and table >= 0]


def _is_header(document: Document, row: int) -> bool:
    if document.tag(int(document.parents[row])) == "thead":
        return True
    return is_header_row([document.tag(cell) for cell in _cells_of(document, row).tolist()])


def _cells_of(document: Document, row: int) -> NDArray[np.int64]:
    inside = slice(row, int(document.ends[row]))
    return row + np.flatnonzero(document.has_tag(CELLS, inside) & (document.parents[inside] == row))


def name_by_attributes(pieces: Pieces, columns: Sequence[Column], known: Sequence[str | None]) -> list[str | None]:
    """Name columns without a known name by attributes around their pieces, and around no others.

    All sampled records must agree.  A word that would name several columns names none.
    """
    names = [name or _name(pieces, column) for name, column in zip(known, columns, strict=True)]
    often = Counter(names)
    return [name if often[name] == 1 else None for name in names]


def _name(pieces: Pieces, column: Column) -> str | None:
    if len(column) < min(2, len(pieces.spans)):  # one record alone is not enough evidence
        return None
    members = [several[0] for several in column.values()]
    asked = members[:: max(1, len(members) // SAMPLE_SIZE)][:SAMPLE_SIZE]
    shared = _words_around(pieces, asked[0])
    for piece in asked[1:] if shared else ():
        others = _words_around(pieces, piece)
        shared = [word for word in shared if word in others]
    return shared[0] if shared else None


def _words_around(pieces: Pieces, piece: int) -> list[str]:
    """List names from the innermost element outwards to the last that holds no other piece."""
    document, node = pieces.document, pieces.owners[piece]
    low, high = _exclusive_range(pieces, piece)
    words: list[str] = []
    for _ in range(MAX_LEVELS):
        if node <= low or document.ends[node] > high:
            break
        attributes = document.attributes[node]
        if attributes:
            words += [attributes[name][:MAX_NAME_LENGTH].strip() for name in _ATTRIBUTES if name in attributes]
            words += _telling_words(attributes.get("class", "")[:200])
        node = int(document.parents[node])
    return [word for word in words if word]


def _exclusive_range(pieces: Pieces, piece: int) -> tuple[int, int]:
    """Give the range of ancestors that contain only this piece (and texts of the same element)."""
    low, high = pieces.spans[pieces.records[piece]][0], len(pieces.document)
    owner, before, after = pieces.owners[piece], piece - 1, piece + 1
    if before >= 0 and pieces.owners[before] != owner:
        low = max(low, pieces.nodes[before])
    if after < len(pieces) and pieces.owners[after] != owner:
        high = pieces.nodes[after]
    return low, high


@lru_cache(maxsize=1024)  # records of one page share theirs
def _telling_words(classes: str) -> list[str]:
    return [word for token in classes.split() if (word := _telling_word(token))]


def _telling_word(token: str) -> str | None:
    """Find the last telling word of a class name.

    >>> [_telling_word(token) for token in ("product-title", "releaseDate", "col-md-4", "css-1x2y", "mt-2")]
    ['title', 'date', None, None, None]
    """
    if any(map(str.isdigit, token)):
        return None
    words = [word.lower() for part in _LETTERS.findall(token) for word in _CAMEL_HUMP.split(part)]
    telling = [word for word in words if word not in _LAYOUT_WORDS and _PRONOUNCEABLE.fullmatch(word)]
    return telling[-1] if telling else None
