"""Score columns that are filled by examples of their values: one or two cells are given, the whole column is wanted.

A true column of a listing counts if at least four of its cells, three of them different, are on the page.  The values
that the wrapper reads for it are matched one to one with the true cells whose words have an F1 of at least 0.6.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

import numpy as np

import webquarry as wq
from benchmarks.listings import Listing
from benchmarks.scoring.columns import ALIKE, alike
from benchmarks.scoring.records import Words, match, words_of
from webquarry.errors import InputError, WebquarryError
from webquarry.html.columns import Kind
from webquarry.model.document import Document
from webquarry.model.wrapper import Wrapper
from webquarry.wrapping.listing_reader import read_records

EXAMPLES = 2
SAME = 0.9  # F1 of the words of a value and a true cell that a person takes for the same
CLICKED = 0.8  # F1 of the words of a cell and of an element that a person would click for it
_MAX_CLICKED = 600  # characters of such an element
_MIN_CELLS, _MIN_DIFFERENT = 4, 3
_WANTED = "wanted"
_KNOWN = re.compile(r"is read already, as (.+?);")

Cells = Sequence[tuple[int, str]]
"""True records by number, with their cells of one column."""


def list_texts(document: Document) -> dict[str, Words]:
    """List the texts of the elements of a page, with their words."""
    nodes = np.flatnonzero((document.kinds == Kind.ELEMENT) & ~document.hidden).tolist()
    texts = {" ".join(document.text(node).split()) for node in nodes}
    return {text: words_of(text) for text in sorted(texts) if 0 < len(text) <= _MAX_CLICKED}


def find_on_page(texts: Mapping[str, Words], cell: str) -> str:
    """Return a true cell as the page writes it, as a person would click it: truths are transcribed."""
    words = words_of(cell)
    likest = max(texts, key=lambda text: alike(texts[text], words), default="")
    return likest if likest and alike(texts[likest], words) >= CLICKED else cell


def score_examples(pages: Sequence[tuple[Listing, Document]]) -> list[tuple[float, ...]]:
    """Give for each true column the F1 with one example, and with one more where the first gave another value."""
    return [scores for page, document in pages for scores in _score_page(page, document)]


def mean_scores(scores: Sequence[tuple[float, ...]]) -> list[float]:
    """Average the scores of all columns."""
    return [fmean(each) for each in zip(*scores, strict=True)]


def _score_page(page: Listing, rendered: Document) -> Iterator[tuple[float, ...]]:
    columns = list(_list_columns(page, " ".join(words_of(rendered.text()))))
    try:
        wrapper = wq.wrap([rendered], name="listing", kind="records")
    except WebquarryError:
        yield from ((0.0,) * EXAMPLES for _ in columns)
        return
    document = rendered if wrapper.source.render else wq.clean(page.page)
    texts = list_texts(rendered)
    for cells in columns:
        shown = {cell: find_on_page(texts, cell) for _, cell in cells[:EXAMPLES]}
        yield tuple(_score_column(page, wrapper, document, cells, shown))


def _list_columns(page: Listing, words: str) -> Iterator[Cells]:
    for column in range(max(map(len, page.truths))):
        cells = [(number, row[column]) for number, row in enumerate(page.truths) if column < len(row)]
        there = [
            (number, cell) for number, cell in cells if words_of(cell) and set(words_of(cell)) <= set(words.split())
        ]
        if len(there) >= _MIN_CELLS and len({cell for _, cell in there}) >= _MIN_DIFFERENT:
            yield there


def _score_column(
    page: Listing, wrapper: Wrapper, document: Document, cells: Cells, shown: Mapping[str, str]
) -> Iterator[float]:
    name = ""
    for number, example in cells[:EXAMPLES]:
        if not name or not _has(page, wrapper, document, name, (number, example)):
            wrapper, name = _add(wrapper, document, shown[example], name)
        yield _f1([cell for _, cell in cells], _read(wrapper, document, name)) if name else 0.0


def _add(wrapper: Wrapper, document: Document, example: str, name: str) -> tuple[Wrapper, str]:
    """Add the column of an example, or teach it; a column that is there is taken as it is."""
    try:
        return wq.correct(wrapper, [document], "add", example, name=name or _WANTED), name or _WANTED
    except InputError as error:
        known = _KNOWN.search(str(error))
        return wrapper, name or (known[1] if known else "")


def _has(page: Listing, wrapper: Wrapper, document: Document, name: str, true: tuple[int, str]) -> bool:
    """Tell whether a column has a cell in the record that it is of."""
    number, example = true
    place = [field.name for field in wrapper.fields].index(name)
    rows = read_records(wrapper, document)
    texts = [" ".join(document.texts[node] for node in range(*row.span) if not document.hidden[node]) for row in rows]
    pairs = dict(match([words_of(" ".join(row)) for row in page.truths], list(map(words_of, texts))))
    cell = rows[pairs[number]].cells[place] if number in pairs else None
    return cell is not None and alike(words_of(cell.text), words_of(example)) >= SAME


def _read(wrapper: Wrapper, document: Document, name: str) -> list[str]:
    place = [field.name for field in wrapper.fields].index(name)
    return [cell.text for row in read_records(wrapper, document) if (cell := row.cells[place])]


def _f1(wanted: Sequence[str], said: Sequence[str]) -> float:
    left, right = [words_of(text) for text in said], 0
    for words in map(words_of, wanted):
        likest = max(range(len(left)), key=lambda place: alike(words, left[place]), default=None)
        if likest is not None and alike(words, left[likest]) >= ALIKE:
            right += 1
            left.pop(likest)
    return 2 * right / (len(wanted) + len(said))
