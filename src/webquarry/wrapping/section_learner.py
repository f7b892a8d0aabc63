"""Learn a wrapper of sections from sample pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind
from webquarry.html.visibility import is_for_screen_readers
from webquarry.model.document import Document
from webquarry.model.wrapper import Section, Source, TokenFormat, Wrapper
from webquarry.page.text_runs import COLON, RUN_IN, SEPARATOR, Elements, read_pieces
from webquarry.page.trees import ColumnsTree
from webquarry.values.text_value import find_locale
from webquarry.wrapping.furniture_texts import (
    find_constant_texts,
    find_refrains,
    find_running_titles,
    without_furniture,
)
from webquarry.wrapping.heading_names import heading_name
from webquarry.wrapping.sample_pages import Format, Sample, Samples, find_title, strip_title, to_sample
from webquarry.wrapping.section_headings import Heading, Mark, find_headings, find_marks
from webquarry.wrapping.section_nesting import (
    Part,
    find_annotations,
    find_indented,
    find_repeated,
    merge,
    nest,
    rank_formats,
    with_types,
)
from webquarry.wrapping.section_reader import read_texts

MIN_SHARE_OF_PAGES_WITH_CLASS = 0.6
"""A class name on fewer of the sample pages belongs to single pages, such as the colour of a region."""
HIDING_CLASSES = frozenset("d-none hidden hide invisible modal offscreen".split())
"""Class names that common style sheets hide, at least at first."""
_CLASS_ENDS = re.compile(r"[.:\[\]\s]")
"""Separates class names in a signature; a class name with such a mark in it is kept without looking for it."""


_HEADED = re.compile(r"(?:^|> )(?:h[1-6]|summary|legend|caption|b|strong)\b")
"""Signatures of texts that markup says are headings."""


def learn_sections(documents: Sequence[Document], source: Source) -> Wrapper:
    """Learn a wrapper of the source that the documents are pages of."""
    return _write_wrapper(find_structure(read_samples(documents)), source)


def learn_headed_sections(
    documents: Sequence[Document], source: Source, counts: Sequence[NDArray[np.bool_]]
) -> Wrapper:
    """Learn the sections with headings of their own, not labels, in the nodes of each document that count."""
    samples = read_samples(documents)
    pages = [
        _keep_pieces(page, [number for number, piece in enumerate(page.pieces) if is_counted[piece.node]])
        for page, is_counted in zip(samples.pages, counts, strict=True)
    ]
    return _write_wrapper(find_structure(replace(samples, pages=pages), with_labels=False), source)


def read_samples(documents: Sequence[Document]) -> Samples:
    """Read pages as pieces; varying class names are left out of signatures, titles out of headings."""
    classes = stable_classes(documents)
    trees = [ColumnsTree(document) for document in documents]
    hidden = _find_hidden(trees, classes)
    pages = [to_sample(tree.document, read_pieces(tree, classes, hidden)) for tree in trees]
    title = find_title(pages)
    for page in pages:
        strip_title(page.pieces, next((piece.text for piece in page.pieces if piece.signature == title), ""))
    return Samples(pages, classes, hidden, title)


def stable_classes(documents: Sequence[Document]) -> frozenset[str]:
    """Find the class names that most pages have."""
    pages = Counter(name for document in documents for name in _list_classes(document))
    return frozenset(name for name, count in pages.items() if count >= MIN_SHARE_OF_PAGES_WITH_CLASS * len(documents))


def _list_classes(document: Document) -> set[str]:
    return {name for each in document.attributes if "class" in each for name in each["class"].split()}


def _find_hidden(trees: Sequence[ColumnsTree], classes: frozenset[str]) -> tuple[str, ...]:
    """Find the steps, or pairs of steps, that only style sheets hide.

    Without a layout, they are those whose class names say so by convention.
    """
    if any(tree.document.layout is None for tree in trees):
        return tuple(sorted({step for tree in trees for step in _hidden_by_name(tree, classes)}))
    hidden: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for tree in trees:
        elements = Elements(tree, classes)
        document = tree.document
        texts, shown = _count_texts(document)
        for node in np.flatnonzero(document.tags >= 0).tolist():
            parent = tree.parent(node)
            _, _, is_unseen, _, _, step, _ = elements(node)
            if parent is None or is_unseen:
                continue
            both = (step, elements.step(parent) + SEPARATOR + step)
            if shown[node]:
                seen.update(both)
            elif texts[node] and shown[parent]:
                hidden.update(both)
    return _shortest(hidden, seen)


def _hidden_by_name(tree: ColumnsTree, classes: frozenset[str]) -> Iterator[str]:
    elements = Elements(tree, classes)
    for node, attributes in enumerate(tree.document.attributes):
        names = attributes.get("class", "")
        if names and (is_for_screen_readers(names) or not HIDING_CLASSES.isdisjoint(names.split())):
            yield elements.step(node)


def _count_texts(document: Document) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count for each node the texts that it contains and that are not blank, and how many of them are shown."""
    is_text = np.array([bool(text) and not text.isspace() for text in document.texts]) & (document.kinds == Kind.TEXT)
    before = np.concatenate([[0], np.cumsum(is_text)])
    shown_before = np.concatenate([[0], np.cumsum(is_text & ~document.hidden)])
    return before[document.ends] - before[:-1], shown_before[document.ends] - shown_before[:-1]


def _shortest(hidden: Counter[str], seen: Counter[str]) -> tuple[str, ...]:
    single = {step for step in hidden if SEPARATOR not in step and step not in seen and "." in step}
    pairs = {
        step
        for step in hidden
        if SEPARATOR in step and step not in seen and step.partition(SEPARATOR)[2] not in single and "." in step
    }
    return (*sorted(single), *sorted(pairs))


@dataclass(frozen=True)
class Structure:
    """The headings of the sample pages, and how their sections nest."""

    samples: Samples
    headings: Mapping[Format, Heading]
    levels: Mapping[Format, int]
    ignored: frozenset[str]
    other: frozenset[str]
    roots: list[Part]
    """The pages with their sections."""
    repeated: Mapping[Format, str]
    """Formats whose headings are values, with the names of their sections."""


def find_structure(samples: Samples, *, with_labels: bool = True) -> Structure:
    """Find the headings of the pages, and nest their sections; labels that end with a colon may be left out."""
    pages = samples.pages
    candidates = find_headings(pages)
    if not with_labels:
        candidates = {
            format_: heading
            for format_, heading in candidates.items()
            if _HEADED.search(format_.signature)
            and not format_.signature.endswith((COLON, RUN_IN))
            and not heading.is_inline
        }
    ignored = find_running_titles(pages, candidates)
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
    repeated = find_repeated(pages[0], roots[0]) if len(pages) == 1 else {}
    return Structure(samples, headings, levels, frozenset(ignored), frozenset(other), roots, repeated)


def _within_content(page: Sample, marks: Sequence[Mark]) -> Sample:
    """Drop the pieces outside the element that contains the headings."""
    content = page.groups.smallest_around([page.pieces[mark.piece].element for mark in marks])
    end = page.document.ends[content]
    kept = [number for number, piece in enumerate(page.pieces) if content <= piece.node < end]
    return replace(_keep_pieces(page, kept), content=content)


def _keep_pieces(page: Sample, kept: Sequence[int]) -> Sample:
    return replace(
        page,
        pieces=[page.pieces[number] for number in kept],
        formats=[page.formats[number] for number in kept],
        indents=[page.indents[number] for number in kept],
    )


def _find_empty(
    pages: Sequence[Sample], candidates: Mapping[Format, Heading], headings: Mapping[Format, Heading]
) -> set[str]:
    """Find the signatures of headings in the content that lead to nothing, such as captions and links to maps."""
    good = {format_.signature for format_ in headings}
    inside = {format_ for page in pages for format_ in page.formats}
    return {
        format_.signature
        for format_, heading in candidates.items()
        if heading.names is None and format_ in inside and format_.signature not in good
    }


def _find_titles(roots: Sequence[Part]) -> set[Format]:
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
            merge(list(zip(pages, structure.roots, strict=True)), source.name, structure.repeated), structure
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
    language = next((document.language for document in documents if document.language), "")
    locale = find_locale(language, (text for found in texts.values() for text in found))
    source = replace(wrapper.source, language=locale.language, decimal=locale.decimal, day_first=locale.day_first)
    return replace(wrapper, source=source, grammar=with_types(wrapper.grammar, texts, locale))


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
    signatures = {format_.signature for page in samples.pages for format_ in page.formats}
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
        for piece, format_ in zip(page.pieces, page.formats, strict=True):
            heading = structure.headings.get(format_)
            if heading is not None and heading.takes(piece.text):
                examples.setdefault(format_, piece.text)
    return examples
