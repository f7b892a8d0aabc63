"""Split and join pieces by what they say: facts with a mark between them, dates in several elements, and paragraphs.

The paragraphs of what people write into records, such as posts, answers and reviews, are one text to a reader.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import groupby

import numpy as np

from webquarry.html.columns import HEADING_TAGS, find_inside
from webquarry.mining.record_pieces import Pieces, innermost_around, record_paths
from webquarry.page.column_words import telling_words
from webquarry.page.leaves import INLINE_TAGS, Leaves
from webquarry.values.cldr_dates import find_month, read_relative_date
from webquarry.values.text_value import Locale, fold

MIN_SEPARATED = 0.8  # share of the texts of one key and class with bars, for these to separate facts
MAX_LABELS_OF_TEXT = 20  # texts with more colons are code, or tables of their own
MAX_WORDS_OF_LABEL = 3  # before the last one
_LABEL_END = re.compile(r"(?<!\S)([^\W\d_][\w.'\u2019-]{0,29})\s?[:\uff1a]\s")
_WHOLE_THINGS = frozenset(["address", "location", "name", "place", "title", "venue"])
"""What a class may say that a text is, so that bars in it separate no facts."""
MAX_CLASSES = 200  # characters of class names that are read
_BARS = re.compile(r" [|\u00b7] ")
_DASH = re.compile(r" [-\u2013\u2014\u2022] ")
_BARS_AND_DASHES = re.compile(r" [|\u00b7\u2013\u2014\u2022-] ")
_RATED = re.compile(r"\D{0,3}\d{1,2}(?:[.,]\d+)?\s?\([\d.,]+[kKmM]?\)")
_BEFORE_COUNT = re.compile(r"(?:\s|(?<=\d))(?=\([\d.,]+[kKmM]?\)$)")
_DASHES = frozenset(["-", "\u2013", "\u2014", "\u2192"])
_NUMERIC_DAY = re.compile(r"\b\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d\d)?(?!\d)|\b\d{4}-\d\d-\d\d\b")
_CLOCK = re.compile(r"\b\d{1,2}(?:[:.h]\d\d\b| ?[ap]\.?m\b)", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_DAY = re.compile(r"(?:0?[1-9]|[12]\d|3[01])(?:\.|st|nd|rd|th)?(?: ([^\W\d_]+)\.?)?$")  # perhaps with its month
_LETTERS = re.compile(r"[^\W\d_]+")
MAX_LENGTH_OF_MOMENT = 40  # characters of a date or time
_ANY_DAY = date(2000, 1, 1)

# Paragraphs
MIN_PARAGRAPH = 30  # characters on average; shorter ones are facts below each other
MIN_PARAGRAPHS = 3  # of the longest text
MIN_SENTENCES = 0.5  # share of the paragraphs that end as sentences do, or as what comes before a list or a quotation
MIN_SHARE_OF_RECORDS = 0.5  # that have such a text
MAX_LEVELS = 8  # elements between a text and what holds its paragraphs
_PARAGRAPHS = frozenset(["blockquote", "dd", "dl", "dt", "li", "ol", "p", "pre", "ul", *HEADING_TAGS])
_PASSED = _PARAGRAPHS | INLINE_TAGS
_LINKS = frozenset(["a"])
_HOLDERS_OF_TITLES = _LINKS | HEADING_TAGS
_ENDS = (".", "!", "?", ":", "\u2026", "\u3002", "\uff01", "\uff1f", "\u0964", "\u061f")
_DIGITS = re.compile(r"\d+")

Part = tuple[int, str]
"""A piece, and a text of it."""


def split_separated(pieces: Pieces, keys: Sequence[Hashable]) -> Pieces:
    """Split texts such as `2 rooms | Berlin` and `4.5 (120)` where nearly all texts of their key and class are such.

    A dash separates a date from what is not one: `Berlin - 3 May`.
    """
    marked = {
        piece
        for piece, text in enumerate(pieces.texts)
        if (" " in text and _BARS_AND_DASHES.search(text)) or (text[-1:] == ")" and _is_rated(text))
    }
    if not marked:
        return pieces
    members: dict[Hashable, list[int]] = defaultdict(list)
    marked_keys = {keys[piece] for piece in marked}
    for piece, key in enumerate(keys):
        if key in marked_keys:
            members[key, class_of(pieces, piece)].append(piece)
    marks: dict[int, re.Pattern[str]] = {}
    for group in members.values():
        if len(group) > 1 and not marked.isdisjoint(group):
            mark = _find_mark(pieces, group)
            marks |= dict.fromkeys(group, mark) if mark else {}
    if not marks:
        return pieces
    return rebuild(pieces, ((piece, part) for piece in range(len(pieces)) for part in _parts(pieces, piece, marks)))


def split_labelled(pieces: Pieces, keys: Sequence[Hashable]) -> Pieces:
    """Split texts with several labels that records share, such as `Released: May 2015 Visits: 75`."""
    members: dict[Hashable, list[int]] = defaultdict(list)
    for piece, text in enumerate(pieces.texts):
        if 1 < text.count(":") <= MAX_LABELS_OF_TEXT and len(_LABEL_END.findall(text)) > 1:
            members[keys[piece]].append(piece)
    parts: dict[int, list[str]] = {}
    for group in members.values():
        labels = _find_shared_labels([pieces.texts[piece] for piece in group])
        if labels is None:
            continue
        for piece in group:
            starts = [match.start() for match in labels.finditer(pieces.texts[piece])]
            if len(starts) > 1:
                starts = starts if starts[0] == 0 else [0, *starts]  # a value whose label is in an element of its own
                bounds = zip(starts, [*starts[1:], None], strict=True)
                parts[piece] = [pieces.texts[piece][slice(*each)].strip(" |\u00b7,;\u2013-") for each in bounds]
    if not parts:
        return pieces
    kept = ((piece, parts.get(piece, [text])) for piece, text in enumerate(pieces.texts))
    return rebuild(pieces, ((piece, part) for piece, own in kept for part in own))


def _find_shared_labels(texts: Sequence[str]) -> re.Pattern[str] | None:
    """Make a pattern for the labels with a colon that most texts share; None if they do not share two."""
    before: dict[str, list[list[str]]] = defaultdict(list)
    for text in texts:
        for match in _LABEL_END.finditer(text):
            before[match[1]].append(text[: match.start()].split()[-MAX_WORDS_OF_LABEL:])
    shared = {word: leading for word, leading in before.items() if len(leading) >= max(2, MIN_SEPARATED * len(texts))}
    labels = [label for word, leading in shared.items() if (label := _whole_label(word, leading))[0].isupper()]
    if len(labels) < 2:
        return None
    return re.compile(rf"(?<!\S)(?:{'|'.join(map(re.escape, labels))})\s?[:\uff1a]\s")


def _whole_label(word: str, leading: Sequence[list[str]]) -> str:
    """Put the words before the last one of a label that nearly all its occurrences share in front of it."""
    for place in range(1, MAX_WORDS_OF_LABEL + 1):
        found = Counter(words[-place] for words in leading if len(words) >= place)
        if not found:
            break
        other, count = found.most_common(1)[0]
        if count < MIN_SEPARATED * len(leading) or not other.isalpha():
            break
        word = f"{other} {word}"
    return word


def class_of(pieces: Pieces, piece: int) -> str:
    """Return the class of the element around a text, or of the one that holds it."""
    names, owner = pieces.document.values_of("class"), pieces.owners[piece]
    return names.get(owner) or names.get(pieces.document.parents.item(owner), "")


def _find_mark(pieces: Pieces, group: Sequence[int]) -> re.Pattern[str] | None:
    if not _WHOLE_THINGS.isdisjoint(telling_words(class_of(pieces, group[0])[:MAX_CLASSES])):
        return None
    texts, least = [pieces.texts[piece] for piece in group], MIN_SEPARATED * len(group)
    if sum(_BARS.search(text) is not None for text in texts) >= least:
        return _BARS
    if sum(map(_is_rated, texts)) >= least:
        return _BEFORE_COUNT
    pairs = [_DASH.split(text) for text in texts]
    if sum(len(pair) == 2 for pair in pairs) < least:
        return None
    is_moment = moment_reader(pieces.document.language)
    counts: Counter[tuple[bool, ...]] = Counter()
    for pair in pairs:
        counts[tuple(map(is_moment, pair)) if len(pair) == 2 else ()] += 1
        possible = len(pairs) - counts.total()
        if max(counts[True, False], counts[False, True]) + possible < least:  # usually after a text or two
            return None
    return _DASH


def _is_rated(text: str) -> bool:
    """Tell whether a text is a rating and how many rated: `4.5 (120)`."""
    return _RATED.fullmatch(text) is not None


def _parts(pieces: Pieces, piece: int, marks: dict[int, re.Pattern[str]]) -> list[str]:
    text = pieces.texts[piece]
    parts = marks[piece].split(text) if piece in marks else [text]
    return [part.strip() for part in parts] if all(parts) else [text]


def moment_reader(language: str) -> Callable[[str], bool]:
    """Make a function that tells whether a text is a date or a time."""
    is_day = day_reader(language)
    return lambda text: len(text) <= MAX_LENGTH_OF_MOMENT and (_CLOCK.search(text) is not None or is_day(text))


@lru_cache(maxsize=128)
def day_reader(language: str) -> Callable[[str], bool]:
    """Make a function that tells whether a text is a date, also one without a year or as `yesterday at 9:15`."""
    locale = Locale(language=language, today=_ANY_DAY)

    def is_day(text: str) -> bool:
        if not text or len(text) > MAX_LENGTH_OF_MOMENT:
            return False
        plain = fold(text)
        first, _, rest = plain.partition(" ")
        if any(read_relative_date(each, locale) for each in (plain, first.strip(",."), rest)):  # `Posted 3 days ago`
            return True
        has_number = any(map(str.isdigit, text))
        return has_number and (
            _NUMERIC_DAY.search(text) is not None or any(find_month(word, language) for word in _LETTERS.findall(text))
        )

    return is_day


def join_dates(pieces: Pieces) -> Pieces:
    """Join days, months and years in elements of their own, as in the leaf of a calendar, and both ends of a period.

    Weekdays stay apart, and so do hours of departure and arrival.
    """
    language = pieces.document.language
    days = [piece for piece, text in enumerate(pieces.texts) if pieces.has_digits[piece] and _DAY.match(text)]
    runs = [run for run in (_date_around(pieces, day, language) for day in days) if run is not None]
    if len(runs) >= MIN_SEPARATED * len({pieces.records[day] for day in days}):
        pieces = _join(pieces, runs)
    is_day, is_moment = day_reader(language), moment_reader(language)
    ends = [
        (piece, piece + 1)
        for piece in range(len(pieces) - 1)
        if pieces.has_digits[piece]
        and pieces.lines[piece] == pieces.lines[piece + 1]
        and pieces.text_between(piece, piece + 1) in _DASHES
        and is_day(pieces.texts[piece])
        and is_moment(pieces.texts[piece + 1])
    ]
    return _join(pieces, ends, " \u2013 ")


def _join(pieces: Pieces, runs: Sequence[tuple[int, ...]], mark: str = " ") -> Pieces:
    """Join pieces that follow each other, with a mark between their texts."""
    return _join_as(pieces, {run: mark.join(pieces.texts[piece] for piece in run) for run in runs})


def _join_as(pieces: Pieces, texts: Mapping[tuple[int, ...], str]) -> Pieces:
    """Join pieces that follow each other to one with the text given."""
    if not texts:
        return pieces
    joined = {run[0]: run for run in texts}
    dropped = {piece for run in texts for piece in run[1:]}
    kept = [piece for piece in range(len(pieces)) if piece not in dropped]
    written = [texts[joined[piece]] if piece in joined else pieces.texts[piece] for piece in kept]
    found = rebuild(pieces, zip(kept, written, strict=True))
    for place, piece in enumerate(kept):
        if piece in joined:
            owners = [pieces.owners[each] for each in joined[piece]]
            found.owners[place] = found.nodes[place] = innermost_around(pieces.document, min(owners), max(owners))
    return found


def _date_around(pieces: Pieces, day: int, language: str) -> tuple[int, ...] | None:
    """Find the pieces of the date that a day belongs to: the month beside it, and the year behind both."""
    month_name = _DAY.match(pieces.texts[day])
    if month_name is not None and month_name[1]:
        is_date = find_month(month_name[1], language) and _is_year(pieces, day, day + 1)
        return (day, day + 1) if is_date else None
    for month in (day + 1, day - 1):
        if not _are_of_record(pieces, day, month) or not find_month(pieces.texts[month].rstrip("."), language):
            continue
        run = tuple(sorted((day, month)))
        return (*run, run[1] + 1) if _is_year(pieces, day, run[1] + 1) else run
    return None


def _is_year(pieces: Pieces, day: int, year: int) -> bool:
    return _are_of_record(pieces, day, year) and _YEAR.fullmatch(pieces.texts[year]) is not None


def _are_of_record(pieces: Pieces, one: int, other: int) -> bool:
    return 0 <= other < len(pieces) and pieces.records[one] == pieces.records[other] and not pieces.is_image[other]


def rebuild(pieces: Pieces, parts: Iterable[Part] | Iterator[Part]) -> Pieces:
    """Make pieces of some of these and the texts given."""
    found = Pieces(pieces.document, pieces.spans, pieces.tops)
    for piece, text in parts:
        found.records.append(pieces.records[piece])
        found.owners.append(pieces.owners[piece])
        found.nodes.append(pieces.nodes[piece])
        found.texts.append(text)
        found.lines.append(pieces.lines[piece])
        found.is_image.append(pieces.is_image[piece])
    return found


def join_headings(pieces: Pieces) -> Pieces:
    """Join the texts of a heading that one link holds, if some stand in no element of their own: `owner / name`."""
    document = pieces.document
    owners = np.array(pieces.owners, dtype=np.int64)
    is_headed, is_linked = (find_inside(document.ends, document.has_tag(tags)) for tags in (HEADING_TAGS, _LINKS))
    headings: dict[tuple[int, int], list[int]] = defaultdict(list)
    for piece in (is_headed & is_linked)[owners].nonzero()[0].tolist():
        node = pieces.owners[piece]
        if pieces.texts[piece] and document.tag(node) != "small" and (around := _linked_heading(pieces, node, piece)):
            headings[around, pieces.lines[piece]].append(piece)
    runs = [
        tuple(members)
        for members in headings.values()
        if members[-1] - members[0] == len(members) - 1
        and len({pieces.owners[piece] for piece in members}) == len(members) > 1
        and any(document.tag(pieces.owners[piece]) in _HOLDERS_OF_TITLES for piece in members)
    ]
    plain = [run for run in runs if not any(map(pieces.is_money, run))]  # a name may look like money: `R135`
    is_usual = 2 * len(plain) > len({pieces.records[members[0]] for members in headings.values()})
    if not plain or not is_usual:
        return pieces
    bounds = [(pieces.nodes[run[0]], document.ends.item(pieces.nodes[run[-1]])) for run in runs]
    texts = [" ".join(document.text(*each).split()) for each in bounds]
    return _join_as(pieces, dict(zip(runs, texts, strict=True)))


def _linked_heading(pieces: Pieces, node: int, piece: int) -> int:
    """Find the outer one of a link and a heading that are in each other and hold a text of a record; 0 if none are."""
    document, first = pieces.document, pieces.spans[pieces.records[piece]][0]
    has_heading = has_link = False
    while node > first:
        tag = document.tag(node)
        has_heading, has_link = has_heading or tag in HEADING_TAGS, has_link or tag == "a"
        if has_heading and has_link:
            return node
        node = document.parents.item(node)
    return 0


def join_written(pieces: Pieces, leaves: Leaves) -> Pieces:
    """Join the texts of elements that have paragraphs, in one record more than in another.

    Facts below each other have classes, links or headings of their own in most records, or are short.
    """
    members: dict[int, list[int]] = defaultdict(list)
    for piece, holder in enumerate(_find_holders(pieces)):
        members[holder].append(piece)
    members.pop(-1, None)
    if max(map(len, members.values()), default=0) < MIN_PARAGRAPHS:
        return pieces
    alike: dict[tuple[int, str], list[int]] = defaultdict(list)
    nodes = np.array(sorted(members), dtype=np.int64)
    tops = pieces.tops[[pieces.records[members[node][0]] for node in nodes.tolist()]]
    for node, path in zip(nodes.tolist(), record_paths(leaves, tops, nodes).tolist(), strict=True):
        name = _DIGITS.sub("", pieces.document.attributes[node].get("class", ""))
        alike[path, name].append(node)
    found = [
        node for group in alike.values() if _are_written(pieces, [members[node] for node in group]) for node in group
    ]
    return _join_inside(pieces, {node: members[node] for node in sorted(found)}) if found else pieces


def _find_holders(pieces: Pieces) -> list[int]:
    """Find for each piece the element that holds its paragraph; -1 if there is none within its record."""
    document = pieces.document
    owners = np.array(pieces.owners, dtype=np.int64)
    firsts = np.array(pieces.spans, dtype=np.int64)[pieces.records, 0]
    passes = document.has_tag(_PASSED)
    holders = owners
    for _ in range(MAX_LEVELS):
        goes_on = passes[holders]
        if not goes_on.any():
            break
        holders = np.where(goes_on, document.parents[holders], holders)
    is_held = (holders > firsts) & ~np.array(pieces.is_image, dtype=np.bool_) & ~passes[holders]
    found: list[int] = np.where(is_held, holders, -1).tolist()
    return found


def _are_written(pieces: Pieces, texts: Sequence[list[int]]) -> bool:
    """Tell whether groups of pieces, each with one holder, are texts of several paragraphs."""
    records = {pieces.records[members[0]] for members in texts}
    if len(records) < max(2, MIN_SHARE_OF_RECORDS * len(pieces.spans)) or len(records) < len(texts):
        return False
    lines = [_join_lines(pieces, members) for members in texts]
    counts, every = Counter(map(len, lines)), [line for each in lines for line in each]
    if len(counts) < 2 or max(counts) < MIN_PARAGRAPHS or sum(map(len, every)) < MIN_PARAGRAPH * len(every):
        return False
    if sum(line.endswith(_ENDS) for line in every) < MIN_SENTENCES * len(every):
        return False
    return not any(pieces.is_money(piece) for members in texts for piece in members) and not _have_parts(pieces, texts)


def _join_lines(pieces: Pieces, members: Sequence[int]) -> list[str]:
    """Join the pieces of each line."""
    return [" ".join(pieces.texts[piece] for piece in line) for _, line in groupby(members, pieces.lines.__getitem__)]


def _have_parts(pieces: Pieces, texts: Sequence[list[int]]) -> bool:
    """Tell whether most texts have an element of one kind that is a fact: a heading, a link, or one with a class."""
    counts = Counter(kind for members in texts for kind in {_part(pieces, piece) for piece in members})
    return any(2 * count > len(texts) for kind, count in counts.items() if kind)


def _part(pieces: Pieces, piece: int) -> str:
    """Name the kind of element that makes a piece a fact of its own; empty if nothing does."""
    document, node = pieces.document, pieces.owners[piece]
    tag, around = document.tag(node), document.tag(document.parents.item(node))
    if tag in HEADING_TAGS or (tag == "a" and around not in _PARAGRAPHS):
        return tag
    return document.attributes[node].get("class", "") if tag in _PARAGRAPHS or tag in INLINE_TAGS else ""


def _join_inside(pieces: Pieces, written: Mapping[int, list[int]]) -> Pieces:
    """Join all texts inside of each holder, of which outer ones come first; images stay.

    What most of them have before their first paragraph, such as a title, is not written by the same person.
    """
    document, nodes = pieces.document, pieces.nodes
    firsts = {node: bisect_left(nodes, node) for node in written}
    has_more = 2 * sum(firsts[node] < members[0] for node, members in written.items()) > len(written)
    stop = -1
    runs: dict[int, int] = {}
    joined: dict[int, list[int]] = {}
    for holder, members in written.items():
        if holder < stop:
            continue
        stop = document.ends.item(holder)
        inside = range(members[0] if has_more else firsts[holder], bisect_left(nodes, stop))
        texts = [piece for piece in inside if not pieces.is_image[piece]]
        joined[texts[0]] = texts
        runs[texts[0]] = holder
    dropped = {piece for texts in joined.values() for piece in texts[1:]}
    kept = [piece for piece in range(len(pieces)) if piece not in dropped]
    texts_of = (" ".join(pieces.texts[each] for each in joined.get(piece, (piece,))) for piece in kept)
    found = rebuild(pieces, zip(kept, texts_of, strict=True))
    for place, piece in enumerate(kept):
        if piece in runs:
            found.owners[place] = runs[piece]
            found.nodes[place] = max(runs[piece], found.nodes[place - 1] + 1 if place else 0)
    return found
