"""Clean a page by CleanDOM: turn HTML into well-formed XHTML by a forward and a backward pass over its tokens.

M. Cosulschi, "HTML-aware technique for data cleaning", section 3, algorithms 1 to 3. The forward pass
keeps a stack of open tags: a closing tag closes whatever was opened after its pair (algorithm 2,
lines 10 to 20). The backward pass does the same from the end with a stack of closing tags, so that a
closing tag without a pair gets one (algorithm 3). Both are linear in the number of tokens.

Repairs, by line of algorithm 2:

- Lines 2 and 3: the output only gets tags and empty elements as printed; here text and comments pass
  through as well.
- Lines 2 and 3: `script` and `style` "cannot have a closing tag" in the paper. Here they are opaque: an
  opening tag, text that is not HTML and a closing tag, always together.
- Lines 2 and 3: closing tags of empty elements (`</img>`), which would be kept without a pair, are
  dropped. `</br>` becomes `<br>`, as in browsers, so that no words grow together. An opening tag
  written `<x/>` is an empty element, as in XHTML.
- Lines 2 and 3: the same goes for closing tags without a pair of elements that hold text alone (`</title>`,
  `</iframe>`): the backward pass would put the text before them into an element that nobody sees.
- Line 6: the paper mentions special cases but names none. `SPECIAL_CASES` lists the elements whose
  closing tag HTML 4.01 lets authors omit, and those of ruby text. `hr`, which ends a paragraph too, is an empty element
  and so added by line 3 before line 6 looks at it.
- Line 6: missing `html`, `head`, `title` and `body` are added, and further ones dropped, before the
  passes (`frame`): the paper's printed result has `<html>`, its printed tokens do not.
- After line 28, the end of the loop: whatever is left on the stack is closed (in the backward pass:
  opened).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
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


class SpecialCase(NamedTuple):
    """The open elements that a start tag closes, searched no further out than the nearest bound.

    The bound keeps a list inside a list item from closing that item.
    """

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
    "rt": SpecialCase(closes=_words("rt rp"), up_to=_words("ruby") | _CONTAINERS),
    "rp": SpecialCase(closes=_words("rt rp"), up_to=_words("ruby") | _CONTAINERS),
}

NEW = " - new"
"""The paper's mark of tags that a pass has made."""
_INDENTATION = "  "
_MAX_INDENTED = 100  # levels
_TAGS = frozenset([OPEN, CLOSE, EMPTY, OPAQUE_OPEN, OPAQUE_CLOSE])
_FRAME = frozenset(["html", "head", "body"])
_HEAD_CONTENT = frozenset("base basefont bgsound link meta noscript script style title".split())
_BEFORE_BODY = _HEAD_CONTENT | _FRAME


def clean_cleandom(page: Page) -> Document:
    """Build the document of a page from the XHTML that CleanDOM writes."""
    markup = clean_markup(read_markup(page))
    return Document(markup, method="cleandom", url=page.url, address=page.address, received=page.received)


def clean_markup(markup: str) -> str:
    """Convert markup to XHTML (algorithm 1); XHTML that we wrote stays as it is."""
    if parse_ours(markup) is not None:
        return to_xhtml(markup)
    tokens = read_tokens(markup)
    sequence = frame(tokens)
    sequence = forward_pass(tokens, sequence)
    if not _is_balanced(tokens, sequence):
        sequence = backward_pass(tokens, sequence)
    return join_tokens(tokens, sequence)


class Item(NamedTuple):
    """A tag, a comment or a text in a list of tokens."""

    written: str
    what: int
    is_new: bool

    def __str__(self) -> str:
        shown = f"'{self.written}'" if self.what == TEXT_ONLY else self.written
        return f"{shown}{NEW if self.is_new else ''}"


@dataclass(frozen=True)
class Trace:
    """The tokens of a page as it is, after the forward and after the backward pass."""

    tokens: tuple[Item, ...]
    forward: tuple[Item, ...]
    backward: tuple[Item, ...]

    def __str__(self) -> str:
        """Write the steps as the paper's example does: two lists of tokens, then the page with a line for each."""
        lists = [", ".join(map(str, items)) for items in (self.tokens, self.forward)]
        return f"Tokens:\n{lists[0]}\n\nForward-Pass:\n{lists[1]}\n\nBackward-Pass:\n{_indent(self.backward)}\n"


def trace_markup(markup: str) -> Trace:
    """Run the steps of CleanDOM on markup, and keep what each gives.

    >>> print(trace_markup("<b>x<i>y</b>z</i>"))
    Tokens:
    <b>, 'x', <i>, 'y', </b>, 'z', </i>
    <BLANKLINE>
    Forward-Pass:
    <html> - new, <head> - new, <title> - new, </title> - new, </head> - new, <body> - new, <b>, 'x', <i>, 'y', \
</i> - new, </b>, 'z', </i>, </body> - new, </html> - new
    <BLANKLINE>
    Backward-Pass:
    <html> - new
      <head> - new
        <title> - new
        </title> - new
      </head> - new
      <body> - new
        <i> - new
          <b>
            x
            <i>
              y
            </i> - new
          </b>
          z
        </i>
      </body> - new
    </html> - new
    <BLANKLINE>
    """
    tokens = read_tokens(markup)
    count = len(tokens)
    written = {pair for pair in zip(tokens.whats, tokens.names, strict=True) if pair[1] in _FRAME}
    read = _list_items(tokens, range(count), count, written)
    forward = forward_pass(tokens, frame(tokens))
    backward = backward_pass(tokens, forward)
    return Trace(read, *(_list_items(tokens, each, count, written) for each in (forward, backward)))


def _list_items(
    tokens: Tokens, sequence: Iterable[int], count: int, written: Collection[tuple[int, str]]
) -> tuple[Item, ...]:
    """List tags and texts; tags beyond the first `count` tokens are new, except copies of what the page has."""
    items: list[Item] = []
    for number in sequence:
        what, name = tokens.whats[number], tokens.names[number]
        if tokens.parts[number]:
            items.append(Item(tokens.parts[number], what, number >= count and (what, name) not in written))
        if text := " ".join(tokens.tails[number].split()):
            items.append(Item(text, TEXT_ONLY, False))
    return tuple(items)


def _indent(items: Iterable[Item]) -> str:
    """Write a line for each item, indented by its depth, which stops at a bound to keep lines short."""
    lines: list[str] = []
    depth = 0
    for item in items:
        depth -= item.what in (CLOSE, OPAQUE_CLOSE)
        indentation = _INDENTATION * min(depth, _MAX_INDENTED)
        lines.append(f"{indentation}{item.written}{NEW if item.is_new else ''}")
        depth += item.what in (OPEN, OPAQUE_OPEN)
    return "\n".join(lines)


def forward_pass(tokens: Tokens, sequence: Iterable[int]) -> list[int]:
    """Give every opening tag its closing tag (algorithm 2)."""
    return _balance(tokens, sequence, OPEN, CLOSE, SPECIAL_CASES)


def backward_pass(tokens: Tokens, sequence: list[int]) -> list[int]:
    """Give every closing tag its opening tag (algorithm 3, which reverses the tokens in lines 1 and 29)."""
    return _balance(tokens, reversed(sequence), CLOSE, OPEN, {})[::-1]


def _is_balanced(tokens: Tokens, sequence: list[int]) -> bool:
    """Tell whether the backward pass would add nothing to a result of the forward pass.

    Every opening tag has its closing tag there, so equal numbers mean that no closing tag lacks its pair.
    """
    whats = bytes(itemgetter(*sequence)(tokens.whats))
    return whats.count(OPEN) == whats.count(CLOSE)


def _balance(
    tokens: Tokens, sequence: Iterable[int], opens: int, closes: int, special_cases: Mapping[str, SpecialCase]
) -> list[int]:
    """Add a `closes` tag for each `opens` tag without one; comments give the lines of algorithm 2."""
    items = list(sequence)
    whats, names = map(tokens.whats.__getitem__, items), map(tokens.names.__getitem__, items)
    output: list[int] = []
    add = output.append
    stack: list[str] = []
    places: defaultdict[str, list[int]] = defaultdict(list)  # positions of each tag on the stack

    def close_down_to(height: int) -> None:
        while len(stack) > height:
            unclosed = stack.pop()  # 12
            places[unclosed].pop()
            add(tokens.tag(closes, unclosed))  # 14

    for item, what, tag in zip(items, whats, names, strict=True):  # 1
        if what > CLOSE:  # 2
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
    close_down_to(0)  # after 28
    return output


def _find_closed(case: SpecialCase, places: Mapping[str, list[int]], top: int) -> int:
    """Find the position on the stack of the outermost element that the case closes, or the top."""
    bound = max((found[-1] for tag in case.up_to if (found := places[tag])), default=-1)
    closed = (found for tag in case.closes if (found := places[tag]) and found[-1] > bound)
    return min((found[bisect_right(found, bound)] for found in closed), default=top)


def frame(tokens: Tokens) -> list[int]:
    """Wrap the tokens in one `html` with a `head` that has a `title`, and one `body`.

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
    """Split the tokens into head and body, which begins with the first thing that cannot be in a head."""
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
    """Copy the first opening tag of an element with its attributes, or make one."""
    for number in found:
        if tokens.names[number] == name and tokens.whats[number] == OPEN:
            return tokens.add(OPEN, name, tokens.parts[number])
    return tokens.tag(OPEN, name)


def _missing_title(tokens: Tokens, head: Iterable[int]) -> list[int]:
    """Return the tags of an empty title unless the head has one outside of `noscript`."""
    inside = False
    for number in head:
        what, name = tokens.whats[number], tokens.names[number]
        if name == "noscript":
            inside = what == OPEN
        elif what == OPEN and name == "title" and not inside:
            return []
    return [tokens.tag(OPEN, "title"), tokens.tag(CLOSE, "title")]
