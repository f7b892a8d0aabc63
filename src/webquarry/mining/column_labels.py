"""Find the words that name values on the page itself: labels, terms, leads, headings, and words in attributes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import HEADING_TAGS
from webquarry.html.visibility import CELLS
from webquarry.mining.column_splits import Column, find_cells, first_piece, is_fixed, places_in_rows
from webquarry.mining.record_pieces import Pieces, innermost_around
from webquarry.model.document import Document
from webquarry.page.column_words import MAX_LEAD_WORDS, MAX_NAME_LENGTH, SIGNS, drawn_name, property_name, telling_words
from webquarry.page.data_tables import is_header_row
from webquarry.page.leaves import Leaves
from webquarry.values.prices import is_money

T = TypeVar("T")

MIN_LABELLED = 0.8  # share of the records with texts of one key in which a label recurs: `Alien: Covenant` is a title
MIN_LISTED = 0.5  # share of the texts of one key that have some recurring label, where records have several such texts
MIN_HEADINGS = 3  # in a row of headings that are not header cells
MIN_SHARE_OF_HEADINGS = 0.6  # of the cells of such a row that have a text
MAX_HEADING_LENGTH = 30  # characters
MAX_NUMBERED = 0.34  # share of such headings that have a number: `24h %`
_LABEL = re.compile(r"([^\W\d_][^:\uff1a]{0,39}?)\s*[:\uff1a](?!//|(?<=\d[:\uff1a])\d)\s*")  # `at 12:30` has none
_AUTHOR = re.compile(
    r"(?i:by|(?:posted|written|uploaded|published|reviewed|presented|hosted) by|von|par|por|di|door|av|af|przez"
    r"|oleh|автор)\s(?=[^\W\d_])(?![a-z])(?=.{2,60}$)"
)
"""Words before the name of an author."""
_SIGN = re.compile(
    "([\u2b50\u231a-\u23ff\u2600-\u2604\u260e\u2610-\u27bf\U0001f300-\U0001faff])[\ufe0e\ufe0f]*\\s?(?=\\w|\\S)"
)
"""A drawing before a text."""
_TERMS = frozenset(["dt", "th"])

# Attributes
MAX_LEVELS = 20  # elements around a piece whose attributes are read
MAX_DRAWINGS_BESIDE = 3  # before or after a value, which they only illustrate
SAMPLE_SIZE = 3  # records that are asked for attributes
_STATED = ("data-label", "data-title", "data-th", "data-field", "data-column", "data-name")
_CALLED = ("class", "data-testid", "data-test", "data-qa", "data-cy", "data-hook", "data-auto")


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
        if labelled[key] >= (MIN_LISTED if len(members) > records[key] else MIN_LABELLED) * len(members)
    }
    for piece, name in sure.items():
        key = keys[piece]
        if stops[piece] == len(pieces.texts[piece]):
            _apply_label(labels, pieces, piece, name, sure)
            _label_list(labels, pieces, piece + 1, keys, sure)
        elif labels.names[piece] is None and (
            key in listed
            or len(holders[key, name]) >= MIN_LABELLED * records[key]
            or (" " in name and is_money(pieces.texts[piece][stops[piece] :]))
        ):
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
        elif match := _AUTHOR.match(text):
            names[piece], stops[piece] = "author", match.end()
        elif not text.isascii() and (match := _SIGN.match(text)):
            names[piece], stops[piece] = SIGNS.get(match[1], match[1]), match.end()
        elif ":" in text or "\uff1a" in text:
            match = _LABEL.match(text)
            if match is None:
                continue
            is_value = match.end() < len(text)
            if is_value and (text[0].islower() or _follows_label(pieces, piece, stops)):
                continue  # labels before a value begin with a capital; a value may have a colon itself
            names[piece], stops[piece] = match[1], match.end()
    return names, stops


def leads_to_author(words: str) -> bool:
    """Tell whether words come before the name of an author.

    >>> leads_to_author("Posted by"), leads_to_author("from")
    (True, False)
    """
    return _AUTHOR.match(f"{words} Ann") is not None


def _follows_label(pieces: Pieces, piece: int, stops: dict[int, int]) -> bool:
    """Tell whether the piece before is a label and nothing else, on the same line."""
    before = piece - 1
    if before not in stops or stops[before] < len(pieces.texts[before]):
        return False
    return pieces.records[before] == pieces.records[piece] and pieces.lines[before] == pieces.lines[piece]


def _find_terms(pieces: Pieces) -> set[int]:
    document = pieces.document
    if _TERMS.isdisjoint(document.tag_names):
        return set()
    is_term = document.has_tag(_TERMS, np.array(pieces.owners, dtype=np.int64))
    return {piece for piece in is_term.nonzero()[0].tolist() if pieces.texts[piece]}


def _apply_label(labels: Labels, pieces: Pieces, piece: int, name: str, sure: dict[int, str]) -> None:
    """Apply a label to what follows it in its record, if that is not a label itself.

    A term that ends its list is written below its value.
    """
    following = piece - 1 if _is_below_value(pieces, piece) else piece + 1
    if not 0 <= following < len(pieces) or pieces.records[following] != pieces.records[piece]:
        return
    if following in sure or pieces.is_image[following] or not _is_in_row(pieces, piece, following):
        return
    labels.names[piece] = labels.names[following] = name
    labels.is_label[piece] = True


def _is_below_value(pieces: Pieces, piece: int) -> bool:
    """Tell whether a piece is a `dt` after which its list, or its group of the list, has nothing more."""
    document, owner = pieces.document, pieces.owners[piece]
    if document.tag(owner) != "dt":
        return False
    stop = document.ends.item(document.parents[owner])
    return piece + 1 == len(pieces) or pieces.nodes[piece + 1] >= stop


def _label_list(
    labels: Labels, pieces: Pieces, first: int, keys: Sequence[Hashable], labelled: Collection[int]
) -> None:
    """Extend the label of a value to values of the same key without one that follow on its line: `Cast: Ann, Bob`."""
    if first >= len(pieces) or labels.names[first] is None:
        return
    for piece in range(first + 1, len(pieces)):
        is_next = pieces.lines[piece] == pieces.lines[first] and keys[piece] == keys[first]
        if not is_next or piece in labelled or pieces.records[piece] != pieces.records[first]:
            break
        if pieces.is_money(piece) != pieces.is_money(first):  # a discount behind an old price
            break
        labels.names[piece] = labels.names[first]


def _is_in_row(pieces: Pieces, piece: int, following: int) -> bool:
    """Tell whether what follows a header cell is in its row: the header of a column has its values below."""
    document, owner = pieces.document, pieces.owners[piece]
    return document.tag(owner) != "th" or bool(pieces.nodes[following] < document.ends[document.parents[owner]])


def find_headers(pieces: Pieces) -> list[str | None]:
    """Find for each piece the heading of its cell, if the records are rows of cells below a row of headings."""
    document, first = pieces.document, pieces.spans[0][0]
    if document.tag(first) == "tr":
        rows = _rows_above(document, first)
        header = next((row for row in reversed(rows) if _is_header(document, row)), None)
        if header is None and rows and _are_headings(document, rows[-1], first):
            header = rows[-1]
        if header is None:
            return [None] * len(pieces)
        cells = _cells_of(document, header)
        texts = [_read_header(document, cell) for cell in cells.tolist()]
        names = dict(zip(places_in_rows(document, cells), texts, strict=True))
        return [names.get(place) or None for place in find_cells(pieces)]
    header = _sibling_before(document, first)
    if header is None or document.tags[first] < 0 or not _are_headings(document, header, first):
        return [None] * len(pieces)
    headings = [" ".join(document.text(child).split()) for child in document.children(header, only_elements=True)]
    children = [document.children(record, only_elements=True) for record, _ in pieces.spans]
    owned = zip(pieces.records, pieces.owners, strict=True)
    return [_heading_of(children[record], owner, headings) for record, owner in owned]


def _read_header(document: Document, cell: int) -> str:
    """Read the text of a header cell; only its first part if that is repeated, or the whole is long: links follow."""
    texts = document.texts[cell : document.ends.item(cell)]
    parts = [part for text in texts if (part := " ".join(text.split()))]
    text = " ".join(document.text(cell).split())
    return parts[0] if parts and (len(text) > MAX_HEADING_LENGTH or len(set(parts)) == 1) else text


def _are_headings(document: Document, row: int, record: int) -> bool:
    """Tell whether a row has a short text for each of most children of a record, hardly any with digits.

    Fails on rows of headings with other cells than the records have.
    """
    children, below = document.children(row, only_elements=True), document.children(record, only_elements=True)
    if len(children) < MIN_HEADINGS or len(children) != len(below):
        return False
    texts = [" ".join(document.text(child).split()) for child in children]
    said = [text for text in texts if text]
    return (
        len(said) >= MIN_SHARE_OF_HEADINGS * len(children)
        and len(set(said)) == len(said)
        and not any(len(text) > MAX_HEADING_LENGTH for text in said)
        and sum(any(map(str.isdigit, text)) for text in said) <= MAX_NUMBERED * len(said)
    )


def _sibling_before(document: Document, node: int) -> int | None:
    siblings = [child for child in document.children(document.parents.item(node), only_elements=True) if child < node]
    return siblings[-1] if siblings else None


def _heading_of(cells: Sequence[int], owner: int, headings: Sequence[str]) -> str | None:
    place = bisect_right(cells, owner) - 1
    return headings[place] or None if len(cells) == len(headings) and place >= 0 else None


def _rows_above(document: Document, row: int) -> list[int]:
    """List the rows of its table before a row."""
    table = row
    while table >= 0 and document.tag(table) != "table":
        table = document.parents.item(table)
    code = document.tag_names.index("tr")
    rows = (document.tags[max(table, 0) : row] == code).nonzero()[0] + max(table, 0)
    return [above for above in rows.tolist() if document.ends[above] <= row and table >= 0]


def _is_header(document: Document, row: int) -> bool:
    if document.tag(document.parents.item(row)) == "thead":
        return True
    return is_header_row([document.tag(cell) for cell in _cells_of(document, row).tolist()])


def _cells_of(document: Document, row: int) -> NDArray[np.int64]:
    inside = slice(row, document.ends.item(row))
    return row + np.flatnonzero(document.has_tag(CELLS, inside) & (document.parents[inside] == row))


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
            if beside is not None and _is_led(pieces, columns[beside], columns[place], step, links):
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


def _is_led(pieces: Pieces, column: Column, lead: Column, step: int, links: Sequence[int]) -> bool:
    """Tell whether words beside a column only introduce it."""
    if pieces.is_money(first_piece(column)):
        return step > 0 or 2 * len(lead) > len(column)
    says_something = not is_fixed(pieces, column) or _lead_to_one_page(pieces, column, links)
    return step > 0 and says_something and lead.keys() >= column.keys()


def _lead_to_one_page(pieces: Pieces, column: Column, links: Sequence[int]) -> bool:
    """Tell whether all texts of a column are links to the same page, as to the one author of all articles."""
    found = {links[members[0]] for members in column.values()}
    attributes = pieces.document.attributes
    return -1 not in found and len({attributes[link].get("href") for link in found}) == 1


def _are_captions(pieces: Pieces, columns: Sequence[Column], place: int | None, lead: Column) -> bool:
    """Tell whether fixed words are below the values of a column in pairs with them, and nowhere else."""
    if place is None or lead.keys() != columns[place].keys() or is_fixed(pieces, columns[place]):
        return False
    return all(_are_pair(pieces, members[0] - 1, members[0]) for members in lead.values())


def name_by_attributes(pieces: Pieces, columns: Sequence[Column]) -> list[list[str]]:
    """List the names of columns in attributes around their pieces, and around no others, innermost first.

    All sampled records must agree.
    """
    return [_names(pieces, column) for column in columns]


def _names(pieces: Pieces, column: Column) -> list[str]:
    if len(column) < min(2, len(pieces.spans)):  # one record alone is not enough evidence
        return []
    sample = _sample(list(column.values()))
    shared = _words_around(pieces, sample[0])
    for members in sample[1:] if shared else ():
        others = _words_around(pieces, members)
        shared = [word for word in shared if word in others]
    return shared


def name_by_icon(pieces: Pieces, column: Column) -> str | None:
    """Name a column by the small drawing before its values; all sampled records must agree."""
    found = {_icon_before(pieces, piece) for piece in _sample([members[0] for members in column.values()])}
    return found.pop() if len(found) == 1 else None


def _sample(pieces: list[T]) -> list[T]:
    return pieces[:: max(1, len(pieces) // SAMPLE_SIZE)][:SAMPLE_SIZE]


def _words_around(pieces: Pieces, members: Sequence[int]) -> list[str]:
    """List names from the innermost element around a value outwards to the last that holds nothing else."""
    document, node = pieces.document, pieces.owners[members[0]]
    low, high = _range_around(pieces, members[0], members[-1])
    text = pieces.texts[members[0]]
    words: list[str] = []
    for _ in range(MAX_LEVELS):
        if node <= low or document.ends.item(node) > high:
            break
        attributes = document.attributes[node]
        tag = document.tag(node)
        if tag == "address":
            words.append("location")
        elif "-" in tag:
            words += telling_words(tag[:MAX_NAME_LENGTH])
        if attributes:
            words.append(property_name(attributes.get("itemprop", "")[:MAX_NAME_LENGTH]))
            words += [attributes[name][:MAX_NAME_LENGTH].strip() for name in _STATED if name in attributes]
            label, said = attributes.get("aria-label", "").strip(), attributes.get("title", "").strip()
            if label and tag != "button" and len(label) <= MAX_NAME_LENGTH and label not in text:
                words.append(_words_beside(text, label))
            if len(text) < len(said) <= MAX_NAME_LENGTH and text in said:
                words.append(_words_beside(text, said))
            for name in _CALLED:
                if name in attributes:
                    words += telling_words(attributes[name][:200])
        node = document.parents.item(node)
    return [word for word in words if word and any(map(str.isalpha, word))]


def _words_beside(text: str, label: str) -> str:
    """Return what a label says beside the text that it repeats, if that is a number; else the label of another text.

    >>> [_words_beside(*each) for each in (("1,204", "1,204 ratings"), ("Old Mill", "Show Old Mill"), ("12", "Guests"))]
    ['ratings', '', 'Guests']
    """
    if text not in label:
        return label
    words = label.replace(text, " ").strip(" :.,")
    is_name = text[:1].isdigit() and words.count(" ") < MAX_LEAD_WORDS and not any(map(str.isdigit, words))
    return words if is_name else ""


def find_exclusive_range(pieces: Pieces, piece: int) -> tuple[int, int]:
    """Return the range of ancestors that contain only this piece, and texts of the same element and drawings."""
    return _range_around(pieces, piece, piece)


def _range_around(pieces: Pieces, first: int, last: int) -> tuple[int, int]:
    """Return the range of ancestors that contain only these pieces, as `find_exclusive_range` does for one."""
    low, high = pieces.spans[pieces.records[first]][0], len(pieces.document)
    before, after = first - 1, last + 1
    for _ in range(MAX_DRAWINGS_BESIDE):
        before -= before >= 0 and _is_drawing(pieces, before)
        after += after < len(pieces) and _is_drawing(pieces, after)
    if before >= 0 and pieces.owners[before] != pieces.owners[first]:
        low = max(low, pieces.nodes[before])
    if after < len(pieces) and pieces.owners[after] != pieces.owners[last]:
        high = pieces.nodes[after]
    return low, high


def _is_drawing(pieces: Pieces, piece: int) -> bool:
    return pieces.is_image[piece] and pieces.document.tag(pieces.owners[piece]) == "svg"


def _icon_before(pieces: Pieces, piece: int) -> str | None:
    document, low = pieces.document, find_exclusive_range(pieces, piece)[0]
    if low and (stop := document.ends.item(low)) <= pieces.nodes[piece]:
        low = stop - 1  # what is in the piece before is none of its own
    for node in range(pieces.nodes[piece] - 1, max(low, pieces.nodes[piece] - MAX_LEVELS), -1):
        attributes = document.attributes[node]
        if not attributes or document.ends.item(node) > pieces.nodes[piece]:  # what holds the text draws nothing
            continue
        name = drawn_name(document.tag(node), attributes)
        if name and not _says_something(document, node):
            return name
    return None


def _says_something(document: Document, node: int) -> bool:
    """Tell whether an element has a text, hidden or not, so that it is no mere drawing."""
    return any(len(text.strip()) > 1 for text in document.texts[node : document.ends.item(node)])


MIN_GROUPS = 2
MAX_LENGTH_OF_GROUP_HEADING = 80  # characters of a heading
MAX_LEAVES_OF_GAP = 12  # leaves between groups: headings, and notes such as `See more`
MAX_LEAVES_BELOW_HEADING = 3  # leaves between a heading and its first record, except the first of all
MAX_LEAVES_BEFORE = 40  # leaves before the first record among which its heading is looked for
MIN_DISTINCT_GROUP_HEADINGS = 0.7  # share of the headings that must be different


class GroupHeadings(NamedTuple):
    """The heading of each record's group; None for records without one."""

    texts: list[str | None]
    nodes: list[int | None]


def find_group_headings(document: Document, spans: Sequence[tuple[int, int]], leaves: Leaves) -> GroupHeadings | None:
    """Find texts of one kind that stand between records, each above a group of them; None if there are none.

    Fails on pages where something else recurs between groups, such as an advertisement with a text of its own.
    """
    if len(spans) < MIN_GROUPS or list(spans) != sorted(spans):
        return None
    gaps = _find_gaps(spans, leaves)
    path = _common_path(document, gaps, leaves)
    if path is None:
        return None
    first = leaves.starts.item(spans[0][0])
    gaps = {record: gap[-MAX_LEAVES_BELOW_HEADING - 1 :] for record, gap in gaps.items()}
    gaps[0] = range(max(0, first - MAX_LEAVES_BEFORE), first)
    heads = {
        record: head for record, gap in gaps.items() if (head := _last_of_path(document, leaves, gap, path)) is not None
    }
    texts = {head: " ".join(document.texts[leaves.nodes[head]].split()) for head in heads.values()}
    if len(heads) < MIN_GROUPS or len(set(texts.values())) < MIN_DISTINCT_GROUP_HEADINGS * len(heads):
        return None
    if any(len(text) > MAX_LENGTH_OF_GROUP_HEADING for text in texts.values()):
        return None
    found = GroupHeadings([], [])
    head = None
    for record in range(len(spans)):
        head = heads.get(record, head)
        found.texts.append(None if head is None else texts[head])
        found.nodes.append(None if head is None else leaves.nodes.item(head))
    return found


def _find_gaps(spans: Sequence[tuple[int, int]], leaves: Leaves) -> dict[int, range]:
    """Find the leaves between each record and the one before it, where there are any, but not too many."""
    bounds = np.array(spans, dtype=np.int64)
    starts, stops = leaves.starts[bounds[1:, 0]], leaves.starts[bounds[:-1, 1]]
    sizes = starts - stops
    between = ((sizes > 0) & (sizes <= MAX_LEAVES_OF_GAP)).nonzero()[0].tolist()
    return {place + 1: range(int(stops[place]), int(starts[place])) for place in between}


def _common_path(document: Document, gaps: dict[int, range], leaves: Leaves) -> int | None:
    """Find the tag path of short texts that most gaps have, headings first."""
    counts: Counter[tuple[bool, int]] = Counter()
    for gap in gaps.values():
        heads = [leaf for leaf in gap if len(gap) == 1 or document.tag(leaves.owners.item(leaf)) != "button"]
        counts.update({(_is_heading(document, leaves, leaf), leaves.paths.item(leaves.owners[leaf])) for leaf in heads})
    if not counts:
        return None
    (_, path), count = max(counts.items(), key=lambda item: (item[0][0], item[1]))
    return path if 2 * count >= len(gaps) else None


def _last_of_path(document: Document, leaves: Leaves, gap: range, path: int) -> int | None:
    """Find the last text of a path; of several in one element the first: a number of records follows the heading."""
    alike = [leaf for leaf in gap if leaves.paths.item(leaves.owners[leaf]) == path]
    holders = [document.parents.item(leaves.owners[leaf]) for leaf in alike]
    return alike[holders.index(holders[-1])] if alike else None


def _is_heading(document: Document, leaves: Leaves, leaf: int) -> bool:
    node = leaves.owners.item(leaf)
    return document.tag(node) in HEADING_TAGS or document.tag(document.parents.item(node)) in HEADING_TAGS
