"""Whether a page has the place of a listing, with no record in it: a shelf that is empty, not another page."""

from __future__ import annotations

from webquarry.model import Document, ListingRule, Wrapper
from webquarry.wrapping.listings.finding import fit, most_fit
from webquarry.wrapping.listings.grids import find_grids
from webquarry.wrapping.listings.reading import listing_of
from webquarry.wrapping.listings.signatures import Path, read_signature
from webquarry.wrapping.listings.views import View


def is_empty_listing(wrapper: Wrapper, document: Document) -> bool:
    """Whether a page on which no records were found is all the same one of the source.

    Of a table all headings must be there; of other listings an element that is in everything as the signature of the
    region says.  A signature without a name or class tells nothing: any page may have such an element.
    """
    rule, view = listing_of(wrapper), View(document)
    return _has_headings(rule, view) if wrapper.source.kind == "tables" else _has_region(rule, view)


def _has_headings(rule: ListingRule, view: View) -> bool:
    fields = [each for each in rule.fields if each.heading]
    headings, places = [each.heading for each in fields], [each.place for each in fields]
    return bool(fields) and any(
        grid.find_header(headings, places).found == len(fields) for grid in find_grids(view) if grid.rows
    )


def _has_region(rule: ListingRule, view: View) -> bool:
    return any(
        fit(path, view, node) == most_fit(path)
        for path in read_signature(rule.region)
        if _is_telling(path)
        for node in view.document.has_tag([path[-1].tag]).nonzero()[0].tolist()
        if not view.document.hidden[node]
    )


def _is_telling(path: Path) -> bool:
    return bool(path) and bool(path[-1].name or path[-1].classes)
