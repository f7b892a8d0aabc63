"""Differences in words: how a value of a trait or of a style property differs from what is usual."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from webquarry.validating.columns.traits import NUMBER
from webquarry.validating.reasons.colour_names import name_colour

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
