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
LISTED = 8
"""Sections in a line that some samples lack: all of them are marked in the outline."""
LONGEST = 600
"""Characters of a line: a page may have headings of any length."""


def write_outline(wrapper: Wrapper, documents: Sequence[Document], extractions: Sequence[Extraction]) -> Iterator[str]:
    """The formats and sections, or the fields of a listing, numbered; then which of them some samples lack."""
    from webquarry.model.naming import list_names  # noqa: PLC0415 - help and usage errors need no stages
    from webquarry.pipeline import find_paths  # noqa: PLC0415
    from webquarry.wrapping.outline import outline  # noqa: PLC0415

    if wrapper.listing is None:
        yield from outline(wrapper, documents if wrapper.method == "format" else ()).splitlines()
    else:
        for number, field in enumerate(wrapper.listing.fields, start=1):
            yield f"{number:>2}  {field.name}{'?' * field.is_optional} {field.type}"
    paths = find_paths(wrapper)
    found = _count(extractions)
    lacking = [path for path in paths if found[path] < len(extractions)]
    what = "sections" if wrapper.listing is None else "fields"
    samples = f"all {len(extractions)} samples" if len(extractions) > 1 else "the only sample"
    yield f"{len(paths) - len(lacking)} of {len(paths)} {what} are on {samples}"
    for count in sorted({found[path] for path in lacking}, reverse=True):
        alike = [path for path in lacking if found[path] == count]
        names = list_names([".".join(path) for path in alike if path[:-1] not in alike], LISTED)
        yield f"on {count} of {len(extractions)}: {names}"
    if not any(found[path] for path in paths):
        yield "the wrapper finds nothing on its own samples; learn it with --static, or from other pages"
    elif len(lacking) == len(paths) and len(extractions) > 1:
        yield "no section is on all samples: they may be of different templates, each of which needs its own wrapper"


def echo(text: str, *, err: bool = False) -> None:
    """Print lines that may quote a page, which must neither command the terminal nor fill it; their spaces stay."""
    from webquarry.storing.text_tables import printable  # noqa: PLC0415

    for line in text.splitlines():
        shown = line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
        typer.echo(re.sub(r"[^ ]+", lambda word: printable(word[0]), shown), err=err)


def _count(extractions: Iterable[Extraction]) -> Counter[Path]:
    """On how many pages there is something at each path or below it."""
    counts: Counter[Path] = Counter()
    for extraction in extractions:
        paths = {tuple(part for part in value.path if isinstance(part, str)) for value in extraction.values}
        found = {path[:length] for path in paths for length in range(1, len(path) + 1)}
        counts.update(found | {path[1:] for path in found if path[0] == "records"})
    return counts
