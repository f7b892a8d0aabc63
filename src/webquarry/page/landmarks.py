"""Tell what elements are for (navigation, footer, advertisement, content, panel), and what a page is for.

Reading and mining share these words and differ in what they do with them. Reading weighs an element by
the prose it holds, because a comment or a caption can be long. Mining only wants to keep its regions out
of navigation, header, footer and sidebar, and weighs an element by its share of the page: bylines, labels
and teasers are parts of records. Treating every role as furniture costs mining without CSS .07 F1.

Names fail on sites whose classes are generated, and where a name means something else.

Panels of tabs and accordions are shown after a click: a person reads them as parts of the page.  A hidden element is
such a panel if its role or a word of its class names says so, if it is what a `details` folds away, or if a control
that is shown names its id.  Menus, dialogs, carts and the like open over the page and are none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntFlag, auto
from itertools import compress, pairwise

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import HEADING_TAGS, find_inside
from webquarry.html.urls import make_resolver
from webquarry.html.visibility import is_for_screen_readers, is_hidden
from webquarry.model.document import Document
from webquarry.model.nouns import once
from webquarry.page.column_words import split_words
from webquarry.page.leaves import Leaves


class Role(IntFlag):
    """Purposes of an element. Where several make it boilerplate, the first one is given as the reason."""

    WIDGET = auto()
    UNSEEN = auto()
    NAVIGATION = auto()
    SHARING = auto()
    CONTROL = auto()
    NOTICE = auto()
    SIGN_UP = auto()
    ADVERTISEMENT = auto()
    HEAD = auto()
    FOOT = auto()
    ASIDE = auto()
    COMMENTS = auto()
    RELATED = auto()
    BYLINE = auto()
    LABELS = auto()
    CAPTION = auto()
    CONTENT = auto()
    MAIN = auto()


_NAMES = {
    Role.NAVIGATION: "nav navbar navi navigation navigacion navegacion menu menus submenu megamenu subnav topnav "
    "sidenav breadcrumb breadcrumbs crumbs crumb pagination pager paginator paging skip toc sitemap burger tablist",
    Role.COMMENTS: "comment comments commentlist commentform comentarios comentario commentaires commentaire kommentar "
    "kommentare commenti reacties disqus respond replies kommentarer komentarze reviews",
    Role.SHARING: "share sharing sharebar shares social socials sharedaddy addthis addtoany teilen compartir partager "
    "condividi facebook twitter linkedin pinterest whatsapp instagram follow bookmark bookmarks likes",
    Role.RELATED: "related relacionados relacionadas verwandt similar recommended recommendation recommendations "
    "recommend recirc recirculation trending popular mostread morefrom readmore latest recent upnext suggested "
    "suggestions teaser teasers taboola outbrain seealso",
    Role.NOTICE: "cookie cookies consent gdpr popup modal dialog lightbox tooltip toast paywall overlay",
    Role.SIGN_UP: "newsletter newsletters subscribe subscription signup signin login register mailchimp optin boletin "
    "suscripcion anmeldung",
    Role.ASIDE: "sidebar sidebars aside rail rightcol leftcol",
    Role.ADVERTISEMENT: "ad ads adslot advert adverts advertisement advertising adsense sponsor sponsored promo promos "
    "promoted promotion werbung anzeige publicidad publicite reklama iklan dfp banner banners cta",
    Role.FOOT: "footer foot copyright colophon legal disclaimer privacy imprint impressum",
    Role.BYLINE: "byline bylines author authors autor auteur dateline datetime date timestamp published posted updated "
    "pubdate postmeta entrymeta postinfo meta metadata bio credit credits fecha datum avatar submitted "
    "signature authorbox aboutauthor saboxplugin abh",
    Role.LABELS: "tags tagcloud taglist taxonomy categories etiquetas topics labels",
    Role.CAPTION: "caption captions figcaption",
    Role.CONTROL: "button buttons btn btns submit search searchform print rating ratings vote votes filter filters "
    "facet facets sort cart",
}
"""Words in classes and ids."""
_TAGS = {
    Role.WIDGET: "button label option select textarea",
    Role.NAVIGATION: "nav menu",
    Role.FOOT: "footer",
    Role.HEAD: "header",
    Role.ASIDE: "aside",
    Role.CONTROL: "form fieldset",
    Role.NOTICE: "noscript dialog",
    Role.BYLINE: "time address",
    Role.CAPTION: "figcaption",
    Role.MAIN: "main",
}
_ARIA_ROLES = {
    Role.NAVIGATION: "navigation menu menubar menuitem tablist",
    Role.HEAD: "banner",
    Role.FOOT: "contentinfo",
    Role.ASIDE: "complementary",
    Role.CONTROL: "search",
    Role.NOTICE: "dialog alertdialog alert status tooltip",
    Role.MAIN: "main",
}
_PROPERTIES = {
    Role.BYLINE: "datePublished dateModified author publisher",
    Role.COMMENTS: "comment",
    Role.CONTENT: "articleBody",
}
"""Values of `itemprop`, of schema.org."""
_ROLE_BY_NAME, _ROLE_BY_TAG, _ROLE_BY_ARIA_ROLE, _ROLE_BY_PROPERTY = (
    {word: int(role) for role, words in table.items() for word in words.split()}
    for table in (_NAMES, _TAGS, _ARIA_ROLES, _PROPERTIES)
)

_COMPOUND = re.compile(r"(nav|menu|footer|sidebar)\d*\Z")
"""Ends of words run together, such as `maximenu`, `subfooter` and `nav2`."""
_PAGE_SETUP = frozenset("has with without no not is if show hide enable js wp cat category tag".split())
"""First words of names that tell how a page is set up, or its subject, rather than what an element is for."""
_WHOLES = frozenset(
    "article entry e post story news blog single topic markdown rich doc docs content text field".split()
)
_BODIES = frozenset("body content contents text copy description markdown".split())
"""Words that, after the name of a whole, name the element with its text, as in `article-body`."""
_PROSE = "prose"
"""The class of the body of a text in a style framework."""
_PAIRS = {(first, second): int(Role.CONTENT) for first in _WHOLES for second in _BODIES} | {
    pair: int(Role.UNSEEN) for pair in (("visually", "hidden"), ("sr", "only"), ("screen", "reader"))
}
_MAY_PAIR = 1 << len(Role)
"""Mark of words that say something beside others only: the second of a pair, and `_PROSE`."""
_SECOND_WORDS = frozenset([_PROSE, *(second for _, second in _PAIRS)])
_WORD = re.compile(r"[A-Z]+[a-z]*|[a-z]+")
_MAX_CACHED_NAMES = 20_000  # a site uses some hundreds


class _RolesByName(dict[str, int]):
    """Roles that are found on first use; quicker than `lru_cache`, which keeps an order."""

    def __init__(self, find: Callable[[str], int]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: str) -> int:
        if len(self) >= _MAX_CACHED_NAMES:
            self.clear()
        self[key] = roles = self._find(key)
        return roles


def roles_of(names: str) -> int:
    """Find all roles that a class or id attribute names.

    >>> Role(roles_of("comment-list wide")), Role(roles_of("entry-content")), Role(roles_of("has-sidebar"))
    (<Role.COMMENTS: 2048>, <Role.CONTENT: 65536>, <Role: 0>)
    """
    return _ROLES_BY_ATTRIBUTE[names]


def _find_roles(names: str) -> int:
    roles = 0
    for name in names.split():
        roles |= _ROLES_BY_NAME[name]
    return roles


def _find_roles_of_name(name: str) -> int:
    lowered = name.lower()
    words = lowered.replace("_", "-").split("-") if name == lowered else list(map(str.lower, _WORD.findall(name)))
    roles = 0
    for word in words:
        roles |= _ROLES_BY_WORD[word]
    if not roles:  # as for most names
        return 0
    words = [word for word in words if word]
    if words[0] in _PAGE_SETUP or ":" in name or "[" in name or "!" in name:
        return 0  # such marks are of style frameworks: conditions and values
    if roles & _MAY_PAIR:
        roles ^= _MAY_PAIR
        for pair in pairwise(words):
            roles |= _PAIRS.get(pair, 0)
        if words == [_PROSE]:
            roles |= int(Role.CONTENT)
    return roles


def _find_roles_of_word(word: str) -> int:
    roles = _ROLE_BY_NAME.get(word, 0)
    if not roles and _may_be_compound(word) and (compound := _COMPOUND.search(word)):
        roles = _ROLE_BY_NAME[compound[1]]
    return roles | _MAY_PAIR if word in _SECOND_WORDS else roles


def _may_be_compound(word: str) -> bool:
    return "nav" in word or "menu" in word or "footer" in word or "sidebar" in word  # quicker than the expression


_ROLES_BY_ATTRIBUTE = _RolesByName(_find_roles)
_ROLES_BY_NAME = _RolesByName(_find_roles_of_name)
"""Most names of a new attribute are known from others."""
_ROLES_BY_WORD = _RolesByName(_find_roles_of_word)
_ROLE_BY_VALUE: dict[str, Callable[[str], int]] = {
    "class": _ROLES_BY_ATTRIBUTE.__getitem__,
    "id": _ROLES_BY_ATTRIBUTE.__getitem__,
    "role": lambda role: _ROLE_BY_ARIA_ROLE.get(role, 0),
    "itemprop": lambda name: _ROLE_BY_PROPERTY.get(name, 0),
}
"""Attributes that tell a role, each with how."""


@dataclass(frozen=True)
class Landmarks:
    """Elements that have a role, as columns."""

    nodes: NDArray[np.int64]
    roles: NDArray[np.int64]
    """All roles of each, a sum of `Role`."""

    def find(self, role: Role) -> NDArray[np.int64]:
        """List the nodes that have a role."""
        return self.nodes[self.find_places(role)]

    def find_places(self, role: Role) -> NDArray[np.int64]:
        """List the places of the landmarks that have a role."""
        return (self.roles & int(role)).nonzero()[0]


def find_landmarks(document: Document, elements: NDArray[np.int64]) -> Landmarks:
    """Find the roles of elements by tag, ARIA role, schema.org property, class and id.

    The id of a heading is ignored: it is made of its text.
    """
    is_wanted = np.zeros(len(document), dtype=np.bool_)
    is_wanted[elements] = True
    is_heading = document.has_tag(HEADING_TAGS)
    roles = document.by_tag(_ROLE_BY_TAG).astype(np.int64)
    for attribute, find in _ROLE_BY_VALUE.items():
        values = document.values_of(attribute)
        nodes = np.fromiter(values, dtype=np.int64, count=len(values))
        are_wanted = is_wanted[nodes] if attribute != "id" else (is_wanted & ~is_heading)[nodes]
        nodes = nodes[are_wanted]
        roles[nodes] |= np.fromiter(map(find, compress(values.values(), are_wanted)), dtype=np.int64, count=len(nodes))
    found = (is_wanted & (roles != 0)).nonzero()[0]
    return Landmarks(found, roles[found])


MAX_SHARE_OF_FURNITURE = 0.5
"""Share of the page's weight above which an element is not furniture, whatever its name."""
MIN_SHARE_OF_MAIN = 0.3
"""Share of the page's weight from which its main element is taken at its word: some hold a banner only."""
_FURNITURE = int(Role.NAVIGATION | Role.HEAD | Role.FOOT | Role.ASIDE)
_SECTIONS = frozenset("article li main section td".split())
"""Elements that have a header and a footer of their own."""


@once
def find_seen_landmarks(document: Document, leaves: Leaves) -> Landmarks:
    """Find the roles of elements that hold a leaf."""
    return find_landmarks(document, ((leaves.totals > 0) & (document.tags >= 0)).nonzero()[0])


@once
def find_furniture(document: Document, leaves: Leaves) -> NDArray[np.bool_]:
    """Tell for each leaf whether it is in navigation, header, footer or sidebar of the page, or outside its main."""
    marks = find_seen_landmarks(document, leaves)
    can_be = leaves.totals[marks.nodes] <= MAX_SHARE_OF_FURNITURE * leaves.totals[0]
    roles = np.where(can_be, marks.roles & _FURNITURE, 0)
    roles[_are_price_lists(document, marks.nodes, (roles & int(Role.NAVIGATION)) != 0)] = 0
    is_part = document.has_tag(["header", "footer"], marks.nodes)
    if is_part.any():
        roles[is_part & find_inside(document.ends, document.has_tag(_SECTIONS))[marks.nodes]] = 0
    roles[_are_repeated(document, leaves, marks.nodes, (roles & int(Role.FOOT)) != 0)] = 0
    chosen = np.zeros(len(document), dtype=np.bool_)
    chosen[marks.nodes[roles != 0]] = True
    in_furniture: NDArray[np.bool_] = find_inside(document.ends, chosen)[leaves.nodes]
    return in_furniture | _are_outside(document, leaves, marks.find(Role.MAIN))


def _are_price_lists(document: Document, nodes: NDArray[np.int64], are_menus: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which menus are those of a restaurant: they lead nowhere, and have numbers."""
    links = np.concatenate([[0], np.cumsum(document.has_tag(["a", "button"]))])
    found = np.zeros(len(nodes), dtype=np.bool_)
    stop, is_list = 0, False
    for place in np.flatnonzero(are_menus & (links[document.ends[nodes]] == links[nodes])).tolist():
        node = int(nodes[place])
        if node >= stop:  # the outermost decides
            stop = document.ends.item(node)
            is_list = any(map(str.isdigit, document.text(node)))
        found[place] = is_list
    return found


def _are_outside(document: Document, leaves: Leaves, mains: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which leaves are outside the main elements, if those hold enough to be what the page is for."""
    if not len(mains):
        return np.zeros(len(leaves), dtype=np.bool_)
    chosen = np.zeros(len(document), dtype=np.bool_)
    chosen[mains] = True
    inside: NDArray[np.bool_] = find_inside(document.ends, chosen)[leaves.nodes]
    is_enough = leaves.weights[inside].sum() >= MIN_SHARE_OF_MAIN * leaves.totals[0]
    return ~inside if is_enough else np.zeros(len(leaves), dtype=np.bool_)


def _are_repeated(
    document: Document, leaves: Leaves, nodes: NDArray[np.int64], are_footers: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Tell which footers have others of the same path and class: those are of cards, as a page has one."""
    places: dict[tuple[int, str], list[int]] = {}
    for place in are_footers.nonzero()[0].tolist():
        node = int(nodes[place])
        name = document.attributes[node].get("class", "").lower()
        places.setdefault((leaves.paths.item(node), name), []).append(place)
    repeated = np.zeros(len(nodes), dtype=np.bool_)
    repeated[[place for alike in places.values() if len(alike) > 1 for place in alike]] = True
    return repeated


def find_lone_links(document: Document, leaves: Leaves) -> NDArray[np.bool_]:
    """Tell for each leaf whether it is a text that fills a link by itself, as in a menu."""
    lone = np.zeros(len(leaves), dtype=np.bool_)
    links = document.has_tag(["a"]).nonzero()[0]
    starts = leaves.starts[links]
    lone[starts[leaves.starts[document.ends[links]] - starts == 1]] = True
    return lone & ~leaves.is_image


ADVERTISEMENT_LABELS = frozenset(
    """
    ad ads advert advertisement advertorial promoted sponsored anzeige werbung gesponsert annonce publicité sponsorisé
    anuncio publicidad patrocinado anúncio publicidade pubblicità sponsorizzato annuncio advertentie gesponsord
    reklama sponsorowane реклама annons reklam sponsrad annonse mainos hirdetés διαφήμιση إعلان פרסומת
    広告 广告 廣告 광고
    """.split()
)
"""Texts that mark an advertisement, which the law of many countries requires."""
_LEAVES_WITH_LABEL = 3  # leaves at the start of an element, among which its label is


def is_advertisement(document: Document, leaves: Leaves, node: int) -> bool:
    """Tell whether an element is called an advertisement, by its class or by one of its first texts."""
    if roles_of(document.attributes[node].get("class", "")) & int(Role.ADVERTISEMENT):
        return True
    start, stop = leaves.starts.item(node), leaves.starts.item(document.ends[node])
    first = leaves.nodes[start : min(stop, start + _LEAVES_WITH_LABEL)].tolist()
    return any(document.texts[leaf].strip(" \t\r\n\xa0:.·[]()").lower() in ADVERTISEMENT_LABELS for leaf in first)


_PANEL_ROLES = frozenset(["tabpanel", "region"])
_PANEL_WORDS = frozenset("accordion accordions collapse collapsible expandable pane panel tab tabpanel tabs".split())
_OVERLAY_WORDS = frozenset(
    """
    basket cart cookie dialog drawer dropdown filter filters lightbox login menu mobile modal nav navbar navigation
    offcanvas overlay popover popup search share sidebar submenu tooltip
    """.split()
)
"""Words of class names and ids of what opens over the page."""
_TARGETS = ("aria-controls", "data-bs-target", "data-target", "data-toggle-target", "href")
"""Attributes of controls that name the panel they open."""
_LISTED = re.compile(r"[#\w][\w:-]*")


def is_panel(own: Mapping[str, str]) -> bool:
    """Tell whether the attributes of an element say that it is a panel.

    >>> [is_panel({"class": name}) for name in ("tab-pane", "navbar-collapse collapse", "card")]
    [True, False, False]
    """
    says_so = own.get("role") in _PANEL_ROLES or not _PANEL_WORDS.isdisjoint(_panel_words(own))
    return says_so and not _opens_over_page(own)


def _opens_over_page(own: Mapping[str, str]) -> bool:
    return own.get("role") in ("dialog", "menu") or not _OVERLAY_WORDS.isdisjoint(_panel_words(own))


def _panel_words(own: Mapping[str, str]) -> tuple[str, ...]:
    return split_words(f"{own.get('class', '')[:200]} {own.get('id', '')[:80]}")


def find_folded(document: Document, hidden: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which of the hidden nodes are in panels that a click shows."""
    shown = np.zeros(len(document), dtype=np.bool_)
    targets = set(_list_targets(document, hidden))
    attributes, parents = document.attributes, document.parents
    starts = np.flatnonzero(hidden & ~hidden[parents] & (document.tags >= 0)).tolist()
    panels = {node for node in starts if _is_folded(document, node, targets)}
    for node in panels:
        shown[node : document.ends[node]] = True
    if not panels:
        return shown
    inside = np.flatnonzero(shown & (document.tags >= 0)).tolist()
    unseen = np.zeros(len(document), dtype=np.bool_)
    for node in inside:
        own = attributes[node]
        is_own = is_hidden(document.tag(node), own) and not is_panel(own) and node not in panels
        unseen[node] = is_own or is_for_screen_readers(own.get("class", ""))
    return shown & ~find_inside(document.ends, unseen)


def _is_folded(document: Document, node: int, targets: set[str]) -> bool:
    own, holder = document.attributes[node], document.parents.item(node)
    if document.tag(holder) == "details" and document.tag(node) != "summary":
        return True
    is_named = own.get("id", "") in targets and document.tag(node) not in ("dialog", "form", "nav")
    return is_panel(own) or (is_named and not _opens_over_page(own))


def _list_targets(document: Document, hidden: NDArray[np.bool_]) -> Iterator[str]:
    """List the ids that shown controls name."""
    for node in np.flatnonzero((document.tags >= 0) & ~hidden).tolist():
        own = document.attributes[node]
        for name in _TARGETS:
            if name in own and (name != "href" or own[name].startswith("#")):
                yield from (each.lstrip("#") for each in _LISTED.findall(own[name][:200]))


_FEEDS = {"rss": "channel", "feed": "entry", "rdf:rdf": "channel"}
"""Elements that hold a feed, each with one that feeds have inside of it."""
_REFRESH = re.compile(r"\s*[\d.]*\s*[;,]?\s*url\s*=\s*[\"']?([^\"'>]+)", re.IGNORECASE)
_MAX_LETTERS_OF_REFERENCE = 400
"""Letters of a page that only refers to another: `You are being redirected` in a few words and languages."""
_MAX_LETTERS_OF_SHELL = 1_000
"""Letters of a page before its scripts have run: a menu and a footer at most."""
_DATA_TYPES = ("json", "template", "text/plain", "text/html")
"""Parts of the types of scripts that do not run."""


def is_feed(document: Document) -> bool:
    """Tell whether a document is an RSS or Atom feed, whatever its file is called.

    >>> is_feed(Document("<?xml version='1.0'?><rss version='2.0'><channel><title>A</title></channel></rss>"))
    True
    >>> is_feed(Document("<p>An <code>rss</code> element holds a channel."))
    False
    """
    names = document.tag_names
    return any(outer in names and inner in names for outer, inner in _FEEDS.items())


def find_reference(document: Document) -> str:
    """Find the address that a page refers to at once, if it does nothing else; empty if it does.

    >>> find_reference(Document("<meta http-equiv=refresh content='0; url=/new'><p>Moved.", url="https://example.org/"))
    'https://example.org/new'
    """
    contents = document.values_of("content")
    for node, header in document.values_of("http-equiv").items():
        is_reference = header.lower() == "refresh" and document.tag(node) == "meta"
        match = _REFRESH.match(contents.get(node, "")) if is_reference else None
        if match is not None and _count_letters(document) <= _MAX_LETTERS_OF_REFERENCE:
            return make_resolver(document)(match[1].strip()) or ""
    return ""


def is_filled_by_scripts(document: Document) -> bool:
    """Tell whether a page shows hardly any text, and has scripts that may load it."""
    scripts = np.flatnonzero(document.has_tag(["script"])).tolist()
    types = (document.attributes[node].get("type", "").lower() for node in scripts)
    runs = any(not any(part in name for part in _DATA_TYPES) for name in types)
    return runs and document.kind != "scripts" and _count_letters(document) <= _MAX_LETTERS_OF_SHELL


def _count_letters(document: Document) -> int:
    texts = document.texts
    return sum(len(texts[node].strip()) for node in document.seen_texts.tolist())


def explain_nothing(document: Document) -> str:
    """Say why a page has no main text, and what to do; empty if nothing explains it."""
    if is_feed(document):
        return "it is a feed, which names pages, and not an article"
    if address := find_reference(document):
        return f"it only refers to {address}"
    if is_filled_by_scripts(document):
        return "try --scripts, as scripts may load it"
    return ""
