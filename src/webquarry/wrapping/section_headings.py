"""Which formats start sections."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from webquarry.model.names import snake_case
from webquarry.page.looks import Look
from webquarry.page.text_runs import CAPITALS, COLON, EMPHASES, HEADINGS, RUN_IN, SEPARATOR
from webquarry.wrapping.sample_pages import Format, Sample

# MERGED wrapping/lines: How the formats of a page stand in its lines.
FEWEST_LABELS = 3
"""Of a signature whose lines begin with labels."""


class Lines:
    """The lines of a page, each looked at once."""

    def __init__(self, page: Sample) -> None:
        lines = [piece.line for piece in page.pieces]
        self.starts = [number == 0 or line != lines[number - 1] for number, line in enumerate(lines)]
        """For each piece whether it is the first of its line."""
        self._firsts = Counter(
            piece.signature for piece, starts in zip(page.pieces, self.starts, strict=True) if starts
        )
        sizes = Counter(lines)
        self._pieces = Counter(page.formats)
        self._alone = Counter(format_ for format_, line in zip(page.formats, lines, strict=True) if sizes[line] == 1)

    def are_labelled(self, signature: str) -> bool:
        """Whether most lines of a label's signature begin with a label."""
        labels = self._firsts[signature]
        return labels >= FEWEST_LABELS and labels >= self._firsts[signature.removesuffix(RUN_IN)]

    def share_alone(self, format_: Format) -> float:
        """The share of the pieces of a format that have lines of their own."""
        return self._alone[format_] / self._pieces[format_]


# MERGED wrapping/names: Headings as names.
_COUNT = re.compile(r"\s*\(\d+\)$")
_NUMBER = re.compile(r"^\s*(?:\d+(?:\.\d+)*[.)]|\(?[ivxIVX]+[.)]|[A-Z][.)])\s+")
_ENDS = " \t\xa0:;,.-–—|»›>*#•·"  # noqa: RUF001 - dashes and arrows of all kinds


@lru_cache(maxsize=65536)
def plain_heading(text: str) -> str:
    """The heading without what merely ends it, and without its number.

    >>> plain_heading("Geography ::"), plain_heading("Area:"), plain_heading("6. Mapping")
    ('Geography', 'Area', 'Mapping')
    """
    return _NUMBER.sub("", text).strip(_ENDS) or text.strip()


@lru_cache(maxsize=65536)
def heading_name(text: str) -> str:
    """The name of the section that a heading starts; a count behind it does not make it another.

    >>> heading_name("Border countries (8):")
    'border_countries'
    """
    return snake_case(_COUNT.sub("", plain_heading(text)))


RECURS_ON = 0.4
"""Share of the sample pages on which a heading of the template stands; more than one page has it."""
MOSTLY_HEADINGS = 0.7
"""Share of the pieces of a format that recur; below it only those that recur are headings."""
MOSTLY_ON = 0.6
"""Share of the pages on which a label stands that nothing but its colon tells from running text."""
NEARLY_ALL = 0.9
FEWEST_NAMES = 3
"""Of a format that does not stand out and whose texts nearly all recur."""
LONGEST_HEADING = 12
"""Words."""
FIRST_OF_TWO = ":1/2"
"""The mark of the first cell of a row of two, where labels stand."""
_LABEL_TAGS = HEADINGS | {"label"}
_EMPHASISING = EMPHASES | HEADINGS
_AFTER_TAG = re.compile(r"[.\[: ]")


@dataclass(frozen=True)
class Heading:
    """A format that starts sections."""

    format: Format
    names: frozenset[str] | None
    """The headings of it, when other pieces look the same; None when all are headings."""
    recurring: frozenset[str] = frozenset()
    """Those that the template gives, where several pages tell."""
    is_inline: bool = False
    """Whether they may stand within a line: labels that recur over the pages."""

    def takes(self, text: str) -> bool:
        """Whether a text of the format is a heading."""
        return self.names is None or heading_name(text) in self.names


def find_headings(pages: Sequence[Sample]) -> dict[Format, Heading]:
    """The formats that start sections, told by how they stand out and by how their texts recur over the pages."""
    body = _body_look(pages)
    lines = [Lines(page) for page in pages]
    found: dict[Format, Heading] = {}
    labels: dict[Format, _Uses] = {}
    for format_, uses in _gather(pages, lines).items():
        is_marked = stands_out(format_, body)
        if len(pages) == 1:
            is_heading = is_marked and uses.unfit <= uses.names.total() and stand_alone(format_, lines[0])
            heading = Heading(format_, None) if is_heading else None
        elif format_.signature.endswith(RUN_IN) and not _is_told(format_.signature, lines):
            labels[format_] = uses
            continue
        else:
            heading = _by_recurrence(format_, uses, len(pages), is_marked=is_marked)
        if heading is not None:
            found[format_] = replace(heading, is_inline=len(pages) > 1 and format_.signature.endswith(COLON))
    return found | _find_plain_labels(labels, found, len(pages))


@dataclass(slots=True)
class _Uses:
    """The pieces of a format that stand where headings may."""

    names: Counter[str] = field(default_factory=Counter)
    """What they are called, those that may be headings."""
    pages: defaultdict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    """For each name the numbers of the pages that have it."""
    unfit: int = 0
    """How many are too long, or have no letter."""

    def recurring(self, least: float) -> frozenset[str]:
        """The names that so many pages have, and more than one."""
        return frozenset(name for name, on in self.pages.items() if len(on) >= least and self.names[name] > 1)


def _gather(pages: Sequence[Sample], lines: Sequence[Lines]) -> dict[Format, _Uses]:
    is_single = len(pages) == 1
    is_letter = str.isalnum if is_single else str.isalpha  # on a page that holds all, years may be headings
    uses: defaultdict[Format, _Uses] = defaultdict(_Uses)
    for number, page in enumerate(pages):
        for piece, format_, starts in zip(page.pieces, page.formats, lines[number].starts, strict=True):
            if piece.cell is not None or not (starts or (format_.signature.endswith(COLON) and not is_single)):
                continue
            if len(piece.text.split()) > LONGEST_HEADING or not any(map(is_letter, piece.text)):
                uses[format_].unfit += 1
                continue
            name = heading_name(piece.text)
            uses[format_].names[name] += 1
            uses[format_].pages[name].add(number)
    return uses


def _by_recurrence(format_: Format, uses: _Uses, pages: int, *, is_marked: bool) -> Heading | None:
    """The format with those of its names that the template gives, told by the share of the pages that have them."""
    recurring = uses.recurring(RECURS_ON * pages)
    if not recurring:
        return None
    share = sum(uses.names[name] for name in recurring) / (uses.names.total() + uses.unfit)
    if not is_marked:
        is_named = "." in format_.signature and len(recurring) >= FEWEST_NAMES
        return Heading(format_, None, recurring) if is_named and share >= NEARLY_ALL else None
    return Heading(format_, None if share >= MOSTLY_HEADINGS else recurring, recurring)


def _find_plain_labels(
    labels: Mapping[Format, _Uses], found: Mapping[Format, Heading], pages: int
) -> dict[Format, Heading]:
    """Labels that nothing but a colon tells from running text: those on most pages, and those that are headings
    elsewhere."""
    known = frozenset(name for heading in found.values() for name in heading.recurring)
    headings = {}
    for format_, uses in labels.items():
        names = uses.recurring(MOSTLY_ON * pages) | (uses.recurring(RECURS_ON * pages) & known)
        if names:
            headings[format_] = Heading(format_, names, names)
    return headings


def stand_alone(format_: Format, lines: Lines) -> bool:
    """Whether headings of a format on a single page have lines of their own, or are labels.

    What begins a line without a colon, and is not bold, is a title or a name in running text; so is a link.
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
    return lines.share_alone(format_) >= MOSTLY_HEADINGS


def _is_told(signature: str, lines: Sequence[Lines]) -> bool:
    """Whether more than a colon tells labels from the text that follows them in their line."""
    return is_emphasised(signature) or all(each.are_labelled(signature) for each in lines)


def stands_out(format_: Format, body: Look) -> bool:
    """Whether a format differs from running text as headings do."""
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
    return differs and not is_link(signature)  # links are coloured and underlined wherever they stand


def is_emphasised(signature: str) -> bool:
    """Whether tags of a signature say that its text is a heading, or more than plain text."""
    return not _tags(signature).isdisjoint(_EMPHASISING)


def is_link(signature: str) -> bool:
    """Whether text of a signature is a link, or part of one."""
    return "a" in _tags(signature)


def _tags(signature: str) -> set[str]:
    return {_AFTER_TAG.split(step, maxsplit=1)[0] for step in signature.split(SEPARATOR)}


def _body_look(pages: Sequence[Sample]) -> Look:
    """The look of most characters of running text: of what is no label, no emphasis and no link, where there is any."""
    characters: Counter[Look] = Counter()
    others: Counter[Look] = Counter()
    for page in pages:
        for piece, format_ in zip(page.pieces, page.formats, strict=True):
            signature = format_.signature
            is_other = is_link(signature) or is_emphasised(signature) or signature.endswith((COLON, RUN_IN))
            (others if is_other else characters)[format_.look] += len(piece.text)
    characters = characters or others
    return characters.most_common(1)[0][0] if characters else Look()


# MERGED wrapping/tokens: The headings of sample pages, in their order.
@dataclass(frozen=True)
class Mark:
    """A heading on a page, and the pieces that follow it up to the next."""

    piece: int
    name: str
    format: Format
    indent: float
    following: tuple[int, ...]
    is_bound_back: bool = False
    """Whether it stands together with what is before it rather than with what comes after."""


def find_marks(
    page: Sample, headings: Mapping[Format, Heading], ignored: Collection[str] = (), other: Collection[str] = ()
) -> list[Mark]:
    """The headings of a page, without those of `other` names.

    A heading begins a line, or follows another, or is of a format that may stand within lines.  A name of `other`
    and what follows it in its line are passed over.
    """
    kept = [number for number, piece in enumerate(page.pieces) if piece.signature not in ignored]
    starts: list[int] = []
    bodies: list[list[int]] = []
    last_line, after_heading, passed_line = -1, False, -1
    for place, number in enumerate(kept):
        piece, format_ = page.pieces[number], page.formats[number]
        begins = piece.line != last_line
        last_line = piece.line
        heading = headings.get(format_)
        is_heading = (
            heading is not None
            and piece.cell is None
            and (begins or after_heading or heading.is_inline)
            and heading.takes(piece.text)
        )
        if is_heading and other and heading_name(piece.text) in other:
            passed_line = piece.line
        if piece.line == passed_line:
            after_heading = False
        elif is_heading:
            starts.append(place)
            bodies.append([])
            after_heading = True
        else:
            if bodies:
                bodies[-1].append(number)
            after_heading = False
    return [_mark(page, kept, place, body) for place, body in zip(starts, bodies, strict=True)]


def _mark(page: Sample, kept: Sequence[int], place: int, body: Sequence[int]) -> Mark:
    number = kept[place]
    is_bound_back = False
    if not body and 0 < place < len(kept) - 1:
        before, here, after = (page.pieces[kept[place + step]].element for step in (-1, 0, 1))
        is_bound_back = page.groups.closeness(before, here) > page.groups.closeness(here, after)
    name = heading_name(page.pieces[number].text)
    return Mark(number, name, page.formats[number], page.indents[number], tuple(body), is_bound_back)


def text_of(page: Sample, numbers: Collection[int]) -> str:
    """The text of some pieces."""
    return " ".join(page.pieces[number].text for number in numbers)
