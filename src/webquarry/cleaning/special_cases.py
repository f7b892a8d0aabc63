"""Line 6 of CleanDOM's forward pass: "first test some special cases".

The paper names no case.  These are the elements whose closing tag HTML 4.01 lets authors leave
out: a row says which open elements the start of an element closes, and which element bounds the
search, so that a list inside a list item does not close it.
"""

from __future__ import annotations

from typing import NamedTuple


class SpecialCase(NamedTuple):
    """Open elements that a start tag closes, looked for no further than the nearest bound."""

    closes: frozenset[str]
    up_to: frozenset[str]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CONTAINERS = _words("applet body button caption html object table td th")
_BLOCKS = _words(
    "address article aside blockquote center dir div dl fieldset footer form h1 h2 h3 h4 h5 h6 header main menu nav "
    "ol p pre section table ul"
)
_LISTS = _words("dir menu ol ul") | _CONTAINERS
_TABLE = _words("table body html")

SPECIAL_CASES: dict[str, SpecialCase] = {
    **dict.fromkeys(_BLOCKS, SpecialCase(closes=_words("p"), up_to=_CONTAINERS)),
    "li": SpecialCase(closes=_words("li p"), up_to=_LISTS),
    "dt": SpecialCase(closes=_words("dt dd p"), up_to=_words("dl") | _CONTAINERS),
    "dd": SpecialCase(closes=_words("dt dd p"), up_to=_words("dl") | _CONTAINERS),
    "option": SpecialCase(closes=_words("option"), up_to=_words("select optgroup datalist") | _CONTAINERS),
    "optgroup": SpecialCase(closes=_words("option optgroup"), up_to=_words("select") | _CONTAINERS),
    "tr": SpecialCase(closes=_words("tr td th caption colgroup"), up_to=_TABLE | _words("tbody thead tfoot")),
    "td": SpecialCase(closes=_words("td th"), up_to=_TABLE | _words("tr")),
    "th": SpecialCase(closes=_words("td th"), up_to=_TABLE | _words("tr")),
    "tbody": SpecialCase(closes=_words("tbody thead tfoot tr td th caption colgroup"), up_to=_TABLE),
    "thead": SpecialCase(closes=_words("tbody thead tfoot tr td th caption colgroup"), up_to=_TABLE),
    "tfoot": SpecialCase(closes=_words("tbody thead tfoot tr td th caption colgroup"), up_to=_TABLE),
    "a": SpecialCase(closes=_words("a"), up_to=_CONTAINERS),
}
