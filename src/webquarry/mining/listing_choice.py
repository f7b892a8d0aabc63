"""Choose the list and the columns that a person wants, and follow the list over its pages.

Pages of one listing keep their column names, and records that were there before are dropped:

first  title | price             later  title | text_2 | price     ->    title | text_2 | price
       Kettle   12.00                   Kettle  new      12.00           (dropped: it was on the first page)
                                        Lamp    used      9.50           Lamp    used     9.50
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import islice
from typing import TypeVar

import numpy as np

from webquarry.errors import InputError
from webquarry.html.columns import Kind
from webquarry.mining.visual import mine_around
from webquarry.model.document import Document
from webquarry.model.names import distinct
from webquarry.model.region import Record, Region
from webquarry.model.table_columns import Field
from webquarry.model.wording import count

MAX_COMPARED = 3000  # texts of a page among which the nearest is looked for
MAX_SHOWN = 80  # characters of the nearest text in a message
MIN_SURE_SCORE = 0.05
"""The score of a best region below which it is doubtful."""
MAX_SCORE_OF_SECOND = 0.7
"""The score of the second region, to that of the best, above which the best is doubtful.

Calibrated with uneven records on the listing pages of the corpora and on 32 of our own, rendered, static and without
CSS.  Of doubted lists 4 of 14 are wrong (an F1 below .9), of others 6 of 197 (tune half); 4 of 7 and 7 of 146 (check
half).
"""
MAX_UNNAMED = 2
"""Columns with no name but their kind and a number, above which a table needs a look.

Calibrated on 103 listing pages of other sites, most of them without their style sheets, judged by eye.  Of the tables
that a person would have to correct it tells 10 of 21 on the half to calibrate on and 17 of 20 on the other, of those
that are right 0 of 16 and 0 of 24.  In the corpus of modern listings it also tells 3 of 26 that are right.
"""
_UNNAMED = re.compile(r"(?:badge|date|image|number|price|text)_\d+")
FEW_WORDS = 80  # on a page that shows little without its scripts; the shortest listing of the corpora has 89
MIN_SCRIPT = 1  # script elements of such a page that run


def pick_region(regions: Sequence[Region], number: int) -> Region:
    """Pick a region by its number, counted from 1, the best; there must be at least one region."""
    if not 1 <= number <= len(regions):
        there = count(len(regions), "region")
        raise InputError(f"{regions[0].document.url}: page has {there}; --region {number} is not among them")
    return regions[number - 1]


def find_like(document: Document, regions: Sequence[Region], words: str) -> Region:
    """Find the first of the regions with a record that has these words; if there is none, grow one around them."""
    found = next(iterate_like(document, regions, words), None)
    if found is None:
        raise InputError(
            f"{document.url}: {words!r} is on the page, but nothing like it repeats; name words of a record in a list"
        )
    return found


def iterate_like(document: Document, regions: Sequence[Region], words: str) -> Iterator[Region]:
    """List the regions with a record that has these words, then what can be grown around them, then single records."""
    wanted = _fold(words)
    if not wanted:
        raise InputError(f"{document.url}: no words to look for; give some of one record")
    having = [region for region in regions if any(wanted in _fold(record.text) for record in region.records)]
    yield from (region for region in having if len(region) > 1)
    places = find_innermost(document, words)
    if not places and not having:
        raise InputError(f"{document.url}: no text has {words!r}{_describe_nearest(document, wanted)}")

    def is_wanted(first: int, stop: int) -> bool:
        overlaps = any(first < document.ends[place] and place < stop for place in places)
        return overlaps and wanted in _fold(document.text(first, stop))

    yield from mine_around(document, is_wanted)
    yield from (region for region in having if len(region) == 1)


def find_doubt(document: Document, regions: Sequence[Region]) -> str:
    """Say that the best region or its columns may be wrong, and what to try; empty if nothing speaks against them."""
    best = regions[0] if regions else None
    why = _why_doubtful(regions) if best is not None else ""
    if best is not None and not why:
        return find_column_doubt(best)
    hints = []
    if document.kind != "scripts" and _comes_by_script(document):
        hints.append("its text may come by script: try --scripts")
    elif best is not None and len(regions) > 1:
        hints.append("try --region 2, or --like with words of one record")
    elif best is not None:
        hints.append("try --like with words of one record")
    told = "no records were found" if best is None else f"the best list is doubtful ({why})"
    return "; ".join([told, *hints])


def _why_doubtful(regions: Sequence[Region]) -> str:
    best = regions[0]
    if best.method != "visual":
        return ""
    if best.score < MIN_SURE_SCORE:
        return f"score {best.score:.2f}"
    if len(regions) > 1 and regions[1].score > MAX_SCORE_OF_SECOND * best.score:
        return "the second is nearly as good"
    return best.doubt


def find_column_doubt(region: Region) -> str:
    """Say that the columns of a list may need correction, and by what; empty if nothing speaks against them."""
    if region.method != "visual" or len(region) < 2:
        return ""
    unnamed = sum(_UNNAMED.fullmatch(field.name) is not None for field in region.columns)
    if unnamed <= MAX_UNNAMED:
        return ""
    return f"{unnamed} columns have no name and may be wrong; choose by --columns, or correct them in quarry workbench"


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def find_innermost(document: Document, words: str) -> list[int]:
    """Find the innermost elements whose text has the words, whatever their case and the spaces between them."""
    wanted = _fold(words)
    waiting = [0] if wanted and wanted in _fold(document.text()) else []
    found = []
    while waiting:
        node = waiting.pop()
        inside = [child for child in document.children(node) if wanted in _fold(document.text(child))]
        if inside:
            waiting += inside
        else:
            found.append(node)
    return found


def _describe_nearest(document: Document, wanted: str) -> str:
    """Name the text of the page that is most like the words, if there is any."""
    matcher = SequenceMatcher(b=wanted, autojunk=False)
    nearest, best = "", 0.0
    for text in islice(_seen_texts(document), MAX_COMPARED):
        matcher.set_seq1(_fold(text)[: 2 * len(wanted) + MAX_SHOWN])
        if matcher.quick_ratio() > best and (ratio := matcher.ratio()) > best:
            nearest, best = text, ratio
    return (
        f"; the nearest is {' '.join(nearest.split())[:MAX_SHOWN]!r}" if nearest else "; use words that the page shows"
    )


def _seen_texts(document: Document) -> Iterator[str]:
    nodes: Iterable[int] = np.flatnonzero((document.kinds == Kind.TEXT) & ~document.hidden).tolist()
    return (text for node in nodes if (text := document.texts[node].strip()))


def _comes_by_script(document: Document) -> bool:
    """Tell whether a page shows few words and has scripts that may bring more."""
    words = sum(len(text.split()) for text in _seen_texts(document))
    scripts = [document.attributes[node] for node in np.flatnonzero(document.has_tag(["script"])).tolist()]
    running = [each for each in scripts if each.get("type", "module") in ("", "module", "text/javascript")]
    return words < FEW_WORDS and len(running) >= MIN_SCRIPT


MIN_LIKENESS = 0.3  # of a region to the first page's; below it is another kind of list
_NAME_POINTS, _PATH_POINTS, _TYPE_POINTS = 2, 3, 1
_MIN_AGREEMENT = 3  # points of two columns that are one: the same place in the record, or the same name and type

T = TypeVar("T")
Key = tuple[str, tuple[str, ...]]


def keep_columns(region: Region, names: Mapping[str, Sequence[str]]) -> Region:
    """Keep some columns, in this order; `names` has the new name of each, and those that it may have.

    A column that the region lacks is empty, so that the tables of several pages have the same columns; without any of
    them the region has none.
    """
    fields = {field.name: field for field in region.columns}
    found = {new: next((fields[old] for old in olds if old in fields), None) for new, olds in names.items()}
    if not any(found.values()):
        return replace(region, fields=())
    nothing = (None,) * len(region)
    empty = Field("", "text", nothing, nothing)
    return replace(region, fields=tuple(replace(field or empty, name=new) for new, field in found.items()))


def drop_constant(region: Region) -> Region:
    """Leave out the columns that are the same in all records, unless all are."""
    kept = tuple(field for field in region.fields if not field.is_constant)
    return replace(region, fields=kept) if kept else region


def choose_columns(
    regions: Sequence[Region], names: Mapping[str, Sequence[str]] | None, *, drops_constant: bool
) -> Sequence[Region]:
    """Keep the named columns of regions, or all, and leave out regions without any; constant ones may be dropped."""
    if names is not None:
        regions = [kept for region in regions if (kept := keep_columns(region, names)).fields]
    return [drop_constant(region) for region in regions] if drops_constant else regions


class Listing:
    """A listing, page by page."""

    def __init__(self, number: int = 1) -> None:
        """Follow the region of this number on the first page, counted from 1, the best."""
        self._number = number
        self._first: Region | None = None
        self._columns: list[_Column] = []
        self._seen: set[Key] = set()
        self.is_continued = False
        """Whether the last page taken was not the first."""

    def take(self, regions: Sequence[Region]) -> Region | None:
        """Find the listing on the next page, with columns named as before and only records that are new.

        None if the page does not have the listing, or no new records.
        """
        self.is_continued = self._first is not None
        if self._first is None:
            self._first = found = pick_region(regions, self._number) if regions else None
        else:
            found = find_alike(self._first, regions)
        if found is None:
            return None
        named = self._rename(found)
        keys = [_key_of(record, named) for record in named.records]
        kept = [place for place, key in enumerate(keys) if key not in self._seen]
        self._seen.update(keys)
        return _keep_records(named, kept) if kept else None

    def _rename(self, region: Region) -> Region:
        columns = [_Column(region, each) for each in region.fields]
        pairs = _match_columns(self._columns, columns)
        taken = {column.field.name for column in self._columns}
        fields = []
        for place, column in enumerate(columns):
            known = pairs.get(place)
            name = self._columns[known].field.name if known is not None else distinct([column.field.name], taken)[0]
            taken.add(name)
            fields.append(replace(column.field, name=name))
            if known is None:
                self._columns.append(_Column(region, fields[-1]))
        return replace(region, fields=tuple(fields))


class _Column:
    """A column with its most common path within records."""

    def __init__(self, region: Region, field: Field) -> None:
        self.field = field
        paths = Counter(
            _path(region.document, node, span[0])
            for node, span in zip(field.nodes, region.spans, strict=True)
            if node is not None
        )
        self.path = paths.most_common(1)[0][0] if paths else None

    def agreement(self, other: _Column) -> int:
        """Rate how much two columns have in common."""
        one, two = self.field, other.field
        same_path = self.path is not None and self.path == other.path
        return _NAME_POINTS * (one.name == two.name) + _PATH_POINTS * same_path + _TYPE_POINTS * (one.type == two.type)


def find_alike(first: Region, regions: Sequence[Region]) -> Region | None:
    """Find the region most like the first, the better one of equals; None if none is like it."""
    likeness = [_likeness(first, region) for region in regions]
    best = max(likeness, default=0.0)
    return regions[likeness.index(best)] if best >= MIN_LIKENESS else None


def _match_columns(known: Sequence[_Column], columns: Sequence[_Column]) -> dict[int, int]:
    """Match columns with known ones, the best pairs first, and equals in order; places by places."""
    pairs = sorted(
        (-column.agreement(other), abs(place - place_known), place, place_known)
        for place, column in enumerate(columns)
        for place_known, other in enumerate(known)
        if column.agreement(other) >= _MIN_AGREEMENT
    )
    matched: dict[int, int] = {}
    for _, _, place, place_known in pairs:
        if place not in matched and place_known not in matched.values():
            matched[place] = place_known
    return matched


def _keep_records(region: Region, places: Sequence[int]) -> Region:
    """Keep only the records at these places."""
    if len(places) == len(region):
        return region
    fields = tuple(
        replace(
            each,
            values=_at(each.values, places),
            nodes=_at(each.nodes, places),
            typed=_at(each.typed, places) if each.typed else (),
            pointers=_at(each.pointers, places) if each.pointers else (),
        )
        for each in region.fields
    )
    return replace(region, spans=_at(region.spans, places), fields=fields)


def _key_of(record: Record, region: Region) -> Key:
    """Identify a record across pages by its text and the targets of its links."""
    links = [record.values[each.name] for each in region.fields if each.type == "link" and each.name in record.values]
    return record.text, tuple(links)


def _likeness(first: Region, region: Region) -> float:
    """Rate the likeness of two regions from 0 to 1, by kind, place in the page, columns and role."""
    if region.kind != first.kind or not len(region):
        return 0.0
    same_place = _record_path(first) == _record_path(region)
    mine, theirs = ({(each.name, each.type) for each in one.fields} for one in (first, region))
    shared = len(mine & theirs) / max(1, len(mine | theirs))
    return 0.5 * same_place + 0.4 * shared + 0.1 * (region.role == first.role)


def _record_path(region: Region) -> tuple[str, ...]:
    """List the tags from a record to the root."""
    return _path(region.document, region.spans[0][0], 0) if region.spans else ()


def _path(document: Document, node: int, top: int) -> tuple[str, ...]:
    """List the tags of the elements from a node up to `top`."""
    tags = []
    while node >= top and node > 0:
        tags.append(document.tag(node))
        node = document.parents.item(node)
    return tuple(filter(None, tags))


def _at(values: Sequence[T], places: Iterable[int]) -> tuple[T, ...]:
    return tuple(values[place] for place in places)
