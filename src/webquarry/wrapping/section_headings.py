"""Find the formats that start sections and the headings of a page, and name sections by their headings.

A name is the heading in snake case.  For headings that vary with the page there are patterns, with a word `*` that
means any words: the name of `Ingredients for *` is `ingredients_for_*`, and the section that it starts is
`ingredients_for`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from webquarry.page.looks import Look
from webquarry.page.text_runs import CAPITALS, COLON, EMPHASES, HEADINGS, RUN_IN, SEPARATOR
from webquarry.wrapping.heading_names import find_patterns, heading_name, matches, pattern_name
from webquarry.wrapping.section_samples import Format, Sample, SamplePiece

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


def find_heading_formats(pages: Sequence[Sample]) -> dict[Format, HeadingFormat]:
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
    return page.closeness.depth_around(before, here) > page.closeness.depth_around(here, after)
