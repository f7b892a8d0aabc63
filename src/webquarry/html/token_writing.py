"""A list of balanced tokens to XHTML that every XML reader accepts."""

from __future__ import annotations

from collections.abc import Sequence

from webquarry.html.characters import escape_text, escape_value, legal_comment, legal_text
from webquarry.html.flattening import MAX_DEPTH
from webquarry.html.limits import cut_value, is_long, pieces
from webquarry.html.names import encode_name
from webquarry.html.namespaces import MATHML, SVG, XHTML, XLINK, declare_prefixes, encode_declaration
from webquarry.html.parsing import DOCTYPE
from webquarry.html.tokens import CLOSE, COMMENT, EMPTY, OPEN, TEXT, Attributes, Token
from webquarry.html.xhtml import INCOMPLETE, Ids, complete_attributes

_DECLARABLE = frozenset([("xmlns", XHTML), ("xmlns", SVG), ("xmlns", MATHML), ("xmlns:xlink", XLINK)])


def write_xhtml(tokens: Sequence[Token]) -> str:
    """The tokens as XHTML.  They are balanced, and the first and the last are the tags of the root."""
    writer = _Writer(tokens)
    for what, value, attributes in tokens:
        if what == TEXT:
            writer.text(value)
        elif what == OPEN:
            writer.open(value, attributes)
        elif what == CLOSE:
            writer.close(value)
        elif what == EMPTY:
            writer.open(value, attributes)
            writer.close(value)
        elif what == COMMENT:
            writer.comment(value)
    return writer.result()


class _Writer:
    """Parts of the output.  An element below the last allowed level is written behind the one that
    holds it, as `flattening` does with trees."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._parts: list[str] = []
        self._names: dict[str, str] = {}
        self._depth = 0
        self._lowest = ""  # the element that is open on the last allowed level
        self._just_opened = False
        self._given_ids: Ids | None = None

    def text(self, text: str) -> None:
        if is_long(text):
            self._parts.append("<!---->".join(map(escape_text, pieces(text))))
        elif text:
            self._parts.append(escape_text(text))
        self._just_opened = self._just_opened and not text

    def comment(self, text: str) -> None:
        for piece in pieces(text) if is_long(text) else (text,):
            self._parts.append(f"<!--{legal_comment(piece)}-->")
        self._just_opened = False

    def open(self, tag: str, attributes: Attributes) -> None:
        name = self._name(tag)
        self._depth += 1
        if self._depth >= MAX_DEPTH:
            self._end_lowest()
            self._lowest = name
        if attributes and any(key in INCOMPLETE for key, _ in attributes):
            attributes = tuple(complete_attributes(tag, dict(attributes), self._ids()).items())
        self._parts.append(f"<{name}{''.join(map(self._attribute, attributes))}>")
        self._just_opened = True

    def close(self, tag: str) -> None:
        self._depth -= 1
        if self._depth + 1 >= MAX_DEPTH:
            self._end_lowest()
        else:
            self._end(self._name(tag))

    def result(self) -> str:
        root = dict(self._tokens[0][2])
        attributes = declare_prefixes(complete_attributes("html", root, Ids([])), self._names.values())
        written = "".join(f' {self._name(name)}="{escape_value(value)}"' for name, value in attributes.items())
        self._parts[0] = f"{DOCTYPE}<html{written}>"
        return legal_text("".join(self._parts))

    def _end_lowest(self) -> None:
        if self._lowest:
            self._end(self._lowest)
            self._lowest = ""

    def _end(self, name: str) -> None:
        if self._just_opened:
            self._parts[-1] = f"{self._parts[-1][:-1]}/>"
        else:
            self._parts.append(f"</{name}>")
        self._just_opened = False

    def _name(self, name: str) -> str:
        encoded = self._names.get(name)
        if encoded is None:
            encoded = self._names[name] = encode_name(name)
        return encoded

    def _ids(self) -> Ids:
        if self._given_ids is None:
            self._given_ids = Ids(value for token in self._tokens for name, value in token[2] if name == "id")
        return self._given_ids

    def _attribute(self, attribute: tuple[str, str]) -> str:
        name, value = attribute
        is_declaration = name.startswith("xmlns") and (name == "xmlns" or name[5] == ":")
        if is_declaration and attribute not in _DECLARABLE:
            return f' {encode_declaration(name)}="{escape_value(cut_value(value))}"'
        return f' {self._name(name)}="{escape_value(cut_value(value))}"'
