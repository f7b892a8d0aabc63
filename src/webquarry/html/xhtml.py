"""Write a page as XHTML that every XML reader accepts.

turbohtml writes, in C. What it would drop, or readers would refuse, is repaired on the tree before, in named steps. The
names on a page tell which steps it needs; most pages need few.

Attributes follow section 2.1 of the CleanDOM paper (Cosulschi): they are never minimised, `lang` goes with `xml:lang`,
and `id` with `name` on the elements whose `name` XHTML 1.0 deprecates.

libxml2 refuses a text, a comment or an attribute value of ten million bytes by default. A longer text is divided by an
empty comment and a longer comment into several, so nothing is lost; a longer attribute value (an image of many
megabytes written into the page) is cut. libxml2 also refuses elements nested over 256 deep. As in a browser at its own
limit, an element below the last allowed level becomes a sibling of its parent, and what follows its end comes behind
it, so the text keeps its order. With one level allowed:

    <a>1<b>2<c>3</c>4</b>5</a>    becomes    <a>1</a><b>2</b><c>3</c>45
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from functools import lru_cache
from itertools import chain, dropwhile, islice
from operator import attrgetter
from typing import Any

import turbohtml
from turbohtml import Comment, Doctype, DocumentFragment, Element, Node, ProcessingInstruction, Text
from turbohtml.query import escape_identifier

from webquarry.html.parsing import DOCTYPE, MAX_ATTRIBUTES, parse_html, parse_ours, read_attributes, with_few_attributes
from webquarry.html.xhtml_names import (
    NAMESPACE_OF,
    XHTML,
    XLINK,
    declare_prefixes,
    encode_declaration,
    encode_local,
    encode_name,
    escape_value,
    is_bound,
    is_legal,
    is_plain,
    legal_text,
    without_surrogates,
)

_XML = turbohtml.Html(xml=True)
_SHOW_COMMENTS = 0x80 | 0x40  # the DOM's filter for comments and instructions
_MAX_SELECTORS = 50  # each is tried on each element
_MAX_IDENTIFIER = 60  # characters; turbohtml's selectors find no name of over 128 bytes
_LANGUAGES = {"lang": "xml:lang", "xml:lang": "lang"}
# turbohtml gives HTML inside SVG or MathML no namespace; comments and instructions are skipped.
_NO_NAMESPACE = re.compile(r'<!--.*?-->|<\?.*?\?>|(<[^\s<>]+ xmlns=)""', re.DOTALL)


def to_xhtml(markup: str) -> str:
    """Write markup as XHTML 1.0: the tree of a browser, in names and characters that XML can hold."""
    try:
        return _emit(markup)
    except UnicodeDecodeError:  # turbohtml fails on lone surrogates in names of attributes
        return to_xhtml(without_surrogates(markup))


def _emit(markup: str) -> str:
    ours = parse_ours(markup)
    if ours is not None:
        _complete(ours, set(chain.from_iterable(_attributes_of(ours.select("*")))))
        return _write(ours, {}, has_foreign=ours.select_one("svg,math") is not None)
    tree = parse_html(markup)
    elements = tree.select("*")
    attributes = _attributes_of(elements)
    if max(map(len, attributes)) > MAX_ATTRIBUTES and (fewer := with_few_attributes(markup)) != markup:
        return _emit(fewer)
    tags = set(map(attrgetter("tag"), elements))
    _repair(tree, markup, elements, tags)
    declared = _repair_names(tree, elements, tags, set(chain.from_iterable(attributes[1:])))
    return _write(tree, declared, has_foreign="svg" in tags or "math" in tags)


def _repair(tree: turbohtml.Document, markup: str, elements: list[Element], tags: set[str]) -> None:
    """Repair the tree so that no reader refuses it and the writer drops nothing."""
    if len(markup) > HARMLESS:
        divide_long(tree)
    if "\x0c" in markup:
        _replace_form_feeds(tree)
    _repair_comments(tree)
    _adopt_strays(tree)
    flatten(tree, elements)
    if "template" in tags:
        flatten_templates(tree)


def _repair_names(
    tree: turbohtml.Document, elements: list[Element], tags: set[str], attributes: set[str]
) -> dict[str, str]:
    """Repair the names of elements and attributes; return the declarations of prefixes that the root needs.

    `tags` and `attributes` are the names that occur, those of the root's attributes left out: on many pages it alone
    declares a namespace and a language, so nothing is searched.
    """
    odd_tags = {tag for tag in tags if not is_plain(tag)}
    for element in elements if odd_tags else ():
        if element.tag in odd_tags:
            element.tag = encode_name(element.tag)
    odd = {name for name in attributes if not is_plain(name) and not is_bound(name)}
    _encode_attributes(tree, odd | ({"xmlns"} & attributes))
    _complete(tree, attributes)
    root = _root(tree)
    completed = complete_attributes(root.tag, read_attributes(root), Ids([]))
    attributes_of_root, declared = declare_prefixes(completed, map(encode_name, chain(odd_tags, odd)))
    _set_attributes(root, attributes_of_root)
    return declared


def _encode_attributes(tree: turbohtml.Document, odd: set[str]) -> None:
    root = _root(tree)
    for element in _with_attributes(tree, odd):
        if element == root:
            continue
        namespace = NAMESPACE_OF[element.namespace]
        for name, value in read_attributes(element).items():
            encoded = _attribute_name(name, value, namespace)
            if encoded != name:  # the others stay as they are: turbohtml would lower the case of SVG's
                del element.attrs[name]
                element.attrs[encoded] = value


def _with_attributes(tree: turbohtml.Document, names: set[str]) -> list[Element]:
    if len(names) <= _MAX_SELECTORS and all(len(name) <= _MAX_IDENTIFIER for name in names):
        return _select(tree, [f"[{escape_identifier(name)}]" for name in names])
    return [element for element in tree.select("*") if not names.isdisjoint(element.attrs)]


def _attribute_name(name: str, value: str, namespace: str) -> str:
    """Write the name of an attribute in XML, on an element of this namespace that is not the root.

    Only redundant declarations are kept.
    """
    if name == "xmlns" or name.startswith("xmlns:"):
        is_redundant = value == (namespace if name == "xmlns" else XLINK if name == "xmlns:xlink" else None)
        return name if is_redundant else encode_declaration(name)
    return name if is_bound(name) else encode_name(name)


def _complete(tree: turbohtml.Document, attributes: set[str]) -> None:
    """Add the attributes that XHTML requires; `attributes` are the names that occur."""
    _expand_minimised(tree, attributes & BOOLEAN)
    _pair_languages(tree, attributes)
    if "name" in attributes:
        _give_ids(tree)


def _expand_minimised(tree: turbohtml.Document, minimised: set[str]) -> None:
    for element in _select(tree, [f"[{name}]" for name in minimised]):
        present = element.attrs
        for name in minimised:
            if name in present and is_minimised(element.attr(name) or ""):
                present[name] = name


def _pair_languages(tree: turbohtml.Document, attributes: set[str]) -> None:
    for name, other in _LANGUAGES.items():
        if name in attributes:
            for element in tree.select(_without(name, other)):
                element.attrs[other] = element.attr(name)


def _give_ids(tree: turbohtml.Document) -> None:
    named = [element for element in tree.select(_without("name", "id")) if element.tag in NAMED]
    ids = Ids(element.attr("id") or "" for element in tree.select("[id]")) if named else Ids([])
    for element in named:
        element.attrs["id"] = ids.give(element.attr("name") or "")


def _without(name: str, other: str) -> str:
    """Write a selector for elements that have one attribute and not the other."""
    return f"[{escape_identifier(name)}]:not([{escape_identifier(other)}])"


def _add_required_elements(tree: turbohtml.Document) -> None:
    """Add a missing head, title or body, which a page of frames lacks."""
    root = _root(tree)
    children = {child.tag: child for child in root.children if isinstance(child, Element)}
    if "head" not in children:
        root.insert(0, children.setdefault("head", Element("head")))
    if not any(isinstance(node, Element) and node.tag == "title" for node in children["head"].children):
        children["head"].append(Element("title"))
    if "body" not in children:
        root.append(Element("body"))


def _replace_form_feeds(tree: turbohtml.Document) -> None:
    """Replace form feeds by spaces: the writer drops them, and they separate words."""
    for node in list(tree.descendants):
        if isinstance(node, Text | Comment) and "\x0c" in node.data:
            node.data = node.data.replace("\x0c", " ")
        elif isinstance(node, Element):
            for name, value in read_attributes(node).items():
                if "\x0c" in value:
                    node.attrs[name] = value.replace("\x0c", " ")


def _repair_comments(tree: turbohtml.Document) -> None:
    """Repair comments and instructions.

    The writer would drop illegal characters from a comment, and so join the hyphens around them.
    """
    nodes = list(turbohtml.NodeIterator(tree, _SHOW_COMMENTS))
    comments = [node for node in nodes if isinstance(node, Comment)]
    for comment in comments if not is_legal("".join([each.data for each in comments])) else ():
        comment.data = legal_text(comment.data)
    for node in nodes:
        if isinstance(node, ProcessingInstruction):
            _repair_instruction(node)


def _repair_instruction(node: ProcessingInstruction) -> None:
    """Remove illegal characters; an instruction that is too long becomes comments."""
    data = legal_text(node.data).strip()
    if is_long(data):
        node.replace_with(*(Comment(piece) for piece in pieces(f"?{node.target} {data}?")))
    elif data != node.data:
        node.replace_with(ProcessingInstruction(node.target, data))


def _adopt_strays(tree: turbohtml.Document) -> None:
    """Move to the body what turbohtml leaves behind the root on very deep pages."""
    root = _root(tree)
    behind = list(tree.children)[list(tree.children).index(root) + 1 :]
    body = [node for node in root.children if isinstance(node, Element)][-1]
    for node in dropwhile(lambda node: not isinstance(node, Element | Text), behind):
        body.append(node)


def _write(tree: turbohtml.Document, declared: Mapping[str, str], *, has_foreign: bool) -> str:
    """Write the tree, with declarations of prefixes in the tag of its root.

    They are not attributes of the tree: setting thousands takes quadratic time. The first one marks their place,
    since an attribute value cannot hold its quotation marks.
    """
    _add_required_elements(tree)
    declarations = [f' {name}="{address}"' for name, address in declared.items()]
    root = _root(tree)
    root.attrs.update(islice(declared.items(), 1))
    nodes = [node for node in tree.children if not isinstance(node, Doctype)]
    before = "".join(chain.from_iterable(node.serialize_iter(_XML) for node in nodes[: nodes.index(root)]))
    written = "".join(chain.from_iterable(node.serialize_iter(_XML) for node in nodes[nodes.index(root) :]))
    if len(declarations) > 1:
        written = written.replace(declarations[0], "".join(declarations), 1)
    written = DOCTYPE + before + written
    if not has_foreign or ' xmlns=""' not in written:
        return written
    return _NO_NAMESPACE.sub(lambda match: f'{match[1]}"{XHTML}"' if match[1] else match[0], written)


def _root(tree: turbohtml.Document) -> Element:
    root = tree.root
    if root is None:
        raise ValueError("a tree without a root element")
    return root


def _select(tree: turbohtml.Document, selectors: list[str]) -> list[Element]:
    return tree.select(",".join(selectors)) if selectors else []


def _attributes_of(elements: Iterable[Element]) -> list[MutableMapping[str, Any]]:
    return list(map(attrgetter("attrs"), elements))


def _set_attributes(element: Element, attributes: dict[str, str]) -> None:
    """Set exactly these attributes, in this order."""
    current = read_attributes(element)
    if list(attributes)[: len(current)] != list(current):
        for name in current:
            del element.attrs[name]
        current = {}
    for name, value in attributes.items():
        if current.get(name) != value:
            element.attrs[name] = value


BOOLEAN = frozenset(
    "allowfullscreen async autofocus autoplay checked compact controls declare default defer disabled formnovalidate "
    "hidden inert ismap itemscope loop multiple muted nohref nomodule noresize noshade novalidate nowrap open "
    "playsinline readonly required reversed selected".split()
)
"""Attributes that HTML allows to minimise; an empty value becomes the name (`noresize="noresize"`)."""

NAMED = frozenset("a applet form frame iframe img map".split())
"""Elements that need an `id` beside their `name` (XHTML 1.0, section 4.10)."""

INCOMPLETE = BOOLEAN | {"lang", "xml:lang", "name"}
"""Attributes that may need another attribute beside them, or another value."""


class Ids:
    """Ids of a document, and the maker of new ones."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._uses = dict.fromkeys(taken, 1)

    def give(self, name: str) -> str:
        """Make a valid id for an element of this name that no other element has.

        >>> ids = Ids({"top"})
        >>> ids.give("top"), ids.give("top"), ids.give("2 go")
        ('top_2', 'top_3', '_x0032__x0020_go')
        """
        wanted = given = encode_local(name) if name else "id"
        while given in self._uses:
            self._uses[wanted] = number = self._uses.get(wanted, 0) + 1
            given = f"{wanted}_{number}"
        self._uses[given] = 1
        return given


def is_minimised(value: str) -> bool:
    """Tell whether an attribute was written without a value, or with nothing that XML can hold."""
    return not legal_text(value)


def complete_attributes(tag: str, attributes: dict[str, str], ids: Ids) -> dict[str, str]:
    """Add the attributes that XHTML requires.

    >>> complete_attributes("img", {"name": "logo", "ismap": "", "lang": "fr"}, Ids([]))
    {'name': 'logo', 'ismap': 'ismap', 'lang': 'fr', 'id': 'logo', 'xml:lang': 'fr'}
    """
    completed = {name: name if name in BOOLEAN and is_minimised(value) else value for name, value in attributes.items()}
    if tag in NAMED and "name" in completed and "id" not in completed:
        completed["id"] = ids.give(completed["name"])
    if "lang" in completed:
        completed.setdefault("xml:lang", completed["lang"])
    elif "xml:lang" in completed:
        completed["lang"] = completed["xml:lang"]
    return completed


MAX_BYTES = 9_500_000
MAX_CHARACTERS = MAX_BYTES // 4
"""Characters that are never over the limit in UTF-8."""

LONGEST_REFERENCE = len("&quot;")
"""Characters that one character may take when escaped."""
HARMLESS = MAX_BYTES // LONGEST_REFERENCE
"""Characters that are never over the limit, however they are escaped."""


def divide_long(tree: turbohtml.Document) -> None:
    """Divide or cut what is longer than XML readers accept."""
    for node in list(tree.descendants):
        if isinstance(node, Element):
            cut_attributes(node)
        elif isinstance(node, Text | Comment) and is_long(node.data):
            _divide(node)


def is_long(text: str) -> bool:
    """Tell whether some reader may refuse a text of this length."""
    return len(text) > MAX_CHARACTERS and len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES


def pieces(text: str) -> Iterator[str]:
    """Divide a text into pieces that every reader accepts; an empty text is one piece."""
    return (text[start : start + MAX_CHARACTERS] for start in range(0, max(1, len(text)), MAX_CHARACTERS))


def cut_value(value: str) -> str:
    """Cut an attribute value that is too long; readers count it as it is written, with references."""
    if len(value) <= HARMLESS or len(escape_value(value).encode("utf-8", "surrogatepass")) <= MAX_BYTES:
        return value
    return value[:HARMLESS]


def cut_attributes(element: Element) -> None:
    """Cut the attribute values of an element that are too long."""
    for name, value in read_attributes(element).items():
        if (cut := cut_value(value)) is not value:
            element.attrs[name] = cut


def _divide(node: Text | Comment) -> None:
    first, *rest = pieces(node.data)
    parts: list[Node] = []
    for piece in rest:
        parts += [Comment(piece)] if isinstance(node, Comment) else [Comment(""), Text(piece)]
    node.data = first
    node.insert_after(*parts)


MAX_DEPTH = 250
"""Levels of elements, the root being the first; a few less than libxml2 reads."""

_STRIDE = 200  # elements from one that is counted to the next


def flatten(tree: turbohtml.Document, elements: Sequence[Element]) -> None:
    """Lift elements below the last allowed level up to it; `elements` are all of the tree, in order."""
    if _may_be_deep(elements):
        for element in _elements_at(tree, MAX_DEPTH):
            _lift_descendants(element)


def flatten_templates(tree: turbohtml.Document) -> None:
    """Flatten the content of templates, which is a tree of its own that paths do not enter."""
    for template in tree.select("template"):
        level = 1 + _count_ancestors(template)
        for content in template.children:
            for element in _elements_at(content, max(1, MAX_DEPTH - level)):
                _lift_descendants(element)


def _may_be_deep(elements: Sequence[Element]) -> bool:
    """Tell whether some element may be too deep.

    In document order an element is at most one level deeper than the one before it, so every `_STRIDE`th tells the
    depth of all within as many levels.
    """
    return any(_count_ancestors(element) + _STRIDE >= MAX_DEPTH for element in elements[::_STRIDE])


def _count_ancestors(element: Element) -> int:
    return sum(isinstance(node, Element) for node in element.ancestors)


@lru_cache
def _path(level: int) -> turbohtml.XPath:
    return turbohtml.XPath("/".join("*" * level))


def _elements_at(root: Node, level: int) -> Iterable[Element]:
    found = _path(level)(root)
    return [node for node in found if isinstance(node, Element)] if isinstance(found, list) else []


def _lift_descendants(top: Element) -> None:
    last: Node = top
    closed: set[Node | None] = set()  # parents that ended because a child was lifted
    for node in list(top.descendants):
        parent = node.parent
        if isinstance(node, DocumentFragment) or (not isinstance(node, Element) and parent not in closed):
            continue
        closed.add(parent)
        last.insert_after(node)
        last = node
