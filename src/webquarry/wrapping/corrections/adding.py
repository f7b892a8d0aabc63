"""Texts that are headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from webquarry.errors import InputError
from webquarry.model import TokenFormat, Wrapper
from webquarry.model.naming import list_names
from webquarry.model.wrapper import OTHER
from webquarry.wrapping.corrections.actions import Add
from webquarry.wrapping.corrections.finding import dotted, find_holder, find_sections, is_path, no_such
from webquarry.wrapping.corrections.grammars import Path
from webquarry.wrapping.corrections.growing import Change, grow
from webquarry.wrapping.corrections.leveling import level_of_section, make_room
from webquarry.wrapping.corrections.pages import Spot, is_of, read_spots
from webquarry.wrapping.corrections.renaming import check_name
from webquarry.wrapping.corrections.types_of_new import with_new_types
from webquarry.wrapping.headings import LONGEST_HEADING
from webquarry.wrapping.lines import Lines
from webquarry.wrapping.names import heading_name
from webquarry.wrapping.samples import Format, Sample


@dataclass(frozen=True)
class _Text:
    """A text on the sample pages that could be a heading."""

    example: str
    name: str
    format: Format
    is_inline: bool
    """Whether it stands within a line."""
    is_known: bool
    """Whether it is a heading there, though of no section."""


def add(wrapper: Wrapper, action: Add, pages: Sequence[Sample]) -> Wrapper:
    """The wrapper by which the text, or all of its format, starts a section."""
    if not pages:
        raise InputError(f'the sample pages are needed to find "{action.example}" on them')
    spots = read_spots(wrapper, pages)
    text = _find_text(wrapper, action.example, pages, spots)
    after, holder = _with_heading(wrapper, action, text, pages, spots)

    def is_new(spot: Spot) -> bool:
        return (action.whole_format or spot.name == text.name) and is_of(spot.token, text.format)

    names = {text.name: check_name(action.name)} if action.name else {}
    forced = None if action.whole_format else holder
    after = grow(wrapper, after, pages, Change(is_new=is_new, holder=forced, names=names))
    _check_added(wrapper, after, action, pages)
    return with_new_types(wrapper, after, pages)


def _with_heading(
    wrapper: Wrapper, action: Add, text: _Text, pages: Sequence[Sample], spots: Sequence[Sequence[Spot]]
) -> tuple[Wrapper, Path | None]:
    """The wrapper that knows the heading but not its section, and the section that it is to be in."""
    holder = find_holder(wrapper, action.to, spots) if action.to else None
    if holder is None:
        level, after = make_room(wrapper, text.format, pages)
    else:
        level, after = level_of_section(holder, spots) + 1, wrapper
    if action.whole_format:
        tokens = _with_format(after, text, level)
    else:
        tokens = _with_name(after, text, level, is_placed=holder is not None)
    is_pulled_out = text.is_known or holder is not None
    other = tuple(each for each in wrapper.other if each != text.name or not is_pulled_out)
    ignored = tuple(signature for signature in wrapper.ignored if signature != text.format.signature)
    return replace(after, tokens=tokens, other=other, ignored=ignored), holder


def _find_text(wrapper: Wrapper, example: str, pages: Sequence[Sample], spots: Sequence[Sequence[Spot]]) -> _Text:
    """How the text stands on the pages where it is no section and could start one.

    Where it is plain text comes first; a label that is kept under `_other` becomes a section when it is nowhere that.
    """
    name = heading_name(example)
    sections: set[Path] = set(find_sections(wrapper, example)) if is_path(wrapper, example) else set()
    beginning, within, labels = Counter[Format](), Counter[Format](), Counter[Format]()
    is_in_table = False
    for page, found in zip(pages, spots, strict=True):
        known = {spot.piece: spot.path for spot in found}
        starts = Lines(page).starts
        for number in (number for number, piece in enumerate(page.pieces) if heading_name(piece.text) == name):
            if number in known and known[number][0] == OTHER:
                labels[page.formats[number]] += 1
            elif number in known:
                sections.add(known[number])
            elif page.pieces[number].cell is not None:
                is_in_table = True
            else:
                (beginning if starts[number] else within)[page.formats[number]] += 1
    could_be = beginning or within or labels
    if could_be:
        plain = Counter(format_ for page in pages for format_ in page.formats).most_common(1)[0][0]
        format_ = max(could_be, key=lambda each: _likeliness(wrapper, each, plain, could_be[each]))
        return _Text(example, name, format_, is_inline=format_ in within, is_known=could_be is labels)
    if sections:
        raise InputError(f'"{example}" is a section already: {list_names(sorted(map(dotted, sections)))}')
    if is_in_table:
        raise InputError(f'"{example}" stands in a data table on the sample pages, whose cells start no sections')
    texts = {piece.text for page in pages for piece in page.pieces if len(piece.text.split()) <= LONGEST_HEADING}
    raise no_such(wrapper, example, spots, texts)


def _likeliness(wrapper: Wrapper, format_: Format, plain: Format, count: int) -> tuple[bool, bool, bool, int]:
    is_known = any(is_of(token, format_) for token in wrapper.tokens)
    return format_.signature not in wrapper.ignored, is_known, format_ != plain, count


def _with_name(wrapper: Wrapper, text: _Text, level: int, *, is_placed: bool) -> tuple[TokenFormat, ...]:
    """The formats, one of which takes the text.

    Where a person has said in which section it is, and its format is not below that, it gets an entry of its own.
    """
    name = text.name
    tokens = [_allowing(token, name) if is_of(token, text.format) else token for token in wrapper.tokens]
    same = [place for place, token in enumerate(tokens) if is_of(token, text.format)]
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
    return _in_order(tokens, _new_token(wrapper, text, level, names=(name,)))


def _with_format(wrapper: Wrapper, text: _Text, level: int) -> tuple[TokenFormat, ...]:
    """The formats, one of which takes all texts that look so and that no other one takes."""
    same = [token for token in wrapper.tokens if is_of(token, text.format)]
    if not same:
        return _in_order(wrapper.tokens, _new_token(wrapper, text, level))
    general = next((token for token in same if not token.names), same[0])
    special = {name for token in same if token is not general for name in token.names}
    is_inline = general.is_inline or text.is_inline
    widened = replace(general, names=(), excluded=tuple(sorted(special)), is_inline=is_inline)
    return tuple(widened if token is general else token for token in wrapper.tokens)


def _allowing(token: TokenFormat, name: str) -> TokenFormat:
    return replace(token, excluded=tuple(path for path in token.excluded if path.split(".")[-1] != name))


def _new_token(wrapper: Wrapper, text: _Text, level: int, names: tuple[str, ...] = ()) -> TokenFormat:
    is_rendered = any(token.look for token in wrapper.tokens)
    return TokenFormat(
        level=level,
        like=text.example,
        signature=text.format.signature,
        look=text.format.look.to_words() if is_rendered else "",
        names=names,
        is_inline=text.is_inline,
    )


def _in_order(tokens: Sequence[TokenFormat], new: TokenFormat) -> tuple[TokenFormat, ...]:
    place = next((place for place, token in enumerate(tokens) if token.level > new.level), len(tokens))
    return (*tokens[:place], new, *tokens[place:])


def _check_added(before: Wrapper, after: Wrapper, action: Add, pages: Sequence[Sample]) -> None:
    """Refuse what changes nothing, and a section that the text does not start where it stands."""
    if after == before:
        raise InputError(f'all texts like "{action.example}" are headings already; see the outline for where they are')
    known = {path for path, _ in before.grammar.walk()}
    read = [{spot.path for spot in page if spot.is_section} for page in read_spots(after, pages)]
    found = set().union(*read)
    lost = [path for path, _ in after.grammar.walk() if path not in known and path not in found]
    lost += [path for page in read for path in page - known if path[:-1] not in page | {()}]
    if lost:
        raise InputError(
            f'"{action.example}" would not be found in {dotted(lost[0][:-1]) or "the page itself"}, which is not open '
            "where it stands on the sample pages; name another section, or leave it to the format"
        )
