"""Choose the kind of wrapper for sample pages: sections, item, records or tables.

Pages that say that they are about one thing each are items.  Pages with many short sections of the same headings are
sections.  Of the others, unless facts are under their titles before any list, those whose best list leads to other
pages are records, and those whose best table holds most of the text are tables.  Several pages of one template are an
item where that gives clearly more values than sections, or a price that is under no heading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeVar

from webquarry.errors import InputError
from webquarry.mining.detail_page import ABOUT_ONE_THING, UNDER_TITLE
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.region import Region
from webquarry.model.wording import count
from webquarry.model.wrapper import OTHER, TITLE, Source
from webquarry.page.leaves import find_leaves
from webquarry.pipeline.mine_pages import mine
from webquarry.wrapping.item_learner import learn_item
from webquarry.wrapping.item_reader import ItemReader
from webquarry.wrapping.section_learner import learn_sections
from webquarry.wrapping.section_reader import Reader

MIN_SHARE_OF_SAMPLES = 0.5
"""Share of the samples that must be alike."""
MIN_SHORT_SECTIONS = 40
"""Short sections of a page, for pages to be sections whatever lists they have; listings of the benchmarks have at most
25, fact books 150 and more."""
MIN_RATIO_OF_FIELDS = 2
"""How many times more fields than short sections an item must have."""
MIN_MORE_FIELDS = 5
"""How many more: on a page with little on it, a title and a few constants are not worth another kind."""
MIN_SCORE_OF_LIST = 0.15
"""Score of a list that is what a page is for; of the benchmarks' listings nine in ten have more."""
MIN_RECORDS = 3
MIN_SHARE_OF_TABLE = 0.5
"""Share of a page's text that is in its table."""
MAX_VALUE_LENGTH = 300
"""Characters of a value that counts; longer ones may be several."""

T = TypeVar("T")


@dataclass(frozen=True)
class KindChoice:
    """A kind of wrapper, and the reason for it in a few words."""

    kind: str
    reason: str


def choose_kind(documents: Sequence[Document]) -> KindChoice:
    """Choose the kind of wrapper that fits sample pages best; sections if nothing does."""
    documents = list(dict.fromkeys(documents))
    if len(documents) == 1:
        return choose_by_regions(documents) or KindChoice("sections", _describe_alone(documents[0]))
    item = _find_item(documents)
    if item is not None and not item.reason.endswith(UNDER_TITLE):
        return item
    sections = _list_sections(documents)
    values = fmean(map(len, sections))
    if values >= MIN_SHORT_SECTIONS:
        return KindChoice("sections", f"{values:.0f} values a page are under headings that recur")
    found = choose_by_regions(documents) if item is None else None
    if found is not None:
        return found
    items = _list_fields(documents)
    fields = fmean(map(len, items))
    least = max(MIN_RATIO_OF_FIELDS * values, values + MIN_MORE_FIELDS) if values else 1
    if fields >= least or all(map(_has_own_price, items, sections)):
        return KindChoice(
            "item", f"{fields:.0f} values vary from page to page, {values:.0f} of them under headings that recur"
        )
    return KindChoice(
        "sections", f"{values:.0f} of {max(fields, values):.0f} values a page are under headings that recur"
    )


def _find_item(documents: Sequence[Document]) -> KindChoice | None:
    """Choose an item if most pages are about one thing each."""
    firsts = [regions[0].reasons for document in documents if (regions := mine(document))]
    about_one = [reasons[1] for reasons in firsts if reasons[0] == ABOUT_ONE_THING]
    if len(about_one) <= MIN_SHARE_OF_SAMPLES * len(documents):
        return None
    return KindChoice("item", f"each page is about one thing: {Counter(about_one).most_common(1)[0][0]}")


def _describe_alone(document: Document) -> str:
    item = _find_item([document])
    if item is not None and not item.reason.endswith(UNDER_TITLE):
        return "one page alone; two or more pages like it could be an item"
    return "one page without a list that leads elsewhere"


def choose_by_regions(documents: Sequence[Document]) -> KindChoice | None:
    """Choose records or tables if most pages have a good one."""
    lists = _find_on_most(documents, _find_list)
    if lists:
        return KindChoice("records", f"{count(len(lists[0]), 'record')} that lead to other pages")
    shares = _find_on_most(documents, _find_share_of_table)
    if shares:
        return KindChoice("tables", f"a table has {fmean(shares):.0%} of the text")
    return None


def _find_on_most(documents: Sequence[Document], find: Callable[[Document], T | None]) -> list[T]:
    """Find something on most pages; nothing, without looking at the others, once too many lack it."""
    found: list[T] = []
    for left, document in zip(reversed(range(len(documents))), documents, strict=True):
        one = find(document)
        if one is not None:
            found.append(one)
        if len(found) + left <= MIN_SHARE_OF_SAMPLES * len(documents):
            return []
    return found


def _find_list(document: Document) -> Region | None:
    """Find the list that the page is for: a good one, whose records lead to pages of their own."""
    region = next(iter(mine(document)), None)
    if region is None or region.kind != "records" or len(region) < MIN_RECORDS or region.score < MIN_SCORE_OF_LIST:
        return None
    linked = [field for field in region.fields if field.type == "link"]
    leads = max((len({value for value in field.values if value}) for field in linked), default=0)
    return region if leads > MIN_SHARE_OF_SAMPLES * len(region) else None


def _find_share_of_table(document: Document) -> float | None:
    """Find the share of the text that the best table has, if it is enough."""
    region = next((each for each in mine(document, method="tables") if each.kind == "table"), None)
    if region is None or len(region) < MIN_RECORDS:
        return None
    leaves = find_leaves(document)
    inside = leaves.weights[leaves.starts[region.node] : leaves.starts[document.ends[region.node]]]
    share = float(inside.sum() / max(1.0, leaves.weights.sum()))
    return share if share >= MIN_SHARE_OF_TABLE else None


Values = list[SectionValue]


def _list_sections(documents: Sequence[Document]) -> list[Values]:
    """List the short sections of each page."""
    wrapper = learn_sections(documents, Source("samples"))
    reader = Reader(wrapper)
    return [_list_short(reader.read(document)) if wrapper.grammar.children else [] for document in documents]


def _list_fields(documents: Sequence[Document]) -> list[Values]:
    """List the short values of each page as an item."""
    try:
        reader = ItemReader(learn_item(documents, Source("samples", "item")))
    except InputError:
        return [[] for _ in documents]
    return [_list_short(reader.read(document)) for document in documents]


def _list_short(extraction: Extraction) -> Values:
    """List the values that are one thing: short, and on one line."""
    values = [value for value in extraction.values if value.headings and value.path[0] not in (TITLE, OTHER)]
    return [value for value in values if len(value.text) <= MAX_VALUE_LENGTH and "\n" not in value.text]


def _has_own_price(fields: Values, sections: Values) -> bool:
    """Tell whether a field is a price that no section has."""
    known = {value.text for value in sections}
    return any(value.path == ("price",) and value.text not in known for value in fields)
