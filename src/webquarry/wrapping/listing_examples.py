"""Add a column to a listing by an example of its values, or teach a column a value that it misses.

The example is a text in a record, or the address of an image or link.  It may be a part of a text, or several texts of
a record one after the other.  Rules that read it are drafted from its place in the markup; the one that finds most
values of its kind in the other records wins.  It must leave all other columns as they are.

Fails on values that neither tags, class names, labels nor separators tell from others of the record.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from webquarry.errors import InputError
from webquarry.html.urls import IMAGE_ATTRIBUTES
from webquarry.model.document import Document
from webquarry.model.names import distinct, snake_case
from webquarry.model.wrapper import FieldRule, Wrapper
from webquarry.values.column_values import read_column, read_value
from webquarry.values.text_value import Locale, find_locale
from webquarry.wrapping.field_edits import check_field_name
from webquarry.wrapping.field_signatures import (
    LINE_EDGES,
    RUN,
    TEXT_NODE,
    Matcher,
    Record,
    Span,
    StepPath,
    View,
    mark_unread,
    read_signature,
    tags_of,
    write_signature,
)
from webquarry.wrapping.field_values import ADDRESSES, LIST, TYPED, Cell, cut_rule, fold_cells, learn_part, whole_cell
from webquarry.wrapping.listing_learner import MIN_SHARE_FILLED
from webquarry.wrapping.listing_reader import is_whole, label_before, listing_of, read_cells, read_records
from webquarry.wrapping.listing_samples import LOOKS, Owner, find_owners

MAX_RECORDS_TRIED = 5
"""Records with the example from which rules are drafted, if those of the first read nothing."""
MAX_RECORDS_RATED = 100
"""Records by which rules are rated: more say the same, and a page may have thousands."""
MAX_LEVELS = 4
"""Elements around an example of which it may be a part."""
MAX_PIECES = 6
"""Texts of a record that an example may be made of."""
MAX_CHECKED = 8
"""Rules, the best first, that are tried beside those of the other columns."""
MAX_NAMED = 8
"""Records that are named in a message."""
ANOTHER_TYPE = 0.2
"""Worth of a value that has another type than the example; one of the same type has 1."""
OF_ANOTHER_COLUMN = -0.5
"""Worth of a value that another column has in its record, but not in the example's."""
PART_FACTOR = 0.85
"""Worth of a part of a text, for each cut, and of several texts, for each: whole texts are more often values."""
SHARE_OF_LENGTH = 0.2
"""Share of the worth of a value that is lost if it has many more or fewer words than the example."""
_MARKS = re.compile(r"[\s,;:|()\[\]·•]+")

ReadColumn = dict[Record, Cell]
"""The cells that a rule reads."""


def add_column(wrapper: Wrapper, example: str, documents: Sequence[Document], *, name: str = "") -> Wrapper:
    """Add the column that has an example in a record; a column that has the name already is taught the example."""
    records = _Records(wrapper, documents)
    example = " ".join(example.split())
    if name:
        check_field_name(name.strip(), ())
    taught = next((each for each in records.fields if name and snake_case(each.name) == snake_case(name)), None)
    drafts = _list_drafts(records, example, taught)
    if taught is None:
        _check_new(records, example, drafts)
    for draft in (replace(each, column=records.read(each.rule)) for each in drafts[:MAX_CHECKED]):
        after = _put(wrapper, records, draft, taught, name)
        if _is_kept(wrapper, after, draft, taught, records):
            return after
    if drafts:
        raise InputError(f'"{example}" cannot be read without changing other columns; drop or split one of them first')
    raise InputError(f'no record has "{example}" in a place by which it can be found; give it as in one record')


def _check_new(records: _Records, example: str, drafts: Sequence[_Draft]) -> None:
    """Refuse an example that a field reads already."""
    for draft in drafts[:1]:
        cell, known = draft.column[draft.record], records.cells[draft.record]
        holders = records.holders(draft.record, cell.node) if not draft.rule.attribute else range(len(known))
        for place in holders:
            if _is_same(known[place], cell.text):
                named = records.fields[place].name
                raise InputError(
                    f'"{example}" is read already, as {named}; rename that column, or teach it another example '
                    f"(--name {named})"
                )


def describe_lacking(before: Wrapper, after: Wrapper, documents: Sequence[Document]) -> str:
    """Say in which records of the sample pages the column that was added or taught finds nothing."""
    place = next((at for at, field in enumerate(after.fields) if field not in before.fields), None)
    if place is None or after.source.kind != "records":
        return ""
    told = []
    for document in documents:
        lacking = [number for number, row in enumerate(read_records(after, document), 1) if not row.cells[place]]
        if lacking:
            more = f" and {len(lacking) - MAX_NAMED} more" if len(lacking) > MAX_NAMED else ""
            of_page = f" of {document.url}" if len(documents) > 1 else ""
            word = "record" if len(lacking) == 1 else "records"
            told.append(f"{word} {', '.join(map(str, lacking[:MAX_NAMED]))}{more}{of_page}")
    return f"{after.fields[place].name}: not found in {'; '.join(told)}" if told else ""


class _Records:
    """The records of the sample pages, and what the fields of the wrapper read in them."""

    def __init__(self, wrapper: Wrapper, documents: Sequence[Document]) -> None:
        if not documents:
            raise InputError("the sample pages are needed to find the example on them")
        rule = listing_of(wrapper)
        self.fields = rule.fields
        self._first_document = documents[0]
        self.pages: list[list[Record]] = []
        self.cells: dict[Record, tuple[Cell | None, ...]] = {}
        self.rated: list[Record] = []
        """The records that drafts are rated by."""
        for document in documents:
            rows, view = read_records(wrapper, document), View(document)
            records = [Record(view, row.span, is_whole(rule)) for row in rows]
            mark_unread(wrapper.ignored, records)
            self.pages.append(records)
            self.cells |= {record: row.cells for record, row in zip(records, rows, strict=True)}

    def read(self, rule: FieldRule, records: Iterable[Record] | None = None) -> ReadColumn:
        """Read a rule alone, without the claims of others, in all records or some."""
        rules = list(rule.walk())
        matcher, found = Matcher(rules), {}
        for record in self.cells if records is None else records:
            matches = matcher.find(record)
            cells = [read_cells(each, number, matches, record) for number, each in enumerate(rules)]
            cell = whole_cell(rule, fold_cells([rule], cells)[0])
            if cell is not None:
                found[record] = cell
        return found

    def find_owners(self, record: Record, node: int, value: str, kind: str = "text") -> list[Owner]:
        """Find the nodes of a record that have a value."""
        return find_owners(record, node, value, kind, [cell.node for cell in self.cells[record] if cell])

    def holders(self, record: Record, node: int) -> set[int]:
        """List the fields that read the first text of a node, by number."""
        leaf = _first_text(record.view, node)
        return {place for place, each in enumerate(self._leaves[record]) if each == leaf}

    @cached_property
    def _leaves(self) -> dict[Record, list[int | None]]:
        return {
            record: [
                _first_text(record.view, cell.node) if cell and not field.attribute else None
                for field, cell in zip(self.fields, cells, strict=True)
            ]
            for record, cells in self.cells.items()
        }

    @cached_property
    def locale(self) -> Locale:
        """The locale of the first page."""
        document = self._first_document
        return find_locale(document.language, [document.texts[node] for node in document.seen_texts.tolist()])

    def type_of(self, text: str) -> str:
        """Return the type of a text."""
        if text not in self._types:
            found = read_value(text, self.locale)
            self._types[text] = found[0] if found else "text"
        return self._types[text]

    @cached_property
    def _types(self) -> dict[str, str]:
        return {}


def _first_text(view: View, node: int) -> int:
    """Find the first text in a node; without one the node itself."""
    return next((each for each in range(node, view.ends[node]) if view.is_text[each]), node)


@dataclass(frozen=True)
class _Draft:
    """A rule that reads the example, what it reads in all records, and how much speaks for it."""

    rule: FieldRule
    column: ReadColumn
    record: Record
    """The record of the example."""
    worth: tuple[float, ...]


def _list_drafts(records: _Records, example: str, taught: FieldRule | None) -> list[_Draft]:
    """List the rules that read an example, drafted from the first record that has it, the best first."""
    known, name = ReadColumn(), ""
    if taught is not None:
        place, name = records.fields.index(taught), taught.name
        known = {record: cell for record, cells in records.cells.items() if (cell := cells[place])}
    lacking = [record for record in records.cells if not _is_same(known.get(record), example)]
    wanted = _squeeze(example)
    holding = [record for record in lacking if wanted and wanted in _squeeze(record.text)]
    for record in holding[:MAX_RECORDS_TRIED] or lacking:
        records.rated = _draw(list(records.cells), record)
        groups = _draft_texts(records, record, example) if holding else [_draft_attributes(records, record, example)]
        for drafts in groups:
            wholes = ((whole, wanted) for rule, wanted in drafts for whole in _teach(taught, rule))
            read = ((whole, records.read(whole, records.rated), wanted) for whole, wanted in wholes)
            found = [
                _Draft(whole, column, record, _rate(records, record, column, whole, known))
                for whole, column, wanted in read
                if _is_same(column.get(record), wanted)
            ]
            if found:
                return sorted(found, key=lambda draft: draft.worth, reverse=True)
    if known and any(_is_same(cell, example) for cell in known.values()):
        raise InputError(f'{name} reads already "{example}"')
    return []


def _draw(records: Sequence[Record], own: Record) -> list[Record]:
    """Draw the records that drafts are rated by: the example's, and some of all pages."""
    return list(dict.fromkeys([own, *records[:: 1 + len(records) // MAX_RECORDS_RATED]]))


def _teach(taught: FieldRule | None, rule: FieldRule) -> Iterator[FieldRule]:
    """List ways for a field to read what a rule reads: instead of its own rule, where that finds nothing, or first."""
    if taught is None:
        yield rule
        return
    named = replace(rule, name=taught.name)
    yield named
    yield replace(taught, instead=(*taught.instead, replace(named, instead=(), more=())))
    yield replace(named, instead=(*rule.instead, taught))


def _rate(
    records: _Records, record: Record, column: ReadColumn, rule: FieldRule, known: ReadColumn
) -> tuple[float, ...]:
    """Rate by the values in all records; of equals, elements come before texts, and whole texts before parts."""
    example = column[record]
    kind, length = records.type_of(example.text), len(example.text.split())
    own = records.holders(record, example.node)
    total = 0.0
    for each, cell in column.items():
        if each in known:
            total += 1.0 if _is_same(cell, known[each].text) else OF_ANOTHER_COLUMN
        elif records.holders(each, cell.node) - own and not rule.attribute:
            total += OF_ANOTHER_COLUMN
        elif records.type_of(cell.text) != kind:
            total += ANOTHER_TYPE
        else:
            lengths = sorted((length, len(cell.text.split())))
            total += 1 - SHARE_OF_LENGTH * (1 - lengths[0] / max(1, lengths[1]))
    paths = [path for each in rule.walk() for path in read_signature(each.signature)]
    is_element = not any(path and path[-1].tag in (TEXT_NODE, RUN) for path in paths)
    names = sum(len(step.classes) for path in paths for step in path)
    total *= PART_FACTOR ** (len(rule.cuts) + len(rule.more))
    return round(total, 2), is_element, -len(rule.cuts) - len(rule.more), -abs(rule.place), names


def _draft_texts(records: _Records, record: Record, example: str) -> Iterator[Iterator[tuple[FieldRule, str]]]:
    """Draft rules for an example in a record, each with the text that it must read.

    They come in groups, the likeliest first: whole texts, several texts, parts of a text.
    """
    view, wanted = record.view, _squeeze(example)
    nodes = [node for node in range(*record.span) if not view.unread[node]]
    texts = {node: _squeeze(view.text(node)) for node in nodes}
    innermost = [
        node
        for node in nodes
        if wanted in texts[node] and not any(wanted in texts.get(child, "") for child in view.children(node))
    ]
    wholes = {node: view.text(node) if texts[node] == wanted else example for node in innermost}
    yield (
        (rule, wholes[node])
        for node in innermost
        for owner in records.find_owners(record, node, wholes[node])
        for rule in _draft_owner(records, record, owner)
    )
    yield _draft_joined(records, record, nodes, example)
    yield chain(
        _draft_field_parts(records, record, example),
        (each for node in innermost for each in _draft_parts(records, record, node, example)),
    )


def _draft_owner(records: _Records, record: Record, owner: Owner, kind: str = "text") -> Iterator[FieldRule]:
    """Draft rules for a node: by its class names, its label, and its place among nodes of the same signature."""
    label = owner.label or label_before(record, owner.node)
    for path in _vary(records, record, owner):
        rule = FieldRule("", kind, write_signature([path]), attribute=owner.attribute, by_example=True)
        spans = _find_matches(rule, record)
        for place in (place for place, span in enumerate(spans) if span[0] == owner.node):
            if label and kind == "text":
                yield replace(rule, heading=label)
            if not owner.label:
                yield replace(rule, place=place)
                yield replace(rule, place=place - len(spans))


def _find_matches(rule: FieldRule, record: Record) -> list[Span]:
    """Find the nodes of a record that the signature of a rule names."""
    return [span for spans in Matcher([rule]).find(record).values() for span in spans]


def _vary(records: _Records, record: Record, owner: Owner) -> Iterator[StepPath]:
    """List paths to a node: with all its class names, those that most records have there, none, or places instead."""
    plain = tuple(replace(step, classes=frozenset()) for step in owner.path)
    yield from dict.fromkeys([owner.path, _keep_usual(records, plain, owner.path), plain])
    view, top = record.view, owner.node
    for _ in owner.path:
        top = view.parents[top]
    placed = view.path(owner.node, top, placed=True)
    if placed is not None and tags_of(placed) == tags_of(plain):
        yield placed if plain == owner.path else tuple(replace(step, classes=frozenset()) for step in placed)


def _keep_usual(records: _Records, plain: StepPath, path: StepPath) -> StepPath:
    """Keep the class names of a path that at least half of the records have on elements of the same tags."""
    rule, counts = FieldRule("", signature=write_signature([plain])), Counter[tuple[int, str]]()
    depth = len(path) - (bool(path) and path[-1].tag == RUN)
    for record in records.rated:
        view, here = record.view, set[tuple[int, str]]()
        for span in _find_matches(rule, record):
            node = span[0] if depth == len(path) else view.parents[span[0]]
            for level in reversed(range(depth)):
                here |= {(level, name) for name in view.classes(node)}
                node = view.parents[node]
        counts.update(here)
    return tuple(
        replace(step, classes=frozenset(name for name in step.classes if 2 * counts[level, name] >= len(records.rated)))
        for level, step in enumerate(path)
    )


def _draft_field_parts(records: _Records, record: Record, example: str) -> Iterator[tuple[FieldRule, str]]:
    """Draft parts of the fields that have the example in their values."""
    for field, cell in zip(records.fields, records.cells[record], strict=True):
        if cell and field.type not in (*ADDRESSES, LIST) and not field.more:
            for cuts, wanted in _learn_cuts(records, records.read(field, records.rated), cell.text, example):
                yield cut_rule(replace(field, type="text", is_optional=False), cuts), wanted


def _draft_parts(records: _Records, record: Record, node: int, example: str) -> Iterator[tuple[FieldRule, str]]:
    """Draft parts of the texts of elements around an example."""
    for _ in range(MAX_LEVELS):
        path = record.view.path(node, record.top) if node >= record.first else None
        if path is None:
            return
        for rule in _draft_owner(records, record, Owner(node, path)):
            column = records.read(rule, records.rated)
            if record in column:
                for cuts, wanted in _learn_cuts(records, column, column[record].text, example):
                    yield replace(rule, cuts=cuts), wanted
        node = record.view.parents[node]


def _learn_cuts(
    records: _Records, column: ReadColumn, text: str, example: str
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Learn to cut an example out of the text of its record and of all others, if it is a part of it."""
    start = text.casefold().find(example.casefold())
    part = text[start : start + len(example)]
    if start >= 0 and not _is_same(Cell(text, 0), example):
        with suppress(InputError):  # nothing separates it
            texts = [each.text for each in column.values()]
            yield learn_part(texts, part, records.locale, leaves_rest=False).part, part


def _draft_joined(
    records: _Records, record: Record, nodes: Sequence[int], example: str
) -> Iterator[tuple[FieldRule, str]]:
    """Draft a rule for texts of a record that follow each other and make the example together."""
    view, wanted = record.view, _squeeze(example)
    leaves = [(node, text) for node in nodes if view.is_text[node] and (text := _squeeze(view.texts[node]))]
    for start in range(len(leaves)):
        pieces = leaves[start : start + MAX_PIECES]
        for size in range(2, len(pieces) + 1):
            if "".join(text for _, text in pieces[:size]) != wanted:
                continue
            rules = []
            for node, _ in pieces[:size]:
                said = " ".join(view.texts[node].split()).strip(LINE_EDGES)
                owners = records.find_owners(record, node, said)
                drafts = [rule for owner in owners for rule in _draft_owner(records, record, owner)]
                rated = [
                    (_rate(records, record, column, rule, {}), -at, rule)
                    for at, rule in enumerate(drafts)
                    if _is_same((column := records.read(rule, records.rated)).get(record), said)
                ]
                if rated:
                    rules.append(max(rated)[2])
            if len(rules) == size:
                yield replace(rules[0], more=tuple(rules[1:])), example


def _draft_attributes(records: _Records, record: Record, example: str) -> Iterator[tuple[FieldRule, str]]:
    """Draft rules for the elements of a record with an attribute that says the example, or has it as an address."""
    view, wanted = record.view, _squeeze(example)
    for node in range(*record.span):
        own = {} if view.unread[node] else view.attributes[node]
        for name, written in own.items():
            kind = "link" if name == "href" else "image" if name in IMAGE_ATTRIBUTES else "text"
            path = view.path(node, record.top)
            if path is None or (kind == "text" and (name in LOOKS or _squeeze(written) != wanted)):
                continue
            address = view.address(node, name) if kind != "text" else None
            if kind == "text":
                yield from ((rule, example) for rule in _draft_owner(records, record, Owner(node, path, name)))
            elif address and (example in (written, address) or address.endswith(f"/{example}")):
                for owner in records.find_owners(record, node, address, kind):
                    yield from ((rule, address) for rule in _draft_owner(records, record, owner, kind))


def _put(wrapper: Wrapper, records: _Records, draft: _Draft, taught: FieldRule | None, name: str) -> Wrapper:
    """Put a rule among the fields: in the place of the one that was taught, or behind those before it in the record."""
    listing, fields = listing_of(wrapper), list(records.fields)
    texts = [cell.text for cell in draft.column.values()]
    read = read_column(texts, records.locale) if draft.rule.type == "text" else None
    filled = Counter(record.view for record in draft.column)
    rule = replace(
        draft.rule,
        type=read[0] if read and read[0] in TYPED else draft.rule.type,
        is_optional=any(filled[page[0].view] < MIN_SHARE_FILLED * len(page) for page in records.pages if page),
    )
    if taught is not None:
        fields[fields.index(taught)] = _name_inner(replace(rule, name=taught.name))
    else:
        cells, node = records.cells[draft.record], draft.column[draft.record].node
        place = max((at for at, cell in enumerate(cells, 1) if cell and cell.node <= node), default=0)
        plain = rule.heading or (rule.type if rule.type != "text" else rule.attribute or "text")
        named = name.strip() or distinct([plain], [each.name for each in fields], ignore_case=True)[0]
        fields.insert(place, _name_inner(replace(rule, name=named)))
    return replace(wrapper, listing=replace(listing, fields=tuple(fields)))


def _name_inner(rule: FieldRule) -> FieldRule:
    """Name the rules inside a field after it, each another way."""
    inner = [*rule.instead, *rule.more]
    names = distinct([each.name or rule.name for each in inner], [rule.name])
    named = [replace(each, name=name) for each, name in zip(inner, names, strict=True)]
    return replace(rule, instead=tuple(named[: len(rule.instead)]), more=tuple(named[len(rule.instead) :]))


def _is_kept(before: Wrapper, after: Wrapper, draft: _Draft, taught: FieldRule | None, records: _Records) -> bool:
    """Tell whether a wrapper reads a new column as drafted, and all others as before."""
    olds, news = before.fields, after.fields
    new = next(place for place, field in enumerate(news) if field not in olds)
    for page in records.pages:
        rows = read_records(after, page[0].view.document) if page else []
        for record, row in zip(page, rows, strict=False):
            cells = list(row.cells)
            cell, drafted = cells.pop(new), draft.column.get(record)
            kept = [each for field, each in zip(olds, records.cells[record], strict=True) if field is not taught]
            if cells != kept or (cell and cell.text) != (drafted and drafted.text):
                return False
    return True


def _squeeze(text: str) -> str:
    """Leave out spaces, brackets and separators, by which a text on a page differs from what a person copies."""
    return _MARKS.sub("", text.strip(LINE_EDGES)).casefold()


def _is_same(cell: Cell | None, text: str) -> bool:
    return cell is not None and _squeeze(cell.text) == _squeeze(text)
