"""Naming: what columns are called, by what the page says, else by their kind."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import numpy as np

from webquarry.mining.column_splits import Column, is_fixed
from webquarry.mining.record_pieces import Pieces, find_cells, places_in_rows
from webquarry.model.document import Document

# MERGED mining/fields/labels: Labels: what the page itself calls a value, before a colon, in a term or in a
LABELLED = 0.8
"""Of the records with texts of one key, those in which a label must recur: `Alien: Covenant` is one title of many."""
LISTED = 0.5
"""Of the texts of one key, of which records have several, those that must have some label that recurs."""

_LABEL = re.compile(r"([^\W\d_][^:\uff1a]{0,39}?)\s*[:\uff1a](?!//)\s*")
_TERMS = frozenset(["dt", "th"])


@dataclass(frozen=True)
class Labels:
    """Columns, one entry a piece."""

    names: list[str | None]
    """What it is called; of a label itself, what it calls others."""
    is_label: list[bool]
    """Whether it is nothing but a label of what follows."""
    starts: list[int]
    """Where in the text the value starts, after its label."""


def find_labels(pieces: Pieces, keys: Sequence[Hashable]) -> Labels:
    """The labels of pieces.  Only those count that more records than one have."""
    labels = Labels([None] * len(pieces), [False] * len(pieces), [0] * len(pieces))
    said, stops = _read(pieces)
    if not said:
        return labels
    holders: dict[tuple[Hashable, str], set[int]] = defaultdict(set)
    for piece, name in said.items():
        holders[keys[piece], name].add(pieces.records[piece])
    several = len(set(pieces.records)) > 1
    sure = {piece: name for piece, name in said.items() if not several or len(holders[keys[piece], name]) > 1}
    listed = _find_listed(pieces, keys, sure)
    records = {key: len({pieces.records[piece] for piece in members}) for key, members in _by_key(keys, sure).items()}
    for piece, name in sure.items():
        key = keys[piece]
        if stops[piece] == len(pieces.texts[piece]):
            _put_whole(labels, pieces, piece, name, sure)
        elif labels.names[piece] is None and (key in listed or len(holders[key, name]) >= LABELLED * records[key]):
            labels.names[piece] = name
            labels.starts[piece] = stops[piece]
    return labels


def _by_key(keys: Sequence[Hashable], wanted: Iterable[int]) -> dict[Hashable, list[int]]:
    """For each key of the wanted pieces all pieces of it."""
    members: dict[Hashable, list[int]] = {keys[piece]: [] for piece in wanted}
    if members:
        for piece, key in enumerate(keys):
            if key in members:
                members[key].append(piece)
    return members


def _find_listed(pieces: Pieces, keys: Sequence[Hashable], sure: dict[int, str]) -> set[Hashable]:
    """The keys of which records have several texts, most of them with labels."""
    listed = set()
    labelled = Counter(keys[piece] for piece in sure)
    for key, members in _by_key(keys, sure).items():
        records = len({pieces.records[piece] for piece in members})
        if len(members) > records and labelled[key] >= LISTED * len(members):
            listed.add(key)
    return listed


def _read(pieces: Pieces) -> tuple[dict[int, str], dict[int, int]]:
    """For each piece that starts with a label, or is one, the name and where it stops."""
    names, stops = {}, {}
    terms = _find_terms(pieces)
    for piece, text in enumerate(pieces.texts):
        if piece in terms:
            names[piece], stops[piece] = text.rstrip(" :\uff1a"), len(text)
        elif ":" in text or "\uff1a" in text:
            match = _LABEL.match(text)
            if match and (match.end() == len(text) or not text[0].islower()):  # labels in a text begin with a capital
                names[piece], stops[piece] = match[1], match.end()
    return names, stops


def _find_terms(pieces: Pieces) -> set[int]:
    document = pieces.document
    if _TERMS.isdisjoint(document.tag_names):
        return set()
    is_term = document.has_tag(_TERMS, np.array(pieces.owners, dtype=np.int64))
    return {piece for piece in np.flatnonzero(is_term).tolist() if pieces.texts[piece]}


def _put_whole(labels: Labels, pieces: Pieces, piece: int, name: str, sure: dict[int, str]) -> None:
    """Give a label to what follows it in its record, if that is no label itself."""
    following = piece + 1
    if following == len(pieces) or pieces.records[following] != pieces.records[piece]:
        return
    if following in sure or pieces.is_image[following] or not _is_beside(pieces, piece, following):
        return
    labels.names[piece] = labels.names[following] = name
    labels.is_label[piece] = True


def _is_beside(pieces: Pieces, piece: int, following: int) -> bool:
    """Whether what follows a header cell is in the same row: that of a column has its values below."""
    document, owner = pieces.document, pieces.owners[piece]
    return document.tag(owner) != "th" or bool(pieces.nodes[following] < document.ends[document.parents[owner]])


# MERGED mining/fields/header_rows: Header rows: what the header cells above the records call the cells below
def find_headers(pieces: Pieces) -> dict[int, str]:
    """The names of columns, by their places in rows; none unless the records are rows below a row of header cells."""
    document, first = pieces.document, pieces.spans[0][0]
    if document.tag(first) != "tr":
        return {}
    rows = _rows_above(document, first)
    header = next((row for row in reversed(rows) if _is_header(document, row)), None)
    if header is None:
        return {}
    cells = np.array([cell for cell in _children(document, header) if document.tag(cell) in ("td", "th")])
    texts = [" ".join(document.text(cell).split()) for cell in cells.tolist()]
    return {place: text for place, text in zip(places_in_rows(document, cells), texts, strict=True) if text}


def _rows_above(document: Document, row: int) -> list[int]:
    """The rows of the table of a row that stand before it."""
    table = row
    while table >= 0 and document.tag(table) != "table":
        table = int(document.parents[table])
    code = document.tag_names.index("tr")
    rows = np.flatnonzero(document.tags[max(table, 0) : row] == code) + max(table, 0)
    return [above for above in rows.tolist() if document.ends[above] <= row and table >= 0]


def _is_header(document: Document, row: int) -> bool:
    if document.tag(int(document.parents[row])) == "thead":
        return True
    cells = [document.tag(cell) for cell in _children(document, row) if document.tags[cell] >= 0]
    return len(cells) > 1 and all(tag == "th" for tag in cells)


def _children(document: Document, node: int) -> list[int]:
    found = []
    child, stop = node + 1, int(document.ends[node])
    while child < stop:
        found.append(child)
        child = int(document.ends[child])
    return found


# MERGED mining/fields/attribute_names: Names of columns that stand in attributes: `itemprop`, `aria-label`,
LONGEST_NAME = 40
"""Characters."""
WITNESSES = 3
"""Records that are asked."""
MOST_AROUND = 20
"""Elements around a piece that are asked."""

_ATTRIBUTES = ("itemprop", "data-label", "aria-label")
_LETTERS = re.compile(r"[^\W\d_]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PLAIN = re.compile(r"(?=.*[aeiouyäöüéè])[a-zäöüßéèà]{3,20}")
_SAY_NOTHING = frozenset(
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
"""Words of class names that tell the place or the look of a column, not its meaning."""


def name_by_attributes(pieces: Pieces, columns: Sequence[Column], known: Sequence[str | None]) -> list[str | None]:
    """The names that are known; of other columns, what attributes around their pieces, and no others, call them.

    All records must agree.  A word that would name several columns does not tell them apart, and names none.
    """
    names = [name or _name(pieces, column) for name, column in zip(known, columns, strict=True)]
    often = Counter(names)
    return [name if often[name] == 1 else None for name in names]


def _name(pieces: Pieces, column: Column) -> str | None:
    if len(column) < min(2, len(pieces.spans)):  # what one record alone has is no column to name
        return None
    members = [several[0] for several in column.values()]
    asked = members[:: max(1, len(members) // WITNESSES)][:WITNESSES]
    shared = _words_around(pieces, asked[0])
    for piece in asked[1:] if shared else ():
        others = _words_around(pieces, piece)
        shared = [word for word in shared if word in others]
    return shared[0] if shared else None


def _words_around(pieces: Pieces, piece: int) -> list[str]:
    """Names from the innermost element that has any, outwards to the last that holds no other piece."""
    document, node = pieces.document, pieces.owners[piece]
    low, high = _free_around(pieces, piece)
    words: list[str] = []
    for _ in range(MOST_AROUND):
        if node <= low or document.ends[node] > high:
            break
        attributes = document.attributes[node]
        if attributes:
            words += [attributes[name][:LONGEST_NAME].strip() for name in _ATTRIBUTES if name in attributes]
            words += _plain_words(attributes.get("class", "")[:200])
        node = int(document.parents[node])
    return [word for word in words if word]


def _free_around(pieces: Pieces, piece: int) -> tuple[int, int]:
    """The nodes between which an element around a piece is around no other, but for texts of the same element."""
    low, high = pieces.spans[pieces.records[piece]][0], len(pieces.document)
    owner, before, after = pieces.owners[piece], piece - 1, piece + 1
    if before >= 0 and pieces.owners[before] != owner:
        low = max(low, pieces.nodes[before])
    if after < len(pieces) and pieces.owners[after] != owner:
        high = pieces.nodes[after]
    return low, high


@lru_cache(maxsize=1024)  # records of one page share theirs
def _plain_words(classes: str) -> list[str]:
    return [word for token in classes.split() if (word := _plain_word(token))]


def _plain_word(token: str) -> str | None:
    """The last word of a class name that says something.

    >>> [_plain_word(token) for token in ("product-title", "releaseDate", "col-md-4", "css-1x2y", "mt-2")]
    ['title', 'date', None, None, None]
    """
    if any(map(str.isdigit, token)):
        return None
    words = [word.lower() for part in _LETTERS.findall(token) for word in _HUMP.split(part)]
    telling = [word for word in words if word not in _SAY_NOTHING and _PLAIN.fullmatch(word)]
    return telling[-1] if telling else None


# MERGED mining/fields/prominence: Prominence: which column of a region is its title.
COMMON = 0.5
"""Of the records, those that must have a title."""
SHORTEST = 3
"""Characters of a title on average: less is a rank, or a letter of the alphabet."""
DISTINCT = 0.5
"""Of the titles, those that are not the same as another."""
_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])


def find_title(
    pieces: Pieces, columns: Sequence[Column], links: Sequence[int], candidates: Sequence[int]
) -> int | None:
    """The most prominent of the candidates: of the largest letters, then in a heading, then a link, then the first."""
    least = COMMON * len(pieces.spans)
    common = [place for place in candidates if len(columns[place]) >= least]
    witnesses = {
        place: [members[0] for members in islice(columns[place].values(), WITNESSES)]
        for place in common
        if _may_be_title(pieces, columns[place])
    }
    letters = _letters(pieces, [piece for several in witnesses.values() for piece in several])
    largest = max(letters.values(), default=0.0)
    best, title = (False, False), None
    for place, several in witnesses.items():
        ranks = [
            (find_heading(pieces, piece) != "", links[piece] >= 0) for piece in several if letters[piece] == largest
        ]
        if ranks and (title is None or max(ranks) > best):
            best, title = max(ranks), place
    return title


def _may_be_title(pieces: Pieces, column: Column) -> bool:
    texts = [pieces.texts[members[0]] for members in column.values()]
    return len(set(texts)) >= DISTINCT * len(texts) and sum(map(len, texts)) >= SHORTEST * len(texts)


def _letters(pieces: Pieces, asked: list[int]) -> dict[int, float]:
    """The size of letters of pieces in pixels; all the same without a layout."""
    layout = pieces.document.layout
    if layout is None:
        return dict.fromkeys(asked, 0.0)
    sizes = layout.styles[:, layout.properties.index("font-size")]
    return {
        piece: _pixels(layout.values[code]) if (code := sizes[pieces.owners[piece]]) >= 0 else 0.0 for piece in asked
    }


def _pixels(size: str) -> float:
    try:
        return float(size.removesuffix("px"))
    except ValueError:
        return 0.0


def find_heading(pieces: Pieces, piece: int) -> str:
    """The name of the heading of its record that a piece stands in; nothing when it is in none."""
    node, first = pieces.owners[piece], pieces.spans[pieces.records[piece]][0]
    tag, parents = pieces.document.tag, pieces.document.parents
    while node >= first:
        if (name := tag(node)) in _HEADINGS:
            return name
        node = int(parents[node])
    return ""


TITLE, LINK, TEXT = "title", "link", "text"
_KINDS = {"money": "price", "date": "date", "number": "number", "image": "image"}
_LONGEST_LEAD = 3
"""Words of a text that leads to the next, as `by` does to an author."""

Names = list[str | None]


def name_columns(
    pieces: Pieces, labels: Labels, links: Sequence[int], groups: Sequence[list[Column]], types: Sequence[str]
) -> list[str]:
    """The names of columns; captions that stand together go by the first of them."""
    columns = [group[0] for group in groups]
    names = _by_header(pieces, columns)
    names = [_KINDS[kind] if kind == "image" else name for name, kind in zip(names, types, strict=True)]
    if any(labels.names):
        names = _fill(names, lambda: [_by_label(labels, column) for column in columns])
    candidates = [place for place, name in enumerate(names) if name is None and types[place] == TEXT]
    names = _fill(names, lambda: [_by_text(pieces, group) for group in groups])
    names = _fill(names, lambda: name_by_attributes(pieces, columns, names))
    title = find_title(pieces, columns, links, candidates)
    if title is not None and names[title] is None and TITLE not in names:
        names[title] = TITLE
    _put_leads(names, pieces, columns, links)
    found = [name or _KINDS.get(kind, TEXT) for name, kind in zip(names, types, strict=True)]
    return _number(found, [len(column) for column in columns])


def _number(names: list[str], sizes: list[int]) -> list[str]:
    """The names made unique; of columns of one kind the one that most records have gets the plain name."""
    order = sorted(range(len(names)), key=lambda place: (names[place] != TEXT) * -sizes[place])
    numbered = dict(zip(order, unique_names([names[place] for place in order]), strict=True))
    return [numbered[place] for place in range(len(names))]


def unique_names(names: Iterable[str]) -> list[str]:
    """The names, those that were there before with a number.

    >>> unique_names(["text", "Text", "price", "text"])
    ['text', 'Text_2', 'price', 'text_3']
    """
    used: set[str] = set()
    counts: Counter[str] = Counter()
    unique = []
    for name in names:
        free, small = name, name.lower()
        counts[small] += 1
        while free.lower() in used:
            free = f"{name}_{max(counts[small], 2)}"
            counts[small] += free.lower() in used
        used.add(free.lower())
        unique.append(free)
    return unique


def _fill(names: Names, others: Callable[[], Names]) -> Names:
    """The names, and where there are none, others."""
    if all(names):
        return names
    return [name or other for name, other in zip(names, others(), strict=True)]


def _by_header(pieces: Pieces, columns: Sequence[Column]) -> Names:
    headers = find_headers(pieces)
    if not headers:
        return [None] * len(columns)
    cells = find_cells(pieces)
    return [_shorten(headers.get(cells[next(iter(column.values()))[0]])) for column in columns]


def _by_label(labels: Labels, column: Column) -> str | None:
    """The label that most pieces of a column have; a label itself is called one."""
    first = next(iter(column.values()))[0]
    names = Counter(labels.names[piece] for members in column.values() for piece in members)
    name, count = names.most_common(1)[0]
    if not name or 2 * count <= names.total():
        return None
    return _shorten(f"{name}_label" if labels.is_label[first] else name)


def _put_leads(names: Names, pieces: Pieces, columns: Sequence[Column], links: Sequence[int]) -> None:
    """Name columns by fixed words that lead to them on their line, as `by` does to an author."""
    leads = {
        members[-1]: place
        for place, column in enumerate(columns)
        if _is_lead(pieces, column, links)
        for members in column.values()
    }
    for place, column in enumerate(columns if leads else ()):
        lead = _lead_of(pieces, column, leads)
        if lead is not None and names[place] is None:
            text = pieces.texts[next(iter(columns[lead].values()))[0]]
            names[place], names[lead] = _shorten(text), _shorten(f"{text}_label")


def _is_lead(pieces: Pieces, column: Column, links: Sequence[int]) -> bool:
    first = next(iter(column.values()))[0]
    text = pieces.texts[first]
    return text != "" and text.count(" ") < _LONGEST_LEAD and links[first] < 0 and is_fixed(pieces, column)


def _lead_of(pieces: Pieces, column: Column, leads: dict[int, int]) -> int | None:
    """The one column of leads that stands before all pieces of a column, on their line."""
    firsts = [members[0] for members in column.values()]
    lead = leads.get(firsts[0] - 1)
    for piece in firsts:
        if leads.get(piece - 1) != lead or pieces.lines[piece - 1] != pieces.lines[piece]:
            return None
    return None if is_fixed(pieces, column) else lead


def _by_text(pieces: Pieces, group: Sequence[Column]) -> str | None:
    """The text of a column that has no other: a button, a badge."""
    if not all(is_fixed(pieces, column) for column in group):
        return None
    texts = [pieces.texts[next(iter(column.values()))[0]].strip(" :\uff1a") for column in group]
    return _shorten(", ".join(texts)) or None


def _shorten(name: str | None) -> str | None:
    return name if name is None or len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1].rstrip() + "…"
