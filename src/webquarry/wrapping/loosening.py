"""Pages whose class names vary where those of the samples did not.

Samples may all be of one region, language or year, and have its class name on every heading.  Pages of others then
lack that name: such a heading has some of the names of its format, and says what headings of the grammar say.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence

from webquarry.formats.elements import SEPARATOR
from webquarry.formats.pieces import Piece
from webquarry.model import Wrapper
from webquarry.wrapping.names import heading_name

OUTER_LEVELS = 2
"""Levels whose headings a page does not lack: those of its sections and of most of their fields."""
MOST = 0.5
"""Share of the pieces of a signature whose names the grammar has."""
_STEP = re.compile(r"([\w-]+)((?:\.[^.\[:\s]+)*)(.*)", re.DOTALL)


class Loosening:
    """Gives headings that lack a class name of their format its signature, where a page has none of that."""

    def __init__(self, wrapper: Wrapper) -> None:
        signatures = {token.signature for token in wrapper.tokens}
        self._outer = {token.signature for token in wrapper.tokens if token.level <= OUTER_LEVELS}
        self._ignored = frozenset(wrapper.ignored)
        self._known = {*signatures, *wrapper.ignored, wrapper.title}
        self._names = {section.name for _, section in wrapper.grammar.walk()}

    def loosen(self, pieces: Sequence[Piece]) -> None:
        """Change the signatures of such pieces; where class names vary, what is no content may lack one too."""
        present = {piece.signature for piece in pieces}
        absent = self._outer - present
        looser = find_looser(pieces, absent, self._known, self._names) if absent else {}
        if not looser:
            return
        looser |= find_looser(pieces, self._ignored - present, {*self._known, *looser})
        for piece in pieces:
            piece.signature = looser.get(piece.signature, piece.signature)


def find_looser(
    pieces: Sequence[Piece], absent: Collection[str], known: Collection[str], names: Collection[str] | None = None
) -> dict[str, str]:
    """Signatures of a page that stand for those that it lacks, each with the one that it stands for.

    `absent` are the signatures that the page lacks, `known` all that the wrapper has; those of headings must mostly
    say one of `names`.
    """
    texts: dict[str, list[str]] = defaultdict(list)
    for piece in pieces:
        if piece.signature not in known:
            texts[piece.signature].append(piece.text)
    found = {}
    for wanted in absent:
        looser = [signature for signature in texts if is_looser(signature, wanted)]
        if names is not None:
            looser = [each for each in looser if _share_of_names(texts[each], names) >= MOST]
        if len(looser) == 1:
            found[looser[0]] = wanted
    return found


def is_looser(signature: str, other: str) -> bool:
    """Whether a signature has the tags of another, and some of its class names but not all.

    >>> is_looser("div.bar > b :", "div.bar.europe > b :"), is_looser("div > b :", "div.bar > b :")
    (True, False)
    """
    ours, theirs = signature.split(SEPARATOR), other.split(SEPARATOR)
    if signature == other or len(ours) != len(theirs):
        return False
    has_names = False
    for own, its in zip(map(_parts, ours), map(_parts, theirs), strict=True):
        if own[0] != its[0] or not own[1] <= its[1]:
            return False
        has_names |= bool(own[1])
    return has_names


def _parts(step: str) -> tuple[tuple[str, str], frozenset[str]]:
    """The tag of a step with what follows its class names, and these."""
    found = _STEP.fullmatch(step)
    if found is None:
        return (step, ""), frozenset()
    tag, classes, rest = found.groups()
    return (tag, rest), frozenset(classes.split(".")[1:])


def _share_of_names(texts: Sequence[str], names: Collection[str]) -> float:
    return sum(heading_name(text) in names for text in texts) / len(texts)
