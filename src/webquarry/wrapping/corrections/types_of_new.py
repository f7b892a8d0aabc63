"""Types of the values of new sections."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from webquarry.model import Section, Wrapper
from webquarry.model.wrapper import TEXT
from webquarry.values import Locale
from webquarry.wrapping.corrections.grammars import Path, section_at
from webquarry.wrapping.grammar import with_types
from webquarry.wrapping.reading import Reader
from webquarry.wrapping.samples import Sample


def with_new_types(before: Wrapper, after: Wrapper, pages: Sequence[Sample]) -> Wrapper:
    """The wrapper with types of the sections that were not there before, as their texts on the sample pages tell."""
    reader = Reader(after)
    texts: dict[Path, list[str]] = defaultdict(list)
    for page in pages:
        for value in reader.read(page.document).values:
            path = tuple(name for name in value.path if isinstance(name, str))
            texts[path[:-1] if path[-1] == TEXT else path].append(value.text)
    source = after.source
    typed = with_types(after.grammar, texts, Locale(source.decimal, source.day_first, source.language))
    return replace(after, grammar=_choose(after.grammar, typed, before.grammar, ()))


def _choose(section: Section, typed: Section, before: Section, path: Path) -> Section:
    if section.type == "table":
        return section
    is_new = section.type == "text" and section_at(before, path) is None
    children = (
        _choose(child, other, before, (*path, child.name))
        for child, other in zip(section.children, typed.children, strict=True)
    )
    return replace(section, children=tuple(children), type=typed.type if is_new else section.type)
