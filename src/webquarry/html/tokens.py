"""Markup as columns of tokens, each already written as XHTML.

A token is a tag, an empty element or a comment, together with the text that follows it; its number
is its place in the columns.  Whoever adds tags works on lists of numbers, and a balanced list of
them can be joined to a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import accumulate

import turbohtml

from webquarry.html.characters import escape_texts, escape_values, is_legal, legal_comment, legal_text
from webquarry.html.flattening import MAX_DEPTH
from webquarry.html.limits import HARMLESS, MAX_CHARACTERS, cut_value, pieces
from webquarry.html.names import encode_name, prefix_of
from webquarry.html.namespaces import DECLARABLE, XLINK, declare_prefixes, encode_declaration
from webquarry.html.parsing import DOCTYPE
from webquarry.html.xhtml import INCOMPLETE, Ids, complete_attributes


class What(IntEnum):
    """What a token is; the tags of opaque elements come in pairs and so need no care."""

    OPEN = 0
    CLOSE = 1
    OPAQUE_OPEN = 2
    OPAQUE_CLOSE = 3
    EMPTY = 4
    COMMENT = 5
    TEXT_ONLY = 6


OPEN, CLOSE, OPAQUE_OPEN, OPAQUE_CLOSE, EMPTY, COMMENT, TEXT_ONLY = map(int, What)
_LEVELS = (1, -1, 1, -1, 0, 0, 0)
Attributes = Sequence[tuple[str, str]]

VOID = frozenset(
    "area base basefont bgsound br col embed frame hr image img input isindex keygen link meta param source track "
    "wbr".split()
)
"""Elements that have no content, and so no closing tag."""

OPAQUE = frozenset(["script", "style"])
"""Elements whose content is no HTML."""


_OPENS, _CLOSES = (OPEN, OPAQUE_OPEN), (CLOSE, OPAQUE_CLOSE)
_KEPT = {(name, value): f"\0{name}" for name, value in DECLARABLE}  # names of declarations that stay
_SECOND_LOOK = INCOMPLETE | {"xmlns", "xmlns:xlink"}


class Tokens:
    """The tokens of a page: what each is, the name of its element, how it is written, and the texts
    that follow it, from `starts` to before `stops`.

    >>> tokens = read_tokens("<p class=a>x<br></p>")
    >>> tokens.parts, tokens.texts
    (['', '<p class="a">', '<br/>', '</p>'], ['x'])
    """

    def __init__(self) -> None:
        self.whats: list[int] = []
        self.names: list[str] = []
        self.parts: list[str] = []
        self.starts: list[int] = []
        self.stops: list[int] = []
        self.texts: list[str] = []
        self.root_attributes: dict[str, str] = {}
        self.written_names = _WrittenNames({kept: name for (name, _), kept in _KEPT.items()})
        self._made: dict[tuple[int, str], int] = {}

    def __len__(self) -> int:
        return len(self.whats)

    def add(self, what: int, name: str, part: str, texts: range = range(0)) -> int:
        """Add a token and give its number."""
        self.whats.append(what)
        self.names.append(name)
        self.parts.append(part)
        self.starts.append(texts.start)
        self.stops.append(texts.stop)
        return len(self.whats) - 1

    def texts_after(self, number: int) -> range:
        """Where the texts stand that follow a token."""
        return range(self.starts[number], self.stops[number])

    def tag(self, what: int, name: str) -> int:
        """The number of a tag without attributes and text, which is made when first asked for."""
        number = self._made.get((what, name))
        if number is None:
            part = f"<{self.written_names[name]}>" if what == OPEN else f"</{self.written_names[name]}>"
            number = self._made[what, name] = self.add(what, name, part)
        return number


class _WrittenNames(dict[str, str]):
    """Names in XML by their names in HTML, worked out when first asked for."""

    def __missing__(self, name: str) -> str:
        self[name] = written = encode_declaration(name) if name == "xmlns" else encode_name(name)
        return written


def read_tokens(markup: str) -> Tokens:
    """The tokens of the markup, in order; the first one only carries the text before any tag."""
    reader = _Reader()
    tokenizer = turbohtml.Tokenizer()
    tokenizer.feed(markup)
    tokenizer.dispatch(reader)
    tokenizer.close()
    tokenizer.dispatch(reader)
    return reader.finish()


class _Reader:
    """Tokens as turbohtml finds them; it calls the methods, whose names are those of `html.parser`.

    Texts and attribute values are escaped at the end, all together, which is many times faster.
    """

    def __init__(self) -> None:
        self._tokens = tokens = Tokens()
        self._written = tokens.written_names
        self._attributes: dict[int, Attributes] = {}
        self._opaque = ""  # the opaque element that is open
        self._whats, self._names, self._parts = tokens.whats, tokens.names, tokens.parts
        self._starts, self._texts = tokens.starts, tokens.texts
        self.handle_data = tokens.texts.append
        self._add(TEXT_ONLY, "", "")

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        if attrs:
            self._attributes[len(self._whats)] = attrs
        if tag in VOID:
            self._add(EMPTY, tag, f"<{self._written[tag]}/>")
        elif tag in OPAQUE:
            self._opaque = tag
            self._add(OPAQUE_OPEN, tag, f"<{tag}>")
        else:
            self._add(OPEN, tag, f"<{self._written[tag]}>")

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        if tag in OPAQUE:
            self.handle_starttag(tag, attrs)
            return
        if attrs:
            self._attributes[len(self._whats)] = attrs
        self._add(EMPTY, tag, f"<{self._written[tag]}/>")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._opaque:
            self._opaque = ""
            self._add(OPAQUE_CLOSE, tag, f"</{tag}>")
        elif tag == "br":
            self._add(EMPTY, tag, "<br/>")
        elif tag not in VOID and tag not in OPAQUE:
            self._add(CLOSE, tag, f"</{self._written[tag]}>")

    def handle_comment(self, data: str) -> None:
        self._add(COMMENT, "", "".join([f"<!--{legal_comment(piece)}-->" for piece in pieces(data)]))

    def handle_pi(self, data: str) -> None:
        self.handle_comment(f"?{data}?")

    def handle_decl(self, decl: str) -> None:
        """A doctype is no token: ours replaces it."""

    def _add(self, what: int, name: str, part: str) -> None:
        self._whats.append(what)
        self._names.append(name)
        self._parts.append(part)
        self._starts.append(len(self._texts))

    def finish(self) -> Tokens:
        if self._opaque:
            self.handle_endtag(self._opaque)
        tokens = self._tokens
        tokens.stops = [*tokens.starts[1:], len(tokens.texts)]
        if max(map(len, tokens.texts), default=0) > MAX_CHARACTERS:
            tokens.texts = ["<!---->".join(escape_texts(list(pieces(text)))) for text in tokens.texts]
        else:
            tokens.texts = escape_texts(tokens.texts)
        roots = (listed for number, listed in self._attributes.items() if tokens.names[number] == "html")
        tokens.root_attributes = dict(next(roots, ()))
        self._write_attributes()
        return tokens

    def _write_attributes(self) -> None:
        """Put the attributes into their tags, with what XHTML asks for beside them."""
        completed = self._complete_attributes()
        raw = [value for listed in completed for _, value in listed]
        values = iter(escape_values(list(map(cut_value, raw)) if max(map(len, raw), default=0) > HARMLESS else raw))
        parts, written = self._parts, self._written
        for number, listed in zip(self._attributes, completed, strict=True):
            attributes = "".join([f' {written[name]}="{next(values)}"' for name, _ in listed])
            part = parts[number]
            end = -2 if part[-2] == "/" else -1
            parts[number] = part[:end] + attributes + part[end:]

    def _complete_attributes(self) -> list[Attributes]:
        ids = Ids(value for listed in self._attributes.values() for name, value in listed if name == "id")
        completed: list[Attributes] = []
        for number, listed in self._attributes.items():
            for name, _ in listed:
                if name in _SECOND_LOOK:
                    whole = complete_attributes(self._names[number], dict(listed), ids).items()
                    completed.append([(_KEPT.get((name, value), name), value) for name, value in whole])
                    break
            else:
                completed.append(listed)
        return completed


def join_tokens(tokens: Tokens, sequence: Sequence[int]) -> str:
    """The tokens of a sequence as XHTML.  It is balanced, and its first and last are the tags of the root."""
    content = sequence[1:]
    if _depth(tokens, sequence) > MAX_DEPTH:
        content = list(_flattened(tokens, content))
    written = _join(tokens, tokens.parts, tokens.texts, content)
    if is_legal(written):
        return written
    return _join(tokens, list(map(legal_text, tokens.parts)), list(map(legal_text, tokens.texts)), content)


def _join(tokens: Tokens, parts: list[str], texts: list[str], sequence: Iterable[int]) -> str:
    """The parts and texts together; an element without content is written as an empty one."""
    whats, starts, stops = tokens.whats, tokens.starts, tokens.stops
    written = [DOCTYPE, legal_text(_root_tag(tokens))]
    just_opened = False
    for number in sequence:
        what = whats[number]
        if just_opened and what in _CLOSES:
            written[-1] = f"{written[-1][:-1]}/>"
            just_opened = False
        elif part := parts[number]:
            written.append(part)
            just_opened = what in _OPENS
        start, stop = starts[number], stops[number]
        if start != stop:
            text = "".join(texts[start:stop])
            if text:
                written.append(text)
                just_opened = False
    return "".join(written)


def _root_tag(tokens: Tokens) -> str:
    names = tokens.written_names.values()
    attributes = declare_prefixes(complete_attributes("html", tokens.root_attributes, Ids([])), names)
    if "xlink" in map(prefix_of, names):
        attributes["xmlns:xlink"] = XLINK
    escaped = escape_values([cut_value(value) for value in attributes.values()])
    written = [f' {name}="{value}"' for name, value in zip(attributes, escaped, strict=True)]
    return "<html" + "".join(written) + ">"


def _depth(tokens: Tokens, sequence: Sequence[int]) -> int:
    whats = tokens.whats
    return max(accumulate([_LEVELS[whats[number]] for number in sequence]))


def _flattened(tokens: Tokens, sequence: Iterable[int]) -> Iterator[int]:
    """The sequence, with elements that are too deep behind the ones that hold them; see `flattening`."""
    depth = 1  # the root
    lowest = ""  # the element that is open on the last allowed level
    for number in sequence:
        what = tokens.whats[number]
        depth += what == OPEN
        if what > CLOSE or depth < MAX_DEPTH:
            yield number
        else:
            if lowest:
                yield tokens.tag(CLOSE, lowest)
            lowest = tokens.names[number] if what == OPEN else ""
            yield number if lowest else tokens.add(TEXT_ONLY, "", "", tokens.texts_after(number))
        depth -= what == CLOSE
