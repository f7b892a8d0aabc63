"""Find boilerplate: headings and texts that are the same on every page, and titles that are repeated along a page."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from webquarry.page.text_runs import Piece
from webquarry.wrapping.sample_pages import SAME_SIZE, Format, Sample
from webquarry.wrapping.section_headings import Heading, Mark, find_marks, is_link, text_of

MIN_SHARE_VARYING = 0.3
"""Share of the headings of a format whose texts differ between pages, for it to have content."""
MIN_SHARE_LEADING = 0.5
"""Share of the headings of a format that lead directly to others, or on a single page to a text."""
MIN_PAGES = 3
"""Pages on which a short text must be the same to be boilerplate."""
MIN_SHARE_RECURRING = 0.8
"""Share of the pages with a text, of the uses of a signature beside headings, or of the headings led to."""
MIN_REPEATS_ON_PAGE = 2
"""Times that a page has a text that is repeated along it."""
MIN_REPEATS_ON_TWO_PAGES = 3
"""Times that a page has the only text of a signature, where there are just two pages."""
MIN_SHARE_SENTENCES_RECURRING = 0.9
"""Share of the sentences of a signature that are on several pages."""
MIN_SENTENCE_WORDS = 6
"""Words on average: values that long are not the same on two pages."""


def find_running_titles(pages: Sequence[Sample], headings: Mapping[Format, Heading]) -> set[str]:
    """Find the signatures of texts that repeat the page's own title."""
    return _find_beside_headings(pages, headings) | _find_names_of_pages(pages)


def _find_names_of_pages(pages: Sequence[Sample]) -> set[str]:
    """Find the signatures with one text on each page, repeated there, and another text on every other page."""
    texts: dict[str, list[set[str]]] = defaultdict(list)
    counts: Counter[str] = Counter()
    for page in pages:
        on_page: dict[str, set[str]] = defaultdict(set)
        for piece in page.pieces:
            on_page[piece.signature].add(piece.text)
            counts[piece.signature] += 1
        for signature, found in on_page.items():
            texts[signature].append(found)
    return {
        signature
        for signature, found in texts.items()
        if len(found) == len(pages) >= MIN_PAGES
        and counts[signature] >= MIN_REPEATS_ON_PAGE * len(pages)
        and all(len(each) == 1 for each in found)
        and len(set.union(*found)) == len(pages)
    }


def _find_beside_headings(pages: Sequence[Sample], headings: Mapping[Format, Heading]) -> set[str]:
    """Find the signatures of texts beside headings that are always the same on a page."""
    beside: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for page in pages:
        total.update(piece.signature for piece in page.pieces)
        texts: dict[str, list[str]] = defaultdict(list)
        for mark in find_marks(page, headings):
            if mark.following:
                piece = page.pieces[mark.following[0]]
                if piece.line == page.pieces[mark.piece].line:
                    texts[piece.signature].append(piece.text)
        for signature, found in texts.items():
            if len(found) > 1 and len(set(found)) == 1:
                beside[signature] += len(found)
    return {signature for signature, count in beside.items() if count >= MIN_SHARE_RECURRING * total[signature]}


def find_constant_texts(
    pages: Sequence[Sample], headings: Mapping[Format, Heading], ignored: Collection[str] = ()
) -> set[str]:
    """Find the signatures of texts that nearly all pages have, and of sentences that several have.

    A short text beside a value is part of that value, as the year of a figure, and headers of data tables are content.
    `ignored` are signatures already known as boilerplate.
    """
    if len(pages) == 1:
        return set()
    seen_on: dict[tuple[str, str], set[int]] = defaultdict(set)
    texts_of: list[list[Piece]] = []
    for number, page in enumerate(pages):
        numbered = zip(page.pieces, page.formats, strict=True)
        texts_of.append([piece for piece, format_ in numbered if format_ not in headings and piece.cell is None])
        for piece in texts_of[-1]:
            seen_on[piece.signature, piece.text].add(number)
    own = {format_.signature for format_ in headings}
    by_signature: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for (signature, text), numbers in seen_on.items():
        if signature not in own:
            by_signature[signature].append((text, len(numbers)))
    sentences = {signature for signature, texts in by_signature.items() if _are_sentences(texts)}
    passed_over = sentences.union(ignored)
    beside = {piece.signature for texts in texts_of for piece in _beside_values(texts, seen_on, passed_over)}
    uses = Counter(piece.signature for texts in texts_of for piece in texts)
    least = MIN_SHARE_RECURRING * len(pages)
    return sentences | {
        signature
        for signature, texts in by_signature.items()
        if signature not in beside
        and all(count >= least for _, count in texts)
        and (len(pages) >= MIN_PAGES or (len(texts) == 1 and uses[signature] >= MIN_REPEATS_ON_TWO_PAGES * len(pages)))
    }


def _beside_values(
    texts: Sequence[Piece], seen_on: Mapping[tuple[str, str], set[int]], ignored: Collection[str]
) -> Iterator[Piece]:
    """Find the non-link texts on a line that also has a page-specific text, apart from ignored texts."""
    for _, line in groupby(texts, key=lambda piece: piece.line):
        pieces = [piece for piece in line if piece.signature not in ignored]
        if any(len(seen_on[piece.signature, piece.text]) == 1 for piece in pieces):
            yield from (piece for piece in pieces if not is_link(piece.signature))


def find_refrains(pages: Sequence[Sample], headings: Mapping[Format, Heading], ignored: Collection[str]) -> set[str]:
    """Find the signatures of headings that are always one text and say nothing.

    They have no content, as links to the top of the page, or come between nearly all headings of other formats and
    their content, as links to definitions.
    """
    marked = [find_marks(page, headings, ignored) for page in pages]
    total = Counter(mark.format for marks in marked for mark in marks)
    found: dict[str, list[Mark]] = defaultdict(list)
    above: dict[str, list[Format]] = defaultdict(list)
    for marks in marked:
        for mark in marks:
            found[mark.format.signature].append(mark)
        for before, mark in pairwise(marks):
            if not before.following:
                above[mark.format.signature].append(before.format)
    refrains = set()
    for signature, same in found.items():
        if len({mark.name for mark in same}) == 1 and len(same) >= MIN_REPEATS_ON_PAGE * len(pages):
            led = sum(total[format_] for format_ in set(above[signature]))
            is_between = len(above[signature]) == len(same) >= MIN_SHARE_RECURRING * led
            if is_between or not any(mark.following for mark in same):
                refrains.add(signature)
    return refrains


def _are_sentences(texts: Sequence[tuple[str, int]]) -> bool:
    """Tell whether texts are whole sentences, nearly all of them on several pages."""
    recurring = sum(count for _, count in texts if count > 1)
    words = sum(len(text.split()) for text, _ in texts)
    return words >= MIN_SENTENCE_WORDS * len(texts) and recurring >= MIN_SHARE_SENTENCES_RECURRING * sum(
        count for _, count in texts
    )


def without_furniture(
    pages: Sequence[Sample], headings: Mapping[Format, Heading], ignored: Collection[str]
) -> dict[Format, Heading]:
    """Keep the formats whose headings have content: a text of their own, or other headings with content."""
    marked = [find_marks(page, headings, ignored) for page in pages]
    texts: dict[Format, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for page, marks in zip(pages, marked, strict=True):
        for mark in marks:
            texts[mark.format][mark.name].append(text_of(page, mark.following))
    good = {format_ for format_, by_name in texts.items() if _has_content(by_name, len(pages))}
    neighbours = _Neighbours(marked)
    more = good
    while more:
        more = {format_ for format_ in neighbours.of(more) - good if neighbours.leads(format_, good)}
        good = good | more
    return {format_: heading for format_, heading in headings.items() if format_ in good}


def _has_content(texts_by_name: Mapping[str, list[str]], pages: int) -> bool:
    if pages == 1:
        written = [any(texts) for texts in texts_by_name.values()]
        return sum(written) >= MIN_SHARE_LEADING * len(written)
    varying = [len(set(texts)) > 1 for texts in texts_by_name.values() if len(texts) > 1]
    return sum(varying) >= max(1.0, MIN_SHARE_VARYING * len(varying))


class _Neighbours:
    """Counts which formats are directly above which, with no text between."""

    def __init__(self, marked: Sequence[Sequence[Mark]]) -> None:
        self._pages = len(marked)
        self._above: dict[Format, Counter[Format]] = defaultdict(Counter)
        self._below: dict[Format, Counter[Format]] = defaultdict(Counter)
        self._larger: Counter[Format] = Counter()  # than what comes next
        self._counts: Counter[Format] = Counter()
        for marks in marked:
            for mark, after in pairwise(marks):
                self._counts[mark.format] += 1
                self._larger[mark.format] += after.format.look.size <= mark.format.look.size - SAME_SIZE
                if not mark.following and not mark.is_bound_back:
                    self._below[mark.format][after.format] += 1
                    self._above[after.format][mark.format] += 1

    def of(self, formats: Collection[Format]) -> set[Format]:
        """Find the formats directly above or below some."""
        return {near for each in formats for side in (self._above, self._below) for near in side.get(each, ())}

    def leads(self, format_: Format, good: Collection[Format]) -> bool:
        """Tell whether headings of a format are directly above good ones; if only once on a page, they must be larger.

        A format that is as often directly below a good one is its value.
        """
        led = _sum_of(self._below.get(format_, Counter()), good)
        below = _sum_of(self._above.get(format_, Counter()), good)
        least = MIN_SHARE_LEADING * self._counts[format_]
        is_section = self._larger[format_] >= least or led >= MIN_REPEATS_ON_PAGE * self._pages
        return led > below and led >= least and is_section


def _sum_of(counts: Counter[Format], chosen: Collection[Format]) -> int:
    return sum(count for format_, count in counts.items() if format_ in chosen)
