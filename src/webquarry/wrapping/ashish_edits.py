"""Add tokens to a wrapper of the paper's method, as its user highlights words that the system missed (section 2.1).

All other corrections are those of every wrapper of sections: they go by the headings of the sample pages, which
`grammar_edits.read_spots` finds for either method.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from webquarry.errors import InputError
from webquarry.model.wording import list_names
from webquarry.model.wrapper import OTHER, TokenFormat, Wrapper
from webquarry.wrapping.ashish import TEXT_RUN, begins_text, find_words, raw_text, scan, spell_name, trace_ashish
from webquarry.wrapping.grammar_edits import Change, HeadingSpot, read_spots, regrow
from webquarry.wrapping.heading_names import heading_name, is_pattern, map_names, matches, pattern_name
from webquarry.wrapping.sample_pages import Sample
from webquarry.wrapping.section_edits import check_name, dotted, find_by_path, find_parent, not_found
from webquarry.wrapping.token_edits import check_added, with_pattern

_TAG_BEFORE = re.compile(r"<([a-zA-Z][\w-]*)[^<>]*>(?:\s|&nbsp;)*\Z")
_TAG_BEHIND = re.compile(r"(?:\s|&nbsp;)*</([a-zA-Z][\w-]*)\s*>")
MAX_TAG = 1000
"""Characters before a heading in which its start tag begins."""


@dataclass(frozen=True)
class _Words:
    """Words on the sample pages that could be a token."""

    signature: str
    """An expression of Table 1, or one that `find_added` knows."""
    is_inline: bool = False


def add_to_ashish(
    wrapper: Wrapper, pages: Sequence[Sample], example: str, *, to: str = "", name: str = "", whole_format: bool = False
) -> Wrapper:
    """Make words, or all of their expression, start sections: in the section `to`, or where Figure 2 puts them."""
    if not pages:
        raise InputError(f'the sample pages are needed to find "{example}" on them')
    words = _find_words(wrapper, example, pages)
    parent = find_parent(wrapper, to, read_spots(wrapper, pages)) if to else None
    if whole_format and words.signature == TEXT_RUN:
        raise InputError(f'"{example}" has no tag of its own on the sample pages; add it without --class')
    after = replace(wrapper, tokens=_with_words(wrapper, words, example, whole_format=whole_format))
    wanted = pattern_name(example)

    def is_new(spot: HeadingSpot) -> bool:
        return (whole_format or matches(wanted, spot.name)) and spot.token.signature == words.signature

    own = check_name(name) if name else heading_name(example)
    names = map_names([(wanted, own)]) if name or is_pattern(example) else {}
    change = Change(is_new=is_new, parent=None if whole_format else parent, names=names)
    after = regrow(wrapper, after, pages, change)
    if is_pattern(example):
        after = replace(after, grammar=with_pattern(after.grammar, wrapper.grammar, own, example))
    check_added(wrapper, after, example, pages)
    return after


def _find_words(wrapper: Wrapper, example: str, pages: Sequence[Sample]) -> _Words:
    """Find the expression of some words: of Table 1, else that of their tag, else the words themselves."""
    name = pattern_name(example)
    sections, within, texts = set(find_by_path(wrapper, example)), [], set()
    found: list[_Words] = []
    for page in pages:
        markup = raw_text(page.document)
        headings = trace_ashish(wrapper, page.document)
        unplaced = [each for each in headings if each.path[0] == OTHER and matches(name, heading_name(each.match.text))]
        found += [_Words(each.token.signature, each.token.is_inline) for each in unplaced]
        known = {each.match.start: each for each in headings if each.path[0] != OTHER}
        for match in scan(markup):
            texts.add(match.text)
            if matches(name, heading_name(match.text)) and match.start not in known:
                found.append(_Words(match.expression))
        for start, end in find_words(markup, example):
            around = next((each for each in known.values() if each.match.start <= start < each.match.end), None)
            if around is None:
                found.append(_describe_words(markup, start, end))
            elif matches(name, heading_name(around.match.text)):
                sections.add(around.path)
            else:
                within.append(around.match.text)
    if found:
        return min(found, key=lambda each: (each.signature == TEXT_RUN, each.signature.startswith("<"), each.is_inline))
    if sections:
        raise InputError(f'"{example}" is a section already: {list_names(sorted(map(dotted, sections)))}')
    if within:
        raise InputError(f'"{example}" is part of the heading "{within[0]}"; drop that first')
    raise not_found(wrapper, example, read_spots(wrapper, pages), texts)


def _describe_words(markup: str, start: int, end: int) -> _Words:
    """Describe words by the tag that holds just them, or else by where they are in their text."""
    before = _TAG_BEFORE.search(markup, max(start - MAX_TAG, 0), start)
    behind = _TAG_BEHIND.match(markup, end)
    if before and behind and before[1].lower() == behind[1].lower():
        return _Words(f"<{before[1].lower()}>")
    return _Words(TEXT_RUN, is_inline=not begins_text(markup, start))


def _with_words(wrapper: Wrapper, words: _Words, example: str, *, whole_format: bool) -> tuple[TokenFormat, ...]:
    """Add the words to the names of their expression, or let it find all that it can."""
    name = pattern_name(example)
    new = TokenFormat(1, example, words.signature, names=() if whole_format else (name,), is_inline=words.is_inline)
    if words.signature == TEXT_RUN:
        return (*wrapper.tokens, new)
    tokens = list(wrapper.tokens)
    for place, token in enumerate(tokens):
        if token.signature != words.signature:
            continue
        if whole_format:
            tokens[place] = replace(token, names=(), excluded=())
        else:
            excluded = tuple(path for path in token.excluded if path.split(".")[-1] != name)
            names = (*token.names, name) if token.names and name not in token.names else token.names
            tokens[place] = replace(token, names=names, excluded=excluded)
        return tuple(tokens)
    return (*tokens, new)


def spell_names(wrapper: Wrapper) -> Wrapper:
    """Write the headings of tokens in snake case; files of earlier versions have them as on the page."""
    tokens = (replace(token, names=tuple(map(spell_name, token.names))) for token in wrapper.tokens)
    return replace(wrapper, tokens=tuple(tokens))


def settle(wrapper: Wrapper, pages: Sequence[Sample]) -> Wrapper:
    """Bring the tokens of a corrected wrapper in line with its grammar.

    Names that fit a pattern of a section become the pattern.  Each token has the level of its outermost section on the
    sample pages, and they are sorted by it.
    """
    patterns = [
        pattern_name(heading)
        for _, section in wrapper.grammar.walk()
        for heading in section.headings
        if is_pattern(heading)
    ]
    named = []
    for token in wrapper.tokens:
        fit = (next((each for each in patterns if matches(each, name)), name) for name in token.names)
        named.append(replace(token, names=tuple(dict.fromkeys(fit))))
    wrapper = replace(wrapper, tokens=tuple(named))
    levels: dict[TokenFormat, int] = {}
    for spot in (spot for page in read_spots(wrapper, pages) for spot in page if spot.is_section):
        levels[spot.token] = min(len(spot.path), levels.get(spot.token, len(spot.path)))
    above = min(levels.values(), default=1) - 1
    tokens = (replace(token, level=levels.get(token, token.level + above) - above) for token in wrapper.tokens)
    return replace(wrapper, tokens=tuple(sorted(tokens, key=lambda token: token.level)))
