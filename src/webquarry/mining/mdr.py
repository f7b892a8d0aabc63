"""Mine records by similar tag strings, as MDR does.

Liu, Grossman, Zhai, "Mining Data Records in Web Pages", KDD 2003.  A generalised node is a run of up to K = 10
adjacent siblings; a data region is two or more of them, adjacent, of one length and one parent, each like the next:
the edit distance of their tag strings, divided by their mean length, is at most T = 0.3 (section 3.2).  CombComp,
IdentDRs and FindDRs find all regions of the tag tree, and then the records in their generalised nodes (section 3.3).

Choices and repairs where the paper leaves room, or could not run on any page:

- The tag tree (3.1) is that of the document without hidden elements: scripts would separate records.
- A tag string is the start tags of a subtree in document order.  If it has more than 1,000 tags, its first 1,000 and
  its length are compared: ten records of a hundred tags.  Without this limit, comparing two halves of a page would
  cost the square of its length.
- FindDRs drops regions that a region above them covers, so those parts of the tree are not searched at all.
- IdentDRs uses runs that were counted beforehand, so that a list of many regions costs no more than one.
- FindRecords-1 takes the children of a one-node generalised node for records if there are two or more, all alike, in a
  tree of three levels as everywhere, and the node is not a row of a data table.  The paper does not define that; here
  it is a tr of at most three levels: its cells hold text and simple elements.
- Several nodes of one generalised node that are all alike are a record each (the constraint of 3.3: records in one
  generalised node are alike).  The paper relies on finding a region of shorter generalised nodes in that case, but
  IdentDRs takes the longer one whenever a single odd neighbour ends the shorter.  On the corpus of search results this
  raises the macro F1 from .31 to .67.
- FindRecords-n finds interleaved records: the first children of each of several nodes, then their second ones.  Our
  records are runs of nodes, so such a generalised node stays one record, and the reasons mention it.
- Text belongs to no tag string.  Text after a generalised node belongs to it.
- Records outside of regions (an incomplete last row) are not searched for.
- The paper does not rank.  The region that covers most elements comes first and has the role main, the others are
  side; the score is the share of the page's elements that a region covers.

Fails on records whose parts vary, on menus (regions like any other), and on a single record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np

from webquarry.mining.alignment import align_fields
from webquarry.model.document import Document
from webquarry.model.region import Region

MAX_COMBINED = 10  # siblings in a generalised node: K of section 3.2
MAX_DISTANCE = 0.3  # of the mean length of two tag strings: T of section 4, the paper's own choice
MIN_LEVELS = 3  # of a tree that may be a region (figure 7): its node, the records, and something in them
MAX_TAGS = 1_000  # of a tag string that are compared
_CACHE_SIZE = 1 << 14  # pairs of strings, at most 33 MB

Run = tuple[int, int]
"""The first and the last of adjacent siblings."""
Chain = tuple[list[int], list[int]]
"""For each child the nearest in steps of a generalised node that is like its neighbour, and how many pairs follow."""


@dataclass(frozen=True)
class DataRegion:
    """Adjacent children of an element, cut into generalised nodes of `combined` children each."""

    node: int
    combined: int
    children: tuple[int, ...]


@dataclass(frozen=True)
class Trace:
    """The data regions of a page in document order, and the number of tag strings compared."""

    regions: tuple[DataRegion, ...]
    comparisons: int


def mine_mdr(document: Document) -> list[Region]:
    """Find all regions, those that cover most elements first."""
    tree = _TagTree(document)
    found = [(_covered(tree, region), region) for region in _find_regions(tree)]
    found.sort(key=lambda each: -each[0])
    return [
        _to_region(tree, region, role="side" if place else "main", share=covered / max(1, len(tree)))
        for place, (covered, region) in enumerate(found)
    ]


def trace_mdr(document: Document) -> Trace:
    """Find the data regions, before they are ranked and cut into records."""
    tree = _TagTree(document)
    return Trace(tuple(_find_regions(tree)), tree.comparisons)


MAX_LINES = 40
"""Regions that an explanation lists."""


def explain_mdr(document: Document) -> list[str]:
    """Describe the data regions that MDR finds on a page, and count the comparisons of tag strings."""
    tree = _TagTree(document)
    regions = _find_regions(tree)
    comparisons = tree.comparisons
    ranked = sorted(regions, key=lambda region: -_covered(tree, region))
    lines = [
        f"CombComp: {comparisons:,} comparisons of tag strings of up to {MAX_COMBINED} siblings on {len(tree):,} tags",
        "IdentDRs and FindDRs: data regions (generalised nodes x siblings in each)",
    ]
    for region in ranked[:MAX_LINES]:
        count = len(region.children) // region.combined
        runs = _runs(region)
        distances = [tree.distance(one, other) for one, other in pairwise(runs)]
        records = sum(len(_find_records(tree, run)) for run in runs)
        lines.append(
            f"  {count:>4} x {region.combined:<2}  distance {min(distances):.2f} to {max(distances):.2f}, "
            f"{_covered(tree, region):,} elements, {records:,} records  {document.xpath(region.node)}"
        )
    if len(ranked) > MAX_LINES:
        lines.append(f"  and {len(ranked) - MAX_LINES:,} more")
    lines.append(f"comparisons of strings: {comparisons:,}, and {tree.comparisons - comparisons:,} to find the records")
    return lines


class _TagTree:
    """The visible elements of a document, with the likeness of runs of them."""

    def __init__(self, document: Document) -> None:
        self.document = document
        shown = (document.tags >= 0) & ~document.hidden
        self.elements: list[int] = np.flatnonzero(shown).tolist()
        self.children: dict[int, list[int]] = {node: [] for node in self.elements}
        self.levels = dict.fromkeys(self.elements, 1)
        before = np.concatenate([[0], np.cumsum(shown)])
        self._first: list[int] = before[:-1].tolist()
        self._after: list[int] = before[document.ends].tolist()
        self._tags = "".join(map(chr, document.tags[shown].tolist()))
        self._is_within = lru_cache(_CACHE_SIZE)(is_within)
        self.comparisons = 0
        parents = document.parents.tolist()
        for node in reversed(self.elements):
            parent = parents[node]
            if parent in self.levels:
                self.children[parent].append(node)
                self.levels[parent] = max(self.levels[parent], self.levels[node] + 1)
        for siblings in self.children.values():
            siblings.reverse()

    def __len__(self) -> int:
        return len(self.elements)

    def size(self, first: int, last: int) -> int:
        """Count the elements in a run of siblings."""
        return self._after[last] - self._first[first]

    def is_alike(self, run: Run, other: Run) -> bool:
        """Tell whether the tag strings of two runs of siblings are alike."""
        self.comparisons += 1
        start, stop = self._first[run[0]], self._after[run[1]]
        start_2, stop_2 = self._first[other[0]], self._after[other[1]]
        length, length_2 = stop - start, stop_2 - start_2
        if abs(length - length_2) > MAX_DISTANCE * (length + length_2) / 2:
            return False
        string = self._tags[start : min(stop, start + MAX_TAGS)]
        string_2 = self._tags[start_2 : min(stop_2, start_2 + MAX_TAGS)]
        return string == string_2 or self._is_within(string, string_2, MAX_DISTANCE)

    def distance(self, run: Sequence[int], other: Sequence[int]) -> float:
        """Return the edit distance of the tag strings of two runs of siblings as a share of their mean length."""
        strings = [self._tags[self._first[each[0]] : self._after[each[-1]]][:MAX_TAGS] for each in (run, other)]
        return edit_distance(*strings) / (sum(map(len, strings)) / 2)

    def are_alike(self, nodes: Sequence[int]) -> bool:
        """Tell whether there are several nodes, each like the next."""
        return len(nodes) > 1 and all(self.is_alike((one, one), (other, other)) for one, other in pairwise(nodes))


def _find_regions(tree: _TagTree) -> list[DataRegion]:
    """Run FindDRs: find the regions that no other covers."""
    regions: list[DataRegion] = []
    covered: set[int] = set()
    searched_from = 0
    for node in tree.elements:
        if node in covered:
            searched_from = int(tree.document.ends[node])
        if node >= searched_from and tree.levels[node] >= MIN_LEVELS:
            found = _identify_regions(tree, node)
            regions += found
            covered.update(child for region in found for child in region.children)
    return regions


def _identify_regions(tree: _TagTree, node: int) -> list[DataRegion]:
    """Run IdentDRs: of the regions that start first take the one that covers most children; go on after it."""
    children = tree.children[node]
    longest = min(MAX_COMBINED, len(children) // 2)
    chains = [_chain(tree, children, combined) for combined in range(1, longest + 1)]
    regions: list[DataRegion] = []
    start = 0
    while best := _best(chains, start):
        combined, first, covered = best
        regions.append(DataRegion(node, combined, tuple(children[first : first + covered])))
        start = first + covered
    return regions


def _best(chains: Sequence[Chain], start: int) -> tuple[int, int, int] | None:
    """Find length, first child and number of children of the best region from a child on (lines 1 to 13)."""
    best: tuple[int, int, int] | None = None
    for combined, (nearest, links) in enumerate(chains, start=1):
        for offset in range(start, min(start + combined, len(nearest))):
            first = nearest[offset]
            if first < 0:
                continue
            covered = (links[first] + 1) * combined
            if best is None or (covered > best[2] and first <= best[1]):
                best = combined, first, covered
    return best


def _chain(tree: _TagTree, children: Sequence[int], combined: int) -> Chain:
    """Run CombComp for generalised nodes of one length, counting the runs of likeness for IdentDRs."""
    count = len(children) - 2 * combined + 1
    nearest, links = [-1] * (count + combined), [0] * (count + combined)
    for place in range(count - 1, -1, -1):
        middle = place + combined
        run = children[place], children[middle - 1]
        if tree.is_alike(run, (children[middle], children[middle + combined - 1])):
            nearest[place], links[place] = place, links[middle] + 1
        else:
            nearest[place] = nearest[middle]
    return nearest, links


def _to_region(tree: _TagTree, region: DataRegion, *, role: str, share: float) -> Region:
    count = len(region.children) // region.combined
    reasons = [f"{count} adjacent runs of {region.combined} with similar tags"]
    if any(_is_interleaved(tree, run) for run in _runs(region)):
        reasons.append("records are interleaved: each run holds several")
    spans = tuple(span for run in _runs(region) for span in _find_records(tree, run))
    return Region(
        document=tree.document,
        node=region.node,
        spans=spans,
        fields=partial(align_fields, tree.document, spans),
        kind="records",
        method="mdr",
        role=role,
        score=share,
        reasons=tuple(reasons),
    )


def _runs(region: DataRegion) -> list[tuple[int, ...]]:
    """Cut a region into its generalised nodes."""
    return [
        region.children[place : place + region.combined] for place in range(0, len(region.children), region.combined)
    ]


def _find_records(tree: _TagTree, run: Sequence[int]) -> list[tuple[int, int]]:
    """Run FindRecords-1 and FindRecords-n: find the records in a generalised node."""
    parts = run
    if len(run) == 1 and tree.levels[run[0]] >= MIN_LEVELS and not _is_data_row(tree, run[0]):
        parts = tree.children[run[0]]
    if tree.are_alike(parts):
        return [(node, _stop(tree, node)) for node in parts]
    return [(run[0], _stop(tree, run[-1]))]


def _is_data_row(tree: _TagTree, node: int) -> bool:
    return tree.document.tag(node) == "tr" and tree.levels[node] <= MIN_LEVELS


def _is_interleaved(tree: _TagTree, run: Sequence[int]) -> bool:
    """Tell whether all nodes of a run have the same number of children, all alike."""
    if len(run) == 1 or len({len(tree.children[node]) for node in run}) > 1:
        return False
    return all(tree.are_alike(tree.children[node]) for node in run)


def _stop(tree: _TagTree, last: int) -> int:
    """Return the number after a node and the text that follows it before the next element."""
    document = tree.document
    node = stop = document.ends.item(last)
    limit = document.ends.item(document.parents[last])
    while node < limit and document.tags[node] < 0:
        node += 1
        if document.texts[node - 1].strip() and not document.hidden[node - 1]:
            stop = node
    return stop


def _covered(tree: _TagTree, region: DataRegion) -> int:
    return tree.size(region.children[0], region.children[-1])


def edit_distance(one: str, other: str) -> int:
    """Count the fewest insertions, deletions and replacements that turn one string into the other.

    A column of the table of distances is kept as the bits of two integers, where it rises and where it falls, so that
    a step costs a few operations however long the column is (Myers 1999, in the form of Hyyrö 2003).

    >>> edit_distance("kitten", "sitting")
    3
    """
    if not one:
        return len(other)
    places: dict[str, int] = {}
    for place, character in enumerate(one):
        places[character] = places.get(character, 0) | 1 << place
    full, last = (1 << len(one)) - 1, 1 << len(one) - 1
    rises, falls, distance = full, 0, len(one)
    for character in other:
        same = places.get(character, 0)
        diagonal = (((same & rises) + rises) ^ rises) | same | falls
        up = falls | ~(diagonal | rises) & full
        down = rises & diagonal
        if up & last:
            distance += 1
        elif down & last:
            distance -= 1
        up = up << 1 | 1
        rises = (down << 1 | ~(diagonal | up)) & full
        falls = up & diagonal
    return distance


def is_within(one: str, other: str, share: float) -> bool:
    """Tell whether the edit distance is at most a share of the strings' mean length; cheap tests first.

    >>> is_within("abcdefghij", "abcdefghxy", 0.3), is_within("abcd", "abxy", 0.3)
    (True, False)
    """
    if one == other:
        return True
    limit = share * (len(one) + len(other)) / 2
    if abs(len(one) - len(other)) > limit:
        return False
    mine, theirs = Counter(one), Counter(other)
    if max((mine - theirs).total(), (theirs - mine).total()) > limit:  # so many must change wherever they are
        return False
    return edit_distance(one, other) <= limit
