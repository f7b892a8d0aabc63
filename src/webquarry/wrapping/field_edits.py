"""Add a field of an item by an example; rename, move, drop, retype, join, merge and split the fields of any wrapper.

A split leaves cuts in the rules of its fields (see `field_values.py`); which separators, an example tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches

from webquarry.errors import InputError
from webquarry.html.urls import IMAGE_ATTRIBUTES
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.names import distinct, snake_case
from webquarry.model.wording import list_names
from webquarry.model.wrapper import FieldRule, Wrapper
from webquarry.values.column_values import read_column
from webquarry.wrapping.field_signatures import View
from webquarry.wrapping.field_values import (
    ADDRESSES,
    LIST,
    PAIRS,
    TYPED,
    cut_rule,
    find_shared_locale,
    learn_part,
    split_at,
)
from webquarry.wrapping.item_learner import Choice, find_rules
from webquarry.wrapping.item_names import name_units
from webquarry.wrapping.item_reader import ItemReader
from webquarry.wrapping.item_samples import ItemPage, Unit, read_pages
from webquarry.wrapping.item_template import Template
from webquarry.wrapping.label_texts import MAX_LABEL_LENGTH, trim
from webquarry.wrapping.listing_reader import listing_of, read_listing
from webquarry.wrapping.table_wrapper import read_table
from webquarry.wrapping.wrapper_file import FIELD_TYPES

TEXT_TYPES = tuple(name for name in FIELD_TYPES if name not in (*ADDRESSES, PAIRS))
"""The types that a field of texts can be given."""
_MAX_SUGGESTIONS = 3
"""Near names or texts in the error for an unknown example."""
MAX_SHOWN = 60
"""Characters of a text in an error."""

Values = dict[str, Counter[tuple[int, str]]]
"""The values of each field on all samples, with the numbers of their samples."""


def rename_field(wrapper: Wrapper, example: str, name: str) -> Wrapper:
    """Give a field another name; `example` is its present one."""
    field = find_field(wrapper, example)
    name = name.strip()
    if name == field.name:
        raise InputError(f"{field.name} has that name already")
    check_field_name(name, [each for each in listing_of(wrapper).fields if each is not field])
    return _replace(wrapper, field, replace(field, name=name))


def drop_field(wrapper: Wrapper, example: str, documents: Sequence[Document]) -> Wrapper:
    """Leave a field out; the values of all others stay as they are on the sample pages.

    A rule leaves the nodes of more specific ones alone.  If another rule would take those of the dropped field, its
    elements are put among the ignored ones.
    """
    field = find_field(wrapper, example)
    if len(listing_of(wrapper).fields) == 1:
        raise InputError(f"{field.name} is the only field; a listing without fields has no records")
    dropped = _replace(wrapper, field, None)
    if wrapper.source.kind == "item":
        return dropped  # no other field takes its value, but for pairs, which have all that is labelled
    wanted = _read(wrapper, documents)
    wanted.pop(field.name, None)
    if _read(dropped, documents) == wanted:
        return dropped
    ignoring = replace(dropped, ignored=(*dropped.ignored, field.signature))
    if not field.attribute and _read(ignoring, documents) == wanted:
        return ignoring
    found = _read(dropped, documents)
    changed = [name for name in wanted if found.get(name) != wanted[name]]
    raise InputError(
        f"without {field.name} other fields would take its values ({list_names(changed)}); "
        "leave it out of results with --only, or edit the wrapper file"
    )


def retype_field(wrapper: Wrapper, example: str, kind: str, documents: Sequence[Document]) -> Wrapper:
    """Read the texts of a field as another type; raise if no text on the sample pages is of that type."""
    field = find_field(wrapper, example)
    if kind not in TEXT_TYPES:
        raise InputError(f"no type {kind!r}; choose from {', '.join(TEXT_TYPES)}")
    if field.type in ADDRESSES:
        raise InputError(f"{field.name} has addresses ({field.type}), which have no other type")
    if kind == field.type:
        raise InputError(f"{field.name} has that type already")
    retyped = _replace(wrapper, field, replace(field, type=kind))
    extractions = _extract(retyped, documents)
    values = [value for each in extractions for name, value in _fields_of(retyped, each) if name == field.name]
    if kind not in ("text", LIST) and values and all(value.typed is None for value in values):
        raise InputError(f'no value of {field.name} on the sample pages is a {kind}, such as "{values[0].text}"')
    return retyped


def move_field(wrapper: Wrapper, example: str, to: str) -> Wrapper:
    """Put a field behind the field `to`; the name of the source means before all others."""
    field, fields = find_field(wrapper, example), list(listing_of(wrapper).fields)
    place = 0
    if _names(to, fields) or snake_case(to) != snake_case(wrapper.source.name):
        behind = find_field(wrapper, to)
        if behind is field:
            raise InputError(
                f"{field.name} cannot be moved behind itself; name another field, or {wrapper.source.name}"
            )
        place = fields.index(behind) + (fields.index(behind) < fields.index(field))
    if fields.index(field) == place:
        raise InputError(f"{field.name} is there already")
    fields.remove(field)
    fields.insert(place, field)
    return replace(wrapper, listing=replace(listing_of(wrapper), fields=tuple(fields)))


def merge_fields(wrapper: Wrapper, example: str, to: str, documents: Sequence[Document]) -> Wrapper:
    """Make one field of two, under the name of `to`: their texts follow each other in the order of the fields."""
    first, second = sorted(_find_two(wrapper, example, to), key=listing_of(wrapper).fields.index)
    name = find_field(wrapper, to).name
    if (first.type in ADDRESSES) != (second.type in ADDRESSES):
        raise InputError(f"{first.name} is a {first.type} and {second.name} a {second.type}; they cannot be merged")
    if second.type == LIST != first.type:
        raise InputError(f"{second.name} is a list and {first.name} before it is not; move {first.name} behind it")
    kind = first.type if first.type in (*ADDRESSES, LIST) else "text"
    merged = replace(
        first,
        name=name,
        type=kind,
        is_optional=first.is_optional and second.is_optional,
        more=(*first.more, replace(second, more=()), *second.more),
    )
    after = _replace(_replace(wrapper, second, None), first, merged)
    return _with_type(after, merged, documents) if kind == "text" else after


def join_fields(wrapper: Wrapper, example: str, to: str, documents: Sequence[Document]) -> Wrapper:
    """Make one field of two that pages have instead of each other, under the name of `to`; that comes first."""
    second, first = _find_two(wrapper, example, to)
    if first.type != second.type and {first.type, second.type} & {*ADDRESSES, LIST}:
        raise InputError(f"{second.name} is a {second.type} and {first.name} a {first.type}; they cannot be joined")
    joined = replace(first, instead=(*first.instead, second), is_optional=first.is_optional and second.is_optional)
    kind = first.type if first.type == second.type else "text"
    after = _replace(_replace(wrapper, second, None), first, replace(joined, type=kind))
    if both := _count_both(wrapper, documents, first.name, second.name):
        raise InputError(
            f"{both} records of the sample pages have both {first.name} and {second.name}, so one would be lost; merge "
            "them to have their texts one after the other"
        )
    return after


def split_field(
    wrapper: Wrapper, example: str, documents: Sequence[Document], *, at: str = "", part: str = "", name: str = ""
) -> Wrapper:
    """Make two fields of one: what is before and behind the separator `at`, or the text `part` of a value and the rest.

    The new field is the part, or what is behind the separator; what is before and behind a part are two fields.
    """
    field = find_field(wrapper, example)
    if field.type in (*ADDRESSES, LIST, PAIRS):
        raise InputError(f"{field.name} is of type {field.type}; only fields of one text can be split")
    if field.more:
        raise InputError(f"{field.name} was merged of several fields; split these, or undo the merging")
    texts = _read_texts(wrapper, field, documents)
    parts = learn_part(texts, part, find_shared_locale(documents, texts)) if part else split_at(at)
    if name:
        check_field_name(name.strip(), listing_of(wrapper).fields)
    taken = name.strip() or field.name
    kept = {"before": field.name, "part": taken, "after": field.name} if part else {"part": field.name, "after": taken}
    cuts = [(kept[each], getattr(parts, each)) for each in kept if getattr(parts, each) is not None]
    rules = [replace(cut_rule(field, cut), name=each, type="text") for each, cut in cuts]
    others = [each.name for each in listing_of(wrapper).fields if each is not field]
    names = distinct([*others, *(rule.name for rule in rules)], ignore_case=True)[len(others) :]
    rules = [replace(rule, name=each) for rule, each in zip(rules, names, strict=True)]
    return _put_parts(wrapper, field, rules, documents, at or part)


def _put_parts(
    wrapper: Wrapper, field: FieldRule, rules: Sequence[FieldRule], documents: Sequence[Document], by: str
) -> Wrapper:
    """Replace a field by its parts, without those that no sample page has; type each by its texts."""
    listing = listing_of(wrapper)
    place = listing.fields.index(field)

    def put(parts: Sequence[FieldRule]) -> Wrapper:
        return replace(
            wrapper,
            listing=replace(listing, fields=(*listing.fields[:place], *parts, *listing.fields[place + 1 :])),
        )

    pages = [{name for name, _ in _fields_of(put(rules), each)} for each in _extract(put(rules), documents)]
    found = [rule for rule in rules if any(rule.name in names for names in pages)]
    if len(found) < 2:
        raise InputError(f'no value of {field.name} on the sample pages is split by "{by}"; give it as on the page')
    optional = [
        replace(rule, is_optional=field.is_optional or not all(rule.name in names for names in pages)) for rule in found
    ]
    after = put(optional)
    for rule in optional:
        after = _with_type(after, rule, documents)
    return after


def check_field_name(name: str, others: Sequence[FieldRule]) -> None:
    """Raise for an invalid name of a field, or the name of another one."""
    if not any(map(str.isalnum, name)):
        raise InputError(f'"{name}" is not a field name; use letters or digits')
    if _names(name, others):
        raise InputError(f'"{name}" is taken by another field; choose another name, or drop that one')


def _find_two(wrapper: Wrapper, example: str, to: str) -> tuple[FieldRule, FieldRule]:
    one, other = find_field(wrapper, example), find_field(wrapper, to)
    if one is other:
        raise InputError(f'"{example}" and "{to}" are one field already: {one.name}')
    return one, other


def _count_both(wrapper: Wrapper, documents: Sequence[Document], one: str, other: str) -> int:
    """Count the records that have values of both fields."""
    both = 0
    for extraction in _extract(wrapper, documents):
        names: dict[tuple[str | int, ...], set[str]] = {}
        for name, value in _fields_of(wrapper, extraction):
            names.setdefault(value.path[:2] if wrapper.has_records else (), set()).add(name)
        both += sum({one, other} <= each for each in names.values())
    return both


def _with_type(wrapper: Wrapper, field: FieldRule, documents: Sequence[Document]) -> Wrapper:
    """Type a field by its texts on the sample pages."""
    texts = _read_texts(wrapper, field, documents)
    found = read_column(texts, find_shared_locale(documents, texts)) if texts else None
    return _replace(wrapper, field, replace(field, type=found[0])) if found and found[0] in TYPED else wrapper


def _read_texts(wrapper: Wrapper, field: FieldRule, documents: Sequence[Document]) -> list[str]:
    extractions = _extract(wrapper, documents)
    return [value.text for each in extractions for name, value in _fields_of(wrapper, each) if name == field.name]


def _names(example: str, fields: Sequence[FieldRule]) -> bool:
    return any(snake_case(each.name) == snake_case(example) for each in fields)


def is_field(wrapper: Wrapper, example: str) -> bool:
    """Tell whether an example names a field."""
    return _names(example, wrapper.fields)


def find_field(wrapper: Wrapper, example: str) -> FieldRule:
    """Find the field that an example names; case and marks between words do not count."""
    fields = listing_of(wrapper).fields
    exact = [each for each in fields if each.name == example]
    found = exact or [each for each in fields if snake_case(each.name) == snake_case(example)]
    if not found:
        names = [each.name for each in fields]
        nearest = get_close_matches(example, names, _MAX_SUGGESTIONS, 0.5) or names
        raise InputError(
            f'the wrapper {wrapper.source.name} has no field "{example}"; choose from {list_names(nearest)}'
        )
    return found[0]


def _replace(wrapper: Wrapper, field: FieldRule, by: FieldRule | None) -> Wrapper:
    listing = listing_of(wrapper)
    changed = [by if each is field else each for each in listing.fields]
    return replace(wrapper, listing=replace(listing, fields=tuple(each for each in changed if each is not None)))


def _read(wrapper: Wrapper, documents: Sequence[Document]) -> Values:
    found: Values = {}
    for number, extraction in enumerate(_extract(wrapper, documents)):
        for name, value in _fields_of(wrapper, extraction):
            found.setdefault(name, Counter())[number, value.text] += 1
    return found


def _fields_of(wrapper: Wrapper, extraction: Extraction) -> Iterator[tuple[str, SectionValue]]:
    """List the values of fields with the names of these; of a list the whole."""
    names = distinct(snake_case(rule.name) for rule in wrapper.fields)
    spelt = {name: rule.name for name, rule in zip(names, wrapper.fields, strict=True)}
    depth = 2 if wrapper.has_records else 0
    for value in extraction.values:
        if len(value.path) > depth and value.path[depth] in spelt and not isinstance(value.path[-1], int):
            yield spelt[str(value.path[depth])], value


def _extract(wrapper: Wrapper, documents: Sequence[Document]) -> list[Extraction]:
    if wrapper.source.kind == "item":
        return list(map(ItemReader(wrapper).read, documents))
    read: Callable[[Wrapper, Document], Extraction] = read_table if wrapper.source.kind == "tables" else read_listing
    return [read(wrapper, document) for document in documents]


def add_field(wrapper: Wrapper, example: str, documents: Sequence[Document], *, name: str = "") -> Wrapper:
    """Add the field that has a text on one of the sample pages; without a name it is named as learning would.

    The text is that of an element, what follows the same label on all pages, or a part that the same separators
    surround; it may also be the address of an image, or the end of one.
    """
    if not documents:
        raise InputError(f'the sample pages are needed to find "{example}" on them')
    pages = read_pages(documents)
    wanted = trim(" ".join(example.split()))
    hidden = listing_of(wrapper).unseen
    for unit in _list_units(pages, wanted):
        right = find_rules([unit], pages, hidden) if len(unit.nodes) > 1 else _find_lone_rules(unit, hidden)
        if right and wanted in map(trim, _read_alone(right[0].rule, wrapper, pages)):
            _check_new(wrapper, unit, example)
            return _with_field(wrapper, right[0].rule, unit, pages, name)
    for unit in _list_images(pages, example):
        right = _find_lone_rules(unit, hidden)
        if right:
            _check_new(wrapper, unit, example)
            return _with_field(wrapper, right[0].rule, unit, pages, name)
    for unit in Template(pages).units():
        rule = _find_part(unit, wrapper, pages, example) if unit.kind == "text" else None
        if rule is not None:
            return _with_field(wrapper, rule, unit, pages, name)
    texts = sorted({text for page in pages for text in map(page.leaf_text, range(len(page.leaves))) if text})
    near = [f'"{text[:MAX_SHOWN]}"' for text in get_close_matches(example, texts, _MAX_SUGGESTIONS)]
    hint = f"the nearest are {list_names(near)}" if near else "give it as on the page"
    raise InputError(f'no text "{example}" that can be a field is on the sample pages of {wrapper.source.name}; {hint}')


def _list_units(pages: Sequence[ItemPage], wanted: str) -> Iterator[Unit]:
    """List the parts of the template with a text, those that all pages have in common first."""
    units = Template(pages).units()
    yield from (unit for unit in units if wanted in map(trim, unit.texts))
    yield from (
        unit for unit in units if unit.kind == LIST and any(wanted in map(trim, each) for each in unit.values.values())
    )
    yield from (labelled for unit in units if (labelled := _split_label(unit, wanted)))
    for page in pages:
        start, stop = page.body, page.ends[page.body]
        found = [
            node for node in range(start, stop) if page.document.tags[node] >= 0 and trim(page.text(node)) == wanted
        ]
        yield from (Unit("text", {page: [node]}, {page: [wanted]}) for node in reversed(found))


def _list_images(pages: Sequence[ItemPage], example: str) -> Iterator[Unit]:
    """List the images with an address, or with an address that ends so."""
    names = " ".join(IMAGE_ATTRIBUTES)
    for page in pages:
        view = View(page.document)
        for node in range(page.body, page.ends[page.body]):
            address = view.address(node, names) if view.name(node) == "img" else None
            if address and (address == example or address.endswith(f"/{example.lstrip('/')}")):
                yield Unit("image", {page: [node]}, {page: [address]}, attribute=names)


def _find_part(unit: Unit, wrapper: Wrapper, pages: Sequence[ItemPage], example: str) -> FieldRule | None:
    """Find the rule of a unit, and the separators that surround an example in one of its texts."""
    if not any(example in text for text in unit.texts):
        return None
    right = find_rules([unit], pages, listing_of(wrapper).unseen)
    texts = _read_alone(right[0].rule, wrapper, pages) if right else []
    try:
        parts = learn_part(texts, example, wrapper.source.locale, leaves_rest=False)
    except InputError:
        return None  # nothing separates it from the rest
    return replace(right[0].rule, cuts=parts.part)


def _split_label(unit: Unit, wanted: str) -> Unit | None:
    """Take the label that all values of a unit begin with from them, if that leaves the wanted text of one."""
    whole = next((text for text in unit.texts if trim(text).endswith(wanted)), "")
    label = trim(whole).removesuffix(wanted).strip()
    if unit.kind != "text" or unit.label or not any(map(str.isalpha, label)) or len(label) > MAX_LABEL_LENGTH:
        return None
    if not all(text.startswith(label) for text in unit.texts):
        return None
    values = {page: [trim(text.removeprefix(label)) for text in texts] for page, texts in unit.values.items()}
    return replace(unit, values=values, label=label)


def _find_lone_rules(unit: Unit, hidden: Sequence[str]) -> list[Choice]:
    """Find the rule of a unit that one page has, by the class names and ids of that page."""
    ((page, nodes),) = unit.nodes.items()
    (alone,) = read_pages([page.document])
    return find_rules([replace(unit, nodes={alone: nodes}, values={alone: unit.values[page]})], [alone], hidden)


def _read_alone(rule: FieldRule, wrapper: Wrapper, pages: Sequence[ItemPage]) -> list[str]:
    alone = replace(wrapper, tokens=(), listing=replace(listing_of(wrapper), fields=(replace(rule, name="x"),)))
    reader = ItemReader(alone)
    return [value.text for page in pages for value in reader.read(page.document).values]


def _check_new(wrapper: Wrapper, unit: Unit, example: str) -> None:
    """Refuse a text that a field has already."""
    reader = ItemReader(wrapper)
    for page, nodes in unit.nodes.items():
        document = page.document
        places = {document.xpath(node) for node in nodes}
        for value in reader.read(document).values:
            is_field = any(value.path[0] == snake_case(rule.name) and rule.type != PAIRS for rule in wrapper.fields)
            if value.node in places and is_field and trim(value.text) in map(trim, (example, *unit.values[page])):
                raise InputError(f'"{example}" is read already, as {value.path[0]}; rename that field if you like')


def _with_field(wrapper: Wrapper, rule: FieldRule, unit: Unit, pages: Sequence[ItemPage], name: str) -> Wrapper:
    """Insert a field behind those that come before it on the page."""
    locale, fields = wrapper.source.locale, listing_of(wrapper).fields
    if name and any(snake_case(each.name) == snake_case(name) for each in fields):
        raise InputError(f'"{name}" is taken by another field; choose another name')
    texts = _read_alone(rule, wrapper, pages)
    read = read_column(texts, locale) if rule.type == "text" else None
    kind = read[0] if read else rule.type
    taken = [each.name for each in fields]
    named = name or distinct(name_units([unit], [kind], None, locale, samples=len(pages)), taken, ignore_case=True)[0]
    found = sum(bool(_read_alone(rule, wrapper, [page])) for page in pages)
    new = replace(rule, name=named, type=kind, is_optional=found < len(pages) or rule.type == PAIRS)
    place = _find_place(wrapper, unit)
    return replace(wrapper, listing=replace(listing_of(wrapper), fields=(*fields[:place], new, *fields[place:])))


def _find_place(wrapper: Wrapper, unit: Unit) -> int:
    names = distinct(snake_case(rule.name) for rule in wrapper.fields)
    reader, place = ItemReader(wrapper), 0
    for page, first in unit.firsts.items():
        for value in reader.read(page.document).values:
            node = page.document.node(value.node)
            if value.path[0] in names and node is not None and node < first:
                place = max(place, names.index(str(value.path[0])) + 1)
    return place
