"""Find the category of the item in the breadcrumbs of detail pages: the last step before the item itself."""

from __future__ import annotations

from collections.abc import Sequence

from webquarry.page.column_words import split_words
from webquarry.wrapping.item_pages import ItemPage
from webquarry.wrapping.item_reader import fold_label
from webquarry.wrapping.item_units import TEXT, Group, Unit

MAX_CRUMBS = 10
"""Links of breadcrumbs; more are a menu."""
CATEGORIES = frozenset(["categories", "category"])
"""Names of fields that say what the last breadcrumb says."""
_NAMES = frozenset("breadcrumb breadcrumbs crumb crumbs topicpath".split())


def find_category(pages: Sequence[ItemPage], title: Unit | None) -> list[Unit]:
    """Find the unit of the last link in the breadcrumbs that is not the item; none if it is the same on all pages."""
    found: Group = {}
    for number, page in enumerate(pages):
        named = fold_label(title.values[number][0]) if title and number in title.values else ""
        links = [node for node in _list_crumbs(page) if fold_label(page.text(node)) != named]
        if links:
            found[number] = links[-1]
    values = {number: [pages[number].text(node)] for number, node in found.items()}
    if len(found) < len(pages) or len({texts[0] for texts in values.values()}) < 2:
        return []
    return [Unit(TEXT, {number: [node] for number, node in found.items()}, values, name="category")]


def _list_crumbs(page: ItemPage) -> list[int]:
    """List the links of the breadcrumbs of a page."""
    for node in range(page.body, page.ends[page.body]):
        own = page.document.attributes[node]
        said = " ".join(own.get(name, "") for name in ("class", "id", "aria-label"))
        if said.strip() and not _NAMES.isdisjoint(split_words(said[:200])):
            links = [each for each in page.tree.named("a") if node <= each < page.ends[node] and page.text(each)]
            if 0 < len(links) <= MAX_CRUMBS:
                return links
    return []
