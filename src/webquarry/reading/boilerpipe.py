"""Find articles as Boilerpipe's ArticleExtractor does.

The paper is Kohlschütter, Fankhauser and Nejdl, "Boilerplate Detection using Shallow Text Features" (WSDM 2010), the
library https://github.com/kohlschutter/boilerpipe. A page is divided into blocks: texts that no tag separates, with
counts of words, lines and words in links, a depth and labels. A recipe of filters decides which blocks are content.
Constants and phrases without an origin of their own are Boilerpipe's.

There are two recipes. `RELEASED`, the default, is that of version 1.2, which ports follow and published figures
measure. `LATEST` is that of the unreleased sources: three more filters, and the depth in the tree counts.

Repairs, and how unclear points were read:

- The tree is that of the HTML standard or of a browser, not NekoHTML's. So `br` and other empty elements separate
  blocks.
- Hidden text is ignored; Boilerpipe takes all text in the body.
- A block has the level of its first text, and the labels of the elements around it. Boilerpipe gives the first block
  of a page the level of the page's title, and a block that another follows without an end tag between them the labels
  of that one too.
- A link within a link ends like any other. After one, Boilerpipe takes all words to the end of the page as linked.
- No-break spaces are white space, and white space is folded before texts are compared. A block of punctuation alone is
  a block without words.
- Combining marks separate words, like all marks that are not listed; Boilerpipe does so with some of them.
- Both recipes look for the title as the latest sources do: case, apostrophes and punctuation do not count, and the
  first block that matches is the title.
- A text has score 1 when it is kept and 0 when not, and the reason of the filter that last decided about it.
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


class Label(IntFlag):
    """Labels of a block."""

    HEADING = 1
    ITEM = 2
    TITLE = 4
    ENDS_TEXT = 8
    MIGHT_BE_CONTENT = 16
    VERY_LIKELY_CONTENT = 32


@dataclass(frozen=True, eq=False)
class Blocks:
    """Blocks of a page, in order. Filters fuse and drop them; each knows the original blocks it is made of."""

    title: str
    """Title of the page."""
    texts: tuple[str, ...]
    """Texts of the original blocks, on one line each."""
    words: NDArray[np.int64]
    linked: NDArray[np.int64]
    """Words in links."""
    line_words: NDArray[np.int64]
    """Words in full lines."""
    lines: NDArray[np.int64]
    """Full lines."""
    starts: NDArray[np.int64]
    """Place of the first original block."""
    stops: NDArray[np.int64]
    """Place of the last one."""
    levels: NDArray[np.int64]
    """Depth in the tree."""
    labels: NDArray[np.int64]
    """Sums of `Label`."""
    content: NDArray[np.bool_]
    homes: NDArray[np.int64]
    """For each original block the block that it is in; -1 when that was dropped."""

    def __len__(self) -> int:
        return len(self.words)

    @property
    def link_densities(self) -> NDArray[np.float64]:
        """Share of words in links."""
        return self.linked / np.maximum(self.words, 1)

    @property
    def text_densities(self) -> NDArray[np.float64]:
        """Words per line."""
        return self.line_words / self.lines

    @property
    def chosen(self) -> NDArray[np.bool_]:
        """Tell for each original block whether it is content."""
        return np.append(self.content, False)[self.homes]

    def read_texts(self) -> Sequence[str]:
        """Return the text of each block."""
        if len(self.texts) == len(self):
            return self.texts
        parts: list[list[str]] = [[] for _ in range(len(self) + 1)]  # the last is of dropped blocks
        for home, text in zip(self.homes.tolist(), self.texts, strict=True):
            parts[home].append(text)
        return [" ".join(each) for each in parts[:-1]]

    def has(self, label: Label) -> NDArray[np.bool_]:
        """Tell for each block whether it has a label."""
        return (self.labels & int(label)).astype(np.bool_)

    def mark(self, label: Label, chosen: NDArray[np.bool_]) -> Blocks:
        """Add a label to some blocks."""
        return replace(self, labels=np.where(chosen, self.labels | int(label), self.labels))

    def decide(self, content: NDArray[np.bool_]) -> Blocks:
        """Say anew which blocks are content."""
        return replace(self, content=content)

    def fuse(self, joins: NDArray[np.bool_]) -> Blocks:
        """Join some blocks to the one before; one that is content makes all of them content."""
        if not joins.any():
            return self
        places = np.flatnonzero(~joins)
        columns: dict[str, Any] = {
            name: reducer.reduceat(getattr(self, name), places) for name, reducer in _REDUCERS.items()
        }
        return replace(self, **columns, homes=self._moved(np.cumsum(~joins) - 1))

    def keep(self, kept: NDArray[np.bool_]) -> Blocks:
        """Drop all other blocks."""
        if kept.all():
            return self
        columns: dict[str, Any] = {name: getattr(self, name)[kept] for name in _REDUCERS}
        return replace(self, **columns, homes=self._moved(np.where(kept, np.cumsum(kept) - 1, -1)))

    def _moved(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.append(places, -1)[self.homes]


_REDUCERS: dict[str, np.ufunc] = {
    **dict.fromkeys(("words", "linked", "line_words", "lines"), np.add),
    **dict.fromkeys(("starts", "levels"), np.minimum),
    "stops": np.maximum,
    "labels": np.bitwise_or,
    "content": np.logical_or,
}
"""How the columns of blocks are joined when they are fused."""


_MAX_WORDS_OF_END = 14
_END_PHRASES = (
    *("\ncomments", "\n© reuters", "\nplease rate this", "\npost a comment"),
    *("what you think...", "add your comment", "add comment", "reader views", "have your say", "reader comments"),
    *("rätta artikeln", "\nthanks for your comments - this feedback is now closed\n"),
)
"""Phrases that end the text, in lower case; line feeds are the bounds of a block."""
_END_PHRASES_AFTER_NUMBERS = (" comments", " users responded in")
"""Phrases that end the text after a number that begins the block."""
_END_LINK = "Comment"
"""Ends the text when it is a whole block and a link."""


def find_ends(blocks: Blocks) -> Blocks:
    """Label blocks that announce, in English or Swedish, that comments follow."""
    short, every = np.flatnonzero(blocks.words <= _MAX_WORDS_OF_END).tolist(), blocks.read_texts()
    texts = [every[place] for place in short]
    found = [short[line] for line in _find_end_lines("\n".join(["", *texts, ""]).lower())]
    found += [place for place, text in zip(short, texts, strict=True) if text == _END_LINK and blocks.linked[place]]
    ends = np.zeros(len(blocks), dtype=np.bool_)
    ends[found] = True
    return blocks.mark(Label.ENDS_TEXT, ends)


def _find_end_lines(text: str) -> Iterator[int]:
    """Yield the numbers of lines with a phrase that ends the text; lines begin and end with a line feed."""
    starts = list(accumulate(len(line) + 1 for line in text.split("\n")))
    for phrase in _END_PHRASES:
        yield from (bisect_right(starts, place + 1) - 1 for place in _find_all(text, phrase))
    for phrase in _END_PHRASES_AFTER_NUMBERS:
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


_TITLE_SEPARATORS = tuple(
    map(re.compile, (r" *[|»-] *", r" *[|»:] *", r" *[|»:()] *", r" *[|»:()-] *", r" *[|»,:()-] *"))
)
"""Separators between the title and names of sites and sections; the longest part of each split is a title."""
_CLEAR_TITLE_SEPARATORS = tuple(map(re.compile, (r" +\| +", r" +- +")))
"""Separators after which every part with enough words may be the title."""
_MIN_WORDS_OF_TITLE = 4
_SITE_SUFFIX = ".com"  # a part with it is the name of a site
_TITLE_PUNCTUATION = "?!.:-"
"""Characters that a block may have and the title not."""


def mark_title(blocks: Blocks) -> Blocks:
    """Label the first block whose text is the title of the page or a part of it."""
    titles = set(find_titles(blocks.title))
    lines = "\n".join(blocks.read_texts()).replace("'", "").lower()  # at once: they are many and short
    bare = reduce(lambda text, mark: text.replace(mark, ""), _TITLE_PUNCTUATION, lines)
    pairs = zip(lines.split("\n"), bare.split("\n"), strict=True)
    first = next((place for place, (line, rest) in enumerate(pairs) if line in titles or rest.strip() in titles), -1)
    return blocks.mark(Label.TITLE, np.arange(len(blocks)) == first)


def find_titles(title: str) -> Iterator[str]:
    """Yield what the title of the text may be, given that of its page.

    >>> sorted(set(find_titles("Rain at last - Weather | The Daily")))
    ['rain at last', 'rain at last - weather', 'rain at last - weather | the daily', 'weather | the daily']
    """
    whole = " ".join(title.replace("'", "").lower().split())
    if not whole:
        return
    yield whole
    yield from filter(None, (_longest_part(pattern.split(whole)) for pattern in _TITLE_SEPARATORS))
    for pattern in _CLEAR_TITLE_SEPARATORS:
        parts = pattern.split(whole)
        yield from (part for part in parts if len(part.split(" ")) >= _MIN_WORDS_OF_TITLE and _SITE_SUFFIX not in part)
    yield re.sub(r" - [^-]+$", "", whole)
    yield re.sub(r"^[^-]+ - ", "", whole)


def _longest_part(parts: list[str]) -> str:
    """Return the last part with more words or characters than those before it; nothing for an undivided title."""
    longest, most_words = "", 0
    for part in parts if len(parts) > 1 else []:
        words = len(part.split(" "))
        if _SITE_SUFFIX not in part and (words > most_words or len(part) > len(longest)):
            longest, most_words = part, words
    return longest.strip()


# The classifier by number of words of the paper, learnt from news pages.
_MAX_LINK_DENSITY = 0.333333
_MAX_LINK_DENSITY_BEFORE = 0.555556
_MAX_WORDS, _MAX_WORDS_AFTER, _MAX_WORDS_BEFORE = 16, 15, 4
_MAX_WORDS_BELOW_LINKS, _MAX_WORDS_AFTER_BELOW_LINKS = 40, 17


def classify_by_words(blocks: Blocks) -> Blocks:
    """Decide by the number of words and the link density of each block and of its neighbours."""
    words, densities = blocks.words, blocks.link_densities
    words_before, words_after, density_before = _before(words), _after(words), _before(densities)
    many = (words > _MAX_WORDS) | (words_after > _MAX_WORDS_AFTER) | (words_before > _MAX_WORDS_BEFORE)
    many_below_links = (words > _MAX_WORDS_BELOW_LINKS) | (words_after > _MAX_WORDS_AFTER_BELOW_LINKS)
    enough = np.where(density_before <= _MAX_LINK_DENSITY_BEFORE, many, many_below_links)
    return blocks.decide((densities <= _MAX_LINK_DENSITY) & enough)


def _before(numbers: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([np.zeros_like(numbers[:1]), numbers[:-1]])


def _after(numbers: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([numbers[1:], np.zeros_like(numbers[:1])])


_MIN_DENSITY_OF_FULL_TEXT = 9  # words per line
_MIN_WORDS_BEFORE_END = 60  # of full text


def ignore_after_end(blocks: Blocks) -> Blocks:
    """Drop content from the first block that ends the text, if there is enough text before it."""
    is_full = blocks.content & (blocks.text_densities >= _MIN_DENSITY_OF_FULL_TEXT)
    has_enough = np.cumsum(np.where(is_full, blocks.words, 0)) >= _MIN_WORDS_BEFORE_END
    return blocks.decide(blocks.content & ~np.maximum.accumulate(blocks.has(Label.ENDS_TEXT) & has_enough))


def drop_trailing_headings(blocks: Blocks) -> Blocks:
    """Drop headings below all other content."""
    others = np.flatnonzero(blocks.content & ~blocks.has(Label.HEADING))
    last = others[-1] if len(others) else -1
    return blocks.decide(blocks.content & (np.arange(len(blocks)) <= last))


_MAX_BLOCKS_BETWEEN = 1  # original blocks that were dropped between two that are fused


def fuse_near(blocks: Blocks, *, content_only: bool = False, same_level: bool = False) -> Blocks:
    """Join each block that is content to the one before, if that is near.

    The one before becomes content with it, unless `content_only` requires that it is already. `same_level` requires
    that they are equally deep in the tree.
    """
    joins = np.zeros(len(blocks), dtype=np.bool_)
    joins[1:] = blocks.content[1:] & (blocks.starts[1:] - blocks.stops[:-1] - 1 <= _MAX_BLOCKS_BETWEEN)
    if content_only:
        joins[1:] &= blocks.content[:-1]
    if same_level:
        joins[1:] &= blocks.levels[1:] == blocks.levels[:-1]
    return blocks.fuse(joins)


def drop_boilerplate(blocks: Blocks, *, keep_title: bool = False) -> Blocks:
    """Drop blocks that are not content; `keep_title` keeps the title."""
    return blocks.keep(blocks.content | blocks.has(Label.TITLE) if keep_title else blocks.content)


def keep_largest(blocks: Blocks, *, min_words_beside: int | None = None) -> Blocks:
    """Keep as content only the block with the most words.

    With `min_words_beside`, equally deep blocks of as many words count too, up to the next block that is less deep.
    """
    if len(blocks) < 2:
        return blocks
    places = np.arange(len(blocks))
    largest = int(np.argmax(np.where(blocks.content, blocks.words, -1))) if blocks.content.any() else -1
    is_largest = places == largest
    marked = blocks.mark(Label.MIGHT_BE_CONTENT, ~is_largest).mark(Label.VERY_LIKELY_CONTENT, is_largest)
    if min_words_beside is None or largest < 0:
        return marked.decide(is_largest)
    level = blocks.levels[largest]
    above = np.concatenate([[-1], np.flatnonzero(blocks.levels < level), [len(blocks)]])
    after = np.searchsorted(above, largest)
    beside = (places > above[after - 1]) & (places < above[after]) & (blocks.levels == level)
    return marked.decide(is_largest | (beside & (blocks.words >= min_words_beside)))


def expand_to_title(blocks: Blocks) -> Blocks:
    """Add all that might be content from the title to the first content."""
    content = np.flatnonzero(blocks.content)
    titles = np.flatnonzero(blocks.has(Label.TITLE))
    before = titles[titles <= content[0]] if len(content) else titles[:0]
    if not len(before):
        return blocks
    places = np.arange(len(blocks))
    between = (places >= before[-1]) & (places < content[0])
    return blocks.decide(blocks.content | (between & blocks.has(Label.MIGHT_BE_CONTENT)))


_MIN_WORDS_OF_LARGE = 100


def add_large_ones(blocks: Blocks) -> Blocks:
    """Add blocks of many words that are as deep in the tree as the largest."""
    likely = np.flatnonzero(blocks.content & blocks.has(Label.VERY_LIKELY_CONTENT))
    if not len(likely):
        return blocks
    is_large = (blocks.words >= _MIN_WORDS_OF_LARGE) & (blocks.levels == blocks.levels[likely[0]])
    return blocks.decide(blocks.content | is_large)


def add_list_at_end(blocks: Blocks) -> Blocks:
    """Add list items without links that follow the largest block and are deeper in the tree."""
    content = blocks.content.copy()
    is_likely = content & blocks.has(Label.VERY_LIKELY_CONTENT)
    may_follow = blocks.has(Label.MIGHT_BE_CONTENT) & blocks.has(Label.ITEM) & (blocks.linked == 0)
    for place in np.flatnonzero(is_likely).tolist():
        follows = (may_follow & ~is_likely & (blocks.levels > blocks.levels[place]))[place + 1 :]
        stop = place + 1 + (len(follows) if follows.all() else int(np.argmin(follows)))
        content[place + 1 : stop] = True
    return blocks.decide(content)


class Step(NamedTuple):
    """Filter, with the reasons for what it keeps and drops; without reasons it decides nothing."""

    apply: Callable[[Blocks], Blocks]
    kept: str = ""
    left: str = ""


_MIN_WORDS_BESIDE = 150
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
    Step(find_ends),
    Step(mark_title),
    _CLASSIFY,
    _IGNORE_AFTER_END,
    _FUSE_NEAR,
    Step(drop_boilerplate),
    Step(partial(fuse_near, content_only=True)),
    Step(keep_largest, left=_NOT_LARGEST),
    _EXPAND_TO_TITLE,
)
"""Recipe of Boilerpipe 1.2."""

LATEST = (
    Step(find_ends),
    Step(mark_title),
    _CLASSIFY,
    _IGNORE_AFTER_END,
    Step(drop_trailing_headings, left="a heading without text below it"),
    _FUSE_NEAR,
    Step(partial(drop_boilerplate, keep_title=True)),
    Step(partial(fuse_near, content_only=True, same_level=True)),
    Step(partial(keep_largest, min_words_beside=_MIN_WORDS_BESIDE), left=_NOT_LARGEST),
    _EXPAND_TO_TITLE,
    Step(add_large_ones, kept="long, and equally deep in the tree as the largest text"),
    Step(add_list_at_end, kept="in a list that ends the text"),
)
"""Recipe of the sources after 1.2, which were never released."""
PASSED_OVER = "in an element that Boilerpipe passes over"


def read_boilerpipe(document: Document, *, steps: Iterable[Step] = RELEASED) -> Article:
    """Read the article of a page as Boilerpipe's ArticleExtractor does; every text has a reason."""
    built = build_blocks(document)
    content, reasons = decide(built.blocks, steps)
    kept = np.append(content, False)[built.places]
    reasons.append(PASSED_OVER)
    return Article(
        document=document,
        method="boilerpipe",
        nodes=built.nodes,
        kept=kept,
        scores=kept.astype(np.float32),
        reasons=tuple(reasons[place] for place in built.places.tolist()),
    )


def decide(blocks: Blocks, steps: Iterable[Step]) -> tuple[NDArray[np.bool_], list[str]]:
    """Tell for each block whether it is content, and the reason of the step that last decided about it."""
    known = [""]
    reasons, before = np.zeros(len(blocks), dtype=np.int64), blocks.chosen
    for step in steps:
        blocks = step.apply(blocks)
        if not (step.kept or step.left):
            continue
        after = blocks.chosen
        is_new = (before != after) | (reasons == 0)
        for verdict, reason in ((after, step.kept), (~after, step.left)):
            if reason:
                reasons[is_new & verdict] = len(known)
                known.append(reason)
        before = after
    return before, [known[reason] for reason in reasons.tolist()]


class _Tag(IntFlag):
    """Effects of the tags of an element."""

    SEPARATES_BLOCKS = 1
    SEPARATES_WORDS = 2
    IS_LEVEL = 4
    LINKS = 8
    IS_IGNORED = 16
    IS_HEADING = 32
    IS_ITEM = 64
    IS_BODY = 128


_BLOCK = _Tag.SEPARATES_BLOCKS | _Tag.IS_LEVEL
"""Effects of every tag that is not in the table."""
_EFFECTS = (
    {"a": _Tag.LINKS | _Tag.SEPARATES_WORDS | _Tag.IS_LEVEL, "body": _BLOCK | _Tag.IS_BODY, "li": _BLOCK | _Tag.IS_ITEM}
    | dict.fromkeys("abbr acronym".split(), _Tag.SEPARATES_WORDS)
    | dict.fromkeys("b code em font i span strike strong sub sup tt u var".split(), _Tag(0))
    | dict.fromkeys("applet embed link noscript object option script style".split(), _BLOCK | _Tag.IS_IGNORED)
    | dict.fromkeys("h1 h2 h3".split(), _BLOCK | _Tag.IS_HEADING)
)


class BlocksOfTexts(NamedTuple):
    """Blocks of a document, and the block of each of its texts."""

    blocks: Blocks
    nodes: NDArray[np.int32]
    """All visible texts that are not blank."""
    places: NDArray[np.int64]
    """For each text its block; -1 in an element that is ignored."""


class _Runs(NamedTuple):
    """Texts that neither a block nor a link divides."""

    texts: list[str]
    nodes: NDArray[np.int64]
    """First text of each."""
    are_first: NDArray[np.bool_]
    """Whether a block begins with it."""


def build_blocks(document: Document) -> BlocksOfTexts:
    """Divide a document into blocks, none of them content yet."""
    codes = [*(_EFFECTS.get(name, _BLOCK) for name in document.tag_names), 0]
    effects, ends = np.array(codes, dtype=np.int64)[document.tags], document.ends
    all_texts = np.flatnonzero(document.kinds == Kind.TEXT)
    texts = map(document.texts.__getitem__, all_texts.tolist())
    is_blank = np.array([not text or text.isspace() for text in texts], dtype=np.bool_)
    blanks, others = all_texts[is_blank], all_texts[~is_blank]
    nodes = others[~document.hidden[others]]
    ignored = _inside(_Tag.IS_IGNORED, effects, ends) | ~_inside(_Tag.IS_BODY, effects, ends)
    used = nodes[~ignored[nodes]]

    are_first = _changes(_count_tags((effects & _Tag.SEPARATES_BLOCKS) != 0, ends)[used])
    runs = _find_runs(document, used, are_first, blanks, effects)
    places = np.full(len(document), -1, dtype=np.int64)
    places[used] = np.cumsum(are_first) - 1
    return BlocksOfTexts(_measure(document, runs, effects), nodes.astype(np.int32), places[nodes])


def _find_runs(
    document: Document,
    nodes: NDArray[np.int64],
    are_first: NDArray[np.bool_],
    blanks: NDArray[np.int64],
    effects: NDArray[np.int64],
) -> _Runs:
    """Join texts to runs; some of them begin a block."""
    spaces = _count_tags((effects & _Tag.SEPARATES_WORDS) != 0, document.ends)[nodes] + np.searchsorted(blanks, nodes)
    pieces = [
        f" {document.texts[node]}" if is_separate else document.texts[node]
        for node, is_separate in zip(nodes.tolist(), _changes(spaces).tolist(), strict=True)
    ]
    links = _count_tags((effects & _Tag.LINKS) != 0, document.ends)[nodes]
    starts = np.flatnonzero(are_first | _changes(links))
    texts = ["".join(pieces[start:stop]) for start, stop in pairwise([*starts.tolist(), len(pieces)])]
    return _Runs(texts, nodes[starts], are_first[starts])


def _measure(document: Document, runs: _Runs, effects: NDArray[np.int64]) -> Blocks:
    """Count words, lines and links of the blocks of runs."""
    ends, firsts = document.ends, np.flatnonzero(runs.are_first)
    heads, offsets = runs.nodes[firsts], np.arange(len(firsts))
    words = find_words(runs.texts)
    blocks = (np.cumsum(runs.are_first) - 1)[words.places]  # of each word
    is_linked = _inside(_Tag.LINKS, effects, ends)[runs.nodes][words.places]
    lines = fill_lines(words.lengths, np.searchsorted(blocks, offsets), np.searchsorted(blocks, offsets, side="right"))
    is_heading, is_item = (_inside(tag, effects, ends)[heads] for tag in (_Tag.IS_HEADING, _Tag.IS_ITEM))
    is_level = (effects & _Tag.IS_LEVEL) != 0
    bounds = pairwise([*firsts.tolist(), len(runs.texts)])
    return Blocks(
        title=_title(document, ends),
        texts=tuple(" ".join(" ".join(runs.texts[start:stop]).split()) for start, stop in bounds),
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
    """Return the title of the page, the last where there are several."""
    titles = np.flatnonzero(document.has_tag(["title"]) & ~find_inside(ends, document.has_tag(["body"])))
    found = ("".join(document.texts[node : ends[node]]).strip() for node in reversed(titles.tolist()))
    return next(filter(None, found), "")


def _inside(tag: _Tag, effects: NDArray[np.int64], ends: NDArray[np.int32]) -> NDArray[np.bool_]:
    return find_inside(ends, (effects & tag) != 0)


def _count_tags(chosen: NDArray[np.bool_], ends: NDArray[np.int32]) -> NDArray[np.int64]:
    """Count for each node the start and end tags of chosen elements before it, its own included."""
    return np.cumsum(chosen) + _count_end_tags(chosen, ends)


def _count_end_tags(chosen: NDArray[np.bool_], ends: NDArray[np.int32]) -> NDArray[np.int64]:
    return np.cumsum(np.bincount(ends[chosen], minlength=len(chosen) + 1))[:-1]


def _changes(numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell for each number whether it differs from the one before; the first does."""
    return np.append(True, numbers[1:] != numbers[:-1])[: len(numbers)]


class _Character(IntEnum):
    """Kinds of characters by how they divide words: `don't` and `black/white` are one word, `black—white` is two."""

    SPACE = 0
    MARK = 1
    JOINING = 2
    """A mark that does not divide words."""
    UNDERSCORE = 3
    """Does not divide words either, but is not a word by itself."""
    LETTER = 4
    """Or digit."""


class Words(NamedTuple):
    """All words of some texts."""

    places: NDArray[np.int64]
    """For each word its text."""
    lengths: NDArray[np.int64]
    """Characters, with adjoining marks."""


def find_words(texts: list[str]) -> Words:
    """Find the words of texts.

    >>> find_words(["Don't (ever) mix", "black—white: ___ 42%"])
    Words(places=array([0, 0, 0, 1, 1, 1]), lengths=array([5, 6, 3, 5, 6, 2]))
    """
    all_characters = _classify_characters("\n" + "\n".join(texts))
    before, characters = all_characters[:-1], all_characters[1:]
    in_word, was_in_word = characters >= _Character.UNDERSCORE, before >= _Character.UNDERSCORE
    is_divided = (in_word & (before == _Character.MARK)) | (was_in_word & (characters == _Character.MARK))
    is_shown = characters != _Character.SPACE
    starts = np.flatnonzero(is_shown & ((before == _Character.SPACE) | is_divided))
    if not len(starts):
        return Words(starts, starts)
    is_word = np.maximum.reduceat(characters, starts) == _Character.LETTER
    lengths = np.add.reduceat(is_shown, starts, dtype=np.int64)
    stops = np.cumsum([len(text) + 1 for text in texts])
    return Words(np.searchsorted(stops, starts[is_word], side="right"), lengths[is_word])


def _classify_characters(text: str) -> NDArray[np.uint8]:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    kinds = _ASCII.take(codes, mode="clip")
    others = np.flatnonzero(codes >= len(_ASCII))
    distinct, places = np.unique(codes[others], return_inverse=True)
    kinds[others] = np.array([_classify_character(chr(code)) for code in distinct.tolist()], dtype=np.uint8)[places]
    return kinds


def _classify_character(character: str) -> _Character:
    if character.isspace():
        return _Character.SPACE
    if character in "\"'.,!@-:;$?()/":
        return _Character.JOINING
    if character == "_":
        return _Character.UNDERSCORE
    return _Character.LETTER if character.isalnum() else _Character.MARK


_ASCII = np.array([_classify_character(chr(code)) for code in range(128)], dtype=np.uint8)
_LINE = 80  # characters of a line, by which the paper counts text density


class Lines(NamedTuple):
    """Words in the full lines of texts, and the number of these lines."""

    words: NDArray[np.int64]
    counts: NDArray[np.int64]


def fill_lines(lengths: NDArray[np.int64], starts: NDArray[np.int64], stops: NDArray[np.int64]) -> Lines:
    """Fill lines with texts whose words are those from a start to before a stop.

    A text of less than a line counts as one line.

    >>> fill_lines(np.array([9] * 15), np.array([0, 12]), np.array([12, 15]))
    Lines(words=array([8, 3]), counts=array([1, 1]))
    """
    reach = np.concatenate([[0], np.cumsum(lengths + 1)])  # where each word begins, when all are on one line
    words, counts = stops - starts, np.ones_like(starts)
    reaches = reach[1:].tolist()
    for place in np.flatnonzero(reach[stops] - reach[starts] > _LINE + 1).tolist():
        first, stop = int(starts[place]), int(stops[place])
        broken = 0
        word = bisect_right(reaches, int(reach[first]) + _LINE + 1, first, stop)
        while word < stop:
            broken, first = broken + 1, word
            word = bisect_right(reaches, int(reach[word]) + _LINE + 1, word + 1, stop)
        words[place], counts[place] = first - int(starts[place]), broken
    return Lines(words, counts)
