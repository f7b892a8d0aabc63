"""Find the heading that names a page, such as the country in a fact book, and strip it from other headings."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from webquarry.page.text_runs import COLON, RUN_IN, SEPARATOR, Elements, Piece, read_first_piece, to_selector
from webquarry.page.trees import MarkupTree, Tree
from webquarry.wrapping.sample_pages import Format, Sample

MIN_REPEATING_HEADINGS = 3
"""Headings of a signature that repeat the title."""
MIN_SHARE_REPEATING = 0.8
"""Share of the pieces of a signature that repeat the title."""
MAX_TITLE_CANDIDATES = 500
"""Elements of the title's tag that are tried on a page."""
_TAG_ENDS = re.compile(r"[.:\[]")
_SEPARATORS = " \xa0:;,.-–—|·•»/"  # noqa: RUF001 - dashes of all kinds


def find_title(pages: Sequence[Sample]) -> str:
    """Find the signature of the largest text that is unique to each page; empty if there is none.

    A page has it once, or always the same; no two pages share it.  A single page is not enough to find it.
    """
    if len(pages) <= 1:
        return ""
    own = [_single_texts(page) for page in pages]
    shared = set.intersection(*(set(texts) for texts in own))
    distinct = [format_ for format_ in shared if len({texts[format_][1] for texts in own}) == len(pages)]
    if not distinct:
        return ""

    def rank(format_: Format) -> tuple[float, bool, int]:
        return -format_.look.size, not format_.look.is_bold, sum(texts[format_][0] for texts in own)

    return min(distinct, key=rank).signature


def _single_texts(page: Sample) -> dict[Format, tuple[int, str]]:
    """Map each format whose pieces are all one text to the number of the first piece, and the text."""
    found: dict[Format, tuple[int, str]] = {}
    several = set()
    for place, (piece, format_) in enumerate(zip(page.pieces, page.formats, strict=True)):
        is_label = format_.signature.endswith((COLON, RUN_IN))
        _, text = found.setdefault(format_, (place, piece.text))
        if is_label or text != piece.text:
            several.add(format_)
    return {format_: text for format_, text in found.items() if format_ not in several}


def read_title(tree: Tree[Any], elements: Elements, signature: str) -> Piece | None:
    """Find the title of a page."""
    for node in _candidates(tree, signature)[:MAX_TITLE_CANDIDATES] if signature else []:
        _, found, is_hidden, *_ = elements(node)
        if found == signature and not is_hidden:
            piece = read_first_piece(tree, elements, node)
            if piece is not None and piece.signature == signature:
                return piece
    return None


def _candidates(tree: Tree[Any], signature: str) -> list[Any]:
    """Select the elements whose text may have a signature."""
    selector = to_selector([signature])
    if isinstance(tree, MarkupTree) and selector:
        return tree.select(selector)
    step = signature.rsplit(SEPARATOR, maxsplit=1)[-1]
    return tree.named(_TAG_ENDS.split(step, maxsplit=1)[0])


def strip_title(pieces: Sequence[Piece], title: str) -> None:
    """Remove the page's title from headings that repeat it, as in `Geography :: Elm` or `Elm: Geography`.

    Headings repeat it if nearly all pieces of their signature do.
    """
    if not title:
        return
    repeating: dict[str, list[Piece]] = defaultdict(list)
    for piece in pieces:
        if title in piece.text and without_title(piece.text, title):
            repeating[piece.signature].append(piece)
    totals = Counter(piece.signature for piece in pieces) if repeating else Counter[str]()
    for signature, found in repeating.items():
        if len(found) >= MIN_REPEATING_HEADINGS and len(found) >= MIN_SHARE_REPEATING * totals[signature]:
            for piece in found:
                piece.text = without_title(piece.text, title)


def without_title(text: str, title: str) -> str:
    """Remove a title that a text begins or ends with; return an empty text if it does not.

    >>> [without_title(text, "Elm") for text in ("Geography :: Elm", "Elm, Geography", "New Elm Geography")]
    ['Geography', 'Geography', '']
    """
    if text.endswith(title):
        return text.removesuffix(title).rstrip(_SEPARATORS)
    return text.removeprefix(title).lstrip(_SEPARATORS) if text.startswith(title) else ""
