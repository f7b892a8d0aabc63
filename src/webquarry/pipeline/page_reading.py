"""What a query needs of a page, and whether the page is of the source's kind at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from webquarry.model import Document, Extraction, Section, Wrapper
from webquarry.model.wrapper import OTHER, TITLE
from webquarry.pipeline.narrowing import narrow
from webquarry.pipeline.wrapping import READERS

Path = tuple[str, ...]
Read = Callable[[Document], Extraction]
LEAST_FOUND = 0.2
"""Of what a page has or should have, what is there; the poorest page of a fact book of 261 has 0.36."""


class PageReader:
    """Reads pages of a source, made once for many.

    Of sections only those that are wanted are read, unless they leave a doubt; then the page is read whole before it
    is judged.  So one that lacks a section keeps its row, and one of another template gives none.  Listings are read
    whole: without all fields there would be fewer records.
    """

    def __init__(self, wrapper: Wrapper, wanted: Sequence[Path] | None) -> None:
        """`wanted` are paths of sections, and the title; None is all."""
        self._wrapper = wrapper
        self._wanted = None if wanted is None or wrapper.listing is not None else _with_witness(wrapper, wanted)

    def read(self, document: Document) -> Extraction | None:
        """What was found; None when the page looks like one of another template."""
        if self._wanted is not None:
            read = self._read_wanted(document)
            found = narrow(read, self._wanted)
            if _has_sections(found) and not any(_concerns(path, self._wanted) for path in read.missing):
                return found
        whole = self._read_whole(document)
        if self._is_of_source(whole):
            return whole
        if self._wrapper.listing is not None and not whole.values and self._is_empty_listing(document):
            return replace(whole, missing=())
        return None

    @cached_property
    def _read_wanted(self) -> Read:
        return self._make(self._wanted or ())

    @cached_property
    def _read_whole(self) -> Read:
        return self._make(())

    def _make(self, wanted: Sequence[Path]) -> Read:
        return READERS[self._wrapper.source.kind, self._wrapper.method](self._wrapper, wanted)

    def _is_empty_listing(self, document: Document) -> bool:
        from webquarry.wrapping.listings.emptiness import is_empty_listing  # noqa: PLC0415 - NumPy is slow to import

        return is_empty_listing(self._wrapper, document)

    def _is_of_source(self, whole: Extraction) -> bool:
        """Whether a page has most of the outermost sections that it should, or a listing of the fields.

        Inside of them pages of one template differ widely: that of a desert island lacks most of what is told of
        countries.  But some of it they have.
        """
        depth = 0 if self._wrapper.listing is None else 2
        known = [value.path for value in whole.values if value.path[0] not in (TITLE, OTHER)]
        found = {path[depth] for path in known}
        lacking = [path for path in whole.missing if depth or "." not in path]
        return len(found) >= max(len(lacking), 1) and len(known) >= LEAST_FOUND * (len(known) + len(whole.missing))


def _has_sections(extraction: Extraction) -> bool:
    """Whether anything was found but the title, which pages of all templates have."""
    return any(value.path[0] != TITLE for value in extraction.values)


def _concerns(missing: str, wanted: Sequence[Path]) -> bool:
    """Whether what is missing is wanted, or around it, or in it."""
    path = tuple(missing.split("."))
    return any(path[: len(each)] == each[: len(path)] for each in wanted)


def _with_witness(wrapper: Wrapper, wanted: Sequence[Path]) -> list[Path] | None:
    """The paths, with one that every page has where there is no other to tell the page by; None without such."""
    if any(path != (TITLE,) for path in wanted):
        return list(wanted)
    witness = _find_witness(wrapper.grammar)
    return [*wanted, witness] if witness else None


def _find_witness(section: Section) -> Path:
    """The path of the first section that no sample lacks, as far inside as there are such."""
    child = next((each for each in section.children if not each.is_optional), None)
    if child is None or child.is_repeated or child.type == "table":
        return () if child is None else (child.name,)
    return (child.name, *_find_witness(child))
