"""Describe the position of nodes by signatures, tags and class names written like selectors, and find nodes by them.

`div.offer > td[2] > a, h3` lists alternatives, each a path of steps from the outside inwards.  A number in brackets is
the place among siblings of the same tag, from 1; for a cell, that of its column.  `text()` is a text, and `run()` a run
of text with inline markup, up to a block, a link or another field.  `.` is the record itself and `..` the link around
it.  Class names with marks other than letters, digits, `-` and `_` are left out: they mostly say how a thing looks, not
what it is.  `span[itemprop=price]` has that property of schema.org, `div[class=]` has no class.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

from webquarry.html.columns import Kind
from webquarry.html.node_paths import depths_of
from webquarry.html.tables import MAX_WIDTH, read_span
from webquarry.html.urls import Resolver, largest, make_resolver
from webquarry.html.visibility import begins_value
from webquarry.model.document import Document
from webquarry.model.wrapper import FieldRule

TEXT_NODE = "text()"
RUN = "run()"
SELF = "."
HOLDER = ".."

_NAME = re.compile(r"[\w-]+")
_TAG = r"[^\s.#\[\]>,]+"
_STEP = re.compile(rf"({_TAG})(?:#([\w-]+))?((?:\.[\w-]+)*)(\[class=\])?(?:\[itemprop=([\w-]+)\])?(?:\[(\d+)\])?")


@dataclass(frozen=True)
class PathStep:
    """An element on a path: its tag and what identifies it."""

    tag: str
    classes: frozenset[str] = frozenset()
    name: str = ""
    """Its `id`."""
    place: int = 0
    """Number among siblings of its tag, from 1; 0 for any."""
    prop: str = ""
    """Its `itemprop`."""
    is_bare: bool = False
    """Whether it must have no class name, written `[class=]`."""

    def __str__(self) -> str:
        name = f"#{self.name}" if self.name else ""
        bare = "[class=]" if self.is_bare else ""
        prop = f"[itemprop={self.prop}]" if self.prop else ""
        place = f"[{self.place}]" if self.place else ""
        return self.tag + name + "".join(f".{each}" for each in sorted(self.classes)) + bare + prop + place


StepPath = tuple[PathStep, ...]


@lru_cache(maxsize=10_000)
def read_signature(signature: str) -> tuple[StepPath, ...]:
    """Parse the alternatives of a signature; malformed steps are skipped.

    >>> [str(step) for step in read_signature("div.b.a > td[2]")[0]]
    ['div.a.b', 'td[2]']
    >>> read_signature(".")
    ((),)
    """
    return tuple(_read_path(each.strip()) for each in signature.split(",") if each.strip())


def _read_path(path: str) -> StepPath:
    if path == SELF:
        return ()
    if path == HOLDER:
        return (PathStep(HOLDER),)
    matches = (_STEP.fullmatch(step.strip()) for step in path.split(">"))
    return tuple(
        PathStep(
            match[1],
            frozenset(filter(None, match[3].split("."))),
            match[2] or "",
            int(match[6] or 0),
            match[5] or "",
            bool(match[4]),
        )
        for match in matches
        if match
    )


def write_signature(paths: Iterable[StepPath]) -> str:
    """Write alternatives as a signature.

    >>> write_signature([(PathStep("h3"), PathStep("a", frozenset(["title"]))), ()])
    'h3 > a.title, .'
    """
    return ", ".join(" > ".join(map(str, path)) or SELF for path in paths)


def plain_names(written: str) -> frozenset[str]:
    """Return the class names of an attribute that a signature can contain.

    >>> sorted(plain_names("card md:flex odd"))
    ['card', 'odd']
    """
    return frozenset(name for name in written.split() if _NAME.fullmatch(name))


@lru_cache(maxsize=10_000)
def is_plain(tag: str) -> bool:
    """Tell whether a signature can contain a tag."""
    return re.fullmatch(_TAG, tag) is not None


def is_name(text: str) -> bool:
    """Tell whether a signature can contain an `id`."""
    return _NAME.fullmatch(text) is not None


def tags_of(path: StepPath) -> tuple[str, ...]:
    """Return the tags of a path."""
    return tuple(step.tag for step in path)


def share_path(paths: Sequence[StepPath]) -> StepPath:
    """Keep what paths of the same tags have in common.

    >>> str(share_path([(PathStep("li", frozenset(["item", "odd"])),), (PathStep("li", frozenset(["item"])),)])[0])
    'li.item'
    """
    shared = []
    for steps in zip(*paths, strict=True):
        first = steps[0]
        classes = frozenset[str].intersection(*(step.classes for step in steps))
        is_same_place = all(step.place == first.place for step in steps)
        name = first.name if all(step.name == first.name for step in steps) else ""
        prop = first.prop if all(step.prop == first.prop for step in steps) else ""
        place = first.place if is_same_place else 0
        shared.append(replace(first, classes=classes, name=name, prop=prop, place=place))
    return tuple(shared)


CELLS = frozenset(["td", "th"])
_IMAGE_TAGS = frozenset(["img", "source"])
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr output q rp rt ruby s "
    "samp small span strike strong sub sup time tt u var wbr".split()
)
MAX_STEPS = 64
"""Steps of a path. Pages that a browser nests 512 deep would give each of their nodes a path of that length."""
LINE_EDGES = " |·•,;/\\»«\u203a\u2039→—\u2013-"
"""Separators that do not belong to a text where its line continues beside it."""


@dataclass(eq=False)
class Texts:
    """The texts of a page in order, and whether there is space before each."""

    texts: list[str] = field(default_factory=list)
    gaps: list[bool] = field(default_factory=list)
    _joined: dict[tuple[int, int], str] = field(default_factory=dict)
    _line: str = ""
    _starts: list[int] = field(default_factory=list)
    """All texts on one line, without double spaces, and where in it each starts, with the space before it; made when
    several are joined."""

    def add(self, text: str, *, gap: bool) -> None:
        """Add the next text."""
        self.texts.append(text)
        self.gaps.append(gap)

    def begins_value(self, text: str) -> bool:
        """Tell whether the next text is a value of its own, though nothing separates it from the last one."""
        return bool(self.texts) and begins_value(self.texts[-1], text)

    def is_apart(self, place: int) -> bool:
        """Tell whether there is space before a text."""
        return (
            self.gaps[place] or self.texts[place][:1].isspace() or (place > 0 and self.texts[place - 1][-1:].isspace())
        )

    def join(self, start: int, stop: int) -> str:
        """Join the texts from one number to before another on one line."""
        if stop == start + 1:
            return " ".join(self.texts[start].split())
        if len(self._starts) != len(self.texts) + 1:
            self._write_line()
        found = self._joined.get((start, stop))
        if found is None:  # every rule asks for the same, which may be a page's whole text
            found = self._joined[start, stop] = self._line[self._starts[start] : self._starts[stop]].strip()
        return found

    def _write_line(self) -> None:
        """Write all texts on one line: elements in each other hold the same ones again and again."""
        parts: list[str] = []
        is_apart = False  # from the text before
        for text, gap in zip(self.texts, self.gaps, strict=True):
            words = " ".join(text.split())
            is_apart |= gap or text[:1].isspace()
            if not words:
                parts.append("")
                continue
            parts.append(f" {words}" if is_apart else words)
            is_apart = text[-1].isspace()
        self._line, self._starts = "".join(parts), [0, *accumulate(map(len, parts))]


class View:
    """A document as plain lists, which are quick to look up node by node, and its nodes that are not read."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.tags: list[int] = document.tags.tolist()
        self.parents: list[int] = document.parents.tolist()
        self.ends: list[int] = document.ends.tolist()
        self.texts = document.texts
        self.attributes = document.attributes
        names = document.tag_names
        self.names = [*names, ""]  # other nodes have the tag -1
        self.is_inline = [*(name in _INLINE for name in names), True]
        self.unread: list[bool] = document.hidden.tolist()
        kinds = document.kinds
        self.is_text: list[bool] = (kinds == Kind.TEXT).tolist()
        self._classes: dict[str, frozenset[str]] = {}
        self._places: dict[int, int] = {}
        self._texts: Texts | None = None

    @cached_property
    def resolve(self) -> Resolver:
        """Resolves addresses as written to absolute ones."""
        return make_resolver(self.document)

    def name(self, node: int) -> str:
        """Return the tag of a node, or `text()`; empty for other nodes."""
        return TEXT_NODE if self.is_text[node] else self.names[self.tags[node]]

    def classes(self, node: int) -> frozenset[str]:
        """Return the class names of an element."""
        written = self.attributes[node].get("class", "") if self.attributes[node] else ""
        if written not in self._classes:
            self._classes[written] = plain_names(written)
        return self._classes[written]

    def children(self, node: int) -> Iterable[int]:
        """List the children of a node."""
        child, stop = node + 1, self.ends[node]
        while child < stop:
            yield child
            child = self.ends[child]

    def place(self, node: int) -> int:
        """Return the number of a node among siblings of its tag, from 1; for a cell, that of its column."""
        if node not in self._places:
            self._count(self.parents[node])
        return self._places[node]

    def _count(self, parent: int) -> None:
        """Number all children of an element at once: a list may have thousands."""
        counts = Counter[str]()
        column = 1
        for child in self.children(parent):
            name = self.name(child)
            counts[name] += 1
            self._places[child] = column if name in CELLS else counts[name]
            if name in CELLS:
                column += read_span(self.attributes[child].get("colspan", "1"), MAX_WIDTH) or 1

    def path(self, node: int, top: int, *, placed: bool = False) -> StepPath | None:
        """Return the steps from below `top` to a node, cells with their places.

        None if a tag cannot be written, or for more than `MAX_STEPS`.
        """
        if self._depths[node] - self._depths[top] > MAX_STEPS:
            return None
        steps: list[PathStep] = []
        while node > top:
            name = self.name(node)
            if not is_plain(name):
                return None
            place = self.place(node) if placed or name in CELLS else 0
            steps.append(PathStep(name, self.classes(node), place=place))
            node = self.parents[node]
        return tuple(reversed(steps)) if node == top else None

    @cached_property
    def _depths(self) -> list[int]:
        depths: list[int] = depths_of(self.document.ends).tolist()
        return depths

    def fits(self, path: StepPath, node: int) -> bool:
        """Tell whether a node with the tags of a path has the names and places of its steps."""
        for step in reversed(path):
            if not self.fits_step(step, node):
                return False
            node = self.parents[node]
        return True

    def fits_step(self, step: PathStep, node: int) -> bool:
        """Tell whether a node with the tag of a step has its class names, place and `id`."""
        if step.classes and not step.classes <= self.classes(node):
            return False
        if step.place and step.place != self.place(node):
            return False
        own = self.attributes[node]
        if (step.prop and own.get("itemprop") != step.prop) or (step.is_bare and own.get("class")):
            return False
        return not step.name or self.attributes[node].get("id") == step.name

    def leave_out(self, nodes: Iterable[int]) -> None:
        """Leave nodes unread."""
        for node in nodes:
            self.unread[node] = True
        self._texts = None

    def text(self, first: int, stop: int | None = None) -> str:
        """Return the text of a node, or of all nodes from it to before another, on one line.

        Separators at its ends are left out if they are apart from it, or if the line continues beside it.
        """
        stop = self.ends[first] if stop is None else stop
        text = self.written(first, stop)
        if text and text[0] in LINE_EDGES and (text[1:2] == " " or self._goes_on(first, range(first - 1, 0, -1))):
            text = text.lstrip(LINE_EDGES)
        if (
            text
            and text[-1] in LINE_EDGES
            and (text[-2:-1] == " " or self._goes_on(first, range(stop, len(self.tags))))
        ):
            text = text.rstrip(LINE_EDGES)
        return text

    def written(self, first: int, stop: int) -> str:
        """Return the text of all nodes from one to before another, with separators at its ends."""
        if self._texts is None:
            self._texts = self._list_texts()
        return self._texts.join(first, stop)

    def _list_texts(self) -> Texts:
        """List the text of each node, empty for others than texts; there is space at the ends of blocks."""
        texts, read_from, breaks = Texts(), 0, set[int]()
        for node, is_unread in enumerate(self.unread):
            gap, text = node in breaks, ""
            if is_unread or node < read_from:
                read_from = max(read_from, self.ends[node])
            elif self.is_text[node]:
                text = self.texts[node]
            elif not self.is_inline[self.tags[node]]:
                gap = True
                breaks.add(self.ends[node])
            texts.add(text, gap=gap)
        return texts

    def _goes_on(self, first: int, beside: Iterable[int]) -> bool:
        """Tell by tags whether the nearest text among the nodes beside a run shares its line."""
        if not self.is_inline[self.tags[first]]:
            return False
        for node in beside:
            if not self.is_inline[self.tags[node]]:
                return False
            if self.is_text[node] and not self.unread[node] and not self.texts[node].isspace():
                earlier, later = min(first, node), max(first, node)
                return all(self.is_inline[self.tags[each]] for each in self._closed(earlier, later))
        return False

    def _closed(self, node: int, before: int) -> Iterator[int]:
        """List the elements around a node that end before another."""
        node = self.parents[node]
        while node > 0 and self.ends[node] <= before:
            yield node
            node = self.parents[node]

    def image_address(self, node: int, names: str) -> str | None:
        """Return the address of the image that an element is, or else holds."""
        inside = (each for each in range(node, self.ends[node]) if each == node or self.name(each) in _IMAGE_TAGS)
        return next((found for each in inside if (found := self.address(each, names)) is not None), None)

    def address(self, node: int, names: str) -> str | None:
        """Return the absolute address in the first of the named attributes that has one."""
        own = self.attributes[node]
        for name in names.split():
            if name in own and (found := self.resolve(largest(own[name]))) is not None:
                return found
        return None


Span = tuple[int, int]
"""A first node, and the number after the last."""


@dataclass(frozen=True, eq=False)
class Record:
    """The nodes of a record on a page."""

    view: View
    span: Span
    is_whole: bool
    """True if it is one element; paths start below that then, else below the element around it."""

    @property
    def first(self) -> int:
        """The first node."""
        return self.span[0]

    @property
    def top(self) -> int:
        """The element that paths start below."""
        return self.first if self.is_whole else self.view.parents[self.first]

    @property
    def text(self) -> str:
        """Its text on one line."""
        return self.view.text(*self.span)


RuleKey = tuple[int, int]
"""A rule and an alternative of its signature, by number."""
Matches = dict[RuleKey, list[Span]]
"""The matches of each, in document order."""


class Claim(NamedTuple):
    """A rule whose signature ends at a branch."""

    key: RuleKey
    is_attribute: bool
    """Whether it reads an attribute."""
    names: int
    """Class names on the path."""


@dataclass(eq=False, slots=True)
class Branch:
    """A node of the tree of all signatures: steps that continue here by tag, and rules that end here."""

    below: dict[str, list[tuple[PathStep, Branch]]] = field(default_factory=dict)
    ends: list[Claim] = field(default_factory=list)

    def plant(self, key: RuleKey, path: StepPath, *, is_attribute: bool = False) -> None:
        """Add a path of a rule."""
        branch = self
        for step in path:
            steps = branch.below.setdefault(step.tag, [])
            found = next((inner for known, inner in steps if known == step), None)
            if found is None:
                found = Branch()
                steps.append((step, found))
            branch = found
        branch.ends.append(Claim(key, is_attribute, sum(len(step.classes) for step in path)))


class Matcher:
    """Finds the nodes that the signatures of all rules name, in one walk over a record."""

    def __init__(self, rules: Sequence[FieldRule]) -> None:
        learnt = [number for number, rule in enumerate(rules) if not rule.by_example]
        alone = [[number] for number, rule in enumerate(rules) if rule.by_example]
        self._roots = [_plant({number: rules[number] for number in numbers}) for numbers in (learnt, *alone)]
        self._holders = [
            (number, place)
            for number, rule in enumerate(rules)
            for place, path in enumerate(read_signature(rule.signature))
            if path and path[0].tag == HOLDER
        ]

    def find(self, record: Record) -> Matches:
        """Find the nodes of a record.

        A node that several rules match goes to the most specific: a rule for `span` leaves `span.old` to the rule for
        that.  Rules that were added by an example take no part in that.
        """
        found: Matches = {}
        for root in self._roots:
            found |= _walk(root, record)
        if self._holders and (link := _holder(record.view, record.first)):
            found |= {each: [(link, record.view.ends[link])] for each in self._holders}
        return found


def mark_unread(signatures: Sequence[str], records: Iterable[Record]) -> None:
    """Mark the nodes of records that signatures name as unread."""
    root = _plant({number: FieldRule("", signature=text) for number, text in enumerate(signatures)})
    for record in records if signatures else ():
        record.view.leave_out(node for matches in _walk(root, record).values() for node, _ in matches)


def _plant(rules: Mapping[int, FieldRule]) -> Branch:
    root = Branch()
    for number, rule in rules.items():
        for place, path in enumerate(read_signature(rule.signature)):
            root.plant((number, place), path, is_attribute=bool(rule.attribute))
    return root


def _walk(root: Branch, record: Record) -> Matches:
    view, (first, stop) = record.view, record.span
    found: Matches = {}
    here = [root]
    if record.is_whole:
        _claim(here, (first, stop), found)
        _claim_runs(here, view, first, found)
    around = [(stop, here)]
    node = first + record.is_whole
    ends, unread, name, fits = view.ends, view.unread, view.name, view.fits_step
    while node < stop:
        while node >= around[-1][0]:
            around.pop()
        if not unread[node]:
            tag = name(node)
            here = [inner for branch in around[-1][1] for step, inner in branch.below.get(tag, ()) if fits(step, node)]
            if here and not (tag == TEXT_NODE and view.texts[node].isspace()):
                _claim(here, (node, ends[node]), found)
                if any(branch.below for branch in here):
                    _claim_runs(here, view, node, found)
                    around.append((ends[node], here))
                    node += 1
                    continue
        node = ends[node]
    return found


def _claim(branches: Sequence[Branch], span: Span, found: Matches) -> None:
    """Give a match to the rules that end there with most class names, for texts and attributes separately."""
    claims = [claim for branch in branches for claim in branch.ends]
    for kind in (False, True) if claims else ():
        same = [claim for claim in claims if claim.is_attribute is kind]
        most = max((claim.names for claim in same), default=0)
        for claim in same:
            if claim.names == most:
                found.setdefault(claim.key, []).append(span)


def _claim_runs(branches: Sequence[Branch], view: View, node: int, found: Matches) -> None:
    ending = [inner for branch in branches for _, inner in branch.below.get(RUN, ())]
    if ending:
        for span in find_runs(view, node, {tag for branch in branches for tag in branch.below}):
            _claim(ending, span, found)


def find_runs(view: View, node: int, apart: Collection[str] = ()) -> Iterator[Span]:
    """Find the runs of text directly within an element; elements with the tags `apart` end them."""
    first = last = -1
    for child in view.children(node):
        name = view.name(child)
        is_blank = view.is_text[child] and view.texts[child].isspace()
        if view.unread[child] or is_blank or not name or (first >= 0 and name == "br"):
            continue
        goes_on = view.is_text[child] or (view.is_inline[view.tags[child]] and name != "a" and name not in apart)
        if goes_on:
            first, last = (child if first < 0 else first), child
        elif first >= 0:
            yield first, view.ends[last]
            first = -1
    if first >= 0:
        yield first, view.ends[last]


def _holder(view: View, first: int) -> int:
    """Find the innermost link around a record; 0 without one."""
    node = view.parents[first]
    while node > 0 and view.name(node) != "a":
        node = view.parents[node]
    return max(node, 0)
