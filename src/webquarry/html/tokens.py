"""Read markup as columns of tokens, each already written as XHTML.

A token is a tag, an empty element or a comment, together with the text that follows it; its number is its place in the
columns. Callers that add tags work on lists of numbers, and a balanced list can be joined to a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from functools import partial
from operator import itemgetter
from typing import TypeVar

import turbohtml

from webquarry.html.parsing import DOCTYPE
from webquarry.html.xhtml import HARMLESS, INCOMPLETE, MAX_DEPTH, NAMED, Ids, complete_attributes, cut_value, pieces
from webquarry.html.xhtml_names import (
    DECLARABLE,
    NULL,
    QUOTE,
    XLINK,
    declare_prefixes,
    encode_declaration,
    encode_name,
    escape_quoted,
    escape_text,
    escape_value,
    is_legal,
    legal_comment,
    legal_text,
    prefix_of,
)


class What(IntEnum):
    """Kinds of tokens; the tags of opaque elements always come in pairs."""

    OPEN = 0
    CLOSE = 1
    OPAQUE_OPEN = 2
    OPAQUE_CLOSE = 3
    EMPTY = 4
    COMMENT = 5
    TEXT_ONLY = 6


OPEN, CLOSE, OPAQUE_OPEN, OPAQUE_CLOSE, EMPTY, COMMENT, TEXT_ONLY = map(int, What)
_TOKENS_AT_A_TIME = 100
_OPEN_THEN_CLOSE = re.compile(rb"[\x00\x02]\x06*[\x01\x03]")  # in the numbers of `What`; texts may be empty
Attributes = Sequence[tuple[str, str]]

VOID = frozenset(
    "area base basefont bgsound br col embed frame hr image img input isindex keygen link meta param source track "
    "wbr".split()
)
"""Elements that have no content, and so no closing tag."""

OPAQUE = frozenset(["script", "style"])
"""Elements whose content is not HTML."""

RAW = OPAQUE | frozenset("iframe noembed noframes textarea title xmp".split())
"""Elements whose content has no tags, so that a closing tag without its pair would only swallow what is before it."""

_KEPT = {(name, value): f"\0{name}" for name, value in DECLARABLE}  # names of declarations that are kept
_SECOND_LOOK = INCOMPLETE | {"xmlns", "xmlns:xlink"}
_NO_IDS = Ids([])
# turbohtml's tokenizer takes the content of `noscript` for text, as with scripting; under another name it does not.
_NOSCRIPT = re.compile(r"</?[nN][oO][sS][cC][rR][iI][pP][tT](?=[\s/>])")
_MARK = "\x01"  # which XML does not allow, so that pages lose nothing
_FOREIGN = re.compile(r"<(?:svg|math)[\s/>]", re.IGNORECASE)
_MISREAD = re.compile(r"<title|<!\[CDATA\[", re.IGNORECASE)
# What the tokenizer takes for text or for a comment in SVG and MathML, and comments and scripts, which are skipped.
# Each alternative ends at the end of the page at the latest, so that a page is searched once.
_FOREIGN_PARTS = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))|<(?P<raw>script|style|textarea|xmp)\b.*?(?:</(?P=raw)\b|\Z)"
    r"|<(?P<end>/?)(?:svg|math)(?=[\s/>])[^>]*?(?P<empty>/?)(?:>|\Z)"
    r"|(?P<title></?title)(?=[\s/>])"
    r"|<!\[CDATA\[(?P<text>.*?)(?:\]\]>|\Z)",
    re.IGNORECASE | re.DOTALL,
)


_Found = tuple[int, str, str]  # kind of the token, name of its element, XHTML
Made = TypeVar("Made")


class Tokens:
    """Tokens of a page: kind, name of the element, XHTML and the text that follows.

    >>> tokens = read_tokens("<p class=a>x<br></p>")
    >>> tokens.parts, tokens.tails
    (['', '<p class="a">', '<br/>', '</p>'], ['', 'x', '', ''])
    """

    def __init__(self) -> None:
        self.whats = bytearray()
        self.names: list[str] = []
        self.parts: list[str] = []
        self.tails: list[str] = []
        self.root_attributes: dict[str, str] = {}
        self.written_names = _Memo(_write_name)
        self.written_names.update({kept: name for (name, _), kept in _KEPT.items()})
        self._made: dict[tuple[int, str], int] = {}

    def __len__(self) -> int:
        return len(self.whats)

    def add(self, what: int, name: str, part: str, tail: str = "") -> int:
        """Add a token and return its number."""
        self.whats.append(what)
        self.names.append(name)
        self.parts.append(part)
        self.tails.append(tail)
        return len(self.whats) - 1

    def tag(self, what: int, name: str) -> int:
        """Return the number of a tag without attributes and text, which is made on first use."""
        number = self._made.get((what, name))
        if number is None:
            part = f"<{self.written_names[name]}>" if what == OPEN else f"</{self.written_names[name]}>"
            number = self._made[what, name] = self.add(what, name, part)
        return number


class _Memo(dict[str, Made]):
    """Values that are made from their keys on first use; `functools.cache` takes a call for each use."""

    def __init__(self, make: Callable[[str], Made]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: str) -> Made:
        self[key] = made = self._make(key)
        return made


def _write_name(name: str) -> str:
    return encode_declaration(name) if name == "xmlns" else encode_name(name.replace(_MARK, ""))


def read_tokens(markup: str) -> Tokens:
    """Read the tokens of markup; the first one only carries the text before any tag."""
    markup = _NOSCRIPT.sub(rf"\g<0>{_MARK}", markup.replace(_MARK, ""))
    foreign = _FOREIGN.search(markup)
    if foreign and _MISREAD.search(markup, foreign.end()):
        markup = markup[: foreign.start()] + _mark_foreign(markup[foreign.start() :])
    reader = _Reader(markup)
    tokenizer = turbohtml.Tokenizer()
    tokenizer.feed(markup)
    tokenizer.dispatch(reader)
    tokenizer.close()
    tokenizer.dispatch(reader)
    return reader.finish()


def _mark_foreign(markup: str) -> str:
    """Let the tokenizer read SVG and MathML as the standard does: `title` has elements, and a CDATA section is text.

    >>> _mark_foreign("<svg><![CDATA[a<b]]></svg><![CDATA[a<b]]>")
    '<svg>a&lt;b</svg><![CDATA[a<b]]>'
    """
    depth = 0

    def mark(found: re.Match[str]) -> str:
        nonlocal depth
        if found["end"] is not None:
            depth = max(0, depth - 1) if found["end"] else depth + (not found["empty"])
        elif depth and found["title"]:
            return found[0] + _MARK
        elif depth and found["text"] is not None:
            return escape_text(found["text"])
        return found[0]

    return _FOREIGN_PARTS.sub(mark, markup)


class _Reader:
    """Callbacks of turbohtml's tokenizer, with the names of `html.parser`.

    They are called for every tag, so they do little: two appends, and equal tags share all but their place. Texts and
    attribute values are escaped at the end, all together, which is many times faster.
    """

    def __init__(self, markup: str) -> None:
        self._tokens = tokens = Tokens()
        self._openings = _Memo(partial(_make_opening, tokens.written_names))
        self._closings = _Memo(partial(_make_closing, tokens.written_names))
        self._starts = _Memo(partial(_start_attribute, tokens.written_names))
        self._found: list[_Found] = [(TEXT_ONLY, "", "")]
        self._texts: list[str] = []  # with a mark for each token
        self._with_attributes: list[int] = []  # numbers of tokens
        self._insides: list[str] = []  # the content of their brackets, with a mark for each
        self._ids: list[str] = []
        self._without_id: list[tuple[int, str, dict[str, str]]] = []
        self._raw = ""  # open element that has no tags in it
        self._is_long = len(markup) > HARMLESS
        self._add, self._add_text = self._found.append, self._texts.append
        self.handle_data = self._handle_text_with_null if NULL in markup else self._texts.append

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        opening = self._openings[tag]
        if attrs:
            self._add_inside(tag, attrs, "/" if opening[0] == EMPTY else "")
        if tag in RAW:
            self._raw = tag
        self._add(opening)
        self._add_text(NULL)

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        what, name, part = self._openings[tag]
        if what != OPEN:
            self.handle_starttag(tag, attrs)
            return
        if attrs:
            self._add_inside(tag, attrs, "/")
        self._add((EMPTY, name, f"{part[:-1]}/>"))
        self._add_text(NULL)

    def handle_endtag(self, tag: str) -> None:
        if tag == self._raw:
            self._raw = ""
            self._add((OPAQUE_CLOSE if tag in OPAQUE else CLOSE, tag, f"</{tag}>"))
            self._add_text(NULL)
        elif closing := self._closings[tag]:
            self._add(closing)
            self._add_text(NULL)

    def handle_comment(self, data: str) -> None:
        data = data.replace(_MARK, "")
        self._add((COMMENT, "", "".join([f"<!--{legal_comment(piece)}-->" for piece in pieces(data)])))
        self._add_text(NULL)

    def handle_pi(self, data: str) -> None:
        self.handle_comment(f"?{data}?")

    def handle_decl(self, decl: str) -> None:
        """Ignore the doctype: ours replaces it."""

    def _handle_text_with_null(self, data: str) -> None:
        """Remove nulls, which only texts have: elsewhere the standard replaces them."""
        self._texts.append(data.replace(NULL, ""))

    def _add_inside(self, tag: str, attrs: Attributes, end: str) -> None:
        """Write the content of the brackets of the next token."""
        self._with_attributes.append(len(self._found))
        if tag == "html" and not self._tokens.root_attributes:
            self._tokens.root_attributes = dict(attrs)
        if self._is_long:
            attrs = [(name, cut_value(value)) for name, value in attrs]
        insides, starts = self._insides, self._starts
        begin = len(insides)
        insides.append(self._tokens.written_names[tag])
        for name, value in attrs:
            start = starts[name]
            if not start:
                del insides[begin:]
                self._add_completed(tag, dict(attrs))
                break
            if name == "id":
                self._ids.append(value)
            insides += start, value.replace('"', QUOTE) if '"' in value else value, '"'
        insides += end, NULL

    def _add_completed(self, tag: str, attributes: dict[str, str]) -> None:
        """Write the tag with the attributes that XHTML requires; an id is given when all ids are known."""
        if "id" in attributes:
            self._ids.append(attributes["id"])
        elif tag in NAMED and "name" in attributes:
            self._without_id.append((len(self._insides), tag, attributes))
            self._insides.append("")
            return
        self._insides.append(self._write(tag, complete_attributes(tag, attributes, _NO_IDS)))

    def _write(self, tag: str, attributes: dict[str, str]) -> str:
        written = self._tokens.written_names
        inside = [written[tag]]
        for name, value in attributes.items():
            quoted = value.replace('"', QUOTE)
            inside.append(f'{written[_KEPT.get((name, value), name)]}="{quoted}"')
        return " ".join(inside)

    def finish(self) -> Tokens:
        if self._raw:
            self.handle_endtag(self._raw)
        self._give_ids()
        tokens, found = self._tokens, self._found
        tokens.whats = bytearray(map(itemgetter(0), found))
        tokens.names = list(map(itemgetter(1), found))
        tokens.parts = parts = list(map(itemgetter(2), found))
        insides = escape_quoted("".join(self._insides).replace(_MARK, "")).split(NULL)
        for number, inside in zip(self._with_attributes, insides[:-1], strict=True):
            parts[number] = f"<{inside}>"
        texts = "".join(self._texts).replace(_MARK, "")
        tokens.tails = (
            list(map(_divide_and_escape, texts.split(NULL))) if self._is_long else escape_text(texts).split(NULL)
        )
        return tokens

    def _give_ids(self) -> None:
        ids = Ids(self._ids) if self._without_id else _NO_IDS
        for place, tag, attributes in self._without_id:
            self._insides[place] = self._write(tag, complete_attributes(tag, attributes, ids))


def _make_opening(written_names: _Memo[str], tag: str) -> _Found:
    """Make the start tag of an element without attributes."""
    what = EMPTY if tag in VOID else OPAQUE_OPEN if tag in OPAQUE else OPEN
    return what, tag.replace(_MARK, ""), f"<{written_names[tag]}{'/' if what == EMPTY else ''}>"


def _make_closing(written_names: _Memo[str], tag: str) -> _Found | None:
    """Make the end tag of an element; None for those that have none. `</br>` is a line break by the standard."""
    if tag == "br":
        return EMPTY, tag, "<br/>"
    return None if tag in VOID or tag in RAW else (CLOSE, tag.replace(_MARK, ""), f"</{written_names[tag]}>")


def _start_attribute(written_names: _Memo[str], name: str) -> str:
    """Write an attribute up to its value; nothing for those that need a second look."""
    return "" if name in _SECOND_LOOK else f' {written_names[name]}="'


def _divide_and_escape(text: str) -> str:
    return "<!---->".join(map(escape_text, pieces(text)))


def join_tokens(tokens: Tokens, sequence: Sequence[int]) -> str:
    """Write a balanced sequence of tokens as XHTML; its first and last are the tags of the root."""
    if _may_be_deep(tokens, sequence):
        sequence = list(_flattened(tokens, sequence))
    written = _join(tokens, tokens.parts, tokens.tails, sequence)
    if is_legal(written):
        return written
    return _join(tokens, list(map(legal_text, tokens.parts)), list(map(legal_text, tokens.tails)), sequence)


def _join(tokens: Tokens, parts: list[str], tails: list[str], sequence: Sequence[int]) -> str:
    """Join parts and texts; an element without content is written as an empty one."""
    pick = itemgetter(*sequence)
    written = [""] * (2 * len(sequence))
    written[::2] = pick(parts)
    written[1::2] = pick(tails)
    written[0] = DOCTYPE + legal_text(_root_tag(tokens))
    for pair in _OPEN_THEN_CLOSE.finditer(bytes(pick(tokens.whats))):
        opening, closing = 2 * pair.start(), 2 * pair.end() - 2
        if not any(written[opening + 1 : closing : 2]):
            written[opening] = f"{written[opening][:-1]}/>"
            written[closing] = ""
    return "".join(written)


def _root_tag(tokens: Tokens) -> str:
    names = tokens.written_names.values()
    attributes, declared = declare_prefixes(complete_attributes("html", tokens.root_attributes, Ids([])), names)
    attributes |= declared
    if "xlink" in map(prefix_of, names):
        attributes["xmlns:xlink"] = XLINK
    written = [f' {name}="{escape_value(cut_value(value))}"' for name, value in attributes.items()]
    return "<html" + "".join(written) + ">"


def _may_be_deep(tokens: Tokens, sequence: Sequence[int]) -> bool:
    """Tell whether some element may be too deep: a stretch of tokens goes no deeper than it is long."""
    whats = bytes(itemgetter(*sequence)(tokens.whats))
    depth = 0
    for start in range(0, len(whats), _TOKENS_AT_A_TIME):
        if depth + _TOKENS_AT_A_TIME > MAX_DEPTH:
            return True
        stretch = whats[start : start + _TOKENS_AT_A_TIME]
        depth += stretch.count(OPEN) + stretch.count(OPAQUE_OPEN) - stretch.count(CLOSE) - stretch.count(OPAQUE_CLOSE)
    return False


def _flattened(tokens: Tokens, sequence: Iterable[int]) -> Iterator[int]:
    """Move elements that are too deep behind their parents, as `xhtml_limits.flatten` does."""
    depth = 0
    lowest = ""  # open element on the last allowed level
    for number in sequence:
        what = tokens.whats[number]
        depth += what == OPEN
        if what > CLOSE or depth < MAX_DEPTH:
            yield number
        else:
            if lowest:
                yield tokens.tag(CLOSE, lowest)
            lowest = tokens.names[number] if what == OPEN else ""
            yield number if lowest else tokens.add(TEXT_ONLY, "", "", tokens.tails[number])
        depth -= what == CLOSE
