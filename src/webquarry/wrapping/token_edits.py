"""Texts that are headings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from webquarry.errors import InputError
from webquarry.model.names import list_names
from webquarry.model.wrapper import OTHER, TEXT, Section, TokenFormat, Wrapper
from webquarry.page.text_runs import COLON
from webquarry.values.locale import Locale
from webquarry.wrapping.correction_targets import (
    Add,
    Drop,
    check_name,
    dotted,
    find_holder,
    find_section,
    find_sections,
    is_path,
    no_such,
)
from webquarry.wrapping.grammar import with_types
from webquarry.wrapping.grammar_edits import (
    Change,
    Path,
    Spot,
    grow,
    heading_names,
    is_of,
    read_spots,
    section_at,
    take_out,
)
from webquarry.wrapping.levels import rank_formats
from webquarry.wrapping.sample_pages import Format, Sample
from webquarry.wrapping.section_headings import LONGEST_HEADING, Heading, Lines, find_marks, heading_name
from webquarry.wrapping.section_reader import Reader


# MERGED wrapping/corrections/leveling: How far in a new heading's section is.
def level_of_section(path: Path, spots: Sequence[Sequence[Spot]]) -> int:
    """The level of the headings that start a section; how deep it is when the pages have none."""
    levels = [spot.token.level for page in spots for spot in page if spot.path == path]
    return max(levels, default=len(path))


def make_room(wrapper: Wrapper, format_: Format, pages: Sequence[Sample]) -> tuple[int, Wrapper]:
    """The level of a format, and the wrapper in which those below it are of lower levels.

    It is the format's own, or else that which size and order on the pages give it among the others.
    """
    own = [token.level for token in wrapper.tokens if is_of(token, format_)]
    if own:
        return max(own), wrapper
    formats = {each for page in pages for each in page.formats}
    known = {each: level for each in formats if (level := _level(wrapper, each))}
    headings = {each: Heading(each, None, is_inline=each.signature.endswith(COLON)) for each in (*known, format_)}
    ranks = rank_formats([find_marks(page, headings, set(wrapper.ignored) - {format_.signature}) for page in pages])
    rank = ranks.get(format_, 1)
    beside = [level for each, level in known.items() if ranks.get(each) == rank]
    if beside:
        return min(beside), wrapper
    level = max((level for each, level in known.items() if ranks.get(each, rank) < rank), default=0) + 1
    if all(own > level for each, own in known.items() if ranks.get(each, rank) > rank):
        return level, wrapper
    lower = (replace(token, level=token.level + (token.level >= level)) for token in wrapper.tokens)
    return level, replace(wrapper, tokens=tuple(lower))


def _level(wrapper: Wrapper, format_: Format) -> int:
    return next((token.level for token in wrapper.tokens if is_of(token, format_)), 0)


# MERGED wrapping/corrections/types_of_new: Types of the values of new sections.
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


# MERGED wrapping/corrections/dropping: Headings that are text.
def drop(wrapper: Wrapper, action: Drop, pages: Sequence[Sample]) -> Wrapper:
    """The wrapper by which the heading, or all of its format, is text of the section before it."""
    if is_path(wrapper, action.example):
        path = find_section(wrapper, action.example)
        paths = _find_alike(wrapper, path, read_spots(wrapper, pages)) if action.whole_format else [path]
        for each in paths:
            wrapper = _drop_section(wrapper, each, pages)
        return wrapper
    spots = read_spots(wrapper, pages)
    if action.whole_format:
        return _drop_format(wrapper, _find_format(wrapper, action.example, spots), pages, spots)
    return _drop_everywhere(wrapper, action.example, pages, spots)


def _find_alike(wrapper: Wrapper, path: Path, spots: Sequence[Sequence[Spot]]) -> list[Path]:
    """The sections beside one that are started by headings of its format alone, and itself."""
    tokens: dict[Path, set[TokenFormat]] = {}
    for spot in (spot for page in spots for spot in page):
        tokens.setdefault(spot.path, set()).add(spot.token)
    holder = section_at(wrapper.grammar, path[:-1])
    beside = [(*path[:-1], child.name) for child in holder.children] if holder else []
    own = tokens.get(path, set())
    return [each for each in beside if each == path or (each in tokens and tokens[each] <= own)]


def _drop_section(wrapper: Wrapper, path: Path, pages: Sequence[Sample]) -> Wrapper:
    """The wrapper without a section; by its name where no other has that, so that it is text on every page."""
    spots = read_spots(wrapper, pages)
    elsewhere = [other for other in find_sections(wrapper, path[-1], spots) if other != path]
    if elsewhere or path[-1] in wrapper.other:
        return _drop_there(wrapper, path, pages, spots)
    return _drop_everywhere(wrapper, path[-1], pages, spots)


def _drop_everywhere(
    wrapper: Wrapper, example: str, pages: Sequence[Sample], spots: Sequence[Sequence[Spot]]
) -> Wrapper:
    names, paths = _find_names(wrapper, example, spots)
    if not names:
        raise no_such(wrapper, example, spots)
    signatures = {spot.token.signature for page in spots for spot in page if spot.name in names}
    tokens = [_without_names(token, names, signatures) for token in wrapper.tokens]
    after = replace(
        wrapper,
        tokens=tuple(token for token in tokens if token),
        other=tuple(other for other in wrapper.other if other not in names),
        grammar=take_out(wrapper.grammar, [path for path in paths if not _is_seen(path, spots)]),
    )
    return _regrown(wrapper, after, pages, Change(is_dropped=lambda spot: spot.name in names))


def _find_names(wrapper: Wrapper, example: str, spots: Sequence[Sequence[Spot]]) -> tuple[frozenset[str], list[Path]]:
    """The names of the headings that an example means, and their sections.

    Of a section whose headings are values it is the one heading.
    """
    said = heading_name(example)
    paths = find_sections(wrapper, example, spots)
    names: set[str] = set()
    for path in paths:
        section = section_at(wrapper.grammar, path)
        if section is not None:
            names |= {said} if section.is_repeated else heading_names(section)
    if said in wrapper.other or any(spot.name == said for page in spots for spot in page):
        names.add(said)
    return frozenset(names), paths


def _is_seen(path: Path, spots: Sequence[Sequence[Spot]]) -> bool:
    return any(spot.path == path for page in spots for spot in page)


def _without_names(token: TokenFormat, names: Collection[str], signatures: Collection[str]) -> TokenFormat | None:
    """The format without some headings; None when it has no others.

    On no page seen a heading may be of any format.
    """
    if token.names:
        left = tuple(name for name in token.names if name not in names)
        return replace(token, names=left) if left else None
    if signatures and token.signature not in signatures:
        return token
    return replace(token, excluded=tuple(sorted({*token.excluded, *names})))


def _drop_there(wrapper: Wrapper, path: Path, pages: Sequence[Sample], spots: Sequence[Sequence[Spot]]) -> Wrapper:
    """The heading stays one elsewhere: its format excludes the path."""
    section = section_at(wrapper.grammar, path)
    names = {spot.name for page in spots for spot in page if spot.path == path} or (
        heading_names(section) if section else set()
    )
    excluded = {dotted((*path[:-1], name)) for name in names}
    used = {spot.token for page in spots for spot in page if spot.path == path} or set(wrapper.tokens)
    tokens = (
        replace(token, excluded=tuple(sorted({*token.excluded, *excluded}))) if token in used else token
        for token in wrapper.tokens
    )
    after = replace(wrapper, tokens=tuple(tokens))
    if not _is_seen(path, spots):
        return replace(after, grammar=take_out(after.grammar, [path]))
    return _regrown(wrapper, after, pages, Change(is_dropped=lambda spot: spot.path == path))


def _find_format(wrapper: Wrapper, example: str, spots: Sequence[Sequence[Spot]]) -> TokenFormat:
    name, paths = heading_name(example), set(find_sections(wrapper, example, spots))
    every = [spot for page in spots for spot in page]
    meant = [spot for spot in every if spot.name == name] or [spot for spot in every if spot.path in paths]
    if not meant:
        raise no_such(wrapper, example, spots)
    tokens = list(dict.fromkeys(spot.token for spot in meant))
    if len(tokens) > 1:
        likes = ", ".join(f'"{token.like}" ({token.signature})' for token in tokens)
        raise InputError(
            f'headings "{example}" are of {len(tokens)} formats, those of {likes}; name a heading that only one has'
        )
    return tokens[0]


def _drop_format(
    wrapper: Wrapper, format_: TokenFormat, pages: Sequence[Sample], spots: Sequence[Sequence[Spot]]
) -> Wrapper:
    left = {spot.name for page in spots for spot in page if spot.token != format_}
    gone = {spot.name for page in spots for spot in page if spot.token == format_} - left
    after = replace(
        wrapper,
        tokens=tuple(token for token in wrapper.tokens if token != format_),
        other=tuple(other for other in wrapper.other if other not in gone),
    )
    return _regrown(wrapper, after, pages, Change(is_dropped=lambda spot: spot.token == format_))


def _regrown(before: Wrapper, after: Wrapper, pages: Sequence[Sample], change: Change) -> Wrapper:
    above = min((token.level for token in after.tokens), default=1) - 1
    after = replace(after, tokens=tuple(replace(token, level=token.level - above) for token in after.tokens))
    return grow(before, after, pages, change)
