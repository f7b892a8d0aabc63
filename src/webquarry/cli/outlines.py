"""What a wrapper is made of, in lines for a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import unified_diff
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webquarry.model import Extraction, Wrapper

Path = tuple[str, ...]
CONTEXT = 1
"""Lines that are shown around those that changed."""
_STEP = 2  # cells that a section stands further in than the one that holds it


def write_outline(wrapper: Wrapper, extractions: Iterable[Extraction]) -> Iterator[str]:
    """The sections with their numbers, and on how many of the sample pages each was found; then the formats."""
    from webquarry.pipeline import find_paths  # noqa: PLC0415 - help and usage errors need no stages

    samples = list(extractions)
    counts = _count(samples)
    names = [_indented(path) for path in find_paths(wrapper)]
    width = max(map(len, names), default=0)
    types = _types(wrapper)
    for number, (path, name) in enumerate(zip(find_paths(wrapper), names, strict=True), start=1):
        said = f"{number:>4}  {name:<{width}}  {types.get(path, ''):<8}on {counts[path]} of {len(samples)}"
        yield said.rstrip()
    yield from _write_formats(wrapper)
    if wrapper.other:
        yield f"In any section: {', '.join(wrapper.other)}"


def describe_change(before: Wrapper, after: Wrapper) -> list[str]:
    """The lines of the outline that are others than before, with those around them."""
    lines = unified_diff(list(_sections(before)), list(_sections(after)), lineterm="", n=CONTEXT)
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def _sections(wrapper: Wrapper) -> Iterator[str]:
    from webquarry.pipeline import find_paths  # noqa: PLC0415

    types = _types(wrapper)
    for path in find_paths(wrapper):
        kind = types.get(path)
        yield f" {_indented(path)}" + (f"  {kind}" if kind else "")


def _indented(path: Path) -> str:
    return " " * _STEP * (len(path) - 1) + path[-1]


def _types(wrapper: Wrapper) -> dict[Path, str]:
    """Those that are not text."""
    from webquarry.pipeline import find_paths  # noqa: PLC0415

    if wrapper.listing is None:
        types = {path: "list" if section.is_repeated else section.type for path, section in wrapper.grammar.walk()}
    else:
        fields = wrapper.listing.fields
        types = {path: field.type for path, field in zip(find_paths(wrapper), fields, strict=True)}
    return {path: kind for path, kind in types.items() if kind != "text"}


def _count(extractions: Iterable[Extraction]) -> Counter[Path]:
    """On how many pages there is something at each path or below it."""
    counts: Counter[Path] = Counter()
    for extraction in extractions:
        paths = {tuple(part for part in value.path if isinstance(part, str)) for value in extraction.values}
        found = {path[:length] for path in paths for length in range(1, len(path) + 1)}
        counts.update(found | {path[1:] for path in found if path[0] == "records"})
    return counts


def _write_formats(wrapper: Wrapper) -> Iterator[str]:
    from webquarry.model.naming import list_names  # noqa: PLC0415
    from webquarry.storing.text_tables import printable  # noqa: PLC0415

    for token in wrapper.tokens:
        look = token.look or token.signature
        which = f", of these names: {list_names(token.names)}" if token.names else ""
        yield f"Level {token.level}: like “{printable(token.like)}”, {printable(look)}{which}"
