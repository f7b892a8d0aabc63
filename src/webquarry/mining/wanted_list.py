"""Find the list that a person wants by words of one of its records, and tell when the best list is doubtful."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice

import numpy as np

from webquarry.errors import InputError
from webquarry.html.columns import Kind
from webquarry.mining.visual import mine_around
from webquarry.model.document import Document
from webquarry.model.region import Region
from webquarry.model.wording import count

MAX_COMPARED = 3000  # texts of a page among which the nearest is looked for
MAX_SHOWN = 80  # characters of the nearest text in a message
MIN_SURE_SCORE = 0.05
"""The score of a best region below which it is doubtful."""
MAX_SCORE_OF_SECOND = 0.7
"""The score of the second region, to that of the best, above which the best is doubtful.

Calibrated with uneven records on the listing pages of the corpora and on 32 of our own, rendered, static and without
CSS.  Of doubted lists 4 of 14 are wrong (an F1 below .9), of others 6 of 197 (tune half); 4 of 7 and 7 of 146 (check
half).
"""
FEW_WORDS = 80  # on a page that shows little without its scripts; the shortest listing of the corpora has 89
MIN_SCRIPT = 1  # script elements of such a page that run


def pick_region(regions: Sequence[Region], number: int) -> Region:
    """Pick a region by its number, counted from 1, the best; there must be at least one region."""
    if not 1 <= number <= len(regions):
        there = count(len(regions), "region")
        raise InputError(f"{regions[0].document.url}: page has {there}; --region {number} is not among them")
    return regions[number - 1]


def find_like(document: Document, regions: Sequence[Region], words: str) -> Region:
    """Find the first of the regions with a record that has these words; if there is none, grow one around them."""
    found = next(iterate_like(document, regions, words), None)
    if found is None:
        raise InputError(
            f"{document.url}: {words!r} is on the page, but nothing like it repeats; name words of a record in a list"
        )
    return found


def iterate_like(document: Document, regions: Sequence[Region], words: str) -> Iterator[Region]:
    """List the regions with a record that has these words, then what can be grown around them, then single records."""
    wanted = _fold(words)
    if not wanted:
        raise InputError(f"{document.url}: no words to look for; give some of one record")
    having = [region for region in regions if any(wanted in _fold(record.text) for record in region.records)]
    yield from (region for region in having if len(region) > 1)
    places = find_innermost(document, words)
    if not places and not having:
        raise InputError(f"{document.url}: no text has {words!r}{_describe_nearest(document, wanted)}")

    def is_wanted(first: int, stop: int) -> bool:
        overlaps = any(first < document.ends[place] and place < stop for place in places)
        return overlaps and wanted in _fold(document.text(first, stop))

    yield from mine_around(document, is_wanted)
    yield from (region for region in having if len(region) == 1)


def find_doubt(document: Document, regions: Sequence[Region]) -> str:
    """Say that the best region may be wrong, and what to try; empty if nothing speaks against it."""
    best = regions[0] if regions else None
    why = _why_doubtful(regions) if best is not None else ""
    if best is not None and not why:
        return ""
    hints = []
    if document.kind != "scripts" and _comes_by_script(document):
        hints.append("its text may come by script: try --scripts")
    elif best is not None and len(regions) > 1:
        hints.append("try --region 2, or --like with words of one record")
    elif best is not None:
        hints.append("try --like with words of one record")
    told = "no records were found" if best is None else f"the best list is doubtful ({why})"
    return "; ".join([told, *hints])


def _why_doubtful(regions: Sequence[Region]) -> str:
    best = regions[0]
    if best.method != "visual":
        return ""
    if best.score < MIN_SURE_SCORE:
        return f"score {best.score:.2f}"
    if len(regions) > 1 and regions[1].score > MAX_SCORE_OF_SECOND * best.score:
        return "the second is nearly as good"
    return best.doubt


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def find_innermost(document: Document, words: str) -> list[int]:
    """Find the innermost elements whose text has the words, whatever their case and the spaces between them."""
    wanted = _fold(words)
    waiting = [0] if wanted and wanted in _fold(document.text()) else []
    found = []
    while waiting:
        node = waiting.pop()
        inside = [child for child in document.children(node) if wanted in _fold(document.text(child))]
        if inside:
            waiting += inside
        else:
            found.append(node)
    return found


def _describe_nearest(document: Document, wanted: str) -> str:
    """Name the text of the page that is most like the words, if there is any."""
    matcher = SequenceMatcher(b=wanted, autojunk=False)
    nearest, best = "", 0.0
    for text in islice(_seen_texts(document), MAX_COMPARED):
        matcher.set_seq1(_fold(text)[: 2 * len(wanted) + MAX_SHOWN])
        if matcher.quick_ratio() > best and (ratio := matcher.ratio()) > best:
            nearest, best = text, ratio
    return (
        f"; the nearest is {' '.join(nearest.split())[:MAX_SHOWN]!r}" if nearest else "; use words that the page shows"
    )


def _seen_texts(document: Document) -> Iterator[str]:
    nodes: Iterable[int] = np.flatnonzero((document.kinds == Kind.TEXT) & ~document.hidden).tolist()
    return (text for node in nodes if (text := document.texts[node].strip()))


def _comes_by_script(document: Document) -> bool:
    """Tell whether a page shows few words and has scripts that may bring more."""
    words = sum(len(text.split()) for text in _seen_texts(document))
    scripts = [document.attributes[node] for node in np.flatnonzero(document.has_tag(["script"])).tolist()]
    running = [each for each in scripts if each.get("type", "module") in ("", "module", "text/javascript")]
    return words < FEW_WORDS and len(running) >= MIN_SCRIPT
