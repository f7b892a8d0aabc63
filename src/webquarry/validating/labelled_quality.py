"""Read and write labels, which say node by node what is content, and measure reports by them.

A file of labels is JSON lines, or CSV with a header row, of `page`, `node` (an absolute XPath) and `label`.  The label
of an element holds for everything in it that has no label of its own.  Labels can also be made by a CSS selector.

The measures are those of Potvin and Villemaire, "When Different is Wrong", section 5: k-NN with five values of k and
HBOS rank all extracted nodes, deletion stops where F1 is highest, and Table 2 has the change against the extraction as
it was.  The paper stops once for each row, though its recalls differ; the stop is that of the highest mean F1
(`best_stop`).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from io import StringIO

import numpy as np
import turbohtml
from numpy.typing import NDArray

from webquarry.errors import InputError
from webquarry.html.columns import Kind
from webquarry.html.xhtml_names import encode_local
from webquarry.model.document import Document
from webquarry.model.report import Report, Selection
from webquarry.model.wording import count
from webquarry.validating.deletion_curves import RECALLS, Curve, Row, best_stop, compare, follow, rank, tabulate, weigh
from webquarry.validating.outliers import SCORES
from webquarry.validating.report_markup import Deletion
from webquarry.validating.style_vectors import encode

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


PAPER_METHODS: dict[str, tuple[str, float]] = {
    **{f"{k}-NN": ("knn", k) for k in (10, 50, 100, 200, 500)},
    "HBOS": ("hbos", 0),
}
"""The rows of the paper's tables: our method, and its number of neighbours."""
BEFORE, DROPPED, BEST = "as extracted", "without what is dropped", "at the best F1"
"""The names of rows."""
FIGURE_METHODS = ("200-NN", "500-NN", "HBOS")
FIGURE_RECALLS = (0.65, 0.95)
"""The lines and the assumed recalls of the paper's Figure 3."""


@dataclass(frozen=True)
class PaperTables:
    """Tables 1 and 2 of the paper, for any extraction with labels."""

    before: Row
    """The extraction as it was, the first row of Table 1."""
    rows: tuple[Row, ...]
    """A row for each method, at its best stop."""
    recalls: tuple[float, ...]
    """Those that were assumed for the extraction."""
    curves: Mapping[str, Curve] = field(repr=False)
    """For each method the curve of deletion by bytes; `Curve.assume` gives it a recall."""

    @property
    def increases(self) -> tuple[Row, ...]:
        """The rows of Table 2, as shares."""
        return tuple(compare(row, self.before) for row in self.rows)


def make_tables(
    selections: Sequence[Selection], content: NDArray[np.bool_], recalls: Sequence[float] = RECALLS
) -> PaperTables:
    """Make the tables of all selections together.

    `content` tells for each node, page after page, whether it is content.  Raises InputError if a page has no layout.
    """
    require_layouts(selections)
    vectors = encode([(each.document, each.nodes) for each in selections])
    weights, ones = weigh(text for each in selections for text in each.texts), np.ones(len(content))
    rows: list[Row] = []
    curves: dict[str, Curve] = {}
    for name, (method, k) in PAPER_METHODS.items():
        order = rank(selections, SCORES[method](vectors, k)[vectors.rows])
        curves[name], by_nodes = (follow(order, content, each) for each in (weights, ones))
        assumed = [curves[name].assume(recall) for recall in recalls]
        rows.append(tabulate(name, assumed, by_nodes, best_stop(assumed)))
    before = tabulate(BEFORE, assumed, by_nodes, 0)  # the same for all methods
    return PaperTables(before, tuple(rows), tuple(recalls), curves)


def require_layouts(selections: Sequence[Selection]) -> None:
    """Raise InputError for a page that was not rendered: it has no styles to compare."""
    bare = next((each.document.url for each in selections if each.document.layout is None), None)
    if bare is not None:
        raise InputError(f"{bare}: was not rendered, so it has no styles; leave out --static, or use wq.render")


def write_matrix(report: Report, *, scaled: bool = False, alpha: bool = False) -> str:
    """Write the normalised styles of all nodes as CSV, with page, node and score: the input and output of its scorers.

    Raises InputError if a page has no layout.
    """
    selections = [page.selection for page in report.pages]
    require_layouts(selections)
    vectors = encode([(each.document, each.nodes) for each in selections], scaled=scaled, alpha=alpha)
    named = ((each.document.url, each.document.xpath(node)) for each in selections for node in each.nodes.tolist())
    written = [[f"{value:.10g}" for value in row] for row in vectors.matrix.tolist()]
    text = StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(["page", "node", *vectors.names, "score"])
    for (page, node), row, score in zip(named, vectors.rows.tolist(), report.scores.tolist(), strict=True):
        lines.writerow([page, node, *written[row], f"{score:.10g}"])
    return text.getvalue()


def write_measure(recalls: Sequence[float], rows: Iterable[Row]) -> list[str]:
    """Write precision and recall by labels in the form of Table 1."""
    return _align([_head(recalls), *map(_write_row, rows)])


def write_paper_tables(tables: PaperTables) -> list[str]:
    """Write Table 1, with the extraction in its first row, and Table 2, each below its caption."""
    recalls = [f"recall {recall:g}" for recall in tables.recalls]
    changes = [
        ["", "precision", *(head for recall in recalls for head in (recall, "F1"))],
        *([row.name, *(f"{share:+.2%}" for share in _figures(row))] for row in tables.increases),
    ]
    return [
        "Table 1: at the stop with the highest F1",
        *write_measure(tables.recalls, (tables.before, *tables.rows)),
        "",
        "Table 2: change against the extraction",
        *_align(changes),
    ]


def _head(recalls: Sequence[float]) -> list[str]:
    named = [f"recall {recall:g}" for recall in recalls] or ["recall"]
    return ["", "precision", *(head for recall in named for head in (recall, "F1")), "nodes deleted", "bytes deleted"]


def _write_row(row: Row) -> list[str]:
    deleted = [f"{row.deleted_nodes:.2%}", f"{row.deleted_bytes:.2%}"]
    return [row.name, *(f"{figure:.4f}" for figure in _figures(row)), *deleted]


def _figures(row: Row) -> list[float]:
    """List precision, then recall and F1 for each recall."""
    return [row.precision, *(figure for pair in zip(row.recalls, row.f1s, strict=True) for figure in pair)]


def _align(lines: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]


@dataclass(frozen=True)
class Measure:
    """The effect of deletion on precision, recall and F1."""

    rows: tuple[Row, ...]
    """Before deletion, without what the report drops, and at the best stop by labels of deletion by score."""
    recalls: tuple[float, ...]
    """Those that were assumed for the extraction; none when the labels tell."""
    deletion: Deletion = field(repr=False)
    """By score, and for the first recall if some were assumed."""
    notes: tuple[str, ...]
    content: NDArray[np.bool_] = field(repr=False, compare=False)
    """For each node of the report, page after page, whether it is content."""
    tables: PaperTables | None = field(repr=False, compare=False, default=None)
    """The paper's tables; None if pages were not rendered."""


class LabelledNodes:
    """The nodes of selections, page after page, with what labels say of them.

    A node without a label counts as boilerplate.  Raises InputError if no node is content.
    """

    def __init__(self, selections: Sequence[Selection], labels: Sequence[Label], recalls: Sequence[float] = ()) -> None:
        """Take labels of all texts of the pages; or, with recalls to assume, of the extracted nodes alone."""
        known, missing = match_labels(labels, [each.document for each in selections])
        parts = [own[selection.nodes] for own, selection in zip(known, selections, strict=True)]
        node_labels = np.concatenate([np.zeros(0, np.int8), *parts])
        self.content: NDArray[np.bool_] = node_labels == CONTENT
        if not self.content.any():
            raise InputError("the labels call none of the extracted nodes content; check the pages and XPaths in them")
        self.notes = tuple(_note(node_labels, missing))
        self._recalls = recalls
        self._weights = weigh(text for each in selections for text in each.texts)
        self._total = None if recalls else _weigh_content(known, selections)

    def follow(self, order: NDArray[np.intp]) -> list[Curve]:
        """Follow a deletion by bytes: a curve for each recall."""
        curve = follow(order, self.content, self._weights, self._total)
        return [curve.assume(recall) for recall in self._recalls] or [curve]

    def make_row(self, name: str, order: NDArray[np.intp], stop: int) -> Row:
        """Make a row of the paper's Table 1."""
        return tabulate(name, self.follow(order), follow(order, self.content, np.ones(len(self.content))), stop)


def measure(report: Report, labels: Sequence[Label], recalls: Sequence[float] = ()) -> Measure:
    """Measure what a report is worth by labels.

    An extracted node without a label counts as boilerplate.

    report: what `validate` gives.
    labels: of all texts of the pages; or, with `recalls` to assume, of the extracted nodes alone.
    recalls: of the extraction, if they cannot be measured.

    >>> from webquarry.model.document import Document
    >>> from webquarry.model.report import Verdicts
    >>> document = Document("<p>One<p>Two", url="https://example.org/")
    >>> selection = Selection(document, np.array([5, 7], dtype=np.int32), ("One", "Two"))
    >>> verdicts = Verdicts(selection, np.array([0.0, 1.0]), np.array([False, True]), ("", "odd"))
    >>> labels = [Label("https://example.org/", "/html/body/p[1]", content=True, line=1)]
    >>> [round(row.precision, 2) for row in measure(Report("vote", (verdicts,)), labels).rows]
    [0.5, 1.0, 1.0]
    """
    if not isinstance(report, Report):
        raise TypeError(f"measure takes a Report, not a {type(report).__name__}; get one with wq.validate")
    if not isinstance(labels, list | tuple) or not all(isinstance(label, Label) for label in labels):
        raise TypeError("measure takes a list of labels; get them with wq.load_labels or wq.label_by_selector")
    selections = [page.selection for page in report.pages]
    nodes = LabelledNodes(selections, labels, recalls)
    drops, by_score = report.drops, rank(selections, report.scores)
    drops_first = by_score[np.argsort(~drops[by_score], kind="stable")]
    curves = nodes.follow(by_score)
    best = best_stop(curves)
    rows = (
        nodes.make_row(BEFORE, by_score, 0),
        nodes.make_row(DROPPED, drops_first, int(drops.sum())),
        nodes.make_row(BEST, by_score, best),
    )
    measures = {"precision": curves[0].precision, "recall": curves[0].recall, "F1": curves[0].f1}
    deletion = Deletion(
        curves[0].deleted.tolist(),
        {name: each.tolist() for name, each in measures.items()},
        {**_find_stop(by_score, drops), "best F1": best},
    )
    is_rendered = all(each.document.layout is not None for each in selections)
    tables = make_tables(selections, nodes.content, recalls or RECALLS) if is_rendered else None
    return Measure(rows, tuple(recalls), deletion, nodes.notes, nodes.content, tables)


def follow_scores(report: Report) -> Deletion:
    """Follow how the scores fall along deletion, from 1 for the highest; for reports without labels."""
    selections = [page.selection for page in report.pages]
    scores = report.scores
    order = rank(selections, scores)
    curve = follow(order, np.ones(len(order)), weigh(text for each in selections for text in each.texts))
    low, high = scores.min(initial=np.inf), scores.max(initial=-np.inf)
    shares = (scores[order] - low) / (high - low) if high > low else np.zeros(len(order))
    following = np.concatenate([shares, shares[-1:] * 0])  # after the last node none goes next
    return Deletion(curve.deleted.tolist(), {"score": following.tolist()}, _find_stop(order, report.drops))


def _weigh_content(known: Sequence[NDArray[np.int8]], selections: Sequence[Selection]) -> float:
    """Count the bytes of all content of the pages, extracted or not."""
    texts = (
        selection.document.texts[node]
        for labels, selection in zip(known, selections, strict=True)
        for node in selection.document.seen_texts[labels[selection.document.seen_texts] == CONTENT].tolist()
    )
    return float(weigh(texts).sum())


def _find_stop(order: NDArray[np.intp], drops: NDArray[np.bool_]) -> Mapping[str, int]:
    """Find where the report stops in this order; nowhere when it drops others than the first, as a vote may."""
    number = int(drops.sum())
    return {"dropped": number} if drops[order[:number]].all() else {}


def _note(node_labels: NDArray[np.int8], missing: Sequence[str]) -> list[str]:
    notes = []
    if unlabelled := int((node_labels == UNKNOWN).sum()):
        notes.append(f"{unlabelled:,} of {len(node_labels):,} extracted nodes have no label and count as boilerplate")
    if missing:
        notes.append(f"{count(len(missing), 'label')} not found, the first: {missing[0]}")
    return notes
