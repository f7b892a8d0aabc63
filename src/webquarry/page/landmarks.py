"""What each element of a page is for, as its tag and roles, and as its names tell."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntFlag, auto
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import HEADING_TAGS, NO_ATTRIBUTES
from webquarry.model.document import Document

# MERGED reading/names: What the names in class and id say an element is for: words that web authors share, i
_WORD = re.compile(r"[A-Z]+[a-z]*|[a-z]+")
_MOST_REMEMBERED = 20_000
"""Names whose meaning is kept at hand; a site uses some hundreds."""


class Role(IntFlag):
    """What an element is for; of several that make it furniture the first is told."""

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


_WORDS = {
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
_CONTENT, _UNSEEN = int(Role.CONTENT), int(Role.UNSEEN)
_OF_PAGES = frozenset("has with without no not is if show hide enable js wp cat category tag".split())
"""What begins a name that tells how a page is set up, or what it is about, and not what an element is for."""
_WHOLES = frozenset(
    "article entry e post story news blog single topic markdown rich doc docs content text field product".split()
)
_BODIES = frozenset("body content contents text copy description markdown".split())
"""After the name of a whole: what holds its text, as in `article-body`."""
_UNSEEN_PAIRS = frozenset([("visually", "hidden"), ("sr", "only"), ("screen", "reader")])
_SECONDS = _BODIES.union(second for _, second in _UNSEEN_PAIRS)
_IS_SECOND = 1 << 30
"""Beside the role of a word, that it may be the second of a pair; above all roles."""
_SAID_BY = {word: int(role) for role, words in _WORDS.items() for word in words.split()}
_SAID_BY |= {word: _SAID_BY.get(word, 0) | _IS_SECOND for word in _SECONDS}
_TELLING = frozenset(_SAID_BY)
"""The words without which a name says nothing."""


class _Meanings(dict[str, int]):
    """What names say, found when it is first asked for: less work than `lru_cache`, as nobody else keeps an order."""

    def __init__(self, find: Callable[[str], int]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, names: str) -> int:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        self[names] = roles = self._find(names)
        return roles


def roles_of(names: str) -> int:
    """All that the names of an element, parted by spaces, say it is for.

    >>> Role(roles_of("comment-list wide")), Role(roles_of("entry-content")), Role(roles_of("has-sidebar"))
    (<Role.COMMENTS: 2048>, <Role.CONTENT: 65536>, <Role: 0>)
    """
    roles = 0
    for name in names.split():
        roles |= _OF_NAME[name]
    return roles


def _words(name: str) -> list[str]:
    """The words of a name, with blanks among them.

    >>> _words("article__body-wide"), _words("shareBar2"), _words("-")
    (['article', '', 'body', 'wide'], ['share', 'bar'], [])
    """
    if name.islower():
        return name.replace("_", "-").split("-")  # most names need no expression, which takes longer
    return [word.lower() for word in _WORD.findall(name)]


def _roles_of_name(name: str) -> int:
    words = _words(name)
    if _TELLING.isdisjoint(words):
        return 0
    words = [word for word in words if word]
    if words[0] in _OF_PAGES or ":" in name or "[" in name or "!" in name:
        return 0  # what has such marks is made by style frameworks, of conditions and values, and means nothing
    roles = 0
    for word in words:
        roles |= _SAID_BY.get(word, 0)
    if not roles & _IS_SECOND:
        return roles
    for first, second in pairwise(words):
        if second in _SECONDS:
            roles |= _role_of_pair(first, second)
    return roles & ~_IS_SECOND


def _role_of_pair(first: str, second: str) -> int:
    if first in _WHOLES and second in _BODIES:
        return _CONTENT
    return _UNSEEN if (first, second) in _UNSEEN_PAIRS else 0


MEANINGS = _Meanings(roles_of)
"""By the names of an element, what `roles_of` says of them."""
_OF_NAME = _Meanings(_roles_of_name)
"""By each name: most that stand together for the first time do not stand there for the first time."""


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
_ROLES = {
    Role.NAVIGATION: "navigation menu menubar menuitem tablist",
    Role.HEAD: "banner",
    Role.FOOT: "contentinfo",
    Role.ASIDE: "complementary",
    Role.CONTROL: "search",
    Role.NOTICE: "dialog alertdialog alert status tooltip",
    Role.MAIN: "main",
}
"""Of ARIA."""
_PROPERTIES = {
    Role.BYLINE: "datePublished dateModified author publisher",
    Role.COMMENTS: "comment",
    Role.CONTENT: "articleBody",
}
"""Of schema.org."""
_ROLE_OF_TAG, _ROLE_OF_ROLE, _ROLE_OF_PROPERTY = (
    {word: int(role) for role, words in table.items() for word in words.split()}
    for table in (_TAGS, _ROLES, _PROPERTIES)
)


@dataclass(frozen=True)
class Landmarks:
    """Columns with one entry an element that is for something."""

    nodes: NDArray[np.int64]
    roles: NDArray[np.int64]
    """What it is for, of `Role`."""

    def find(self, role: Role) -> NDArray[np.int64]:
        """The nodes that are for this."""
        found: NDArray[np.int64] = self.nodes[(self.roles & int(role)) != 0]
        return found


def find_landmarks(document: Document, elements: NDArray[np.int64]) -> Landmarks:
    """What some elements are for: by tag, role and property, as HTML, ARIA and schema.org define them, and by names.

    An id of a heading is made of its text, and is not asked.
    """
    attributes, names = document.attributes, document.tag_names
    roles_of_tags = [_ROLE_OF_TAG.get(name, 0) for name in names]
    headings = {code for code, name in enumerate(names) if name in HEADING_TAGS}
    found: dict[int, int] = {}
    for node, tag in zip(elements.tolist(), document.tags[elements].tolist(), strict=True):
        said, own = roles_of_tags[tag], attributes[node]
        if own is not NO_ATTRIBUTES:
            if "class" in own:
                said |= MEANINGS[own["class"]]
            if "id" in own and tag not in headings:
                said |= MEANINGS[own["id"]]
            if "role" in own:
                said |= _ROLE_OF_ROLE.get(own["role"], 0)
            if "itemprop" in own:
                said |= _ROLE_OF_PROPERTY.get(own["itemprop"], 0)
        if said:
            found[node] = said
    return Landmarks(*(np.array(list(each), dtype=np.int64) for each in (found, found.values())))
