"""Choosing: the wrapper that gives again what was mined, without a browser where that will do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from webquarry.errors import InputError
from webquarry.model import Wrapper
from webquarry.wrapping.listings.agreement import Agreement
from webquarry.wrapping.listings.samples import Sample

LEAST_RECORDS = 0.5
"""Of the records of samples, those that must be found again."""
WORTH_RENDERING = 0.05
"""Of the values, those that must be read rightly only when rendered: a browser costs some hundred times as much."""


def choose_wrapper(
    wrappers: Sequence[Wrapper], samples: Sequence[Sample], measure: Callable[[Wrapper], Agreement]
) -> Wrapper:
    """The first of the wrappers that agree best with the samples, rendered where that helps; refused if none does."""
    best, agreed = _best(wrappers, measure)
    if agreed < Agreement(1, 1) and any(sample.region.document.kind != "static" for sample in samples):
        rendered, other = _best([_render(wrapper) for wrapper in wrappers], measure)
        if other.records > agreed.records or other.cells >= agreed.cells + WORTH_RENDERING:
            best, agreed = rendered, other
    if agreed.records < LEAST_RECORDS:
        raise InputError(
            f"{samples[0].region.document.url}: tags and class names do not tell the records from the rest of the page:"
            f" {agreed}; mine its pages instead"
        )
    return best


def _best(wrappers: Sequence[Wrapper], measure: Callable[[Wrapper], Agreement]) -> tuple[Wrapper, Agreement]:
    best, agreed = wrappers[0], measure(wrappers[0])
    for wrapper in wrappers[1:]:
        if agreed.records == 1:
            break
        other = measure(wrapper)
        if other > agreed:
            best, agreed = wrapper, other
    return best, agreed


def _render(wrapper: Wrapper) -> Wrapper:
    return replace(wrapper, source=replace(wrapper.source, render=True))
