"""Learning a wrapper of sections from sample pages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from webquarry.formats.elements import Elements
from webquarry.formats.trees import ColumnsTree
from webquarry.model import Document, Source, TokenFormat, Wrapper
from webquarry.model.wrapper import TEXT
from webquarry.values import find_locale
from webquarry.wrapping.grammar import merge, with_types
from webquarry.wrapping.reading import Reader
from webquarry.wrapping.samples import Format, Samples
from webquarry.wrapping.sampling import read_samples
from webquarry.wrapping.structuring import Structure, find_structure

_CLASS_ENDS = re.compile(r"[.:\[\]\s]")
"""What parts class names in a signature; a name that has such a mark itself is not looked for, and kept."""


def learn_sections(documents: Sequence[Document], source: Source) -> Wrapper:
    """A wrapper of the source that the documents are pages of."""
    return write_down(find_structure(read_samples(documents)), source)


def write_down(structure: Structure, source: Source) -> Wrapper:
    """The structure as a wrapper."""
    pages = structure.samples.pages
    content = _find_content(structure.samples)
    wrapper = Wrapper(
        source=source,
        tokens=tuple(_write_tokens(structure)),
        classes=tuple(sorted(_classes_that_tell(structure, content))),
        title=structure.samples.title,
        content=content,
        hidden=structure.samples.hidden,
        ignored=tuple(sorted(structure.ignored)),
        grammar=merge(list(zip(pages, structure.roots, strict=True)), source.name, structure.repeated),
        other=tuple(sorted(structure.other)),
    )
    return _with_types(wrapper, [page.document for page in pages])


def _with_types(wrapper: Wrapper, documents: Sequence[Document]) -> Wrapper:
    reader = Reader(wrapper)
    texts: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for document in documents:
        for value in reader.read(document).values:
            path = tuple(name for name in value.path if isinstance(name, str))
            texts[path[:-1] if path[-1] == TEXT else path].append(value.text)
    language = next((document.language for document in documents if document.language), "")
    locale = find_locale(language, (text for found in texts.values() for text in found))
    source = replace(wrapper.source, language=locale.language, decimal=locale.decimal, day_first=locale.day_first)
    return replace(wrapper, source=source, grammar=with_types(wrapper.grammar, texts, locale))


def _find_content(samples: Samples) -> tuple[str, ...]:
    """The steps that lead to the content on all pages."""
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


def _classes_that_tell(structure: Structure, content: Sequence[str]) -> set[str]:
    """The class names in the signatures of what the content holds, and on the way to it."""
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
    """For each format the first heading of it."""
    examples: dict[Format, str] = {}
    for page in structure.samples.pages:
        for piece, format_ in zip(page.pieces, page.formats, strict=True):
            heading = structure.headings.get(format_)
            if heading is not None and heading.takes(piece.text):
                examples.setdefault(format_, piece.text)
    return examples
