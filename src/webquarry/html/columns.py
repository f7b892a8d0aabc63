"""Build a tree as columns: one entry per node, in document order; the document itself is node 0."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from types import MappingProxyType
from typing import Any, Final, Protocol, cast, overload

import numpy as np
import turbohtml
from numpy.typing import NDArray
from turbohtml.treebuild import TreeBuilder, parse_into

from webquarry.html.parsing import (
    bounded,
    find_costly_tags,
    may_have_shadow_roots,
    parse_html,
    parse_ours,
    read_attributes,
)
from webquarry.html.xhtml_names import (
    DECLARABLE,
    MATHML,
    NAMESPACE_OF,
    SVG,
    UNDECLARED,
    XHTML,
    decode_name,
    without_surrogates,
)


class Kind:
    """Kinds of nodes, in the numbers of the DOM standard; plain ones, as NumPy takes long to compare with enums."""

    ELEMENT: Final = 1
    TEXT: Final = 3
    INSTRUCTION: Final = 7
    COMMENT: Final = 8
    DOCUMENT: Final = 9
    DOCTYPE: Final = 10


Attributes = Mapping[str, str]
NO_ATTRIBUTES: Attributes = MappingProxyType({})
_NO_VALUES: Mapping[int, str] = MappingProxyType({})

Values = Mapping[str, Mapping[int, str]]
_Pairs = tuple[tuple[str, str | None], ...]

NAMESPACES = (XHTML, SVG, MATHML)
"""Namespaces of elements; the column holds places in this tuple."""
MAX_DEPTH = 512
"""Levels of a tree, as in Chromium's parser; without a bound, addresses of nodes would fill gigabytes."""
HEADING_TAGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])


class Nodes(Protocol):
    """Columns of a tree as the modules of this folder read them; `Columns` and `Document` both have them."""

    @property
    def kinds(self) -> NDArray[np.uint8]:
        """Kind of each node."""

    @property
    def parents(self) -> NDArray[np.int32]:
        """Parent of each node."""

    @property
    def ends(self) -> NDArray[np.int32]:
        """Number after the last descendant of each node."""

    @property
    def tags(self) -> NDArray[np.int32]:
        """Place of each element's name in `tag_names`; -1 for other nodes."""

    @property
    def tag_names(self) -> tuple[str, ...]:
        """Names of elements."""

    @property
    def namespaces(self) -> NDArray[np.uint8]:
        """Place of each element's namespace in `NAMESPACES`."""

    @property
    def texts(self) -> Sequence[str]:
        """Text of each node."""

    @property
    def attributes(self) -> Sequence[Attributes]:
        """Attributes of each node."""

    def has_tag(self, names: Collection[str]) -> NDArray[np.bool_]:
        """Tell for each node whether it is an element of one of the names."""

    def values_of(self, attribute: str) -> Mapping[int, str]:
        """Return the values of an attribute, each by its node."""


class Tree(Nodes, Protocol):
    """Document as the modules of this folder read it."""

    @property
    def url(self) -> str:
        """Address of the document."""

    @property
    def address(self) -> str:
        """Address on the web that was given for a saved document, or empty."""

    @property
    def web_address(self) -> str:
        """Address that links are relative to."""

    @property
    def hidden(self) -> NDArray[np.bool_]:
        """Flags of hidden nodes."""


@dataclass(frozen=True, eq=False)
class Columns:
    """Nodes of a tree. `tags` holds places in `tag_names`, -1 for nodes that are not elements."""

    kinds: NDArray[np.uint8]
    parents: NDArray[np.int32]
    tags: NDArray[np.int32]
    namespaces: NDArray[np.uint8]
    tag_names: tuple[str, ...]
    texts: Sequence[str]
    values: Values
    """Values of attributes, by name and then by node."""

    @cached_property
    def attributes(self) -> tuple[Attributes, ...]:
        """Attributes of each node, in the order in which their names first occur on the page."""
        attributes: list[Attributes] = [NO_ATTRIBUTES] * len(self.kinds)
        rows: dict[int, dict[str, str]] = {}
        for name, values in self.values.items():
            for node, value in values.items():
                if node in rows:
                    rows[node][name] = value
                else:
                    attributes[node] = rows[node] = {name: value}
        return tuple(attributes)

    @cached_property
    def ends(self) -> NDArray[np.int32]:
        """Number after the last descendant of each node."""
        return subtree_ends(self.parents)

    def seen_texts(self, hidden: NDArray[np.bool_]) -> NDArray[np.int32]:
        """List the texts that are neither hidden nor blank, in document order."""
        texts, nodes = self.texts, ((self.kinds == Kind.TEXT) & ~hidden).nonzero()[0].tolist()
        return np.array([node for node in nodes if (text := texts[node]) and not text.isspace()], dtype=np.int32)

    def has_tag(
        self, names: Collection[str], nodes: slice | NDArray[np.integer[Any]] = slice(None)
    ) -> NDArray[np.bool_]:
        """Tell for each node, or each of some, whether it is an element of one of the names."""
        key = names if isinstance(names, frozenset) else tuple(names)
        chosen = self._chosen_tags.get(key)
        if chosen is None:
            flags = bytes([*map(names.__contains__, self.tag_names), False])
            chosen = self._chosen_tags[key] = np.frombuffer(flags, dtype=np.bool_)
        return chosen[self._tag_places[nodes]]

    def by_tag(self, numbers: Mapping[str, int]) -> NDArray[np.int32]:
        """Look up the tag of each node in a table; 0 for other tags and other nodes."""
        numbers_of_tags = [numbers.get(name, 0) for name in self.tag_names]
        return np.array([*numbers_of_tags, 0], dtype=np.int32)[self._tag_places]

    @cached_property
    def attribute_names(self) -> frozenset[str]:
        """Names of all attributes on the page: most questions about attributes end here."""
        return frozenset(self.values)

    def values_of(self, attribute: str) -> Mapping[int, str]:
        """Return the values of an attribute, each by its node, in document order."""
        return self.values.get(attribute, _NO_VALUES)

    @cached_property
    def _chosen_tags(self) -> dict[Hashable, NDArray[np.bool_]]:
        """For names that were asked for, which tags are among them: stages ask for the same ones again and again."""
        return {}

    @cached_property
    def _tag_places(self) -> NDArray[np.intp]:
        """Tags as `intp`, which NumPy indexes by without converting."""
        return self.tags.astype(np.intp)


class _Markup:
    """A page that is parsed on first use."""

    def __init__(self, markup: str) -> None:
        self._markup = markup

    @cached_property
    def columns(self) -> Columns:
        return build_columns(self._markup)


class _ValuesReadAgain(Mapping[str, Mapping[int, str]]):
    """Values of attributes that are read from the markup on first use."""

    def __init__(self, markup: _Markup) -> None:
        self._markup = markup

    def __getitem__(self, name: str) -> Mapping[int, str]:
        return self._markup.columns.values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._markup.columns.values)

    def __len__(self) -> int:
        return len(self._markup.columns.values)


class _SomeTexts(Sequence[str]):
    """The texts of a tree, of which some are at hand; others are read from the markup."""

    def __init__(self, markup: _Markup, columns: Columns, nodes: Sequence[int]) -> None:
        self._markup = markup
        written = [*map(columns.texts.__getitem__, nodes)]
        self._nodes, self._lengths, self._joined = nodes, [*map(len, written)], "".join(written)

    @cached_property
    def _known(self) -> dict[int, str]:
        ends = [*accumulate(self._lengths)]
        cut = zip([0, *ends], ends, strict=False)
        return {node: self._joined[start:end] for node, (start, end) in zip(self._nodes, cut, strict=True)}

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        try:
            return self._known[place]  # type: ignore[index]
        except (KeyError, TypeError):  # a slice is no key
            return self._markup.columns.texts[place]

    def __len__(self) -> int:
        return len(self._markup.columns.texts)


def make_small_copy(columns: Columns, markup: str, nodes: Sequence[int]) -> Columns:
    """Copy a tree to send it elsewhere: attributes, and texts of other nodes, are read from the markup if needed."""
    again = _Markup(markup)
    return replace(columns, texts=_SomeTexts(again, columns, nodes), values=_ValuesReadAgain(again))


def build_columns(markup: str) -> Columns:
    """Build the columns of the tree that a browser would build, or of our own XHTML."""
    try:
        return _finish(_read(markup))
    except UnicodeDecodeError:  # turbohtml fails on lone surrogates in names of attributes
        return _finish(_read(without_surrogates(markup)))


def _read(markup: str) -> _Rows:
    tree = parse_ours(markup)
    if tree is not None:
        return _walk_ours(tree)
    tags = find_costly_tags(markup)
    if may_have_shadow_roots(markup, tags):  # parse_into drops their content
        return _walk(parse_html(markup))
    return _parse(bounded(markup, tags))


@dataclass(frozen=True)
class _Rows:
    """Nodes in the order in which they are created."""

    texts: list[str] = field(default_factory=list)  # nothing for elements
    parents: list[int] = field(default_factory=lambda: [-1])
    elements: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)  # of elements, in their order
    values: defaultdict[str, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    others: dict[int, int] = field(default_factory=dict)  # the kind of what is neither element nor text
    foreign: dict[int, str] = field(default_factory=dict)


class _Builder:
    """Callbacks of turbohtml. A handle is the number of an element; each node is appended before the next is created.

    The frequent calls go to a list's own method or to a closure, which are quicker than methods.
    """

    def __init__(self, rows: _Rows) -> None:
        self._rows = rows
        self.create_text = rows.texts.append
        self.create_element = _element_creator(rows)
        add_parent = rows.parents.append
        self.append: Callable[[int, int | None], None] = lambda parent, _child: add_parent(parent)
        self.create_comment = _comment_creator(rows)

    def create_document(self) -> int:
        self._add(Kind.DOCUMENT, "")
        return 0

    def create_doctype(self, name: str, public_id: str | None, system_id: str | None) -> None:
        ids = "" if public_id is None and system_id is None else f' "{public_id or ""}" "{system_id or ""}"'
        self._add(Kind.DOCTYPE, name + ids)

    def create_pi(self, target: str, data: str) -> None:
        self._add(Kind.INSTRUCTION, f"{target} {data}")

    def _add(self, kind: int, text: str) -> None:
        self._rows.others[len(self._rows.texts)] = kind
        self._rows.texts.append(text)


def _comment_creator(rows: _Rows) -> Callable[[str], None]:
    texts, others = rows.texts, rows.others
    add_text = texts.append

    def create_comment(data: str) -> None:
        others[len(texts)] = Kind.COMMENT
        add_text(data)

    return create_comment


def _element_creator(rows: _Rows) -> Callable[[str, str, _Pairs], int]:
    texts = rows.texts
    add_text, add_element, add_name = texts.append, rows.elements.append, rows.names.append
    values, foreign = rows.values, rows.foreign

    def create_element(name: str, namespace: str, pairs: _Pairs) -> int:
        number = len(texts)
        add_text("")
        add_element(number)
        add_name(name)
        for key, value in pairs:
            values[key][number] = value or ""
        if namespace != XHTML:
            foreign[number] = namespace
        return number

    return create_element


def _parse(markup: str) -> _Rows:
    rows = _Rows()
    parse_into(markup, cast("TreeBuilder[int | None]", _Builder(rows)))
    _adopt_strays(rows)
    return rows


def _adopt_strays(rows: _Rows) -> None:
    """Move to the body what turbohtml leaves behind the root on very deep pages."""
    outside = _places(rows.parents, 0)
    root, *strays = (node for node in outside if node not in rows.others)
    if strays:
        *_, body = _places(rows.parents[: strays[0]], root)
        for node in outside[outside.index(strays[0]) :]:
            rows.parents[node] = body


def _places(numbers: list[int], number: int) -> list[int]:
    """List the places of a number.

    >>> _places([0, 1, 0], 0)
    [0, 2]
    """
    places, place = [], -1
    for _ in range(numbers.count(number)):
        place = numbers.index(number, place + 1)
        places.append(place)
    return places


def _walk(tree: turbohtml.Document) -> _Rows:
    """Read the rows of a tree; the content of a template is below it."""
    rows = _Rows()
    builder = _Builder(rows)
    waiting: list[tuple[turbohtml.Node, int]] = [(tree, -1)]
    while waiting:
        node, parent = waiting.pop()
        number = parent
        if not isinstance(node, turbohtml.DocumentFragment):
            number = len(rows.texts)
            _add_node(builder, node)
            if number:
                builder.append(parent, number)
        waiting += [(child, number) for child in reversed(node.children)]
    return rows


def _add_node(builder: _Builder, node: turbohtml.Node) -> None:
    match node:
        case turbohtml.Element():
            attributes = tuple(read_attributes(node).items())
            builder.create_element(node.tag, NAMESPACE_OF[node.namespace], attributes)
        case turbohtml.Text() | turbohtml.CData():
            builder.create_text(node.data)
        case turbohtml.Comment():
            builder.create_comment(node.data)
        case turbohtml.ProcessingInstruction():
            builder.create_pi(node.target, node.data)
        case turbohtml.Doctype():
            builder.create_doctype(node.name, node.public_id, node.system_id)
        case _:
            builder.create_document()


def _walk_ours(tree: turbohtml.Document) -> _Rows:
    """Read the rows of our own XHTML, with names decoded and without the declarations that we added."""
    rows = _walk(tree)
    written, declared = [*rows.values.items()], rows.values.get("xmlns", {})
    rows.values.clear()
    for name, values in written:
        kept = {number: value for number, value in values.items() if not _is_added(name, value)}
        if kept:
            rows.values[decode_name(name)].update(kept)
    for place, number in enumerate(rows.elements):
        namespace = declared.get(number, rows.foreign.get(rows.parents[number], XHTML))
        if namespace != XHTML:
            rows.foreign[number] = namespace
        rows.names[place] = decode_name(rows.names[place])
    return rows


def _is_added(name: str, value: str) -> bool:
    """Tell whether an attribute of our XHTML is a declaration that we added."""
    return (name, value) in DECLARABLE or (name.startswith("xmlns:") and value.startswith(UNDECLARED))


class _Codes(dict[str, int]):
    """Numbers of names in the order of their first use."""

    def __missing__(self, name: str) -> int:
        return self.setdefault(name, len(self))


def _finish(rows: _Rows) -> Columns:
    size = len(rows.texts)
    elements = np.fromiter(rows.elements, dtype=np.int64, count=len(rows.elements))
    kinds = np.full(size, Kind.TEXT, dtype=np.uint8)
    kinds[elements] = Kind.ELEMENT
    kinds[[*rows.others]] = [*rows.others.values()]
    codes = _Codes()
    tags = np.full(size, -1, dtype=np.int32)
    tags[elements] = [*map(codes.__getitem__, rows.names)]
    namespaces = np.zeros(size, dtype=np.uint8)
    if rows.foreign:
        namespaces[[*rows.foreign]] = [NAMESPACES.index(namespace) for namespace in rows.foreign.values()]
    parents = np.fromiter(rows.parents, dtype=np.int32, count=size)
    ends = subtree_ends(parents)
    if _count_levels(ends) > MAX_DEPTH:
        parents = without_deep_levels(parents)
        ends = subtree_ends(parents)
    columns = Columns(
        kinds=kinds,
        parents=parents,
        tags=tags,
        namespaces=namespaces,
        tag_names=tuple(codes),
        texts=tuple(rows.texts),
        values=dict(rows.values),
    )
    vars(columns)["ends"] = ends  # as the property would find them
    return columns


def _count_levels(ends: NDArray[np.int32]) -> int:
    """Count the levels of a tree; of one whose nodes are not in document order, at least as many as it has.

    >>> _count_levels(np.array([4, 3, 3, 4], dtype=np.int32))
    2
    """
    ended = np.bincount(ends, minlength=len(ends) + 1).cumsum()[:-1]
    return int((np.arange(len(ends)) - ended).max())


def without_deep_levels(parents: NDArray[np.int32], most: int = MAX_DEPTH) -> NDArray[np.int32]:
    """Put nodes below the deepest level beside their parents, as Chromium does; the order of nodes stays.

    >>> without_deep_levels(np.array([-1, 0, 1, 2, 3, 2], dtype=np.int32), most=2).tolist()
    [-1, 0, 1, 1, 1, 1]
    """
    if len(parents) <= most:
        return parents
    depths = (parents >= 0).astype(np.int32)
    above = np.maximum(parents, 0).astype(np.intp)  # NumPy converts other types each time
    while above.any():  # twice as far up each time
        depths += depths[above]
        above = above[above]
    if depths.max() <= most:
        return parents
    last_at_level = np.maximum.accumulate(np.where(depths == most - 1, np.arange(len(parents)), 0))
    return np.where(depths > most, last_at_level, parents).astype(np.int32)


def find_inside(ends: NDArray[np.int32], chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell for each node whether it is chosen or inside a chosen node.

    >>> find_inside(np.array([4, 3, 3, 4], dtype=np.int32), np.array([False, True, False, False])).tolist()
    [False, True, True, False]
    """
    nodes, size = chosen.nonzero()[0], len(chosen) + 1
    changes = np.bincount(nodes, minlength=size) - np.bincount(ends[nodes], minlength=size)
    return changes.cumsum()[:-1] > 0


def are_inside(ends: NDArray[np.int32], nodes: NDArray[np.int64], chosen: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which of a few nodes are chosen or inside a chosen node; the chosen ones are given in document order.

    >>> are_inside(np.array([4, 3, 3, 4], dtype=np.int32), np.array([2, 3]), np.array([1])).tolist()
    [True, False]
    """
    if not len(chosen):
        return np.zeros(len(nodes), dtype=np.bool_)
    reached = np.zeros(len(chosen) + 1, dtype=np.int64)
    np.maximum.accumulate(ends[chosen], out=reached[1:])
    inside: NDArray[np.bool_] = reached[chosen.searchsorted(nodes, side="right")] > nodes
    return inside


def subtree_ends(parents: NDArray[np.int32]) -> NDArray[np.int32]:
    """Find the number after the last descendant of each node.

    >>> subtree_ends(np.array([-1, 0, 1, 0], dtype=np.int32)).tolist()
    [4, 3, 3, 4]
    """
    nodes = np.arange(len(parents))
    last = nodes.copy()
    last[parents[1:]] = nodes[1:]  # the last child wins
    while ((further := last[last]) != last).any():  # the last child, its last child, and so on: twice as far each time
        last = further
    last[0] = len(parents) - 1  # its last child may come before the last node: a comment behind the root, then strays
    return (last + 1).astype(np.int32)
