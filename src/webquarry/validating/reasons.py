"""Say in a sentence what sets a value apart from the others, the most telling differences first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from colorsys import rgb_to_hls
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webquarry.validating.style_vectors import COLOURS, parse_colour
from webquarry.validating.traits import NUMBER, Trait, to_codes

MAX_DIFFERENCES = 3
"""The limit of traits in one reason; the page shows the rest."""
NOTABLE = 1.0
"""The score, in nats, below which a trait is left out."""
_SECONDARY = ("border", "outline")
"""Beginnings of properties that mostly follow others, as their colours do, or are not painted."""
_PROMINENT = ("font-size", "color", "background-color", "font-weight", "font-style", "text-decoration", "text-align")
"""Properties that a reader sees first."""

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


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
        codes = to_codes(values)
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
