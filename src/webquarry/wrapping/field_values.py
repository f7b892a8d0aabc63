"""Make values of fields from what the signatures of their rules match: pick, fold, type and cut texts.

The rule of a field may have cuts, which take a part of its text.  A cut says on which side of a separator the part is,
and at which of several separators: `before: /`, `after 2: ,`, `after -1: by` (the last one).  A cut without a separator
is at white space.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.wrapper import FieldRule
from webquarry.values.column_values import read_column, read_value
from webquarry.values.text_value import Locale, Value, find_locale

TYPED = frozenset(["number", "money", "date", "boolean"])
"""Types whose values are read from their texts."""
LIST = "list"
"""The type of a field with all nodes of its signature."""
IMAGES = "images"
"""The type of a field with the addresses of all images of its signature."""
PAIRS = "pairs"
"""The type of a field of an item with all labelled values that no other field has."""
ADDRESSES = ("link", "image", IMAGES)
COLONS = ":\uff1a"
_BETWEEN_PARTS = re.compile(r"[,;|\u00b7\u2022\u3001\uff0c](?!\d)")
"""Separates the parts of a list in one element."""


class Cell(NamedTuple):
    """A value and its node, or element of a tree."""

    text: str
    node: Any
    label: str = ""
    """The label of a pair."""
    parts: tuple[str, ...] = ()
    """The items, if it is a whole list."""


def pick_cells(rule: FieldRule, cells: Sequence[Cell]) -> list[Cell]:
    """Pick the value at the field's place, or all values for lists, images and pairs."""
    if rule.type == IMAGES:
        firsts: dict[str, Cell] = {}
        for cell in cells:
            firsts.setdefault(cell.text, cell)
        return list(firsts.values())
    if rule.type == LIST and rule.heading and len(cells) == 1:  # `Tags: red, blue`
        parts = filter(None, map(str.strip, _BETWEEN_PARTS.split(cells[0].text)))
        return [cells[0]._replace(text=part) for part in parts]
    if rule.type in (LIST, PAIRS):
        return list(cells)
    return [cells[rule.place]] if -len(cells) <= rule.place < len(cells) else []


def fold_cells(fields: Sequence[FieldRule], cells: Iterable[list[Cell]]) -> list[list[Cell]]:
    """Give each field its cells, from those of all rules inside it, in the order of `FieldRule.walk`."""
    left = iter(cells)
    return [_fold_cells(field, left) for field in fields]


def _fold_cells(field: FieldRule, cells: Iterator[list[Cell]]) -> list[Cell]:
    own = next(cells)
    if field.cuts:
        own = [cell._replace(text=text) for cell in own if (text := take_part(cell.text, field.cuts))]
    instead = [_fold_cells(rule, cells) for rule in field.instead]
    parts = [own or next(filter(None, instead), []), *(_fold_cells(rule, cells) for rule in field.more)]
    found = [cell for each in parts for cell in each]
    if field.type in (LIST, IMAGES, PAIRS) or len(found) < 2:
        return found
    return [found[0]._replace(text=" ".join(cell.text for cell in found))]


def whole_cell(field: FieldRule, cells: Sequence[Cell]) -> Cell | None:
    """Make one cell of all cells of a field; addresses of images are separated by spaces, as mining writes them."""
    if not cells:
        return None
    texts = tuple(cell.text for cell in cells)
    if field.type == LIST:
        return cells[0]._replace(text=join(texts), parts=texts)
    return cells[0]._replace(text=" ".join(texts))


def join(texts: Sequence[str]) -> str:
    """Join texts of one record by commas, or by semicolons if a text has a comma."""
    return ("; " if any("," in text for text in texts) else ", ").join(texts)


def find_shared_locale(documents: Iterable[Document], texts: Iterable[str]) -> Locale:
    """Find the locale of texts of some pages, in the language of the first page that says its own."""
    language = next((document.language for document in documents if document.language), "")
    return find_locale(language, texts)


def read_type(kind: str, texts: Sequence[str | None], locale: Locale) -> Sequence[Value | None]:
    """Read a column together, or each text by itself if one has another type."""
    together = read_column(texts, locale)
    if together is not None and together[0] == kind:
        return together[1]
    alone = [read_value(text, locale) if text else None for text in texts]
    return [each[1] if each and each[0] == kind else None for each in alone]


BEFORE, AFTER = "before", "after"
_CUT = re.compile(rf"({BEFORE}|{AFTER})(?: (-?[1-9]\d*))?:(?: (\S.*))?", re.DOTALL)


def is_cut(written: str) -> bool:
    """Tell whether a text is a cut."""
    return _CUT.fullmatch(written) is not None


def take_part(text: str, cuts: Sequence[str]) -> str:
    """Take a part of a text; a text without the separator is all before it.

    >>> price = "4.20 € / kg"
    >>> take_part(price, ["before: /"]), take_part(price, ["after: /"]), take_part("4.20 €", ["after: /"])
    ('4.20 €', 'kg', '')
    >>> take_part("Oak, 2 m, oiled", ["after -1: ,"]), take_part("Lamp (black)", ["after: (", "before: )"])
    ('oiled', 'black')
    """
    for cut in cuts:
        side, number, separator = _read_cut(cut)
        places = list(find_separator(separator, text))
        at = number - 1 if number > 0 else number
        is_there = -len(places) <= at < len(places)
        if side == BEFORE:
            text = text[: places[at][0]] if is_there else text
        else:
            text = text[places[at][1] :] if is_there else ""
        text = text.strip()
    return text


def find_separator(separator: str, text: str) -> Iterator[tuple[int, int]]:
    """Find a separator in a text; one that is a word, or ends in one, is not found within longer words."""
    return (found.span() for found in _compile_separator(separator).finditer(text))


@lru_cache(maxsize=1024)
def _compile_separator(separator: str) -> re.Pattern[str]:
    if not separator:
        return re.compile(r"\s+")
    start = r"(?<!\w)" if separator[0].isalnum() else ""
    stop = r"(?!\w)" if separator[-1].isalnum() else ""
    return re.compile(start + re.escape(separator) + stop)


@lru_cache(maxsize=1024)
def _read_cut(cut: str) -> tuple[str, int, str]:
    found = _CUT.fullmatch(cut)
    if found is None:
        raise ValueError(f"{cut!r} is not a cut")
    return found[1], int(found[2] or 1), found[3] or ""


MAX_SEPARATOR_TOKENS = 3
"""Words and marks beside an example that a separator may be made of."""
MAX_TEXTS_TRIED = 20
"""Texts with the example whose separators are tried; thousands of records may have a word in common."""
_TOKEN = re.compile(r"\w+|\s*[^\w\s]+\s*|\s+")


class PartCuts(NamedTuple):
    """The cuts for a part of a text, and for what is before and behind it; None where there is nothing."""

    before: tuple[str, ...] | None
    part: tuple[str, ...]
    after: tuple[str, ...] | None

    @property
    def rest(self) -> list[tuple[str, ...]]:
        """The cuts for what is not the part."""
        return [cuts for cuts in (self.before, self.after) if cuts is not None]


def cut_rule(rule: FieldRule, cuts: Sequence[str]) -> FieldRule:
    """Make a rule read a part of its text only."""
    return replace(rule, cuts=(*rule.cuts, *cuts), instead=tuple(cut_rule(each, cuts) for each in rule.instead))


def split_at(separator: str) -> PartCuts:
    """Return the cuts for what is before the first separator, and for what is behind it."""
    separator = separator.strip()
    return PartCuts(None, (_write(BEFORE, 1, separator),), (_write(AFTER, 1, separator),))


def learn_part(texts: Sequence[str], example: str, locale: Locale, *, leaves_rest: bool = True) -> PartCuts:
    """Find the separators around an example of a part that fit most of the texts; raise if there are none.

    Those that give most texts a part of one type, such as a number, come first.  Of those that fit as many, marks and
    words are taken rather than white space, then the shortest.  With `leaves_rest` a text must have more than the part
    and its separators.
    """
    example = example.strip()
    holding = [text for text in texts if any(find_separator(example, text))] if example else []
    if not holding:
        raise InputError(f'no value on the sample pages has the part "{example}"; give it as on the page')
    tried = list(dict.fromkeys(holding))[:MAX_TEXTS_TRIED]
    listed = {parts for text in tried for parts in _list_parts(text, example)}
    found = [
        parts
        for parts in listed
        if not leaves_rest or any(take_part(text, cuts) for text in texts for cuts in parts.rest)
    ]
    if not found:
        raise InputError(f'"{example}" is a whole value, or nothing separates it from the rest of one')

    def rank(parts: PartCuts) -> tuple[bool, int, int, int, tuple[str, ...]]:
        taken = [part for text in texts if (part := take_part(text, parts.part)) and part != text]
        is_typed = 2 * len(taken) > len(texts) and read_column(taken, locale) is not None
        at_spaces = sum(cut.endswith(":") for cut in parts.part)
        return not is_typed, -len(taken), at_spaces, sum(map(len, parts.part)), parts.part

    return min(found, key=rank)


def _list_parts(text: str, example: str) -> Iterator[PartCuts]:
    for start, stop in find_separator(example, text):
        left, right = text[:start], text[stop:]
        lefts = list(dict.fromkeys(_list_left_cuts(left, text))) if left.strip() else [None]
        rights = list(dict.fromkeys(_list_right_cuts(right))) if right.strip() else [None]
        for one, other in product(lefts, rights):
            parts = _combine(one, other)
            if parts.part and take_part(text, parts.part) == example:
                yield parts


def _combine(left: tuple[int, str] | None, right: str | None) -> PartCuts:
    ahead = () if left is None else (_write(AFTER, *left),)
    return PartCuts(
        before=None if left is None else (_write(BEFORE, *left),),
        part=ahead if right is None else (*ahead, _write(BEFORE, 1, right)),
        after=None if right is None else (*ahead, _write(AFTER, 1, right)),
    )


def _list_left_cuts(left: str, text: str) -> Iterator[tuple[int, str]]:
    """List separators that a text before an example ends with, each with the number that it has from either end."""
    tokens = _TOKEN.findall(left)
    for size in range(1, min(MAX_SEPARATOR_TOKENS, len(tokens)) + 1):
        separator = "".join(tokens[-size:]).strip()
        number, total = sum(1 for _ in find_separator(separator, left)), sum(1 for _ in find_separator(separator, text))
        if number:
            yield number, separator
            yield number - total - 1, separator


def _list_right_cuts(right: str) -> Iterator[str]:
    tokens = _TOKEN.findall(right)
    for size in range(1, min(MAX_SEPARATOR_TOKENS, len(tokens)) + 1):
        yield "".join(tokens[:size]).strip()


def _write(side: str, number: int, separator: str) -> str:
    return f"{side}{'' if number == 1 else f' {number}'}:{f' {separator}' if separator else ''}"
