"""Find the one thing that a detail page is about: a product, a job, a recipe, an event, a person.

Also the one record of a page without a good list: alone in its list, or what most of the page is about.

A page is a detail page if it says so and no list follows its title at once: shops state a product or an `og:type` on
their listings too.  A page that says nothing is one if labels, prices, dates and amounts are under its title, and a
list of other pages comes late or not at all.  Fails where no text is the title that the page states, and on pages that
say nothing with few facts or with long lists of related things.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import HEADING_TAGS, find_inside
from webquarry.mining.alignment import align_fields
from webquarry.model.document import Document
from webquarry.model.names import distinct
from webquarry.model.nouns import replace_fields
from webquarry.model.region import Region
from webquarry.model.table_columns import Field
from webquarry.model.wording import count
from webquarry.page.landmarks import Role, find_furniture, find_lone_links, find_seen_landmarks
from webquarry.page.leaves import Leaves, count_before, find_leaves, range_sums
from webquarry.page.stated_items import PageData
from webquarry.values.column_values import read_value
from webquarry.values.text_value import Locale
from webquarry.values.units import is_counted

ABOUT_ONE_THING = "the page is about one thing"
"""The first reason of an item."""
UNDER_TITLE = "under its title, before any list of other pages"
"""The end of the second reason of an item that its page does not state."""
MIN_LEADING = 0.8
"""Records of a list with a link, and addresses that they lead to, for each record; then it leads to other pages."""
MIN_RECORDS_OF_LISTING = 3
MAX_SHARE_BEFORE_LISTING = 0.25
"""Share of the content between the title and a list, for the page to be a listing: at most .21 on listings of the
benchmarks, and at least .30 on detail pages with related things."""
MIN_SHARE_OF_LISTING = 0.5
"""Share of the content above which a list makes a page a listing, even if it states twice or more that it is not."""
MIN_SHARE_OF_ITEM = 0.7
"""Share of the content beside lists that the element of the item must hold."""
MAX_SHARE_APART = 0.5
"""Share of the content above which an element is not apart from it, whatever its name."""
MIN_FACTS = 3
"""Labels and values under a title, for a page that states nothing to be about one thing."""
MAX_FACT_LENGTH = 40
"""Characters of a label, amount, date or price."""
MIN_SCORE_OF_LISTING = 0.45
"""Score of a list that makes a page a listing, if it states nothing else: what is related to one thing has less."""
MAX_LEVELS_OF_CELL = 6
"""Elements around a text that may be its cell, or the control that it is the text of."""
MAX_CELLS = 2
"""Cells of a row with a fact and its label; a row with more compares things."""
MAX_SHARE_OF_RELATED = 0.45
"""Share of the content of a page about one thing, that states nothing, that a list of other things may have."""
MAX_RELATED = 20
"""Records of that list."""
MIN_SHARE_BEFORE_RELATED = 0.25
"""Share of its content between the title and that list."""
MIN_SHARE_BEFORE_FEW_FACTS = 0.45
"""The same where fewer facts are under the title."""
MIN_TITLE_LENGTH = 3
"""Characters of a title."""
MAX_TITLE_NODES = 50
"""Elements and texts in the element of a title; elements in each other may all hold most texts of a page."""
MIN_SHARE_OF_TITLE = 0.5
"""Share of a title that another must begin with, to be the same: `Lamp W-07` and `Lamp W-07, brass`."""
_TYPES = frozenset(
    "Product ProductGroup ProductModel IndividualProduct Vehicle Car Book Movie TVSeries TVEpisode VideoGame MusicAlbum"
    " MusicRecording SoftwareApplication MobileApplication WebApplication JobPosting Recipe Event MusicEvent"
    " SportsEvent TheaterEvent Festival ExhibitionEvent EducationEvent BusinessEvent SocialEvent Course CourseInstance"
    " RealEstateListing Apartment House SingleFamilyResidence Accommodation ProfilePage Drug TouristTrip".split()
)
"""Types of schema.org that mark a detail page; shops and persons are stated on all pages of their sites."""
_GRAPH_TYPES = re.compile(
    r"(?:\w+:)?(?:product|product\.item|book|video\.(?:movie|episode|tv_show)|music\.\w+|profile|event|recipe|job)\Z",
    re.IGNORECASE,
)
"""Values of `og:type` for one thing; `product.group` is a listing, and `article` says nothing."""
_BODY_CLASS = re.compile(r"(?:single-(?!post\b|page\b|format|attachment)\w[\w-]*|template-product)\Z")
"""Class names that WordPress and Shopify give to the body of a page about one thing."""
_LABEL = re.compile(r"[^\W\d_][^:\uff1a]{0,30}[:\uff1a](?!\S)|[^\W\d_][^:\uff1a]{0,30}\uff1a")
"""A label at the start of a text: letters, and a colon that is not part of a time or an address."""
_BETWEEN_PARTS = re.compile(r"\s+[|\u2013\u2014\u00b7\u00bb:-]\s+")
"""Between the title of a page and the name of its site."""
_APART = Role.COMMENTS | Role.SHARING | Role.NOTICE | Role.SIGN_UP | Role.ADVERTISEMENT


def put_item_first(
    document: Document, regions: Sequence[Region], data: PageData, *, by_facts: bool = False
) -> list[Region]:
    """Put the thing that a page is about before its lists, if it is a detail page; `data` is what the page states.

    A page that states nothing may be one by the facts under its title.
    """
    evidence = _Evidence(document, data)
    is_list = bool(regions) and len(regions[0]) >= MIN_RECORDS_OF_LISTING and regions[0].score >= MIN_SCORE_OF_LISTING
    if not evidence.reasons and (is_list or not by_facts):
        return list(regions)
    page = _DetailPage(document, regions, evidence)
    reasons = evidence.reasons or page.describe_facts()
    span = page.find_item() if reasons else None
    if span is None:
        return list(regions)
    item = Region(
        document=document,
        node=document.parents.item(span[0]),
        spans=(span,),
        fields=partial(_align_item, page, document, span, page.title or 0),
        kind="records",
        method="visual",
        role="main",
        score=1.0,
        reasons=(ABOUT_ONE_THING, *reasons),
    )
    lists = [region for region in regions if len(region) > 1]
    return [item, *(replace_fields(each, role="side") if each.role == "main" else each for each in lists)]


class _Evidence:
    """What a page says about what it is."""

    def __init__(self, document: Document, data: PageData) -> None:
        self._document, self._data = document, data

    @cached_property
    def reasons(self) -> list[str]:
        """Why the page may be about one thing; none if it does not say so."""
        document = self._document
        body = next(iter(document.has_tag(["body"]).nonzero()[0].tolist()), 0)
        names = document.attributes[body].get("class", "").split()
        is_wordpress = "single" in names  # beside the class with the kind of the page; themes say `single-column`
        found = [
            f"the class of its body is {name}"
            for name in names
            if _BODY_CLASS.match(name) and (is_wordpress or not name.startswith("single-"))
        ][:1]
        kind = self._graph.get("og:type", "")
        found += [f"its og:type is {kind}"] if _GRAPH_TYPES.match(kind) else []
        return found + [f"it states one {kind} by its title in {format_}" for kind, format_, _ in self._stated]

    @cached_property
    def names(self) -> list[str]:
        """The titles that the page states and their parts, the most trusted first."""
        document = self._document
        titles = [_text(document, node) for node in document.has_tag(["title"]).nonzero()[0].tolist()[:1]]
        stated = [name for _, _, name in self._stated]
        names = [*stated, self._graph.get("og:title", ""), *titles]
        parts = [part for name in names for part in (name, *_BETWEEN_PARTS.split(name)[:1])]
        return [part for part in dict.fromkeys(parts) if len(part) >= MIN_TITLE_LENGTH]

    @cached_property
    def _graph(self) -> dict[str, str]:
        document = self._document
        metas = [document.attributes[node] for node in document.has_tag(["meta"]).nonzero()[0].tolist()]
        return {each["property"]: each.get("content", "") for each in reversed(metas) if "property" in each}

    @cached_property
    def _stated(self) -> list[tuple[str, str, str]]:
        """The types, formats and names of single items that an `h1` names, or without one any heading or title."""
        single = [each for each in self._data.lists if each.type in _TYPES and len(each.items) == 1]
        if not single:
            return []
        document = self._document
        tags = ["h1"] if document.has_tag(["h1"]).any() else [*HEADING_TAGS, "title"]
        texts = [_text(document, node) for node in document.has_tag(tags).nonzero()[0].tolist()]
        headings = [part for text in texts for part in (text, _BETWEEN_PARTS.split(text)[0])]
        found = []
        for stated in single:
            values = stated.items[0].values
            name = next((values[path].text for path in ("name", "title") if path in values), "")
            if any(is_same_title(name, heading) for heading in headings):
                found.append((stated.type, stated.format, name))
        return found


def is_same_title(one: str, other: str) -> bool:
    """Tell whether two texts are the same title: equal, or one begins with the other.

    >>> is_same_title("Lamp W-07", "lamp W-07 - Lumen"), is_same_title("Lamp", "Lamps and lights of all kinds")
    (True, False)
    """
    return _begins_alike(_fold(one), _fold(other))


def _fold(title: str) -> str:
    return " ".join(title.casefold().split())


def _begins_alike(one: str, other: str) -> bool:
    """Tell whether two folded texts are the same title."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if len(short) < MIN_TITLE_LENGTH or not long.startswith(short):
        return False
    return short == long or (len(short) >= MIN_SHARE_OF_TITLE * len(long) and not long[len(short)].isalnum())


def _text(document: Document, node: int) -> str:
    return " ".join("".join(document.texts[node : document.ends[node]]).split())


class _DetailPage:
    """A page that says that it is about one thing."""

    def __init__(self, document: Document, regions: Sequence[Region], evidence: _Evidence) -> None:
        self._document, self._evidence = document, evidence
        self.leaves = find_leaves(document)
        self._furniture = find_furniture(document, self.leaves)
        self._regions = regions

    def find_item(self) -> tuple[int, int] | None:
        """Find the nodes of the item; None if the page has no title, or is a listing after all."""
        if self.title is None or self._is_listing():
            return None
        document, leaves = self._document, self.leaves
        core = self._content * ~self.apart
        weights = range_sums(core, leaves.starts[:-1], leaves.starts[document.ends])
        node = self.title
        while node > 0 and weights[node] < MIN_SHARE_OF_ITEM * core.sum():
            node = document.parents.item(node)
        if document.tag(node) in ("", "html") or weights[node] == weights[self.title]:
            return None
        inside = document.children(node)
        filled = [child for child in inside if weights[child] > 0]
        if document.tag(node) != "body" and len(filled) == sum(leaves.totals[child] > 0 for child in inside):
            return node, document.ends.item(node)
        return (filled[0], int(document.ends[filled[-1]])) if filled else None

    @cached_property
    def _lists(self) -> list[Region]:
        """The regions that lead to other pages."""
        return [region for region in self._regions if len(region) > 1 and self._leads_elsewhere(region)]

    @cached_property
    def title(self) -> int | None:
        """The element with the title: the first heading, else any text, that is one of the stated titles."""
        document, leaves = self._document, self.leaves
        headings = (document.has_tag(HEADING_TAGS) & (leaves.totals > 0)).nonzero()[0].tolist()
        firsts = [node for node in headings if document.tag(node) == "h1"]
        if len(firsts) == 1 and self._is_own_title(firsts[0]):
            return int(firsts[0])
        owners = leaves.owners[~leaves.is_image & ~self._furniture].tolist()
        names = [_fold(name) for name in self._evidence.names]
        for nodes in (firsts, headings, owners) if names else ():
            small = [node for node in nodes if document.ends[node] - node <= MAX_TITLE_NODES]
            texts = [(node, _fold(_text(document, node))) for node in small]
            for name in names:
                found = next((node for node, text in texts if _begins_alike(text, name)), None)
                if found is not None:
                    return int(found)
        return int(firsts[0]) if len(firsts) == 1 else None

    @cached_property
    def apart(self) -> NDArray[np.bool_]:
        """The leaves that are about other things: related ones, comments, links to share.

        Related things are linked; a teaser without a link is about the item itself.
        """
        document, leaves = self._document, self.leaves
        landmarks, links = find_seen_landmarks(document, leaves), count_before(document.has_tag(("a",)))
        related = landmarks.find(Role.RELATED)
        related = related[links[document.ends[related]] > links[related]]
        found = np.union1d(landmarks.find(_APART), related)
        weights = range_sums(self._content, leaves.starts[found], leaves.starts[document.ends[found]])
        title = -1 if self.title is None else self.title
        is_around = (found <= title) & (document.ends[found] > title)
        is_apart = (weights <= MAX_SHARE_APART * self._content.sum()) & ~is_around
        chosen = np.zeros(len(document), dtype=np.bool_)
        chosen[found[is_apart]] = True
        apart = find_inside(document.ends, chosen)[leaves.nodes]
        for region in self._lists:
            if not any(first <= title < stop for first, stop in region.spans):
                for first, stop in region.spans:
                    apart[leaves.starts[first] : leaves.starts[stop]] = True
        return apart

    @cached_property
    def _content(self) -> NDArray[np.float64]:
        return self.leaves.weights * ~self._furniture

    def _is_listing(self) -> bool:
        """Tell whether a list that leads to other pages follows the title at once, or is most of the page.

        A page that says in two ways that it is about one thing is a listing only for the second reason.
        """
        total, starts, title = self._content.sum(), self.leaves.starts, self.title or 0
        for region in self._lists:
            if region.role != "main" or len(region) < MIN_RECORDS_OF_LISTING:
                continue
            share = sum(self._content[starts[first] : starts[stop]].sum() for first, stop in region.spans)
            first = min(first for first, _ in region.spans)
            before = self._content[starts[title] : starts[first]].sum() if title < first else total - share
            follows = before < MAX_SHARE_BEFORE_LISTING * total
            if follows and (len(self._evidence.reasons) == 1 or share > MIN_SHARE_OF_LISTING * total):
                return True
        return False

    def describe_facts(self) -> list[str]:
        """Say that facts under the title make the page one about one thing; nothing if there are few, or a list."""
        if any(map(self._is_much, self._regions)) or self.title is None or not self._is_own_title(self.title):
            return []
        before = min(map(self._share_before, self._regions), default=1.0)
        least = MIN_FACTS if before < MIN_SHARE_BEFORE_FEW_FACTS else 1
        facts = self._count_facts()
        if facts < least or before < MIN_SHARE_BEFORE_RELATED:
            return []
        return [f"{count(facts, 'fact')} {UNDER_TITLE}"]

    def _is_own_title(self, node: int) -> bool:
        """Tell whether a text is in the page's own title."""
        text = _text(self._document, node).casefold()
        return len(text) >= MIN_TITLE_LENGTH and any(text in name.casefold() for name in self._evidence.names)

    def _share_before(self, region: Region) -> float:
        """Measure the share of the content between the title and a list, if that leads to other pages.

        That is none if the list is long or around the title; all if it is beside the content.
        """
        if len(region) < MIN_RECORDS_OF_LISTING or region.role != "main" or not self._leads_elsewhere(region):
            return 1.0
        total, starts, title = self._content.sum(), self.leaves.starts, self.title or 0
        first = region.spans[0][0]
        if title >= first or len(region) > MAX_RELATED:
            return 0.0
        return float(self._content[starts[title] : starts[first]].sum() / total)

    def _is_much(self, region: Region) -> bool:
        """Tell whether a list has more of the content than one of related things."""
        if len(region) < MIN_RECORDS_OF_LISTING or region.role != "main":
            return False
        starts = self.leaves.starts
        share = sum(self._content[starts[first] : starts[stop]].sum() for first, stop in region.spans)
        return bool(share > MAX_SHARE_OF_RELATED * self._content.sum())

    def _count_facts(self) -> int:
        """Count labels, and amounts, dates and prices, among the texts behind the title that are about the item."""
        document, leaves = self._document, self.leaves
        start = leaves.starts[document.ends[self.title or 0]]
        is_about = ~leaves.is_image & ~self._furniture & ~self.apart
        places = is_about.nonzero()[0]
        return sum(self._is_fact(leaves.nodes.item(place)) for place in places[places >= start].tolist())

    def _is_fact(self, node: int) -> bool:
        document = self._document
        text, holder = document.texts[node].strip(), document.parents.item(node)
        if len(text) > MAX_FACT_LENGTH or self._is_of_others(holder):
            return False
        if document.tag(holder) in ("dt", "th") or _LABEL.match(text) or self._is_first_of_two_cells(holder):
            return True
        read = read_value(text, Locale())
        return read is not None and (
            read[0] in ("money", "date") or (bool(read[1].unit) and not is_counted(read[1].unit or ""))
        )

    def _is_of_others(self, node: int) -> bool:
        """Tell whether a text is what a list can be filtered by, or one of several things that a row compares."""
        document = self._document
        for _ in range(MAX_LEVELS_OF_CELL):
            tag = document.tag(node)
            if tag in ("button", "label", "option"):
                return True
            if tag in ("td", "th"):
                row = document.parents.item(node)
                inside = slice(row, document.ends.item(row))
                return int((document.has_tag(["td"], inside) & (document.parents[inside] == row)).sum()) > MAX_CELLS
            node = max(document.parents.item(node), 0)
        return False

    def _is_first_of_two_cells(self, node: int) -> bool:
        document = self._document
        if document.tag(node) != "td":
            return False
        row = document.parents.item(node)
        cells: list[int] = []
        child, stop = row + 1, document.ends.item(row)
        while child < stop and len(cells) <= 2:
            cells += [child] if document.tags[child] >= 0 else []
            child = document.ends.item(child)
        return len(cells) == 2 and cells[0] == node

    def _leads_elsewhere(self, region: Region) -> bool:
        """Tell whether nearly all records of a list have links, and as many of them lead to different pages."""
        links, addresses, leading = self._links, set[str](), 0
        for first, stop in region.spans:
            inside = links[bisect_left(links, (first,)) : bisect_left(links, (stop,))]
            addresses.update(address for _, address in inside)
            leading += bool(inside)
        return min(len(addresses), leading) >= MIN_LEADING * len(region)

    @cached_property
    def _links(self) -> list[tuple[int, str]]:
        """The links to other pages, each with its address."""
        addresses = self._document.values_of("href").items()
        links = [(node, address.partition("#")[0]) for node, address in addresses if self._document.tag(node) == "a"]
        return [(node, address) for node, address in links if address]


def _align_item(page: _DetailPage, document: Document, span: tuple[int, int], title: int) -> tuple[Field, ...]:
    """Align the one record: its title, then the rest; what is about other things is left out."""
    leaves = page.leaves
    left_out = set(leaves.nodes[page.apart].tolist()) | set(leaves.owners[page.apart].tolist())
    left_out.update(range(title, document.ends.item(title)))
    fields = [field for field in align_fields(document, [span], leaves) if field.nodes[0] not in left_out]
    names = distinct((field.name for field in fields), taken=["title"])
    named = (replace(field, name=name) for field, name in zip(fields, names, strict=True))
    return Field("title", "text", (_text(document, title),), (title,)), *named


MIN_SINGLE_SHARE = 0.5  # of the weight outside furniture that the record must exceed
MAX_SINGLE_REST = 0.2  # share of an element beside its main part, for the element to be the record
MIN_SINGLE_PARTS = 3  # different tag paths of leaves; fewer make a text
MIN_MENU_LINKS = 3  # texts that fill a link each, for them to be a menu beside a single record
_TEXT_INPUTS = frozenset(["", "text", "search"])  # types of `input` that a search bar has, and the form of an offer not
MAX_CARD_WEIGHT = 500  # characters of a record alone in its list; more is an article
_CARDS = frozenset(["article", "li"])
_CARD_HEADINGS = HEADING_TAGS - {"h1"}  # the heading of the page is not of a card


def find_lone_card(document: Document, leaves: Leaves, furniture: NDArray[np.bool_]) -> int | None:
    """Find the largest item or article outside furniture that is alone in its list and has a heading and a link.

    A collection with one product, a search with one result.  Fails on cards without a heading.
    """
    cards = (document.has_tag(_CARDS) & (leaves.counts > 1) & (leaves.totals <= MAX_CARD_WEIGHT)).nonzero()[0]
    if not len(cards):
        return None
    heads, links = (count_before(document.has_tag(tags)) for tags in (_CARD_HEADINGS, ["a"]))
    stops = document.ends[cards]
    is_alone = leaves.counts[document.parents[cards]] == leaves.counts[cards]
    has_both = (heads[stops] > heads[cards]) & (links[stops] > links[cards])
    is_outside = range_sums(furniture, leaves.starts[cards], leaves.starts[stops]) == 0
    found = cards[is_alone & has_both & is_outside]
    return int(found[np.argmax(leaves.totals[found])]) if len(found) else None


def find_single(document: Document, leaves: Leaves, furniture: NDArray[np.bool_]) -> int | None:
    """Find the innermost element with most of the page's content, widened by the little beside it.

    A menu, a search bar and what is in furniture beside it stay outside, however little they are.
    """
    content = leaves.weights * ~furniture
    weights = range_sums(content, leaves.starts[:-1], leaves.starts[document.ends])
    holding = ((document.tags >= 0) & (weights > MIN_SINGLE_SHARE * content.sum())).nonzero()[0]
    if not len(holding):
        return None
    node = int(holding[-1])
    menus = _MenuCounter(document, leaves, furniture)
    while document.tag(parent := document.parents.item(node)) not in ("", "body", "html"):
        if weights[node] < (1 - MAX_SINGLE_REST) * weights[parent] or menus.adds_menu(node, parent):
            break
        node = parent
    owners = leaves.owners[leaves.starts[node] : leaves.starts[document.ends[node]]]
    return node if len(set(leaves.paths[owners].tolist())) >= MIN_SINGLE_PARTS else None


class _MenuCounter:
    """Counts what elements hold of menus and search bars."""

    def __init__(self, document: Document, leaves: Leaves, furniture: NDArray[np.bool_]) -> None:
        self._document, self._leaves = document, leaves
        self._furniture, self._links = count_before(furniture), count_before(find_lone_links(document, leaves))
        is_input = document.has_tag(["input"])
        for node in is_input.nonzero()[0].tolist():
            is_input[node] = document.attributes[node].get("type", "text").lower() in _TEXT_INPUTS
        self._inputs = count_before(is_input)

    def adds_menu(self, node: int, parent: int) -> bool:
        """Tell whether an element around a node has furniture, several lone links or a search bar beside the node."""
        nodes = np.array([[node, self._document.ends[node]], [parent, self._document.ends[parent]]])
        places = self._leaves.starts[nodes]
        return bool(
            _count_beside(self._furniture, places)
            or _count_beside(self._links, places) >= MIN_MENU_LINKS
            or _count_beside(self._inputs, nodes)
        )


def _count_beside(before: NDArray[np.int64], ranges: NDArray[np.int64]) -> int:
    """Count what is in the second of two ranges and not in the first; `before` has the count before each place."""
    inner, outer = np.diff(before[ranges]).ravel().tolist()
    return int(outer - inner)
