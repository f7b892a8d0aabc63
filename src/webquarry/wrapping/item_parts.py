"""Find the parts of detail pages: the title and category of the item, what is about it, boilerplate, and sections."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import HEADING_TAGS, find_inside
from webquarry.model.wrapper import Section, SectionPath, Wrapper
from webquarry.page.column_words import split_words, telling_words
from webquarry.page.landmarks import Role, find_landmarks
from webquarry.values.column_values import read_column
from webquarry.values.text_value import Locale
from webquarry.wrapping.item_samples import TEXT, TITLE, Group, Groups, ItemPage, Unit, Zones
from webquarry.wrapping.label_texts import fold_label, squeeze
from webquarry.wrapping.section_learner import learn_headed_sections
from webquarry.wrapping.section_reader import read_texts

_FURNITURE = Role.NAVIGATION | Role.SHARING | Role.COMMENTS | Role.RELATED | Role.ADVERTISEMENT | Role.FOOT
MAX_SHARE_OF_FURNITURE = 0.5
"""Share of a page's texts above which an element is not furniture, whatever its name."""
MAX_SHARE_UNKNOWN = 0.1
"""Share of the letters of a section beside those of fields, below which it says nothing more."""
MAX_KNOWN_TEXTS = 1000
"""Texts of a page that are compared with each of its sections."""
MAX_SUMMARY_TEXTS = 24
"""Texts of a summary of reviews: means and counts, links to read and write them, and facts beside them."""
MAX_SUMMARY_LENGTH = 40
"""Characters of each."""
MIN_SHARE_OF_FIELDS = 0.95
"""Share of the fields that the part of a page about the item holds."""
MAX_COST_OF_REPEATING = 4.0
"""Points that a text would lose as a title if it were the same on all pages; a heading has up to 6."""
COST_OF_A_TYPE = 6.0
"""Points that a text loses as a title if it has a label, or is a price, date or page on all pages."""
MIN_SHARE_WITH_TITLE = 0.75
"""Share of the samples that must have the title."""
MAX_CRUMBS = 10
"""Links of breadcrumbs; more are a menu."""
_CRUMBS = frozenset("breadcrumb breadcrumbs crumb crumbs topicpath".split())
_HOLDERS = frozenset(["article", "main"])
_TITLES = frozenset(["headline", "name", "title"])


def find_title(units: Sequence[Unit], pages: Sequence[ItemPage]) -> Unit | None:
    """Find the text that names the item: prominent, part of the page's own title, and of most pages alone.

    Two samples may be of one name: an event of every week, a person who is listed twice.
    """
    candidates = [
        unit
        for unit in units
        if unit.kind == "text"
        and len(unit.nodes) >= MIN_SHARE_WITH_TITLE * len(pages)
        and len(set(unit.texts)) > (len(pages) > 1)
    ]
    if not candidates:
        return None
    titles = {page: _stated_titles(page) for page in pages}
    scores = {
        unit: _prominence(unit, titles)
        - MAX_COST_OF_REPEATING * (1 - len(set(unit.texts)) / len(pages))
        - COST_OF_A_TYPE * (bool(unit.label) or read_column(unit.texts, Locale()) is not None)
        for unit in candidates
    }
    return max(candidates, key=scores.__getitem__)


def _stated_titles(page: ItemPage) -> list[str]:
    document = page.document
    found = ["".join(document.texts[node : document.ends[node]]) for node in page.tree.named("title")[:1]]
    found += page.metas(["og:title"])
    return [" ".join(text.split()).casefold() for text in found if text]


def _prominence(unit: Unit, titles: Mapping[ItemPage, Sequence[str]]) -> float:
    score = 0.0
    for page, node in unit.firsts.items():
        text = unit.values[page][0].casefold()
        for each in titles[page]:
            if text in each:
                score += 4 * len(text) / len(each) + 2
        heading = page.find_tag(node, HEADING_TAGS)
        if heading is not None:
            score += 7 - int(page.tag(heading)[1])
        own = page.document.attributes[node]
        if own.get("itemprop") == "name":
            score += 4
        elif not _TITLES.isdisjoint(telling_words(f"{own.get('class', '')} {own.get('id', '')}"[:200])):
            score += 2
        layout = page.document.layout
        if layout is not None:
            size = layout.style(page.parents[page.leaves[page.span(node)[0]]], "font-size").removesuffix("px")
            score += min(4.0, float(size or 0) / 10)
        score -= 3.0 * page.span(node)[0] / max(1, len(page.leaves))
        score -= 4.0 * (len(text) > 150)
    return score / len(unit.nodes)


def find_category(pages: Sequence[ItemPage], title: Unit | None) -> list[Unit]:
    """Find the category: the last link in the breadcrumbs that is not the item; none if all pages have the same."""
    found: Group = {}
    for page in pages:
        named = fold_label(title.values[page][0]) if title and page in title.values else ""
        links = [node for node in _list_crumbs(page) if fold_label(page.text(node)) != named]
        if links:
            found[page] = links[-1]
    values = {page: [page.text(node)] for page, node in found.items()}
    if len(found) < len(pages) or len({texts[0] for texts in values.values()}) < 2:
        return []
    return [Unit(TEXT, {page: [node] for page, node in found.items()}, values, name="category")]


def _list_crumbs(page: ItemPage) -> list[int]:
    """List the links of the breadcrumbs of a page."""
    links = [node for node in page.tree.named("a") if page.text(node)]
    for node in range(page.body, page.ends[page.body]):
        own = page.document.attributes[node]
        said = " ".join(own.get(name, "") for name in ("class", "id", "aria-label"))
        if said.strip() and not _CRUMBS.isdisjoint(split_words(said[:200])):
            crumbs = links[bisect_left(links, node) : bisect_left(links, page.ends[node])]
            if 0 < len(crumbs) <= MAX_CRUMBS:
                return crumbs
    return []


def find_furniture(page: ItemPage) -> NDArray[np.bool_]:
    """Tell for each node whether it is in navigation, footer, comments or the like."""
    document = page.document
    marks = find_landmarks(document, np.flatnonzero(document.tags >= 0))
    chosen = np.zeros(len(document), dtype=np.bool_)
    most = MAX_SHARE_OF_FURNITURE * len(page.leaves)
    headings = page.tree.named("h1")
    roles = dict(zip(marks.nodes.tolist(), marks.roles.tolist(), strict=True))
    for node in marks.nodes[(marks.roles & int(_FURNITURE)) != 0].tolist():
        start, stop = page.span(node)
        is_small = node > page.body and 0 < stop - start <= most
        if is_small and not any(node <= each < page.ends[node] for each in headings):
            chosen[node] = _is_furniture(page, node, Role(roles[node]))
    return find_inside(document.ends, chosen)


def _is_furniture(page: ItemPage, node: int, role: Role) -> bool:
    """Tell whether what an element holds is what its name says: links, related things, reviews."""
    if role & Role.NAVIGATION and not _is_linked(page, *page.span(node)):
        return False
    if role & Role.FOOT and page.find_tag(node, _HOLDERS, len(page.parents)) is not None:
        return False  # the foot of the item, with its tags or page
    if role & Role.COMMENTS and (_is_summary(page, node) or len(range(*page.span(node))) == 1):
        return False
    if role & Role.ADVERTISEMENT and not any(page.tree.has(node, tag) for tag in ("a", "iframe", "img")):
        return False  # sites of small ads call the item one
    start, stop = page.span(node)
    is_tags = bool(role & Role.LABELS)
    return not (role & Role.RELATED) or (not is_tags and (stop > start + 1 or _is_linked(page, start, stop)))


def _is_summary(page: ItemPage, node: int) -> bool:
    """Tell whether an element only sums reviews up, by a mean and a count."""
    texts = list(map(page.leaf_text, range(*page.span(node))))
    if len(texts) > MAX_SUMMARY_TEXTS or max(map(len, texts)) > MAX_SUMMARY_LENGTH:
        return False
    is_counted = any(map(str.isdigit, "".join(texts)))
    return is_counted and not any(page.tree.has(node, tag) for tag in (*HEADING_TAGS, "img"))


def _is_linked(page: ItemPage, start: int, stop: int) -> bool:
    """Tell whether most texts are links, as in navigation."""
    linked = sum(
        any(page.tag(each) in ("a", "button") for each in page.around(page.leaves[place]))
        for place in range(start, stop)
    )
    return 2 * linked >= stop - start


def add_sections(wrapper: Wrapper, pages: Sequence[ItemPage], units: Sequence[Unit], zones: Zones) -> Wrapper:
    """Add the sections of the pages, without those that units of fields have the text of."""
    sections = learn_headed_sections([(page.document, zones.counted(page)) for page in pages], wrapper.source)
    if not sections.grammar.children:
        return wrapper
    known = {page: _longest([*_list_known(page, units), *_list_left_out(page, zones)]) for page in pages}
    texts = {page: read_texts(sections, [page.document]) for page in pages}
    grammar = _without_known(sections.grammar, (), texts, known)
    if not grammar.children:
        return wrapper
    has_title = any(rule.name == TITLE for rule in wrapper.fields)
    return replace(
        sections,
        title="" if has_title else sections.title,
        grammar=grammar,
        source=wrapper.source,
        listing=wrapper.listing,
    )


def find_zone(page: ItemPage, units: Iterable[Unit]) -> NDArray[np.bool_]:
    """Tell which nodes of a page are in the smallest element that holds most of the units."""
    nodes = sorted(nodes[0] for unit in units if (nodes := unit.nodes.get(page)))
    inside = np.zeros(len(page.document), dtype=np.bool_)
    zone = nodes[len(nodes) // 2] if nodes else page.body
    while zone > page.body:
        held = sum(zone <= node < page.ends[zone] for node in nodes)
        if held >= MIN_SHARE_OF_FIELDS * len(nodes):
            break
        zone = page.parents[zone]
    inside[zone : page.ends[zone]] = True
    return inside


def find_cards(page: ItemPage, cards: Sequence[Groups]) -> NDArray[np.bool_]:
    """Tell which nodes are in cards, such as related items and reviews."""
    inside = np.zeros(len(page.document), dtype=np.bool_)
    for groups in cards:
        for node in groups.get(page, ()):
            inside[node : page.ends[node]] = True
    return inside


def _list_known(page: ItemPage, units: Sequence[Unit]) -> Iterator[str]:
    """List the values of units on a page, and their labels."""
    for unit in units:
        yield from unit.values.get(page, ())
        yield unit.label


def _list_left_out(page: ItemPage, zones: Zones) -> Iterator[str]:
    """List the texts of a page that are not about the item."""
    is_counted = zones.counted(page)
    for place, node in enumerate(page.leaves):
        if not is_counted[node]:
            yield page.leaf_text(place)


def _without_known(
    section: Section,
    path: SectionPath,
    texts: Mapping[ItemPage, Mapping[SectionPath, Sequence[str]]],
    known: Mapping[ItemPage, Sequence[str]],
) -> Section:
    """Remove the sections that are the same on all pages, or say nothing beside fields and what is not of the item."""
    children = []
    for child in section.children:
        here = (*path, child.name)
        inner = _without_known(child, here, texts, known)
        own = [(page, found[here][0]) for page, found in texts.items() if found.get(here)]
        is_same = len(own) > 1 and len({text for _, text in own}) == 1
        if inner.children or not (is_same or all(_is_known(text, known[page]) for page, text in own)):
            children.append(inner)
    return replace(section, children=tuple(children))


def _longest(texts: Iterable[str]) -> list[str]:
    """List the letters and digits of texts, the longest first."""
    return sorted(filter(None, set(map(squeeze, texts))), key=len, reverse=True)[:MAX_KNOWN_TEXTS]


def _is_known(text: str, known: Iterable[str]) -> bool:
    """Tell whether hardly anything is left of a text without the known ones."""
    left = squeeze(text)
    most = MAX_SHARE_UNKNOWN * len(left)
    for each in known:
        if len(left) <= most:
            break
        left = left.replace(each, "")
    return len(left) <= most
