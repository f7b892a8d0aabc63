"""Find the hidden nodes of a page by its markup, and read the text of the others.

Style sheets are not read, so what a class hides counts as visible, except text that an established class name keeps
for screen readers; a rendered document knows better.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Attributes, Columns, Kind, find_inside

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
PREFORMATTED = frozenset("listing plaintext pre textarea xmp".split())
_BY_OTHERS = frozenset(["dialog", "input"])
"""Elements that attributes other than `hidden` and `style` hide or show."""
_HIDING = ("hidden", "id", "open", "role", "style", "type")
"""Attributes that tell whether an element hides itself."""
_WHOLES = frozenset(["html", "body"])
"""Elements that a page hides only until its scripts have run."""
_PANELS = frozenset(["tabpanel", "region"])
"""ARIA roles of panels that a click on a tab or on the head of an accordion shows; they count as visible."""
_STREAMED = re.compile(r"(?:.*-)?S:[0-9a-f]+")
"""Ids of parts that React sends after the page for its script to insert (react-dom since version 18)."""
_FOR_SCREEN_READERS = re.compile(
    r"(?:^|[-_\s])(?<!\btag[-_])(?<!\bcategory[-_])(?<!\btopic[-_])(?:sr-?only|show-for-sr|clipped|element-invisible"
    r"|(?:visually|accessibly)-?hidden|hide-?visually|hidden-?visually"
    r"|screen-?reader(?:s|-?only|-?text)?)(?:-focusable)?(?:$|[-_]{2}|\s)",
    re.IGNORECASE,
)
"""Established class names of text that only screen readers read aloud.  Publishing systems also name articles after
their subjects, as in `tag-screen-reader`."""
_PARTS_FOR_SCREEN_READERS = (
    "sr-only sronly for-sr clipped element-invisible visually accessibly screen-reader screenreader".split()
)
"""Parts of these names, of which each has one."""
_NOT_FOR_THEM = "not-sr-only"
_MOVED_AWAY = re.compile(
    r"clip\s*:\s*rect\(\s*(?:0|1px)(?:px)?[\s,]+(?:0|1px)(?:px)?[\s,]+(?:0|1px)(?:px)?[\s,]+(?:0|1px)(?:px)?\s*\)"
    r"|clip-path\s*:\s*inset\(\s*(?:50|100)%\s*\)|(?:left|top|text-indent)\s*:\s*-\d{4,}px",
    re.IGNORECASE,
)
"""Styles of text for screen readers: nothing of it is left, or it is far from the page."""
_ANIMATED = re.compile(r"(?<![\w-])animation(?:-name)?\s*:", re.IGNORECASE)
"""Declarations of elements that scroll-reveal scripts keep hidden until their animation starts."""
_MAIN_SHARE = 0.8  # of the characters of a page, in an element that a script shows; as in a rendered page
_MIN_MAIN_LENGTH = 200  # characters of it
_MAX_SUMMED = 100  # elements that are measured one by one, which is quicker for few
_NOT_DISPLAYED = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_VEILED = re.compile(r"visibility\s*:\s*hidden", re.IGNORECASE)
_NO_CONTENT = ~np.isin(np.arange(Kind.DOCTYPE + 1), (Kind.ELEMENT, Kind.TEXT, Kind.DOCUMENT))
"""By kind of node."""
SPACE = re.compile(r"[ \t\n\r\x0c]+")


def find_hidden(columns: Columns, ends: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Tell for each node whether it or an ancestor is hidden."""
    names, tags = columns.tag_names, columns.tags
    unseen = columns.has_tag(UNSEEN)
    own = _attribute_reader(columns)
    styled = [node for node, style in columns.values_of("style").items() if _may_hide(style.lower())]
    suspects = sorted({*styled, *columns.values_of("hidden")})
    hidden = [
        node for node, tag in zip(suspects, tags[suspects].tolist(), strict=True) if is_hidden(names[tag], own(node))
    ]
    marked = [node for node in hidden if not (unseen[node] or _holds_panel(columns, node))]
    classes = columns.values_of("class")
    read_aloud = _choose_for_screen_readers(classes.values())
    if read_aloud:
        unseen[[*{node for node, each in classes.items() if each in read_aloud}.difference(hidden)]] = True
    types, others = columns.values_of("type"), columns.has_tag(_BY_OTHERS).nonzero()[0]
    may_be = {*suspects, *(node for node, kind in types.items() if kind.lower() == "hidden")}
    unseen[others] = [
        (node in may_be or names[tag] == "dialog") and is_hidden(names[tag], own(node))
        for node, tag in zip(others.tolist(), tags[others].tolist(), strict=True)
    ]
    if marked:
        unseen[_without_main_parts(columns, ends, unseen, marked)] = True
    return find_inside(ends, unseen) | _NO_CONTENT[columns.kinds]


def _attribute_reader(columns: Columns) -> Callable[[int], Attributes]:
    """Return a function that reads the attributes of a node by which `is_hidden` decides."""
    named = [(name, values) for name in _HIDING if (values := columns.values_of(name))]
    return lambda node: {name: values[node] for name, values in named if node in values}


def _without_main_parts(
    columns: Columns, ends: NDArray[np.int32], unseen: NDArray[np.bool_], marked: list[int]
) -> list[int]:
    """Leave out marked elements that hold most of the page: scripts show them."""
    texts = columns.texts
    if len(marked) <= _MAX_SUMMED and all(
        sum(map(len, texts[node : ends[node]])) <= _MIN_MAIN_LENGTH for node in marked
    ):
        return marked
    nodes = ((columns.kinds == Kind.TEXT) & ~find_inside(ends, unseen)).nonzero()[0]
    before = np.zeros(len(columns.texts) + 1, dtype=np.int64)
    # white space and all, which is quick and near enough
    before[nodes + 1] = [*map(len, map(columns.texts.__getitem__, nodes.tolist()))]
    before = before.cumsum()
    most = max(_MAIN_SHARE * before[-1], _MIN_MAIN_LENGTH)
    return [node for node in marked if before[ends[node]] - before[node] <= most]


def _choose_for_screen_readers(classes: Collection[str]) -> set[str]:
    """Choose the class names for screen readers; looking through all of them at once for their parts is quicker."""
    lowered = "\n".join(classes).lower()
    parts = [part for part in _PARTS_FOR_SCREEN_READERS if part in lowered]
    may_be = {names for names in {*classes} for part in parts if part in names.lower()} if parts else ()
    return set(filter(is_for_screen_readers, may_be))


@lru_cache(maxsize=16_384)  # a hundred pages of different sites have as many
def is_for_screen_readers(classes: str) -> bool:
    """Tell whether class names say that only screen readers read a text aloud.

    >>> [is_for_screen_readers(names) for names in ("sr-only", "price u-visually-hidden", "sr-only not-sr-only")]
    [True, True, False]
    """
    lowered = classes.lower()
    return (
        any(part in lowered for part in _PARTS_FOR_SCREEN_READERS)  # quicker than the expression
        and _FOR_SCREEN_READERS.search(classes) is not None
        and _NOT_FOR_THEM not in classes
    )


def _holds_panel(columns: Columns, node: int) -> bool:
    """Tell whether an element folds away a panel, its first child."""
    child = node + 1
    if child < len(columns.texts) and columns.texts[child].isspace():
        child += 1
    is_child = child < len(columns.parents) and columns.parents[child] == node
    return is_child and columns.values_of("role").get(child) in _PANELS


def visible_text(columns: Columns, hidden: NDArray[np.bool_], ends: NDArray[np.int32], start: int, stop: int) -> str:
    """Read the visible text from one node to before another.

    Blocks begin a new line, cells are separated by a tab, and white space is folded unless it is preformatted.
    """
    lines = _Lines()
    names, texts = columns.tag_names, columns.texts
    here = slice(start, stop)  # lists are quicker to read one by one than arrays
    parents, tags, stops = columns.parents[here].tolist(), columns.tags[here].tolist(), ends[here].tolist()
    unseen, is_text = hidden[here].tolist(), (columns.kinds[here] == Kind.TEXT).tolist()
    open_elements: list[int] = []
    node = start
    while node < stop:
        place = node - start
        if unseen[place]:
            if is_text[place] and texts[node].isspace():
                lines.write(texts[node])  # a space at the end of a line has no box, and yet separates two words
            node = stops[place]
            continue
        while open_elements and open_elements[-1] != parents[place]:
            lines.close(names[tags[open_elements.pop() - start]])
        if tags[place] >= 0:
            lines.open(names[tags[place]])
            open_elements.append(node)
        elif is_text[place]:
            lines.write(texts[node])
        node += 1
    return "".join(lines.parts)


class _Lines:
    """Text laid out in lines."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._gap = ""  # the strongest separator before the next word
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
    """Tell whether an element hides itself."""
    if tag in UNSEEN and not (tag == "dialog" and "open" in attributes):
        return True
    return _is_marked_hidden(tag, attributes) and not _is_shown_later(tag, attributes)


def _is_marked_hidden(tag: str, attributes: Attributes) -> bool:
    if "hidden" in attributes and attributes["hidden"].lower() != "until-found":
        return True
    if tag == "input" and attributes.get("type", "").lower() == "hidden":
        return True
    style = attributes.get("style", "")
    words = style.lower()
    if not _may_hide(words):
        return False
    if "none" in words and _NOT_DISPLAYED.search(style):
        return True
    if "hidden" in words and _VEILED.search(style):
        return _ANIMATED.search(style) is None
    return _MOVED_AWAY.search(style) is not None


def _may_hide(style: str) -> bool:
    """Tell whether a style, in lower case, has a word of those that hide; quicker than the expressions."""
    return "none" in style or "hidden" in style or "clip" in style or ":-" in style or ": -" in style


def _is_shown_later(tag: str, attributes: Attributes) -> bool:
    """Tell whether a script or a click shows an element."""
    if tag in _WHOLES or attributes.get("role") in _PANELS:
        return True
    return "id" in attributes and _STREAMED.fullmatch(attributes["id"]) is not None


Numbers = NDArray[np.int64]

_NOTHING, _SPACE, _TAB, _LINE = range(4)
_WRITTEN = ("", " ", "\t", "\n")
"""Separators of texts, the weakest first."""


def text_of(columns: Columns, hidden: NDArray[np.bool_], ends: NDArray[np.int32], nodes: NDArray[np.int32]) -> str:
    """Read the texts at some nodes, in document order; what is between two of them still separates them.

    The separators that `visible_text` finds node by node are computed for all texts at once, for long articles.
    """
    if not len(nodes):
        return ""
    gaps, raw = _gaps(columns, hidden, ends, nodes), _are_raw(columns, ends, nodes)
    return _join_texts(columns.texts, zip(nodes.tolist(), gaps, raw, strict=True))


def lines_of(
    columns: Columns, hidden: NDArray[np.bool_], ends: NDArray[np.int32], nodes: NDArray[np.int32]
) -> list[tuple[list[int], str]]:
    """Read the lines of the text at some nodes, each with its nodes; a preformatted text is one line."""
    if not len(nodes):
        return []
    gaps, raw = _gaps(columns, hidden, ends, nodes), _are_raw(columns, ends, nodes)
    written = list(zip(nodes.tolist(), gaps, raw, strict=True))
    starts = [place for place, gap in enumerate(gaps) if not place or gap == "\n"]
    lines = [written[start:stop] for start, stop in pairwise([*starts, len(written)])]
    return [([node for node, _, _ in line], _join_texts(columns.texts, line)) for line in lines]


def _join_texts(texts: Sequence[str], written: Iterable[tuple[int, str, bool]]) -> str:
    """Join texts, given by node, what separates each from the one before, and whether it is preformatted."""
    pieces: list[str] = []
    before, is_spaced, was_raw = -1, False, False
    for node, gap, is_raw in written:
        words = texts[node] if is_raw else _fold(texts[node])
        if is_raw and was_raw and gap != "\n":
            pieces += filter(str.isspace, map(texts.__getitem__, range(before + 1, node)))
        elif pieces and (gap or is_spaced or (not is_raw and words.startswith(" "))):
            pieces.append(gap or " ")
        pieces.append(words if is_raw else words.strip(" "))
        before, is_spaced, was_raw = node, not is_raw and words.endswith(" "), is_raw
    return "".join(pieces)


def _fold(text: str) -> str:
    """Replace each run of white space by a space; most texts need no change."""
    if "  " in text or "\n" in text or "\t" in text or "\r" in text or "\x0c" in text:
        return SPACE.sub(" ", text)
    return text


def find_written(columns: Columns, ends: NDArray[np.int32], seen: NDArray[np.int32]) -> Numbers:
    """List the nodes whose texts `text_of` reads for the texts that a reader sees: also white space in `pre`."""
    written = find_inside(ends, columns.has_tag(PREFORMATTED))
    written[seen] = True
    return written.nonzero()[0]


def _are_raw(columns: Columns, ends: NDArray[np.int32], nodes: NDArray[np.int32]) -> list[bool]:
    """Tell for each text whether it is preformatted."""
    if PREFORMATTED.isdisjoint(columns.tag_names):
        return [False] * len(nodes)
    raw: list[bool] = find_inside(ends, columns.has_tag(PREFORMATTED))[nodes].tolist()
    return raw


def _gaps(columns: Columns, hidden: NDArray[np.bool_], ends: NDArray[np.int32], nodes: NDArray[np.int32]) -> list[str]:
    """Find what separates each text from the one before it."""
    seen, size = ~hidden, int(nodes[-1]) + 1
    first, second = nodes[:-1], nodes[1:]
    breaking = (columns.has_tag(BREAKING, slice(size)) & seen[:size]).nonzero()[0]
    bounds = np.bincount(ends[breaking], minlength=size)  # ends and starts
    bounds[breaking] += 1
    breaks = _between(bounds, first, second) > 0
    texts = (columns.kinds[:size] == Kind.TEXT) & seen[columns.parents[:size]]
    separated = _between(texts, first, second) > 1  # the second is one of them itself
    gaps = np.where(separated, np.uint8(_SPACE), np.uint8(_NOTHING))
    if not CELLS.isdisjoint(columns.tag_names):
        gaps[_between(columns.has_tag(CELLS, slice(size)) & seen[:size], first, second) > 0] = _TAB
    gaps[breaks] = _LINE
    parents = columns.parents
    beside = (gaps == _NOTHING) & (ends[parents[first]] <= second) & (parents[second] > first)
    for place in beside.nonzero()[0].tolist():
        if _are_two_values(columns, int(first[place]), int(second[place])):
            gaps[place] = _SPACE
    return ["", *map(_WRITTEN.__getitem__, gaps.tolist())]


RAISED = frozenset(["sub", "sup"])


def _are_two_values(columns: Columns, first: int, second: int) -> bool:
    """Tell whether two texts of elements beside each other are values of their own, which style sheets keep apart."""
    tag = columns.tag_names[columns.tags[columns.parents[second]]]
    return tag not in RAISED and begins_value(columns.texts[first], columns.texts[second])


def begins_value(before: str, after: str) -> bool:
    """Tell whether a word or a number begins between two texts that touch.

    >>> begins_value("Leeds", "Full time"), begins_value("range", "3.50"), begins_value("wo", "rd")
    (True, True, False)
    """
    last, first = before[-1:], after[:1]
    if not (last.isalnum() and first.isalnum()):
        return False
    return (last.islower() and first.isupper()) or last.isdigit() != first.isdigit()


def _between(counted: NDArray[np.bool_] | Numbers, first: NDArray[np.int32], second: NDArray[np.int32]) -> Numbers:
    """Sum the counts after the first up to the second."""
    running = counted.cumsum(dtype=np.int64)
    difference: Numbers = running[second] - running[first]
    return difference
