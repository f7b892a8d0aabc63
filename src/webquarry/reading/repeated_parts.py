"""Find what a page repeats: cards of a listing, posts of a discussion, copies of a text.

Cards are similar siblings that each begin with a link to another page.

Posts are similar siblings with prose of their own. What stands beside their texts again and again (name, rank, date,
number of messages, buttons) is about them and not part of them, whatever its class is called. This fails where a post
has its text in several elements, and where only two were posted.

Copies are runs of text that a page has twice, such as one for wide and one for narrow screens. Without style sheets
both are visible. A refrain, a quotation or a step that recurs is a small part of a text and stays. This fails for
copies in which every line differs a little.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Document
from webquarry.page.leaves import number_values
from webquarry.reading.blocks import Blocks

MIN_CARDS = 3
_MIN_SHARE_OF_CARDS = 0.7
"""Share of similar siblings that must be cards for any of them to be one."""
_MAX_CARD_TEXT = 700
"""Letters outside of links: an element with more is a text itself, not the summary of another page."""
_MIN_LINKED_TITLE = 0.2
"""Share of letters in blocks that are links: a list in a text has links too, but fewer."""
_MIN_LINKED_HEADING = 0.1
"""The same where the link is a heading: the summary below it may be long."""
_MIN_TITLE = 10  # letters of the link to the other page
_LEADING_BLOCKS = 3  # at the start of a card, among which the link is; a label or date may come first
_NEVER_CARDS = frozenset(
    "b body br code dd dt em h1 h2 h3 h4 h5 h6 head html i p pre span strong tbody td th thead tr".split()
)


def find_cards(document: Document, blocks: Blocks) -> NDArray[np.bool_]:
    """Tell for each block whether it is part of a card: one of several similar siblings that each link to a page."""
    titles, spans = blocks.is_link & (blocks.letters >= _MIN_TITLE), blocks.spans
    elements = spans.elements[~document.has_tag(_NEVER_CARDS, spans.elements)]
    elements = elements[spans.sum_in(blocks.linked, elements) > 0]
    first = spans.starts[elements]
    in_titles = spans.sum_in(np.where(titles, blocks.letters, 0.0), elements)
    least = np.where(_begin_with(titles & blocks.is_heading)[first], _MIN_LINKED_HEADING, _MIN_LINKED_TITLE)
    is_card = _begin_with(titles)[first] & (spans.sum_in(blocks.free, elements) < _MAX_CARD_TEXT)
    is_card &= (in_titles > 0) & (in_titles >= least * spans.sum_in(blocks.letters, elements))
    if np.count_nonzero(is_card) < MIN_CARDS:  # as on most articles
        return np.zeros(len(blocks), dtype=np.bool_)
    return spans.cover(_keep_repeated(document, elements, is_card))


def _keep_repeated(document: Document, elements: NDArray[np.int64], is_card: NDArray[np.bool_]) -> NDArray[np.int64]:
    """List the cards that have enough siblings of the same tag and classes which are cards too."""
    parents = document.parents[elements]
    can_be = np.bincount(parents[is_card], minlength=len(document))[parents] >= MIN_CARDS
    if not can_be.any():
        return elements[:0]
    elements, is_card = elements[can_be], is_card[can_be]
    classes = document.values_of("class")
    names = [classes.get(node, "") for node in elements.tolist()]
    kinds = zip(parents[can_be].tolist(), document.tags[elements].tolist(), names, strict=True)
    group = number_values(kinds)
    cards_in = np.bincount(group, weights=is_card)
    are_cards = cards_in >= np.maximum(MIN_CARDS, _MIN_SHARE_OF_CARDS * np.bincount(group))
    cards: NDArray[np.int64] = elements[is_card & are_cards[group]]
    return cards


def _begin_with(titles: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell for each block, and for the end, whether a title is among the `_LEADING_BLOCKS` from there on."""
    padded = np.zeros(len(titles) + _LEADING_BLOCKS, dtype=np.bool_)
    padded[: len(titles)] = titles
    found: NDArray[np.bool_] = padded[: len(titles) + 1].copy()
    for place in range(1, _LEADING_BLOCKS):
        found |= padded[place : len(titles) + 1 + place]
    return found


_MIN_POSTS = 3
_MIN_SHARE_OF_POSTS = 0.8
"""Share of the prose of the content that is in posts."""
_MIN_SHARE_WITH_PROSE = 0.6
"""Share of the posts that have prose: some only say thank you."""
_MIN_SHARE_WITH_BYLINE = 0.8
"""Share of the posts that name an author or a date."""
_MIN_SHARE_OF_TEXT = 0.75
"""Share of the prose of all posts that is in the element with their texts: signatures may be long."""
_MAX_PROSE_BESIDE = 0.2
"""Share of the prose of all posts that is beside their texts, in signatures and the like."""
_MAX_DATE = 60  # letters of a block that is a date
_DATE = re.compile(
    r"\b\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b|\b\d{1,2}:\d\d\b|\b(?:1[89]|20)\d\d\b"
    r"|\b(?:ago|yesterday|today|vor|il y a|hace|fa|geleden|назад)\b|\b\d{1,2}\s?(?:y|yrs?|mo|w|d|h|hrs?)\b",
    re.IGNORECASE,
)
"""Signs of the time at which something was posted."""
_REPLY = re.compile(r"\A\s*(?:re|aw|sv|antw)\s*:", re.IGNORECASE)
_MEMBER = re.compile(
    r"(?:https?://[^/]+)?/(u|users?|members?|profiles?|people)/(?!log|sign|regist|new|pass|edit)\w", re.IGNORECASE
)
"""Beginnings of the addresses of people's pages."""
_DIGITS = re.compile(r"\d+")


_ROWS = frozenset(["tr", "td"])
"""Elements that are told apart by their place."""
_NEVER = frozenset("blockquote br code dd dt em h1 h2 h3 h4 h5 h6 p pre span strong".split())


def find_beside_posts(
    document: Document, blocks: Blocks, bylines: NDArray[np.int64], root: int, prose: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Tell which blocks are about posts inside of the root, and not their texts; none where there are no posts.

    Headings stay that are of one post only and no links, and so does prose beside the texts if there is much of it.
    """
    spans = blocks.spans
    none = np.zeros(len(blocks), dtype=np.bool_)
    inside = spans.elements[(spans.elements > root) & (spans.elements < document.ends[root])]
    inside = inside[~document.has_tag(_NEVER, inside)]
    groups = _find_groups(document, blocks, inside, prose)
    if not groups:  # as on most pages
        return none
    signs = _find_signs(document, blocks, bylines, root)
    posts = next((nodes for nodes in groups if _are_signed(document, nodes, signs)), None)
    if posts is None:
        return none
    texts = _find_texts(document, blocks, posts, prose)
    beside = spans.cover(posts) & ~spans.cover(texts)
    if prose[beside].sum() > _MAX_PROSE_BESIDE * spans.sum_in(prose, posts).sum():
        beside &= ~blocks.is_prose
    return beside & ~(blocks.is_heading & ~blocks.is_link & ~_repeat(document, blocks, beside & blocks.is_heading))


def _find_signs(document: Document, blocks: Blocks, bylines: NDArray[np.int64], root: int) -> NDArray[np.int64]:
    """List the nodes that name an author or a date: those that are named so, and short texts that are a date."""
    first, last = blocks.spans.starts[root], blocks.spans.stops[root]
    short = (~blocks.is_prose & (blocks.letters <= _MAX_DATE))[first:last].nonzero()[0] + first
    texts = blocks.texts_of(document, short)
    found = [first for first, text in zip(blocks.firsts[short].tolist(), texts, strict=True) if _DATE.search(text)]
    return np.array(sorted({*bylines.tolist(), *found}), dtype=np.int64)


def _repeat(document: Document, blocks: Blocks, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which of some blocks say what another of them says, apart from a first word such as `Re:`."""
    places = chosen.nonzero()[0]
    said = [_REPLY.sub("", text).strip().lower() for text in blocks.texts_of(document, places)]
    times = Counter(said)
    repeat = np.zeros(len(blocks), dtype=np.bool_)
    repeat[places] = [times[text] > 1 for text in said]
    return repeat


def are_comments_posts(document: Document, blocks: Blocks, comments: NDArray[np.int64]) -> bool:
    """Tell whether what is called comments and the text before it are posts of a thread.

    Publishing systems write an article and the comments on it by different templates, forums by the same; and in a
    forum whoever asks and whoever answers are members alike, which the addresses of their pages show.
    """
    if not len(comments):
        return False
    if _are_by_members(document, comments):
        return True
    commented = blocks.spans.cover(comments)
    before = blocks.is_prose & ~commented
    before[blocks.spans.starts[comments[0]] :] = False
    outside, inside = (_find_holder(document, blocks, each) for each in (before, blocks.is_prose & commented))
    return bool(outside) and outside == inside


def _are_by_members(document: Document, comments: NDArray[np.int64]) -> bool:
    """Tell whether several people are linked to in the comments, and one before them, by the same kind of address."""
    before: set[str] = set()
    members: dict[str, set[str]] = {}
    anchors = document.has_tag(["a"]).nonzero()[0]
    stop, addresses = int(document.ends[comments].max()), document.values_of("href")
    for node in anchors[anchors < stop].tolist():
        address = addresses.get(node, "")
        match = _MEMBER.match(address)
        if match is not None and node < comments[0]:
            before.add(match[1].lower())
        elif match is not None:
            members.setdefault(match[1].lower(), set()).add(address)
    return any(len(addresses) >= _MIN_POSTS and kind in before for kind, addresses in members.items())


def _find_holder(document: Document, blocks: Blocks, chosen: NDArray[np.bool_]) -> str:
    """Name the elements with a class that hold the most of some blocks; empty if none do."""
    letters: Counter[str] = Counter()
    for place in chosen.nonzero()[0].tolist():
        node = int(document.parents[blocks.firsts[place]])
        while node > 0 and (document.tag_names[document.tags[node]] in _NEVER or not _has_class(document, node)):
            node = int(document.parents[node])
        if node > 0:
            letters[_name(document, node)] += int(blocks.free[place])
    return letters.most_common(1)[0][0] if letters else ""


def _has_class(document: Document, node: int) -> bool:
    return bool(document.values_of("class").get(node, "").strip())


def _find_groups(
    document: Document, blocks: Blocks, elements: NDArray[np.int64], prose: NDArray[np.float64]
) -> list[NDArray[np.int64]]:
    """List the groups of similar siblings that hold most of the prose, the outermost first."""
    least, spans, parents = _MIN_SHARE_OF_POSTS * prose.sum(), blocks.spans, document.parents
    elements = elements[(spans.sum_in(prose) >= least)[parents[elements]]]
    with_prose = np.bincount(parents[elements[spans.sum_in(prose, elements) > 0]], minlength=len(document))
    elements = elements[(with_prose >= _MIN_POSTS)[parents[elements]]]
    named: dict[tuple[int, str], list[int]] = {}
    for node, parent in zip(elements.tolist(), parents[elements].tolist(), strict=True):
        named.setdefault((parent, _name(document, node)), []).append(node)
    _add_pairs(named)
    found = []
    for nodes in map(np.array, named.values()):
        sums = spans.sum_in(prose, nodes)
        if (sums > 0).sum() >= max(_MIN_POSTS, _MIN_SHARE_WITH_PROSE * len(nodes)) and sums.sum() >= least:
            found.append(nodes)
    return found


def _add_pairs(named: dict[tuple[int, str], list[int]]) -> None:
    """Add siblings of one tag and two names as a group: whoever began a thread may have posts of another class."""
    by_tag: dict[tuple[int, str], list[list[int]]] = {}
    for (parent, name), nodes in named.items():
        by_tag.setdefault((parent, name.partition(" ")[0]), []).append(nodes)
    named.update({key: sorted(chain(*pair)) for key, pair in by_tag.items() if len(pair) == 2})


def _are_signed(document: Document, nodes: NDArray[np.int64], signs: NDArray[np.int64]) -> bool:
    """Tell whether nearly all of some elements have a sign of an author or a date."""
    has_sign = signs.searchsorted(nodes) < signs.searchsorted(document.ends[nodes])
    return float(has_sign.mean()) >= _MIN_SHARE_WITH_BYLINE


def _find_texts(
    document: Document, blocks: Blocks, posts: NDArray[np.int64], prose: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Find the innermost elements, one of the same path in each post, that hold most of the prose of the posts."""
    texts, total = posts, blocks.spans.sum_in(prose, posts).sum()
    while True:
        kinds: dict[tuple[str, int], list[int]] = {}
        for text in texts.tolist():
            times: Counter[str] = Counter()
            for child in document.children(text, only_elements=True):
                name = _name(document, child)
                kinds.setdefault(
                    (name, times[name] if document.tag_names[document.tags[child]] in _ROWS else 0), []
                ).append(child)
                times[name] += 1
        inner = [np.array(nodes) for nodes in kinds.values() if len(nodes) <= len(posts)]
        sums = [blocks.spans.sum_in(prose, nodes).sum() for nodes in inner]
        if not inner or max(sums) < _MIN_SHARE_OF_TEXT * total:
            return texts
        texts = inner[int(np.argmax(sums))]


def _name(document: Document, node: int) -> str:
    """Name an element by tag and classes, without numbers."""
    classes = document.values_of("class").get(node, "")
    return f"{document.tag_names[document.tags[node]]} {_DIGITS.sub('', classes)}"


_MIN_LETTERS_OF_LINE = 60
"""Letters of a block that shows by itself that a run is repeated: nearly a line of text, as of prose."""
_MAX_COPIES = 3
"""Times that a page has such a block where it has copies, as for wide and narrow screens and for print; a block that
recurs more often is a refrain or a placeholder."""
_MIN_SHARE_OF_COPY = 0.15
"""Share of the letters of the text that a copy has. On the half of articles-wcxb to tune on, the largest repeated runs
that belong to the text have .05; .1 to .2 score alike."""


def find_copies(document: Document, blocks: Blocks, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which of the kept blocks repeat a run of earlier ones that is a large part of the text."""
    found, places = np.zeros(len(blocks), dtype=np.bool_), kept.nonzero()[0]
    letters = blocks.letters[places]
    if not _repeat_any(document, blocks, places, letters):
        return found
    before = np.append(0.0, letters.cumsum())
    for start, stop in _find_repeated_runs([*blocks.texts_of(document, places)]):
        if before[stop] - before[start] >= _MIN_SHARE_OF_COPY * before[-1]:
            found[places[start:stop]] = True
    return found


def _repeat_any(document: Document, blocks: Blocks, places: NDArray[np.int64], letters: NDArray[np.float64]) -> bool:
    """Tell whether two long blocks say the same; only texts of those that are equally long are read."""
    times = Counter(letters[letters >= _MIN_LETTERS_OF_LINE].tolist())
    shared = [length for length, count in times.items() if count > 1]
    if not shared:
        return False
    texts = [*blocks.texts_of(document, places[np.isin(letters, shared)])]
    return len(set(texts)) < len(texts)


def _find_repeated_runs(texts: Sequence[str]) -> list[tuple[int, int]]:
    """List the runs of texts that repeat earlier ones, each by its start and the place after it.

    >>> line, other = "a" * 60, "b" * 60
    >>> _find_repeated_runs(["One", line, "Two", other, "Ad", "One", line, "Two", other, "End"])
    [(5, 9)]
    """
    times, firsts = Counter(text for text in texts if len(text) >= _MIN_LETTERS_OF_LINE), dict[str, int]()
    runs: list[tuple[int, int]] = []
    place = end = 0
    while place < len(texts):
        first = firsts.setdefault(texts[place], place)
        if first == place or not 1 < times[texts[place]] <= _MAX_COPIES:
            place += 1
            continue
        start, back = place, place - first
        while start - 1 >= max(end, back, first + 1) and texts[start - 1] == texts[start - 1 - back]:
            start -= 1
        end = place + 1
        while end < len(texts) and end - back < start and texts[end] == texts[end - back]:
            end += 1
        runs.append((start, end))
        place = end
    return runs
