"""How far in a new heading's section is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from webquarry.formats.pieces import COLON
from webquarry.model import Wrapper
from webquarry.wrapping.corrections.grammars import Path
from webquarry.wrapping.corrections.pages import Spot, is_of
from webquarry.wrapping.headings import Heading
from webquarry.wrapping.ranking import rank_formats
from webquarry.wrapping.samples import Format, Sample
from webquarry.wrapping.tokens import find_marks


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
