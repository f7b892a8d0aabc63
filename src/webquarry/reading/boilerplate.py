"""Find boilerplate by landmarks, by the headings of sections and by lines that talk to the visitor.

A landmark is judged by the prose that it holds, for a name alone proves little: a menu has little prose, a share bar
hardly any, and a sidebar less than the content. An element with the title of the page is never boilerplate. Only
comments may have more prose than what they follow.

Class names are generated on many sites, or mean nothing; headings are written for people and say what follows:
comments, related pages, sign-ups, authors. A section is the largest element that begins with its heading and holds
little enough of the page's prose; behind a heading that stands alone it reaches to the next one. This fails where such
words head a part of the text itself, and for words that are not listed.

A box that asks for an e-mail address is known by its field, whatever it is called and in whatever language. A line that
talks to the visitor is known by its words: `Advertisement`, `Share this article`, `4 min read`; a line that says more
stays. The words are those of the languages that landmarks know.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import HEADING_TAGS, are_inside
from webquarry.model.document import Document
from webquarry.page.landmarks import ADVERTISEMENT_LABELS, Landmarks, Role
from webquarry.reading.blocks import Blocks, are_heading_buttons, cumulate
from webquarry.reading.repeated_parts import MIN_CARDS

_MAX_PROSE_OF_LABELS = 80
"""Letters of prose in elements of labels and links: less than two lines."""
_MAX_FACTS_OF_BYLINE = 250
"""Letters of short lines outside of links in a byline: more are facts about what the page is about."""
_MAX_PROSE_OF_MENU = 500
"""Letters of prose in a menu: a paragraph or two."""
_MAX_SHARE_OF_FOOTER = 0.7
"""Share of all prose that a long footer has."""
_MAX_SHARE_OF_ASIDE = 0.35
"""Share of all prose that a sidebar, a notice, a caption or the like has."""
_MAX_SHARE_OF_CONTROL = 0.25
"""Share of all letters that a control has: some old pages are one form, and results are named after the search."""
_MAX_SHARE_OF_ROLE = 0.5
"""Share of all prose that elements of one role have together: with more, the name means something else here."""
_MIN_SHARE_UNLINKED = 0.5
"""Share of the letters outside of links in what is called a menu but is no navigation, such as that of a restaurant."""
_MISREAD = (int(Role.CONTROL), int(Role.BYLINE))
"""Roles whose elements hold little prose each, but may be many."""
_MIN_PROSE_BEFORE_COMMENTS = 200
"""Letters of prose before comments, if they comment on something."""
_CONTENT = frozenset(["h1", "main"])
"""Elements that are not in boilerplate."""
_NEVER = HEADING_TAGS | {"article", "body", "html", "main"}
"""Elements that are content, or hold it, whatever their names."""
_ITEMS = frozenset("dd dt li p td th".split())
"""Elements whose labels are text, as in lists to tick off."""
_SECTIONS = frozenset("article main section".split())
"""Elements with a header of their own."""

_AROUND = int(
    Role.WIDGET
    | Role.UNSEEN
    | Role.NAVIGATION
    | Role.SHARING
    | Role.CONTROL
    | Role.NOTICE
    | Role.SIGN_UP
    | Role.ADVERTISEMENT
    | Role.HEAD
    | Role.FOOT
    | Role.ASIDE
    | Role.COMMENTS
)
_WITHIN = int(Role.RELATED | Role.BYLINE | Role.LABELS | Role.CAPTION)
_WIDGET, _NAVIGATION, _NOTICE, _BYLINE, _CONTROL, _FOOT, _HEAD, _COMMENTS = map(
    int,
    (
        Role.WIDGET,
        Role.NAVIGATION,
        Role.NOTICE,
        Role.BYLINE,
        Role.CONTROL,
        Role.FOOT,
        Role.HEAD,
        Role.COMMENTS,
    ),
)
_ALWAYS = int(Role.WIDGET | Role.UNSEEN)
"""Roles that make an element boilerplate even if it holds content."""
_WITH_FEW = int(Role.SHARING | Role.LABELS)
"""Roles that make an element boilerplate if it has hardly any prose."""
_WITH_SOME = int(Role.NAVIGATION | Role.SIGN_UP | Role.UNSEEN)
_IF_NARROW = int(Role.ADVERTISEMENT | Role.ASIDE | Role.RELATED | Role.CAPTION | Role.HEAD)

_REASONS = {
    Role.WIDGET: "control",
    Role.NAVIGATION: "navigation",
    Role.COMMENTS: "comments",
    Role.SHARING: "sharing",
    Role.RELATED: "related pages",
    Role.NOTICE: "notice",
    Role.SIGN_UP: "sign-up",
    Role.ASIDE: "beside the content",
    Role.ADVERTISEMENT: "advertisement",
    Role.FOOT: "footer",
    Role.HEAD: "header",
    Role.BYLINE: "byline or date",
    Role.LABELS: "labels",
    Role.CAPTION: "caption",
    Role.CONTROL: "control",
    Role.UNSEEN: "hidden",
}
REASONS = {int(role): reason for role, reason in _REASONS.items()}
"""Reasons by role."""


Boilerplate = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Nodes, and for each the role that makes it boilerplate."""


def find_boilerplate(
    document: Document, blocks: Blocks, marks: Landmarks, *, is_discussion: bool
) -> tuple[Boilerplate, Boilerplate]:
    """Find boilerplate of any page, and boilerplate within a text, which belongs to the records of a listing.

    In discussions comments are the content.
    """
    found = marks.roles & _find_allowed(document, blocks, marks, is_discussion=is_discussion)
    return _first(marks.nodes, found & _AROUND), _first(marks.nodes, found & _WITHIN)


def _find_allowed(document: Document, blocks: Blocks, marks: Landmarks, *, is_discussion: bool) -> NDArray[np.int64]:
    """Return for each landmark the roles that would make it boilerplate, by what it holds and where it is."""
    nodes = marks.nodes
    prose_of, spans = np.where(blocks.is_prose, blocks.free, 0.0), blocks.spans
    running = cumulate(prose_of)
    total = float(running[-1])
    starts, stops = spans.starts[nodes], spans.stops[nodes]
    prose = running[stops] - running[starts]
    has_few, has_some = prose < _MAX_PROSE_OF_LABELS, prose <= _MAX_PROSE_OF_MENU
    is_narrow = prose <= _MAX_SHARE_OF_ASIDE * total
    letters, results = cumulate(blocks.letters), cumulate((blocks.is_heading & blocks.is_link).astype(np.float64))
    is_control = letters[stops] - letters[starts] <= _MAX_SHARE_OF_CONTROL * float(letters[-1])
    is_control &= has_few | document.has_tag(["form"], nodes)
    is_control &= results[stops] - results[starts] < MIN_CARDS
    facts = cumulate(blocks.free - prose_of)
    is_byline = is_narrow & (facts[stops] - facts[starts] <= _MAX_FACTS_OF_BYLINE)
    roles: NDArray[np.int64] = (
        _WIDGET
        | has_few * _WITH_FEW
        | has_some * _WITH_SOME
        | is_narrow * _IF_NARROW
        | (is_narrow | has_some) * _NOTICE
        | is_byline * _BYLINE
        | is_control * _CONTROL
        | (has_some | (prose <= _MAX_SHARE_OF_FOOTER * total)) * _FOOT
    )
    if len(marks.find_places(Role.COMMENTS)):
        roles |= (has_few if is_discussion else has_few | _follow_prose(blocks, marks)) * _COMMENTS
    if len(heads := marks.find_places(Role.HEAD)):
        sections = document.has_tag(_SECTIONS).nonzero()[0]
        roles[heads[are_inside(document.ends, nodes[heads], sections)]] &= ~_HEAD
    if len(widgets := marks.find_places(Role.WIDGET)):
        here = nodes[widgets]
        is_item = document.has_tag(["label"], here) & document.has_tag(_ITEMS, document.parents[here])
        roles[widgets[is_item | are_heading_buttons(document, here)]] &= ~_WIDGET
    content = document.has_tag(_CONTENT).nonzero()[0]
    holds_content = content.searchsorted(nodes) < content.searchsorted(document.ends[nodes])
    roles[holds_content | document.has_tag(_NEVER, nodes)] &= _ALWAYS
    roles[document.has_tag(["blockquote"], nodes)] &= _ALWAYS | _BYLINE  # signatures of posts
    for role in _MISREAD:
        has_role = (roles & marks.roles & role) != 0
        if float(prose_of[spans.cover(nodes[has_role])].sum()) > _MAX_SHARE_OF_ROLE * total:
            roles[~has_few] &= ~role
    has_role = (roles & marks.roles & _NAVIGATION) != 0
    if float(blocks.free[spans.cover(nodes[has_role])].sum()) > _MAX_SHARE_OF_ROLE * float(blocks.free.sum()):
        all_letters, free = spans.sum_in(blocks.letters, nodes), spans.sum_in(blocks.free, nodes)
        roles[free > _MIN_SHARE_UNLINKED * all_letters] &= ~_NAVIGATION
    return roles


def _follow_prose(blocks: Blocks, marks: Landmarks) -> NDArray[np.bool_]:
    """Tell for each landmark whether enough prose precedes it that is not in comments itself."""
    commented = blocks.spans.cover(marks.find(Role.COMMENTS))
    running = cumulate(np.where(blocks.is_prose & ~commented, blocks.free, 0.0))
    follow: NDArray[np.bool_] = running[blocks.spans.starts[marks.nodes]] >= _MIN_PROSE_BEFORE_COMMENTS
    return follow


def _first(nodes: NDArray[np.int64], roles: NDArray[np.int64]) -> Boilerplate:
    """List the nodes that have any role, each with its first: the lowest bit.

    >>> [each.tolist() for each in _first(np.array([3, 4, 5]), np.array([6, 0, 8]))]
    [[3, 5], [2, 8]]
    """
    chosen = roles.nonzero()[0]
    roles = roles[chosen]
    return nodes[chosen], roles & -roles


_THINGS = (
    "articles?|blogs?|content|discussions?|events?|guides?|insights?|items?|jobs?|links?|news|pages?|picks|posts?"
    "|products?|reads?|reading|recipes?|resources?|searches|stories|threads?|topics?|videos?"
)
_TITLES = {
    Role.COMMENTS: r"(?:\d[\d.,k]* )?(?:comments?|kommentare?r?|commentaires?|comentarios?|commenti|reacties"
    r"|komentarze)|(?:leave|post|add|write) (?:a|your) (?:comment|reply|response)"
    r"|join the (?:conversation|discussion)|\d+ (?:thoughts|responses|replies)|(?:thoughts|responses) (?:on|to) .*"
    r"|schreiben? sie einen kommentar|laisser un commentaire|deja un comentario|lascia un commento"
    r"|(?:customer |product |user )?(?:ratings? (?:and|&) )?reviews|\d+ reviews?(?: for .*)?"
    r"|(?:kunden)?bewertungen|kundenrezensionen|avis(?: clients?)?|opiniones|recensioni",
    Role.RELATED: rf"(?:related|similar|recommended|suggested|popular|trending|latest|recent|featured|more|other"
    rf"|further)(?: \w+)? (?:{_THINGS})(?: .*)?|related|recommended(?: for you)?|trending(?: now)?"
    r"|most (?:read|popular|viewed).*|you (?:may|might|will|'ll)(?: also)? (?:like|love|enjoy|be interested in).*"
    r"|more (?:from|in|on|about|by|like) .*|read (?:next|more|also).*|up next|next up|keep reading"
    r"|continue reading|explore more|(?:customers|people|shoppers|others|users)(?: \w+)? also .*|customers who .*"
    r"|frequently bought together|recently viewed.*|(?:complete|shop) the look|pairs? (?:well|perfectly) with"
    r"|(?:das )?könnte (?:sie|dich) auch .*|mehr (?:aus|von) .*|mehr zum thema|(?:ähnliche|weitere|verwandte) \w+"
    r"|(?:articles|produits|contenus) (?:similaires|liés|connexes|associés)|(?:à )?lire aussi"
    r"|(?:artículos|productos|noticias|entradas) (?:relacionad[oa]s|similares)|(?:también )?te (?:puede|podría) .*"
    r"|leia (?:também|mais)|veja também|(?:articoli|prodotti) correlati|potrebbe(?:ro)? interessarti.*|leggi anche"
    r"|gerelateerde \w+|lees ook|читайте также|похожие .*",
    Role.BYLINE: r"about the (?:authors?|reviewers?|writers?|editors?|contributors?)|author bio|meet the authors?"
    r"|über (?:den autor|die autorin)|(?:à propos de|sur) l'auteure?|sobre (?:el|la|o|a) autora?|sull'autore|l'autore",
    Role.SIGN_UP: r"(?:sign up|subscribe|join|get|register)\b.*\b(?:newsletters?|updates|inbox"
    r"|(?:mailing|email) list|emails?)\b.*|(?:our )?newsletters?|subscribe(?: now)?"
    r"|stay (?:up[ -]to[ -]date|in touch|informed|connected|updated).*|never miss .*|newsletter .*"
    r"|abonnez-vous .*|suscríbete.*|iscriviti .*|inscreva-se.*",
}
_TITLE = re.compile("|".join(f"(?P<{role.name}>{words})" for role, words in _TITLES.items()))
"""Titles in lower case: ignoring the case takes twice as long."""
_OF_LISTINGS = re.compile(r"(?:popular|trending|latest|recent|featured|more|other|further|most|explore|weitere|mehr)\b")
"""First words of titles that listings give to parts of themselves too."""
_COUNT = re.compile(r"\d[\d.,]*\Z")
_MAX_TITLE = 60  # letters
_MIN_LINKED_OF_RELATED = 0.25
"""Share of the letters of related pages that is in links."""
_MAX_SHARE_OF_SECTION = 0.35
"""Share of the prose of the page that a section has; as of what is beside the content."""
_WHOLES = frozenset("article body html main".split())


class TitledSection(NamedTuple):
    """Blocks from a heading to the end of its section."""

    start: int
    stop: int
    role: Role
    may_list: bool = False
    """The title may be of a part of a listing too."""


Title = tuple[int, Role, bool]
"""The place of a block that is the title of a section, the role of that, and whether it may be of a listing too."""


def find_titled_sections(
    document: Document, blocks: Blocks, kept: NDArray[np.bool_], titles: list[Title], *, is_discussion: bool
) -> list[TitledSection]:
    """Find the sections of kept blocks that are not part of the text; in a discussion comments are."""
    if not titles:  # as on most pages
        return []
    finder = _Finder(document, blocks, kept)
    found: list[TitledSection] = []
    for place, role, may_list in titles:
        if not kept[place] or (role is Role.COMMENTS and is_discussion):
            continue
        section = finder.find(place, role)
        if section is not None:
            found.append(section._replace(may_list=may_list))
    return found


def find_titles(document: Document, blocks: Blocks, kept: NDArray[np.bool_]) -> list[Title]:
    """Find the kept blocks that are titles of sections which are not part of the text."""
    can_be = kept & (blocks.letters <= _MAX_TITLE) & (blocks.is_heading | ~(blocks.is_link | blocks.is_listed))
    places = can_be.nonzero()[0]
    titles = []
    for place, text in zip(places.tolist(), blocks.texts_of(document, places), strict=True):
        title = text.strip(_EDGES).replace("\u2019", "'").lower()
        if title[-1:].isdecimal():
            title = _COUNT.sub("", title).strip(_EDGES)
        match = _TITLE.fullmatch(title)
        if match is not None and match.lastgroup is not None:
            titles.append((place, Role[match.lastgroup], _OF_LISTINGS.match(title) is not None))
    return titles


class _Finder:
    """Sections below titles, by what they hold."""

    def __init__(self, document: Document, blocks: Blocks, kept: NDArray[np.bool_]) -> None:
        self._document, self._blocks = document, blocks
        self._prose = cumulate(np.where(blocks.is_prose & kept, blocks.free, 0.0))
        self._linked, self._letters = cumulate(blocks.linked), cumulate(blocks.letters)

    def find(self, place: int, role: Role) -> TitledSection | None:
        """Find the section that a title begins; none where it would hold too much."""
        spans, node = self._blocks.spans, int(self._blocks.firsts[place])
        parents, names, tags = self._document.parents, self._document.tag_names, self._document.tags
        section = None
        node = int(parents[node])
        while node > 0 and spans.starts[node] == place and names[tags[node]] not in _WHOLES:
            if spans.stops[node] > place + 1:
                larger = TitledSection(place, int(spans.stops[node]), role)
                if not self._may_be(larger):
                    break
                section = larger
            node = int(parents[node])
        if section is None and self._blocks.is_heading[place]:
            section = self._find_below(place, int(spans.stops[node]), role)
        return section

    def _find_below(self, place: int, end: int, role: Role) -> TitledSection | None:
        """Find what follows a heading that has no section of its own, up to the next heading in the element around."""
        blocks = self._blocks
        stops = blocks.is_heading | blocks.is_prose if role is Role.RELATED else blocks.is_heading
        following = stops[place + 1 : end].nonzero()[0]
        section = TitledSection(place, place + 1 + int(following[0]) if len(following) else end, role)
        return section if section.stop > place + 1 and self._may_be(section) else None

    def _may_be(self, section: TitledSection) -> bool:
        start, stop, role, _ = section
        prose, total = self._prose[stop] - self._prose[start], self._prose[-1]
        if role is Role.COMMENTS:
            return bool(self._prose[start] >= _MIN_PROSE_BEFORE_COMMENTS)
        if role is Role.RELATED:
            letters = self._letters[stop] - self._letters[start]
            if self._linked[stop] - self._linked[start] < _MIN_LINKED_OF_RELATED * letters:
                return False
        return bool(prose <= _MAX_SHARE_OF_SECTION * total)


_PROMPT = re.compile(
    r"(?:article|story|post|content) continues (?:below|after).*|continue reading below.*"
    r"|scroll(?: down)? to continue.*"
    r"|(?:print|share|e-?mail|save|tweet|listen to|rate|copy|report)(?: this)? (?:page|article|story|post|link|recipe)"
    r"|share (?:this|on|via|with)(?: \S+)?|(?:artikel|beitrag|seite) (?:teilen|drucken)"
    r"|partager(?: (?:l'article|sur \S+))?|imprimer(?: l'article)?|compartir(?: en \S+)?|condividi(?: su \S+)?"
    r"|compartilhar(?: no \S+)?|\d+[ -]min(?:ute)?s? read|(?:estimated )?read(?:ing)? time\W*\d+.*"
    r"|lesezeit\W*\d+.*|temps de lecture\W*\d+.*"
    r"|(?:back|go|return|jump) to (?:the )?top|top of page|nach oben|zum seitenanfang|haut de page|volver arriba"
    r"|skip to (?:main )?content|(?:link )?copied(?: to clipboard)?|loading|please wait"
    r"|(?:click|tap) to (?:enlarge|expand|zoom|share)|roll over image to zoom(?: in)?"
    r"|was this (?:page|article|answer|information) helpful(?: to you)?|thank you for your feedback"
)
"""Prompts in lower case: ignoring the case takes twice as long."""
_VOTES = re.compile(r"[+-]?\d[\d.,]*k?")
_EDGES = " \t\n\r\xa0:.!?…»›>→←↑^-–—()[]#|·•*"  # noqa: RUF001 - dashes of all kinds
_MAX_LINE = 60  # letters of a prompt
_MAX_LETTERS_OF_BOX = 400
"""Letters of a box that asks for an address: a heading, a promise and what is done with the address."""
_MAX_SHARE_OF_BOX = 0.2
"""Share of the letters of the page that such a box has: a page may be a form."""

_NO_ADDRESS = frozenset("button checkbox hidden image radio reset submit".split())
"""Types of input that take no address."""


def find_prompt_lines(
    document: Document, blocks: Blocks, kept: NDArray[np.bool_], *, is_discussion: bool
) -> NDArray[np.bool_]:
    """Tell which of the kept blocks only talk to the visitor, or in a discussion only count votes."""
    can_be = kept & (blocks.letters <= _MAX_LINE) & ~blocks.is_heading & (~blocks.is_listed | blocks.is_link)
    found = np.zeros(len(blocks), dtype=np.bool_)
    places = can_be.nonzero()[0]
    for place, text in zip(places.tolist(), blocks.texts_of(document, places), strict=True):
        line = text.strip(_EDGES).replace("\u2019", "'").lower()
        is_count = is_discussion and _VOTES.fullmatch(line) is not None
        found[place] = is_count or line in ADVERTISEMENT_LABELS or _PROMPT.fullmatch(line) is not None
    return found


def find_address_boxes(document: Document, blocks: Blocks, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which blocks are in a box with a field for an e-mail address: a sign-up, unless the page is a form."""
    found = np.zeros(len(blocks), dtype=np.bool_)
    fields = _find_address_fields(document)
    if not fields:  # as on most pages
        return found
    letters, headings = cumulate(np.where(kept, blocks.letters, 0.0)), cumulate(blocks.is_heading.astype(np.float64))
    most = min(_MAX_LETTERS_OF_BOX, _MAX_SHARE_OF_BOX * float(letters[-1]))
    starts, stops, parents = blocks.spans.starts, blocks.spans.stops, document.parents
    boxes: set[int] = set()  # of earlier fields, whose outermost is found: a page may have thousands in one
    for field in fields:
        node, start, stop = int(parents[field]), 0, 0
        while node > 0 and node not in boxes and document.tag_names[document.tags[node]] not in _WHOLES:
            first, last = int(starts[node]), int(stops[node])
            if letters[last] - letters[first] > most or headings[last] - headings[first] > 1:
                break
            boxes.add(node)
            node, start, stop = int(parents[node]), first, last
        found[start:stop] = True
    return found


def _find_address_fields(document: Document) -> list[int]:
    types, *names = map(document.values_of, ("type", "name", "id", "placeholder"))
    fields = []
    for node in document.has_tag(["input"]).nonzero()[0].tolist():
        kind = types.get(node, "").lower()
        is_named = any("mail" in values[node].lower() for values in names if node in values)
        if kind == "email" or (is_named and kind not in _NO_ADDRESS):
            fields.append(node)
    return fields
