"""What a wrapper is made of, in lines for a person."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from webquarry.model import Document, Extraction, Wrapper

Path = tuple[str, ...]


def write_outline(wrapper: Wrapper, documents: Sequence[Document], extractions: Sequence[Extraction]) -> Iterator[str]:
    """The formats and sections, or the fields of a listing, numbered; then which of them some samples lack."""
    from webquarry.pipeline import find_paths  # noqa: PLC0415 - help and usage errors need no stages
    from webquarry.wrapping.outline import outline  # noqa: PLC0415

    if wrapper.listing is None:
        yield from outline(wrapper, documents if wrapper.method == "format" else ()).splitlines()
    else:
        for number, field in enumerate(wrapper.listing.fields, start=1):
            yield f"{number:>2}  {field.name}{'?' * field.is_optional} {field.type}"
    paths = find_paths(wrapper)
    found = _count(extractions)
    lacking = [(found[path], ".".join(path)) for path in paths if found[path] < len(extractions)]
    what = "sections" if wrapper.listing is None else "fields"
    samples = f"all {len(extractions)} samples" if len(extractions) > 1 else "the only sample"
    yield f"{len(paths) - len(lacking)} of {len(paths)} {what} are on {samples}"
    for count in sorted({count for count, _ in lacking}, reverse=True):
        names = ", ".join(name for each, name in lacking if each == count)
        yield f"on {count} of {len(extractions)}: {names}"


def echo(text: str, *, err: bool = False) -> None:
    """Print lines that may quote a page, which must not command the terminal; their spaces stay."""
    from webquarry.storing.text_tables import printable  # noqa: PLC0415

    for line in text.splitlines():
        typer.echo(re.sub(r"[^ ]+", lambda word: printable(word[0]), line), err=err)


def _count(extractions: Iterable[Extraction]) -> Counter[Path]:
    """On how many pages there is something at each path or below it."""
    counts: Counter[Path] = Counter()
    for extraction in extractions:
        paths = {tuple(part for part in value.path if isinstance(part, str)) for value in extraction.values}
        found = {path[:length] for path in paths for length in range(1, len(path) + 1)}
        counts.update(found | {path[1:] for path in found if path[0] == "records"})
    return counts
