"""Mine records by repetition, looks and size: the default miner.

Judges candidates by the layout where there is one, else by the tree alone.  Fails on pages whose records share nothing
but their position, and where a menu holds more text than the list beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import HEADING_TAGS
from webquarry.mining.alignment import align_fields
from webquarry.mining.candidates import MIN_SHARE, Candidates, find_candidates
from webquarry.mining.detail_page import find_lone_card, find_single
from webquarry.mining.measures import MIN_LIKENESS, PROSE_LENGTH, Flags, Floats, Measures, measure
from webquarry.mining.value_joins import tag_and_class
from webquarry.model.document import Document
from webquarry.model.nouns import replace_fields
from webquarry.model.region import Region
from webquarry.page.column_words import split_words
from webquarry.page.landmarks import find_furniture, find_lone_links, is_advertisement
from webquarry.page.leaves import Leaves, count_before, find_leaves, range_sums

MIN_LEAVES = 2  # of a page; fewer make neither a list nor a record
MIN_LIST_SCORE = 0.03  # below it a page hardly has a list and may be about a single record

# Scoring
RICH_BITS = 2.6  # log2 of (1 + different parts) from which a record is rich: five parts
ONE_PART_FACTOR = 0.25  # for records with one part in common; less if the part repeats within a record
ONE_LONG_PART_FACTOR = 0.05  # the same where the part is long: the records may be paragraphs
MENU_LIKE_LINKS = 0.5  # share of lone links from which a group looks like a menu
MENU_PENALTY = 0.8
FURNITURE_PENALTY = 0.8
MIN_DISTINCT = 0.5  # share of different records below which a group repeats a message
LEADLESS_PENALTY = 0.7  # for records that lead nowhere, or all to one place
MIN_VARIETY = 0.5  # share of different parts below which records look like lists of something smaller
MIN_OVERLAP = 0.25  # overlap of neighbours below which a group is a coincidence
COINCIDENCE_PENALTY = 0.8
FACTS_PENALTY = 0.9  # for records that are the labelled facts of larger ones

# Choosing
MAX_TAKEN = 0.1  # share of a candidate's leaves that may belong to better regions
MIN_OVERLAP_OF_FURTHER = 0.5  # overlap of neighbours that a region after the first must exceed
MIN_SCORE = 1e-6
MAX_REGIONS = 40
MIN_SHARE_OF_BEST = 0.5  # of the best score, for a further region to have the role main too
MENU_LINKS = 0.8  # share of lone links that makes a menu
MENU_PARTS = 2  # different parts of a menu entry, at most: a link and a count
MIN_EVEN_OVERLAP, MIN_EVEN_SHARE = 0.8, 0.5  # of neighbours and of the page's text; a group below both is uneven
UNEVEN = "records differ, and most of the page is in none of them"
FURNITURE_SHARE = 0.5  # share of its weight in furniture that makes a region part of it

# Grids
MIN_CELLS_PER_ROW = 1.6  # on average, for cells to be considered as the records
MIN_CELLS_INSIDE = 0.8  # share of the cells that lie in rows
MIN_SIDE_BY_SIDE = 0.4  # share of neighbouring cells that are side by side, as in a grid
CELL_OVERLAP = 0.65  # mean overlap of neighbouring cells of a row
STACKED_CELL_OVERLAP = 0.85  # the same for cells below each other
STATIC_CELL_OVERLAP = 0.8  # the same without a layout
MIN_CELL_WEIGHT = 0.6  # share of the rows' weight that the cells hold
MAX_FACTS = 0.5  # share of the cells that are labelled facts of their row
MAX_LINKED_FACTS = 0.5  # share of the cells that have a link, for them to be facts below a linked heading
MIN_PARTS_OF_CELL = 2  # texts and pictures, on average; a drawing beside a text is a button, or a fact with its icon
MIN_LEADS_OF_ROWS = 0.7  # of the share of rows that lead somewhere, for cells: those that do not are parts of a record
SECTION_OVERLAP = 0.5  # the same below a heading: other things are not expected there
MIN_SECTIONS = 0.8  # share of the rows that are headings above cells
MIN_WORTH_OF_CELLS = 0.7  # share of those cells that lead somewhere, or have a price
MAX_PARTS_BESIDE_CELLS = 2  # a heading and a link to more; rows with more are records that hold a list
MAX_GRID_DEPTH = 3
MAX_VARIETY_OF_HOLDERS = 0.25  # share of different parts in rows that only hold the records of a list
MIN_RECORDS_PER_HOLDER = 4  # on average
MIN_SHARE_OF_HOLDER = 0.8  # of the text of the rows that their records have
MIN_RICHNESS_OF_HELD = 3  # different parts of a record; lists of fewer are facts about the row


def mine_visual(document: Document) -> list[Region]:
    """Find all regions of records, the best first."""
    if len(find_leaves(document)) < MIN_LEAVES:
        return []
    page = _Page(document)
    regions = page.choose(page.scores)
    regions = page.put_content_first(regions)
    if regions and regions[0].score >= MIN_LIST_SCORE:
        return regions
    single = find_lone_card(document, page.leaves, page.furniture)
    said = "1 record alone in its list"
    if single is None:
        single, said = find_single(document, page.leaves, page.furniture), "1 record with most of the page's content"
    if single is None:
        return regions
    spans = np.array([(single, document.ends[single])])
    reasons = ("no good list found", said)
    return [_region(document, page.leaves, spans, role="main", score=MIN_LIST_SCORE, reasons=reasons), *regions]


def mine_around(document: Document, is_wanted: Callable[[int, int], bool]) -> Iterator[Region]:
    """Find the lists, however small, with a record that is wanted, the best first.

    `is_wanted` takes the first node of a record and the one after its last.
    """
    page = _Page(document, min_share=0.0)
    for group in np.argsort(-page.scores, kind="stable").tolist():
        spans = page.candidates.spans[page.candidates.records(group)]
        if any(is_wanted(first, stop) for first, stop in spans.tolist()):
            alone = np.zeros_like(page.scores)
            alone[group] = max(page.scores[group], MIN_SCORE)
            found = page.choose(alone)
            if found and any(is_wanted(first, stop) for first, stop in found[0].spans):
                yield found[0]


def make_region(document: Document, spans: Sequence[tuple[int, int]], reason: str) -> Region:
    """Make a region of records that a person named."""
    records = np.array(sorted(spans))
    return _region(document, find_leaves(document), records, role="main", score=1.0, reasons=(reason,))


class _Page:
    """A document with all that its lists are chosen by."""

    def __init__(self, document: Document, *, min_share: float = MIN_SHARE) -> None:
        self._document = document
        self.leaves = leaves = find_leaves(document)
        self.furniture, self._lone_links = find_furniture(document, leaves), find_lone_links(document, leaves)
        self.candidates = find_candidates(document, leaves, self._lone_links, min_share=min_share)

    @cached_property
    def _measures(self) -> Measures:
        return measure(self._document, self.leaves, self.candidates, self._lone_links, self.furniture)

    @cached_property
    def scores(self) -> Floats:
        """The score of each candidate."""
        return _score(self.candidates, self._measures) if self.candidates.count else np.zeros(0)

    def put_content_first(self, regions: list[Region]) -> list[Region]:
        """Put the best list outside furniture first, unless one in furniture is better even to the content alone.

        Without style sheets, menus that only scripts open have their full weight, which can be most of a page's.  The
        score of the list becomes that among the content.
        """
        weights = self.leaves.weights
        content = weights * ~self.furniture
        share = float(content.sum() / max(1.0, weights.sum()))
        for place, region in enumerate(regions):
            starts, stops = self.leaves.starts[np.array(region.spans).T]
            held = range_sums(content, starts, stops).sum() / max(1e-9, range_sums(weights, starts, stops).sum())
            if held > 1 - FURNITURE_SHARE and region.role != "menu":
                score = min(1.0, region.score / share)
                if score < max(MIN_LIST_SCORE, regions[0].score) or (place == 0 and region.score >= MIN_LIST_SCORE):
                    return regions
                return [replace_fields(region, role="main", score=score), *regions[:place], *regions[place + 1 :]]
        return regions

    def choose(self, scores: Floats) -> list[Region]:
        """Turn candidates into regions by these scores, the best first."""
        if not self.candidates.count:
            return []
        return _choose(self._document, self.leaves, self.candidates, self._measures, scores)


def _region(
    document: Document,
    leaves: Leaves,
    spans: Spans,
    *,
    role: str,
    score: float,
    reasons: tuple[str, ...] | Callable[[], tuple[str, ...]],
    doubt: str = "",
) -> Region:
    records = tuple((first, stop) for first, stop in spans.tolist())
    return Region(
        document=document,
        node=_holder(document, records),
        spans=records,
        fields=partial(align_fields, document, records, leaves),
        kind="records",
        method="visual",
        role=role,
        score=score,
        reasons=reasons,
        doubt=doubt,
    )


def _holder(document: Document, records: Sequence[tuple[int, int]]) -> int:
    """Find the innermost element that holds all records."""
    first, last = min(first for first, _ in records), max(stop for _, stop in records)
    node = document.parents.item(records[0][0])
    while document.ends.item(node) < last or node > first:
        node = document.parents.item(node)
    return node


def _score(candidates: Candidates, measures: Measures) -> Floats:
    """Rate each candidate from 0 to 1: a product of what a person looks for in a list of records."""
    size = np.sqrt(measures.share * measures.area)
    is_prose = measures.is_prose | (measures.length >= PROSE_LENGTH)
    poor = np.where(is_prose, ONE_LONG_PART_FACTOR, ONE_PART_FACTOR) / np.maximum(1, measures.leaves) ** 2
    is_poor = (measures.richness < 2) | (measures.usual < 2)
    rich = np.where(measures.is_prose, ONE_LONG_PART_FACTOR, np.minimum(1, np.log2(1 + measures.richness) / RICH_BITS))
    richness = np.where(is_poor, poor, rich)
    links = np.maximum(0, measures.links - MENU_LIKE_LINKS) / (1 - MENU_LIKE_LINKS)
    distinct = np.minimum(1, measures.distinct / MIN_DISTINCT)
    is_coincidence = measures.neighbours < MIN_OVERLAP
    score = (
        size
        * measures.alike**2
        * richness
        * measures.alignment
        * (1 - 1 / candidates.sizes)
        * (1 - MENU_PENALTY * links)
        * (1 - FURNITURE_PENALTY * measures.furniture)
        * (1 - LEADLESS_PENALTY * (1 - measures.leads))
        * distinct
        * np.minimum(1, measures.variety / MIN_VARIETY) ** 0.7
        * (1 - COINCIDENCE_PENALTY * is_coincidence)
        * (1 - FACTS_PENALTY * measures.facts)
    )
    bonus = measures.priced * (1 - score)  # what a page offers is what it is for
    return np.where(score >= MIN_LIST_SCORE, score * (1 + bonus), score)


def _choose(
    document: Document, leaves: Leaves, candidates: Candidates, measures: Measures, scores: Floats
) -> list[Region]:
    """Turn candidates into regions, the best first; no two share a leaf."""
    order = np.argsort(-scores, kind="stable")
    taken = _TakenLeaves(leaves, candidates)
    regions: list[Region] = []
    for group in order[scores[order] >= MIN_SCORE].tolist():
        if len(regions) == MAX_REGIONS:
            break
        if regions and measures.neighbours[group] <= MIN_OVERLAP_OF_FURTHER:
            continue
        if taken.shares_of_groups[group] > MAX_TAKEN:
            continue
        spans, score, chosen = candidates.spans[candidates.records(group)], float(scores[group]), group
        if not _is_menu(measures, group) or measures.furniture[group] <= FURNITURE_SHARE:
            rows = _join_facts(document, candidates, measures, order, group)
            chosen = _split_rows(document, candidates, measures, order, rows)
            here = candidates.records(chosen)
            spans = settle_members(document, leaves, candidates.spans[here], measures.likeness[here])
        spans = spans[taken.are_free(spans)]
        if not len(spans):
            continue
        taken.add(spans)
        is_best = not regions or score >= MIN_SHARE_OF_BEST * regions[0].score
        role = _role(measures, chosen, is_best=is_best, is_split=chosen != group)
        reasons, doubt = partial(_reasons, measures, chosen, len(spans)), UNEVEN * _is_uneven(measures, chosen)
        regions.append(_region(document, leaves, spans, role=role, score=score, reasons=reasons, doubt=doubt))
    return regions


class _TakenLeaves:
    """The leaves that belong to the regions chosen so far."""

    def __init__(self, leaves: Leaves, candidates: Candidates) -> None:
        self._starts, self._candidates = leaves.starts, candidates
        self._bounds = leaves.starts[candidates.spans.T]
        self.shares_of_groups = np.zeros(candidates.count)
        """The share of leaves that are taken, on average of the records of each group."""
        self._is_taken = np.zeros(len(leaves), dtype=np.bool_)
        self._before = np.zeros(len(leaves) + 1, dtype=np.int64)

    def add(self, spans: Spans) -> None:
        for start, stop in self._starts[spans].tolist():
            self._is_taken[start:stop] = True
        self._before = count_before(self._is_taken)
        self.shares_of_groups = self._candidates.sums(self._shares(*self._bounds)) / self._candidates.sizes

    def are_free(self, spans: Spans) -> Flags:
        """Tell for each span whether none of its leaves are taken."""
        starts, stops = self._starts[spans.T]
        free: Flags = self._before[stops] == self._before[starts]
        return free

    def _shares(self, starts: NDArray[np.int64], stops: NDArray[np.int64]) -> Floats:
        shares: Floats = (self._before[stops] - self._before[starts]) / np.maximum(1, stops - starts)
        return shares


def _is_menu(measures: Measures, group: int) -> bool:
    return bool(measures.links[group] >= MENU_LINKS and measures.richness[group] <= MENU_PARTS)


def _role(measures: Measures, group: int, *, is_best: bool, is_split: bool) -> str:
    """Tell what a group is for; links below headings outside furniture are no menu but an index."""
    if _is_menu(measures, group) and not is_split:
        return "menu"
    return "main" if is_best and measures.furniture[group] <= FURNITURE_SHARE else "side"


def _reasons(measures: Measures, group: int, count: int) -> tuple[str, ...]:
    parts = measures.richness[group]
    reasons = [
        f"{count} records with {measures.share[group]:.0%} of the page's text",
        f"neighbours have {measures.neighbours[group]:.0%} of their parts in common",
        f"{parts:.0f} different parts in a record" if parts >= 2 else "one part in a record",
    ]
    if measures.boxes is not None:
        reasons.append(f"aligned to {measures.alignment[group]:.0%}")
    if _is_menu(measures, group):
        reasons.append("nothing but links")
    if measures.furniture[group] > FURNITURE_SHARE:
        reasons.append("in navigation, header, footer or sidebar")
    if _is_uneven(measures, group):
        reasons.append(UNEVEN)
    return tuple(reasons)


def _is_uneven(measures: Measures, group: int) -> bool:
    return bool(measures.neighbours[group] < MIN_EVEN_OVERLAP and measures.share[group] < MIN_EVEN_SHARE)


def _split_rows(
    document: Document, candidates: Candidates, measures: Measures, order: NDArray[np.int64], rows: int
) -> int:
    """Replace a group of grid rows, each holding several records, by the best group of their cells."""
    # the same part in another cell of a table is a part of its own
    is_table_cell = document.has_tag(["td", "th"], candidates.first[candidates.offsets[:-1]])
    for _ in range(MAX_GRID_DEPTH):
        worthy = candidates.sizes >= MIN_CELLS_PER_ROW * candidates.sizes[rows]
        worthy &= (measures.richness >= 2) | (measures.leads >= MIN_WORTH_OF_CELLS)
        worthy &= measures.share >= MIN_CELL_WEIGHT * measures.share[rows]
        worthy &= measures.facts < MAX_FACTS
        worthy &= measures.leads >= MIN_LEADS_OF_ROWS * measures.leads[rows]
        per_row = np.where(is_table_cell, candidates.sizes / candidates.sizes[rows], 1)
        worthy &= measures.richness * per_row >= measures.richness[rows] - MAX_PARTS_BESIDE_CELLS
        worthy |= _fill_rows(candidates, measures, rows)
        likely = order[_lie_inside(candidates, worthy, rows)[order]].tolist()
        cells = next((group for group in likely if _are_cells(document, candidates, measures, rows, group)), None)
        if cells is None:
            break
        rows = cells
    return rows


def _fill_rows(candidates: Candidates, measures: Measures, rows: int) -> Flags:
    """Tell which groups have so many rich records a row that the rows only hold them, such as dishes by course."""
    if measures.variety[rows] > MAX_VARIETY_OF_HOLDERS:
        return np.zeros(candidates.count, dtype=np.bool_)
    fills: Flags = (
        (candidates.sizes >= MIN_RECORDS_PER_HOLDER * candidates.sizes[rows])
        & (measures.share >= MIN_SHARE_OF_HOLDER * measures.share[rows])
        & (measures.richness >= MIN_RICHNESS_OF_HELD)
        & (measures.facts < MAX_FACTS)
    )
    return fills


def _lie_inside(candidates: Candidates, chosen: Flags, rows: int) -> Flags:
    """Tell which of the chosen groups lie in the records of a group, at least most of their records."""
    places, there = chosen[candidates.groups].nonzero()[0], candidates.records(rows)
    holder = candidates.first[there].searchsorted(candidates.first[places], side="right") - 1
    inside = (holder >= 0) & (candidates.stop[places] <= candidates.stop[there][holder])
    counts = np.bincount(candidates.groups[places], inside, candidates.count)
    are_inside: Flags = chosen & (counts >= MIN_CELLS_INSIDE * candidates.sizes)
    return are_inside


def _join_facts(
    document: Document, candidates: Candidates, measures: Measures, order: NDArray[np.int64], facts: int
) -> int:
    """Replace a group of what several facts say about each record by the best group of these records."""
    worthy = candidates.sizes * MIN_CELLS_PER_ROW <= candidates.sizes[facts]
    worthy &= measures.share >= measures.share[facts]
    worthy &= measures.neighbours >= MIN_OVERLAP_OF_FURTHER
    for rows in order[worthy[order]].tolist():
        inside, holder = _find_holders(candidates, facts, rows)
        cells, spans = candidates.spans[candidates.records(facts)], candidates.spans[candidates.records(rows)]
        if inside.all() and _are_facts(document, spans, cells, holder):
            return int(rows)
    return facts


def _find_holders(candidates: Candidates, cells: int, rows: int) -> tuple[Flags, NDArray[np.int64]]:
    """Tell for each record of a group whether one of another group holds it, and which."""
    here, there = candidates.records(cells), candidates.records(rows)
    holder = candidates.first[there].searchsorted(candidates.first[here], side="right") - 1
    return (holder >= 0) & (candidates.stop[here] <= candidates.stop[there][holder]), holder


def _are_cells(document: Document, candidates: Candidates, measures: Measures, rows: int, cells: int) -> bool:
    """Tell whether a group that lies in the rows of another has several alike records a row."""
    here, there = candidates.records(cells), candidates.records(rows)
    first, stop = candidates.first[here], candidates.stop[here]
    inside, holder = _find_holders(candidates, cells, rows)
    together = (holder[1:] == holder[:-1]) & inside[1:] & inside[:-1]
    if not together.any():
        return False
    overlap = float(measures.overlaps[here][:-1][together].mean())
    worth = max(measures.leads[cells], measures.priced[cells])
    spans = candidates.spans[there], candidates.spans[here][inside], holder[inside]
    if worth >= MIN_WORTH_OF_CELLS and _are_sections(document, *spans):
        return overlap >= SECTION_OVERLAP
    if _count_parts(document, first, stop) < MIN_PARTS_OF_CELL or _are_facts(document, *spans):
        return False
    if measures.boxes is None:
        return overlap >= (CELL_OVERLAP if document.tag(int(first[0])) in ("td", "th") else STATIC_CELL_OVERLAP)
    is_grid = _share_side_by_side(measures.boxes[here], together) >= MIN_SIDE_BY_SIDE
    return overlap >= (CELL_OVERLAP if is_grid else STACKED_CELL_OVERLAP)


def _count_parts(document: Document, first: NDArray[np.int64], stop: NDArray[np.int64]) -> float:
    """Count the texts and pictures of a record, on average; drawings are neither."""
    leaves = find_leaves(document)
    is_part = ~(leaves.is_image & document.has_tag(["svg"], leaves.owners))
    return float(range_sums(is_part, leaves.starts[first], leaves.starts[stop]).mean())


def _are_sections(document: Document, rows: Spans, cells: Spans, holders: NDArray[np.int64]) -> bool:
    """Tell whether most rows only have a heading above their cells, and perhaps a note; none of them is a link."""
    leaves = find_leaves(document)
    (starts, stops), bounds = leaves.starts[rows].T, leaves.starts[cells]
    others = stops - starts - np.bincount(holders, bounds[:, 1] - bounds[:, 0], len(rows))
    firsts = stops.copy()
    np.minimum.at(firsts, holders, bounds[:, 0])
    links = np.concatenate([[0], np.cumsum(document.has_tag(["a"]))])
    is_linked = links[leaves.nodes[starts]] > links[rows[:, 0]]
    is_headed = (others > 0) & (others <= MAX_PARTS_BESIDE_CELLS) & (firsts - starts == others)
    return bool((is_headed & ~is_linked).mean() >= MIN_SECTIONS)


def _are_facts(document: Document, rows: Spans, cells: Spans, holders: NDArray[np.int64]) -> bool:
    """Tell whether most rows have a linked heading in none of their cells, and few cells have a link.

    Headings without a link may be of sections, and cells with one are more than tags.
    """
    links, is_linked_heading = count_before(document.has_tag(["a"])), document.has_tag(HEADING_TAGS)
    headings = is_linked_heading.nonzero()[0]
    is_linked_heading[headings] = links[document.ends[headings]] > links[headings]
    before = count_before(is_linked_heading)
    counts, inside = (before[spans[:, 1]] - before[spans[:, 0]] for spans in (rows, cells))
    is_headed = counts > np.bincount(holders, inside, len(rows))
    is_linked = links[cells[:, 1]] > links[cells[:, 0]]
    return bool(is_headed.mean() >= MIN_SECTIONS and is_linked.mean() <= MAX_LINKED_FACTS)


def _share_side_by_side(boxes: Floats, together: NDArray[np.bool_]) -> float:
    one, other = boxes[:-1][together], boxes[1:][together]
    common = np.minimum(one[:, 3], other[:, 3]) - np.maximum(one[:, 1], other[:, 1])
    lower = np.minimum(one[:, 3] - one[:, 1], other[:, 3] - other[:, 1])
    return float((common > lower / 2).mean())


SURE_LIKENESS = 0.5  # likeness from which a record belongs to its group, whatever its class
MIN_RECORDS_OF_SECTION = 3  # in the largest section, for others to be compared with it
MIN_COMMON_CLASSES = 0.34  # share of the class names of two sections that both have, for these to be of one kind
MIN_COMMON_HEADERS = 0.5  # share of the header cells of two tables that both have, for these to be of one kind
FAMILY_SHARE = 0.8  # share of the sure records that have a class name, for it to mark the family
MIN_SIBLING_WEIGHT = 0.25  # of the median record, for a sibling to join

# Items around records
MAX_LEVELS_OF_ITEM = 3  # elements around a record among which its item is looked for
MIN_SAYING_MORE = 0.8  # share of the items that say more than their record

# A row of headings
MIN_RECORDS_BELOW = 2
MIN_HEADINGS = 2
MAX_HEADING_LENGTH = 30  # characters
MAX_NUMBERED = 0.34  # share of the headings that have a number: `24h %`
MAX_HEADERS = 0.5  # share of the records that are called headers; more are cards that have one
MIN_RECORDS_BELOW_GROUPS = 4  # rows of a table, those above groups included
_HEADER_WORDS = frozenset(["head", "header", "heading", "headings", "headers", "thead"])
MAX_LOOKS = 3  # of the records below: two of alternating rows, and one of a marked row

Spans = NDArray[np.int64]
"""First node and stop of each record, one row a record."""


def settle_members(document: Document, leaves: Leaves, spans: Spans, likeness: Floats) -> Spans:
    """Drop outliers and advertisements from a group, and add siblings of the same family.

    A group is found by what its records have in common; class names then complete a list that mixes kinds of records.
    A row of headings above the records is none of them, nor are things of another kind in a section of their own;
    what the items around records say beside them belongs to these.
    """
    settled = _without_other_sections(document, _settle(document, leaves, spans, likeness))
    settled = _without_header_rows(document, leaves, _without_headings(document, leaves, settled))
    settled = _without_group_rows(document, leaves, settled)
    return _with_items(document, leaves, settled)


def _settle(document: Document, leaves: Leaves, spans: Spans, likeness: Floats) -> Spans:
    family = _find_family(document, spans[likeness >= SURE_LIKENESS])
    if not family or (document.ends[spans[:, 0]] != spans[:, 1]).any():
        return spans[likeness >= MIN_LIKENESS]
    named = np.array([_is_of_family(document, node, family) for node in spans[:, 0].tolist()])
    for place in (named & (likeness < SURE_LIKENESS)).nonzero()[0].tolist():
        named[place] = not is_advertisement(document, leaves, int(spans[place, 0]))
    kept = spans[np.where(named, likeness >= MIN_LIKENESS / 2, likeness >= SURE_LIKENESS)]
    joining = _family_siblings(document, leaves, kept, family, set(spans[:, 0].tolist()))
    if not joining:
        return kept
    both = np.concatenate([kept, np.array([(node, document.ends[node]) for node in joining])])
    return both[np.argsort(both[:, 0], kind="stable")]


def _find_family(document: Document, spans: Spans) -> frozenset[str]:
    """Find the class names that nearly all records have."""
    names = Counter(name for node in spans[:, 0].tolist() for name in _class_names(document, node))
    return frozenset(name for name, count in names.items() if count >= FAMILY_SHARE * len(spans))


def _class_names(document: Document, node: int) -> set[str]:
    return set(document.values_of("class").get(node, "").split())


def _is_of_family(document: Document, node: int, family: frozenset[str]) -> bool:
    return len(family & _class_names(document, node)) * 2 >= len(family)


def _family_siblings(
    document: Document, leaves: Leaves, spans: Spans, family: frozenset[str], judged: Collection[int]
) -> list[int]:
    """Find the elements of the family beside the records, except those that are judged already.

    Their tags must fit too: class names may say no more than how boxes look.
    """
    if not len(spans):
        return []
    least = MIN_SIBLING_WEIGHT * _median(leaves.totals[spans[:, 0]])
    is_parent = np.zeros(len(document), dtype=np.bool_)
    is_parent[document.parents[spans[:, 0]]] = True
    siblings = (is_parent[document.parents] & (leaves.totals > least)).nonzero()[0]
    tags = set(document.tags[spans[:, 0]].tolist())
    return [
        node
        for node, tag in zip(siblings.tolist(), document.tags[siblings].tolist(), strict=True)
        if tag in tags
        and node not in judged
        and _is_of_family(document, node, family)
        and not is_advertisement(document, leaves, node)
    ]


def _without_other_sections(document: Document, spans: Spans) -> Spans:
    """Drop the records of sections of another kind than the largest: people found beside films.

    Header rows of tables tell kinds apart, or else class names below headings.  Fails on kinds that only their texts
    tell apart.
    """
    parents = document.parents[spans[:, 0]]
    counts = Counter(parents.tolist())
    if len(counts) < 2 or max(counts.values()) < MIN_RECORDS_OF_SECTION:
        return spans
    main = max(counts, key=counts.__getitem__)
    usual = {section: _usual_classes(document, spans[parents == section]) for section in counts}
    headers = {section: _find_header(document, section, spans) for section in counts}
    others = [
        section
        for section in counts
        if _share_common(headers[main], headers[section]) < MIN_COMMON_HEADERS
        or (_share_common(usual[main], usual[section]) < MIN_COMMON_CLASSES and _has_heading(document, section, spans))
    ]
    return spans[~np.isin(parents, others)]


def _find_header(document: Document, section: int, spans: Spans) -> frozenset[str]:
    """Find the texts of the header row of a table, or a part of one, above its first record."""
    table = section if document.tag(section) == "table" else document.parents.item(section)
    if table < 0 or document.tag(table) != "table":
        return frozenset()
    first = int(spans[spans[:, 0] > section, 0].min())
    cells = document.has_tag(["th"], slice(table, first)).nonzero()[0] + table
    return frozenset(text for cell in cells.tolist() if (text := document.text(cell).strip()))


def _has_heading(document: Document, section: int, spans: Spans) -> bool:
    """Tell whether a section has a heading above its first record."""
    first = int(spans[spans[:, 0] > section, 0].min())
    return bool(document.has_tag(HEADING_TAGS, slice(section, first)).any())


def _usual_classes(document: Document, spans: Spans) -> frozenset[str]:
    """Find the class names that at least half of the records have, on themselves or inside."""
    names = Counter(
        name
        for first, stop in spans.tolist()
        for name in {each for own in document.attributes[first:stop] if own for each in own.get("class", "").split()}
    )
    return frozenset(name for name, count in names.items() if 2 * count >= len(spans))


def _share_common(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 1.0


def _without_headings(document: Document, leaves: Leaves, spans: Spans) -> Spans:
    """Drop the first record if it is a row of headings: short fixed texts in cells that look unlike those below.

    Fails on headings that are links to sort by.
    """
    if len(spans) < MIN_RECORDS_BELOW + 1:
        return spans
    first, stop = spans[0].tolist()
    if any(first <= node < stop and role == "columnheader" for node, role in document.values_of("role").items()):
        return spans[1:]
    starts, stops = leaves.starts[spans].T
    counts = stops - starts
    head, below = leaves.nodes[starts[0] : stops[0]].tolist(), leaves.nodes[starts[1] : stops[1]].tolist()
    texts = [document.texts[node].strip() for node in head]
    is_head = (
        (abs(int(counts[0]) - _median(counts[1:])) <= 1 or _have_same_cells(document, *spans[:2, 0].tolist()))
        and len(texts) >= MIN_HEADINGS
        and all(0 < len(text) <= MAX_HEADING_LENGTH for text in texts)
        and sum(any(map(str.isdigit, text)) for text in texts) <= MAX_NUMBERED * len(texts)
        and any(any(map(str.isdigit, document.texts[node])) for node in below)
        and not _has_link(document, spans[0])
        and _sets_apart(document, spans)
    )
    return spans[1:] if is_head else spans


def _without_header_rows(document: Document, leaves: Leaves, spans: Spans) -> Spans:
    """Drop records that are called headers and have no number, as above each group of forums."""
    named = np.array([_is_called_header(document, leaves, node) for node in spans[:, 0].tolist()], dtype=np.bool_)
    if not 0 < named.sum() < MAX_HEADERS * len(spans):
        return spans
    for place in named.nonzero()[0].tolist():
        named[place] = not any(map(str.isdigit, document.text(*spans[place].tolist())))
    kept: Spans = spans[~named]
    return kept


def _without_group_rows(document: Document, leaves: Leaves, spans: Spans) -> Spans:
    """Drop rows of a table that are above groups of others, such as a day above its matches: they fill fewer cells."""
    if len(spans) < MIN_RECORDS_BELOW_GROUPS or (document.tags[spans[:, 0]] != document.tags[spans[0, 0]]).any():
        return spans
    if document.tag(int(spans[0, 0])) != "tr":
        return spans
    rows = [document.children(row, only_elements=True) for row in spans[:, 0].tolist()]
    filled = np.array([sum(leaves.counts.item(cell) > 0 for cell in cells) for cells in rows])
    before = count_before(document.has_tag(["a"]))
    is_linked = before[spans[:, 1]] > before[spans[:, 0]]
    is_group = (2 * filled <= np.median(filled)) & ~is_linked
    if is_group.sum() < 2 or is_group[-1] or is_group.mean() > MAX_HEADERS or not is_linked[~is_group].all():
        return spans
    kept: Spans = spans[~is_group]
    return kept


def _is_called_header(document: Document, leaves: Leaves, node: int) -> bool:
    """Tell whether an element, or one around it that holds nothing else, has a class that says header."""
    count = leaves.counts.item(node)
    while node > 0 and leaves.counts.item(node) == count:
        if not _HEADER_WORDS.isdisjoint(split_words(document.attributes[node].get("class", "")[:200])):
            return True
        node = document.parents.item(node)
    return False


def _have_same_cells(document: Document, one: int, other: int) -> bool:
    """Tell whether two elements have as many children each, as rows of a table have."""
    counts = [int((document.parents[node : document.ends[node]] == node).sum()) for node in (one, other)]
    return counts[0] == counts[1] >= MIN_HEADINGS


def _median(values: NDArray[np.generic]) -> float:
    """Find the median of a few numbers, which NumPy takes long to prepare for."""
    ordered = sorted(values.tolist())
    return float(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def _has_link(document: Document, span: NDArray[np.int64]) -> bool:
    return bool(document.has_tag(["a"], slice(*span.tolist())).any())


def _sets_apart(document: Document, spans: Spans) -> bool:
    """Tell whether the first record alone has its class, its tags, or the weight of its letters."""
    first, others = int(spans[0, 0]), spans[1:, 0].tolist()
    looks = [_look_of(document, node) for node in (first, *others)]
    return looks[0] not in looks[1:] and len(set(looks[1:])) <= MAX_LOOKS


def _look_of(document: Document, node: int) -> tuple[str, str, str]:
    inner = node + 1 if document.ends[node] > node + 1 else node
    weight = "" if document.layout is None else document.layout.style(inner, "font-weight")
    return document.attributes[node].get("class", ""), document.tag(inner), weight


def _with_items(document: Document, leaves: Leaves, spans: Spans) -> Spans:
    """Widen records to the items around them, one each, where these say or show more: a card with a footer.

    The footers of cards differ more than the rest of them, which makes a better group without them.  Items are siblings
    of one tag and class that hold no other record, or add nothing but pictures.
    """
    if len(spans) < 2 or (document.ends[spans[:, 0]] != spans[:, 1]).any():
        return spans
    before, found, items = count_before(leaves.is_image), spans, spans[:, 0]
    for _ in range(MAX_LEVELS_OF_ITEM):
        items = document.parents[items].astype(np.int64)
        if (items <= 0).any() or len(set(items.tolist())) < len(items):
            break
        widened = np.column_stack([items, document.ends[items]]).astype(np.int64)
        added = leaves.counts[items] - leaves.counts[spans[:, 0]]
        pictures = _count_inside(leaves, before, widened) - _count_inside(leaves, before, spans)
        are_siblings = len(set(document.parents[items].tolist())) == 1
        is_alike = are_siblings and len({tag_and_class(document, node) for node in items.tolist()}) == 1
        if (added > 0).mean() >= MIN_SAYING_MORE and (
            (added == pictures).all() or (is_alike and not _hold_others(document, widened, spans))
        ):
            found = widened
        if are_siblings:
            break
    return found


def _hold_others(document: Document, items: Spans, records: Spans) -> bool:
    """Tell whether items hold elements that look like their records by tag and class, beside these."""
    known = set(records[:, 0].tolist())
    looks = {tag_and_class(document, node) for node in known}
    first, stop = int(items[0, 0]), int(items[-1, 1])
    named = [node for node, name in document.values_of("class").items() if name and first <= node < stop]
    return any(tag_and_class(document, node) in looks for node in named if node not in known)


def _count_inside(leaves: Leaves, before: NDArray[np.int64], spans: Spans) -> NDArray[np.int64]:
    """Count in each span what `before` counts before each leaf."""
    starts, stops = leaves.starts[spans.T]
    counts: NDArray[np.int64] = before[stops] - before[starts]
    return counts
