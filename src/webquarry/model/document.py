"""The tree of a page.

Modules that need NumPy are imported in methods: it is slow to import, and cleaning does without.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

from webquarry.html.urls import find_web_address
from webquarry.html.xhtml import to_xhtml
from webquarry.model.nouns import EqualByFields, same_fields
from webquarry.model.wording import shorten

if TYPE_CHECKING:
    import lxml.html
    import numpy as np
    from numpy.typing import NDArray

    from webquarry.html.columns import Attributes, Columns
    from webquarry.html.node_paths import Addresses


@dataclass(frozen=True)
class Document:  # noqa: PLW1641 - dataclass makes the hash, of markup, method and kind
    """The tree of a page, as columns that are built on first use.

    A node is its number in document order; the document itself is 0.  Two static documents are equal if their markup
    and cleaning method are; rendered ones if their tree and layout are too.  The markup is the decoded page; for the
    method `cleandom` it is the XHTML that it wrote, and for a page rendered with scripts the markup after they ran.

    >>> from webquarry.html.columns import Kind
    >>> document = Document("<p>One<p>Two")
    >>> [document.xpath(node) for node in range(len(document)) if document.kinds[node] == Kind.TEXT]
    ['/html/body/p[1]/text()', '/html/body/p[2]/text()']
    >>> document.node("/html/body/p[2]")
    6
    """

    markup: str
    method: str = "html5"
    url: str = field(default="", compare=False)
    kind: str = "static"
    """`static`, `rendered` or `scripts` (rendered after its scripts ran)."""
    layout: Layout | None = field(default=None, repr=False, compare=False)
    tree: Columns | None = field(default=None, repr=False, compare=False)
    """The columns that a browser gave; if None, they are built from the markup."""
    address: str = field(default="", compare=False)
    """The address on the web of a saved page, if it was given; see `web_address`."""
    received: date | None = field(default=None, compare=False)
    """The day on which a server sent the page, which `yesterday` refers to."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Document):
            return NotImplemented
        if (self.markup, self.method, self.kind) != (other.markup, other.method, other.kind):
            return False
        return self.layout == other.layout and same_fields(self.tree, other.tree)

    def __len__(self) -> int:
        return len(self.kinds)

    def __repr__(self) -> str:
        size = f", {self.layout.width:,} x {self.layout.height:,} px" if self.layout else ""
        return f"<Document {shorten(self.url)}: {self.kind} by {self.method}, {len(self.markup):,} characters{size}>"

    def __getstate__(self) -> dict[str, Any]:
        names = ("markup", "method", "url", "address", "received")
        state = {name: getattr(self, name) for name in names}
        if self.tree is None:
            return state
        tree = replace(self.tree)  # without what was computed from it
        return state | {"kind": self.kind, "layout": self.layout, "tree": tree}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def copy_tree(self) -> dict[str, Any]:
        """Return the tree for `use_tree` of a copy in another process, small enough to be quicker than parsing again.

        A copy reads attributes, and texts that are not part of what a reader sees, from the markup: most are not needed
        twice.
        """
        if self.tree is not None:
            return {}  # a copy has it
        from webquarry.html.columns import make_small_copy  # noqa: PLC0415

        written = _load_visibility().find_written(self._columns, self.ends, self.seen_texts)
        small = make_small_copy(self._columns, self.markup, written.tolist())
        return {"_columns": small, "hidden": self.hidden, "seen_texts": self.seen_texts}

    def use_tree(self, copied: dict[str, Any]) -> None:
        """Take the tree that was made of the same markup."""
        self.__dict__.update(copied)

    @cached_property
    def kinds(self) -> NDArray[np.uint8]:
        """The `Kind` of each node, as a number."""
        return self._columns.kinds

    @cached_property
    def parents(self) -> NDArray[np.int32]:
        """The parent of each node; -1 for the document."""
        return self._columns.parents

    @cached_property
    def tags(self) -> NDArray[np.int32]:
        """For each element the index of its name in `tag_names`; -1 for other nodes."""
        return self._columns.tags

    @cached_property
    def tag_names(self) -> tuple[str, ...]:
        """The distinct names of elements."""
        return self._columns.tag_names

    @cached_property
    def namespaces(self) -> NDArray[np.uint8]:
        """For each element 0 for HTML, 1 for SVG, 2 for MathML."""
        return self._columns.namespaces

    @cached_property
    def texts(self) -> Sequence[str]:
        """The text of each text, comment, instruction or doctype; empty for elements."""
        return self._columns.texts

    @cached_property
    def attributes(self) -> Sequence[Attributes]:
        """The attributes of each node."""
        return self._columns.attributes

    @cached_property
    def attribute_names(self) -> frozenset[str]:
        """The names of all attributes on the page."""
        return self._columns.attribute_names

    def values_of(self, attribute: str) -> Mapping[int, str]:
        """Return the values of an attribute, each by its node, in document order."""
        return self._columns.values_of(attribute)

    @cached_property
    def ends(self) -> NDArray[np.int32]:
        """For each node the number after that of its last descendant."""
        return self._columns.ends

    @cached_property
    def hidden(self) -> NDArray[np.bool_]:
        """True for each node that is hidden, by the layout or else by the markup."""
        if self.layout is not None:
            return ~self.layout.visible
        hidden: NDArray[np.bool_] = _load_visibility().find_hidden(self._columns, self.ends)
        return hidden

    @cached_property
    def seen_texts(self) -> NDArray[np.int32]:
        """The visible texts that are not blank, in document order."""
        return self._columns.seen_texts(self.hidden)

    @cached_property
    def language(self) -> str:
        """The language that the root element states, such as `en-GB`, or empty."""
        node, ends, tags = 1, self.ends, self.tags
        while node < len(tags):
            if tags[node] >= 0 and self.tag_names[tags[node]] == "html":
                return self.attributes[node].get("lang", "")
            node = int(ends[node])
        return ""

    @cached_property
    def web_address(self) -> str:
        """The address that links are relative to: of a saved page the one on the web, if it is given or stated."""
        return find_web_address(self)

    def tag(self, node: int) -> str:
        """Return the name of an element; empty for other nodes."""
        code = self.tags.item(node)
        return self.tag_names[code] if code >= 0 else ""

    def has_tag(
        self, names: Collection[str], nodes: slice | NDArray[np.integer[Any]] = slice(None)
    ) -> NDArray[np.bool_]:
        """Tell for each node, or each of some, whether it is an element with one of the names."""
        return self._columns.has_tag(names, nodes)

    def by_tag(self, numbers: Mapping[str, int]) -> NDArray[np.int32]:
        """Look up the number of each node's tag in a table; 0 for other tags and for nodes that are not elements."""
        return self._columns.by_tag(numbers)

    def children(self, node: int, *, only_elements: bool = False) -> list[int]:
        """Return the children of a node in order: elements, texts and comments, or elements alone.

        >>> document = Document("<ul><li>One<li>Two</ul>")
        >>> [document.tag(child) for child in document.children(document.node("/html/body/ul"))]
        ['li', 'li']
        """
        found, child, stop = [], node + 1, self.ends.item(node)
        while child < stop:
            if not only_elements or self.tags[child] >= 0:
                found.append(child)
            child = self.ends.item(child)
        return found

    def xpath(self, node: int) -> str:
        """Return the absolute XPath of a node."""
        return self._addresses.xpath(node)

    def node(self, xpath: str) -> int | None:
        """Find the node at an absolute XPath, or None."""
        return self._addresses.node(xpath)

    def text(self, node: int = 0, stop: int | None = None) -> str:
        """Return the visible text of a node, or of all nodes from it to before `stop`, line by line.

        >>> Document("<style>p {}</style><p>One\\n two<p>Three<br>four").text()
        'One two\\nThree\\nfour'
        """
        stop = int(self.ends[node]) if stop is None else stop
        text: str = _load_visibility().visible_text(self._columns, self.hidden, self.ends, node, stop)
        return text

    def text_of(self, nodes: NDArray[np.int32]) -> str:
        """Join some texts as a reader would see them if nothing else were on the page.

        >>> import numpy as np
        >>> Document("<p>One<p>Two<br>three <b>four</b>").text_of(np.array([5, 9, 11], dtype=np.int32))
        'One\\nthree four'
        """
        text: str = _load_visibility().text_of(self._columns, self.hidden, self.ends, nodes)
        return text

    def lines_of(self, nodes: NDArray[np.int32]) -> list[tuple[list[int], str]]:
        """Read the lines of what `text_of` joins, each with its nodes."""
        lines: list[tuple[list[int], str]] = _load_visibility().lines_of(self._columns, self.hidden, self.ends, nodes)
        return lines

    def to_xhtml(self) -> str:
        """Write the document as XHTML 1.0 that every XML reader accepts."""
        return self.markup if self.method == "cleandom" else to_xhtml(self.markup)

    def to_lxml(self) -> lxml.html.HtmlElement:
        """Build an lxml tree; XPaths are the same in it."""
        from webquarry.html.lxml_tree import build_lxml  # noqa: PLC0415

        return build_lxml(self._columns)

    @cached_property
    def _columns(self) -> Columns:
        if self.tree is not None:
            return self.tree
        from webquarry.html.columns import build_columns  # noqa: PLC0415

        return build_columns(self.markup)

    @cached_property
    def _addresses(self) -> Addresses:
        from webquarry.html.node_paths import Addresses  # noqa: PLC0415

        return Addresses(self._columns)


def _load_visibility() -> ModuleType:
    from webquarry.html import visibility  # noqa: PLC0415

    return visibility


Box = tuple[float, float, float, float]
"""x, y, width and height in CSS pixels from the document's origin."""

VISUAL_VALIDATION = tuple(
    """
    background-color border-bottom-color border-bottom-style border-bottom-width border-left-color border-left-style
    border-left-width border-right-color border-right-style border-right-width border-top-color border-top-left-radius
    border-top-right-radius border-top-style border-top-width color font-size font-style font-weight margin-bottom
    margin-left margin-right margin-top outline-color padding-bottom padding-left padding-right padding-top position
    text-align text-decoration visibility
    """.split()
)
"""The 32 properties that vary most (Potvin and Villemaire, "When Different is Wrong", section 4.2, footnote 2)."""


@dataclass(frozen=True, eq=False)
class Layout(EqualByFields):
    """The boxes and styles that a browser gave the nodes of a document."""

    boxes: NDArray[np.float32]
    """For each node x, y, width and height in CSS pixels from the document's origin; NaN where it has no box."""
    styles: NDArray[np.int32]
    """For each node and property the index of its value in `values`; -1 where the node has no box."""
    values: tuple[str, ...]
    properties: tuple[str, ...]
    visible: NDArray[np.bool_]
    """True for each node that is visible, or has something visible in it."""
    width: int
    """Of the whole page, in CSS pixels, as is `height`."""
    height: int
    browser: str
    """Product and version: boxes differ a little between browsers."""
    viewport: int
    """The width of the window."""
    is_unstyled: bool = False
    """Whether the page lacks half of its style sheets or more, or has no styles at all: its markup says more."""
    frames: tuple[tuple[int, Document], ...] = ()
    """The node of each frame with the document in it, whose boxes also count from the origin of the whole page."""

    def __repr__(self) -> str:
        return f"<Layout of {len(self.boxes):,} nodes: {self.width:,} x {self.height:,} px, {self.browser}>"

    def style(self, node: int, name: str) -> str:
        """Return a property of a node; empty where the node has no box."""
        code = int(self.styles[node, self.properties.index(name)])
        return self.values[code] if code >= 0 else ""
