"""Find the traits by which values of a column are compared, and say in a sentence what sets a value apart.

Traits are of texts, looks, boxes, elements and places on the page.  Sentences begin with the most telling differences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from colorsys import rgb_to_hls
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind
from webquarry.model.document import Document, Layout
from webquarry.model.report import Selection
from webquarry.page.leaves import number_values
from webquarry.validating.style_vectors import COLOURS, parse_colour
from webquarry.values.column_values import read_value
from webquarry.values.text_value import Locale, Value, find_locale

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Nodes = NDArray[np.int32]
PageNodes = tuple[Document, Nodes]
"""A page, and the nodes of values on it."""
TypedText = tuple[str, Value | None]
"""The type of a text, and its value if it has one."""

KINDS = TEXT, LOOK, FRAME, PATH = "text", "look", "frame", "path"
"""Kinds of traits; those of one kind go together, so that the second of them says less than the first."""
TYPE = "type"
"""The name of the trait that is the type of a text."""
NUMBER = "a number"
"""In place of any number at the beginning or the end of a text."""


@dataclass(frozen=True)
class Trait:
    """One trait of many values: either values that are equal or not, or numbers that can be near each other."""

    name: str
    kind: str
    weight: float
    values: Sequence[Hashable] = ()
    numbers: Sequence[Floats] = ()
    """Several if values that are near in one of them are near."""
    tolerance: float | None = None
    """How far apart numbers are that are near each other."""
    is_of_page: bool = False
    """Whether values are compared with all others of their page, instead of those of their column."""

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """A number for each value, the same for equal ones."""
        return number_values(self.values)


def find_traits(selections: Sequence[Selection], typed: Sequence[TypedText]) -> list[Trait]:
    """Find the traits of all values, one selection after the other; `typed` has what `read_values` gives."""
    texts = [text for each in selections for text in each.texts]
    pages = [(each.document, each.nodes) for each in selections]
    return [
        *find_text_traits(texts, [kind for kind, _ in typed]),
        *find_look_traits(pages),
        *find_path_traits(pages),
        *find_place_traits(pages),
    ]


_LINK = re.compile(r"(?:https?|ftp|mailto|tel):/{0,2}[^/\s]*|www\.[^/\s]+", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_LENGTH_TOLERANCE = 1.0
"""In logarithms to the base 2: one length is near another if it is at most twice as long."""


def find_text_traits(texts: Sequence[str], kinds: Sequence[str]) -> list[Trait]:
    """Find the traits of texts, whose types are given: what they say, how they begin and end, how long they are."""
    words = [_WORD.findall(text.lower()) for text in texts]
    lengths = np.log2(np.array([len(text) + 1 for text in texts], dtype=np.float64))
    return [
        Trait(TYPE, TEXT, 1.0, kinds),
        Trait("letters", TEXT, 1.0, [_LETTER.search(text) is not None for text in texts]),
        Trait("digits", TEXT, 0.5, [_DIGIT.search(text) is not None for text in texts]),
        Trait("beginning", TEXT, 0.5, [_fold(each[0]) if each else "" for each in words]),
        Trait("end", TEXT, 0.5, [_fold(each[-1]) if each else "" for each in words]),
        Trait("text", TEXT, 0.5, [text.lower() for text in texts]),
        Trait("capital", TEXT, 0.5, [text[:1].isupper() for text in texts]),
        Trait("length", TEXT, 1.0, numbers=[lengths], tolerance=_LENGTH_TOLERANCE),
    ]


def read_values(selections: Sequence[Selection]) -> list[TypedText]:
    """Read all values, one selection after the other; numbers and dates in the locale of each one's page."""
    return [
        _read_typed(text, locale)
        for each in selections
        for locale in [find_locale(each.document.language, each.texts)]
        for text in each.texts
    ]


@lru_cache(maxsize=1 << 16)  # many values are equal
def _read_typed(text: str, locale: Locale) -> TypedText:
    """Return the type of a text, and its value if it has one."""
    if _LINK.match(text):
        return "link", None
    return read_value(text, locale) or ("text", None)


def _fold(word: str) -> str:
    return NUMBER if word.isdecimal() else word


_SIDES = ("top", "right", "bottom", "left")
_LETTER_STYLES = ("font-size", "color", "font-weight", "font-style", "text-decoration", "text-align")
_FRAME_STYLES = {
    "background-color": ("background-color",),
    "display": ("display",),
    "position": ("position",),
    "padding": tuple(f"padding-{side}" for side in _SIDES),
    "margin": tuple(f"margin-{side}" for side in _SIDES),
    "border": tuple(f"border-{side}-width" for side in _SIDES),
    "border-radius": ("border-top-left-radius", "border-top-right-radius"),
}
"""Properties of what is around the letters, by their common names; they tell less, as highlighted records differ in
them."""
_MAX_MISALIGNMENT = 3.0
"""Pixels: edges that are no further apart look aligned."""


def find_look_traits(pages: Sequence[PageNodes]) -> list[Trait]:
    """Find the traits of the style and box of each node's element; none if a page has no layout."""
    placed = [(layout, nodes, _owners_of(document, nodes)) for document, nodes in pages if (layout := document.layout)]
    if len(placed) < len(pages):
        return []

    def styles(name: str) -> list[str]:
        return [value for layout, _, owners in placed for value in _style_values(layout, owners, name)]

    traits = [Trait(name, LOOK, 1.0, styles(name)) for name in _LETTER_STYLES]
    for name, properties in _FRAME_STYLES.items():
        sides = zip(*map(styles, properties), strict=True)
        traits.append(Trait(name, FRAME, 0.5, [each[0] if len(set(each)) == 1 else " ".join(each) for each in sides]))
    boxes: Floats = np.concatenate([np.empty((0, 4)), *(_boxes_of(*each) for each in placed)])
    left, width, height = boxes[:, 0], boxes[:, 2], boxes[:, 3]
    edges = [left, left + width / 2, left + width]
    return [
        *traits,
        Trait("edges", FRAME, 0.25, numbers=edges, tolerance=_MAX_MISALIGNMENT),
        Trait("height", FRAME, 0.25, numbers=[height], tolerance=_MAX_MISALIGNMENT),
    ]


def find_inner(document: Document, nodes: Nodes) -> Nodes:
    """Find for each node the element around its first visible text, which has the style of its letters."""
    texts = np.append(document.seen_texts, len(document)).astype(np.int64)
    first = texts[np.searchsorted(texts, nodes)]
    has_text = first < document.ends[nodes]
    inner: Nodes = np.where(has_text, document.parents[np.where(has_text, first, 0)], _owners_of(document, nodes))
    return np.maximum(inner, 0)


def _style_values(layout: Layout, owners: Nodes, name: str) -> list[str]:
    """Return what each element has for a property; for a decoration its line."""
    if name not in layout.properties:
        return [""] * len(owners)
    values = [value.partition(" ")[0] if name == "text-decoration" else value for value in (*layout.values, "")]
    return [values[code] for code in layout.styles[owners, layout.properties.index(name)].tolist()]


def _boxes_of(layout: Layout, nodes: Nodes, owners: Nodes) -> Floats:
    """Return the box of each node, else of its element; an empty one at the origin if neither has any."""
    own = layout.boxes[nodes].astype(np.float64)
    return np.nan_to_num(np.where(np.isnan(own), layout.boxes[owners], own))


MAX_LEVELS = 100
"""Ancestors of a value that are compared: deeper trees are faults or attacks."""
_HIGHLIGHTS = frozenset("b em i mark strong u".split())
"""Elements around words that were searched for: a value that is nothing else is in its place."""


def find_path_traits(pages: Sequence[PageNodes]) -> list[Trait]:
    """Find the traits of the elements around each node."""
    chains = [
        (document, _ancestors(document, element))
        for document, nodes in pages
        for element in _owners_of(document, nodes).tolist()
    ]
    return [
        Trait("path", PATH, 1.0, [_tags_of(document, chain) for document, chain in chains]),
        Trait("element", PATH, 0.5, [_name_element(document, chain[:1]) for document, chain in chains]),
        Trait("holder", PATH, 0.5, [_name_element(document, chain[1:2]) for document, chain in chains]),
    ]


def _owners_of(document: Document, nodes: Nodes) -> Nodes:
    """Return each element itself, and the parents of other nodes."""
    owners: Nodes = np.where(document.kinds[nodes] == Kind.ELEMENT, nodes, np.maximum(document.parents[nodes], 0))
    return owners


def _ancestors(document: Document, element: int) -> list[int]:
    """List an element and its ancestors, outwards, without what only highlights the text."""
    while document.tag(element) in _HIGHLIGHTS and "class" not in document.attributes[element]:
        element = int(document.parents[element])
    chain: list[int] = []
    while element > 0 and len(chain) < MAX_LEVELS:
        chain.append(element)
        element = int(document.parents[element])
    return chain


def _tags_of(document: Document, chain: Sequence[int]) -> tuple[str, ...]:
    """Return the tags of a chain from the outermost inwards, without those that highlight the text."""
    tags = [document.tag(element) for element in reversed(chain)]
    while tags and tags[-1] in _HIGHLIGHTS:
        tags.pop()
    return tuple(tags)


def _name_element(document: Document, elements: Sequence[int]) -> str:
    """Name the first element by its tag and classes; empty if there is none."""
    if not elements:
        return ""
    classes = sorted(document.attributes[elements[0]].get("class", "").split())
    return ".".join([document.tag(elements[0]), *classes])


MIN_SHARE_OF_HOLDER = 0.8
"""The share of a page's values that their common element has to contain."""


def find_place_traits(pages: Sequence[PageNodes]) -> list[Trait]:
    """Find for each value the element that contains most values of its page, or else the largest beside it."""
    places: list[str] = []
    for document, nodes in pages:
        holder = find_holder(document, nodes)
        path = document.xpath(holder)
        inside = (nodes >= holder) & (nodes < document.ends[holder])
        places += [
            path if is_inside else document.xpath(_find_beside(document, node, holder))
            for node, is_inside in zip(nodes.tolist(), inside.tolist(), strict=True)
        ]
    return [Trait("place", PATH, 1.0, places, is_of_page=True)]


def find_holder(document: Document, nodes: Nodes) -> int:
    """Find the innermost element that contains most of some nodes; the document if no other does."""
    if not len(nodes):
        return 0
    ordered = np.sort(nodes)
    node = int(ordered[len(ordered) // 2])  # an element with most of them contains the one in their middle
    while node > 0:
        first, stop = np.searchsorted(ordered, [node, document.ends[node]])
        if stop - first >= MIN_SHARE_OF_HOLDER * len(ordered):
            break
        node = int(document.parents[node])
    return max(node, 0)


def _find_beside(document: Document, node: int, holder: int) -> int:
    """Find the outermost ancestor of a node that does not contain the holder."""
    while not (parent := int(document.parents[node])) <= holder < document.ends[parent]:
        node = parent
    return node


MAX_DIFFERENCES = 3
"""The limit of traits in one reason; the page shows the rest."""
NOTABLE = 1.0
"""The score, in nats, below which a trait is left out."""
_SECONDARY = ("border", "outline")
"""Beginnings of properties that mostly follow others, as their colours do, or are not painted."""
_PROMINENT = ("font-size", "color", "background-color", "font-weight", "font-style", "text-decoration", "text-align")
"""Properties that a reader sees first."""


def describe_values(
    among: Sequence[Numbers], traits: Sequence[Trait], evidence: Floats, drops: NDArray[np.bool_]
) -> tuple[str, ...]:
    """Describe for each value what tells it from the others; empty if it is kept and nothing is notable.

    `evidence` has a row for each trait, and `among` for each trait the number by which values belong together.
    """
    reasons = [""] * len(drops)
    members = {
        id(groups): np.split(np.argsort(groups, kind="stable"), np.cumsum(np.bincount(groups, minlength=1))[:-1])
        for groups in among
    }
    for value in np.flatnonzero((evidence >= NOTABLE).any(axis=0) | drops).tolist():
        first, *others = np.argsort(-evidence[:, value], kind="stable")[:MAX_DIFFERENCES].tolist()
        reasons[value] = to_sentence(
            _compare(traits[row], value, members[id(among[row])][among[row][value]])
            for row in (first, *(row for row in others if evidence[row, value] >= NOTABLE))
        )
    return tuple(reasons)


def _compare(trait: Trait, value: int, members: Numbers) -> str:
    """Describe a value beside the usual one of the members of its group."""
    if trait.numbers:
        numbers = trait.numbers[0]
        others = numbers[members[members != value]]
        usual = float(np.median(others))
        sharing = int((np.abs(others - usual) <= (trait.tolerance or 0)).sum())
        return describe(trait.name, float(numbers[value]), usual, sharing / len(others))
    _, firsts, counts = np.unique(trait.codes[members], return_index=True, return_counts=True)
    most = int(counts.argmax())
    usual_value = trait.values[int(members[firsts[most]])]
    return describe(trait.name, trait.values[value], usual_value, int(counts[most]) / (len(members) - 1))


def describe_styles(names: Sequence[str], rows: Sequence[Sequence[str]], counts: Numbers) -> tuple[str, ...]:
    """Describe for each style what tells it most from the others; empty if it is as most are.

    `rows` hold the values of the properties `names`, `counts` their numbers of nodes.  Rarer values come first.
    """
    found: list[list[tuple[bool, float, int, str]]] = [[] for _ in rows]
    total = int(counts.sum())
    for place, name in enumerate(names if rows else ()):
        values = [row[place] for row in rows]
        codes = number_values(values)
        sizes = np.bincount(codes, weights=counts)
        usual = int(sizes.argmax())
        usual_value = values[int((codes == usual).argmax())]
        prominence = _PROMINENT.index(name) if name in _PROMINENT else len(_PROMINENT)
        for row in np.flatnonzero(codes != usual).tolist():
            difference = describe(name, values[row], usual_value, float(sizes[usual] / (total - counts[row])))
            found[row].append((name.startswith(_SECONDARY), float(sizes[codes[row]]), prominence, difference))
    return tuple(to_sentence(difference for *_, difference in sorted(each)[:MAX_DIFFERENCES]) for each in found)


MIN_SHARE_OF_ALL = 0.8
"""The share of the others from which a reason calls them all."""
_TYPES = {
    "text": ("text", "text"),
    "number": ("a number", "numbers"),
    "money": ("a price", "prices"),
    "date": ("a date", "dates"),
    "boolean": ("yes or no", "yes or no"),
    "link": ("an address", "addresses"),
}
_MAX_TAGS = 3
"""Elements of a path that are named."""
_MAX_QUOTED = 30
"""Characters of a text that are quoted."""


def to_sentence(clauses: Iterable[str]) -> str:
    """Join clauses to a sentence; without any it is empty.

    >>> to_sentence(["it is text, the others are prices", "it is black, the others are red"])
    'It is text, the others are prices; it is black, the others are red.'
    """
    said = "; ".join(clauses)
    return f"{said[0].upper()}{said[1:]}." if said else ""


def describe(name: str, value: Hashable, usual: Hashable, share: float = 1.0) -> str:
    """Describe how a value differs from the usual one in a trait or style property, which that share of others has.

    >>> describe("font-size", "11px", "16px")
    'its letters are 11px high, those of the others 16px'
    >>> describe("type", "text", "money", 0.7)
    'it is text, most others are prices'
    """
    others = "the others" if share >= MIN_SHARE_OF_ALL else "most others"
    if name == "color":
        return f"it is {name_colour(str(value))}, {others} are {name_colour(str(usual))}"
    if name in COLOURS:
        value, usual = name_colour(str(value)), name_colour(str(usual))
    if name in _PHRASES:
        return _PHRASES[name](value, usual, others)
    said = "background" if name == "background-color" else name.replace("color", "colour")
    return f"its {said} is {value or 'nothing'}, that of {others} {usual or 'nothing'}"


def _describe_presence(name: str, value: Hashable, others: str) -> str:
    return f"it has {name}, {others} have none" if value else f"it has no {name}, {others} have some"


def _describe_capital(value: Hashable, _: Hashable, others: str) -> str:
    own, other = ("capital", "small") if value else ("small", "capital")
    return f"it begins with a {own} letter, {others} with a {other} one"


def _describe_weight(value: Hashable, usual: Hashable, others: str) -> str:
    names = {"400": "normal", "700": "bold"}
    own, other = (names.get(str(each), f"of weight {each}") for each in (value, usual))
    return f"its letters are {own}, those of {others} {other}"


def _quote(word: Hashable) -> str:
    text = str(word)
    return text if text == NUMBER else f'"{text[:_MAX_QUOTED]}{"..." * (len(text) > _MAX_QUOTED)}"'


def _describe_length(value: float, usual: float, others: str) -> str:
    own, other = (round(2**logarithm) - 1 for logarithm in (value, usual))
    return f"it has {own} characters, {others} about {other}"


def _describe_path(value: Sequence[str], usual: Sequence[str], others: str) -> str:
    """Name only the elements by which the paths differ.

    >>> _describe_path(("body", "footer", "p"), ("body", "main", "p"), "the others")
    'it is inside footer, the others are inside main'
    """
    own, other = list(value), list(usual)
    while own and other and own[0] == other[0]:
        del own[0], other[0]
    while own and other and own[-1] == other[-1]:
        del own[-1], other[-1]
    own_tags, other_tags = (" > ".join(tags[-_MAX_TAGS:]) for tags in (own, other))
    if not own:
        return f"it is not inside {other_tags}, as {others} are"
    return f"it is inside {own_tags}, {others} are " + (f"inside {other_tags}" if other else "not")


def _describe_place(value: Hashable, usual: Hashable, others: str) -> str:
    """Name the XPaths from where they differ."""
    own, other = str(value).split("/"), str(usual).split("/")
    while len(own) > 1 and len(other) > 1 and own[0] == other[0]:
        del own[0], other[0]
    return f"it is elsewhere on the page, in {'/'.join(own)}, {others} are in {'/'.join(other)}"


_PHRASES: dict[str, Callable[[Any, Any, str], str]] = {
    "type": lambda value, usual, others: f"it is {_TYPES[value][0]}, {others} are {_TYPES[usual][1]}",
    "letters": lambda value, _, others: _describe_presence("letters", value, others),
    "digits": lambda value, _, others: _describe_presence("digits", value, others),
    "capital": _describe_capital,
    "beginning": lambda value, usual, others: f"it begins with {_quote(value)}, {others} with {_quote(usual)}",
    "end": lambda value, usual, others: f"it ends in {_quote(value)}, {others} in {_quote(usual)}",
    "text": lambda value, usual, others: f"it says {_quote(value)}, {others} {_quote(usual)}",
    "length": _describe_length,
    "edges": lambda value, usual, others: f"its left edge is at {value:.0f}px, that of {others} at {usual:.0f}px",
    "height": lambda value, usual, others: f"it is {value:.0f}px high, {others} are {usual:.0f}px",
    "path": _describe_path,
    "place": _describe_place,
    "element": lambda value, usual, others: f"its element is {value}, that of {others} {usual}",
    "holder": lambda value, usual, others: f"the element around it is {value}, that around {others} {usual}",
    "font-size": lambda value, usual, others: f"its letters are {value} high, those of {others} {usual}",
    "font-weight": _describe_weight,
}

_HUES = (
    (15, "red"),
    (40, "orange"),
    (70, "yellow"),
    (165, "green"),
    (195, "turquoise"),
    (255, "blue"),
    (290, "purple"),
    (340, "pink"),
    (360, "red"),
)
"""The angle of the colour circle, in degrees, up to which a colour has a name."""
_MIN_CHROMA = 0.12
"""Below this share of the possible difference between red, green and blue a colour looks grey."""
_MAX_BLACK, _MIN_WHITE = 0.16, 0.96
"""Lightness up to which a colour is black, and from which it is white."""
_MAX_BROWN = 0.3
"""Lightness up to which orange is brown."""


@lru_cache(maxsize=4096)
def name_colour(value: str) -> str:
    """Name a computed colour.

    >>> name_colour("rgb(153, 153, 153)"), name_colour("rgba(0, 0, 0, 0)"), name_colour("rgb(200, 0, 0)")
    ('grey (#999999)', 'none', 'red (#c80000)')
    """
    *parts, alpha = parse_colour(value)
    if alpha == 0:
        return "none"
    red, green, blue = (min(max(round(part), 0), 255) for part in parts)
    return f"{_name_rgb(red, green, blue)} (#{red:02x}{green:02x}{blue:02x})"


def _name_rgb(red: int, green: int, blue: int) -> str:
    hue, lightness, _ = rgb_to_hls(red / 255, green / 255, blue / 255)
    if lightness <= _MAX_BLACK:
        return "black"
    if lightness >= _MIN_WHITE:
        return "white"
    if max(red, green, blue) - min(red, green, blue) < _MIN_CHROMA * 255:
        return "grey"
    name = next(name for most, name in _HUES if hue * 360 <= most)
    return "brown" if name == "orange" and lightness <= _MAX_BROWN else name
