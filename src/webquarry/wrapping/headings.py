"""Which formats start sections."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from webquarry.formats.elements import EMPHASES, HEADINGS, SEPARATOR
from webquarry.formats.looks import Look
from webquarry.formats.pieces import CAPITALS, COLON, RUN_IN
from webquarry.wrapping.names import heading_name
from webquarry.wrapping.samples import Format, Sample

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
_LABEL_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6", "dt", "th", "caption", "legend", "summary", "label")


@dataclass(frozen=True)
class Heading:
    """A format that starts sections."""

    format: Format
    names: frozenset[str] | None
    """The headings of it, when other pieces look the same; None when all are headings."""
    is_inline: bool = False
    """Whether they may stand within a line: labels that recur over the pages."""

    def takes(self, text: str) -> bool:
        """Whether a text of the format is a heading."""
        return self.names is None or heading_name(text) in self.names


def find_headings(pages: Sequence[Sample]) -> dict[Format, Heading]:
    """The formats that start sections, told by how they stand out and by how their texts recur over the pages."""
    body = _body_look(pages)
    is_letter = str.isalpha if len(pages) > 1 else str.isalnum
    names_of: dict[Format, Counter[str]] = defaultdict(Counter)
    pages_of: dict[tuple[Format, str], set[int]] = defaultdict(set)
    unfit: Counter[Format] = Counter()
    for number, page in enumerate(pages):
        for piece, format_, starts in zip(page.pieces, page.formats, line_starts(page), strict=True):
            if piece.cell is not None or not (starts or (format_.signature.endswith(COLON) and len(pages) > 1)):
                continue
            if len(piece.text.split()) > LONGEST_HEADING or not any(map(is_letter, piece.text)):
                unfit[format_] += 1
                continue
            name = heading_name(piece.text)
            names_of[format_][name] += 1
            pages_of[format_, name].add(number)
    found = {}
    for format_, names in names_of.items():
        is_marked = stands_out(format_, body)
        if len(pages) == 1:
            is_heading = is_marked and unfit[format_] <= names.total() and stand_alone(format_, pages[0])
            heading = Heading(format_, None) if is_heading else None
        else:
            spread = {name: len(pages_of[format_, name]) / len(pages) for name in names}
            is_label = format_.signature.endswith(RUN_IN) and not _is_told(format_.signature, pages)
            heading = _by_recurrence(format_, names, spread, unfit[format_], is_marked=is_marked, is_label=is_label)
        if heading is not None:
            found[format_] = replace(heading, is_inline=len(pages) > 1 and format_.signature.endswith(COLON))
    return found


def _by_recurrence(
    format_: Format, names: Counter[str], spread: Mapping[str, float], unfit: int, *, is_marked: bool, is_label: bool
) -> Heading | None:
    """The format with those of its names that the template gives, told by the share of the pages that have them."""
    least = MOSTLY_ON if is_label else RECURS_ON
    total = names.total() + unfit
    recurring = frozenset(name for name, share in spread.items() if share >= least and names[name] > 1)
    share = sum(names[name] for name in recurring) / total
    if not recurring:
        return None
    if not is_marked:
        is_named = "." in format_.signature and len(recurring) >= FEWEST_NAMES
        return Heading(format_, None) if is_named and share >= NEARLY_ALL else None
    is_open = share >= MOSTLY_HEADINGS and not is_label
    return Heading(format_, None if is_open else recurring)


def stand_alone(format_: Format, page: Sample) -> bool:
    """Whether headings of a format on a single page have lines of their own, or are labels.

    What begins a line without a colon, and is not bold, is a title or a name in running text; so is a link.
    """
    signature = format_.signature
    if signature.endswith(COLON):
        return True
    if signature.endswith(RUN_IN):
        return _is_labelled(signature, page)
    if format_.look.is_bold and "> a" not in signature:
        return True
    if not is_emphasised(signature) and ":1/2" in signature:
        return False
    sizes = Counter(piece.line for piece in page.pieces)
    own = [sizes[piece.line] == 1 for piece, each in zip(page.pieces, page.formats, strict=True) if each == format_]
    return sum(own) >= MOSTLY_HEADINGS * len(own)


def _is_told(signature: str, pages: Sequence[Sample]) -> bool:
    """Whether more than a colon tells labels from the text that follows them in their line."""
    return is_emphasised(signature) or all(_is_labelled(signature, page) for page in pages)


def _is_labelled(signature: str, page: Sample) -> bool:
    """Whether most lines of a signature begin with a label."""
    plain = signature.removesuffix(RUN_IN)
    firsts = [piece.signature for piece, starts in zip(page.pieces, line_starts(page), strict=True) if starts]
    labels = firsts.count(signature)
    return labels >= FEWEST_NAMES and labels >= firsts.count(plain)


def line_starts(page: Sample) -> list[bool]:
    """For each piece whether it is the first of its line."""
    lines = [piece.line for piece in page.pieces]
    return [number == 0 or line != lines[number - 1] for number, line in enumerate(lines)]


def stands_out(format_: Format, body: Look) -> bool:
    """Whether a format differs from running text as headings do."""
    signature, look = format_.signature, format_.look
    if signature.endswith((COLON, RUN_IN, CAPITALS)) or ":1/2" in signature:
        return True
    if not _tags(signature).isdisjoint(_LABEL_TAGS):
        return True
    return (
        look.size > body.size
        or (look.is_bold and not body.is_bold)
        or (look.is_italic and not body.is_italic)
        or (look.is_underlined and not body.is_underlined)
        or (look.colour != body.colour and " a" not in signature)
    )


def is_emphasised(signature: str) -> bool:
    """Whether tags of a signature say that its text is a heading, or more than plain text."""
    return not _tags(signature).isdisjoint(EMPHASES | HEADINGS)


def _tags(signature: str) -> set[str]:
    return {step.split(".")[0].split("[")[0].split(":")[0].split(" ")[0] for step in signature.split(SEPARATOR)}


def _body_look(pages: Sequence[Sample]) -> Look:
    """The look of most characters."""
    characters: Counter[Look] = Counter()
    for page in pages:
        for piece, format_ in zip(page.pieces, page.formats, strict=True):
            characters[format_.look] += len(piece.text)
    return characters.most_common(1)[0][0] if characters else Look()
