"""What a reader sees of a page as far as the markup alone tells: which nodes, and their text.

Style sheets are not read: a rendered document knows better.  What is hidden by a class name is
therefore taken as visible.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import NO_ATTRIBUTES, Attributes, Columns, Kind, find_inside

UNSEEN = frozenset(
    "audio base canvas datalist desc dialog head iframe link meta metadata noembed noframes param rp script source "
    "style template title track video".split()
)
BLOCKS = frozenset(
    "address article aside blockquote body center dd details dir div dl dt fieldset figcaption figure footer form "
    "frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search section "
    "summary table tbody tfoot thead tr ul".split()
)
BREAKING = BLOCKS | {"br"}
CELLS = frozenset(["td", "th"])
HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
PREFORMATTED = frozenset("listing plaintext pre textarea xmp".split())
_BY_OTHERS = frozenset(["dialog", "input"])
"""Elements that other attributes than `hidden` and `style` hide or show."""
_WHOLES = frozenset(["html", "body"])
"""What a page hides only until its scripts have run: nothing of it would ever be seen."""
_PANELS = frozenset(["tabpanel", "region"])
"""ARIA roles of what a click on a tab, or on the head of an accordion, shows: as the content of details is."""
_STREAMED = re.compile(r"(?:.*-)?S:[0-9a-f]+")
"""Ids of what React sends behind the page, for its script to put in place (react-dom's server, since version 18)."""
_NOT_DISPLAYED = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NO_CONTENT = ~np.isin(np.arange(max(Kind) + 1), (Kind.ELEMENT, Kind.TEXT, Kind.DOCUMENT))
"""By the numbers of the kinds."""
SPACE = re.compile(r"[ \t\n\r\x0c]+")


def find_hidden(columns: Columns, ends: NDArray[np.int32]) -> NDArray[np.bool_]:
    """For each node whether it, or an element that holds it, is not shown."""
    names, tags = columns.tag_names, columns.tags
    are_unseen, are_by_others = (
        np.frombuffer(bytes([*map(each.__contains__, names), False]), dtype=np.bool_) for each in (UNSEEN, _BY_OTHERS)
    )
    unseen = are_unseen.take(tags)  # of int32 quicker than by brackets
    for node, own in enumerate(columns.attributes):
        if own is not NO_ATTRIBUTES and ("style" in own or "hidden" in own):
            unseen[node] |= is_hidden(names[tags[node]], own) and not _holds_panel(columns, node)
    for node in are_by_others.take(tags).nonzero()[0].tolist():
        unseen[node] = is_hidden(names[tags[node]], columns.attributes[node])
    return find_inside(ends, unseen) | _NO_CONTENT[columns.kinds]


def _holds_panel(columns: Columns, node: int) -> bool:
    """Whether an element is there to fold a panel away, which is its first child."""
    child = node + 1
    if child < len(columns.texts) and columns.texts[child].isspace():
        child += 1
    is_child = child < len(columns.parents) and columns.parents[child] == node
    return is_child and columns.attributes[child].get("role") in _PANELS


def visible_text(columns: Columns, hidden: NDArray[np.bool_], ends: NDArray[np.int32], start: int, stop: int) -> str:
    """The text of the nodes from one to before another, as a reader sees it.

    Blocks begin a new line, cells are parted by a tab, white space is folded except where it is
    preformatted.
    """
    lines = _Lines()
    open_elements: list[int] = []
    parents = columns.parents[start:stop].tolist()
    node = start
    while node < stop:
        if hidden[node]:
            if columns.kinds[node] == Kind.TEXT and columns.texts[node].isspace():
                lines.write(columns.texts[node])  # a space at the end of a line has no box, and yet parts two words
            node = int(ends[node])
            continue
        while open_elements and open_elements[-1] != parents[node - start]:
            lines.close(columns.tag_names[columns.tags[open_elements.pop()]])
        if columns.tags[node] >= 0:
            lines.open(columns.tag_names[columns.tags[node]])
            open_elements.append(node)
        elif columns.kinds[node] == Kind.TEXT:
            lines.write(columns.texts[node])
        node += 1
    return "".join(lines.parts)


class _Lines:
    """Text as it is laid out, line below line."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._gap = ""  # what parts the next word from the last one, the strongest asked for
        self._preformatted = 0

    def open(self, tag: str) -> None:
        self._part(tag, before=True)
        self._preformatted += tag in PREFORMATTED

    def close(self, tag: str) -> None:
        self._part(tag, before=False)
        self._preformatted -= tag in PREFORMATTED

    def write(self, text: str) -> None:
        if self._preformatted:
            self._put(text)
            return
        words = SPACE.sub(" ", text)
        if words.startswith(" "):
            self._gap = self._gap or " "
        if stripped := words.strip(" "):
            self._put(stripped)
            self._gap = " " if words.endswith(" ") else ""

    def _part(self, tag: str, *, before: bool) -> None:
        if tag in BREAKING:
            self._gap = "\n"
        elif before and tag in CELLS and self._gap != "\n":
            self._gap = "\t"

    def _put(self, text: str) -> None:
        self.parts += [self._gap, text] if self.parts else [text]
        self._gap = ""


def is_hidden(tag: str, attributes: Attributes) -> bool:
    """Whether an element is not shown by itself."""
    if tag in UNSEEN and not (tag == "dialog" and "open" in attributes):
        return True
    return _is_said_hidden(tag, attributes) and not _is_shown_later(tag, attributes)


def _is_said_hidden(tag: str, attributes: Attributes) -> bool:
    if "hidden" in attributes and attributes["hidden"].lower() != "until-found":
        return True
    if tag == "input" and attributes.get("type", "").lower() == "hidden":
        return True
    style = attributes.get("style", "")
    words = style.lower()  # quicker than the expression, and most styles hide nothing
    return ("none" in words or "hidden" in words) and _NOT_DISPLAYED.search(style) is not None


def _is_shown_later(tag: str, attributes: Attributes) -> bool:
    """Whether a script shows an element, or a click does."""
    if tag in _WHOLES or attributes.get("role") in _PANELS:
        return True
    return "id" in attributes and _STREAMED.fullmatch(attributes["id"]) is not None


# MERGED html/chosen_texts: Some texts of a page as a reader would see them if no others stood there.
# MERGED
# MERGED What `visibility.visible_text` finds node by node is found here for all gaps at once: articles are m
# MERGED large pages.
Numbers = NDArray[np.int64]

_NOTHING, _SPACE, _TAB, _LINE = range(4)
_WRITTEN = ("", " ", "\t", "\n")
"""What parts two texts, the weakest first."""


def text_of(columns: Columns, hidden: NDArray[np.bool_], ends: NDArray[np.int32], nodes: NDArray[np.int32]) -> str:
    """The texts at some nodes, in document order.  What stands between two of them parts them still."""
    if not len(nodes):
        return ""
    texts = columns.texts
    pieces: list[str] = []
    before, is_spaced, was_raw = -1, False, False
    gaps, raw = _gaps(columns, hidden, ends, nodes), _are_raw(columns, ends, nodes)
    for node, gap, is_raw in zip(nodes.tolist(), gaps, raw, strict=True):
        words = texts[node] if is_raw else _fold(texts[node])
        if is_raw and was_raw and gap != "\n":
            pieces += filter(str.isspace, texts[before + 1 : node])
        elif pieces and (gap or is_spaced or (not is_raw and words.startswith(" "))):
            pieces.append(gap or " ")
        pieces.append(words if is_raw else words.strip(" "))
        before, is_spaced, was_raw = node, not is_raw and words.endswith(" "), is_raw
    return "".join(pieces)


def _fold(text: str) -> str:
    """A text with one space for each run of white space: in most texts there is nothing to change."""
    if "  " in text or "\n" in text or "\t" in text or "\r" in text or "\x0c" in text:
        return SPACE.sub(" ", text)
    return text


def _are_raw(columns: Columns, ends: NDArray[np.int32], nodes: NDArray[np.int32]) -> list[bool]:
    """For each text whether its white space is kept."""
    if PREFORMATTED.isdisjoint(columns.tag_names):
        return [False] * len(nodes)
    raw: list[bool] = find_inside(ends, _have(columns, PREFORMATTED))[nodes].tolist()
    return raw


def _have(columns: Columns, names: frozenset[str], size: int | None = None) -> NDArray[np.bool_]:
    """For each node, or each of the first ones, whether it is an element of one of the names."""
    chosen = bytes([*map(names.__contains__, columns.tag_names), False])
    return np.frombuffer(chosen, dtype=np.bool_).take(columns.tags[:size])  # of int32 quicker than by brackets


def _gaps(columns: Columns, hidden: NDArray[np.bool_], ends: NDArray[np.int32], nodes: NDArray[np.int32]) -> list[str]:
    """What parts each text from the one before it, by what stands between."""
    seen, size = ~hidden, int(nodes[-1]) + 1  # what comes behind the last text parts nothing
    first, second = nodes[:-1], nodes[1:]
    breaking = (_have(columns, BREAKING, size) & seen[:size]).nonzero()[0]
    bounds = np.bincount(ends[breaking], minlength=size)  # where one is closed, and where one is opened
    bounds[breaking] += 1
    breaks = _between(bounds, first, second) > 0
    texts = (columns.kinds[:size] == int(Kind.TEXT)) & seen[columns.parents[:size]]
    parted = _between(texts, first, second) > 1  # the second is one of them itself
    gaps = np.where(parted, np.uint8(_SPACE), np.uint8(_NOTHING))
    if not CELLS.isdisjoint(columns.tag_names):
        gaps[_between(_have(columns, CELLS, size) & seen[:size], first, second) > 0] = _TAB
    gaps[breaks] = _LINE
    return ["", *map(_WRITTEN.__getitem__, gaps.tolist())]


def _between(counted: NDArray[np.bool_] | Numbers, first: NDArray[np.int32], second: NDArray[np.int32]) -> Numbers:
    """The sum of what stands behind the first up to the second."""
    running = counted.cumsum(dtype=np.int64)
    difference: Numbers = running[second] - running[first]
    return difference
