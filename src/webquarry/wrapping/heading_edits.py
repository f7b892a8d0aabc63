"""Add headings to a wrapper, and drop them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from webquarry.errors import InputError
from webquarry.model.wording import list_names
from webquarry.model.wrapper import OTHER, Section, SectionPath, TokenFormat, Wrapper
from webquarry.page.text_runs import COLON, PART, without_colon
from webquarry.wrapping.ashish import TEXT_RUN, find_token_words, with_words
from webquarry.wrapping.grammar_growth import Change, regrow
from webquarry.wrapping.heading_names import collect_names, heading_name, is_pattern, map_names, matches, pattern_name
from webquarry.wrapping.heading_spots import HeadingSpot, list_spots, read_spots
from webquarry.wrapping.section_edits import (
    change_at,
    check_section_name,
    dotted,
    find_by_path,
    find_parent,
    find_section,
    find_sections,
    has_format,
    heading_names,
    not_found,
    section_at,
    take_out,
)
from webquarry.wrapping.section_headings import MAX_HEADING_WORDS, HeadingFormat, Lines, find_marks
from webquarry.wrapping.section_nesting import rank_formats, with_types
from webquarry.wrapping.section_reader import cut_piece, cut_pieces, part_pattern, read_sample_texts
from webquarry.wrapping.section_samples import Format, Sample, to_sample


@dataclass(frozen=True)
class _Text:
    """A text on the sample pages that could be a heading."""

    example: str
    name: str
    format: Format
    is_inline: bool
    """Whether it is within a line."""
    is_known: bool
    """Whether it is a heading already, but under `_other`."""


class _Added(NamedTuple):
    """A wrapper with a new token, but not yet its sections."""

    wrapper: Wrapper
    takes: Callable[[TokenFormat], bool]
    """Tells whether a token may be the one of new headings."""
    pages: Sequence[Sample]
    """The sample pages; a heading within a text is a piece of its own there."""
    parent: SectionPath | None
    """The section that a person wants the new ones in."""


def add_heading(
    wrapper: Wrapper, pages: Sequence[Sample], example: str, *, to: str = "", name: str = "", whole_format: bool = False
) -> Wrapper:
    """Make a text, or all texts of its format, start sections: in the section `to`, or where the format puts them."""
    if not pages:
        raise InputError(f'the sample pages are needed to find "{example}" on them')
    is_ashish = wrapper.method == "ashish"
    added = (_add_words if is_ashish else _add_text)(wrapper, pages, example, to=to, whole_format=whole_format)
    wanted = pattern_name(example)

    def is_new(spot: HeadingSpot) -> bool:
        return (whole_format or matches(wanted, spot.name)) and added.takes(spot.token)

    own = check_section_name(name) if name else heading_name(example)
    names = map_names([(wanted, own)]) if name or is_pattern(example) else {}
    change = Change(is_new=is_new, parent=None if whole_format else added.parent, names=names)
    after = regrow(wrapper, added.wrapper, added.pages, change)
    if is_pattern(example):
        after = replace(after, grammar=_with_pattern(after.grammar, wrapper.grammar, own, example))
    _check_added(wrapper, after, example, added.pages)
    return after if is_ashish else _with_new_types(wrapper, after, added.pages)


def _add_text(wrapper: Wrapper, pages: Sequence[Sample], example: str, *, to: str, whole_format: bool) -> _Added:
    text = _find_text(wrapper, example, pages)
    if text.format.signature.endswith(PART):
        if whole_format:
            raise InputError(f'"{example}" is part of a text that looks all the same, so nothing else looks like it')
        words = ((text.format.signature.removesuffix(PART), example),)
        pages = [to_sample(page.document, cut_pieces(page.pieces, words)) for page in pages]
    parent = find_parent(wrapper, to, pages) if to else None
    after = _with_heading(wrapper, text, parent, pages, whole_format=whole_format)
    return _Added(after, lambda token: has_format(token, text.format), pages, parent)


def _add_words(wrapper: Wrapper, pages: Sequence[Sample], example: str, *, to: str, whole_format: bool) -> _Added:
    """Add words of the markup, or all of their expression, where Figure 2 of the paper puts them."""
    found = find_token_words(wrapper, example, [page.document for page in pages])
    if not found.free:
        if sections := found.sections | set(find_by_path(wrapper, example)):
            raise _already_section(example, sections)
        if found.within:
            raise InputError(f'"{example}" is part of the heading "{found.within[0]}"; drop that first')
        raise not_found(wrapper, example, pages, found.texts)
    words = min(
        found.free, key=lambda each: (each.signature == TEXT_RUN, each.signature.startswith("<"), each.is_inline)
    )
    parent = find_parent(wrapper, to, pages) if to else None
    if whole_format and words.signature == TEXT_RUN:
        raise InputError(f'"{example}" has no tag of its own on the sample pages; add it without --class')
    after = replace(wrapper, tokens=with_words(wrapper, words, example, whole_format=whole_format))
    return _Added(after, lambda token: token.signature == words.signature, pages, parent)


def _already_section(example: str, sections: Collection[SectionPath]) -> InputError:
    return InputError(f'"{example}" is a section already: {list_names(sorted(map(dotted, sections)))}')


def _with_pattern(grammar: Section, before: Section, name: str, pattern: str) -> Section:
    """Give new sections of a name the pattern as their heading."""
    known = {path for path, _ in before.walk()}
    for path, _ in grammar.walk():
        if path[-1] == name and path not in known:
            grammar = change_at(grammar, path, lambda section: replace(section, headings=(pattern,)))
    return grammar


def _with_heading(
    wrapper: Wrapper, text: _Text, parent: SectionPath | None, pages: Sequence[Sample], *, whole_format: bool
) -> Wrapper:
    """Add the heading to the formats, not yet to the grammar."""
    if parent is None and text.format.signature.endswith(PART):
        level, after = _level_within(wrapper, text, pages), wrapper
    elif parent is None:
        level, after = _make_room(wrapper, text.format, pages)
    else:
        levels = [spot.token.level for spot in list_spots(wrapper, pages) if spot.path == parent]
        level, after = max(levels, default=len(parent)) + 1, wrapper
    if whole_format:
        tokens = _with_format(after, text, level)
    else:
        tokens = _with_name(after, text, level, is_placed=parent is not None)
    leaves_other = text.is_known or parent is not None
    other = tuple(each for each in wrapper.other if each != text.name or not leaves_other)
    ignored = tuple(signature for signature in wrapper.ignored if signature != text.format.signature)
    return replace(after, tokens=tokens, other=other, ignored=ignored)


def _level_within(wrapper: Wrapper, text: _Text, pages: Sequence[Sample]) -> int:
    """Choose the level of a heading within a text: that of a label in the same text, or below the heading before it."""
    block = text.format.signature.removesuffix(PART)
    for page, found in zip(pages, read_spots(wrapper, pages), strict=True):
        for number, piece in enumerate(page.pieces):
            before = [spot.token for spot in found if spot.piece < number]
            if piece.signature == text.format.signature and before:
                is_beside = without_colon(before[-1].signature).removesuffix(PART) == block
                return before[-1].level + (not is_beside)
    return 1


def _make_room(wrapper: Wrapper, format_: Format, pages: Sequence[Sample]) -> tuple[int, Wrapper]:
    """Choose the level of a format, and lower those below it where it needs a level of its own.

    The level is the one it has already, or else the one that size and order on the pages give it.
    """
    own = [token.level for token in wrapper.tokens if has_format(token, format_)]
    if own:
        return max(own), wrapper
    known: dict[Format, int] = {}
    for each in {piece.format for page in pages for piece in page.pieces}:
        levels = [token.level for token in wrapper.tokens if has_format(token, each)]
        if levels:
            known[each] = levels[0]
    headings = {each: HeadingFormat(each, None, is_inline=each.signature.endswith(COLON)) for each in (*known, format_)}
    ranks = rank_formats([find_marks(page, headings, set(wrapper.ignored) - {format_.signature}) for page in pages])
    rank = ranks.get(format_, 1)
    beside = [level for each, level in known.items() if ranks.get(each) == rank]
    if beside:
        return min(beside), wrapper
    level = max((level for each, level in known.items() if ranks.get(each, rank) < rank), default=0) + 1
    if all(below > level for each, below in known.items() if ranks.get(each, rank) > rank):
        return level, wrapper
    lower = (replace(token, level=token.level + (token.level >= level)) for token in wrapper.tokens)
    return level, replace(wrapper, tokens=tuple(lower))


def _find_text(wrapper: Wrapper, example: str, pages: Sequence[Sample]) -> _Text:
    """Find the text on the pages where it could start a section.

    Plain text comes first; a label under `_other` becomes a section only if the text is nowhere plain.
    """
    name = pattern_name(example)
    sections: set[SectionPath] = set(find_by_path(wrapper, example))
    beginning, within, labels = Counter[Format](), Counter[Format](), Counter[Format]()
    is_in_table = False
    for page, found in zip(pages, read_spots(wrapper, pages), strict=True):
        known = {spot.piece: spot.path for spot in found}
        starts = Lines(page).starts
        for number, piece in enumerate(page.pieces):
            if not matches(name, heading_name(piece.text)):
                continue
            if number in known and known[number][0] == OTHER:
                labels[piece.format] += 1
            elif number in known:
                sections.add(known[number])
            elif piece.cell is not None:
                is_in_table = True
            else:
                (beginning if starts[number] else within)[piece.format] += 1
    candidates = beginning or within or labels
    if candidates:
        plain = Counter(piece.format for page in pages for piece in page.pieces).most_common(1)[0][0]

        def likeliness(format_: Format) -> tuple[bool, bool, bool, int]:
            is_known = any(has_format(token, format_) for token in wrapper.tokens)
            return format_.signature not in wrapper.ignored, is_known, format_ != plain, candidates[format_]

        format_ = max(candidates, key=likeliness)
        return _Text(example, name, format_, is_inline=format_ in within, is_known=candidates is labels)
    if sections:
        raise _already_section(example, sections)
    return _find_within(wrapper, example, pages, is_in_table=is_in_table)


def _find_within(wrapper: Wrapper, example: str, pages: Sequence[Sample], *, is_in_table: bool) -> _Text:
    """Find an example that is only a part of texts; raise if there is none.  Of several formats most texts decide."""
    formats: Counter[Format] = Counter()
    if any(map(str.isalnum, example)) and not is_pattern(example):
        pattern = part_pattern(example)
        formats.update(
            Format(without_colon(piece.signature) + PART, piece.format.look)
            for page in pages
            for piece in page.pieces
            if len(cut_piece(piece, pattern)) > 1
        )
    if formats:
        format_ = formats.most_common(1)[0][0]
        return _Text(example, pattern_name(example), format_, is_inline=True, is_known=False)
    if is_in_table:
        raise InputError(f'"{example}" is in a data table on the sample pages; its cells cannot start sections')
    texts = {piece.text for page in pages for piece in page.pieces if len(piece.text.split()) <= MAX_HEADING_WORDS}
    raise not_found(wrapper, example, pages, texts)


def _with_name(wrapper: Wrapper, text: _Text, level: int, *, is_placed: bool) -> tuple[TokenFormat, ...]:
    """Add the text to the names of a format.

    It gets an entry of its own where a person has placed it (`is_placed`) and its format is not below that section.
    """
    name = text.name
    tokens = list(wrapper.tokens)
    if text.format.signature.endswith(PART):  # each is looked for by its own words
        return _with_token(wrapper, tokens, text, level, names=(name,))
    same = [place for place, token in enumerate(tokens) if has_format(token, text.format)]
    for place in same:
        excluded = tuple(path for path in tokens[place].excluded if path.split(".")[-1] != name)
        tokens[place] = replace(tokens[place], excluded=excluded)
    for place in same:
        token = tokens[place]
        if not token.names or name in token.names:
            if (token.level >= level or not is_placed) and token.is_inline >= text.is_inline:
                return tuple(tokens)
            tokens[place] = replace(token, excluded=(*token.excluded, name))
    for place in same:
        token = tokens[place]
        if token.names and name not in token.names and token.level == level and token.is_inline >= text.is_inline:
            tokens[place] = replace(token, names=tuple(sorted({*token.names, name})))
            return tuple(tokens)
    return _with_token(wrapper, tokens, text, level, names=(name,))


def _with_format(wrapper: Wrapper, text: _Text, level: int) -> tuple[TokenFormat, ...]:
    """Make a format take all texts that look like it, unless another format takes them."""
    same = [token for token in wrapper.tokens if has_format(token, text.format)]
    if not same:
        return _with_token(wrapper, wrapper.tokens, text, level)
    general = next((token for token in same if not token.names), same[0])
    special = {name for token in same if token is not general for name in token.names}
    is_inline = general.is_inline or text.is_inline
    widened = replace(general, names=(), excluded=tuple(sorted(special)), is_inline=is_inline)
    return tuple(widened if token is general else token for token in wrapper.tokens)


def _with_token(
    wrapper: Wrapper, tokens: Sequence[TokenFormat], text: _Text, level: int, names: tuple[str, ...] = ()
) -> tuple[TokenFormat, ...]:
    """Insert a new format behind those of its level."""
    is_rendered = any(token.look for token in wrapper.tokens)
    new = TokenFormat(
        level=level,
        like=text.example,
        signature=text.format.signature,
        look=text.format.look.to_words() if is_rendered else "",
        names=names,
        is_inline=text.is_inline,
    )
    place = next((place for place, token in enumerate(tokens) if token.level > level), len(tokens))
    return (*tokens[:place], new, *tokens[place:])


def _check_added(before: Wrapper, after: Wrapper, example: str, pages: Sequence[Sample]) -> None:
    """Refuse an addition that changes nothing, or a section that its heading would not start on the pages."""
    if after == before:
        raise InputError(f'all texts like "{example}" are headings already; see the outline for their sections')
    known = {path for path, _ in before.grammar.walk()}
    read = [{spot.path for spot in page if spot.is_section} for page in read_spots(after, pages)]
    found = set().union(*read)
    lost = [path for path, _ in after.grammar.walk() if path not in known and path not in found]
    lost += [path for page in read for path in page - known if path[:-1] not in page | {()}]
    if lost:
        raise InputError(
            f'"{example}" would not be found in {dotted(lost[0][:-1])}, which is not open where the text is on the '
            "sample pages; name another section, or leave out --to"
        )


def _with_new_types(before: Wrapper, after: Wrapper, pages: Sequence[Sample]) -> Wrapper:
    """Type the values of new sections by their texts on the sample pages."""
    texts = read_sample_texts(after, pages)
    typed = with_types(after.grammar, texts, after.source.locale)
    return replace(after, grammar=_take_new_types(after.grammar, typed, before.grammar, ()))


def _take_new_types(section: Section, typed: Section, before: Section, path: SectionPath) -> Section:
    if section.type == "table":
        return section
    is_new = section.type == "text" and section_at(before, path) is None
    children = (
        _take_new_types(child, other, before, (*path, child.name))
        for child, other in zip(section.children, typed.children, strict=True)
    )
    return replace(section, children=tuple(children), type=typed.type if is_new else section.type)


def drop_heading(wrapper: Wrapper, pages: Sequence[Sample], example: str, *, whole_format: bool = False) -> Wrapper:
    """Make a heading, or all headings of its format, plain text of the section before."""
    if find_by_path(wrapper, example):
        path = find_section(wrapper, example)
        for each in _find_alike(wrapper, path, pages) if whole_format else [path]:
            wrapper = _drop_section(wrapper, each, pages)
        return wrapper
    if whole_format:
        return _drop_format(wrapper, _find_format(wrapper, example, pages), pages)
    return _drop_everywhere(wrapper, example, pages)


def _find_alike(wrapper: Wrapper, path: SectionPath, pages: Sequence[Sample]) -> list[SectionPath]:
    """List a section and those beside it that only headings of the same formats start."""
    tokens: dict[SectionPath, set[TokenFormat]] = {}
    for spot in list_spots(wrapper, pages):
        tokens.setdefault(spot.path, set()).add(spot.token)
    parent = section_at(wrapper.grammar, path[:-1])
    beside = [(*path[:-1], child.name) for child in parent.children] if parent else []
    own = tokens.get(path, set())
    return [each for each in beside if each == path or (each in tokens and tokens[each] <= own)]


def _drop_section(wrapper: Wrapper, path: SectionPath, pages: Sequence[Sample]) -> Wrapper:
    """Drop a section: by its name if no other has it, so that it is text on every page, else by its path."""
    elsewhere = [other for other in find_sections(wrapper, path[-1], pages) if other != path]
    if elsewhere or path[-1] in wrapper.other:
        return _drop_at_path(wrapper, path, pages)
    return _drop_everywhere(wrapper, path[-1], pages)


def _drop_everywhere(wrapper: Wrapper, example: str, pages: Sequence[Sample]) -> Wrapper:
    spots, paths = list_spots(wrapper, pages), find_sections(wrapper, example, pages)
    names = _find_names(wrapper, example, paths, spots)
    if not names:
        raise not_found(wrapper, example, pages)
    seen = {spot.path for spot in spots}
    signatures = {spot.token.signature for spot in spots if spot.name in names}
    tokens = [_without_names(token, names, signatures) for token in wrapper.tokens]
    after = replace(
        wrapper,
        tokens=tuple(token for token in tokens if token),
        other=tuple(other for other in wrapper.other if other not in names),
        grammar=take_out(wrapper.grammar, [path for path in paths if path not in seen]),
    )
    return _regrow_from_level_1(wrapper, after, pages, Change(is_dropped=lambda spot: spot.name in names))


def _find_names(
    wrapper: Wrapper, example: str, paths: Sequence[SectionPath], spots: Sequence[HeadingSpot]
) -> Collection[str]:
    """Find the names of the headings meant: all of their sections', or the example alone where headings are values."""
    own = pattern_name(example)
    names: set[str] = set()
    for path in paths:
        section = section_at(wrapper.grammar, path)
        if section is not None:
            names |= {own} if section.is_repeated else heading_names(section)
    if own in wrapper.other or any(matches(own, spot.name) for spot in spots):
        names.add(own)
    return collect_names(names)


def _without_names(token: TokenFormat, names: Collection[str], signatures: Collection[str]) -> TokenFormat | None:
    """Remove headings from a format; None if it has no others.

    `signatures` are those of the headings on the pages; without any, the heading may have any format.
    """
    if token.names:
        left = tuple(name for name in token.names if name not in names)
        excluded = {name for name in names if name in collect_names(left)}  # they fit a pattern of the format
        return replace(token, names=left, excluded=tuple(sorted({*token.excluded, *excluded}))) if left else None
    if signatures and token.signature not in signatures:
        return token
    return replace(token, excluded=tuple(sorted({*token.excluded, *names})))


def _drop_at_path(wrapper: Wrapper, path: SectionPath, pages: Sequence[Sample]) -> Wrapper:
    """Exclude a heading at one path: elsewhere it stays a heading."""
    here = [spot for spot in list_spots(wrapper, pages) if spot.path == path]
    section = section_at(wrapper.grammar, path)
    names = {spot.name for spot in here} or (heading_names(section) if section else set())
    excluded = {dotted((*path[:-1], name)) for name in names}
    used = {spot.token for spot in here} or set(wrapper.tokens)
    tokens = (
        replace(token, excluded=tuple(sorted({*token.excluded, *excluded}))) if token in used else token
        for token in wrapper.tokens
    )
    after = replace(wrapper, tokens=tuple(tokens))
    if not here:
        return replace(after, grammar=take_out(after.grammar, [path]))
    return _regrow_from_level_1(
        wrapper, after, pages, Change(is_dropped=lambda spot: spot.path[:-1] == path[:-1] and spot.name in names)
    )


def _find_format(wrapper: Wrapper, example: str, pages: Sequence[Sample]) -> TokenFormat:
    name, paths = heading_name(example), set(find_sections(wrapper, example, pages))
    every = list_spots(wrapper, pages)
    meant = [spot for spot in every if spot.name == name] or [spot for spot in every if spot.path in paths]
    if not meant:
        raise not_found(wrapper, example, pages)
    tokens = list(dict.fromkeys(spot.token for spot in meant))
    if len(tokens) > 1:
        likes = ", ".join(f'"{token.like}" ({token.signature})' for token in tokens)
        raise InputError(
            f'headings "{example}" have {len(tokens)} formats, those of {likes}; name a heading that only one has'
        )
    return tokens[0]


def _drop_format(wrapper: Wrapper, format_: TokenFormat, pages: Sequence[Sample]) -> Wrapper:
    spots = list_spots(wrapper, pages)
    gone = {spot.name for spot in spots if spot.token == format_}
    gone -= {spot.name for spot in spots if spot.token != format_}
    after = replace(
        wrapper,
        tokens=tuple(token for token in wrapper.tokens if token != format_),
        other=tuple(other for other in wrapper.other if other not in gone),
    )
    return _regrow_from_level_1(wrapper, after, pages, Change(is_dropped=lambda spot: spot.token == format_))


def _regrow_from_level_1(before: Wrapper, after: Wrapper, pages: Sequence[Sample], change: Change) -> Wrapper:
    above = min((token.level for token in after.tokens), default=1) - 1
    after = replace(after, tokens=tuple(replace(token, level=token.level - above) for token in after.tokens))
    return regrow(before, after, pages, change)


def settle_tokens(wrapper: Wrapper, pages: Sequence[Sample]) -> Wrapper:
    """Bring the tokens of a corrected wrapper of the paper's method in line with its grammar.

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
    for spot in (spot for spot in list_spots(wrapper, pages) if spot.is_section):
        levels[spot.token] = min(len(spot.path), levels.get(spot.token, len(spot.path)))
    above = min(levels.values(), default=1) - 1
    tokens = (replace(token, level=levels.get(token, token.level + above) - above) for token in wrapper.tokens)
    return replace(wrapper, tokens=tuple(sorted(tokens, key=lambda token: token.level)))
