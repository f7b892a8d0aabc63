"""Regions: the way to what holds the records, as far as samples share it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from webquarry.wrapping.listings.samples import Sample
from webquarry.wrapping.listings.signatures import Path, Step, is_name, is_plain, share_path, tags_of


def region_paths(samples: Sequence[Sample]) -> list[Path]:
    """The way from the body to the region, as far as samples share it.

    Then the same with one place among siblings, from the inside outwards, and with all: a place may shift from page to
    page, and so as few as can be are taken.
    """
    plain = _share_inner([_full_path(sample, placed=False) for sample in samples])
    placed = _share_inner([_full_path(sample, placed=True) for sample in samples])
    lone = [(*plain[:at], placed[at], *plain[at + 1 :]) for at in reversed(range(len(plain))) if placed[at].place]
    return [plain, *lone, placed]


def _full_path(sample: Sample, *, placed: bool) -> Path:
    view, node = sample.view, sample.region.node
    steps: list[Step] = []
    while node > 0 and is_plain(view.name(node)):
        name = view.attributes[node].get("id", "")
        place = view.place(node) if placed else 0
        steps.append(Step(view.name(node), view.classes(node), name if is_name(name) else "", place))
        node = view.parents[node]
    return tuple(reversed([step for step in steps if step.tag != "html"]))


def _share_inner(paths: Sequence[Path]) -> Path:
    """What paths share from their end outwards."""
    length = min(map(len, paths))
    while length > 1 and len({tags_of(path[-length:]) for path in paths}) > 1:
        length -= 1
    tags = Counter(tags_of(path[-length:]) for path in paths).most_common(1)[0][0]
    return share_path([path[-length:] for path in paths if tags_of(path[-length:]) == tags])
