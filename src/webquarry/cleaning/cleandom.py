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
- Closing tags of empty elements (`</br>`, `</img>`) are left out; as printed they would be kept
  and have no pair.  An opening tag written `<x/>` is an empty element, as XHTML means it.
- Missing `html`, `head`, `title` and `body` are a special case before the passes, and so are
  further ones: the paper's printed result has `<html>`, its printed tokens do not.
- The special cases of line 6 are the table in `special_cases.py`; the paper gives none.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping

from webquarry.cleaning.special_cases import SPECIAL_CASES, SpecialCase
from webquarry.html.emitting import to_xhtml
from webquarry.html.parsing import parse_ours
from webquarry.html.token_writing import write_xhtml
from webquarry.html.tokens import CLOSE, COMMENT, OPAQUE, OPEN, TEXT, Attributes, Token, read_tokens

_FRAME = frozenset(["html", "head", "body"])
_HEAD_CONTENT = frozenset("base basefont bgsound link meta noscript script style title".split())


def clean_markup(markup: str) -> str:
    """Algorithm 1: the markup as XHTML.  XHTML that we wrote stays as it is."""
    if parse_ours(markup) is not None:
        return to_xhtml(markup)
    return write_xhtml(backward_pass(forward_pass(frame(read_tokens(markup)))))


def forward_pass(tokens: Iterable[Token]) -> list[Token]:
    """Algorithm 2: every opening tag has its closing tag."""
    return _balance(tokens, OPEN, CLOSE, SPECIAL_CASES)


def backward_pass(tokens: list[Token]) -> list[Token]:
    """Algorithm 3: every closing tag has its opening tag."""
    return _balance(reversed(tokens), CLOSE, OPEN, {})[::-1]


def _balance(tokens: Iterable[Token], opens: int, closes: int, special_cases: Mapping[str, SpecialCase]) -> list[Token]:
    """The tokens with a `closes` for each `opens`; comments give the lines of algorithm 2."""
    output: list[Token] = []
    stack: list[str] = []
    places: defaultdict[str, list[int]] = defaultdict(list)  # where on the stack each tag stands

    def close_down_to(place: int) -> None:
        while len(stack) > place:
            tag = stack.pop()  # 12
            places[tag].pop()
            output.append((closes, tag, ()))  # 14

    for item in tokens:  # 1
        what, tag, _ = item
        if what > CLOSE or tag in OPAQUE:  # 2: text, comments and empty elements as well
            output.append(item)  # 3
            continue
        if what == opens:  # 7
            case = special_cases.get(tag)  # 6
            if case is not None and (place := _find_closed(case, places)) is not None:
                close_down_to(place)
            places[tag].append(len(stack))
            stack.append(tag)  # 8
        elif places[tag]:  # 10
            close_down_to(places[tag][-1] + 1)  # 11 to 18
            stack.pop()
            places[tag].pop()
        output.append(item)  # 21
    close_down_to(0)
    return output


def _find_closed(case: SpecialCase, places: Mapping[str, list[int]]) -> int | None:
    """The place on the stack of the outermost element that the case closes."""
    candidates = [found for tag in case.closes if (found := places.get(tag))]
    if not candidates:
        return None
    bound = max((found[-1] for tag in case.up_to if (found := places.get(tag))), default=-1)
    inside = [found[bisect_right(found, bound)] for found in candidates if found[-1] > bound]
    return min(inside, default=None)


def frame(tokens: list[Token]) -> list[Token]:
    """The tokens inside one `html` with a `head` that has a `title`, and one `body`.

    >>> [name for _, name, _ in frame(read_tokens("<p>x"))]
    ['html', 'head', 'title', 'title', 'head', 'body', 'p', 'x', 'body', 'html']
    """
    start = _find_body(tokens)
    head, body = _unframed(tokens[:start]), _unframed(tokens[start:])
    titled = any(what == OPEN and name == "title" for what, name, _ in head)
    return [
        (OPEN, "html", _first_attributes(tokens, "html")),
        (OPEN, "head", _first_attributes(tokens[:start], "head")),
        *head,
        *([] if titled else [(OPEN, "title", ()), (CLOSE, "title", ())]),
        (CLOSE, "head", ()),
        (OPEN, "body", _first_attributes(tokens, "body")),
        *body,
        (CLOSE, "body", ()),
        (CLOSE, "html", ()),
    ]


def _find_body(tokens: list[Token]) -> int:
    """Where the head ends: at the body, or at the first thing that no head holds."""
    inside = ""
    for place, (what, name, _) in enumerate(tokens):
        if inside:
            inside = "" if (what, name) == (CLOSE, inside) else inside
        elif what == TEXT:
            if not name.isspace():
                return place
        elif what != COMMENT and name not in _FRAME and name not in _HEAD_CONTENT:
            return place
        elif (what, name) == (OPEN, "body"):
            return place
        elif what == OPEN and name in _HEAD_CONTENT:
            inside = name
    return len(tokens)


def _unframed(tokens: list[Token]) -> list[Token]:
    return [token for token in tokens if token[1] not in _FRAME or token[0] > CLOSE]


def _first_attributes(tokens: list[Token], tag: str) -> Attributes:
    return next((attributes for what, name, attributes in tokens if what == OPEN and name == tag), ())
