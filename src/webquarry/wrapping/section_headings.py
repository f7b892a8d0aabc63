"""Find the formats that start sections and the headings of a page, and name sections by their headings.

A name is the heading in snake case.  For headings that vary with the page there are patterns, with a word `*` that
means any words: the name of `Ingredients for *` is `ingredients_for_*`, and the section that it starts is
`ingredients_for`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, TypeVar

from webquarry.model.names import snake_case
from webquarry.page.looks import Look
from webquarry.page.text_runs import CAPITALS, COLON, EMPHASES, HEADINGS, RUN_IN, SEPARATOR
from webquarry.wrapping.section_samples import Format, Sample, SamplePiece

STAR = "*"
MIN_SHARE_OF_PAGES_WITH_PATTERN = 0.6
"""Share of the sample pages that have a heading of a pattern, as for labels that only a colon shows."""
MIN_PAGES_WITH_PATTERN = 3
"""Sample pages with a heading of a pattern whose other words are not in any other text of their page; else two."""
MIN_WORDS_OF_PATTERN = 2
"""Words of a pattern beside the star, unless the other words are in another text of their page; else one."""
_COUNT = re.compile(r"\s*\(\d+\)$")
_NUMBER = re.compile(r"^\s*(?:\d+(?:\.\d+)*[.)]|\(?[ivxIVX]+[.)]|[A-Z][.)])\s+")
_ENDS = " \t\xa0:;,.-–—|»›>*#•·"  # noqa: RUF001 - dashes and arrows of all kinds

T = TypeVar("T")
Words = tuple[str, ...]


@lru_cache(maxsize=65536)
def plain_heading(text: str) -> str:
    """Strip a heading of its number and of the marks that end it.

    >>> plain_heading("Geography ::"), plain_heading("Area:"), plain_heading("6. Mapping")
    ('Geography', 'Area', 'Mapping')
    """
    return _NUMBER.sub("", text).strip(_ENDS) or text.strip()


@lru_cache(maxsize=65536)
def heading_name(text: str) -> str:
    """Name the section that a heading starts; a count behind the heading is left out.

    >>> heading_name("Border countries (8):"), heading_name("Ingredients for *")
    ('border_countries', 'ingredients_for')
    """
    return snake_case(_COUNT.sub("", plain_heading(text)))


def is_pattern(heading: str) -> bool:
    """Tell whether a heading is a pattern: others may have any words at its star.

    >>> [is_pattern(heading) for heading in ("Ingredients for *", "Price*", "*")]
    [True, False, False]
    """
    words = heading.split()
    return words.count(STAR) == 1 and any(map(_has_letter, words))


def pattern_name(heading: str) -> str:
    """Name a heading, or a pattern with its star.

    >>> pattern_name("Ingredients for *"), pattern_name("* reviews"), pattern_name("Area:")
    ('ingredients_for_*', '*_reviews', 'area')
    """
    if not is_pattern(heading):
        return heading_name(heading)
    before, after = re.split(r"(?:^|\s)\*(?:\s|$)", f" {heading} ", maxsplit=1)
    return "_".join([*_names(before), STAR, *_names(after)])


def _names(part: str) -> list[str]:
    return [snake_case(plain_heading(part))] if _has_letter(part) else []


def _has_letter(word: str) -> bool:
    return any(map(str.isalnum, word))


def matches(pattern: str, name: str) -> bool:
    """Tell whether a name is the one given, or fits its pattern.

    >>> [matches("ingredients_for_*", name) for name in ("ingredients_for_soup", "ingredients_for", "soup")]
    [True, False, False]
    """
    if STAR not in pattern or name == pattern:
        return name == pattern
    before, _, after = pattern.partition(STAR)
    return len(name) > len(before) + len(after) and name.startswith(before) and name.endswith(after)


class PatternMap(dict[str, T]):
    """Values by the names of headings, some of which are patterns; an exact name counts first."""

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a name or of a pattern that it fits."""
        found = super().get(name)
        if found is None:
            return next((value for pattern, value in self.items() if matches(pattern, name)), default)
        return found

    def __contains__(self, name: object) -> bool:
        """Tell whether a name or a pattern that it fits has a value."""
        return super().__contains__(name) or any(matches(pattern, str(name)) for pattern in self)


def map_names(pairs: Iterable[tuple[str, T]]) -> dict[str, T]:
    """Map the names and patterns of headings to values; of equal names the first counts."""
    found: dict[str, T] = {}
    for name, value in pairs:
        found.setdefault(name, value)
    return PatternMap(found) if any(STAR in name for name in found) else found


def collect_names(names: Iterable[str]) -> Collection[str]:
    """Collect the names and patterns of headings."""
    return map_names((name, True) for name in names)


def spell_pattern(heading: str) -> str:
    """Write a heading without the star of a pattern.

    >>> spell_pattern("Ingredients for *"), spell_pattern("Area:")
    ('Ingredients for', 'Area:')
    """
    return " ".join(word for word in heading.split() if word != STAR) if is_pattern(heading) else heading


def find_patterns(headings: Mapping[str, set[int]], texts: Sequence[Mapping[str, int]]) -> list[str]:
    """Find patterns among headings of one format: `Ingredients for *` of `Ingredients for soup`.

    `headings` are texts with the numbers of their sample pages, `texts` the names of each page's short texts with their
    counts.  A pattern has one heading on each of most pages, and no two pages have the same.  Words of the page's own,
    which another of its texts has too, need fewer pages and fewer other words.
    """
    found: dict[tuple[Words, Words], list[tuple[int, Words, str]]] = defaultdict(list)
    for heading, pages in headings.items():
        words = tuple(plain_heading(heading).split())
        if len(pages) > 1 or len(words) < MIN_WORDS_OF_PATTERN:
            continue
        folded = tuple(word.casefold() for word in words)
        for start in range(len(words)):
            for end in range(start + 1, len(words) + 1):
                if end - start < len(words):
                    found[folded[:start], folded[end:]].append((min(pages), words[start:end], heading))
    taken: set[str] = set()
    patterns = []
    for (before, after), uses in sorted(found.items(), key=lambda item: -len(item[0][0]) - len(item[0][1])):
        free = [(page, filling, heading) for page, filling, heading in uses if heading not in taken]
        if _is_shared(before + after, free, texts):
            taken |= {heading for _, _, heading in free}
            written = plain_heading(free[0][2]).split()
            patterns.append(" ".join([*written[: len(before)], STAR, *written[len(written) - len(after) :]]))
    return patterns


def _is_shared(fixed: Words, uses: Sequence[tuple[int, Words, str]], texts: Sequence[Mapping[str, int]]) -> bool:
    """Tell whether headings of most pages, one on each, have these words in common."""
    pages = Counter(page for page, _, _ in uses)
    if len(pages) < 2 or len(pages) < MIN_SHARE_OF_PAGES_WITH_PATTERN * len(texts) or max(pages.values()) > 1:
        return False
    fillings = {filling for _, filling, _ in uses}
    if len(fillings) < len(uses) or not all(any(map(str.isalpha, filling[0])) for filling in fillings):
        return False  # the same heading, or one that begins with a number and is a value
    if not any(map(_has_letter, fixed)) or any(word.endswith(":") for word in fixed):
        return False  # a label with its value
    if all(texts[page].get(snake_case(" ".join(filling))) for page, filling, _ in uses):
        return True
    return len(pages) >= MIN_PAGES_WITH_PATTERN and len(fixed) >= MIN_WORDS_OF_PATTERN


MIN_SHARE_OF_PAGES_WITH_HEADING = 0.4
"""Share of the sample pages that have a heading of the template; more than one page has it."""
MIN_SHARE_LIKE_HEADINGS = 0.7
"""Share of the pieces of a format that recur, or are alone on their line; with less, only those that recur are
headings."""
MIN_SHARE_OF_PAGES_WITH_LABEL = 0.6
"""Share of the pages that have a label which only its colon separates from running text."""
MIN_SHARE_RECURRING_UNMARKED = 0.9
"""Share of the texts that recur, in a format that does not stand out."""
MIN_NAMES_UNMARKED = 3
"""Recurring names of a format that does not stand out."""
MAX_HEADING_WORDS = 12
MIN_LABELS = 3
"""Lines of a signature that begin with a label."""
FIRST_OF_TWO = ":1/2"
"""Marks the first cell of a row of two, where labels are."""
_LABEL_TAGS = HEADINGS | {"label"}
_EMPHASISING = EMPHASES | HEADINGS
_AFTER_TAG = re.compile(r"[.\[: ]")


@dataclass(frozen=True)
class HeadingFormat:
    """A format that starts sections."""

    format: Format
    names: frozenset[str] | None
    """The headings of the format, where other pieces look the same; None if all are headings."""
    recurring: frozenset[str] = frozenset()
    """The headings that the template gives; known only from several pages."""
    is_inline: bool = False
    """Whether they may be within a line: labels that recur over the pages."""
    patterns: tuple[str, ...] = ()
    """Headings that vary with the page, such as `Ingredients for *`."""

    def takes(self, text: str) -> bool:
        """Tell whether a text of the format is a heading."""
        if self.names is None or heading_name(text) in self.names:
            return True
        return any(pattern_name(each) in self.names for each in self.patterns if _fits(each, text))

    def name(self, text: str) -> str:
        """Name the section that a text of the format starts."""
        return next((heading_name(each) for each in self.patterns if _fits(each, text)), heading_name(text))


HeadingFormats = Mapping[Format, HeadingFormat]


def _fits(pattern: str, text: str) -> bool:
    return matches(pattern_name(pattern), heading_name(text))


def find_headings(pages: Sequence[Sample]) -> dict[Format, HeadingFormat]:
    """Find the formats that start sections, by how they stand out and how their texts recur over the pages."""
    body = _body_look(pages)
    lines = [Lines(page) for page in pages]
    texts = [Counter(heading_name(piece.text) for piece in page.pieces if _is_short(piece.text)) for page in pages]
    found: dict[Format, HeadingFormat] = {}
    labels: dict[Format, _Uses] = {}
    for format_, uses in _gather(pages, lines).items():
        is_marked = stands_out(format_, body)
        if len(pages) == 1:
            is_heading = is_marked and uses.unfit <= uses.names.total() and stand_alone(format_, lines[0])
            heading = HeadingFormat(format_, None) if is_heading else None
        elif format_.signature.endswith(RUN_IN) and not (
            is_emphasised(format_.signature) or all(each.are_labelled(format_.signature) for each in lines)
        ):  # only a colon separates such labels from running text
            labels[format_] = uses
            continue
        else:
            if is_marked:
                uses.join_patterns(texts)
            heading = _by_recurrence(format_, uses, len(pages), is_marked=is_marked)
        if heading is not None:
            found[format_] = replace(heading, is_inline=len(pages) > 1 and format_.signature.endswith(COLON))
    return found | _find_plain_labels(labels, found, len(pages))


@dataclass(slots=True)
class _Uses:
    """The pieces of a format at places where headings may be."""

    names: Counter[str] = field(default_factory=Counter)
    """Counts of those that may be headings."""
    pages: defaultdict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    """The pages with each name, by number."""
    unfit: int = 0
    """Count of those that are too long, or have no letter."""
    texts: defaultdict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    """The pages with each text."""
    patterns: tuple[str, ...] = ()
    """Headings that vary with the page; their names count as one, with a star."""

    def join_patterns(self, pages: Sequence[Mapping[str, int]]) -> None:
        """Count the headings of a pattern as one name; `pages` are the names of each page's short texts."""
        self.patterns = tuple(find_patterns(self.texts, pages))
        for pattern in map(pattern_name, self.patterns):
            for name in [name for name in self.names if matches(pattern, name)]:
                self.names[pattern] += self.names.pop(name)
                self.pages[pattern] |= self.pages.pop(name)

    def recurring(self, least: float) -> frozenset[str]:
        """List the names that enough pages have, and more than one."""
        return frozenset(name for name, on in self.pages.items() if len(on) >= least and self.names[name] > 1)


def _gather(pages: Sequence[Sample], lines: Sequence[Lines]) -> dict[Format, _Uses]:
    is_single = len(pages) == 1
    is_letter = str.isalnum if is_single else str.isalpha  # on a page with a whole source, years may be headings
    uses: defaultdict[Format, _Uses] = defaultdict(_Uses)
    for number, page in enumerate(pages):
        for piece, starts in zip(page.pieces, lines[number].starts, strict=True):
            if piece.cell is not None or not (starts or (piece.signature.endswith(COLON) and not is_single)):
                continue
            found = uses[piece.format]
            if not _is_short(piece.text) or not any(map(is_letter, piece.text)):
                found.unfit += 1
                continue
            name = heading_name(piece.text)
            found.names[name] += 1
            found.pages[name].add(number)
            found.texts[piece.text].add(number)
    return uses


def _is_short(text: str) -> bool:
    return len(text.split()) <= MAX_HEADING_WORDS


def _by_recurrence(format_: Format, uses: _Uses, pages: int, *, is_marked: bool) -> HeadingFormat | None:
    """Take the names of a format that the template gives, by the share of pages that have them."""
    recurring = uses.recurring(MIN_SHARE_OF_PAGES_WITH_HEADING * pages)
    if not recurring:
        return None
    share = sum(uses.names[name] for name in recurring) / (uses.names.total() + uses.unfit)
    if not is_marked:
        is_named = "." in format_.signature and len(recurring) >= MIN_NAMES_UNMARKED
        is_heading = is_named and share >= MIN_SHARE_RECURRING_UNMARKED
        return HeadingFormat(format_, None, recurring, patterns=uses.patterns) if is_heading else None
    names = None if share >= MIN_SHARE_LIKE_HEADINGS else recurring
    return HeadingFormat(format_, names, recurring, patterns=uses.patterns)


def _find_plain_labels(
    labels: Mapping[Format, _Uses], found: HeadingFormats, pages: int
) -> dict[Format, HeadingFormat]:
    """Find labels that only a colon separates from running text: on most pages, or headings elsewhere."""
    known = frozenset(name for heading in found.values() for name in heading.recurring)
    headings = {}
    for format_, uses in labels.items():
        names = uses.recurring(MIN_SHARE_OF_PAGES_WITH_LABEL * pages) | (
            uses.recurring(MIN_SHARE_OF_PAGES_WITH_HEADING * pages) & known
        )
        if names:
            headings[format_] = HeadingFormat(format_, names, names)
    return headings


def stand_alone(format_: Format, lines: Lines) -> bool:
    """Tell whether headings of a format on a single page have lines of their own, or are labels.

    A text that begins a line without a colon, and is not bold, is a title or a name in running text; so is a link.
    """
    signature = format_.signature
    if signature.endswith(COLON):
        return True
    if signature.endswith(RUN_IN):
        return lines.are_labelled(signature)
    if format_.look.is_bold and "> a" not in signature:
        return True
    if not is_emphasised(signature) and FIRST_OF_TWO in signature:
        return False
    return lines.share_alone(format_) >= MIN_SHARE_LIKE_HEADINGS


def stands_out(format_: Format, body: Look) -> bool:
    """Tell whether a format differs from running text as headings do."""
    signature, look = format_.signature, format_.look
    if (
        signature.endswith((COLON, RUN_IN, CAPITALS))
        or FIRST_OF_TWO in signature
        or not _tags(signature).isdisjoint(_LABEL_TAGS)
    ):
        return True
    if look.size > body.size or (look.is_bold and not body.is_bold) or (look.is_italic and not body.is_italic):
        return True
    differs = (look.is_underlined and not body.is_underlined) or look.colour != body.colour
    return differs and not is_link(signature)  # links are coloured and underlined everywhere


def is_emphasised(signature: str) -> bool:
    """Tell whether the tags of a signature mark headings or emphasis."""
    return not _tags(signature).isdisjoint(_EMPHASISING)


def is_link(signature: str) -> bool:
    """Tell whether text of a signature is a link, or part of one."""
    return "a" in _tags(signature)


def _tags(signature: str) -> set[str]:
    return {_AFTER_TAG.split(step, maxsplit=1)[0] for step in signature.split(SEPARATOR)}


def _body_look(pages: Sequence[Sample]) -> Look:
    """Find the look of most running text: without labels, emphasis and links, if there is other text."""
    characters: Counter[Look] = Counter()
    others: Counter[Look] = Counter()
    for page in pages:
        for piece in page.pieces:
            signature = piece.signature
            is_other = is_link(signature) or is_emphasised(signature) or signature.endswith((COLON, RUN_IN))
            (others if is_other else characters)[piece.format.look] += len(piece.text)
    characters = characters or others
    return characters.most_common(1)[0][0] if characters else Look()


class Lines:
    """The lines of a page."""

    def __init__(self, page: Sample) -> None:
        lines = [piece.line for piece in page.pieces]
        self.starts = [number == 0 or line != lines[number - 1] for number, line in enumerate(lines)]
        """For each piece whether it is the first of its line."""
        self._firsts = Counter(
            piece.signature for piece, starts in zip(page.pieces, self.starts, strict=True) if starts
        )
        sizes = Counter(lines)
        self._pieces = Counter(piece.format for piece in page.pieces)
        self._alone = Counter(piece.format for piece in page.pieces if sizes[piece.line] == 1)

    def are_labelled(self, signature: str) -> bool:
        """Tell whether most lines of a label's signature begin with a label."""
        labels = self._firsts[signature]
        return labels >= MIN_LABELS and labels >= self._firsts[signature.removesuffix(RUN_IN)]

    def share_alone(self, format_: Format) -> float:
        """Return the share of a format's pieces that are alone on their line."""
        return self._alone[format_] / self._pieces[format_]


@dataclass(frozen=True)
class Mark:
    """A heading on a sample page, and the pieces that follow it up to the next."""

    piece: SamplePiece
    name: str
    following: list[SamplePiece] = field(default_factory=list)
    is_bound_back: bool = False
    """Whether it is closer in the tree to what is before it than to what comes after."""

    @property
    def format(self) -> Format:
        """The format of the heading."""
        return self.piece.format

    @property
    def text(self) -> str:
        """The text that follows it."""
        return " ".join(piece.text for piece in self.following)


def find_marks(
    page: Sample,
    headings: HeadingFormats,
    ignored: Collection[str] = (),
    other: Collection[str] = (),
) -> list[Mark]:
    """Find the headings of a page, without those of `other` names.

    A heading begins a line, or follows another, or has a format that may be within lines.  A name of `other` is
    skipped with the rest of its line.
    """
    kept = [piece for piece in page.pieces if piece.signature not in ignored]
    marks: list[tuple[int, Mark]] = []
    last_line, after_heading, passed_line = -1, False, -1
    for place, piece in enumerate(kept):
        begins = piece.line != last_line
        last_line = piece.line
        heading = headings.get(piece.format)
        is_heading = (
            heading is not None
            and piece.cell is None
            and (begins or after_heading or heading.is_inline)
            and heading.takes(piece.text)
        )
        if is_heading and other and heading_name(piece.text) in other:
            passed_line = piece.line
        after_heading = is_heading and piece.line != passed_line
        if piece.line == passed_line:
            continue
        if heading is not None and is_heading:
            marks.append((place, Mark(piece, heading.name(piece.text))))
        elif marks:
            marks[-1][1].following.append(piece)
    return [replace(mark, is_bound_back=_is_bound_back(page, kept, place, mark)) for place, mark in marks]


def _is_bound_back(page: Sample, kept: Sequence[SamplePiece], place: int, mark: Mark) -> bool:
    """Tell whether a heading without a text is closer in the tree to what is before it than to what comes after."""
    if mark.following or not 0 < place < len(kept) - 1:
        return False
    before, here, after = (piece.element for piece in kept[place - 1 : place + 2])
    return page.groups.closeness(before, here) > page.groups.closeness(here, after)
