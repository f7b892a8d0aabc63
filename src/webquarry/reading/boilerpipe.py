"""Articles as Boilerpipe's ArticleExtractor finds them.

The paper is Kohlschütter, Fankhauser and Nejdl, "Boilerplate Detection using Shallow Text Features" (WSDM 2010), the
library https://github.com/kohlschutter/boilerpipe.  A page is blocks (`building`), text between tags that part it
(`tags`), each with words, lines (`words`), links, depth and labels (`blocks`).  A recipe of small steps decides which
are content (`recipes`): phrases that end the text (`ending`), the title (`titles`), the paper's rules on words and
links (`rules`), fusing what is near (`fusing`), and the largest piece (`largest`).

Two recipes are known.  `RELEASED` is that of version 1.2, which ports follow and published figures are of; it is the
default.  `LATEST` is that of the sources since: three steps more, and depth in the tree has a say.

Where we differ, and how we read what is not clear:

- The tree is that of the HTML standard or of a browser, not NekoHTML's.  So `br` and other empty elements part blocks.
- Text that the document calls hidden is not there, Boilerpipe has all that stands in the body.
- A block is at the level of its first text, and has the labels of the elements that it stands in.  Boilerpipe gives the
  first block of a page the level of the page's title, and a block that another follows without an end tag between them
  the labels of that one too.
- A link within a link ends as any other.  After one, Boilerpipe takes all words to the end of the page for linked.
- No-break spaces are white space, and white space is folded before texts are compared.  A block of marks alone is a
  block, without words.
- Combining marks part words, as all marks do that are not listed; Boilerpipe does so with some of them.
- The title is looked for as the latest sources do in both recipes: its case, apostrophes and marks do not count, and
  the first block that matches is it.
- A text has score 1 when it is kept and 0 when not, and the reason of the step that decided that last.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, IntFlag
from functools import partial, reduce
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind, find_inside
from webquarry.model.article import Article
from webquarry.model.document import Document


# MERGED reading/boilerpipe/blocks: The blocks of a page, as columns.
class Label(IntFlag):
    """What is known of a block besides its numbers."""

    HEADING = 1
    ITEM = 2
    TITLE = 4
    ENDS_TEXT = 8
    MIGHT_BE_CONTENT = 16
    VERY_LIKELY_CONTENT = 32


@dataclass(frozen=True, eq=False)
class Blocks:
    """The blocks of a page, in order.  They are fused and dropped; each keeps the places of those it was made of."""

    title: str
    """Of the page."""
    texts: tuple[str, ...]
    """Of the blocks of the page as it was built, in one line each."""
    words: NDArray[np.int64]
    linked: NDArray[np.int64]
    """Words in links."""
    line_words: NDArray[np.int64]
    """Words in full lines, and in `lines` how many these are."""
    lines: NDArray[np.int64]
    starts: NDArray[np.int64]
    """The first place among the blocks of the page as it was built, and in `stops` the last."""
    stops: NDArray[np.int64]
    levels: NDArray[np.int64]
    """How deep they stand."""
    labels: NDArray[np.int64]
    """Each a sum of `Label`."""
    content: NDArray[np.bool_]
    homes: NDArray[np.int64]
    """For each block of the page as it was built the one that it is in; -1 when that was dropped."""

    def __len__(self) -> int:
        return len(self.words)

    @property
    def link_densities(self) -> NDArray[np.float64]:
        """The share of words that are in links."""
        return self.linked / np.maximum(self.words, 1)

    @property
    def text_densities(self) -> NDArray[np.float64]:
        """Words a line."""
        return self.line_words / self.lines

    @property
    def chosen(self) -> NDArray[np.bool_]:
        """For each block of the page as it was built whether it is content."""
        return np.append(self.content, False)[self.homes]

    def read_texts(self) -> Sequence[str]:
        """The text of each block, a space between those that it was made of."""
        if len(self.texts) == len(self):
            return self.texts
        parts: list[list[str]] = [[] for _ in range(len(self) + 1)]  # the last is of what was dropped
        for home, text in zip(self.homes.tolist(), self.texts, strict=True):
            parts[home].append(text)
        return [" ".join(each) for each in parts[:-1]]

    def has(self, label: Label) -> NDArray[np.bool_]:
        """For each block whether it has a label."""
        return (self.labels & int(label)).astype(np.bool_)

    def mark(self, label: Label, chosen: NDArray[np.bool_]) -> Blocks:
        """The blocks, some with a label more."""
        return replace(self, labels=np.where(chosen, self.labels | int(label), self.labels))

    def decide(self, content: NDArray[np.bool_]) -> Blocks:
        """The blocks with another verdict."""
        return replace(self, content=content)

    def fuse(self, joins: NDArray[np.bool_]) -> Blocks:
        """The blocks, some joined to the one before; any that is content makes all of them content."""
        if not joins.any():
            return self
        places = np.flatnonzero(~joins)
        return Blocks(
            title=self.title,
            texts=self.texts,
            words=np.add.reduceat(self.words, places),
            linked=np.add.reduceat(self.linked, places),
            line_words=np.add.reduceat(self.line_words, places),
            lines=np.add.reduceat(self.lines, places),
            starts=self.starts[places],
            stops=np.maximum.reduceat(self.stops, places),
            levels=np.minimum.reduceat(self.levels, places),
            labels=np.bitwise_or.reduceat(self.labels, places),
            content=np.logical_or.reduceat(self.content, places),
            homes=self._moved(np.cumsum(~joins) - 1),
        )

    def keep(self, kept: NDArray[np.bool_]) -> Blocks:
        """Some of the blocks."""
        if kept.all():
            return self
        return Blocks(
            title=self.title,
            texts=self.texts,
            words=self.words[kept],
            linked=self.linked[kept],
            line_words=self.line_words[kept],
            lines=self.lines[kept],
            starts=self.starts[kept],
            stops=self.stops[kept],
            levels=self.levels[kept],
            labels=self.labels[kept],
            content=self.content[kept],
            homes=self._moved(np.where(kept, np.cumsum(kept) - 1, -1)),
        )

    def _moved(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.append(places, -1)[self.homes]


# MERGED reading/boilerpipe/tags: What Boilerpipe makes of tags.
class Role(IntFlag):
    """What the tags of an element do."""

    PARTS_BLOCKS = 1
    PARTS_WORDS = 2
    IS_LEVEL = 4
    """What stands in it is deeper."""
    LINKS = 8
    IS_PASSED_OVER = 16
    IS_HEADING = 32
    IS_ITEM = 64
    IS_BODY = 128


_BLOCK = Role.PARTS_BLOCKS | Role.IS_LEVEL
"""Also of every tag that is not named here."""
_ROLES = (
    {"a": Role.LINKS | Role.PARTS_WORDS | Role.IS_LEVEL, "body": _BLOCK | Role.IS_BODY, "li": _BLOCK | Role.IS_ITEM}
    | dict.fromkeys("abbr acronym".split(), Role.PARTS_WORDS)
    | dict.fromkeys("b code em font i span strike strong sub sup tt u var".split(), Role(0))
    | dict.fromkeys("applet embed link noscript object option script style".split(), _BLOCK | Role.IS_PASSED_OVER)
    | dict.fromkeys("h1 h2 h3".split(), _BLOCK | Role.IS_HEADING)
)


def find_roles(document: Document) -> NDArray[np.int64]:
    """For each node the roles of its tags; none for what is no element."""
    return np.array([*(_ROLES.get(name, _BLOCK) for name in document.tag_names), 0], dtype=np.int64)[document.tags]


# MERGED reading/boilerpipe/words: Words as Boilerpipe counts them, and the lines that they fill.
# MERGED
# MERGED Words are parted by white space and by marks that are not usual punctuation: `don't` and `black/whit
# MERGED each, `black—white` is two.
LINE = 80
"""Characters of a line, by which text density is counted; the paper's own."""


class _Character(IntEnum):
    SPACE = 0
    MARK = 1
    JOINING = 2
    """A mark that does not part words."""
    UNDERSCORE = 3
    """It does not part words either, but is none by itself."""
    LETTER = 4
    """Or digit."""


class Words(NamedTuple):
    """All words of some texts."""

    places: NDArray[np.int64]
    """For each word the text that it is in."""
    lengths: NDArray[np.int64]
    """Characters, with the marks that hang on it."""


def find_words(texts: list[str]) -> Words:
    """The words of texts.

    >>> find_words(["Don't (ever) mix", "black—white: ___ 42%"])
    Words(places=array([0, 0, 0, 1, 1, 1]), lengths=array([5, 6, 3, 5, 6, 2]))
    """
    all_characters = _characters("\n" + "\n".join(texts))
    before, characters = all_characters[:-1], all_characters[1:]
    in_word, was_in_word = characters >= _Character.UNDERSCORE, before >= _Character.UNDERSCORE
    is_parted = (in_word & (before == _Character.MARK)) | (was_in_word & (characters == _Character.MARK))
    is_shown = characters != _Character.SPACE
    starts = np.flatnonzero(is_shown & ((before == _Character.SPACE) | is_parted))
    if not len(starts):
        return Words(starts, starts)
    is_word = np.maximum.reduceat(characters, starts) == _Character.LETTER
    lengths = np.add.reduceat(is_shown, starts, dtype=np.int64)
    stops = np.cumsum([len(text) + 1 for text in texts])
    return Words(np.searchsorted(stops, starts[is_word], side="right"), lengths[is_word])


def _characters(text: str) -> NDArray[np.uint8]:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    kinds = _ASCII.take(codes, mode="clip")
    others = np.flatnonzero(codes >= len(_ASCII))
    distinct, places = np.unique(codes[others], return_inverse=True)
    kinds[others] = np.array([_character(chr(code)) for code in distinct.tolist()], dtype=np.uint8)[places]
    return kinds


def _character(character: str) -> _Character:
    if character.isspace():
        return _Character.SPACE
    if character in "\"'.,!@-:;$?()/":
        return _Character.JOINING
    if character == "_":
        return _Character.UNDERSCORE
    return _Character.LETTER if character.isalnum() else _Character.MARK


_ASCII = np.array([_character(chr(code)) for code in range(128)], dtype=np.uint8)


class Lines(NamedTuple):
    """How texts fill lines: the words in their full lines, and how many lines these are."""

    words: NDArray[np.int64]
    counts: NDArray[np.int64]


def fill_lines(lengths: NDArray[np.int64], starts: NDArray[np.int64], stops: NDArray[np.int64]) -> Lines:
    """The lines of texts whose words are those from a start to before a stop.

    A text of less than a line counts as one line.

    >>> fill_lines(np.array([9] * 15), np.array([0, 12]), np.array([12, 15]))
    Lines(words=array([8, 3]), counts=array([1, 1]))
    """
    reach = np.concatenate([[0], np.cumsum(lengths + 1)])  # where each word begins, when all stand in one line
    words, counts = stops - starts, np.ones_like(starts)
    reaches = reach[1:].tolist()
    for place in np.flatnonzero(reach[stops] - reach[starts] > LINE + 1).tolist():
        first, stop = int(starts[place]), int(stops[place])
        broken = 0
        word = bisect_right(reaches, int(reach[first]) + LINE + 1, first, stop)
        while word < stop:
            broken, first = broken + 1, word
            word = bisect_right(reaches, int(reach[word]) + LINE + 1, word + 1, stop)
        words[place], counts[place] = first - int(starts[place]), broken
    return Lines(words, counts)


# MERGED reading/boilerpipe/building: A document to its blocks: text that no tag parts.
class BlocksOfTexts(NamedTuple):
    """The blocks of a document, and which of its texts are in them."""

    blocks: Blocks
    nodes: NDArray[np.int32]
    """All texts that a reader sees and that are not blank."""
    places: NDArray[np.int64]
    """For each of these the block that it is in; -1 for what is passed over."""


class _Runs(NamedTuple):
    """Pieces of text that neither a block nor a link parts."""

    texts: list[str]
    nodes: NDArray[np.int64]
    """The first text of each."""
    are_first: NDArray[np.bool_]
    """For each whether a block begins with it."""


def build_blocks(document: Document) -> BlocksOfTexts:
    """The blocks of a document, none decided yet."""
    roles, ends = find_roles(document), document.ends
    all_texts = np.flatnonzero(document.kinds == Kind.TEXT)
    texts = map(document.texts.__getitem__, all_texts.tolist())
    is_blank = np.array([not text or text.isspace() for text in texts], dtype=np.bool_)
    blanks, others = all_texts[is_blank], all_texts[~is_blank]
    nodes = others[~document.hidden[others]]
    passed = _inside(Role.IS_PASSED_OVER, roles, ends) | ~_inside(Role.IS_BODY, roles, ends)
    used = nodes[~passed[nodes]]

    tags_before = _count_tags((roles & Role.PARTS_BLOCKS) != 0, ends)[used]
    are_first = _changes(tags_before)
    runs = _find_runs(document, used, are_first, blanks, roles)
    places = np.full(len(document), -1, dtype=np.int64)
    places[used] = np.cumsum(are_first) - 1
    return BlocksOfTexts(_measure(document, runs, roles), nodes.astype(np.int32), places[nodes])


def _find_runs(
    document: Document,
    nodes: NDArray[np.int64],
    are_first: NDArray[np.bool_],
    blanks: NDArray[np.int64],
    roles: NDArray[np.int64],
) -> _Runs:
    """The runs of some texts, of which some begin a block."""
    spaces = _count_tags((roles & Role.PARTS_WORDS) != 0, document.ends)[nodes] + np.searchsorted(blanks, nodes)
    pieces = [
        f" {document.texts[node]}" if is_parted else document.texts[node]
        for node, is_parted in zip(nodes.tolist(), _changes(spaces).tolist(), strict=True)
    ]
    links = _count_tags((roles & Role.LINKS) != 0, document.ends)[nodes]
    starts = np.flatnonzero(are_first | _changes(links))
    texts = ["".join(pieces[start:stop]) for start, stop in _spans(starts, len(pieces))]
    return _Runs(texts, nodes[starts], are_first[starts])


def _measure(document: Document, runs: _Runs, roles: NDArray[np.int64]) -> Blocks:
    """The blocks of runs of text, with their numbers."""
    ends, firsts = document.ends, np.flatnonzero(runs.are_first)
    heads, offsets = runs.nodes[firsts], np.arange(len(firsts))
    words = find_words(runs.texts)
    blocks = (np.cumsum(runs.are_first) - 1)[words.places]  # of each word
    is_linked = _inside(Role.LINKS, roles, ends)[runs.nodes][words.places]
    lines = fill_lines(words.lengths, np.searchsorted(blocks, offsets), np.searchsorted(blocks, offsets, side="right"))
    is_heading, is_item = (_inside(role, roles, ends)[heads] for role in (Role.IS_HEADING, Role.IS_ITEM))
    is_level = (roles & Role.IS_LEVEL) != 0
    return Blocks(
        title=_title(document, ends),
        texts=tuple(" ".join(" ".join(runs.texts[a:b]).split()) for a, b in _spans(firsts, len(runs.texts))),
        words=np.bincount(blocks, minlength=len(firsts)),
        linked=np.bincount(blocks[is_linked], minlength=len(firsts)),
        line_words=lines.words,
        lines=lines.counts,
        starts=offsets,
        stops=offsets,
        levels=(np.cumsum(is_level) - _count_end_tags(is_level, ends))[heads],
        labels=is_heading * int(Label.HEADING) + is_item * int(Label.ITEM),
        content=np.zeros(len(firsts), dtype=np.bool_),
        homes=offsets,
    )


def _title(document: Document, ends: NDArray[np.int32]) -> str:
    """The title of the page, the last where there are several."""
    titles = np.flatnonzero(document.has_tag(["title"]) & ~find_inside(ends, document.has_tag(["body"])))
    found = ("".join(document.texts[node : ends[node]]).strip() for node in reversed(titles.tolist()))
    return next(filter(None, found), "")


def _inside(role: Role, roles: NDArray[np.int64], ends: NDArray[np.int32]) -> NDArray[np.bool_]:
    return find_inside(ends, (roles & role) != 0)


def _count_tags(chosen: NDArray[np.bool_], ends: NDArray[np.int32]) -> NDArray[np.int64]:
    """For each node how many start and end tags of elements chosen stand before it, its own counted."""
    return np.cumsum(chosen) + _count_end_tags(chosen, ends)


def _count_end_tags(chosen: NDArray[np.bool_], ends: NDArray[np.int32]) -> NDArray[np.int64]:
    return np.cumsum(np.bincount(ends[chosen], minlength=len(chosen) + 1))[:-1]


def _changes(numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    """For each number whether it is not the one before; the first is new."""
    return np.append(True, numbers[1:] != numbers[:-1])[: len(numbers)]


def _spans(starts: NDArray[np.int64], size: int) -> list[tuple[int, int]]:
    return list(pairwise([*starts.tolist(), size]))


# MERGED reading/boilerpipe/ending: Where the text of a page ends: what follows it is comments and the like.
# Numbers and phrases are Boilerpipe's own.
_MOST_WORDS = 14
"""Words of a block that says that the text ends."""
_DENSE = 9
"""Words a line of what counts as full text."""
_ENOUGH_WORDS = 60
"""Words of full text that must stand before the end."""
_PHRASES = (
    *("\ncomments", "\n© reuters", "\nplease rate this", "\npost a comment"),
    *("what you think...", "add your comment", "add comment", "reader views", "have your say", "reader comments"),
    *("rätta artikeln", "\nthanks for your comments - this feedback is now closed\n"),
)
"""What says so, in blocks that stand in a line each."""
_AFTER_NUMBERS = (" comments", " users responded in")
"""What says so after a number that begins the block."""
_LINK = "Comment"
"""Says so when it is all of a block and a link."""


def find_ends(blocks: Blocks) -> Blocks:
    """The blocks, with a label on those that say, in English or Swedish, that comments follow."""
    short, every = np.flatnonzero(blocks.words <= _MOST_WORDS).tolist(), blocks.read_texts()
    texts = [every[place] for place in short]
    found = [short[line] for line in _find_lines("\n".join(["", *texts, ""]).lower())]
    found += [place for place, text in zip(short, texts, strict=True) if text == _LINK and blocks.linked[place]]
    ends = np.zeros(len(blocks), dtype=np.bool_)
    ends[found] = True
    return blocks.mark(Label.ENDS_TEXT, ends)


def _find_lines(text: str) -> Iterator[int]:
    """The numbers of the lines that say that comments follow; a line begins and ends with a line feed."""
    starts = list(accumulate(len(line) + 1 for line in text.split("\n")))
    for phrase in _PHRASES:
        yield from (bisect_right(starts, place + 1) - 1 for place in _find_all(text, phrase))
    for phrase in _AFTER_NUMBERS:
        for place in _find_all(text, phrase):
            line = bisect_right(starts, place) - 1
            before = text[starts[line] : place]
            if before.isascii() and before.isdigit():
                yield line


def _find_all(text: str, phrase: str) -> Iterator[int]:
    place = text.find(phrase)
    while place >= 0:
        yield place
        place = text.find(phrase, place + 1)


def ignore_after_end(blocks: Blocks) -> Blocks:
    """The blocks without content from the first that ends the text, if there is enough text before it."""
    is_full = blocks.content & (blocks.text_densities >= _DENSE)
    ends = blocks.has(Label.ENDS_TEXT) & (np.cumsum(np.where(is_full, blocks.words, 0)) >= _ENOUGH_WORDS)
    return blocks.decide(blocks.content & ~np.maximum.accumulate(ends))


def drop_trailing_headings(blocks: Blocks) -> Blocks:
    """The blocks without the headings below all other content."""
    others = np.flatnonzero(blocks.content & ~blocks.has(Label.HEADING))
    last = others[-1] if len(others) else -1
    return blocks.decide(blocks.content & (np.arange(len(blocks)) <= last))


# MERGED reading/boilerpipe/fusing: Blocks that stand close together become one, and what is not content goes
_MOST_BETWEEN = 1
"""Blocks of the page that may have been dropped between two that are fused; Boilerpipe's own number."""


def fuse_near(blocks: Blocks, *, content_only: bool = False, same_level: bool = False) -> Blocks:
    """The blocks, each that is content joined to the one before if that is near.

    The one before becomes content with it, unless `content_only` asks that it is so already; `same_level` asks that
    they are equally deep in the tree.
    """
    joins = np.zeros(len(blocks), dtype=np.bool_)
    joins[1:] = blocks.content[1:] & (blocks.starts[1:] - blocks.stops[:-1] - 1 <= _MOST_BETWEEN)
    if content_only:
        joins[1:] &= blocks.content[:-1]
    if same_level:
        joins[1:] &= blocks.levels[1:] == blocks.levels[:-1]
    return blocks.fuse(joins)


def drop_boilerplate(blocks: Blocks, *, keep_title: bool = False) -> Blocks:
    """The blocks that are content, and with `keep_title` the title in any case."""
    return blocks.keep(blocks.content | blocks.has(Label.TITLE) if keep_title else blocks.content)


# MERGED reading/boilerpipe/largest: The largest block is the text; others are it too where they stand beside
_MANY_WORDS = 100
"""Words of a block that is text wherever it stands, if equally deep as the largest; Boilerpipe's own number."""


def keep_largest(blocks: Blocks, *, least_beside: int | None = None) -> Blocks:
    """The blocks, of which only the one with the most words is content.

    With `least_beside`, so are those equally deep and of at least as many words, up to the first above them in the
    tree.
    """
    if len(blocks) < 2:
        return blocks
    places, largest = np.arange(len(blocks)), _largest(blocks)
    is_largest = places == largest
    marked = blocks.mark(Label.MIGHT_BE_CONTENT, ~is_largest).mark(Label.VERY_LIKELY_CONTENT, is_largest)
    if least_beside is None or largest < 0:
        return marked.decide(is_largest)
    level = blocks.levels[largest]
    above = np.concatenate([[-1], np.flatnonzero(blocks.levels < level), [len(blocks)]])
    after = np.searchsorted(above, largest)
    beside = (places > above[after - 1]) & (places < above[after]) & (blocks.levels == level)
    return marked.decide(is_largest | (beside & (blocks.words >= least_beside)))


def _largest(blocks: Blocks) -> int:
    return int(np.argmax(np.where(blocks.content, blocks.words, -1))) if blocks.content.any() else -1


def add_large_ones(blocks: Blocks) -> Blocks:
    """The blocks, with those of many words that are as deep as the largest."""
    likely = np.flatnonzero(blocks.content & blocks.has(Label.VERY_LIKELY_CONTENT))
    if not len(likely):
        return blocks
    is_large = (blocks.words >= _MANY_WORDS) & (blocks.levels == blocks.levels[likely[0]])
    return blocks.decide(blocks.content | is_large)


def add_list_at_end(blocks: Blocks) -> Blocks:
    """The blocks, with the items without links that follow the largest and are deeper in the tree."""
    content = blocks.content.copy()
    is_likely = content & blocks.has(Label.VERY_LIKELY_CONTENT)
    may_follow = blocks.has(Label.MIGHT_BE_CONTENT) & blocks.has(Label.ITEM) & (blocks.linked == 0)
    for place in np.flatnonzero(is_likely).tolist():
        follows = (may_follow & ~is_likely & (blocks.levels > blocks.levels[place]))[place + 1 :]
        stop = place + 1 + (len(follows) if follows.all() else int(np.argmin(follows)))
        content[place + 1 : stop] = True
    return blocks.decide(content)


# MERGED reading/boilerpipe/rules: The rules learnt from news pages: what a block is goes by its words and li
# All numbers are those of the paper's classifier based on the number of words: words, and shares of them in links.
_MOST_LINKED = 0.333333
_MOST_LINKED_BEFORE = 0.555556
_FEW_WORDS, _FEW_WORDS_AFTER, _FEW_WORDS_BEFORE = 16, 15, 4
_FEW_WORDS_BELOW_LINKS, _FEW_WORDS_AFTER_BELOW_LINKS = 40, 17


def classify_by_words(blocks: Blocks) -> Blocks:
    """The blocks, decided by the number of words and the link density of each, the one before and the one after."""
    words, densities = blocks.words, blocks.link_densities
    words_before, words_after, density_before = _before(words), _after(words), _before(densities)
    many = (words > _FEW_WORDS) | (words_after > _FEW_WORDS_AFTER) | (words_before > _FEW_WORDS_BEFORE)
    many_below_links = (words > _FEW_WORDS_BELOW_LINKS) | (words_after > _FEW_WORDS_AFTER_BELOW_LINKS)
    enough = np.where(density_before <= _MOST_LINKED_BEFORE, many, many_below_links)
    return blocks.decide((densities <= _MOST_LINKED) & enough)


def _before(numbers: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([np.zeros_like(numbers[:1]), numbers[:-1]])


def _after(numbers: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([numbers[1:], np.zeros_like(numbers[:1])])


# MERGED reading/boilerpipe/titles: The title of the page among its blocks, and what stands between it and th
_SEPARATORS = tuple(map(re.compile, (r" *[|»-] *", r" *[|»:] *", r" *[|»:()] *", r" *[|»:()-] *", r" *[|»,:()-] *")))
"""What parts the title of a text from names of sites and sections; the longest part of each splitting counts."""
_CLEAR_SEPARATORS = tuple(map(re.compile, (r" +\| +", r" +- +")))
"""Here every part of enough words counts."""
_ENOUGH_WORDS_TITLES = 4
"""Boilerpipe's own number."""
_ADDRESS = ".com"
"""A part with it is the name of a site."""
_MARKS = "?!.:-"
"""They may be in the text of a block and not in the title."""


def mark_title(blocks: Blocks) -> Blocks:
    """The blocks, with a label on the first whose text is the title of the page or a part of it."""
    titles = set(find_titles(blocks.title))
    lines = "\n".join(blocks.read_texts()).replace("'", "").lower()  # all in one go: they are many and short
    bare = reduce(lambda text, mark: text.replace(mark, ""), _MARKS, lines)
    pairs = zip(lines.split("\n"), bare.split("\n"), strict=True)
    first = next((place for place, (line, rest) in enumerate(pairs) if line in titles or rest.strip() in titles), -1)
    return blocks.mark(Label.TITLE, np.arange(len(blocks)) == first)


def find_titles(title: str) -> Iterator[str]:
    """What the title of a text may be, given that of its page.

    >>> sorted(set(find_titles("Rain at last - Weather | The Daily")))
    ['rain at last', 'rain at last - weather', 'rain at last - weather | the daily', 'weather | the daily']
    """
    whole = " ".join(title.replace("'", "").lower().split())
    if not whole:
        return
    yield whole
    yield from filter(None, (_longest_part(pattern.split(whole)) for pattern in _SEPARATORS))
    for pattern in _CLEAR_SEPARATORS:
        parts = pattern.split(whole)
        yield from (part for part in parts if len(part.split(" ")) >= _ENOUGH_WORDS_TITLES and _ADDRESS not in part)
    yield re.sub(r" - [^-]+$", "", whole)
    yield re.sub(r"^[^-]+ - ", "", whole)


def _longest_part(parts: list[str]) -> str:
    """The part with more words or more characters than those before it; nothing where the title is not parted."""
    longest, most_words = "", 0
    for part in parts if len(parts) > 1 else []:
        words = len(part.split(" "))
        if _ADDRESS not in part and (words > most_words or len(part) > len(longest)):
            longest, most_words = part, words
    return longest.strip()


def expand_to_title(blocks: Blocks) -> Blocks:
    """The blocks, with all that might be content from the title to the first content."""
    content = np.flatnonzero(blocks.content)
    titles = np.flatnonzero(blocks.has(Label.TITLE))
    before = titles[titles <= content[0]] if len(content) else titles[:0]
    if not len(before):
        return blocks
    places = np.arange(len(blocks))
    between = (places >= before[-1]) & (places < content[0])
    return blocks.decide(blocks.content | (between & blocks.has(Label.MIGHT_BE_CONTENT)))


# MERGED reading/boilerpipe/recipes: The filters of the ArticleExtractor in their order, and what each says o
class Step(NamedTuple):
    """A filter, with the words for what it decides; without words it decides nothing."""

    apply: Callable[[Blocks], Blocks]
    kept: str = ""
    left: str = ""


_LEAST_BESIDE = 150
"""Words of a block that counts as text beside the largest; Boilerpipe's own number."""

_FIND_ENDS = Step(find_ends)
_MARK_TITLE = Step(mark_title)
_CLASSIFY = Step(
    classify_by_words,
    kept="few links, and enough words here or next to it",
    left="too many links or too few words",
)
_IGNORE_AFTER_END = Step(ignore_after_end, left="after the end of the text")
_FUSE_NEAR = Step(fuse_near, kept="just before text that is content")
_EXPAND_TO_TITLE = Step(expand_to_title, kept="between the title and the text")
_NOT_LARGEST = "apart from the largest text"

RELEASED = (
    _FIND_ENDS,
    _MARK_TITLE,
    _CLASSIFY,
    _IGNORE_AFTER_END,
    _FUSE_NEAR,
    Step(drop_boilerplate),
    Step(partial(fuse_near, content_only=True)),
    Step(keep_largest, left=_NOT_LARGEST),
    _EXPAND_TO_TITLE,
)
"""As in Boilerpipe 1.2, the last release, which ports follow and published figures are of."""

LATEST = (
    _FIND_ENDS,
    _MARK_TITLE,
    _CLASSIFY,
    _IGNORE_AFTER_END,
    Step(drop_trailing_headings, left="a heading without text below it"),
    _FUSE_NEAR,
    Step(partial(drop_boilerplate, keep_title=True)),
    Step(partial(fuse_near, content_only=True, same_level=True)),
    Step(partial(keep_largest, least_beside=_LEAST_BESIDE), left=_NOT_LARGEST),
    _EXPAND_TO_TITLE,
    Step(add_large_ones, kept="long, and equally deep in the tree as the largest text"),
    Step(add_list_at_end, kept="in a list that ends the text"),
)
"""As in the sources after it, which were never released."""


def decide(blocks: Blocks, steps: Iterable[Step]) -> tuple[NDArray[np.bool_], list[str]]:
    """For each block whether it is content, and the words of the step that decided that last."""
    words = [""]
    reasons, before = np.zeros(len(blocks), dtype=np.int64), blocks.chosen
    for step in steps:
        blocks = step.apply(blocks)
        if not (step.kept or step.left):
            continue
        after = blocks.chosen
        is_news = (before != after) | (reasons == 0)
        for verdict, said in ((after, step.kept), (~after, step.left)):
            if said:
                reasons[is_news & verdict] = len(words)
                words.append(said)
        before = after
    return before, [words[reason] for reason in reasons.tolist()]


# MERGED reading/boilerpipe/reading: A document to its article, by Boilerpipe.
PASSED_OVER = "in an element that Boilerpipe passes over"


def read_boilerpipe(document: Document, *, steps: Iterable[Step] = RELEASED) -> Article:
    """The article of a page as Boilerpipe's ArticleExtractor finds it; every text of the page has a reason."""
    built = build_blocks(document)
    content, reasons = decide(built.blocks, steps)
    kept = np.append(content, False)[built.places]
    words = [*reasons, PASSED_OVER]
    return Article(
        document=document,
        method="boilerpipe",
        nodes=built.nodes,
        kept=kept,
        scores=kept.astype(np.float32),
        reasons=tuple(words[place] for place in built.places.tolist()),
    )
