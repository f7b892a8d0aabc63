"""Texts that are headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from webquarry.errors import InputError
from webquarry.formats.pieces import COLON
from webquarry.model import TokenFormat, Wrapper
from webquarry.model.naming import list_names
from webquarry.wrapping.corrections.actions import Add
from webquarry.wrapping.corrections.finding import dotted, find_holder, find_sections, is_path, no_such
from webquarry.wrapping.corrections.grammars import Path
from webquarry.wrapping.corrections.growing import Change, grow
from webquarry.wrapping.corrections.leveling import level_of_section, make_room
from webquarry.wrapping.corrections.pages import Spot, is_of, read_spots
from webquarry.wrapping.corrections.renaming import check_name
from webquarry.wrapping.headings import LONGEST_HEADING, line_starts
from webquarry.wrapping.names import heading_name
from webquarry.wrapping.samples import Format, Sample


def add(wrapper: Wrapper, action: Add, pages: Sequence[Sample]) -> Wrapper:
    """The wrapper by which the text, or all of its format, starts a section."""
    if not pages:
        raise InputError(f'the sample pages are needed to find "{action.example}" on them')
    spots = read_spots(wrapper, pages)
    format_ = _find_format(wrapper, action.example, pages, spots)
    after, holder = _with_heading(wrapper, action, format_, pages, spots)
    name = heading_name(action.example)

    def is_new(spot: Spot) -> bool:
        return (action.whole_format or spot.name == name) and is_of(spot.token, format_)

    names = {name: check_name(action.name)} if action.name else {}
    forced = None if action.whole_format else holder
    after = replace(after, grammar=grow(wrapper, after, pages, Change(is_new=is_new, holder=forced, names=names)))
    _check_added(wrapper, after, action, pages)
    return after


def _with_heading(
    wrapper: Wrapper, action: Add, format_: Format, pages: Sequence[Sample], spots: Sequence[Sequence[Spot]]
) -> tuple[Wrapper, Path | None]:
    """The wrapper that knows the heading but not its section, and the section that it is to be in."""
    holder = find_holder(wrapper, action.to, spots) if action.to else None
    if holder is None:
        level, after = make_room(wrapper, format_, pages)
    else:
        level, after = level_of_section(holder, spots) + 1, wrapper
    if action.whole_format:
        tokens = _with_format(after, format_, action.example, level)
    else:
        tokens = _with_name(after, format_, action.example, level, is_placed=holder is not None)
    name = heading_name(action.example)
    other = tuple(each for each in wrapper.other if each != name)
    ignored = tuple(signature for signature in wrapper.ignored if signature != format_.signature)
    return replace(after, tokens=tokens, other=other, ignored=ignored), holder


def _find_format(wrapper: Wrapper, example: str, pages: Sequence[Sample], spots: Sequence[Sequence[Spot]]) -> Format:
    """The format in which the text stands on the pages, is no heading and could be one."""
    name = heading_name(example)
    known = [{spot.piece: spot.path for spot in page if spot.is_section} for page in spots]
    sections: set[Path] = set(find_sections(wrapper, example)) if is_path(wrapper, example) else set()
    is_inside, could_be = False, Counter[Format]()
    for page, paths in zip(pages, known, strict=True):
        for number, starts in enumerate(line_starts(page)):
            piece = page.pieces[number]
            if heading_name(piece.text) != name:
                continue
            if number in paths:
                sections.add(paths[number])
            elif starts or piece.signature.endswith(COLON):
                could_be[page.formats[number]] += 1
            else:
                is_inside = True
    if could_be:
        plain = Counter(format_ for page in pages for format_ in page.formats).most_common(1)[0][0]
        return max(could_be, key=lambda format_: _likeliness(wrapper, format_, plain, could_be[format_]))
    if sections:
        raise InputError(f'"{example}" is a section already: {list_names(sorted(map(dotted, sections)))}')
    if is_inside:
        raise InputError(
            f'"{example}" stands within a line on the sample pages; a heading begins a line or ends with a colon'
        )
    texts = {piece.text for page in pages for piece in page.pieces if len(piece.text.split()) <= LONGEST_HEADING}
    raise no_such(wrapper, example, spots, texts)


def _likeliness(wrapper: Wrapper, format_: Format, plain: Format, count: int) -> tuple[bool, bool, bool, int]:
    is_known = any(is_of(token, format_) for token in wrapper.tokens)
    return format_.signature not in wrapper.ignored, is_known, format_ != plain, count


def _with_name(
    wrapper: Wrapper, format_: Format, example: str, level: int, *, is_placed: bool
) -> tuple[TokenFormat, ...]:
    """The formats, one of which takes the text.

    Where a person has said in which section it is, and its format is not below that, it gets an entry of its own.
    """
    name = heading_name(example)
    tokens = [_allowing(token, name) if is_of(token, format_) else token for token in wrapper.tokens]
    for place, token in enumerate(tokens):
        if is_of(token, format_) and (not token.names or name in token.names):
            if not is_placed or token.level >= level:
                return tuple(tokens)
            tokens[place] = replace(token, excluded=(*token.excluded, name))
    for place, token in enumerate(tokens):
        if is_of(token, format_) and token.names and token.level == level and name not in token.excluded:
            tokens[place] = replace(token, names=tuple(sorted({*token.names, name})))
            return tuple(tokens)
    return _in_order(tokens, _new_token(wrapper, format_, example, level, names=(name,)))


def _with_format(wrapper: Wrapper, format_: Format, example: str, level: int) -> tuple[TokenFormat, ...]:
    """The formats, one of which takes all texts that look so and that no other one takes."""
    same = [token for token in wrapper.tokens if is_of(token, format_)]
    if not same:
        return _in_order(wrapper.tokens, _new_token(wrapper, format_, example, level))
    general = next((token for token in same if not token.names), same[0])
    special = {name for token in same if token is not general for name in token.names}
    widened = replace(general, names=(), excluded=tuple(sorted(special)))
    return tuple(widened if token is general else token for token in wrapper.tokens)


def _allowing(token: TokenFormat, name: str) -> TokenFormat:
    return replace(token, excluded=tuple(path for path in token.excluded if path.split(".")[-1] != name))


def _new_token(wrapper: Wrapper, format_: Format, example: str, level: int, names: tuple[str, ...] = ()) -> TokenFormat:
    is_rendered = any(token.look for token in wrapper.tokens)
    look = format_.look.to_words() if is_rendered else ""
    return TokenFormat(level=level, like=example, signature=format_.signature, look=look, names=names)


def _in_order(tokens: Sequence[TokenFormat], new: TokenFormat) -> tuple[TokenFormat, ...]:
    place = next((place for place, token in enumerate(tokens) if token.level > new.level), len(tokens))
    return (*tokens[:place], new, *tokens[place:])


def _check_added(before: Wrapper, after: Wrapper, action: Add, pages: Sequence[Sample]) -> None:
    """Refuse what changes nothing, and a section that the text does not start where it stands."""
    if after == before:
        raise InputError(f'all texts like "{action.example}" are headings already; see the outline for where they are')
    known = {path for path, _ in before.grammar.walk()}
    read = {spot.path for page in read_spots(after, pages) for spot in page}
    lost = [path for path, _ in after.grammar.walk() if path not in known and path not in read]
    if lost:
        raise InputError(
            f'"{action.example}" would not be found in {dotted(lost[0][:-1]) or "the page itself"}, which is not open '
            "where it stands on the sample pages; name another section, or leave it to the format"
        )
