"""CleanDOM: HTML to well-formed XHTML by a forward and a backward pass over its tokens.

Cosulschi, "HTML-aware technique for data cleaning", section 3, algorithms 1 to 3.  The forward
pass keeps a stack of open tags: a closing tag closes whatever was opened after its pair.  The
backward pass does the same from the end, with a stack of closing tags: a closing tag that never
found its pair gets one.  Both are linear in the number of tokens.

The printed algorithms need these repairs to run:

- Text passes through.  As printed, only tags and empty elements reach the output.
- What is left on the stack at the end of a pass is closed (in the backward pass: opened).
- `script` and `style` are opaque: an opening tag, text that is no HTML, a closing tag, always
  together.  The paper counts them among the elements "which cannot have a closing tag".
- Closing tags of empty elements (`</img>`) are left out; as printed they would be kept and have no
  pair.  `</br>` is a `<br>`, as browsers take it, so that no words grow together.  An opening tag
  written `<x/>` is an empty element, as XHTML means it.
- Missing `html`, `head`, `title` and `body` are a special case before the passes, and so are
  further ones: the paper's printed result has `<html>`, its printed tokens do not.
- The special cases of line 6 are the table in `special_cases.py`; the paper gives none.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import NamedTuple

from webquarry.cleaning.html5 import read_markup
from webquarry.html.parsing import parse_ours
from webquarry.html.tokens import (
    CLOSE,
    EMPTY,
    OPAQUE_CLOSE,
    OPAQUE_OPEN,
    OPEN,
    TEXT_ONLY,
    Tokens,
    join_tokens,
    read_tokens,
)
from webquarry.html.xhtml import to_xhtml
from webquarry.model.document import Document
from webquarry.model.page import Page


# MERGED cleaning/special_cases: Line 6 of CleanDOM's forward pass: "first test some special cases".
# MERGED
# MERGED The paper names no case.  These are the elements whose closing tag HTML 4.01 lets authors leave
# MERGED out: a row says which open elements the start of an element closes, and which element bounds the
# MERGED search, so that a list inside a list item does not close it.
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


_TAGS = frozenset([OPEN, CLOSE, EMPTY, OPAQUE_OPEN, OPAQUE_CLOSE])
_FRAME = frozenset(["html", "head", "body"])
_HEAD_CONTENT = frozenset("base basefont bgsound link meta noscript script style title".split())
_BEFORE_BODY = _HEAD_CONTENT | _FRAME


def clean_cleandom(page: Page) -> Document:
    """The document that CleanDOM builds from the page; its markup is the XHTML that CleanDOM writes."""
    return Document(clean_markup(read_markup(page)), method="cleandom", url=page.url)


def clean_markup(markup: str) -> str:
    """Algorithm 1: the markup as XHTML.  XHTML that we wrote stays as it is."""
    if parse_ours(markup) is not None:
        return to_xhtml(markup)
    tokens = read_tokens(markup)
    sequence = frame(tokens)
    sequence = forward_pass(tokens, sequence)
    if not _is_balanced(tokens, sequence):
        sequence = backward_pass(tokens, sequence)
    return join_tokens(tokens, sequence)


def forward_pass(tokens: Tokens, sequence: Iterable[int]) -> list[int]:
    """Algorithm 2: every opening tag has its closing tag."""
    return _balance(tokens, sequence, OPEN, CLOSE, SPECIAL_CASES)


def backward_pass(tokens: Tokens, sequence: list[int]) -> list[int]:
    """Algorithm 3: every closing tag has its opening tag."""
    return _balance(tokens, reversed(sequence), CLOSE, OPEN, {})[::-1]


def _is_balanced(tokens: Tokens, sequence: list[int]) -> bool:
    """True when the backward pass has nothing to add to a result of the forward pass.

    There every opening tag has its closing tag, so as many of the one as of the other means that
    no closing tag is without its pair.
    """
    whats = bytes(itemgetter(*sequence)(tokens.whats))
    return whats.count(OPEN) == whats.count(CLOSE)


def _balance(
    tokens: Tokens, sequence: Iterable[int], opens: int, closes: int, special_cases: Mapping[str, SpecialCase]
) -> list[int]:
    """The sequence with a `closes` for each `opens`; the numbers are the lines of algorithm 2."""
    items = list(sequence)
    whats, names = map(tokens.whats.__getitem__, items), map(tokens.names.__getitem__, items)
    output: list[int] = []
    add = output.append
    stack: list[str] = []
    places: defaultdict[str, list[int]] = defaultdict(list)  # where on the stack each tag stands

    def close_down_to(place: int) -> None:
        while len(stack) > place:
            unclosed = stack.pop()  # 12
            places[unclosed].pop()
            add(tokens.tag(closes, unclosed))  # 14

    for item, what, tag in zip(items, whats, names, strict=True):  # 1
        if what > CLOSE:  # 2: text, comments and opaque elements as well
            add(item)  # 3
            continue
        if what == opens:  # 7
            case = special_cases.get(tag)  # 6
            if case and stack and stack[-1] not in case.up_to and any(map(places.get, case.closes)):
                close_down_to(_find_closed(case, places, len(stack)))
            places[tag].append(len(stack))
            stack.append(tag)  # 8
        elif found := places[tag]:  # 10
            if stack[-1] != tag:
                close_down_to(found[-1] + 1)  # 11 to 18
            stack.pop()
            found.pop()
        add(item)  # 21
    close_down_to(0)
    return output


def _find_closed(case: SpecialCase, places: Mapping[str, list[int]], top: int) -> int:
    """The place on the stack of the outermost element that the case closes, or the top."""
    bound = max((found[-1] for tag in case.up_to if (found := places[tag])), default=-1)
    closed = (found for tag in case.closes if (found := places[tag]) and found[-1] > bound)
    return min((found[bisect_right(found, bound)] for found in closed), default=top)


def frame(tokens: Tokens) -> list[int]:
    """The tokens inside one `html` with a `head` that has a `title`, and one `body`.

    >>> tokens = read_tokens("<p>x")
    >>> "".join(tokens.parts[number] for number in frame(tokens))
    '<html><head><title></title></head><body><p></body></html>'
    """
    head, body = _divide(tokens)
    found = [n for n, name in enumerate(tokens.names) if name in _FRAME and tokens.whats[n] <= CLOSE]
    opened = {name: _opening_tag(tokens, name, found) for name in _FRAME}
    closed = {name: tokens.tag(CLOSE, name) for name in _FRAME}
    for number in found:
        tokens.whats[number], tokens.parts[number] = TEXT_ONLY, ""
    return [
        *(opened["html"], opened["head"], *_missing_title(tokens, head), *head, closed["head"]),
        *(opened["body"], *body, closed["body"], closed["html"]),
    ]


def _divide(tokens: Tokens) -> tuple[list[int], list[int]]:
    """The tokens of the head and those of the body, which begins with the first thing that no head holds."""
    inside = ""
    count = len(tokens)
    for number, (what, name) in enumerate(zip(tokens.whats, tokens.names, strict=True)):
        if inside:
            inside = "" if (what, name) == (CLOSE, inside) else inside
        elif what in _TAGS and (name not in _BEFORE_BODY or (what, name) == (OPEN, "body")):
            return list(range(number)), list(range(number, count))
        elif what == OPEN and name in _HEAD_CONTENT:
            inside = name
        if not inside and what != OPAQUE_OPEN and tokens.tails[number].strip():
            text = tokens.add(TEXT_ONLY, "", "", tokens.tails[number])
            tokens.tails[number] = ""
            return list(range(number + 1)), [text, *range(number + 1, count)]
    return list(range(count)), []


def _opening_tag(tokens: Tokens, name: str, found: Iterable[int]) -> int:
    """The first of the tags found that opens this element, with its attributes, or one of our own."""
    for number in found:
        if tokens.names[number] == name and tokens.whats[number] == OPEN:
            return tokens.add(OPEN, name, tokens.parts[number])
    return tokens.tag(OPEN, name)


def _missing_title(tokens: Tokens, head: Iterable[int]) -> list[int]:
    """The tags of a title, unless one stands in the head itself; one in a `noscript` does not count."""
    inside = False
    for number in head:
        what, name = tokens.whats[number], tokens.names[number]
        if name == "noscript":
            inside = what == OPEN
        elif what == OPEN and name == "title" and not inside:
            return []
    return [tokens.tag(OPEN, "title"), tokens.tag(CLOSE, "title")]
