"""Write the parts of a report that are about tables: what each column holds, and the records with small pictures."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from webquarry.model.document import Box
from webquarry.model.report import Verdicts
from webquarry.model.wording import count
from webquarry.validating.column_outliers import find_records
from webquarry.validating.report_markup import Html, crop, element, foreign, join, share, table
from webquarry.validating.table_faults import MIN_SHARE_OF_TYPE, Cell, Table

MAX_COLUMNS = 200
"""Columns that are shown; a table with more is not read in a report."""
MAX_RECORDS = 40
"""Records of a page that are shown, those with something odd first."""
MAX_EXAMPLE = 60
"""Characters of a value that are shown among others."""
MAX_ADDRESS = 30
"""Characters of an address that are shown."""
PICTURE = (360, 140)
"""CSS pixels that the picture of a record may take, across and down."""
_ADDRESS = re.compile(r"(?:https?|file|data):", re.IGNORECASE)
_MARGIN = 4.0
"""CSS pixels of the page around a record."""


def write_columns(pages: Sequence[Verdicts]) -> list[Html]:
    """Write a row for each column of the tables; nothing for texts."""
    summaries = summarise_columns(pages)
    if not summaries:
        return []
    lead = (
        f"Each row is a column of the table with its {count(summaries[0].records, 'record')}: how many records have a "
        "value in it, what its values look like, and what is odd among them."
    )
    numbers = ["filled", "distinct"]
    heads = ["column", "filled", "type", "distinct", "shortest", "longest", "examples", "what is odd, and why"]
    rows = [_write_column(each) for each in summaries[:MAX_COLUMNS]]
    return [element("p", lead, class_="soft"), table(count(len(summaries), "column"), heads, rows, numbers=numbers)]


def _write_column(summary: ColumnSummary) -> Html:
    examples = element("ul", *(element("li", _short(each)) for each in summary.examples), class_="plain")
    odd = element("ul", *(element("li", foreign(each)) for each in summary.odd), class_="plain")
    return element(
        "tr",
        element("th", foreign(summary.name), scope="row"),
        element("td", share(summary.filled, summary.records), class_="number"),
        element("td", summary.type, class_="word"),
        element("td", f"{summary.distinct:,}", class_="number"),
        element("td", _short(summary.shortest), class_="narrow"),
        element("td", _short(summary.longest)),
        element("td", examples),
        element("td", odd if summary.odd else "nothing", class_="odd" if summary.odd else "soft"),
    )


def _short(text: str) -> Html:
    """Write the beginning of a text; of an address, which all begin alike, the end."""
    words = " ".join(text.split())
    if _ADDRESS.match(words) and len(words) > MAX_ADDRESS:
        return foreign(f"…{words[-MAX_ADDRESS:]}")
    return foreign(words if len(words) <= MAX_EXAMPLE else f"{words[:MAX_EXAMPLE]}…")


def write_records(page: Verdicts, picture: str | None, height: float) -> list[Html]:
    """Write the records of a page, the odd ones first, each with its values and its part of the screenshot.

    `picture` is the id of the screenshot's image in the report, `height` how far down it reaches, in CSS pixels.
    """
    selection = page.selection
    if not selection.columns:
        return []
    records: defaultdict[int, list[int]] = defaultdict(list)
    for place, record in enumerate(find_records([selection]).tolist()):
        records[record].append(place)
    ordered = sorted(records.items(), key=lambda each: not page.drops[each[1]].any())[:MAX_RECORDS]
    boxes = {record: _bound(page, places, height) for record, places in ordered} if picture else {}
    heads = ["", *["on the page"] * bool(picture), "values"]
    rows = [
        element(
            "tr",
            element("th", str(record + 1), scope="row"),
            *([element("td", _draw_record(picture, boxes[record], record + 1))] if picture else []),
            element("td", _write_values(page, places)),
            class_="record dropped" if page.drops[places].any() else "record kept",
        )
        for record, places in ordered
    ]
    inside = table(count(len(records), "record"), heads, rows)
    rest = f"{len(records) - len(ordered):,} more are not shown." if len(records) > len(ordered) else ""
    summary = element("summary", f"{count(len(records), 'record')}, those with something odd first")
    is_odd = bool(page.drops.any())
    return [Html(element("details", summary, inside, rest).replace("<details>", f"<details{' open' * is_odd}>", 1))]


def _write_values(page: Verdicts, places: Sequence[int]) -> Html:
    """Write the values of a record under the names of their columns."""
    pairs = [
        element(
            "div",
            element("dt", foreign(page.selection.columns[place])),
            element("dd", _short(page.selection.texts[place])),
            class_="wrong" if page.drops[place] else None,
        )
        for place in places
    ]
    reasons = dict.fromkeys(page.reasons[place] for place in places if page.drops[place])
    why = element("ul", *(element("li", foreign(each)) for each in reasons), class_="plain why")
    return join([element("dl", *pairs, class_="values"), why if reasons else ""])


def _bound(page: Verdicts, places: Sequence[int], height: float) -> Box | None:
    """Bound the values of a record on the screenshot; None if they are not on it."""
    document = page.selection.document
    if document.layout is None:
        return None
    nodes = page.selection.nodes[list(places)]
    own = document.layout.boxes[nodes].astype(np.float64)
    boxes = np.where(np.isnan(own), document.layout.boxes[np.maximum(document.parents[nodes], 0)], own)
    seen = boxes[(boxes[:, 2] > 0) & (boxes[:, 3] > 0)]
    if not len(seen):
        return None
    left, top = (seen[:, :2].min(axis=0) - _MARGIN).tolist()
    right, bottom = ((seen[:, :2] + seen[:, 2:]).max(axis=0) + _MARGIN).tolist()
    return None if top >= height else (left, top, right - left, min(bottom, height) - top)


def _draw_record(picture: str | None, box: Box | None, number: int) -> Html:
    """Draw the part of a screenshot that has a record, no larger than `PICTURE`."""
    if picture is None or box is None:
        return Html()
    scale = min(1.0, PICTURE[0] / box[2], PICTURE[1] / box[3])
    return element(
        "svg",
        element("use", href=f"#{picture}"),
        viewBox=" ".join(f"{side:.1f}" for side in box),
        width=max(1.0, box[2] * scale),
        height=max(1.0, box[3] * scale),
        role="img",
        aria_label=crop(f"Record {number} on the page"),
        class_="crop",
    )


EXAMPLES = 3
"""Values of a column that are shown, from its beginning, middle and end."""
REASONS = 3
"""Reasons of a column that are shown, the most frequent first."""
MIN_RECORDS_OF_CONSTANT = 3
"""Records from which on it is odd that all have the same value."""
MIN_SHARE_OF_SECOND = 0.2
"""The share of values from which a second type counts as a mixture, not as an exception."""
_PLAIN_NAMES = {"money": "price", "number": "number", "date": "date", "text": "text", "link": "address"}
_TYPE_NAMES = {"money": "price", "boolean": "yes or no", "link": "address"}


@dataclass(frozen=True)
class ColumnSummary:
    """A summary of a column of a table."""

    name: str
    filled: int
    """Records that have a value."""
    records: int
    """All records."""
    type: str
    """The type of most values, such as `price`; `mixed` if no type has most."""
    distinct: int
    shortest: str
    longest: str
    examples: tuple[str, ...]
    odd: tuple[str, ...]
    """Sentences about what is odd, and why."""


def summarise_columns(pages: Sequence[Verdicts]) -> list[ColumnSummary]:
    """Summarise the columns of some pages, in the order in which they first come; pages of texts have none."""
    judged = [page for page in pages if page.selection.columns]
    selections = [page.selection for page in judged]
    records = find_records(selections)
    table = Table(selections, records)
    drops = [drop for page in judged for drop in page.drops.tolist()]
    reasons = [reason for page in judged for reason in page.reasons]
    number = len(set(records.tolist()))
    return [
        _summarise(name, [table.cells[place] for place in places], number, _find_odd(places, drops, reasons))
        for name, places in table.columns.items()
    ]


def _summarise(name: str, cells: Sequence[Cell], records: int, odd: Sequence[str]) -> ColumnSummary:
    texts = [cell.text for cell in cells]
    distinct = len(set(texts))
    filled = len({cell.record for cell in cells})
    is_constant = distinct == 1 and filled == records >= MIN_RECORDS_OF_CONSTANT
    said = ["All records have the same value, so the column says nothing about them."] * is_constant
    said += _find_mixture(cells)
    return ColumnSummary(
        name,
        filled=filled,
        records=records,
        type=_name_type(cells),
        distinct=distinct,
        shortest=min(texts, key=len),
        longest=max(texts, key=len),
        examples=tuple(_choose_examples(texts)),
        odd=(*odd, *said),
    )


def _name_type(cells: Iterable[Cell]) -> str:
    kinds = Counter(cell.kind for cell in cells)
    kind, number = kinds.most_common(1)[0]
    return _TYPE_NAMES.get(kind, kind) if number >= MIN_SHARE_OF_TYPE * kinds.total() else "mixed"


def _find_mixture(cells: Sequence[Cell]) -> list[str]:
    """Describe the types that a column mixes; numbers among words, as in product names, do not count."""
    kinds = Counter(cell.kind for cell in cells)
    common = [(kind, number) for kind, number in kinds.most_common(2) if number >= MIN_SHARE_OF_SECOND * len(cells)]
    if len(common) < 2 or {kind for kind, _ in common} == {"text", "number"}:
        return []
    listed = " and ".join(count(number, _PLAIN_NAMES.get(kind, f"{kind} value")) for kind, number in common)
    return [f"The column mixes {listed}, so it may be two columns."]


def _choose_examples(texts: Sequence[str]) -> Iterator[str]:
    """Choose distinct texts from the beginning, the middle and the end."""
    known = list(dict.fromkeys(texts))
    places = dict.fromkeys((0, len(known) // 2, len(known) - 1))
    yield from (known[place] for place in list(places)[:EXAMPLES])


def _find_odd(places: Iterable[int], drops: Sequence[bool], reasons: Sequence[str]) -> list[str]:
    """Count the reasons of what is dropped, the most frequent first."""
    counts = Counter(reasons[place] for place in places if drops[place])
    said = [f"{number:,} values: {reason}" if number > 1 else reason for reason, number in counts.most_common(REASONS)]
    return [*said, *[f"{len(counts) - REASONS:,} more."] * (len(counts) > REASONS)]
