"""Reasons: what sets a value apart from the others, in words, the most telling differences first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from colorsys import rgb_to_hls
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webquarry.validating.computed_values import parse_colour
from webquarry.validating.traits import NUMBER, Trait, to_codes

# MERGED validating/reasons/colour_names: Colours as people call them.
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
"""Up to which angle of the colour circle, in degrees, a colour has a name."""
_GREY = 0.12
"""Less of a hue than this share of what there can be is not seen as one."""
_BLACK, _WHITE = 0.16, 0.96
"""Lightness up to which a colour is black, and from which it is white."""
_DARK = 0.3
"""Orange that is no lighter is brown."""


@lru_cache(maxsize=4096)
def name_colour(value: str) -> str:
    """A computed colour in words.

    >>> name_colour("rgb(153, 153, 153)"), name_colour("rgba(0, 0, 0, 0)"), name_colour("rgb(200, 0, 0)")
    ('grey (#999999)', 'none', 'red (#c80000)')
    """
    *parts, alpha = parse_colour(value)
    if alpha == 0:
        return "none"
    red, green, blue = (min(max(round(part), 0), 255) for part in parts)
    return f"{_name(red, green, blue)} (#{red:02x}{green:02x}{blue:02x})"


def _name(red: int, green: int, blue: int) -> str:
    hue, lightness, _ = rgb_to_hls(red / 255, green / 255, blue / 255)
    if lightness <= _BLACK:
        return "black"
    if lightness >= _WHITE:
        return "white"
    if max(red, green, blue) - min(red, green, blue) < _GREY * 255:
        return "grey"
    name = next(name for most, name in _HUES if hue * 360 <= most)
    return "brown" if name == "orange" and lightness <= _DARK else name


# MERGED validating/reasons/phrases: Differences in words: how a value of a trait or of a style property diff
CLEAR = 0.8
"""Share of the others from which on they are spoken of as all."""
_TYPES = {
    "text": ("text", "text"),
    "number": ("a number", "numbers"),
    "money": ("a price", "prices"),
    "date": ("a date", "dates"),
    "boolean": ("yes or no", "yes or no"),
    "link": ("an address", "addresses"),
}
_LEVELS = 3
"""Elements of a path that are named."""
_LONGEST = 30
"""Characters of a text that are quoted."""


def describe(name: str, value: Hashable, usual: Hashable, share: float = 1.0) -> str:
    """How a value differs from what is usual in a trait or style property, which has that share of the others.

    >>> describe("font-size", "11px", "16px")
    'font-size 11px, the others 16px'
    >>> describe("type", "text", "money", 0.7)
    'text, most others are prices'
    """
    others = "the others" if share >= CLEAR else "most others"
    return _PHRASES.get(name, _plain)(name, value, usual, others)


def _plain(name: str, value: Hashable, usual: Hashable, others: str) -> str:
    return f"{name} {value or 'nothing'}, {others} {usual or 'nothing'}"


def _colour(name: str, value: Hashable, usual: Hashable, others: str) -> str:
    said = name.replace("color", "colour") if name != "background-color" else "background"
    return f"{said} {name_colour(str(value))}, {others} {name_colour(str(usual))}"


def _type(_: str, value: Hashable, usual: Hashable, others: str) -> str:
    return f"{_TYPES[str(value)][0]}, {others} are {_TYPES[str(usual)][1]}"


def _presence(name: str, value: Hashable, _: Hashable, others: str) -> str:
    return f"{name}, {others} have none" if value else f"no {name}, {others} have some"


def _capital(_: str, value: Hashable, __: Hashable, others: str) -> str:
    return f"a capital at the beginning, {others} have none" if value else f"no capital, {others} begin with one"


def _word(name: str, value: Hashable, usual: Hashable, others: str) -> str:
    verb = {"beginning": "begins with", "end": "ends in"}[name]
    return f"{verb} {_quote(value)}, {others} {verb.split()[1]} {_quote(usual)}"


def _text(_: str, value: Hashable, usual: Hashable, others: str) -> str:
    return f"{_quote(value)}, {others} {_quote(usual)}"


def _quote(word: Hashable) -> str:
    text = str(word)
    if text == NUMBER:
        return text
    return f'"{text[:_LONGEST]}{"..." * (len(text) > _LONGEST)}"'


def _length(_: str, value: Any, usual: Any, others: str) -> str:
    return f"{_characters(value)} characters, {others} about {_characters(usual)}"


def _characters(logarithm: float) -> int:
    return round(2**logarithm) - 1


def _pixels(name: str, value: Any, usual: Any, others: str) -> str:
    said = {"edges": "left edge at", "height": "height"}[name]
    return f"{said} {value:.0f}px, {others} {'at ' * (name == 'edges')}{usual:.0f}px"


def _path(_: str, value: Any, usual: Any, others: str) -> str:
    """Only the elements by which the paths differ.

    >>> _path("", ("body", "footer", "p"), ("body", "main", "p"), "the others")
    'in footer, the others in main'
    """
    own, other = list(value), list(usual)
    while own and other and own[0] == other[0]:
        del own[0], other[0]
    while own and other and own[-1] == other[-1]:
        del own[-1], other[-1]
    if not own:
        return f"not in {_steps(other)}, as {others} are"
    return f"in {_steps(own)}, {others} " + (f"in {_steps(other)}" if other else "are not")


def _place(_: str, value: Hashable, usual: Hashable, others: str) -> str:
    """The addresses from where they part."""
    own, other = str(value).split("/"), str(usual).split("/")
    while len(own) > 1 and len(other) > 1 and own[0] == other[0]:
        del own[0], other[0]
    return f"stands in {'/'.join(own)}, {others} in {'/'.join(other)}"


def _steps(tags: Sequence[str]) -> str:
    return " > ".join(tags[-_LEVELS:])


def _element(name: str, value: Hashable, usual: Hashable, others: str) -> str:
    return f"{'element' if name == 'element' else 'in'} {value}, {others} {usual}"


_PHRASES: dict[str, Callable[[str, Any, Any, str], str]] = {
    "type": _type,
    "letters": _presence,
    "digits": _presence,
    "capital": _capital,
    "beginning": _word,
    "end": _word,
    "text": _text,
    "length": _length,
    "edges": _pixels,
    "height": _pixels,
    "path": _path,
    "place": _place,
    "element": _element,
    "holder": _element,
    **dict.fromkeys(("color", "background-color", "outline-color"), _colour),
    **{f"border-{side}-color": _colour for side in ("bottom", "left", "right", "top")},
}


MOST_DIFFERENCES = 3
"""In one reason: who wants more has the page at hand."""
NOTABLE = 1.0
"""Nats: what says less is not told."""
_FOLLOWING = ("border", "outline")
"""What properties begin with that mostly go with others, as their colours do, or are not painted."""
_TELLING = ("font-size", "color", "background-color", "font-weight", "font-style", "text-decoration", "text-align")
"""Properties that a reader sees first."""

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


def describe_values(
    among: Sequence[Numbers], traits: Sequence[Trait], evidence: Floats, drops: NDArray[np.bool_]
) -> tuple[str, ...]:
    """For each value what tells it from the others; nothing where it is kept and nothing is notable.

    `evidence` has a row for each trait, and `among` for each trait the number by which values belong together.
    """
    reasons = [""] * len(drops)
    members = {id(groups): _by_group(groups) for groups in among}
    for value in np.flatnonzero((evidence >= NOTABLE).any(axis=0) | drops).tolist():
        first, *others = np.argsort(-evidence[:, value], kind="stable")[:MOST_DIFFERENCES].tolist()
        reasons[value] = _join(
            _compare(traits[row], value, members[id(among[row])][among[row][value]])
            for row in (first, *(row for row in others if evidence[row, value] >= NOTABLE))
        )
    return tuple(reasons)


def describe_styles(names: Sequence[str], rows: Sequence[Sequence[str]], counts: Numbers) -> tuple[str, ...]:
    """For each style, of so many nodes, what tells it most from the others; nothing where it is as most are.

    `rows` hold the values of the properties that `names` lists.  Rarer values come first.
    """
    found: list[list[tuple[bool, float, int, str]]] = [[] for _ in rows]
    total = int(counts.sum())
    for place, name in enumerate(names if rows else ()):
        values = [row[place] for row in rows]
        codes = to_codes(values)
        sizes = np.bincount(codes, weights=counts)
        usual = int(sizes.argmax())
        said = values[int((codes == usual).argmax())]
        for row in np.flatnonzero(codes != usual).tolist():
            difference = describe(name, values[row], said, float(sizes[usual] / (total - counts[row])))
            found[row].append((name.startswith(_FOLLOWING), float(sizes[codes[row]]), _rank(name), difference))
    return tuple(_join(difference for *_, difference in sorted(each)[:MOST_DIFFERENCES]) for each in found)


def _by_group(groups: Numbers) -> list[Numbers]:
    return np.split(np.argsort(groups, kind="stable"), np.cumsum(np.bincount(groups, minlength=1))[:-1])


def _rank(name: str) -> int:
    return _TELLING.index(name) if name in _TELLING else len(_TELLING)


def _join(differences: Iterable[str]) -> str:
    return "; ".join(differences)


def _compare(trait: Trait, value: int, members: Numbers) -> str:
    own, usual, sharing = _usual_number(trait, value, members) if trait.numbers else _usual(trait, value, members)
    return describe(trait.name, own, usual, sharing / (len(members) - 1))


def _usual(trait: Trait, value: int, members: Numbers) -> tuple[Hashable, Hashable, int]:
    """The own value, that of most others, and how many these are."""
    _, firsts, counts = np.unique(trait.codes[members], return_index=True, return_counts=True)
    usual = int(counts.argmax())
    return trait.values[value], trait.values[int(members[firsts[usual]])], int(counts[usual])


def _usual_number(trait: Trait, value: int, members: Numbers) -> tuple[float, float, int]:
    numbers = trait.numbers[0]
    others = numbers[members[members != value]]
    middle = float(np.median(others))
    return float(numbers[value]), middle, int((np.abs(others - middle) <= (trait.tolerance or 0)).sum())
