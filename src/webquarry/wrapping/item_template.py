"""Align detail pages of one template, from the body inwards, and find the units of text that they are made of.

Children of aligned elements are aligned by their steps (tag, class names that all pages share, id, property).  Children
of one step that a page has several times are pairs of a label and a value, parts of a fixed order, or a list; lists of
cards, such as related items and reviews, are left out.  Text with inline markup in it is one unit, and so is running
text of several paragraphs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set as AbstractSet
from itertools import combinations, groupby, zip_longest
from statistics import fmean

from webquarry.html.columns import HEADING_TAGS
from webquarry.html.visibility import CELLS
from webquarry.values.column_values import read_column, read_value
from webquarry.values.text_value import Locale
from webquarry.values.units import dimension_of
from webquarry.wrapping.field_signatures import PathStep
from webquarry.wrapping.field_values import COLONS, LIST
from webquarry.wrapping.item_pairs import (
    are_linked,
    find_pairs,
    make_pair_units,
    make_unit,
    merge_labelled,
    read_lines,
    read_terms,
    unlabelled,
)
from webquarry.wrapping.item_samples import (
    TEXT,
    Group,
    Groups,
    ItemPage,
    Unit,
    differ_in_type,
    each_element,
    have_own_types,
    says_something,
    type_of,
)
from webquarry.wrapping.label_texts import EDGE, fold_label

MAX_DEPTH = 150
"""Elements in each other; deeper ones are taken as one text."""
MIN_LIKENESS_OF_LIST = 0.6
"""Mean share of steps that elements of one page have in common, for them to be a list."""
MAX_COMPARED_PAIRS = 100_000
"""Elements of two pages that are compared, each with each; longer lists are matched by place, as comparing them takes
time that grows with the square of their length."""
MIN_LIKENESS_OF_SLOT = 0.3
"""Share of steps and texts in common, for elements of two pages to be the same part of the template."""
MAX_SLOTS = 12
"""Elements of one step that may differ by place."""
MIN_SHARE_IN_PLACE = 0.8
"""Share of the texts of several pages that are in the same place on all of them, for places to differ."""
MAX_PARTS = 60
"""Unlike elements of one step that are parts of a template; more of them are text."""
MIN_HEADINGS = 2
"""Headings in a text that all pages share, for its parts to be fields."""
MIN_CARDS = 3
"""Cards of some page; fewer elements may be parts of the template that look alike."""
MIN_CARD_TEXTS = 3
"""Texts of a card, if they are not all on a line."""
MAX_VALUE_LENGTH = 24
"""Characters of an amount with its unit, or a date, that several elements write."""
SHORT_TEXT = 25
"""Characters of a paragraph or heading on average, below which texts are facts, not prose."""
LONG_TEXT = 80
"""Characters on average, from which texts of paragraphs are prose."""
_PROSE = frozenset("p ul ol blockquote pre h2 h3 h4 h5 h6 figure em strong a b i span br div table".split())
_GLUED = frozenset("sup sub small".split())

_Features = tuple[frozenset[PathStep], frozenset[str]]
"""The steps in an element, and its texts that several pages have."""


class Template:
    """Aligns pages and finds their units."""

    def __init__(self, pages: Sequence[ItemPage]) -> None:
        self.pages = pages
        self.cards: list[Groups] = []
        """Elements that are records of their own, such as related items."""
        counts = Counter(text for page in pages for text in set(map(fold_label, page.texts.texts)))
        self._shared = frozenset(text for text, count in counts.items() if count > 1 and text)
        """The texts that several pages have."""

    def units(self) -> list[Unit]:
        """List the units in the order of the pages."""
        found = merge_labelled(self._visit({page: page.body for page in self.pages}, 0))
        lists = {each for unit in found if unit.kind == LIST and (each := _look_of(unit)) is not None}
        for unit in found:
            if unit.kind == TEXT and not unit.leaf and not unit.label and _is_list_of_one(unit, lists):
                unit.kind = LIST
        return sorted(found, key=place_on_page)

    def _visit(self, group: Group, depth: int) -> Iterator[Unit]:
        group = {page: node for page, node in group.items() if page.text(node)}
        if not group:
            return
        children = _unwrap({page: page.children(node) for page, node in group.items()})
        own = {page: page.own_leaves(node) for page, node in group.items()}
        pairs = read_lines(group) if any(own.values()) else read_terms(children)
        if pairs is not None:
            yield from pairs
            return
        if depth > MAX_DEPTH or not any(children.values()) or _is_whole(group, children, own):
            yield make_unit(group)
            return
        yield from _own_units(group, own)
        for several in map(_without_separators, _by_step(children)):
            yield from self._visit_several(several, depth + 1)

    def _visit_several(self, several: Groups, depth: int) -> Iterator[Unit]:
        """Visit elements of one step, which a page may have several times."""
        if all(len(nodes) == 1 for nodes in several.values()):
            yield from self._visit({page: nodes[0] for page, nodes in several.items()}, depth)
            return
        if depth <= MAX_DEPTH and (led := self._by_lead(several)):
            for group in led:
                yield from self._visit_several(_flatten(group), depth + 1)
            return
        if are_linked(several) and _are_cards(several):
            yield from self._visit_alike(several, depth)
            return
        labels = None
        if _are_paragraphs(several):  # the others are in sections, if there are headings among them
            slots = [{page: nodes[0] for page, nodes in several.items()}]
        elif (labels := find_pairs(several)) is not None:
            yield from make_pair_units(several, labels)
            slots = self._slots(unlabelled(several, labels))
        elif not _is_homogeneous(several) or _are_boxes(several):
            slots = self._slots(several)
        else:
            yield from self._visit_alike(_flatten(several), depth)
            return
        for slot in slots:
            yield from self._visit(slot, depth)

    def _by_lead(self, several: Groups) -> list[Groups]:
        """Group elements by the headings before them, lists by any texts, if these are ones that several pages have."""
        are_lists = _are_lists(several)
        groups: dict[str, Groups] = defaultdict(dict)
        for page, nodes in several.items():
            stop = 0
            for node in nodes:
                start, last = page.span(node)
                is_led = start > stop and (are_lists or page.find_tag(page.leaves[start - 1], HEADING_TAGS) is not None)
                lead = fold_label(page.leaf_text(start - 1)) if is_led else ""
                groups[lead].setdefault(page, []).append(node)
                stop = last
        are_led = all(lead in self._shared for lead in groups)
        return list(groups.values()) if are_led and len(groups) > 1 else []

    def _visit_alike(self, several: Groups, depth: int) -> Iterator[Unit]:
        """Visit elements that are alike: cards, parts that differ by place, or items of a list."""
        slots: list[Group] = []
        if _are_cards(several):
            if max(map(len, several.values())) >= MIN_CARDS:
                self.cards.append(several)
                return
            slots = self._slots(several)
        elif _are_places(several):
            most = max(map(len, several.values()))
            slots = [
                {page: nodes[place] for page, nodes in several.items() if place < len(nodes)} for place in range(most)
            ]
        elif not (slots := _slots_beside_amounts(several)):
            values = {page: [page.text(node) for node in nodes] for page, nodes in several.items()}
            yield Unit(LIST, several, values)
        for slot in slots:
            yield from self._visit(slot, depth)

    def _slots(self, several: Groups) -> list[Group]:
        """Align unlike elements of one step by what is in them, in order."""
        if not several or max(map(len, several.values())) > MAX_PARTS:
            return []
        order = sorted(several, key=lambda page: -len(several[page]))
        slots: list[Group] = [{order[0]: node} for node in several[order[0]]]
        features = {each: self._features(*each) for each in each_element(several)}
        for page in order[1:]:
            slots = _merge(slots, page, several[page], features)
        return slots

    def _features(self, page: ItemPage, node: int) -> _Features:
        start, stop = page.span(node)
        texts = frozenset(fold_label(page.leaf_text(place)) for place in range(start, stop))
        return page.inner_steps(node), texts & self._shared


def _are_places(several: Groups) -> bool:
    """Tell whether elements differ by place: each page has as many, and texts of several pages keep theirs."""
    counts = {len(nodes) for nodes in several.values()}
    if len(several) < 2 or max(counts) > MAX_SLOTS:
        return False
    rows = [[page.text(node) for node in nodes] for page, nodes in several.items()]
    if len(counts) > 1:
        return differ_in_type(rows)
    places: dict[str, list[int]] = defaultdict(list)
    for page, nodes in several.items():
        for place, node in enumerate(nodes):
            places[fold_label(page.text(node))].append(place)
    again = [each for each in places.values() if len(each) > 1]
    kept = sum(len(set(each)) == 1 for each in again)
    if again:
        return kept >= MIN_SHARE_IN_PLACE * len(again)
    page, nodes = next(iter(several.items()))
    is_row = page.tag(nodes[0]) in CELLS  # of a data table, which has others like it
    has_amount = not is_row and have_own_types(rows)
    return has_amount or differ_in_type(rows) or _are_stated_apart(several)


def _slots_beside_amounts(several: Groups) -> list[Group]:
    """Align elements of which some pages have an amount or a date more, and otherwise all as many; else nothing.

    A job has a place and a kind, and perhaps its pay, in one list of lines with icons.
    """
    amounts: dict[str, Group] = {}
    others: dict[ItemPage, list[int]] = {}
    for page, nodes in several.items():
        others[page] = []
        for node in nodes:
            kind = type_of(page.text(node))[0]
            if kind not in ("date", "money"):
                others[page].append(node)
            elif amounts.setdefault(kind, {}).setdefault(page, node) != node:
                return []
    counts = {len(nodes) for nodes in others.values()}
    if len(several) < 2 or not amounts or len(counts) != 1 or max(counts) > MAX_SLOTS:
        return []
    places = [{page: nodes[place] for page, nodes in others.items()} for place in range(counts.pop())]
    return [*places, *amounts.values()]


def _are_stated_apart(several: Groups) -> bool:
    """Tell whether the pages state the values of different places under different names."""
    found: dict[int, set[str]] = defaultdict(set)
    for page, nodes in several.items():
        for place, node in enumerate(nodes):
            found[place].add(page.stated.get(fold_label(page.text(node)), ""))
    names = [name for each in found.values() for name in each]
    return bool(names) and all(len(each) == 1 for each in found.values()) and len(set(names)) == len(names)


def _merge(
    slots: list[Group],
    page: ItemPage,
    nodes: Sequence[int],
    features: Mapping[tuple[ItemPage, int], _Features],
) -> list[Group]:
    """Match elements of a page with slots in order, so that they are as alike as possible."""
    if len(slots) * len(nodes) > MAX_COMPARED_PAIRS:
        both = zip_longest(slots, nodes)
        return [{**(slot or {}), **({} if node is None else {page: node})} for slot, node in both]
    scores = [
        [fmean(_alike(features[item], features[page, node]) for item in slot.items()) for node in nodes]
        for slot in slots
    ]
    best = [[0.0] * (len(nodes) + 1) for _ in range(len(slots) + 1)]
    for i in reversed(range(len(slots))):
        for j in reversed(range(len(nodes))):
            match = scores[i][j] + best[i + 1][j + 1] if scores[i][j] >= MIN_LIKENESS_OF_SLOT else 0.0
            best[i][j] = max(match, best[i + 1][j], best[i][j + 1])
    found: list[Group] = []
    i = j = 0
    while i < len(slots) or j < len(nodes):
        if i < len(slots) and j < len(nodes):
            is_match = scores[i][j] >= MIN_LIKENESS_OF_SLOT and best[i][j] == scores[i][j] + best[i + 1][j + 1]
            if is_match:
                found.append({**slots[i], page: nodes[j]})
                i, j = i + 1, j + 1
                continue
        if j == len(nodes) or (i < len(slots) and best[i][j] == best[i + 1][j]):
            found.append(slots[i])
            i += 1
        else:
            found.append({page: nodes[j]})
            j += 1
    return found


def _look_of(unit: Unit) -> tuple[PathStep, PathStep] | None:
    """Describe the elements of a unit, if they have a class, and the element around them; None if they differ."""
    found = {(page.step(page.parents[node]), page.step(node)) for page, node in each_element(unit.nodes)}
    look = found.pop() if len(found) == 1 else None
    return look if look and look[1].classes else None


def _is_list_of_one(unit: Unit, lists: AbstractSet[tuple[PathStep, PathStep]]) -> bool:
    """Tell whether other elements that look as those of a unit do, in a box of the same kind, are a list.

    A film may have two directors as it has several actors, though no sample has.
    """
    own = _look_of(unit)
    return own is not None and any(own[1] == each[1] and own[0].classes & each[0].classes for each in lists)


def place_on_page(unit: Unit) -> float:
    """Return the mean share of the page before a unit, to order units by."""
    places = [page.span(node)[0] / max(1, len(page.leaves)) for page, node in unit.firsts.items()]
    return fmean(places) if places else 0.0


def _is_whole(group: Group, children: Mapping[ItemPage, Sequence[int]], own: Mapping[ItemPage, Sequence[int]]) -> bool:
    """Tell whether elements with others in them are one text: a line, a value or running text."""
    has_own = any(own.values())
    if has_own and all(page.is_inline(node) for page, node in group.items()):
        texts = {page.text(node) for page, node in group.items()}
        if len(group) > 1 == len(texts) or not (_is_frame(group, own) or _is_row(group, children, own)):
            return True
    if _is_value(group, has_own=has_own) or (not has_own and _is_labelled_amount(group)):
        return True
    return _is_prose(group, children, own)


def _is_labelled_amount(group: Group) -> bool:
    """Tell whether elements are a label with a colon, a number and what it counts: `Serves: 4 people`."""
    for page, node in group.items():
        start, stop = page.span(node)
        if stop - start != 3 or not page.is_inline(node):
            return False
        texts = list(map(page.leaf_text, range(start, stop)))
        if not texts[0].endswith(tuple(COLONS)):
            return False
        if not any(map(str.isdigit, texts[1])) or any(map(str.isdigit, texts[2])):
            return False
    return True


def _is_value(group: Group, *, has_own: bool) -> bool:
    """Tell whether elements hold one value each in several parts, as `<b>25</b> <i>mins</i>` is.

    Beside texts of their own, these are the currency: `<b>25</b> €/month`.
    """
    if not all(page.is_inline(node) for page, node in group.items()):
        return False
    texts = [page.text(node) for page, node in group.items()]
    firsts = [page.leaf_text(page.span(node)[0]) for page, node in group.items()]
    if max(map(len, texts)) > MAX_VALUE_LENGTH or any(first.endswith(tuple(COLONS)) for first in firsts):
        return False
    read = read_column(texts, Locale())
    if read is None or any(value is None or (value.note and not has_own) for value in read[1]):
        return False
    if has_own and read[0] != "money":
        return False
    if any(_count_values(page, node) > 1 for page, node in group.items()):
        return False
    return read[0] in ("money", "date") or all(
        value is not None and bool(dimension_of(value.unit or "")) for value in read[1]
    )


def _count_values(page: ItemPage, node: int) -> int:
    """Count the texts in an element that are values by themselves, not only numbers."""
    read = [read_value(page.leaf_text(place), Locale()) for place in range(*page.span(node))]
    return sum(each is not None and (each[0] != "number" or bool(each[1].unit)) for each in read)


def _unwrap(children: Groups) -> Groups:
    """Put the content of boxes that only some pages have around it in the place of the box.

    Such a box has no class, and children with steps that other pages have directly and its own page lacks.
    """
    named = {
        page: {step for node in nodes if (step := page.step(node)).classes or step.name}
        for page, nodes in children.items()
    }
    unwrapped: Groups = {}
    for page, nodes in children.items():
        elsewhere = Counter(step for each in named.values() for step in each)
        wanted = {step for step, count in elsewhere.items() if count > 1} - named[page]
        unwrapped[page] = [each for node in nodes for each in (_inside(page, node, wanted) or [node])]
    return unwrapped


def _inside(page: ItemPage, node: int, wanted: AbstractSet[PathStep]) -> list[int]:
    """List the children of a box without a name if all of them have wanted steps."""
    step = page.step(node)
    if not wanted or step.classes or step.name or step.prop or not page.is_block(node) or page.own_leaves(node):
        return []
    inside = page.children(node)
    return inside if all(page.step(child) in wanted for child in inside) else []


def _is_frame(group: Group, own: Mapping[ItemPage, Sequence[int]]) -> bool:
    """Tell whether the texts directly in elements are the same on all pages, as `by` before an author."""
    said = {tuple(fold_label(page.leaf_text(place)) for place in own[page]) for page in group}
    words = {text for texts in said for text in texts if any(map(str.isalnum, text))}
    if not words:
        return True
    return len(group) > 1 and len(said) == 1


def _is_row(group: Group, children: Mapping[ItemPage, Sequence[int]], own: Mapping[ItemPage, Sequence[int]]) -> bool:
    """Tell whether a line has parts in the same order on all pages, and both those with and without markup vary.

    `<b>Gull Inn</b> · Front Street` is such a row; a link in running text is not, nor are raised cents.
    """
    if len(group) < 2 or not all(own.values()) or not all(children.values()):
        return False
    steps = [[page.step(child) for child in nodes] for page, nodes in children.items()]
    usual = set.intersection(*map(set, steps))
    orders, texts, marked = set(), set(), set()
    for page, nodes in children.items():
        kept = [child for child in nodes if page.step(child) in usual]
        if any(page.tag(child) in _GLUED or not _is_apart(page, child) for child in kept):
            return False
        said = [place for place in own[page] if says_something(page.leaf_text(place))]
        parts = [child for child in kept if says_something(page.text(child))]
        order = sorted(
            [(place, "") for place in said] + [(page.span(child)[0], str(page.step(child))) for child in parts]
        )
        orders.add(tuple(name for name, _ in groupby(name for _, name in order)))
        texts.add(tuple(map(page.leaf_text, said)))
        marked.add(tuple(map(page.text, parts)))
    length = max((len(text) for each in texts for text in each), default=0)
    return len(orders) == 1 and len(texts) > 1 and len(marked) > 1 and length < LONG_TEXT


def _is_apart(page: ItemPage, node: int) -> bool:
    """Tell whether there is space, a separator or nothing on both sides of an element on its line."""
    start, stop = page.span(node)
    first, last = page.span(page.parents[node])
    before = start == first or page.texts.is_apart(start) or page.texts.texts[start - 1][-1:] in EDGE
    return before and (stop == last or page.texts.is_apart(stop) or page.texts.texts[stop][:1] in EDGE)


def _own_units(group: Group, own: Mapping[ItemPage, Sequence[int]]) -> Iterator[Unit]:
    """List the texts directly in elements beside other elements, without separators."""
    own = {page: [leaf for leaf in leaves if says_something(page.leaf_text(leaf))] for page, leaves in own.items()}
    counts = set(map(len, own.values()))
    places = list(range(min(max(counts), MAX_SLOTS)))
    if len(counts) > 1:  # the last ones may be aligned by the end
        places += range(-min(max(counts), MAX_SLOTS), 0)
    for place in places:
        leaves = {page: own[page][place] for page in group if -len(own[page]) <= place < len(own[page])}
        values = {page: [page.leaf_text(leaf)] for page, leaf in leaves.items()}
        yield Unit(
            TEXT,
            {page: [group[page]] for page in leaves},
            values,
            leaf=True,
            places={page: page.own_leaves(group[page]).index(leaf) for page, leaf in leaves.items()},
        )


def _is_prose(group: Group, children: Mapping[ItemPage, Sequence[int]], own: Mapping[ItemPage, Sequence[int]]) -> bool:
    """Tell whether elements hold running text: paragraphs and the like, without class names."""
    steps = {page: [page.step(child) for child in nodes] for page, nodes in children.items()}
    every = [step for each in steps.values() for step in each]
    if not all(step.tag in _PROSE and not step.classes and not step.prop for step in every):
        return False
    has_text = any(own.values()) or any(step.tag in ("p", "br", "blockquote", "pre") for step in every)
    if not has_text or _is_outlined(children):
        return False
    tags = {tuple(step.tag for step in each) for each in steps.values()}
    if {step.tag for step in every} == {"p"} and (tags == {("p",)} or len(tags) > 1):
        return True
    length = fmean(len(page.text(node)) / max(1, len(steps[page])) for page, node in group.items())
    return length >= (LONG_TEXT if len(tags) == 1 else SHORT_TEXT)


def _is_outlined(children: Mapping[ItemPage, Sequence[int]]) -> bool:
    """Tell whether elements hold headings that are the same on all pages: parts of the template, not one text."""
    headings = [
        {page.text(node) for node in nodes if page.tag(node) in HEADING_TAGS} for page, nodes in children.items()
    ]
    return len(headings) > 1 and len(set.intersection(*headings)) >= MIN_HEADINGS


def _by_step(children: Mapping[ItemPage, Sequence[int]]) -> list[Groups]:
    """Group children of all pages by their steps; steps that no page has both of may be one."""
    groups: dict[PathStep, Groups] = {}
    for page, nodes in children.items():
        for node in nodes:
            groups.setdefault(page.step(node), {}).setdefault(page, []).append(node)
    merged: list[tuple[PathStep, Groups]] = []
    for step, group in groups.items():
        for known, other in merged:
            if are_variants(step, known) and other.keys().isdisjoint(group):
                other.update(group)
                break
        else:
            merged.append((step, group))
    return [group for _, group in merged]


def _without_separators(several: Groups) -> Groups:
    """Leave out elements with nothing but a dot or a bar."""
    kept = {page: [node for node in nodes if says_something(page.text(node))] for page, nodes in several.items()}
    return {page: nodes for page, nodes in kept.items() if nodes} or several


def _are_lists(several: Groups) -> bool:
    return all(page.tag(node) in ("ul", "ol") for page, nodes in several.items() for node in nodes)


def _flatten(several: Groups) -> Groups:
    """List the items of lists; else the elements themselves."""
    if not _are_lists(several):
        return several
    return {page: [child for node in nodes for child in page.children(node)] for page, nodes in several.items()}


def _are_paragraphs(several: Groups) -> bool:
    """Tell whether elements are paragraphs of running text, with headings or lists between them."""
    every = each_element(several)
    if any(page.tag(node) != "p" for page, node in every):
        return False
    return fmean(len(page.text(node)) for page, node in every) >= LONG_TEXT


def _is_homogeneous(several: Groups) -> bool:
    """Tell whether the elements of a page are alike."""
    likeness = []
    for page, nodes in several.items():
        inner = [page.inner_steps(node) for node in nodes[: 2 * MAX_SLOTS]]
        likeness += [_likeness(one, other) for one, other in combinations(inner, 2)]
    return fmean(likeness) >= MIN_LIKENESS_OF_LIST


def _are_cards(several: Groups) -> bool:
    """Tell whether elements are records of their own."""
    cards = total = 0
    for page, nodes in several.items():
        for node in nodes:
            start, stop = page.span(node)
            total += 1
            has_link = page.tag(node) == "a" or page.tree.has(node, "a")
            is_pictured = has_link and page.tree.has(node, "img")
            if stop - start > 1 and (is_pictured or not page.is_inline(node)):
                cards += stop - start >= MIN_CARD_TEXTS or has_link
    return 2 * cards > total


def _are_boxes(several: Groups) -> bool:
    """Tell whether elements of several texts begin with the same texts on all pages, as boxes with headings do."""
    every = each_element(several)
    if len(several) < 2 or all(page.is_inline(node) for page, node in every):
        return False
    firsts = [{fold_label(page.leaf_text(page.span(node)[0])) for node in nodes} for page, nodes in several.items()]
    return 2 * len(set.intersection(*firsts)) > len(firsts[0])


def _alike(one: _Features, other: _Features) -> float:
    """Measure how alike two elements are, in steps and in the texts that several pages have."""
    steps = _likeness(one[0], other[0])
    return (steps + _likeness(one[1], other[1])) / 2 if one[1] or other[1] else steps


def _likeness(one: AbstractSet[object], other: AbstractSet[object]) -> float:
    """Measure the share of members in common; none in either is all."""
    return len(one & other) / len(one | other) if one or other else 1.0


def are_variants(one: PathStep, other: PathStep) -> bool:
    """Tell whether two steps may be of the same element: same tag, and class names or neither in common."""
    if one.tag != other.tag or one.prop != other.prop or one.name != other.name:
        return False
    return bool(one.classes & other.classes) or not one.classes or not other.classes
