"""Learn the wrapper of detail pages of one template: a product, a job, a recipe, an event, a person.

The samples are aligned (`item_template.py`); what varies between them is a field, and so is what is the same within the
part of the page that is about the item.  Each field gets a rule and a name (`item_names.py`).

A rule is found by trying.  Its signature begins at the innermost element around the values whose step no other element
of a page has.  A field has a few candidates: by signature alone, by its label, by places among siblings, by its number
among the matches.  All are tried on all samples with the reader; the one that reads most pages right wins, the simpler
one on a tie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from webquarry.errors import InputError
from webquarry.html.columns import HEADING_TAGS
from webquarry.model.document import Document
from webquarry.model.names import distinct
from webquarry.model.wrapper import FieldRule, ListingRule, Source, Wrapper
from webquarry.page.column_words import split_words
from webquarry.values.column_values import read_column
from webquarry.values.text_value import Locale
from webquarry.wrapping.field_signatures import TEXT_NODE, PathStep, StepPath, share_path, write_signature
from webquarry.wrapping.field_values import COLONS, IMAGES, LIST, PAIRS, Cell, find_shared_locale, pick_cells
from webquarry.wrapping.item_addresses import AddressFinder
from webquarry.wrapping.item_matches import ItemMatcher
from webquarry.wrapping.item_names import UNTOLD_NAMES, is_told, name_units
from webquarry.wrapping.item_parts import add_sections, find_cards, find_category, find_furniture, find_title, find_zone
from webquarry.wrapping.item_reader import read_matches
from webquarry.wrapping.item_samples import TEXT, ItemPage, Unit, Zones, each_element, find_hidden_steps, read_pages
from webquarry.wrapping.item_template import Template, place_on_page
from webquarry.wrapping.label_texts import ALTERNATIVE, EDGE, MAX_LABEL_LENGTH, trim

MAX_CONSTANT_LENGTH = 80
"""Characters of a text that is the same on all pages, for it to be a field."""
MAX_TEXTS_UNDER_TITLE = 20
"""Texts between the title and a value without a name that all samples share; further ones are mostly furniture."""
MAX_FIELDS = 300
"""Of a wrapper."""
MIN_RIGHT = 0.5
"""Share of the samples that a rule must read right."""
_CATEGORIES = frozenset(["categories", "category"])
"""Names of fields that say what the last breadcrumb says."""
_CONTROLS = frozenset("button dt label legend option select summary th".split())
_CAPTION_WORDS = frozenset("btn button caption heading head header label submit title toggle".split())
"""Words of class names of texts that head or steer something."""


def learn_item(documents: Sequence[Document], source: Source) -> Wrapper:
    """Learn a wrapper of the detail pages that the documents are; raise InputError if they have no field."""
    pages = read_pages(documents)
    template = Template(pages)
    furniture = {page: find_furniture(page) for page in pages}
    units = [unit for unit in template.units() if not _is_inside(unit, furniture)]
    title = find_title(units, pages)
    varying = [unit for unit in units if unit is title or (_varies(unit, pages) and not _is_furnishing(unit))]
    varying += find_category(pages, title)
    zones = Zones(
        item={page: find_zone(page, varying) for page in pages},
        others={page: furniture[page] | find_cards(page, template.cards) for page in pages},
    )
    values = [
        unit
        for unit in units
        if unit not in varying and _is_value(unit, zones) and (is_told(unit) or _is_under(unit, title))
    ]
    chosen = [*varying, *_without_leads(values, varying)]
    chosen = sorted(chosen, key=lambda unit: (unit is not title, place_on_page(unit)))[:MAX_FIELDS]
    paths = find_hidden_steps(pages)
    hidden = [write_signature([path]) for path in paths]
    choices = [choice for choice in find_rules(chosen, pages, hidden) if choice.right >= MIN_RIGHT]
    if not choices:
        raise InputError(f"{documents[0].url}: nothing varies between the sample pages; name more of them")
    locale = find_shared_locale(documents, (text for choice in choices for text in choice.unit.texts))
    drafts = _draft_fields(choices, title, locale, samples=len(pages))
    fields = tuple(_write_field(draft, len(pages)) for draft in drafts)
    fields += _write_addresses(AddressFinder(pages, zones, title), drafts, pages, hidden)
    unseen = find_needed(fields, pages, paths)
    wrapper = Wrapper(source.with_locale(locale), listing=ListingRule("html", "body", 1, fields, unseen=unseen))
    return add_sections(wrapper, pages, [choice.unit for choice in choices], zones)


def _is_inside(unit: Unit, masks: Mapping[ItemPage, NDArray[np.bool_]]) -> bool:
    """Tell whether all elements of a unit are in a part of their page."""
    return all(masks[page][node] for page, node in unit.firsts.items())


def _varies(unit: Unit, pages: Sequence[ItemPage]) -> bool:
    return len(set(unit.texts)) > 1 or len(unit.nodes) < len(pages)


def _is_furnishing(unit: Unit) -> bool:
    """Tell whether a text that is the same wherever it is heads or steers something, as the heading of a lone box."""
    if unit.kind == TEXT and not unit.label and all(text.endswith(tuple(COLONS)) for text in unit.texts):
        return True
    is_same = unit.kind == "text" and not unit.label and len(set(unit.texts)) == 1 and len(unit.nodes) > 1
    return is_same and any(_is_caption(page, node) for page, node in unit.firsts.items())


def _is_value(unit: Unit, zones: Zones) -> bool:
    """Tell whether a text that is the same on all pages is about the item: not a heading, label or control."""
    if unit.kind == LIST or unit.leaf or not _is_inside(unit, zones.item):
        return False
    if unit.kind == PAIRS or unit.label:
        return True
    text = unit.texts[0]
    if len(text) > MAX_CONSTANT_LENGTH or text.endswith(tuple(COLONS)) or not any(map(str.isalnum, text)):
        return False
    return not any(_is_caption(page, node) for page, node in unit.firsts.items())


def _is_under(unit: Unit, title: Unit | None) -> bool:
    """Tell whether a text follows the title soon, as an author or a place does that all samples share."""
    page = next((page for page in unit.nodes if title and page in title.nodes), None)
    if title is None or page is None:
        return False
    node = unit.firsts[page]
    if "a" in map(page.tag, (node, *page.around(node, 2))):  # links that all pages have lead on
        return False
    between = page.span(node)[0] - page.span(title.firsts[page])[1]
    return 0 <= between <= MAX_TEXTS_UNDER_TITLE


def _without_leads(values: Sequence[Unit], varying: Sequence[Unit]) -> Iterator[Unit]:
    """Leave out texts that are the label of the one other text beside them, which varies, or the unit behind it."""
    spans = [(page, *page.span(node)) for unit in varying for page, node in unit.firsts.items()]
    starts, stops = {(page, start) for page, start, _ in spans}, {(page, stop) for page, _, stop in spans}
    for unit in values:
        page, node = next(iter(unit.firsts.items()))
        holder, (start, stop) = page.parents[node], page.span(node)
        is_lead = len(page.children(holder)) == 2 and stop < page.span(holder)[1] and (page, stop) in starts
        is_unit = page.is_inline(holder) and start > page.span(holder)[0] and (page, start) in stops
        if unit.label or not (is_lead or is_unit):
            yield unit


def _is_caption(page: ItemPage, node: int) -> bool:
    """Tell whether an element is a heading, unless it is a link too, a label or a control, by tag or class name."""
    around = [node, *page.around(node)]
    if page.find_tag(node, HEADING_TAGS) is not None:
        return not page.tree.has(node, "a") and not any(page.tag(each) == "a" for each in around)
    names = [name.rpartition("__")[2] for each in around[:2] for name in page.step(each).classes]
    words = {word for name in names for word in split_words(name)}
    if not _CAPTION_WORDS.isdisjoint(words) or any(page.tag(each) in _CONTROLS for each in around):
        return True
    links = [page.document.attributes[each].get("href", "#") for each in around if page.tag(each) == "a"]
    return any(link.startswith(("#", "javascript:")) for link in links)


def _draft_fields(choices: Sequence[Choice], title: Unit | None, locale: Locale, *, samples: int) -> list[_Draft]:
    """Name the fields, no two alike, and join variants of one field."""
    types = [_find_type(choice.unit, locale) for choice in choices]
    names = name_units([choice.unit for choice in choices], types, title, locale, samples=samples)
    drafts = _join_variants(
        [_Draft(name, kind, [choice]) for name, kind, choice in zip(names, types, choices, strict=True)]
    )
    if any(draft.name.casefold() in _CATEGORIES and not draft.choices[0].unit.name for draft in drafts):
        drafts = [draft for draft in drafts if not draft.choices[0].unit.name]  # the breadcrumbs say it again
    named = distinct([draft.name for draft in drafts], ignore_case=True)
    return [replace(draft, name=name) for draft, name in zip(drafts, named, strict=True)]


def _write_field(draft: _Draft, count: int) -> FieldRule:
    first, *others = (replace(choice.rule, name=draft.name, type=draft.type) for choice in draft.choices)
    is_optional = len(draft.pages) < count or draft.type == PAIRS
    return replace(first, instead=tuple(others), is_optional=is_optional)


@dataclass
class _Draft:
    """A field to be: its name, its type, and the rules of its variants."""

    name: str
    type: str
    choices: list[Choice]

    @property
    def pages(self) -> set[ItemPage]:
        return {page for choice in self.choices for page in choice.unit.nodes}


def _join_variants(drafts: Sequence[_Draft]) -> list[_Draft]:
    """Join fields of one name and type that no page has both of, such as prices with and without a sale.

    A field that says again what one of its name says is left out.
    """
    joined: dict[tuple[str, str], list[_Draft]] = {}
    found = []
    for draft in drafts:
        known = joined.setdefault((draft.name.casefold(), draft.type), [])
        if any(draft.choices[0].unit.values == each.choices[0].unit.values for each in known):
            continue
        other = next((each for each in known if draft.pages.isdisjoint(each.pages)), None)
        if other is None or draft.name in UNTOLD_NAMES or draft.type in (LIST, PAIRS):
            known.append(draft)
            found.append(draft)
        else:
            other.choices.extend(draft.choices)
    return found


def _write_addresses(
    finder: AddressFinder,
    drafts: Sequence[_Draft],
    pages: Sequence[ItemPage],
    hidden: Sequence[str],
) -> tuple[FieldRule, ...]:
    """Write the fields of pictures and links, behind those with texts."""
    taken = [draft.name for draft in drafts]
    found = [*finder.find_pictures().items(), *finder.find_links([draft.choices[0].unit for draft in drafts], taken)]
    names = {unit: name for name, unit in found}
    right = [each for each in find_rules(list(names), pages, hidden) if each.right >= MIN_RIGHT][
        : MAX_FIELDS - len(drafts)
    ]
    named = distinct([names[choice.unit] for choice in right], taken, ignore_case=True)
    return tuple(
        replace(choice.rule, name=name, is_optional=len(choice.unit.nodes) < len(pages))
        for choice, name in zip(right, named, strict=True)
    )


def _find_type(unit: Unit, locale: Locale) -> str:
    if unit.kind in (LIST, PAIRS):
        return unit.kind
    read = read_column([text.strip(EDGE) for text in unit.texts], locale)
    return read[0] if read else "text"


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
    if not units:
        return []
    is_unique = cache(partial(_is_unique, pages=pages))
    values = {trim(text) for unit in units if len(unit.nodes) > 1 and len(set(unit.texts)) > 1 for text in unit.texts}
    drafts = [(unit, rule) for unit in units for rule in _draft(unit, is_unique, values)]
    rules = [rule for _, rule in drafts]
    matcher = ItemMatcher(rules, hidden)
    read = {
        page: read_matches(rules, matcher, page.document, page.tree, page.elements, most=MAX_MATCHES) for page in pages
    }
    best: dict[Unit, Choice] = {}
    ranks: dict[Unit, tuple[int, bool]] = {}
    for place, (unit, draft) in enumerate(drafts):
        for rule in _placed(unit, draft, {page: each[place] for page, each in read.items()}):
            right = sum(_agrees(unit, page, pick_cells(rule, each[place])) for page, each in read.items())
            is_steady = abs(rule.place) <= MAX_STEADY_PLACE
            if unit not in best or (right, is_steady) > ranks[unit]:
                best[unit], ranks[unit] = Choice(unit, rule, right / len(pages)), (right, is_steady)
    return [choice for choice in best.values() if choice.right > 0]


def find_needed(rules: Sequence[FieldRule], pages: Sequence[ItemPage], hidden: Sequence[StepPath]) -> tuple[str, ...]:
    """Find the paths of hidden elements that are in or around matches of rules, as signatures."""
    if not hidden:
        return ()
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


def _draft(unit: Unit, is_unique: Callable[[PathStep], bool], values: Container[str]) -> Iterator[FieldRule]:
    """List candidate rules, the simplest first; `values` are no labels."""
    paths = _paths(unit, is_unique, placed=False)
    heading = ALTERNATIVE.join(_list_labels(unit))
    rule = FieldRule("", unit.kind, place=-1 if unit.is_last else 0, heading=heading, attribute=unit.attribute)
    placed = _paths(unit, is_unique, placed=True)
    bare = [_with_bare(path, unit) for path in paths]
    end = (PathStep(TEXT_NODE),) if unit.leaf else ()
    signatures = [write_signature([(*path, *end)]) for path in dict.fromkeys([*paths, *bare, *placed])]
    for signature in signatures:
        yield replace(rule, signature=signature)
    label = "" if unit.label or unit.kind == PAIRS or unit.attribute else _label_before(unit)
    for signature in signatures if label and label not in values else ():
        yield replace(rule, signature=signature, heading=label)


def _list_labels(unit: Unit) -> list[str]:
    """List the labels of a unit; of links, which may be several, one word also with or without an ending `s`."""
    labels = [label.strip(EDGE + COLONS) for label in unit.label.split(ALTERNATIVE)]
    has_links = any(page.tree.has(node, "a") for page, node in unit.firsts.items())
    if len(labels) > 1 or not has_links or not (labels[0].isascii() and labels[0].isalpha()):
        return labels
    return [labels[0], labels[0].removesuffix("s") if labels[0].endswith("s") else f"{labels[0]}s"]


def _with_bare(path: StepPath, unit: Unit) -> StepPath:
    """Let the steps of a path that have no class on any sample match only such elements."""
    bare = [True] * len(path)
    for page, node in each_element(unit.nodes):
        here = node
        for place in reversed(range(len(path))):
            bare[place] &= not page.document.attributes[here].get("class")
            here = page.parents[here]
    return tuple(replace(step, is_bare=is_bare) for step, is_bare in zip(path, bare, strict=True))


def _label_before(unit: Unit) -> str:
    """Find the short text before a unit that is the same on all pages."""
    found = set()
    for page in unit.nodes:
        start = page.first_text(unit)
        found.add(page.leaf_text(start - 1).strip(EDGE) if start else "")
    label = found.pop() if len(found) == 1 else ""
    return label if len(label) <= MAX_LABEL_LENGTH and any(map(str.isalpha, label)) else ""


def _paths(unit: Unit, is_unique: Callable[[PathStep], bool], *, placed: bool) -> list[StepPath]:
    """List paths that all elements of a unit share: from the innermost unique step, and from further outside."""
    chains = [_chain(page, node, placed=placed) for page, node in each_element(unit.nodes)]
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


def _chain(page: ItemPage, node: int, *, placed: bool) -> list[PathStep]:
    """List the steps from an element outwards to the body."""
    found = []
    while node > page.body:
        step = page.step(node)
        found.append(replace(step, place=page.place(node)) if placed else step)
        node = page.parents[node]
    return found


def _is_unique(step: PathStep, pages: Sequence[ItemPage]) -> bool:
    """Tell whether a step with a name is on most pages, and on none twice."""
    if not step.classes and not step.name and not step.prop and step.tag not in ("h1", "main"):
        return False
    counts = [page.count_fits(replace(step, place=0)) for page in pages]
    return max(counts) == 1 and 2 * sum(counts) > len(counts)


def _placed(unit: Unit, draft: FieldRule, read: Mapping[ItemPage, Sequence[Cell]]) -> Iterator[FieldRule]:
    """Try a draft as it is, and with the number of the value among the matches, from the start and from the end."""
    yield draft
    if draft.type in (LIST, IMAGES, PAIRS):
        return
    starts, stops = Counter[int](), Counter[int]()
    for page, cells in read.items():
        for place, cell in enumerate(cells):
            if page in unit.nodes and _is_same(cell, unit, page, 0):
                starts[place] += 1
                stops[place - len(cells)] += 1
    for counts in (starts, stops):
        for place, _ in counts.most_common(1):
            if place:
                yield replace(draft, place=place)


def _is_same(cell: Cell, unit: Unit, page: ItemPage, place: int) -> bool:
    return cell.node == unit.nodes[page][place] and trim(cell.text) == trim(unit.values[page][place])


def _agrees(unit: Unit, page: ItemPage, cells: Sequence[Cell]) -> bool:
    """Tell whether cells are what a unit has on a page."""
    if page not in unit.nodes:
        return not cells
    if unit.kind == PAIRS:
        return bool(cells)
    return len(cells) == len(unit.nodes[page]) and all(
        _is_same(cell, unit, page, place) for place, cell in enumerate(cells)
    )
