"""Name sections by their headings.

A name is the heading in snake case.  For headings that vary with the page there are patterns, with a word `*` that
means any words: the name of `Ingredients for *` is `ingredients_for_*`, and the section that it starts is
`ingredients_for`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from webquarry.model.names import snake_case

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
