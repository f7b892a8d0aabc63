"""Changes to a text by places, all told in places of the text as it was."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

Edit = tuple[int, int, str]
"""From where to where, and what stands there instead."""


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with all changes; none of them may overlap.

    >>> apply_edits("one two three", [(4, 8, ""), (0, 1, "O")])
    'One three'
    """
    parts, place = [], 0
    for start, stop, instead in sorted(edits):
        parts += [text[place:start], instead]
        place = stop
    return "".join([*parts, text[place:]])


def cut_members(spans: Sequence[tuple[int, int]], gone: Collection[int]) -> list[Edit]:
    """What takes some members out of a list that has a separator between every two, and one separator with each.

    >>> apply_edits("[1, 2, 3]", cut_members([(1, 2), (4, 5), (7, 8)], {1, 2}))
    '[1]'
    >>> apply_edits("[1, 2, 3]", cut_members([(1, 2), (4, 5), (7, 8)], {0}))
    '[2, 3]'
    """
    kept = [place for place in range(len(spans)) if place not in gone]
    if not kept:
        return [(spans[0][0], spans[-1][1], "")] if spans else []
    last = kept[-1]
    edits = [(spans[place][0], spans[place + 1][0], "") for place in gone if place < last]
    return edits if last == len(spans) - 1 else [*edits, (spans[last][1], spans[-1][1], "")]
