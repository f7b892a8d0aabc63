"""Add a field to the wrapper of detail pages by an example of its text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches

from webquarry.errors import InputError
from webquarry.html.urls import IMAGE_ATTRIBUTES
from webquarry.model.document import Document
from webquarry.model.names import distinct, snake_case
from webquarry.model.wording import list_names
from webquarry.model.wrapper import FieldRule, Wrapper
from webquarry.values.column_values import read_column
from webquarry.values.locale import Locale
from webquarry.wrapping.field_parts import learn_part
from webquarry.wrapping.item_names import ItemNames
from webquarry.wrapping.item_pages import ItemPage, stable_ids
from webquarry.wrapping.item_reader import MAX_LABEL_LENGTH, PAIRS, ItemReader
from webquarry.wrapping.item_rules import Choice, find_rules, fold
from webquarry.wrapping.item_template import Template
from webquarry.wrapping.item_units import Unit
from webquarry.wrapping.learner import stable_classes
from webquarry.wrapping.listing_cells import LIST
from webquarry.wrapping.listing_reader import listing_of
from webquarry.wrapping.listing_signatures import View

MAX_SUGGESTIONS = 3
"""Near texts named in the error for an unknown example."""
MAX_SHOWN = 60
"""Characters of a text in an error."""


def add_field(wrapper: Wrapper, example: str, documents: Sequence[Document], *, name: str = "") -> Wrapper:
    """Add the field that has a text on one of the sample pages; without a name it is named as learning would.

    The text is that of an element, what follows the same label on all pages, or a part that the same separators
    surround; it may also be the address of an image, or the end of one.
    """
    if not documents:
        raise InputError(f'the sample pages are needed to find "{example}" on them')
    classes, ids = stable_classes(documents), stable_ids(documents)
    pages = [ItemPage(document, classes, ids) for document in documents]
    wanted = fold(" ".join(example.split()))
    hidden = listing_of(wrapper).unseen
    for unit in _list_units(pages, wanted):
        right = find_rules([unit], pages, hidden) if len(unit.nodes) > 1 else _find_lone_rules(unit, pages, hidden)
        if right and _reads(right[0].rule, wrapper, pages, wanted):
            _check_new(wrapper, unit, pages, example)
            return _with_field(wrapper, right[0].rule, unit, pages, name)
    for unit in _list_images(pages, example):
        right = _find_lone_rules(unit, pages, hidden)
        if right:
            _check_new(wrapper, unit, pages, example)
            return _with_field(wrapper, right[0].rule, unit, pages, name)
    for unit in Template(pages).units():
        rule = _find_part(unit, wrapper, pages, example) if unit.kind == "text" else None
        if rule is not None:
            return _with_field(wrapper, rule, unit, pages, name)
    texts = sorted({text for page in pages for text in map(page.leaf_text, range(len(page.leaves))) if text})
    near = [f'"{text[:MAX_SHOWN]}"' for text in get_close_matches(example, texts, MAX_SUGGESTIONS)]
    hint = f"the nearest are {list_names(near)}" if near else "give it as on the page"
    raise InputError(f'no text "{example}" that can be a field is on the sample pages of {wrapper.source.name}; {hint}')


def _list_units(pages: Sequence[ItemPage], wanted: str) -> Iterator[Unit]:
    """List the parts of the template with a text, those that all pages have in common first."""
    units = Template(pages).units()
    yield from (unit for unit in units if wanted in map(fold, unit.texts))
    yield from (
        unit for unit in units if unit.kind == LIST and any(wanted in map(fold, each) for each in unit.values.values())
    )
    yield from (labelled for unit in units if (labelled := _split_label(unit, wanted)))
    for number, page in enumerate(pages):
        start, stop = page.body, page.ends[page.body]
        found = [
            node for node in range(start, stop) if page.document.tags[node] >= 0 and fold(page.text(node)) == wanted
        ]
        yield from (Unit("text", {number: [node]}, {number: [wanted]}) for node in reversed(found))


def _list_images(pages: Sequence[ItemPage], example: str) -> Iterator[Unit]:
    """List the images with an address, or with an address that ends so."""
    names = " ".join(IMAGE_ATTRIBUTES)
    for number, page in enumerate(pages):
        view = View(page.document)
        for node in range(page.body, page.ends[page.body]):
            address = view.address(node, names) if view.name(node) == "img" else None
            if address and (address == example or address.endswith(f"/{example.lstrip('/')}")):
                yield Unit("image", {number: [node]}, {number: [address]}, attribute=names)


def _find_part(unit: Unit, wrapper: Wrapper, pages: Sequence[ItemPage], example: str) -> FieldRule | None:
    """Find the rule of a unit, and the separators that surround an example in one of its texts."""
    if not any(example in text for text in unit.texts):
        return None
    right = find_rules([unit], pages, listing_of(wrapper).unseen)
    texts = _read_texts(right[0].rule, wrapper, pages) if right else []
    locale = Locale(wrapper.source.decimal, wrapper.source.day_first, wrapper.source.language)
    try:
        parts = learn_part(texts, example, locale, leaves_rest=False)
    except InputError:
        return None  # nothing separates it from the rest
    return replace(right[0].rule, cuts=parts.part)


def _split_label(unit: Unit, wanted: str) -> Unit | None:
    """Take the label that all values of a unit begin with from them, if that leaves the wanted text of one."""
    whole = next((text for text in unit.texts if fold(text).endswith(wanted)), "")
    label = fold(whole).removesuffix(wanted).strip()
    if unit.kind != "text" or unit.label or not any(map(str.isalpha, label)) or len(label) > MAX_LABEL_LENGTH:
        return None
    if not all(text.startswith(label) for text in unit.texts):
        return None
    values = {number: [fold(text.removeprefix(label)) for text in texts] for number, texts in unit.values.items()}
    return replace(unit, values=values, label=label)


def _find_lone_rules(unit: Unit, pages: Sequence[ItemPage], hidden: Sequence[str]) -> list[Choice]:
    """Find the rule of a unit that one page has, by the class names and ids of that page."""
    ((number, nodes),) = unit.nodes.items()
    document = pages[number].document
    page = ItemPage(document, stable_classes([document]), stable_ids([document]))
    return find_rules([replace(unit, nodes={0: nodes}, values={0: unit.values[number]})], [page], hidden)


def _reads(rule: FieldRule, wrapper: Wrapper, pages: Sequence[ItemPage], wanted: str) -> bool:
    """Tell whether a rule reads the wanted text on a page."""
    return any(fold(text) == wanted for text in _read_texts(rule, wrapper, pages))


def _read_texts(rule: FieldRule, wrapper: Wrapper, pages: Sequence[ItemPage]) -> list[str]:
    alone = replace(wrapper, tokens=(), listing=replace(listing_of(wrapper), fields=(replace(rule, name="x"),)))
    reader = ItemReader(alone)
    return [value.text for page in pages for value in reader.read(page.document).values]


def _check_new(wrapper: Wrapper, unit: Unit, pages: Sequence[ItemPage], example: str) -> None:
    """Refuse a text that a field has already."""
    reader = ItemReader(wrapper)
    for number, nodes in unit.nodes.items():
        document = pages[number].document
        places = {document.xpath(node) for node in nodes}
        for value in reader.read(document).values:
            is_field = any(value.path[0] == snake_case(rule.name) and rule.type != PAIRS for rule in wrapper.fields)
            if value.node in places and is_field and fold(value.text) in map(fold, (example, *unit.values[number])):
                raise InputError(f'"{example}" is read already, as {value.path[0]}; rename that field if you like')


def _with_field(wrapper: Wrapper, rule: FieldRule, unit: Unit, pages: Sequence[ItemPage], name: str) -> Wrapper:
    """Insert a field behind those that come before it on the page."""
    source, fields = wrapper.source, listing_of(wrapper).fields
    if name and any(snake_case(each.name) == snake_case(name) for each in fields):
        raise InputError(f'"{name}" is taken by another field; choose another name')
    texts = _read_texts(rule, wrapper, pages)
    locale = Locale(source.decimal, source.day_first, source.language)
    read = read_column(texts, locale) if rule.type == "text" else None
    kind = read[0] if read else rule.type
    taken = [each.name for each in fields]
    named = name or distinct(ItemNames(pages).name([unit], [kind], None, locale), taken, ignore_case=True)[0]
    found = sum(bool(_read_texts(rule, wrapper, [page])) for page in pages)
    new = replace(rule, name=named, type=kind, is_optional=found < len(pages) or rule.type == PAIRS)
    place = _find_place(wrapper, unit, pages)
    return replace(wrapper, listing=replace(listing_of(wrapper), fields=(*fields[:place], new, *fields[place:])))


def _find_place(wrapper: Wrapper, unit: Unit, pages: Sequence[ItemPage]) -> int:
    names = distinct(snake_case(rule.name) for rule in wrapper.fields)
    reader, place = ItemReader(wrapper), 0
    for number, nodes in unit.nodes.items():
        document = pages[number].document
        for value in reader.read(document).values:
            node = document.node(value.node)
            if value.path[0] in names and node is not None and node < nodes[0]:
                place = max(place, names.index(str(value.path[0])) + 1)
    return place
