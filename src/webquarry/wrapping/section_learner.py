"""Learn a wrapper of sections from sample pages.

Headings that are the same on every page, and texts that only repeat, are boilerplate: they start no section.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Document
from webquarry.model.wrapper import Section, Source, TokenFormat, Wrapper
from webquarry.page.text_runs import COLON, RUN_IN, Elements
from webquarry.page.trees import ColumnsTree
from webquarry.wrapping.field_values import find_shared_locale
from webquarry.wrapping.heading_names import heading_name
from webquarry.wrapping.section_headings import HeadingFormats, Mark, find_heading_formats, find_marks, is_link
from webquarry.wrapping.section_nesting import (
    SamplePart,
    find_annotations,
    find_indented,
    find_repeated,
    merge_parts,
    nest,
    rank_formats,
    with_types,
)
from webquarry.wrapping.section_reader import read_texts
from webquarry.wrapping.section_samples import SAME_SIZE, Format, Sample, SamplePiece, Samples, read_samples

_CLASS_ENDS = re.compile(r"[.:\[\]\s]")
"""Separates class names in a signature; a class name with such a mark in it is kept without looking for it."""
_HEADING_TAG = re.compile(r"(?:h[1-6]|summary|legend|caption|b|strong)\b")
_HEADED = re.compile(rf"(?:^|> ){_HEADING_TAG.pattern}")
"""Signatures of texts that markup says are headings."""


def learn_sections(documents: Sequence[Document], source: Source) -> Wrapper:
    """Learn a wrapper of the source that the documents are pages of."""
    return _write_wrapper(find_structure(read_samples(documents)), source)


def learn_headed_sections(counted: Sequence[tuple[Document, NDArray[np.bool_]]], source: Source) -> Wrapper:
    """Learn the sections with headings of their own, not labels, in the nodes of each document that count."""
    tags = {tag for document, _ in counted for tag in document.tag_names}
    if not any(map(_HEADING_TAG.match, tags)):
        return Wrapper(source)
    samples = read_samples([document for document, _ in counted])
    pages = [
        replace(page, pieces=[piece for piece in page.pieces if is_counted[piece.node]])
        for page, (_, is_counted) in zip(samples.pages, counted, strict=True)
    ]
    structure = find_structure(replace(samples, pages=pages), with_labels=False)
    return _write_wrapper(structure, source) if any(root.children for root in structure.roots) else Wrapper(source)


@dataclass(frozen=True)
class Structure:
    """The headings of the sample pages, and how their sections nest."""

    samples: Samples
    headings: HeadingFormats
    levels: Mapping[Format, int]
    ignored: frozenset[str]
    other: frozenset[str]
    roots: list[SamplePart]
    """The pages with their sections."""
    repeated: Mapping[Format, str]
    """Formats whose headings are values, with the names of their sections."""


def find_structure(samples: Samples, *, with_labels: bool = True) -> Structure:
    """Find the headings of the pages, and nest their sections; labels that end with a colon may be left out."""
    pages = samples.pages
    candidates = find_heading_formats(pages)
    if not with_labels:
        candidates = {
            format_: heading
            for format_, heading in candidates.items()
            if _HEADED.search(format_.signature)
            and not format_.signature.endswith((COLON, RUN_IN))
            and not heading.is_inline
        }
    ignored = find_names_of_pages(pages)
    ignored |= find_constant_texts(pages, candidates, ignored)
    if len(pages) > 1:
        ignored |= find_refrains(pages, candidates, ignored)
    headings = without_furniture(pages, candidates, ignored)
    pages = [_within_content(page, find_marks(page, headings, ignored)) for page in pages]
    headings = without_furniture(pages, headings, ignored)
    if len(pages) > 1:
        ignored |= _find_empty(pages, candidates, headings)
    samples = replace(samples, pages=pages)
    other: set[str] = set()
    while True:
        marked = [find_marks(page, headings, ignored, other) for page in pages]
        levels = rank_formats(marked)
        indented = find_indented(marked)
        roots = [nest(marks, levels, indented) for marks in marked]
        titles = _find_titles(roots)
        if titles:
            headings = {format_: heading for format_, heading in headings.items() if format_ not in titles}
            continue
        more = find_annotations(roots) - other
        if not more:
            break
        other |= more
    repeated = find_repeated(roots[0]) if len(pages) == 1 else {}
    return Structure(samples, headings, levels, frozenset(ignored), frozenset(other), roots, repeated)


def _within_content(page: Sample, marks: Sequence[Mark]) -> Sample:
    """Drop the pieces outside the element that contains the headings."""
    content = page.closeness.smallest_around([mark.piece.element for mark in marks])
    end = page.document.ends[content]
    return replace(page, pieces=[piece for piece in page.pieces if content <= piece.node < end], content=content)


def _find_empty(pages: Sequence[Sample], candidates: HeadingFormats, headings: HeadingFormats) -> set[str]:
    """Find the signatures of headings in the content that lead to nothing, such as captions and links to maps."""
    good = {format_.signature for format_ in headings}
    inside = {piece.format for page in pages for piece in page.pieces}
    return {
        format_.signature
        for format_, heading in candidates.items()
        if heading.names is None and format_ in inside and format_.signature not in good
    }


def _find_titles(roots: Sequence[SamplePart]) -> set[Format]:
    """Find the formats of headings that contain all of their page, one on each page: its title."""
    titles = []
    for root in roots:
        outer = root.children[0].mark if len(root.children) == 1 and root.children[0].children else None
        if outer is None or any(part.mark and part.mark.format == outer.format for part in root.children[0].walk()):
            return set()
        titles.append(outer.format)
    return set(titles)


def _write_wrapper(structure: Structure, source: Source) -> Wrapper:
    pages = structure.samples.pages
    content = _find_content(structure.samples)
    wrapper = Wrapper(
        source=source,
        tokens=tuple(_write_tokens(structure)),
        classes=tuple(sorted(_find_used_classes(structure, content))),
        title=structure.samples.title,
        content=content,
        hidden=structure.samples.hidden,
        ignored=tuple(sorted(structure.ignored)),
        grammar=_with_patterns(
            merge_parts(list(zip(pages, structure.roots, strict=True)), source.name, structure.repeated), structure
        ),
        other=tuple(sorted(structure.other)),
    )
    return _with_types(wrapper, [page.document for page in pages])


def _with_patterns(grammar: Section, structure: Structure) -> Section:
    """Give sections whose headings vary with the page the patterns of these."""
    patterns: dict[str, list[str]] = {}
    for pattern in dict.fromkeys(each for heading in structure.headings.values() for each in heading.patterns):
        patterns.setdefault(heading_name(pattern), []).append(pattern)

    def describe(section: Section) -> Section:
        children = tuple(map(describe, section.children))
        return replace(section, children=children, headings=tuple(patterns.get(section.name, ())))

    return describe(grammar) if patterns else grammar


def _with_types(wrapper: Wrapper, documents: Sequence[Document]) -> Wrapper:
    texts = read_texts(wrapper, documents)
    locale = find_shared_locale(documents, (text for found in texts.values() for text in found))
    return replace(
        wrapper, source=wrapper.source.with_locale(locale), grammar=with_types(wrapper.grammar, texts, locale)
    )


def _find_content(samples: Samples) -> tuple[str, ...]:
    """Find the steps that lead to the content on all pages."""
    ways = []
    for page in samples.pages:
        tree = ColumnsTree(page.document)
        elements = Elements(tree, samples.classes)
        way: list[str] = []
        here: int | None = page.content or None
        while here is not None:
            way.append(elements.step(here))
            here = tree.parent(here)
        ways.append(way[::-1])
    common = []
    for steps in zip(*ways, strict=False):
        if len(set(steps)) > 1:
            break
        common.append(steps[0])
    return tuple(common)


def _find_used_classes(structure: Structure, content: Sequence[str]) -> set[str]:
    """Find the class names in the signatures of the content, and on the way to it."""
    samples = structure.samples
    signatures = {piece.signature for page in samples.pages for piece in page.pieces}
    signatures |= {structure.samples.title, *content, *samples.hidden, *structure.ignored}
    named = {name for signature in signatures for name in _CLASS_ENDS.split(signature)}
    return {name for name in samples.classes if name in named or _CLASS_ENDS.search(name)}


def _write_tokens(structure: Structure) -> list[TokenFormat]:
    examples = _find_examples(structure)
    is_rendered = structure.samples.is_rendered
    innermost = max(structure.levels.values(), default=1)
    written = [
        TokenFormat(
            level=structure.levels.get(format_, innermost),
            like=examples.get(format_, ""),
            signature=format_.signature,
            look=format_.look.to_words() if is_rendered else "",
            names=tuple(sorted(heading.names or ())),
            is_inline=heading.is_inline,
            repeats=structure.repeated.get(format_, ""),
        )
        for format_, heading in structure.headings.items()
    ]
    return sorted(written, key=lambda token: token.level)


def _find_examples(structure: Structure) -> dict[Format, str]:
    """Take the first heading of each format as its example."""
    examples: dict[Format, str] = {}
    for page in structure.samples.pages:
        for piece in page.pieces:
            heading = structure.headings.get(piece.format)
            if heading is not None and heading.takes(piece.text):
                examples.setdefault(piece.format, piece.text)
    return examples


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
"""HeadingWords on average: values that long are not the same on two pages."""


def find_names_of_pages(pages: Sequence[Sample]) -> set[str]:
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


def find_constant_texts(pages: Sequence[Sample], headings: HeadingFormats, ignored: Collection[str] = ()) -> set[str]:
    """Find the signatures of texts that nearly all pages have, and of sentences that several have.

    A short text beside a value is part of that value, as the year of a figure, and headers of data tables are content.
    `ignored` are signatures already known as boilerplate.
    """
    if len(pages) == 1:
        return set()
    seen_on: dict[tuple[str, str], set[int]] = defaultdict(set)
    texts_of: list[list[SamplePiece]] = []
    for number, page in enumerate(pages):
        texts_of.append([piece for piece in page.pieces if piece.format not in headings and piece.cell is None])
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
    texts: Sequence[SamplePiece], seen_on: Mapping[tuple[str, str], set[int]], ignored: Collection[str]
) -> Iterator[SamplePiece]:
    """Find the non-link texts on a line that also has a page-specific text, apart from ignored texts."""
    for _, line in groupby(texts, key=lambda piece: piece.line):
        pieces = [piece for piece in line if piece.signature not in ignored]
        if any(len(seen_on[piece.signature, piece.text]) == 1 for piece in pieces):
            yield from (piece for piece in pieces if not is_link(piece.signature))


def find_refrains(pages: Sequence[Sample], headings: HeadingFormats, ignored: Collection[str]) -> set[str]:
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


def without_furniture(pages: Sequence[Sample], headings: HeadingFormats, ignored: Collection[str]) -> HeadingFormats:
    """Keep the formats whose headings have content: a text of their own, or other headings with content."""
    marked = [find_marks(page, headings, ignored) for page in pages]
    texts: dict[Format, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for mark in (mark for marks in marked for mark in marks):
        texts[mark.format][mark.name].append(mark.text)
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
