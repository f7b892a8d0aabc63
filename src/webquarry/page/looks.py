"""Find how texts look (size, weight, colour, struck through), as painted or as far as their markup tells."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import HEADING_TAGS
from webquarry.model.document import Document, Layout
from webquarry.page.column_words import split_words
from webquarry.page.text_runs import SEPARATOR

PLAIN_SIZE = 16.0  # pixels, the default of browsers
_HEADING_SIZES = {"h1": 32.0, "h2": 24.0, "h3": 18.7, "h4": 16.0, "h5": 13.3, "h6": 10.7}
_FONT_SIZES = {"1": 10.0, "2": 13.0, "3": 16.0, "4": 18.0, "5": 24.0, "6": 32.0, "7": 48.0}
_FONT_STEP = 1.2
_RELATIVE = re.compile(r"[+-][1-6]$")
_BOLD_TAGS = HEADING_TAGS | {"b", "strong", "th"}
_ITALIC_TAGS = frozenset("i em cite var dfn address".split())
_BOLD_WEIGHT = 600
_STEP = re.compile(r"([a-z0-9]+)[^\[\s]*(?:\[([^\]]*)\])?", re.IGNORECASE)
_RGB = re.compile(r"rgba?\((\d+), (\d+), (\d+)")
_LENGTH = re.compile(r"([\d.]+)(px|pt|em|rem|%)")
_PIXELS = {"px": 1.0, "pt": 4 / 3, "em": PLAIN_SIZE, "rem": PLAIN_SIZE, "%": PLAIN_SIZE / 100}
_INDENTS = {"ul": 40.0, "ol": 40.0, "dir": 40.0, "menu": 40.0, "blockquote": 40.0, "dd": 40.0, "fieldset": 12.0}
_INDENTING = re.compile(r"(?:padding-left|margin-left|text-indent)\s*:\s*([\d.]+(?:px|pt|em|rem))", re.IGNORECASE)
_LOOK_PROPERTIES = ("font-size", "font-weight", "font-style", "text-decoration", "color")

# Texts that are struck through
_STRUCK_TAGS = frozenset(["del", "s", "strike"])
_LINE_THROUGH = "line-through"
_OLD_CLASSES = frozenset("compare crossed msrp old rrp strike strikethrough striked uvp was".split())
MAX_LEVELS = 6  # elements around a text that may strike it through
MAX_CALLED_LEVELS = 2  # elements around a text whose classes are about this text

Nodes = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Look(NamedTuple):
    """The looks that a person tells texts apart by."""

    size: float = PLAIN_SIZE  # pixels, rounded to half ones
    is_bold: bool = False
    is_italic: bool = False
    is_underlined: bool = False
    colour: str = ""

    def to_words(self) -> str:
        """Describe the look as wrapper files do.

        >>> Look(11, is_bold=True, colour="#666666").to_words()
        '11px bold #666666'
        """
        marks = ("bold" * self.is_bold, "italic" * self.is_italic, "underlined" * self.is_underlined, self.colour)
        return " ".join([f"{self.size:g}px", *filter(None, marks)])


def rendered_look(layout: Layout, element: int) -> Look:
    """Read the look of an element's text from the layout."""
    return _computed_look(*(layout.style(element, name) for name in _LOOK_PROPERTIES))


@lru_cache(maxsize=4096)  # a page has thousands of texts and a few dozen looks
def _computed_look(size: str, weight: str, style: str, decoration: str, colour: str) -> Look:
    return Look(
        size=_to_half(to_number(size, PLAIN_SIZE)),
        is_bold=to_number(weight, 400) >= _BOLD_WEIGHT,
        is_italic=style in ("italic", "oblique"),
        is_underlined="underline" in decoration,
        colour=_hexadecimal(colour),
    )


@lru_cache(maxsize=4096)
def static_look(signature: str) -> Look:
    """Derive the look of a text from its signature, as browsers show it without a style sheet.

    >>> static_look("h3 > a").to_words(), static_look("td > font[size=5 color=red] > b :").to_words()
    ('18.5px bold', '24px bold red')
    """
    size, bold, italic, underlined, colour = PLAIN_SIZE, False, False, False, ""
    for step in signature.split(SEPARATOR):
        found = _STEP.match(step)
        if found is None:
            continue
        tag, shape = found.group(1), found.group(2) or ""
        size = _HEADING_SIZES.get(tag, size * {"big": 1.2, "small": 1 / 1.2}.get(tag, 1.0))
        bold |= tag in _BOLD_TAGS
        italic |= tag in _ITALIC_TAGS
        underlined |= tag == "u"
        for name, _, value in (part.partition("=" if "=" in part else ":") for part in shape.split(" ")):
            if name == "size":
                size = _FONT_SIZES.get(value) or (size * _FONT_STEP ** int(value) if _RELATIVE.match(value) else size)
            elif name == "font-size":
                size = _length(value, size)
            elif name == "font-weight":
                bold = value in ("bold", "bolder") or (value.isdecimal() and int(value) >= _BOLD_WEIGHT)
            elif name == "font-style":
                italic = value in ("italic", "oblique")
            elif name == "text-decoration":
                underlined = value == "underline"
            elif name == "color":
                colour = value
    return Look(_to_half(size), bold, italic, underlined, colour)


def indents(document: Document) -> list[float]:
    """Sum up the indents of each node in pixels: lists, quotes, definitions, margins and paddings."""
    parents = document.parents.tolist()
    steps = {name: _INDENTS.get(name, 0.0) for name in document.tag_names}
    found = [0.0] * len(parents)
    for node in range(1, len(parents)):
        own = 0.0
        if document.tags[node] >= 0:
            own = steps[document.tag(node)]
            style = document.attributes[node].get("style")
            if style:
                own += sum(_length(value, 0.0) for value in _INDENTING.findall(style))
        found[node] = found[parents[node]] + own
    return found


def _length(text: str, otherwise: float) -> float:
    found = _LENGTH.match(text.lower())
    return float(found.group(1)) * _PIXELS[found.group(2)] if found and found.group(1) != "." else otherwise


def to_number(text: str, otherwise: float) -> float:
    """Read the number of a computed style, in pixels or without a unit; `otherwise` if it is not one."""
    try:
        return float(text.removesuffix("px"))
    except ValueError:
        return otherwise


def _to_half(size: float) -> float:
    return round(size * 2) / 2


def _hexadecimal(colour: str) -> str:
    found = _RGB.match(colour)
    return "#" + "".join(f"{int(part):02x}" for part in found.groups()) if found else ""


def are_struck(document: Document, elements: Nodes) -> Flags:
    """Tell for each element whether it or one around it has a line through its text, by tag, style or class."""
    around = [elements]
    while len(around) < MAX_LEVELS and around[-1].any():
        around.append(np.maximum(document.parents[around[-1]], 0))
    levels = np.stack(around)
    is_marked = np.zeros(len(document), dtype=np.bool_)
    is_marked[_find_marked(document, _distinct(document, levels))] = True
    struck: Flags = np.logical_or.reduce(is_marked[levels], axis=0)
    is_marked[_find_called_old(document, _distinct(document, levels[:MAX_CALLED_LEVELS]))] = True
    struck |= np.logical_or.reduce(is_marked[levels[:MAX_CALLED_LEVELS]], axis=0)
    return struck


def _distinct(document: Document, nodes: Nodes) -> Nodes:
    is_one = np.zeros(len(document), dtype=np.bool_)
    is_one[nodes] = True
    return is_one.nonzero()[0]


def _find_marked(document: Document, nodes: Nodes) -> Nodes:
    """Find the nodes that have a line through their text by their own tag or style."""
    is_struck = document.has_tag(_STRUCK_TAGS, nodes)
    layout = document.layout
    if layout is not None:
        codes = layout.styles[nodes, layout.properties.index("text-decoration")]
        lines = [code for code in set(codes.tolist()) if code >= 0 and _LINE_THROUGH in layout.values[code]]
        for code in lines:
            is_struck |= codes == code
    elif styles := document.values_of("style"):
        is_struck |= [_LINE_THROUGH in styles.get(node, "") for node in nodes.tolist()]
    return nodes[is_struck]


def _find_called_old(document: Document, nodes: Nodes) -> list[int]:
    names = document.values_of("class")
    return [node for node in nodes.tolist() if node in names and not _OLD_CLASSES.isdisjoint(split_words(names[node]))]
