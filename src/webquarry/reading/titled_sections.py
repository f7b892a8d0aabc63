"""Find sections that their heading tells not to be part of the text: comments, related pages, sign-ups, authors.

Class names are generated on many sites, or mean nothing; headings are written for people and say what follows. The
words are those of the languages that landmarks know. A section is the largest element that begins with its heading and
holds little enough of the page's prose; behind a heading that stands alone it reaches to the next one. This fails
where such words head a part of the text itself, and for words that are not listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Document
from webquarry.page.landmarks import Role
from webquarry.reading.blocks import Blocks, cumulate

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
_EDGES = " \t\n\r\xa0:.!?…»›>→-–—()[]#|"  # noqa: RUF001 - dashes of all kinds
_COUNT = re.compile(r"\s*\(?\d[\d.,]*\)?\Z")
_MAX_TITLE = 60  # letters
_MIN_LINKED_OF_RELATED = 0.25
"""Share of the letters of related pages that is in links."""
_MAX_SHARE_OF_SECTION = 0.35
"""Share of the prose of the page that a section has; as of what is beside the content."""
_MIN_PROSE_BEFORE_COMMENTS = 200
"""Letters of prose before comments, if they comment on something."""
_WHOLES = frozenset("article body html main".split())


class TitledSection(NamedTuple):
    """Blocks from a heading to the end of its section."""

    start: int
    stop: int
    role: Role
    may_list: bool = False
    """The title may be of a part of a listing too."""


def find_titled_sections(
    document: Document, blocks: Blocks, kept: NDArray[np.bool_], *, is_discussion: bool
) -> list[TitledSection]:
    """Find the sections of kept blocks that are not part of the text; in a discussion comments are."""
    finder = _Finder(document, blocks, kept)
    found: list[TitledSection] = []
    for place, role, may_list in _find_titles(document, blocks, kept):
        if role is Role.COMMENTS and is_discussion:
            continue
        section = finder.find(place, role)
        if section is not None:
            found.append(section._replace(may_list=may_list))
    return found


def _find_titles(document: Document, blocks: Blocks, kept: NDArray[np.bool_]) -> Iterator[tuple[int, Role, bool]]:
    can_be = kept & (blocks.letters <= _MAX_TITLE) & (blocks.is_heading | ~(blocks.is_link | blocks.is_listed))
    places = can_be.nonzero()[0]
    for place, text in zip(places.tolist(), blocks.texts_of(document, places), strict=True):
        title = _COUNT.sub("", text.strip(_EDGES)).strip(_EDGES).replace("\u2019", "'")
        match = _TITLE.fullmatch(title.lower())
        if match is not None and match.lastgroup is not None:
            yield place, Role[match.lastgroup], _OF_LISTINGS.match(title.lower()) is not None


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
