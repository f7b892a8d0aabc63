"""Find labelled values on detail pages of one template: pairs of a label and a value, in whatever order they are.

A pair is an element (`<li><b>Size:</b> 4</li>`, a row of two cells), a term with its descriptions, or one text with a
colon.  Labels are texts that other pages have in the same place, or that markup or a colon marks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, takewhile

from webquarry.html.columns import HEADING_TAGS
from webquarry.values.column_values import read_column
from webquarry.values.text_value import Locale
from webquarry.wrapping.field_values import COLONS, LIST, PAIRS
from webquarry.wrapping.item_samples import TEXT, Group, Groups, ItemPage, Unit, each_element
from webquarry.wrapping.label_texts import ALTERNATIVE, MAX_LABEL_LENGTH, fold_label, take_label

MIN_SHARE_LABELLED = 0.6
"""Share of the elements of a step with a label that another page has too, for them to be pairs."""
MIN_STEM = 4
"""Letters that labels in the singular and the plural have in common."""
MAX_ENDING = 3
"""Letters in which they differ."""
MAX_LABEL_TEXTS = 3
"""Texts of the cell with a label."""
MAX_PAIR_LINES = 3
"""Lines of a pair that line breaks separate: the label, and an address."""
MAX_LABELS = 100
"""Pairs of one kind that become fields; with more, the others stay pairs."""
MIN_SHARE_IN_ORDER = 0.8
"""Share of any two labels of two pages that are in the same order on both; at random it is half."""
MAX_PAGES_IN_ORDER = 10
"""Pages whose labels are compared, each with each."""
MAX_LABELS_IN_ORDER = 100
"""Labels of two pages whose order is compared, each with all others; a page may have thousands."""
MAX_PAIR_TEXTS = 24
"""Texts of a pair of label and value; a value may be a list."""
_LABEL_TAGS = frozenset("th dt b strong label".split()) | HEADING_TAGS
_LABEL_CLASSES = ("label", "title", "name", "key", "heading", "term")
_LISTS = frozenset("dl ol table tbody ul".split())
_CHOICES = frozenset(["a", "button", "label", "li"])
"""Elements that several values of one label are in."""


Part = tuple[int, str, str]
"""A part of a value: its element, or its text as a negative number; the step; and what it says."""


def make_unit(group: Group) -> Unit:
    """Make a unit of elements; what they all begin with may be its label."""
    label = _inner_label(group)
    values = {}
    for page, node in group.items():
        rests = (_take(page, node, each) for each in label.split(ALTERNATIVE) if each)
        values[page] = [next(filter(None, rests), page.text(node))]
    return Unit(TEXT, {page: [node] for page, node in group.items()}, values, label)


def _take(page: ItemPage, node: int, label: str) -> str | None:
    """Return the text of an element without its label; None if it has no such label."""
    return take_label(page.texts, *page.span(node), label) if label else None


def _inner_label(group: Group) -> str:
    """Find the label that the elements of all pages begin with: its own text, or up to a colon."""
    labels = Counter(_first_label(page, node) for page, node in group.items())
    if "" in labels:
        return ""
    first = labels.most_common(1)[0][0]
    are_one = all(len(_stem(fold_label(first), fold_label(other))) >= MIN_STEM for other in labels)
    return ALTERNATIVE.join(labels) if len(labels) == 1 or (are_one and len(labels) == 2) else ""


def _first_label(page: ItemPage, node: int) -> str:
    start, stop = page.span(node)
    first = page.leaf_text(start)
    before, colon, after = first.partition(":")
    if (
        colon
        and (after.strip() or stop > start + 1)
        and len(before) <= MAX_LABEL_LENGTH
        and not _is_clock(before, after)
    ):
        return before.strip() if not after.strip() or after[0] == " " else ""
    if stop > start + 1 and page.leaf_text(start + 1).startswith(tuple(COLONS)) and len(first) <= MAX_LABEL_LENGTH:
        return first.strip()
    is_marked = stop > start + 1 and page.parents[page.leaves[start]] != node
    is_label = is_marked and len(first) <= MAX_LABEL_LENGTH and any(map(str.isalpha, first))
    return first.strip() if is_label and _is_marked_label(page, start) else ""


def _is_marked_label(page: ItemPage, start: int) -> bool:
    parent = page.parents[page.leaves[start]]
    names = " ".join(page.step(parent).classes).lower()
    return page.tag(parent) in _LABEL_TAGS or any(word in names for word in _LABEL_CLASSES)


def read_terms(children: Mapping[ItemPage, Sequence[int]]) -> list[Unit] | None:
    """Read children as labels each followed by its values, as in `dl` and in rows of several pairs; else None."""
    terms = {page: _list_terms(page, nodes) for page, nodes in children.items()}
    if not any(terms.values()):
        return None
    found: dict[str, Unit] = {}
    for page, nodes in children.items():
        label = ""
        for node in nodes:
            if node in terms[page]:
                label = page.text(node).strip(COLONS + " ")
            elif label:
                unit = found.setdefault(fold_label(label), Unit(TEXT, {}, {}, label))
                unit.nodes.setdefault(page, []).append(node)
    for unit in found.values():
        _divide(unit)
        if any(len(values) > 1 for values in unit.values.values()):
            unit.kind = LIST
    return list(found.values())


def _divide(unit: Unit) -> None:
    """Let the values of a unit be the parts of its elements, if these are nothing but alike ones, such as tags."""
    inside = {page: [part for node in nodes for part in page.children(node)] for page, nodes in unit.nodes.items()}
    every = each_element(inside)
    are_parts = all(page.is_inline(part) and page.step(part).classes for page, part in every)
    has_own = any(page.own_leaves(node) for page, node in each_element(unit.nodes))
    is_one = len({page.step(part) for page, part in every}) == 1 and all(inside.values())
    if are_parts and is_one and not has_own and max(map(len, inside.values())) > 1:
        unit.nodes = inside
    unit.values = {page: list(map(page.text, nodes)) for page, nodes in unit.nodes.items()}


def _list_terms(page: ItemPage, nodes: Sequence[int]) -> list[int]:
    tags = [page.tag(node) for node in nodes]
    terms = [node for node, tag in zip(nodes, tags, strict=True) if tag in ("dt", "th")]
    are_cells = tags[::2] == ["th"] * len(terms) and tags[1::2] == ["td"] * len(terms) and len(terms) > 1
    return terms if are_cells or "dt" in tags else []


def read_lines(group: Group) -> list[Unit] | None:
    """Read lines between line breaks as pairs with a colon; None if they are one text."""
    found: dict[tuple[str, bool], Unit] = {}
    count = most = 0
    for page, node in group.items():
        lines = page.lines(node)
        count, most = count + len(lines), max(most, len(lines))
        for line in lines if len(lines) > 1 or len(group) > 1 else ():
            _read_line(page, node, line, found)
    labelled = sum(len(unit.nodes) for unit in found.values())
    labels = {label for label, _ in found}
    if most > 1 < len(labels) and labelled >= MIN_SHARE_LABELLED * count:
        return list(found.values())
    return None


def _read_line(page: ItemPage, node: int, line: range, found: dict[tuple[str, bool], Unit]) -> None:
    """Add the value of a line to the unit of its label: a text directly in the element, or an element in it."""
    first = page.leaf_text(line.start)
    label, colon, rest = first.partition(":")
    if not colon or not 0 < len(label) <= MAX_LABEL_LENGTH or _is_clock(label, rest):
        return
    own, after = page.own_leaves(node), line.start if rest.strip() else line.start + 1
    if after >= line.stop:
        return
    is_leaf = after in own
    holder = node if is_leaf else next(child for child in page.children(node) if page.leaves[after] < page.ends[child])
    if line.stop - after > 1 if is_leaf else page.span(holder) != (after, line.stop):
        return
    value = rest if after == line.start else page.leaf_text(after) if is_leaf else page.text(holder)
    unit = found.setdefault((fold_label(label), is_leaf), Unit(TEXT, {}, {}, label.strip(), leaf=is_leaf))
    unit.nodes[page], unit.values[page] = [holder], [value.strip()]
    if is_leaf:
        unit.places[page] = own.index(after)


def find_pairs(several: Groups) -> dict[ItemPage, list[str]] | None:
    """Find the label of each element, first in it or last, empty for those without; None if they are not pairs."""
    large = {page: [_is_large(page, node) for node in nodes] for page, nodes in several.items()}
    first = _find_labels(several, large, is_last=False)
    return _find_labels(several, large, is_last=True) if first is None else first


def _find_labels(
    several: Groups, large: Mapping[ItemPage, Sequence[bool]], *, is_last: bool
) -> dict[ItemPage, list[str]] | None:
    """Find the label of each element that is not large, first in it or last; None if they are not pairs."""
    found: dict[ItemPage, list[str]] = {}
    for page, nodes in several.items():
        labels = [_label(page, node, is_last=is_last) for node in nodes]
        found[page] = [
            "" if is_large or not _take(page, node, label) else label
            for node, label, is_large in zip(nodes, labels, large[page], strict=True)
        ]
    again = {page: _labels_elsewhere(found, page) for page in found}
    good = sum(
        bool(label) and (fold_label(label) in again[page] or _is_sure(page, node, is_last=is_last))
        for page, labels in found.items()
        for label, node in zip(labels, several[page], strict=True)
    )
    small = sum(each.count(False) for each in large.values())
    if not good or good < MIN_SHARE_LABELLED * small or not _are_labels(several, found, is_last=is_last):
        return None
    for labels in found.values():
        known = [label for label in labels if label]
        if len(set(known)) < len(known):
            return None
    return found


def _are_labels(several: Groups, found: Mapping[ItemPage, Sequence[str]], *, is_last: bool) -> bool:
    """Tell whether recurring texts are labels: of several elements of a page, or marked as such."""
    every = [fold_label(label) for labels in found.values() for label in labels if label]
    if len(set(every)) < 2 or are_linked(several):
        return False
    is_sure = all(
        _is_sure(page, node, is_last=is_last)
        for page, labels in found.items()
        for node, label in zip(several[page], labels, strict=True)
        if label
    )
    if is_sure:
        return True
    return max(sum(map(bool, labels)) for labels in found.values()) > 1 and _keep_order(list(found.values()))


def are_linked(several: Groups) -> bool:
    """Tell whether most elements have a picture and a link, or begin with a link, as related items do."""
    linked = [_is_linked(page, node) for page, node in each_element(several)]
    return 2 * sum(linked) > len(linked)


def _is_linked(page: ItemPage, node: int) -> bool:
    start, stop = page.span(node)
    if page.tree.has(node, "img") and page.tree.has(node, "a"):
        return True
    is_link = page.find_tag(page.leaves[start], ["a"]) is not None
    return is_link and stop - start <= MAX_PAIR_TEXTS and not _is_sure(page, node, is_last=False)


def _labels_elsewhere(found: Mapping[ItemPage, Sequence[str]], page: ItemPage) -> set[str]:
    """List the labels of all other pages."""
    return {fold_label(label) for other, labels in found.items() if other != page for label in labels}


def _label(page: ItemPage, node: int, *, is_last: bool) -> str:
    start, stop = page.span(node)
    if stop - start == 1:
        before, colon, after = page.leaf_text(start).partition(":")
        is_pair = colon and after.strip() and len(before) <= MAX_LABEL_LENGTH and not is_last
        return before.strip() if is_pair and not _is_clock(before, after) else ""
    if is_last and stop - start > MAX_LABEL_TEXTS:
        return ""
    label = page.leaf_text(stop - 1 if is_last else start)
    head = next((child for child in page.children(node) if page.span(child)[0] == start), None)
    if head is not None and not is_last and page.span(head)[1] < stop and page.is_inline(head):
        label = page.text(head)
    before, colon, after = label.partition(":")
    if colon and after.strip() and not is_last:
        label = before
    return label.strip() if len(label) <= MAX_LABEL_LENGTH and any(map(str.isalpha, label)) else ""


def _is_large(page: ItemPage, node: int) -> bool:
    """Tell whether an element holds more than a label and its value."""
    start, stop = page.span(node)
    if stop - start > MAX_PAIR_TEXTS or page.tag(page.innermost(node)) in _LISTS:
        return True
    if page.count_rows(node) > 1 or len(page.lines(node)) > MAX_PAIR_LINES:
        return True
    if page.tag(node) == "tr":
        return not _is_pair_of_cells(page, node)
    labels = sum(page.leaf_text(place).endswith(tuple(COLONS)) for place in range(start, stop))
    labels += sum(": " in page.leaf_text(line.start) for line in page.lines(node)[1:])
    if labels > 1 or page.tag(node) == "li":
        return labels > 1
    blocks = [child for child in page.children(node) if page.is_block(child)]
    behind = [child for child in blocks if page.span(child)[0] > start]
    if len({page.step(child) for child in behind}) > 1:
        return True
    inner = (len(page.children(page.innermost(child))) for child in behind if page.step(child).classes)
    return max(inner, default=0) > 1


def _is_pair_of_cells(page: ItemPage, node: int) -> bool:
    cells = page.children(node)
    return len(cells) <= 2 and page.span(cells[0])[1] - page.span(cells[0])[0] <= MAX_LABEL_TEXTS


def _is_sure(page: ItemPage, node: int, *, is_last: bool) -> bool:
    """Tell whether markup or a colon says that an element begins with a label."""
    start, _ = page.span(node)
    if is_last:
        return False
    text = page.leaf_text(start)
    return text.endswith(tuple(COLONS)) or page.tag(page.parents[page.leaves[start]]) in ("th", "dt", "label")


def make_pair_units(several: Groups, labels: Mapping[ItemPage, Sequence[str]]) -> Iterator[Unit]:
    """Make a unit for each label, and one for pairs with labels that the pages lack."""
    units: dict[str, Unit] = {}
    for page, nodes in several.items():
        for node, label in zip(nodes, labels[page], strict=True):
            value = _take(page, node, label) if label else None
            if value is None or (len(units) == MAX_LABELS and fold_label(label) not in units):
                continue
            unit = units.setdefault(fold_label(label), Unit(TEXT, {}, {}, label))
            unit.nodes[page], unit.values[page] = [node], [value]
    is_last = all(_is_label_last(unit) for unit in units.values())
    for unit in units.values() if not is_last else ():
        if not _list_parts(unit):
            _narrow(unit)
    yield from units.values()
    is_fixed = is_last and all(len(unit.nodes) == len(several) for unit in units.values())
    if len(units) > 1 and not is_fixed:  # other pages may have other labels, unless they are below a few figures
        yield Unit(PAIRS, several, {page: list(each) for page, each in labels.items()}, is_last=is_last)


def _is_label_last(unit: Unit) -> bool:
    page, node = next(iter(unit.firsts.items()))
    _, stop = page.span(node)
    return fold_label(page.leaf_text(stop - 1)) == fold_label(unit.label)


def _list_parts(unit: Unit) -> bool:
    """Let the values of a pair be the alike parts behind its label, such as sizes, without a text between them."""
    if any(page.own_leaves(nodes[0]) for page, nodes in unit.nodes.items()):
        return False
    parts = {page: _points(page, _parts(page, nodes[0], unit.label)) for page, nodes in unit.nodes.items()}
    steps = {step for each in parts.values() for _, step, _ in each}
    tags = {page.tag(node) for page, each in parts.items() for node, _, _ in each if node > 0}
    if len(steps) > 1 or "" in steps or not tags <= _CHOICES or max(map(len, parts.values())) < 2:
        return False
    unit.kind = LIST
    unit.nodes = {page: [node for node, _, _ in each] for page, each in parts.items()}
    unit.values = {page: [text for _, _, text in each] for page, each in parts.items()}
    return True


def _points(page: ItemPage, parts: list[Part]) -> list[Part]:
    """Return the points of a list if it is the only part, else the parts."""
    if len(parts) != 1 or page.tag(parts[0][0]) not in ("ol", "ul") or page.own_leaves(parts[0][0]):
        return parts
    return [(child, str(page.step(child)), page.text(child)) for child in page.children(parts[0][0])]


def _narrow(unit: Unit) -> None:
    """Let the value of a pair be its first part behind the label, if others are the same always or it is typed."""
    parts = {page: _parts(page, nodes[0], unit.label) for page, nodes in unit.nodes.items()}
    counts = set(map(len, parts.values()))
    if len(parts) < 2 or max(counts) < 2 or 0 in counts or len({each[0][1] for each in parts.values()}) > 1:
        return
    first, *others = ({each[place][2] for each in parts.values()} for place in range(min(counts)))
    is_alone = len(first) > 1 and len(others) > 0 and all(len(each) == 1 for each in others)
    is_marked = all(each[0][0] > 0 for each in parts.values())
    if not is_alone and not (is_marked and _are_amounts([each[0][2] for each in parts.values()])):
        return
    firsts = {page: each[0] for page, each in parts.items()}
    unit.leaf = next(iter(firsts.values()))[0] < 0
    for page, (node, _, text) in firsts.items():
        if unit.leaf:
            own = page.own_leaves(unit.nodes[page][0])
            unit.places[page] = own.index(-node - 1)
        else:
            unit.nodes[page] = [node]
        unit.values[page] = [text]


def _parts(page: ItemPage, node: int, label: str) -> list[Part]:
    """List the parts of a pair behind its label."""
    found = [(-place - 1, "", page.leaf_text(place)) for place in page.own_leaves(node)]
    found += [(child, str(page.step(child)), page.text(child)) for child in page.children(node)]
    found.sort(key=lambda part: page.leaves[-part[0] - 1] if part[0] < 0 else part[0])
    if len(found) == 2 and found[1][0] > 0 and page.tag(node) == "tr":  # the cell of the value
        return [part for part in _parts(page, found[1][0], "") if any(map(str.isalnum, part[2]))]
    if found and fold_label(found[0][2]) == fold_label(label):
        found = found[1:]
    return [part for part in found if any(map(str.isalnum, part[2]))]


def _keep_order(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether labels follow each other alike on most pages: names of actors or ingredients do not."""
    places = [{fold_label(label): place for place, label in enumerate(row) if label} for row in rows]
    kept = total = 0
    for one, other in combinations(places[:MAX_PAGES_IN_ORDER], 2):
        shared = [label for label in one if label in other][:MAX_LABELS_IN_ORDER]
        for first, second in combinations(shared, 2):
            total += 1
            kept += (one[first] < one[second]) == (other[first] < other[second])
    return kept >= MIN_SHARE_IN_ORDER * total


def unlabelled(several: Groups, labels: Mapping[ItemPage, Sequence[str]]) -> Groups:
    """List the elements without a label."""
    left = {
        page: [node for node, label in zip(nodes, labels[page], strict=True) if not label]
        for page, nodes in several.items()
    }
    return {page: nodes for page, nodes in left.items() if nodes}


def _are_amounts(texts: Sequence[str]) -> bool:
    """Tell whether texts are prices, or numbers with units."""
    read = read_column(texts, Locale())
    return read is not None and (read[0] == "money" or all(value is not None and value.unit for value in read[1]))


def _is_clock(before: str, after: str) -> bool:
    """Tell whether the colon between two texts is that of a time or an address."""
    return (before[-1:].isdigit() and after[:1].isdigit()) or after.startswith("//")


def _may_be_one(one: Unit, other: Unit) -> bool:
    """Tell whether no page has both units, and their labels are the same but for an ending, as that of a plural."""
    if not one.nodes.keys().isdisjoint(other.nodes) or one.leaf != other.leaf:
        return False
    first, second = fold_label(one.label.split(ALTERNATIVE)[0]), fold_label(other.label)
    if first == second:
        return True
    shared = len(_stem(first, second))
    return shared >= MIN_STEM and max(len(first), len(second)) - shared <= MAX_ENDING


def merge_labelled(units: Iterable[Unit]) -> list[Unit]:
    """Merge units of one label that no page has both of: the elements around them may differ between pages."""
    merged: list[Unit] = []
    labelled: dict[tuple[str, str, str], list[Unit]] = defaultdict(list)
    for unit in units:
        page, node = next(iter(unit.firsts.items()))
        label = fold_label(unit.label)
        alike = labelled[unit.kind, label[:MIN_STEM], page.tag(node)] if unit.label else []
        known = next((each for each in alike if _may_be_one(each, unit)), None)
        if known is None:
            merged.append(unit)
            alike.append(unit)
        else:
            if label not in map(fold_label, known.label.split(ALTERNATIVE)):
                known.label += ALTERNATIVE + unit.label
            known.nodes.update(unit.nodes)
            known.values.update(unit.values)
    return merged


def _stem(one: str, other: str) -> str:
    """Return the letters that two words begin with.

    >>> _stem("category", "categories")
    'categor'
    """
    return "".join(mark for mark, again in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
