"""Read and write files of labels, which say node by node what is content, and match them to documents.

Labels can also be made by a CSS selector of the content.

A file is JSON lines, or CSV with a header row, of `page`, `node` (an absolute XPath) and `label`.  The label of an
element holds for everything in it that has no label of its own.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import turbohtml
from numpy.typing import NDArray

from webquarry.errors import InputError
from webquarry.html.columns import Kind
from webquarry.html.xhtml_names import encode_local
from webquarry.model.document import Document

CONTENT, BOILERPLATE, UNKNOWN = 1, 0, -1
FIELDS = ("page", "node", "label")
_CONTENT_WORDS = frozenset("1 true yes y t content relevant keep kept main".split())
_BOILERPLATE_WORDS = frozenset("0 false no n f boilerplate irrelevant drop noise other".split())


@dataclass(frozen=True)
class Label:
    """Whether a node is content."""

    page: str
    """The address of the page, or its end, from a slash on."""
    node: str
    """The absolute XPath of a text or an element."""
    content: bool
    line: int = 0
    """In the file."""


def parse_labels(text: str, name: str = "labels") -> list[Label]:
    """Read the labels of a file; `name` is the file's, for errors."""
    text = text.removeprefix("\ufeff")
    rows = _read_json_lines(text, name) if text.lstrip().startswith("{") else _read_csv(text, name)
    return [_make_label(row, line, name) for line, row in rows]


def write_labels(labels: Iterable[Label], *, as_csv: bool = False) -> str:
    """Write labels as JSON lines, or as CSV.

    >>> write_labels([Label("https://example.org/", "/html/body/p[1]", content=True)], as_csv=True)
    'page,node,label\\nhttps://example.org/,/html/body/p[1],content\\n'
    """
    rows = [(label.page, label.node, "content" if label.content else "boilerplate") for label in labels]
    if not as_csv:
        return "".join(f"{json.dumps(dict(zip(FIELDS, row, strict=True)))}\n" for row in rows)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([FIELDS, *rows])
    return text.getvalue()


def _read_json_lines(text: str, name: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise InputError(f"{name}:{number}: not JSON ({error})") from error
        if not isinstance(row, dict):
            raise InputError(f"{name}:{number}: expected an object with {', '.join(FIELDS)}")
        yield number, row


def _read_csv(text: str, name: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    rows = csv.reader(io.StringIO(text, newline=""))
    try:
        header = [cell.strip().lower() for cell in next(rows, [])]
        if missing := [field for field in FIELDS if field not in header]:
            raise InputError(f"{name}:1: the header row lacks {', '.join(missing)}")
        for row in rows:
            if any(cell.strip() for cell in row):
                yield rows.line_num, dict(zip(header, row, strict=False))
    except csv.Error as error:
        raise InputError(f"{name}:{rows.line_num}: not CSV ({error})") from error


def _make_label(row: Mapping[str, object], line: int, name: str) -> Label:
    if missing := [field for field in FIELDS if row.get(field) in (None, "")]:
        raise InputError(f"{name}:{line}: {', '.join(missing)} missing")
    word = str(row["label"]).strip().lower()
    if word not in _CONTENT_WORDS | _BOILERPLATE_WORDS:
        raise InputError(f"{name}:{line}: {row['label']!r} is not a label; use true or false")
    return Label(str(row["page"]).strip(), str(row["node"]).strip(), word in _CONTENT_WORDS, line)


def split_by_page(labels: Iterable[Label], addresses: Sequence[str]) -> tuple[list[Label], list[Label]]:
    """Split labels into those of pages with these addresses, and all others."""
    find_page = _page_finder(addresses)
    known: list[Label] = []
    others: list[Label] = []
    for label in labels:
        (others if find_page(label.page) is None else known).append(label)
    return known, others


def match_labels(
    labels: Iterable[Label], documents: Sequence[Document], name: str = "labels"
) -> tuple[list[NDArray[np.int8]], list[str]]:
    """Return for each document the label of each node, and messages on labels that match nothing.

    Labels are `CONTENT`, `BOILERPLATE` or `UNKNOWN`.
    """
    found: list[dict[int, bool]] = [{} for _ in documents]
    find_page, missing = _page_finder([document.url for document in documents]), []
    for label in labels:
        place = find_page(label.page)
        node = documents[place].node(label.node) if place is not None else None
        if place is None:
            missing.append(f"{name}:{label.line}: no such page: {label.page}")
        elif node is None:
            missing.append(f"{name}:{label.line}: no such node: {label.node} of {label.page}")
        else:
            found[place][node] = label.content
    return [spread(document, each) for document, each in zip(documents, found, strict=True)], missing


def spread(document: Document, labels: Mapping[int, bool]) -> NDArray[np.int8]:
    """Label each node: by its own label, or that of the innermost element around it that has one."""
    spread_out = np.full(len(document), UNKNOWN, dtype=np.int8)
    for node in sorted(labels):  # elements come before what is in them
        spread_out[node : document.ends[node]] = CONTENT if labels[node] else BOILERPLATE
    return spread_out


def label_by_selector(documents: Iterable[Document], selector: str) -> list[Label]:
    """Label as content what is in the elements that a CSS selector chooses, and all else as boilerplate.

    Raises InputError if no page has such an element.

    documents: the pages that were extracted from, as `render_all` or `clean_all` gives them.
    selector: of the elements that hold the content, such as `div.post > p`.

    >>> document = Document("<div class=post><p>One</p></div><p>Two", url="https://example.org/")
    >>> [(label.node, label.content) for label in label_by_selector([document], "div.post > p")]
    [('/html', False), ('/html/body/div/p', True)]
    """
    several = list(documents) if isinstance(documents, Iterable) else [documents]
    if isinstance(documents, Document) or not all(isinstance(document, Document) for document in several):
        raise TypeError("label_by_selector takes a list of Documents; make them with clean or render")
    labels: list[Label] = []
    for document in several:
        labels.append(Label(document.url, "/html", content=False))
        chosen = select_elements(document, selector)
        labels += [Label(document.url, document.xpath(node), content=True) for node in chosen]
    if labels and not any(label.content for label in labels):
        raise InputError(f"no page has an element that matches {selector!r}; choose one that holds the content")
    return labels


def mark_selected(document: Document, selector: str) -> NDArray[np.int8]:
    """Label each node by a CSS selector: content is what is in the elements that it chooses, all else boilerplate."""
    return spread(document, {0: False} | dict.fromkeys(select_elements(document, selector), True))


def select_elements(document: Document, selector: str) -> list[int]:
    """Find the elements that a CSS selector chooses, in document order.

    They are chosen in a copy of the tree as it is, which a browser may have made.

    >>> select_elements(Document("<div class=post><p>One</p></div><p>Two"), "div.post > p")
    [5]
    """
    nodes = np.flatnonzero(document.kinds == Kind.ELEMENT).tolist()
    copies = {node: _copy(document, node) for node in nodes}
    for node in nodes:
        if (parent := copies.get(int(document.parents[node]))) is not None:
            parent.append(copies[node])
    numbers = {id(copy): node for node, copy in copies.items()}
    tree = turbohtml.parse("")
    tree.select("html")[0].replace_with(copies[nodes[0]])
    try:
        return sorted(numbers[id(copy)] for copy in tree.select(selector))
    except turbohtml.SelectorSyntaxError as error:
        raise InputError(f"{selector!r} is not a CSS selector: {error}") from error


def check_selector(selector: str) -> None:
    """Raise InputError for what is not a CSS selector."""
    select_elements(Document(""), selector)


def _copy(document: Document, node: int) -> turbohtml.Element:
    """Copy an element alone; names that no markup could give are changed as in XHTML."""
    attributes = {encode_local(name): value for name, value in document.attributes[node].items()}
    return turbohtml.Element(encode_local(document.tag(node)), attributes)


def _page_finder(addresses: Sequence[str]) -> Callable[[str], int | None]:
    """Make a function from a page, by its address or its end, to its place; None if none or several match."""
    known = {url: place for place, url in enumerate(addresses)}

    @cache
    def find(page: str) -> int | None:
        if page in known:
            return known[page]
        ending = f"/{page.lstrip('./')}"
        places = [place for place, url in enumerate(addresses) if url.endswith(ending)]
        return places[0] if len(places) == 1 else None

    return find
