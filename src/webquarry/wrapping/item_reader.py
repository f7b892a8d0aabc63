"""Read the fields of a detail page, and the sections in it, by its wrapper of kind `item`.

The wrapper has the fields of the page in `listing.fields`, as the wrapper of a listing has those of its records; the
page is the one record.  A signature starts anywhere on the page (see `item_texts.py`).  For a field with a `heading`,
the value is the text of the element behind that label, before it, or the text of the element that follows the label.
Fields of type `list` and `images` hold all matches, in a list: the
whole is a typed value, its parts are the record's.  Fields of type `pairs` hold the labelled values that no
other field has, by label.  With the place -1, labels of pairs are
behind their values.  Sections of the grammar are read as in wrappers of kind `sections`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from webquarry.html.urls import Resolver, largest, make_resolver
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.names import distinct, snake_case
from webquarry.model.wrapper import OTHER, FieldRule, Wrapper
from webquarry.page.text_runs import Elements, Sort, open_tree
from webquarry.page.trees import Marks, MarkupTree, Tree
from webquarry.wrapping.item_texts import EDGE, ItemMatcher, Match, RuleKey, Texts
from webquarry.wrapping.listing_reader import ADDRESSES, COLONS, IMAGES, LIST, PAIRS, TYPED, join, read_type, take_part
from webquarry.wrapping.listing_signatures import read_signature
from webquarry.wrapping.section_reader import Reader

MAX_LABEL_LENGTH = 60
"""Characters of the label of a pair."""
ALTERNATIVE = " | "
"""Separates the labels that a field may have, such as `Category | Categories`."""
ENDS_COMPARED = 40
"""Characters of a text that are compared with those of a label, before the label is looked for."""
_BETWEEN_PARTS = re.compile(r"[,;|\u00b7\u2022\u3001\uff0c](?!\d)")
"""Separates the parts of a list in one element."""
_LONGER_LABEL = re.compile(r"(?: [^\W\d_]+){1,3}[:\uff1a]")
"""Words behind a label that are part of another label."""
MAX_LABEL_TEXTS = 4
"""Texts that a label before a value may be in."""


class ItemCell(NamedTuple):
    """A value of a field and its element."""

    text: str
    node: Any
    label: str = ""
    """The label of a pair."""


class ItemReader:
    """Reads detail pages of a source; made once for many pages."""

    def __init__(self, wrapper: Wrapper, only: Collection[str] = ()) -> None:
        """Limit reading to the fields and sections at the dotted paths `only`; all without any."""
        self._wrapper = wrapper
        every = wrapper.listing.fields if wrapper.listing else ()
        names = distinct(snake_case(rule.name) for rule in every)
        wanted = {path.split(".")[0] for path in only}
        kept = [(field, name) for field, name in zip(every, names, strict=True) if not only or name in wanted]
        self._fields, self._names = [field for field, _ in kept], [name for _, name in kept]
        self._rules = [rule for field in self._fields for rule in field.walk()]
        self._matcher = ItemMatcher(self._rules, wrapper.listing.unseen if wrapper.listing else ())
        self._sorts: dict[Marks, Sort] = {}
        below = [path for path in only if path.split(".")[0] not in self._names]
        has_sections = bool(wrapper.tokens) and (bool(below) or not only)
        self._sections = Reader(wrapper, below) if has_sections else None
        self._locale = wrapper.source.locale

    def read(self, document: Document) -> Extraction:
        """Extract the fields of a page."""
        tree = open_tree(document)
        values: list[SectionValue] = []
        lacking = []
        for rule, name, cells in zip(self._fields, self._names, self.read_cells(document, tree), strict=True):
            values += self._values(rule, name, cells, tree)
            if not cells and not rule.is_optional:
                lacking.append(name)
        fields = Extraction(document.url, document.kind, self._wrapper.source.name, tuple(values), tuple(lacking))
        if self._sections is None:
            return fields
        sections = self._sections.read(document, tree)
        return replace(
            fields,
            values=(*values, *_without_known(sections.values, {value.text for value in values})),
            missing=(*lacking, *sections.missing),
            unknown=sections.unknown,
        )

    def read_cells(self, document: Document, tree: Tree[Any]) -> list[list[ItemCell]]:
        """Read the values of each field."""
        elements = Elements(tree, frozenset(), (), self._sorts, shows_panels=True)
        read = read_matches(self._rules, self._matcher, document, tree, elements)
        picked = [pick_cells(rule, each) for rule, each in zip(self._rules, read, strict=True)]
        cells = iter(_leave_known_pairs(self._rules, picked))
        return [_fold_cells(field, cells) for field in self._fields]

    def _values(self, rule: FieldRule, name: str, cells: Sequence[ItemCell], tree: Tree[Any]) -> Iterator[SectionValue]:
        labels = distinct(snake_case(cell.label) for cell in cells) if rule.type == PAIRS else []
        if cells and rule.type in (LIST, IMAGES):  # the whole list is a value too, for those who want a column of it
            parts = tuple(cell.text for cell in cells)
            yield SectionValue((name,), (), join(parts), tree.xpath(cells[0].node), parts)
        for place, cell in enumerate(cells):
            path: tuple[str | int, ...] = (name,)
            headings: tuple[str | int, ...] = (rule.name,)
            if rule.type == PAIRS:
                path, headings = (name, labels[place]), (rule.name, cell.label)
            elif rule.type in (LIST, IMAGES):
                path, headings = (name, place), (rule.name, place)
            typed = read_type(rule.type, [cell.text], self._locale)[0] if rule.type in TYPED else None
            yield SectionValue(path, headings, cell.text, tree.xpath(cell.node), typed)


def _without_known(values: Iterable[SectionValue], known: Collection[str]) -> Iterator[SectionValue]:
    """Leave out values of unknown headings that fields have."""
    for value in values:
        if value.path[0] != OTHER or " ".join(value.text.split()) not in known:
            yield value


def read_matches(
    rules: Sequence[FieldRule],
    matcher: ItemMatcher,
    document: Document,
    tree: Tree[Any],
    elements: Elements,
    *,
    most: int | None = None,
) -> list[list[ItemCell]]:
    """Read all matches of each rule on a page, or the first so many."""
    page = _Page(document, tree, *matcher.find(tree, elements))
    return [page.read(number, rule, most) for number, rule in enumerate(rules)]


class _Page:
    """The matches on a page."""

    def __init__(self, document: Document, tree: Tree[Any], texts: Texts, found: dict[RuleKey, list[Match]]) -> None:
        self._document, self._tree, self._texts, self._found = document, tree, texts, found
        self._resolve: Resolver | None = None
        self._ends: dict[Match, tuple[str, str, str]] = {}
        """How the texts of labelled matches start and stop, and the texts before them."""

    def read(self, number: int, rule: FieldRule, most: int | None = None) -> list[ItemCell]:
        """Read matches of a rule; the first alternative of its signature with any decides."""
        for place in range(len(read_signature(rule.signature))):
            cells: list[ItemCell] = []
            for match in self._found.get((number, place), [])[:most]:
                cell = self._cell(rule, match)
                if (
                    cell is None
                    and rule.type == LIST
                    and cells
                    and self._tree.parent(cells[-1].node) == self._tree.parent(match.node)
                ):
                    cell = self._cell(replace(rule, heading=""), match)
                if cell is not None:
                    cells.append(cell)
            if cells:
                return cells
        return []

    def _cell(self, rule: FieldRule, match: Match) -> ItemCell | None:
        if rule.attribute:
            text = self._attribute(rule, match.node)
            return ItemCell(text, match.node) if text else None
        if match.start < 0:
            return None
        text = self._texts.join(match.start, match.stop)
        if rule.type == PAIRS:
            return self._pair(match, is_last=rule.place < 0)
        if rule.heading:
            return self._labelled(rule, match, text)
        text = text.strip(EDGE)
        return ItemCell(text, match.node) if text else None

    def _labelled(self, rule: FieldRule, match: Match, text: str) -> ItemCell | None:
        for heading in rule.heading.split(ALTERNATIVE):
            if not self._may_have(match, text, heading):
                continue
            if self._is_behind(match.start, heading) and not text.casefold().startswith(_fold_known(heading)):
                rest: str | None = text.strip(EDGE)  # `One size` behind `Size`
            else:
                rest = take_label(self._texts, match.start, match.stop, heading)
            if rest:
                return ItemCell(rest, match.node)
        return None

    def _may_have(self, match: Match, text: str, heading: str) -> bool:
        """Tell quickly whether a label may be in or before a text: a table may have thousands of other labels."""
        if match not in self._ends:
            inner = text.strip(EDGE + COLONS)
            start, stop = inner[:ENDS_COMPARED].casefold(), inner[-ENDS_COMPARED:].casefold()
            before = fold_label(self._texts.texts[match.start - 1]) if match.start else ""
            self._ends[match] = start, stop, before
        start, stop, before = self._ends[match]
        label = _fold_known(heading)
        is_inside = start.startswith(label[:ENDS_COMPARED]) or stop.endswith(label[-ENDS_COMPARED:])
        return is_inside or (before != "" and label.endswith(before))

    def _is_behind(self, start: int, heading: str) -> bool:
        """Tell whether a label is directly before a text."""
        label, last = fold_label(heading), fold_label(self._texts.texts[start - 1]) if start else ""
        if label == last or not last or not label.endswith(last):
            return bool(last) and label == last
        sizes = range(2, min(start, MAX_LABEL_TEXTS) + 1)
        return any(is_label(self._texts.join(start - size, start), heading) for size in sizes)

    def _pair(self, match: Match, *, is_last: bool) -> ItemCell | None:
        at = match.stop - 1 if is_last else match.start
        label = self._texts.join(at, at + 1)
        if match.stop == match.start + 1 or ":" in label[:-1]:
            label = label.partition(":")[0] if ":" in label else ""
        value = None
        if 0 < len(label) <= MAX_LABEL_LENGTH:
            value = take_label(self._texts, match.start, match.stop, label)
        return ItemCell(value, match.node, label.strip(EDGE)) if value else None

    def _attribute(self, rule: FieldRule, node: Any) -> str | None:
        if rule.type in ADDRESSES:
            if self._resolve is None:
                self._resolve = make_resolver(
                    self._document, self._tree if isinstance(self._tree, MarkupTree) else None
                )
            return read_address(self._tree, node, rule.attribute, self._resolve)
        for name in rule.attribute.split():
            written = self._tree.attribute(node, name)
            if written:
                return " ".join(written.split())
        return None


def read_address(tree: Tree[Any], node: Any, names: str, resolve: Resolver) -> str | None:
    """Read the address of a link or picture from the first attribute that has one, else from the sources beside it.

    An address that a script completes, such as `shoe_{width}x.jpg`, counts if there is no other.
    """
    parent = tree.parent(node)
    is_in_picture = parent is not None and tree.tag(parent) == "picture"
    sources = [each for each in tree.children(parent) if each != node] if is_in_picture else []
    written = [value for each in (node, *sources) for name in names.split() if (value := tree.attribute(each, name))]
    addresses = (resolve(largest(each)) for each in sorted(written, key=lambda each: "{" in each))
    return next((address for address in addresses if address is not None), None)


def pick_cells(rule: FieldRule, cells: Sequence[ItemCell]) -> list[ItemCell]:
    """Pick the value at the field's place, or all values for lists and pairs."""
    if rule.type == IMAGES:
        firsts: dict[str, ItemCell] = {}
        for cell in cells:
            firsts.setdefault(cell.text, cell)
        return list(firsts.values())
    if rule.type == LIST and rule.heading and len(cells) == 1:  # `Tags: red, blue`
        parts = filter(None, map(str.strip, _BETWEEN_PARTS.split(cells[0].text)))
        return [cells[0]._replace(text=part) for part in parts]
    if rule.type in (LIST, PAIRS):
        return list(cells)
    return [cells[rule.place]] if -len(cells) <= rule.place < len(cells) else []


def _leave_known_pairs(rules: Sequence[FieldRule], cells: list[list[ItemCell]]) -> list[list[ItemCell]]:
    """Remove pairs that fields of their own have; their labels may be in several texts."""
    if not any(rule.type == PAIRS for rule in rules):
        return cells
    labels = (heading for rule in rules for heading in rule.heading.split(ALTERNATIVE))
    known = set(filter(None, map(squeeze, labels)))
    return [
        [cell for cell in each if not _is_known(cell, known)] if rule.type == PAIRS else each
        for rule, each in zip(rules, cells, strict=True)
    ]


def _is_known(cell: ItemCell, known: Collection[str]) -> bool:
    """Tell whether a pair has one of the labels, of which its own may be the beginning."""
    label = squeeze(cell.label)
    if label in known:
        return True
    text = label + squeeze(cell.text)
    return any(each.startswith(label) and text.startswith(each) for each in known)


def squeeze(text: str) -> str:
    """Leave out of a text all but letters and digits, and case."""
    return "".join(mark for mark in text.casefold() if mark.isalnum())


def _fold_cells(field: FieldRule, cells: Iterator[list[ItemCell]]) -> list[ItemCell]:
    """Take the cells of a field and of the rules inside it, in the order of `walk`, and give those of the field."""
    own = next(cells)
    if field.cuts:
        own = [cell._replace(text=text) for cell in own if (text := take_part(cell.text, field.cuts))]
    instead = [_fold_cells(rule, cells) for rule in field.instead]
    parts = [own or next(filter(None, instead), []), *(_fold_cells(rule, cells) for rule in field.more)]
    found = [cell for each in parts for cell in each]
    if field.type in (LIST, IMAGES, PAIRS) or len(found) < 2:
        return found
    return [found[0]._replace(text=" ".join(cell.text for cell in found))]


def fold_label(text: str) -> str:
    """Fold a label to compare it: without case, and without colon and separators at its ends."""
    return text.strip(EDGE + COLONS).casefold()


_fold_known = lru_cache(maxsize=10_000)(fold_label)
"""For the labels of rules, which are compared with many texts."""


def is_label(text: str, heading: str) -> bool:
    """Tell whether a text is a label."""
    return fold_label(text) == fold_label(heading)


def take_label(texts: Texts, start: int, stop: int, label: str) -> str | None:
    """Return what some texts of a page say without a label before or behind it; None if they have no such label."""
    for size in range(1, min(stop - start, MAX_LABEL_TEXTS)):
        if is_label(texts.join(start, start + size), label):
            return texts.join(start + size, stop).lstrip(EDGE + COLONS).rstrip(EDGE) or None
        if is_label(texts.join(stop - size, stop), label):
            return texts.join(start, stop - size).strip(EDGE + COLONS) or None
    return without_label(texts.join(start, stop), label)


def without_label(text: str, label: str) -> str | None:
    """Remove a label before or behind a value; None if the text has no such label, or nothing else.

    >>> without_label("SKU: A-17", "SKU"), without_label("3 Beds", "Beds"), without_label("Skunk", "SKU")
    ('A-17', '3', None)
    >>> without_label("Office hours: 9 to 5", "Office") is None
    True
    """
    label = label.strip(EDGE + COLONS)
    if not label or len(text) <= len(label):
        return None
    folded, wanted = text.casefold(), label.casefold()
    if len(folded) != len(text):  # letters that fold to several
        folded, wanted = text, label
    if folded.startswith(wanted) and not (text[len(label)].isalnum() and label[-1].isalnum()):
        rest = text[len(label) :]
        return None if _LONGER_LABEL.match(rest) else rest.lstrip(EDGE + COLONS).rstrip(EDGE) or None
    if folded.endswith(wanted) and not (text[-len(label) - 1].isalnum() and label[0].isalnum()):
        return text[: -len(label)].strip(EDGE + COLONS) or None
    return None
