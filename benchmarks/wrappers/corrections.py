"""What a person would correct in the wrapper of each fact book, once it is learnt."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from benchmarks.wrappers.books import RENDERED, Book, draw_samples, learn_book, read_samples
from webquarry.errors import InputError
from webquarry.model.wrapper import Wrapper
from webquarry.wrapping.corrections import Correction, Drop, Move, correct

CORRECTIONS: dict[str, Sequence[Correction]] = {
    "2011": (),
    "2020": (
        Drop("improved:", whole_format=True),
        Move("arable land", "land_use"),
        Drop("agricultural_land.permanent_crops", whole_format=True),
        Drop("volcanism"),
    ),
}


def correct_book(book: Book, draw: int = 0) -> Wrapper:
    """The wrapper that the samples of a draw give, rendered, after the corrections that it takes.

    They are chosen for the first draw; a wrapper that has nothing of the kind to correct refuses one.
    """
    wrapper = learn_book(book, RENDERED, draw)
    samples = read_samples(book, RENDERED, draw_samples(book)[draw])
    for action in CORRECTIONS[book.year]:
        with suppress(*([InputError] if draw else [])):
            wrapper = correct(wrapper, action, samples)
    return wrapper
