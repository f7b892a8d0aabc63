"""Build the tree of a page with Python's standard library alone, for parsers that run without webquarry.

It follows the rules of the HTML standard that pages need: implied elements and end tags, formatting that is re-opened
in later elements, misnested end tags (the adoption agency), and content that tables push out before themselves.  Left
out are frames, templates, foreign elements and the details of `select`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from typing import Any

from webquarry.page.trees import ANCHOR, BREAKING_TAGS, ODD_ATTRIBUTES, Leaf, Marks, is_blank

_VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)
_HEAD = frozenset("base basefont bgsound link meta noframes script style template title".split())
_FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_CLOSING_P = (
    frozenset(
        "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form "
        "header hgroup hr listing main menu nav ol p plaintext pre search section summary table ul xmp dd dt li".split()
    )
    | _HEADINGS
)
_SPECIAL = (
    _CLOSING_P
    | _VOID
    | _HEAD
    | frozenset(
        "applet body button caption colgroup head html iframe marquee noembed noscript object select tbody td textarea "
        "tfoot th thead tr".split()
    )
)
_SCOPE = frozenset("applet caption html table td th marquee object template".split())
_TABLE_SCOPE = frozenset(["html", "table", "template"])
_TABLE_PARTS = frozenset(["table", "tbody", "tfoot", "thead", "tr"])
_SECTIONS = frozenset(["tbody", "tfoot", "thead"])
_CELLS = frozenset(["td", "th"])
_ENDS_CELL = frozenset("caption col colgroup tbody td tfoot th thead tr".split())
_MAX_ADOPTIONS = 8  # of the standard, as the next one
_MAX_INNER = 3
_QUIRKY = re.compile(
    r"^(?!html)|//dtd (?:html (?:2|3)|html 4\.0 (?:transitional|frameset)|w3 html)|//ietf//dtd html"
    r"|//dtd html 4\.01 (?:transitional|frameset)//[^\"']*[\"']\s*$"
)
"""Doctypes, in lower case, of pages that browsers lay out as in the nineties."""
_DROPS_FIRST_LINE = frozenset(["pre", "listing", "textarea"])


class Element:
    """An element with its children."""

    __slots__ = ("attributes", "children", "parent", "tag")

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag, self.attributes = tag, attributes
        self.parent: Element | None = None
        self.children: list[Element | Text] = []


class Text:
    """A text in an element."""

    __slots__ = ("data", "parent")

    def __init__(self, data: str, parent: Element) -> None:
        self.data, self.parent = data, parent


class _Builder(HTMLParser):
    """Builds the tree; each method is a rule of the standard."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.html = Element("html", {})
        self._head = self._append(self.html, Element("head", {}))
        self._body: Element | None = None
        self._open: list[Element] = [self.html]
        self._formatting: list[Element | None] = []
        """Formatting elements to re-open; None marks the start of a cell."""
        self._raw: Element | None = None
        self._drops_line = False
        self._is_parted = False
        """Whether a comment parts the next text from the one before."""
        self._is_quirky = True
        """Whether tables may be in paragraphs, as in pages without a modern doctype."""

    def handle_decl(self, decl: str) -> None:
        """Take a doctype."""
        name, _, rest = decl.strip().partition(" ")
        if name.lower() == "doctype" and self._body is None:
            self._is_quirky = _QUIRKY.search(rest.lower()) is not None

    def handle_comment(self, data: str) -> None:  # noqa: ARG002 - what it says is not shown
        """Part the texts around a comment."""
        self._is_parted = True

    # Texts

    def handle_data(self, data: str) -> None:
        """Insert a text."""
        data = data.replace("\0", "")
        if self._drops_line:
            self._drops_line, data = False, data.removeprefix("\n")
        if not data:
            return
        if self._raw is not None:
            self._add_text(self._raw, len(self._raw.children), data)
            return
        if self._body is None:
            data = data.lstrip(" \t\n\r\f")
            if not data:
                return
            self._start_body({})
        if self._current.tag in _TABLE_PARTS:
            if not data.strip(" \t\n\r\f"):
                self._add_text(self._current, len(self._current.children), data)
                return
            self._reopen(is_fostered=True)
            self._add_text(*self._place(is_fostered=True), data)
            return
        self._reopen()
        self._add_text(*self._place(), data)

    def _add_text(self, parent: Element, place: int, data: str) -> None:
        before = parent.children[place - 1] if place else None
        is_parted, self._is_parted = self._is_parted, False
        if isinstance(before, Text) and not is_parted:
            before.data += data
        else:
            parent.children.insert(place, Text(data, parent))

    # Start tags

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Treat `<p/>` as `<p>`, as browsers do."""
        self.handle_starttag(tag, attrs)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Insert an element where the standard puts it."""
        self._drops_line = False
        attributes: dict[str, str] = {}
        for name, value in attrs:
            attributes.setdefault(name, value or "")
        tag = "img" if tag == "image" else tag
        if tag == "html":
            self.html.attributes = {**attributes, **self.html.attributes}
        elif tag == "body":
            self._start_body(attributes)
        elif tag == "head":
            return
        elif self._body is None and (tag in _HEAD or tag == "noscript"):
            element = self._append(self._head, Element(tag, attributes))
            self._raw = None if tag in _VOID else element
        else:
            if self._body is None:
                self._start_body({})
            self._start(tag, attributes)

    def _start_body(self, attributes: dict[str, str]) -> None:
        if self._body is None:
            self._raw = None
            self._body = self._append(self.html, Element("body", attributes))
            self._open.append(self._body)
        else:
            self._body.attributes = {**attributes, **self._body.attributes}

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in _ENDS_CELL and self._start_table_part(tag, attributes):
            return
        if tag in ("frame", "frameset"):
            return
        is_fostered = self._current.tag in _TABLE_PARTS
        if is_fostered:
            if tag == "table":
                self._close_to("table")
                is_fostered = self._current.tag in _TABLE_PARTS
            elif tag in ("script", "style", "template") or (
                tag == "input" and attributes.get("type", "").lower() == "hidden"
            ):
                is_fostered = False
            elif tag == "form":
                self._append(self._current, Element(tag, attributes))
                return
        self._close_before(tag)
        if tag in _FORMATTING or tag not in _SPECIAL or tag in ("br", "img", "input", "wbr", "embed", "area", "button"):
            self._reopen(is_fostered=is_fostered)
        element = Element(tag, attributes)
        self._insert(element, *self._place(is_fostered=is_fostered))
        if tag in _VOID:
            return
        self._open.append(element)
        if tag in _FORMATTING:
            self._formatting.append(element)
        self._drops_line = tag in _DROPS_FIRST_LINE

    def _start_table_part(self, tag: str, attributes: dict[str, str]) -> bool:
        """Insert a part of a table with what it implies; True if that is all, or if the tag means nothing here."""
        cell = self._in_scope(*_CELLS, scope=_TABLE_SCOPE)
        if cell is not None:
            self._close_cell(cell)
        elif (caption := self._in_scope("caption", scope=_TABLE_SCOPE)) is not None:
            self._close_cell(caption)
        if self._in_scope("table", scope=_TABLE_SCOPE) is None:
            return True
        if tag in _CELLS:
            self._pop_to("tr", *_SECTIONS, "table")
            if self._current.tag != "tr":
                self._start_table_part("tr", {})
        elif tag == "tr":
            self._pop_to(*_SECTIONS, "table")
            if self._current.tag == "table":
                self._push("tbody", {})
        else:
            self._pop_to("table")
        if tag == "col":
            self._push("colgroup", {})
            self._append(self._current, Element("col", attributes))
            self._open.pop()
            return True
        self._push(tag, attributes)
        if tag in _CELLS or tag == "caption":
            self._formatting.append(None)
        return True

    def _close_before(self, tag: str) -> None:
        """Close what a start tag ends."""
        if tag == "li":
            self._close_item("li")
        elif tag in ("dd", "dt"):
            self._close_item("dd", "dt")
        elif tag in ("option", "optgroup") and self._current.tag == "option":
            self._open.pop()
        elif tag == "a":
            older = next((each for each in self._since_marker() if each.tag == "a"), None)
            if older is not None:
                self._adopt("a")
                self._forget(older)
        elif tag == "nobr" and self._in_scope("nobr") is not None:
            self._adopt("nobr")
        elif tag == "button" and self._in_scope("button") is not None:
            self._close_to("button")
        is_in_p = tag == "table" and self._is_quirky
        if tag in _CLOSING_P and not is_in_p and self._in_scope("p", scope=_SCOPE | {"button"}) is not None:
            self._close_to("p")
        if tag in _HEADINGS and self._current.tag in _HEADINGS:
            self._open.pop()

    def _close_item(self, *tags: str) -> None:
        for element in reversed(self._open):
            if element.tag in tags:
                self._close_to(element.tag)
                return
            if element.tag in _SPECIAL and element.tag not in ("address", "div", "p"):
                return

    # End tags

    def handle_endtag(self, tag: str) -> None:
        """Close an element as the standard does."""
        self._drops_line = False
        if self._raw is not None and tag == self._raw.tag:
            self._raw = None
            return
        if tag in ("br", "p"):
            self._end_unopened(tag)
        elif self._body is None or tag in ("html", "body", "head") or tag in _VOID:
            return
        elif tag in _FORMATTING:
            self._adopt(tag)
        elif tag in _TABLE_PARTS or tag in _CELLS or tag == "caption":
            self._end_table_part(tag)
        elif tag in _SPECIAL:
            found = self._in_scope(*(_HEADINGS if tag in _HEADINGS else (tag,)))
            if found is not None:
                self._pop_through(found)
        else:
            self._end_other(tag)

    def _end_unopened(self, tag: str) -> None:
        """Close a `p`, which an end tag alone makes; `</br>` is a break."""
        if self._body is None:
            if tag == "p":
                return
            self._start_body({})
        if tag == "br" or self._in_scope("p", scope=_SCOPE | {"button"}) is None:
            self._start(tag, {})
        if tag == "p":
            self._close_to("p")

    def _end_table_part(self, tag: str) -> None:
        """Close a part of a table, after the cell or caption that is open in it."""
        if self._in_scope(tag, scope=_TABLE_SCOPE) is None:
            return
        inner = (tag,) if tag in _CELLS or tag == "caption" else (*_CELLS, "caption")
        cell = self._in_scope(*inner, scope=_TABLE_SCOPE)
        if cell is not None:
            self._close_cell(cell)
        found = self._in_scope(tag, scope=_TABLE_SCOPE) if tag in _TABLE_PARTS else None
        if found is not None:
            self._pop_through(found)

    def _end_other(self, tag: str) -> None:
        for element in reversed(self._open):
            if element.tag == tag:
                self._pop_through(element)
                return
            if element.tag in _SPECIAL:
                return

    def _close_cell(self, cell: Element) -> None:
        self._pop_through(cell)
        while self._formatting and self._formatting.pop() is not None:
            pass

    # The stack of open elements

    @property
    def _current(self) -> Element:
        return self._open[-1]

    def _push(self, tag: str, attributes: dict[str, str]) -> None:
        self._open.append(self._append(self._current, Element(tag, attributes)))

    def _pop_to(self, *tags: str) -> None:
        while self._current.tag not in tags and self._current.tag != "html":
            self._open.pop()

    def _pop_through(self, element: Element) -> None:
        while self._open.pop() is not element:
            pass

    def _close_to(self, tag: str) -> None:
        """Close the innermost open element of a name, and all in it."""
        found = next((each for each in reversed(self._open) if each.tag == tag), None)
        if found is not None:
            self._pop_through(found)

    def _in_scope(self, *tags: str, scope: frozenset[str] = _SCOPE) -> Element | None:
        for element in reversed(self._open):
            if element.tag in tags:
                return element
            if element.tag in scope:
                return None
        return None

    # Places in the tree

    def _append(self, parent: Element, child: Element) -> Element:
        self._insert(child, parent, len(parent.children))
        return child

    def _insert(self, child: Element, parent: Element, place: int) -> None:
        if child.parent is not None:
            child.parent.children.remove(child)
        child.parent = parent
        parent.children.insert(place, child)

    def _place(self, *, is_fostered: bool = False, holder: Element | None = None) -> tuple[Element, int]:
        """Find where a node goes: into the current element, or before the table that cannot hold it."""
        parent = holder or self._current
        if is_fostered and parent.tag in _TABLE_PARTS:
            table = next((each for each in reversed(self._open) if each.tag == "table"), None)
            if table is not None and table.parent is not None:
                return table.parent, table.parent.children.index(table)
        return parent, len(parent.children)

    # Formatting elements

    def _since_marker(self) -> Iterator[Element]:
        for element in reversed(self._formatting):
            if element is None:
                return
            yield element

    def _forget(self, element: Element) -> None:
        if element in self._formatting:
            self._formatting.remove(element)
        if element in self._open:
            self._open.remove(element)

    def _reopen(self, *, is_fostered: bool = False) -> None:
        """Open again the formatting elements that an end tag of another element closed."""
        start = len(self._formatting)
        while start and (entry := self._formatting[start - 1]) is not None and entry not in self._open:
            start -= 1
        for place in range(start, len(self._formatting)):
            entry = self._formatting[place]
            if entry is not None:
                clone = Element(entry.tag, dict(entry.attributes))
                self._insert(clone, *self._place(is_fostered=is_fostered))
                self._open.append(clone)
                self._formatting[place] = clone

    def _adopt(self, tag: str) -> None:
        """Close a formatting element that other elements may have been opened in (the adoption agency)."""
        if self._current.tag == tag and self._current not in self._formatting:
            self._open.pop()
            return
        for _ in range(_MAX_ADOPTIONS):
            found = next((each for each in self._since_marker() if each.tag == tag), None)
            if found is None:
                self._end_other(tag)
                return
            if found not in self._open:
                self._formatting.remove(found)
                return
            if self._in_scope(tag) is None:
                return
            at = self._open.index(found)
            block = next((each for each in self._open[at + 1 :] if each.tag in _SPECIAL), None)
            if block is None:
                self._pop_through(found)
                self._formatting.remove(found)
                return
            self._move_out(found, block)

    def _move_out(self, found: Element, block: Element) -> None:
        """Let a block that began in a formatting element go on behind it, with the formatting inside."""
        common = self._open[self._open.index(found) - 1]
        bookmark = self._formatting.index(found)
        last, place, inner = block, self._open.index(block), 0
        while True:
            place -= 1
            node = self._open[place]
            if node is found:
                break
            inner += 1
            if node in self._formatting and inner > _MAX_INNER:
                if self._formatting.index(node) < bookmark:
                    bookmark -= 1
                self._formatting.remove(node)
            if node not in self._formatting:
                self._open.remove(node)
                continue
            clone = Element(node.tag, dict(node.attributes))
            self._formatting[self._formatting.index(node)] = clone
            self._open[place] = clone
            if last is block:
                bookmark = self._formatting.index(clone) + 1
            self._insert(last, clone, len(clone.children))
            last = clone
        if last.parent is not None:
            last.parent.children.remove(last)
            last.parent = None
        self._insert(last, *self._place(is_fostered=True, holder=common))
        clone = Element(found.tag, dict(found.attributes))
        clone.children, block.children = block.children, []
        for child in clone.children:
            child.parent = clone
        self._append(block, clone)
        if self._formatting.index(found) < bookmark:
            bookmark -= 1
        self._formatting.remove(found)
        self._formatting.insert(bookmark, clone)
        self._open.remove(found)
        self._open.insert(self._open.index(block) + 1, clone)


class StandardTree:
    """The tree of some markup (a `webquarry.page.trees.Tree`)."""

    def __init__(self, markup: str) -> None:
        builder = _Builder()
        builder.feed(markup.replace("\r\n", "\n").replace("\r", "\n"))
        builder.close()
        self._root = builder.html

    def _walk(self, roots: Sequence[Any]) -> Iterator[Element | Text]:
        """Iterate over nodes in document order, without recursion: pages may be nested thousands deep."""
        waiting: list[Element | Text] = list(reversed(roots))
        while waiting:
            node = waiting.pop()
            yield node
            if isinstance(node, Element):
                waiting += reversed(node.children)

    def leaves(self, roots: Sequence[Any] = (), most: int | None = None) -> list[Leaf]:
        """List texts and breaks in document order, of some elements or of all; at most `most`, if given."""
        found: list[Leaf] = []
        is_spaced = False
        for node in self._walk(roots or [self._root]):
            if isinstance(node, Element):
                if node.tag not in BREAKING_TAGS or node in roots:
                    continue
                text = BREAKING_TAGS[node.tag]
            elif is_blank(node.data):
                is_spaced = True
                continue
            else:
                text = node.data
            found.append((node, text, node.parent, is_spaced))
            is_spaced = False
            if len(found) == most:
                break
        return found

    def marks(self, element: Element) -> Marks:
        """Read the marks of an element."""
        own, tag = element.attributes, element.tag
        odd = tuple(map(own.get, ODD_ATTRIBUTES[tag])) if tag in ODD_ATTRIBUTES else ()
        if tag == "a" and "href" not in own:
            tag = ANCHOR
        return tag, own.get("class"), own.get("style"), own.get("hidden"), odd

    def tag(self, element: Element) -> str:
        """Return the name of an element."""
        return element.tag

    def attribute(self, element: Element, name: str) -> str | None:
        """Return an attribute of an element; None if it has none of that name."""
        return element.attributes.get(name)

    def parent(self, element: Element) -> Element | None:
        """Find the element that holds an element; None for the outermost."""
        return element.parent

    def children(self, element: Element | None) -> list[Element]:
        """List the elements directly in an element, or the outermost ones."""
        if element is None:
            return [self._root]
        return [child for child in element.children if isinstance(child, Element)]

    def has(self, element: Element, tag: str) -> bool:
        """Tell whether an element contains one with this name."""
        return any(
            isinstance(node, Element) and node.tag == tag and node is not element for node in self._walk([element])
        )

    def named(self, tag: str) -> list[Element]:
        """List the elements with a name, in document order."""
        return [node for node in self._walk([self._root]) if isinstance(node, Element) and node.tag == tag]

    def xpath(self, element: Element) -> str:
        """Return the absolute XPath of an element."""
        steps: list[str] = []
        here: Element | None = element
        while here is not None:
            around = here.parent
            alike = [each for each in self.children(around) if each.tag == here.tag]
            steps.append(here.tag if len(alike) == 1 else f"{here.tag}[{alike.index(here) + 1}]")
            here = around
        return "/" + "/".join(reversed(steps))
