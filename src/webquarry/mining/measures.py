"""Measure candidates: how alike, rich and aligned their records are, and how much of the page they hold."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from webquarry.html.node_paths import paths_below
from webquarry.mining.candidates import NEVER_RECORDS, Candidates
from webquarry.model.document import Document
from webquarry.page.leaves import (
    Leaves,
    count_before,
    count_distinct,
    expand_ranges,
    find_distinct,
    number_values,
    range_sums,
)

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

MIN_PARTS = 2  # different parts of records that are more than a list of one thing
USUAL_SHARE = 0.55  # share of the records with a part, for the part to be expected of all
FAMILIAR_SHARE = 0.3  # share of the records with a part, for the part to be known in the group
MIN_LIKENESS = 0.25  # of a record to its group; below it the record is an outlier
SAME_EDGE = 6  # pixels that left edges may differ
SAME_WIDTH = 8  # pixels that widths may differ
MAX_EDGES = 6  # records side by side in one row
MAX_TOUCH = 4  # pixels by which boxes side by side may reach into each other
MAX_PRICE_LENGTH = 40  # characters, with the words beside an amount
_SIGNS = "$€£¥₹₩₽₺₫฿₴₪"
_PRICE = re.compile(
    rf"\d\s?(?:[{_SIGNS}]|zł|Kč|kr\b|TL\b|EUR|USD|GBP)|(?:[{_SIGNS}]|EUR|USD|GBP|Rs\.?|R\$)\s?(?:\d|$)|^\s*(?:[€₽₺₴]|zł|Kč)\s*$"
)
_CURRENCY_WORDS = (*_SIGNS, "z\u0142", "K\u010d", "kr", "TL", "EUR", "USD", "GBP", "Rs")
"""Each price has one of these."""
MIN_HOLDERS, MIN_FACTS = 3, 2  # elements that hold facts, and facts in each on average, to tell labels from texts
MIN_SHARE_OF_HOLDERS = 0.6  # of a group, with the same label; facts that half of the cards lack are rare
PROSE_LENGTH = 80  # characters of a text, on average, from which it is prose


@dataclass(frozen=True)
class Measures:
    """Columns with one entry a record, then with one a group; all shares are between 0 and 1."""

    likeness: Floats  # of each record to its group: it has the usual parts, and few others
    overlaps: Floats  # share of their parts that each record and the next of its group have in common
    boxes: Floats | None  # left, top, right and bottom of each record; None without a layout

    share: Floats  # of the page's weight
    area: Floats  # share of the page's area; without a layout that of the weight
    alike: Floats  # mean of the records' likeness and overlaps
    neighbours: Floats  # mean overlap
    richness: Floats  # median number of different parts in a record
    usual: Numbers  # number of parts that most records have
    leaves: Floats  # mean number of leaves in a record
    is_prose: Flags  # whether records are paragraphs of running text, whatever links and marks are in it
    length: Floats  # mean weight of a leaf
    variety: Floats  # share of leaves that are different parts: low where records hold lists
    links: Floats  # share of lone links among the leaves, or in the weight if that is more
    furniture: Floats  # share of the weight in page furniture
    leads: Floats  # share of the records that lead somewhere no other does
    distinct: Floats  # share of the records that say something no other does
    priced: Floats  # share of the records that have a price
    facts: Floats  # share of the records that are labelled facts of what holds them: `Engine:` once in each card
    alignment: Floats  # high if records have few left edges and widths, and few cover each other


def measure(
    document: Document, leaves: Leaves, candidates: Candidates, lone_links: Flags, furniture: Flags
) -> Measures:
    """Measure all candidates together."""
    starts, stops = leaves.starts[candidates.first], leaves.starts[candidates.stop]
    counts = candidates.sums(stops - starts)
    weights = range_sums(leaves.weights, starts, stops)
    total = np.maximum(candidates.sums(weights), 1e-9)
    parts = _Parts(candidates, starts, stops, partial(_codes, document, leaves, candidates))
    different, usual, richness = _tell_apart_by_class(document, leaves, candidates, parts)
    neighbours = candidates.sums(parts.overlaps) / np.maximum(1, candidates.sizes - 1)
    link_weight = candidates.sums(range_sums(leaves.weights * lone_links, starts, stops)) / total
    link_count = candidates.sums(range_sums(lone_links, starts, stops)) / counts
    boxes = _record_boxes(document, leaves, candidates)
    contents = _content_codes(document, leaves)
    belongs = parts.likeness >= MIN_LIKENESS
    share = _sums_capped(candidates, weights, belongs) / max(1.0, float(leaves.weights.sum()))
    return Measures(
        likeness=parts.likeness,
        overlaps=parts.overlaps,
        boxes=boxes,
        share=share,
        area=share if boxes is None else _area(document, candidates, boxes, belongs),
        alike=(candidates.sums(parts.likeness) / candidates.sizes + neighbours) / 2,
        neighbours=neighbours,
        richness=richness,
        usual=usual,
        leaves=counts / candidates.sizes,
        is_prose=_are_paragraphs(document, leaves, candidates) & (total >= PROSE_LENGTH * candidates.sizes),
        length=total / counts,
        variety=candidates.sums(different) / counts,
        links=np.maximum(link_weight, link_count),
        furniture=candidates.sums(range_sums(leaves.weights * furniture, starts, stops)) / total,
        leads=_leads(document, candidates),
        distinct=_share_of_different(candidates, _sum_codes(contents, starts, stops)),
        priced=candidates.sums(range_sums(_are_prices(document, leaves), starts, stops) > 0) / candidates.sizes,
        facts=_share_of_facts(document, leaves, candidates, contents),
        alignment=np.ones(candidates.count) if boxes is None else _alignment(candidates, boxes),
    )


def _are_prices(document: Document, leaves: Leaves) -> Flags:
    """Tell for each leaf whether it is an amount with the sign of its currency, or such a sign."""
    texts = list(map(document.texts.__getitem__, leaves.nodes.tolist()))
    prices = np.zeros(len(texts), dtype=np.bool_)
    whole = "\n".join(texts)
    present = filter(whole.__contains__, _CURRENCY_WORDS)  # quicker than text by text
    starts = [match.start() for word in present for match in re.finditer(re.escape(word), whole)]
    if not any(_PRICE.match(whole, start - before) for start in starts for before in range(min(start, 2) + 1)):
        return prices  # signs alone are no prices
    stops = np.array([len(text) + 1 for text in texts]).cumsum()
    for leaf in set(stops.searchsorted(starts, side="right").tolist()):
        prices[leaf] = len(texts[leaf]) <= MAX_PRICE_LENGTH and _PRICE.search(texts[leaf]) is not None
    return prices


class _Parts:
    """The parts of records: the different paths to their leaves, from the record or from what holds it."""

    def __init__(
        self,
        candidates: Candidates,
        starts: Numbers,
        stops: Numbers,
        number_parts: Callable[[Numbers, Numbers], Numbers],
    ) -> None:
        self._candidates, self._lengths = candidates, stops - starts
        records, places = expand_ranges(starts, stops)
        codes = number_parts(records, places)
        width = int(codes.max(initial=0)) + 1
        count = len(starts)
        keys, self._repeats = count_distinct((candidates.groups[records] * width + codes) * count + records)
        in_group, self._holders = keys // count, keys % count
        holders = self._holders
        is_new = np.ones(len(keys), dtype=np.bool_)
        is_new[1:] = in_group[1:] != in_group[:-1]
        self._place = is_new.cumsum() - 1
        self._in_next = holders[:-1][~is_new[1:] & (holders[1:] == holders[:-1] + 1)]
        """The record of each part that the next record of its group has too."""
        self._groups = in_group[is_new] // width
        self._frequency = np.bincount(self._place) / candidates.sizes[self._groups]
        self._is_usual = self._frequency >= USUAL_SHARE

    @cached_property
    def usual(self) -> Numbers:
        """The number of parts that most records of each group have."""
        return np.bincount(self._groups[self._is_usual], minlength=self._candidates.count)

    @cached_property
    def different(self) -> Numbers:
        """The number of parts of each record."""
        return np.bincount(self._holders, minlength=len(self._lengths))

    @cached_property
    def likeness(self) -> Floats:
        """How much each record has the usual parts of its group, and few others."""
        candidates, count = self._candidates, len(self._lengths)
        usual = np.where(self._is_usual, self._frequency, 0.0)
        expected = np.bincount(self._groups, usual, candidates.count)[candidates.groups]
        had = np.bincount(self._holders, usual[self._place], count) / np.maximum(1e-9, expected)
        is_familiar = self._frequency[self._place] >= FAMILIAR_SHARE
        familiar = np.bincount(self._holders, self._repeats * is_familiar, count) / np.maximum(1, self._lengths)
        likeness: Floats = np.sqrt(had * familiar)
        return likeness

    @cached_property
    def overlaps(self) -> Floats:
        """The share of their parts that each record and the next of its group have in common."""
        different = self.different
        common = np.bincount(self._in_next, minlength=len(different))
        either = different - common
        either[:-1] += different[1:]
        overlaps: Floats = common / np.maximum(1, either)
        return overlaps


def _tell_apart_by_class(
    document: Document, leaves: Leaves, candidates: Candidates, parts: _Parts
) -> tuple[Numbers, Numbers, Floats]:
    """Count the different parts, the usual ones and the median of the former, by class names where paths are alike.

    Name and place may be in a `p` each.  Only these groups are counted so: class names differ for many reasons.
    """
    different, usual, richness = parts.different, parts.usual, _medians(candidates, parts.different)
    starts, stops = leaves.starts[candidates.spans.T]
    is_uniform = (richness < MIN_PARTS) | (usual < MIN_PARTS)
    is_uniform &= candidates.sums(stops - starts) >= MIN_PARTS * candidates.sizes
    if not is_uniform.any():
        return different, usual, richness
    here = is_uniform[candidates.groups]
    sizes = candidates.sizes[is_uniform]
    groups = np.arange(len(sizes)).repeat(sizes)
    uniform = Candidates(candidates.first[here], candidates.stop[here], groups, count_before(sizes))
    by_class = _Parts(uniform, starts[here], stops[here], lambda _, places: _class_codes(document, leaves, places))
    different, usual = different.copy(), usual.copy()
    different[here] = by_class.different
    usual[is_uniform] = by_class.usual
    richness[is_uniform] = _medians(uniform, by_class.different)
    return different, usual, richness


def _class_codes(document: Document, leaves: Leaves, places: Numbers) -> Numbers:
    """Number leaves by the path and class of their element, and the class of what holds that."""
    codes = np.zeros(len(leaves), dtype=np.int64)
    codes[places] = 1
    used = codes.nonzero()[0]
    owners = leaves.owners[used]
    names, around = (map(document.values_of("class").get, each.tolist()) for each in (owners, document.parents[owners]))
    codes[used] = number_values(zip(leaves.shapes[owners].tolist(), names, around, strict=True))
    return codes[places]


def _codes(document: Document, leaves: Leaves, candidates: Candidates, records: Numbers, places: Numbers) -> Numbers:
    """Number the part that each leaf of each record is, in small numbers."""
    first = candidates.first
    is_one = (document.ends[first] >= candidates.stop) & (document.tags[first] >= 0)
    above = np.where(is_one, first, document.parents[first])[records]
    owners = leaves.owners[places]
    below = paths_below(leaves.shapes[owners], leaves.shapes[above], leaves.depths[owners] - leaves.depths[above])
    return find_distinct(below * np.uint64(2) + leaves.is_image[places])[1]


def _are_paragraphs(document: Document, leaves: Leaves, candidates: Candidates) -> Flags:
    """Tell for each group whether it consists of p elements, most of which begin with a text of their own."""
    first = candidates.first
    is_paragraph = document.has_tag(["p"], first)
    is_single = document.ends[first] == candidates.stop
    begins = np.concatenate([leaves.owners, [-1]])[leaves.starts[first]] == first
    return candidates.sums(is_paragraph & is_single & begins) > candidates.sizes / 2


def _leads(document: Document, candidates: Candidates) -> Floats:
    """Return for each group the share of records whose links, or the link around them, no other record has."""
    addresses = document.values_of("href")
    links = np.array([node for node, address in addresses.items() if address.strip("#")], dtype=np.int64)
    links = links[document.has_tag(["a"], links)]
    if not len(links):
        return np.zeros(candidates.count)
    codes = np.array([hash(addresses[link]) for link in links.tolist()])
    starts, stops = links.searchsorted(candidates.first), links.searchsorted(candidates.stop)
    before = np.maximum(starts - 1, 0)
    is_around = (
        (starts == stops) & (links[before] < candidates.first) & (document.ends[links[before]] > candidates.first)
    )
    return _share_of_different(candidates, np.where(is_around, codes[before], _sum_codes(codes, starts, stops)))


def _content_codes(document: Document, leaves: Leaves) -> Numbers:
    """Number the leaves so that those of the same text, or of the same picture, share a number."""
    sources = document.values_of("src")
    codes = np.array(list(map(hash, leaves.texts)), np.int64)
    codes[leaves.is_image] = [hash(sources.get(node, "")) for node in leaves.nodes[leaves.is_image].tolist()]
    return codes


def _share_of_facts(document: Document, leaves: Leaves, candidates: Candidates, contents: Numbers) -> Floats:
    """Return for each group the share of records that begin with a text that most holders have once each.

    Only groups with several records in each of several holders can be facts.
    """
    groups, holders = candidates.groups, document.parents[candidates.first].astype(np.int64)
    pairs, holder = find_distinct(groups * len(document) + holders)
    held = np.bincount(pairs // len(document), minlength=candidates.count)
    may_be = (held >= MIN_HOLDERS) & (candidates.sizes >= MIN_FACTS * held)
    facts = np.zeros(candidates.count)
    here = may_be[groups].nonzero()[0]
    if not len(here):
        return facts
    firsts = leaves.starts[candidates.first[here]]
    _, text = find_distinct(contents[firsts])
    width = int(text.max()) + 1
    texts_of_holders, where = find_distinct(holder[here] * width + text)
    in_group = (pairs // len(document))[texts_of_holders // width] * width + texts_of_holders % width
    _, label = find_distinct(in_group)
    is_shared = np.bincount(label)[label] >= MIN_SHARE_OF_HOLDERS * held[in_group // width]
    is_fact = (is_shared & (np.bincount(where) == 1))[where] & ~leaves.is_image[firsts]
    return np.bincount(groups[here], is_fact, candidates.count) / candidates.sizes


def _sum_codes(codes: Numbers, starts: Numbers, stops: Numbers) -> Numbers:
    """Sum the codes of each range, which gives a code again: overflow does no harm."""
    before = count_before(codes)
    sums: Numbers = before[stops] - before[starts]
    return sums


def _share_of_different(candidates: Candidates, codes: Numbers) -> Floats:
    """Return for each group the number of different codes other than 0, to the number of its records."""
    groups, codes = candidates.groups, codes[np.lexsort((codes, candidates.groups))]  # groups are in order
    is_new = codes != 0
    is_new[1:] &= (codes[1:] != codes[:-1]) | (groups[1:] != groups[:-1])
    return candidates.sums(is_new) / candidates.sizes


def _medians(candidates: Candidates, values: Numbers) -> Floats:
    width = int(values.max(initial=0)) + 1
    ordered = np.sort(candidates.groups * width + values) % width
    middles = candidates.offsets[:-1] + (candidates.sizes - 1) // 2
    others = candidates.offsets[:-1] + candidates.sizes // 2
    medians: Floats = (ordered[middles] + ordered[others]) / 2
    return medians


def _record_boxes(document: Document, leaves: Leaves, candidates: Candidates) -> Floats | None:
    """Find left, top, right and bottom of each record: of its element, else of all its leaves.

    A run of siblings is as wide as what holds it: the length of its lines says nothing about its position.
    """
    if document.layout is None or leaves.boxes is None:
        return None
    first = candidates.first
    boxes = document.layout.boxes[first].astype(np.float64)
    is_block = (document.tags[first] >= 0) & ~document.has_tag(NEVER_RECORDS, first)
    has_own = (document.ends[first] == candidates.stop) & is_block & (boxes[:, 2] * boxes[:, 3] > 0)
    boxes[:, 2:] += boxes[:, :2]
    others = (~has_own).nonzero()[0]
    if len(others):
        ranges = leaves.starts[candidates.spans[others]].ravel()
        padded = np.vstack([leaves.boxes, np.zeros(4)])  # a range may end after the last leaf
        boxes[others, :2] = np.minimum.reduceat(padded[:, :2], ranges)[::2]
        boxes[others, 2:] = np.maximum.reduceat(padded[:, 2:], ranges)[::2]
    is_run = document.ends[first] < candidates.stop
    holders = document.layout.boxes[document.parents[first[is_run]]].astype(np.float64)
    holders[:, 2] += holders[:, 0]
    boxes[is_run, ::2] = np.where(np.isnan(holders[:, :1]), boxes[is_run, ::2], holders[:, ::2])
    return boxes


def _sums_capped(candidates: Candidates, values: Floats, belongs: Flags) -> Floats:
    """Sum the values of each group, counting an outlier with at most the mean of the others.

    Outliers leave the group in the end, so a large one must not raise its score.
    """
    means = candidates.sums(values * belongs) / np.maximum(1, candidates.sums(belongs))
    return candidates.sums(np.where(belongs, values, np.minimum(values, means[candidates.groups])))


def _area(document: Document, candidates: Candidates, boxes: Floats, belongs: Flags) -> Floats:
    layout = document.layout
    page = max(1, min(layout.width, layout.viewport) * layout.height) if layout else 1
    areas: Floats = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    return np.minimum(1.0, _sums_capped(candidates, areas, belongs) / page)


def _alignment(candidates: Candidates, boxes: Floats) -> Floats:
    sizes = candidates.sizes
    sides = np.stack([boxes[:, 0] / SAME_EDGE, boxes[:, 1] / SAME_EDGE, (boxes[:, 2] - boxes[:, 0]) / SAME_WIDTH])
    limits = np.clip(sizes // 2, [[1], [1], [2]], [[MAX_EDGES], [1], [2]])  # one top, and two widths
    edges, tops, widths = _most_common(candidates, sides, limits)
    edges = np.where(tops == 1, 1.0, edges)  # all in one row
    over = candidates.sums(_cover_next(candidates, boxes)) / np.maximum(1, sizes - 1)
    alignment: Floats = edges * (0.5 + 0.5 * widths) * (1 - over)
    return alignment


def _most_common(candidates: Candidates, values: Floats, limits: Numbers) -> Floats:
    """Return for each group the share of records with one of its most common values, as many as the limit says.

    Each row of values has its row of limits, and gets a row of shares.
    """
    rounded = np.round(values).astype(np.int64)
    rounded -= rounded.min(initial=0)
    width = int(rounded.max(initial=0)) + 1
    rows = np.arange(len(values))[:, np.newaxis] * candidates.count + candidates.groups  # a number for row and group
    distinct, counts = count_distinct((rows * width + rounded).ravel())
    groups = distinct // width
    most = int(counts.max(initial=0))
    counts = most - np.sort(groups * (most + 1) + most - counts) % (most + 1)  # from the largest of each group
    rank = np.arange(len(groups)) - groups.searchsorted(groups)
    common = np.where(rank < limits.ravel()[groups], counts, 0)
    shares: Floats = np.bincount(groups, common, limits.size).reshape(limits.shape) / candidates.sizes
    return shares


def _cover_next(candidates: Candidates, boxes: Floats) -> Flags:
    over = np.zeros(len(boxes), dtype=np.bool_)
    one, next_one = boxes[:-1], boxes[1:]
    common = np.minimum(one[:, 2:], next_one[:, 2:]) - np.maximum(one[:, :2], next_one[:, :2])
    over[:-1] = (common > MAX_TOUCH).all(axis=1) & (candidates.groups[1:] == candidates.groups[:-1])
    return over
