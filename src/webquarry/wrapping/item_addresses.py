"""Find the pictures and links of the item that detail pages are about.

Pictures with the same steps around them on several pages are a group.  A group is of the item if its pictures are its
pages' own, near the title or stated by the pages (`og:image`, JSON-LD), and neither logos nor parts of cards.  Links
are of the item if they hold the text of a field, or if a caption that is the same on all pages leads off the site or
to an application.  Pictures that only style sheets or scripts show are not found.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from webquarry.html.urls import IMAGE_ATTRIBUTES, fold_address, fold_image, split_host
from webquarry.page.column_words import MAX_NAME_LENGTH, split_words
from webquarry.wrapping.field_signatures import PathStep
from webquarry.wrapping.field_values import IMAGES
from webquarry.wrapping.item_reader import read_address
from webquarry.wrapping.item_samples import IMAGE, LINK, TEXT, Group, ItemPage, Unit, Zones
from webquarry.wrapping.item_template import are_variants
from webquarry.wrapping.label_texts import EDGE

MAX_VARIANTS = 50
"""Groups that a group of pictures is compared with, to bound the time that many groups take."""
MIN_SIZE = 64
"""CSS pixels of a picture's written width and height; icons, stars and avatars are smaller."""
MAX_TEXTS_FROM_TITLE = 40
"""Texts between the title and a picture that the page does not state; the head of a page has about twenty."""
MAX_TEXTS_BESIDE_TITLE = 5
"""Texts between the title and a picture in a column of its own, such as badges and the numbers of slides."""
MAX_LINKS_TO_HOST = 2
"""Links of a page to a host that is not that of the site: a firm's or a vendor's, not that of another part of it."""
MAX_CAPTIONED = 10
"""Links of an item with captions."""
MAX_LEVELS_OF_LINK = 4
"""Elements from a picture to the link around it."""
_IMAGE = "image"
_PICTURE_NAMES = " ".join(IMAGE_ATTRIBUTES)
_STATING = frozenset(["og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"])
_NOT_OF_ITEM = frozenset(
    "author authors avatar avatars badge badges brand brands flag gravatar icon icons logo logos reviewer user".split()
)
"""Words of class names of pictures that show someone or something beside the item."""
_APPLY = frozenset(["apply", "application"])
_PICTURE_FILE = re.compile(r"\.(?:avif|gif|jpe?g|png|svg|webp)(?=[?#]|\Z)", re.IGNORECASE)
_WEB = ("http://", "https://", "file:")

_Steps = tuple[PathStep, ...]


@dataclass(eq=False)
class _Pictures:
    """Pictures with the same steps around them, by page and address."""

    nodes: dict[ItemPage, dict[str, int]] = field(default_factory=dict)

    @property
    def has_several(self) -> bool:
        return any(len(each) > 1 for each in self.nodes.values())

    def firsts(self) -> Group:
        return {page: next(iter(each.values())) for page, each in self.nodes.items()}

    def make_unit(self, kind: str) -> Unit:
        most = None if kind == IMAGES else 1
        return Unit(
            kind,
            {page: list(each.values())[:most] for page, each in self.nodes.items()},
            {page: list(each)[:most] for page, each in self.nodes.items()},
            attribute=_PICTURE_NAMES,
        )


class AddressFinder:
    """Finds the units of pictures and links of some pages."""

    def __init__(self, pages: Sequence[ItemPage], zones: Zones, title: Unit | None) -> None:
        self._pages, self._zones = pages, zones
        self._title = title
        self._stated = {page: _stated_pictures(page) for page in pages}
        self._hosts = {page: _count_hosts(page) for page in pages}

    def find_pictures(self) -> dict[str, Unit]:
        """Find the main picture, and the pictures of the gallery, by name."""
        groups = [group for group in self._group_pictures() if self._is_of_item(group)]
        if not groups:
            return {}
        found = {_IMAGE: max(groups, key=self._rank).make_unit(IMAGE)}
        galleries = [group for group in groups if group.has_several]
        if galleries:
            found[IMAGES] = max(galleries, key=self._rank).make_unit(IMAGES)
        return found

    def _group_pictures(self) -> list[_Pictures]:
        groups: dict[_Steps, _Pictures] = {}
        for page in self._pages:
            for node in page.tree.named("img"):
                if self._is_left_out(page, node) or _is_small(page.document.attributes[node]):
                    continue
                address = read_address(page.tree, node, _PICTURE_NAMES, page.resolve)
                if address is not None:
                    group = groups.setdefault(_steps_to(page, node), _Pictures())
                    group.nodes.setdefault(page, {}).setdefault(address, node)
        return _merge_variants(groups)

    def _is_left_out(self, page: ItemPage, node: int) -> bool:
        return bool(page.is_hidden[node] or self._zones.others[page][node])

    def _is_of_item(self, group: _Pictures) -> bool:
        if len(group.nodes) < 2 or 2 * len(group.nodes) <= len(self._pages):
            return False
        addresses = {address for each in group.nodes.values() for address in each}
        if len(addresses) < 2 or _are_cards(group):
            return False
        if self._is_stated(group):  # variants of an item may share a picture
            return True
        firsts = group.firsts()
        return (
            self._is_near(firsts)
            and not any(_is_beside_item(page, node) for page, node in firsts.items())
            and (group.has_several or not all(_leads_on(page, node) for page, node in firsts.items()))
        )

    def _is_near(self, nodes: Group) -> bool:
        """Tell whether elements are beside the title, or near it in the part of the page about the item."""
        distance = self._distance(nodes)
        if distance <= MAX_TEXTS_BESIDE_TITLE:
            return True
        is_inside = all(self._zones.item[page][node] for page, node in nodes.items())
        return is_inside and distance <= MAX_TEXTS_FROM_TITLE

    def _is_stated(self, group: _Pictures) -> bool:
        """Tell whether most pages state one of the pictures as that of the item."""
        hits = sum(
            not self._stated[page].isdisjoint(map(fold_image, addresses)) for page, addresses in group.nodes.items()
        )
        return 2 * hits > len(group.nodes)

    def _rank(self, group: _Pictures) -> tuple[bool, float, bool]:
        return self._is_stated(group), -self._distance(group.firsts()), not group.has_several

    def _distance(self, nodes: Group) -> float:
        """Count the texts between the title and elements, on average."""
        titles = self._title.firsts if self._title else {}
        distances = [
            abs(page.span(node)[0] - page.span(titles[page])[0]) for page, node in nodes.items() if page in titles
        ]
        return fmean(distances) if distances else float("inf")

    def find_links(self, units: Sequence[Unit], names: Sequence[str]) -> Iterator[tuple[str, Unit]]:
        """Find the links that hold the texts of fields, and those with captions, with their names."""
        known: set[tuple[ItemPage, int]] = set()
        seen: list[dict[ItemPage, list[str]]] = []
        for unit, name in zip(units, names, strict=True):
            found = self._linked_text(unit)
            if found is None:
                continue
            known.update(found.firsts.items())
            if found.values not in seen:  # pages repeat the author or the place
                seen.append(found.values)
                yield f"{name}_link", found
        captioned = list(self._captioned_links(known))
        if len(captioned) <= MAX_CAPTIONED:  # more of them are a list of other things
            yield from captioned

    def _linked_text(self, unit: Unit) -> Unit | None:
        """Find the links around the texts of a unit, if other texts lead to other pages."""
        if unit.kind != TEXT or unit.leaf or unit is self._title:
            return None
        if not self._is_near(unit.firsts):
            return None
        nodes = {page: _link_of(page, node) for page, node in unit.firsts.items()}
        links = {
            page: address
            for page, node in nodes.items()
            if node is not None and (address := _link(page, node)) is not None
        }
        pairs = {(links[page], unit.values[page][0]) for page in links}
        is_mapped = len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs}) > 1
        if len(links) < len(unit.nodes) or not is_mapped:
            return None
        return _make_link({page: node for page, node in nodes.items() if node is not None}, links)

    def _captioned_links(self, known: set[tuple[ItemPage, int]]) -> Iterator[tuple[str, Unit]]:
        groups: dict[tuple[tuple[str, ...], str], Group] = {}
        for page in self._pages:
            for node in page.tree.named("a"):
                if self._is_left_out(page, node) or not self._zones.item[page][node] or (page, node) in known:
                    continue
                caption = page.text(node)
                if caption:
                    tags = tuple(step.tag for step in _steps_to(page, node))
                    groups.setdefault((tags, caption), {}).setdefault(page, node)
        for (_, caption), nodes in groups.items():
            links = {page: link for page, node in nodes.items() if (link := _link(page, node)) is not None}
            if len(links) < max(2, len(nodes)) or 2 * len(links) <= len(self._pages):
                continue
            if len(set(links.values())) < len(links):
                continue
            is_apply = all(_is_apply(page, node, links[page]) for page, node in nodes.items())
            if is_apply or all(self._leaves_site(page, address) for page, address in links.items()):
                name = caption.strip(EDGE)
                is_name = any(map(str.isalnum, name)) and len(name) <= MAX_NAME_LENGTH
                yield "apply_link" if is_apply else f"{name}_link" if is_name else LINK, _make_link(nodes, links)

    def _leaves_site(self, page: ItemPage, address: str) -> bool:
        """Tell whether an address is on a host that little else of the page leads to, and does not tell of the page."""
        host, rest = split_host(address)
        own, _ = split_host(page.document.web_address)
        if not host or host == own or (page.own_address and page.own_address in rest.casefold()):
            return False
        return self._hosts[page][host] <= MAX_LINKS_TO_HOST


def _are_cards(group: _Pictures) -> bool:
    """Tell whether most of several pictures are in elements with texts or links of their own, as in related items.

    Captions of figures do not count, nor do texts that all pictures have.
    """
    if not group.has_several:
        return False
    every = [(page, node) for page, each in group.nodes.items() if len(each) > 1 for node in each.values()]
    holders = [(page, _holder(page, node, group)) for page, node in every]
    texts = [_text_beside(page, holder) for page, holder in holders]
    is_captioned = len(set(texts)) > 1
    cards = sum(
        (is_captioned and bool(text)) or _leads_on(page, node) for (page, node), text in zip(every, texts, strict=True)
    )
    return 2 * cards > len(every)


def _holder(page: ItemPage, node: int, group: _Pictures) -> int:
    """Find the largest element around a picture that holds no other one of its group."""
    others = [each for each in group.nodes[page].values() if each != node]
    while (around := page.parents[node]) > page.body:
        if any(around <= each < page.ends[around] for each in others):
            break
        node = around
    return node


def _text_beside(page: ItemPage, holder: int) -> str:
    is_figure = page.tag(holder) == "figure" or page.tree.has(holder, "figcaption")
    return "" if is_figure else page.text(holder)


def _leads_on(page: ItemPage, node: int) -> bool:
    """Tell whether the link around a picture leads to another page, not to a larger picture."""
    around = (each for each in page.around(node, MAX_LEVELS_OF_LINK) if page.tag(each) == "a")
    address = next((found for each in around if (found := _link(page, each))), None)
    return address is not None and _PICTURE_FILE.search(address) is None


def _is_beside_item(page: ItemPage, node: int) -> bool:
    owns = [page.document.attributes[each] for each in (node, *page.around(node, 2))]
    words = {word for own in owns for name in own.get("class", "").split() for word in split_words(name)}
    return not _NOT_OF_ITEM.isdisjoint(words) or owns[0].get("itemprop") == "logo"


def _link_of(page: ItemPage, node: int) -> int | None:
    """Find the link with the whole text of an element: the element itself, one around it or one in it."""
    span = page.span(node)
    inside = [each for each in range(node, page.ends[node]) if page.document.tags[each] >= 0]
    near = [*inside, *page.around(node)]
    return next((each for each in near if page.tag(each) == "a" and page.span(each) == span), None)


def _link(page: ItemPage, node: int) -> str | None:
    """Read where a link leads; None if that is nowhere, or the page itself."""
    own = page.document.attributes[node]
    if not {"prev", "next"}.isdisjoint(own.get("rel", "").split()):
        return None
    address = page.resolve(own.get("href", ""))
    if address is None or not address.startswith(_WEB) or fold_address(address) == page.own_address:
        return None
    return address


def _count_hosts(page: ItemPage) -> Counter[str]:
    """Count the links of a page by host."""
    links = (page.resolve(page.document.attributes[each].get("href", "")) for each in page.tree.named("a"))
    return Counter(split_host(link)[0] for link in links if link is not None)


def _stated_pictures(page: ItemPage) -> frozenset[str]:
    """List the names of the picture files that a page states as those of its item."""
    written = page.metas(_STATING) + [value for value, name in page.stated.items() if name == _IMAGE]
    return frozenset(filter(None, map(fold_image, written)))


def _merge_variants(groups: Mapping[_Steps, _Pictures]) -> list[_Pictures]:
    """Join groups that no page has both of, if class names in common say that the elements around them are the same."""
    merged: dict[tuple[str, ...], list[tuple[_Steps, _Pictures]]] = {}
    for steps, group in groups.items():
        known = merged.setdefault(tuple(step.tag for step in steps), [])
        variant = next((other for path, other in known[:MAX_VARIANTS] if _are_parted(steps, group, path, other)), None)
        if variant is None:
            known.append((steps, group))
        else:
            variant.nodes.update(group.nodes)
    return [group for known in merged.values() for _, group in known]


def _are_parted(steps: _Steps, group: _Pictures, path: _Steps, other: _Pictures) -> bool:
    return group.nodes.keys().isdisjoint(other.nodes) and all(map(are_variants, steps, path))


def _is_small(own: Mapping[str, str]) -> bool:
    sizes = [int(size) for name in ("width", "height") if (size := own.get(name, "").removesuffix("px")).isdecimal()]
    return bool(sizes) and max(sizes) < MIN_SIZE


def _steps_to(page: ItemPage, node: int) -> _Steps:
    return tuple(page.step(each) for each in (node, *page.around(node, len(page.parents))))


def _make_link(nodes: Group, links: Mapping[ItemPage, str]) -> Unit:
    return Unit(
        LINK,
        {page: [node] for page, node in nodes.items()},
        {page: [link] for page, link in links.items()},
        attribute="href",
    )


def _is_apply(page: ItemPage, node: int, address: str) -> bool:
    """Tell whether a link leads to an application, by its caption, class names or address."""
    said = (page.text(node), page.document.attributes[node].get("class", ""), split_host(address)[1].partition("?")[0])
    return not _APPLY.isdisjoint(word.casefold() for text in said for word in re.findall(r"[^\W\d_]+", text))
