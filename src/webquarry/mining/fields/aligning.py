"""Fields: the records of a region aligned in columns, named and typed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import compress

from webquarry.html.resolving import Resolver, make_resolver
from webquarry.mining.fields.alignment import align_pieces
from webquarry.mining.fields.captions import join_captions
from webquarry.mining.fields.filling import Cells, Seen, alternative_cells, image_cells, link_cells, text_cells
from webquarry.mining.fields.keys import find_keys
from webquarry.mining.fields.labels import Labels, find_labels
from webquarry.mining.fields.naming import LINK, TEXT, TITLE, name_columns, unique_names
from webquarry.mining.fields.pieces import Pieces, find_pieces
from webquarry.mining.fields.prominence import find_heading
from webquarry.mining.fields.slots import Column
from webquarry.mining.fields.splitting import find_styles
from webquarry.mining.fields.variants import join_variants
from webquarry.mining.leaves import Leaves, find_leaves
from webquarry.mining.links import find_links
from webquarry.model import Document, Field
from webquarry.values import Locale, Value, find_locale, read_column

Group = list[Column]
"""Columns whose texts are one value."""
Reading = tuple[str, tuple[Value | None, ...]]
"""The type of a column, and what its texts say."""


def align_fields(
    document: Document,
    spans: Sequence[tuple[int, int]],
    leaves: Leaves | None = None,
    locale: Locale | None = None,
) -> tuple[Field, ...]:
    """The columns of records, in the order of the page.

    Leaves and locale of the document are found when they are not given: give them when it has several regions.
    Every text that is seen in a record is in one value; mere separators between texts are in none.
    """
    if not spans:
        return ()
    leaves = find_leaves(document) if leaves is None else leaves
    pieces = find_pieces(document, spans, leaves)
    if not len(pieces):
        return ()
    keys = find_keys(pieces, leaves)
    labels, links, styles = (
        find_labels(pieces, keys),
        find_links(document, pieces.owners, min(spans)[0]),
        find_styles(pieces),
    )
    columns = align_pieces(pieces, list(zip(keys, labels.names, labels.is_label, strict=True)), styles)
    columns = join_variants(pieces, columns, _look(pieces, labels, links, styles))
    groups = join_captions(pieces, columns, links)
    resolve = make_resolver(document)
    cells = _fill_cells(pieces, labels, groups, resolve)
    readings = _read(pieces, groups, cells, locale)
    names = name_columns(pieces, labels, links, groups, [kind for kind, _ in readings])
    fields = _make_fields(names, readings, cells, _fill_links(pieces, groups, names, links, resolve))
    return _alternatives(pieces, groups) + fields if all(pieces.is_image) else fields


def _look(
    pieces: Pieces, labels: Labels, links: Sequence[int], styles: Sequence[Hashable]
) -> Callable[[int], Hashable]:
    """What variants of one column share: the level of a heading, which may be a link or not; else all that is seen."""
    tags = pieces.document.tags

    def look(piece: int) -> Hashable:
        label = labels.names[piece], labels.is_label[piece]
        if not pieces.is_image[piece] and (heading := find_heading(pieces, piece)):
            return heading, label
        tag = int(tags[pieces.owners[piece]])
        return tag, pieces.is_image[piece], styles[piece], label, links[piece] >= 0

    return look


def _fill_cells(pieces: Pieces, labels: Labels, groups: list[Group], resolve: Resolver) -> list[Cells]:
    """The texts and images of columns; where records have no text at all, what stands for the images."""
    seen: Seen = set()
    return [
        image_cells(pieces, group[0], resolve, seen) if _is_image(pieces, group) else text_cells(pieces, labels, group)
        for group in groups
    ]


def _is_image(pieces: Pieces, group: Group) -> bool:
    return pieces.is_image[next(iter(group[0].values()))[0]]


def _read(pieces: Pieces, groups: list[Group], cells: list[Cells], locale: Locale | None) -> list[Reading]:
    """The types of columns, and what their texts say."""
    if locale is None:
        locale = find_locale(pieces.document.language, compress(pieces.texts, pieces.has_digits))
    readings: list[Reading] = []
    for group, column in zip(groups, cells, strict=True):
        if _is_image(pieces, group):
            readings.append(("image", ()))
        else:
            readings.append(read_column(column.values, locale) or (TEXT, ()))
    return readings


def _fill_links(
    pieces: Pieces, groups: list[Group], names: Sequence[str], links: Sequence[int], resolve: Resolver
) -> list[list[Cells]]:
    """For each group the addresses that its columns lead to; what repeats those of the title is left out."""
    seen: Seen = set()
    linked: list[list[Cells]] = [[] for _ in groups]
    for place in sorted(range(len(groups)), key=lambda place: names[place] != TITLE):
        linked[place] = [link_cells(pieces, column, links, resolve, seen) for column in groups[place]]
    return linked


def _alternatives(pieces: Pieces, groups: list[Group]) -> tuple[Field, ...]:
    """For records without any text, what stands for their images."""
    for group in groups:
        cells = alternative_cells(pieces, group[0])
        if cells:
            return (_make_field(TITLE, (TEXT, ()), cells),)
    return ()


def _make_fields(
    names: Sequence[str], readings: list[Reading], cells: list[Cells], linked: list[list[Cells]]
) -> tuple[Field, ...]:
    drafts: list[tuple[str, Reading, Cells]] = []
    for name, reading, column, addresses in zip(names, readings, cells, linked, strict=True):
        drafts.append((name, reading, column))
        link = LINK if name == TITLE or reading[0] == "image" else f"{name}_{LINK}"
        drafts += [(link, ("link", ()), each) for each in addresses]
    drafts = [draft for draft in drafts if draft[2]]
    unique = unique_names([name for name, _, _ in drafts])
    return tuple(_make_field(name, reading, column) for name, (_, reading, column) in zip(unique, drafts, strict=True))


def _make_field(name: str, reading: Reading, cells: Cells) -> Field:
    return Field(name, reading[0], tuple(cells.values), tuple(cells.nodes), reading[1])
