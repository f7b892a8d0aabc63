"""Find the rule by which each unit of a template is read again.

A signature begins at the innermost element around the unit whose step no other element of a page has.  A unit has a few
candidates: by signature alone, by its label, by places among siblings, by its number among the matches.  All are tried
on all samples with the reader; the one that reads most pages right wins, the simpler one on a tie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from webquarry.model.wrapper import FieldRule
from webquarry.wrapping.item_pages import ItemPage, Unit
from webquarry.wrapping.item_reader import ALTERNATIVE, MAX_LABEL_LENGTH, ItemCell, pick_cells, read_matches
from webquarry.wrapping.item_texts import EDGE, ItemMatcher
from webquarry.wrapping.listing_cells import COLONS, IMAGES, LIST, PAIRS
from webquarry.wrapping.listing_signatures import TEXT, Path, Step, share_path, write_signature

MAX_MATCHES = 2000
"""Elements that a candidate names on a page, for it to be tried on: a candidate that names more tells nothing apart."""
MAX_STEADY_PLACE = 3
"""Number among the matches of a signature; higher ones vary more between pages than labels do."""
MAX_STEPS = 12
"""Of a signature without a step that is unique."""


@dataclass(frozen=True)
class Choice:
    """A rule for a unit, and the share of the samples that it reads right."""

    unit: Unit
    rule: FieldRule
    right: float


def find_rules(units: Sequence[Unit], pages: Sequence[ItemPage], hidden: Sequence[str]) -> list[Choice]:
    """Find the best rule of each unit, for those that have one; rules have no names yet."""
    is_unique = cache(partial(_is_unique, pages=pages))
    values = {fold(text) for unit in units if len(unit.nodes) > 1 and len(set(unit.texts)) > 1 for text in unit.texts}
    drafts = [(unit, rule) for unit in units for rule in _draft(unit, pages, is_unique, values)]
    rules = [rule for _, rule in drafts]
    matcher = ItemMatcher(rules, hidden)
    read = [read_matches(rules, matcher, page.document, page.tree, page.elements, most=MAX_MATCHES) for page in pages]
    best: dict[Unit, Choice] = {}
    ranks: dict[Unit, tuple[int, bool]] = {}
    for place, (unit, draft) in enumerate(drafts):
        for rule in _placed(unit, draft, [each[place] for each in read]):
            right = sum(_agrees(unit, number, pick_cells(rule, each[place])) for number, each in enumerate(read))
            is_steady = abs(rule.place) <= MAX_STEADY_PLACE
            if unit not in best or (right, is_steady) > ranks[unit]:
                best[unit], ranks[unit] = Choice(unit, rule, right / len(pages)), (right, is_steady)
    return [choice for choice in best.values() if choice.right > 0]


def find_needed(rules: Sequence[FieldRule], pages: Sequence[ItemPage], hidden: Sequence[Path]) -> tuple[str, ...]:
    """Find the paths of hidden elements that are in or around matches of rules, as signatures."""
    matcher = ItemMatcher(rules)
    needed: dict[str, None] = {}
    for page in pages:
        _, found = matcher.find(page.tree, page.elements)
        spans = {(match.node, page.ends[match.node]) for matches in found.values() for match in matches}
        for path in hidden:
            nodes = page.find(path)
            if any(first < page.ends[node] and node < stop for node in nodes for first, stop in spans):
                needed.setdefault(write_signature([path]))
    return tuple(needed)


def _draft(
    unit: Unit, pages: Sequence[ItemPage], is_unique: Callable[[Step], bool], values: Container[str]
) -> Iterator[FieldRule]:
    """List candidate rules, the simplest first; `values` are no labels."""
    paths = _paths(unit, pages, is_unique, placed=False)
    heading = ALTERNATIVE.join(_list_labels(unit, pages))
    rule = FieldRule("", unit.kind, place=-1 if unit.is_last else 0, heading=heading, attribute=unit.attribute)
    placed = _paths(unit, pages, is_unique, placed=True)
    bare = [_with_bare(path, unit, pages) for path in paths]
    end = (Step(TEXT),) if unit.leaf else ()
    signatures = [write_signature([(*path, *end)]) for path in dict.fromkeys([*paths, *bare, *placed])]
    for signature in signatures:
        yield replace(rule, signature=signature)
    label = "" if unit.label or unit.kind == PAIRS or unit.attribute else _label_before(unit, pages)
    for signature in signatures if label and label not in values else ():
        yield replace(rule, signature=signature, heading=label)


def _list_labels(unit: Unit, pages: Sequence[ItemPage]) -> list[str]:
    """List the labels of a unit; of links, which may be several, one word also with or without an ending `s`."""
    labels = [label.strip(EDGE + COLONS) for label in unit.label.split(ALTERNATIVE)]
    has_links = any(pages[number].tree.has(nodes[0], "a") for number, nodes in unit.nodes.items())
    if len(labels) > 1 or not has_links or not (labels[0].isascii() and labels[0].isalpha()):
        return labels
    return [labels[0], labels[0].removesuffix("s") if labels[0].endswith("s") else f"{labels[0]}s"]


def _with_bare(path: Path, unit: Unit, pages: Sequence[ItemPage]) -> Path:
    """Let the steps of a path that have no class on any sample match only such elements."""
    bare = [True] * len(path)
    for number, nodes in unit.nodes.items():
        for node in nodes:
            here = node
            for place in reversed(range(len(path))):
                bare[place] &= not pages[number].document.attributes[here].get("class")
                here = pages[number].parents[here]
    return tuple(replace(step, is_bare=is_bare) for step, is_bare in zip(path, bare, strict=True))


def _label_before(unit: Unit, pages: Sequence[ItemPage]) -> str:
    """Find the short text before a unit that is the same on all pages."""
    found = set()
    for number in unit.nodes:
        start = pages[number].first_text(unit, number)
        found.add(pages[number].leaf_text(start - 1).strip(EDGE) if start else "")
    label = found.pop() if len(found) == 1 else ""
    return label if len(label) <= MAX_LABEL_LENGTH and any(map(str.isalpha, label)) else ""


def _paths(unit: Unit, pages: Sequence[ItemPage], is_unique: Callable[[Step], bool], *, placed: bool) -> list[Path]:
    """List paths that all elements of a unit share: from the innermost unique step, and from further outside."""
    chains = [_chain(pages[number], node, placed=placed) for number, nodes in unit.nodes.items() for node in nodes]
    length = 0
    while all(len(chain) > length for chain in chains) and len({chain[length].tag for chain in chains}) == 1:
        length += 1
    if not length:
        return []
    shared = share_path([tuple(reversed(chain[:length])) for chain in chains])
    if unit.label:  # the label says which of the elements it is, so that few steps are enough
        least = 1 if shared[-1].classes else 2
        shorter = [shared[-size:] for size in range(min(least, length), min(length, MAX_STEPS) + 1)]
        return [shorter[0], *(path for path in shorter[1:] if is_unique(path[0])), shorter[-1]]
    starts = [place for place in reversed(range(length)) if is_unique(shared[place])]
    if not starts:
        return [shared[-MAX_STEPS:]]
    found = [shared[starts[0] :]]
    if len(starts) > 1 and starts[0] == length - 1:
        found.append(shared[starts[1] :])
    return found


def _chain(page: ItemPage, node: int, *, placed: bool) -> list[Step]:
    """List the steps from an element outwards to the body."""
    found = []
    while node > page.body:
        step = page.step(node)
        found.append(replace(step, place=page.place(node)) if placed else step)
        node = page.parents[node]
    return found


def _is_unique(step: Step, pages: Sequence[ItemPage]) -> bool:
    """Tell whether a step with a name is on most pages, and on none twice."""
    if not step.classes and not step.name and not step.prop and step.tag not in ("h1", "main"):
        return False
    counts = [page.count_fits(replace(step, place=0)) for page in pages]
    return max(counts) == 1 and 2 * sum(counts) > len(counts)


def _placed(unit: Unit, draft: FieldRule, read: Sequence[Sequence[ItemCell]]) -> Iterator[FieldRule]:
    """Try a draft as it is, and with the number of the value among the matches, from the start and from the end."""
    yield draft
    if draft.type in (LIST, IMAGES, PAIRS):
        return
    starts, stops = Counter[int](), Counter[int]()
    for number, cells in enumerate(read):
        for place, cell in enumerate(cells):
            if number in unit.nodes and _is_same(cell, unit, number, 0):
                starts[place] += 1
                stops[place - len(cells)] += 1
    for counts in (starts, stops):
        for place, _ in counts.most_common(1):
            if place:
                yield replace(draft, place=place)


def _is_same(cell: ItemCell, unit: Unit, number: int, place: int) -> bool:
    return cell.node == unit.nodes[number][place] and fold(cell.text) == fold(unit.values[number][place])


def _agrees(unit: Unit, number: int, cells: Sequence[ItemCell]) -> bool:
    """Tell whether cells are what a unit has on a page."""
    if number not in unit.nodes:
        return not cells
    if unit.kind == PAIRS:
        return bool(cells)
    return len(cells) == len(unit.nodes[number]) and all(
        _is_same(cell, unit, number, place) for place, cell in enumerate(cells)
    )


def fold(text: str) -> str:
    """Fold a value to compare it."""
    return text.strip(EDGE)
