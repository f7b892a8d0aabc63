"""Labels for an extraction: what of them cannot be found is told before any page is rendered, where that is known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from webquarry.errors import InputError
from webquarry.model import Document, Page
from webquarry.model.wording import count
from webquarry.pipeline.extracted_pages import supply_pages
from webquarry.pipeline.pages import clean
from webquarry.storing.texts import read_text

if TYPE_CHECKING:
    from webquarry.pipeline.extractions import Extracted
    from webquarry.validating.labels import Label


def load_labels(
    path: Path, extractions: Sequence[Extracted], *, scripts: bool = False
) -> tuple[list[Label], tuple[str, ...]]:
    """The labels in a file that may be of an extraction, and what there is to say of the others.

    Raises when none can be.  Pages on disk are looked at, for their names are known, and without `scripts` their
    trees are; a page from the web may be elsewhere by now, and is waited for.
    """
    from webquarry.validating.labels import parse_labels, part_by_page  # noqa: PLC0415 - NumPy is slow to import

    labels = parse_labels(read_text(path), str(path))
    if not any(label.content for label in labels):
        raise InputError(f"{path}: calls nothing content, so that there is nothing to measure by; add what is content")
    documents = _find_documents(extractions)
    if not documents:
        return labels, ()
    known, others = part_by_page(labels, [document.url for document in documents])
    if not known:
        raise InputError(
            f"{path}: none of the labels is of a page of the extraction, the first: line {labels[0].line}: "
            f"{labels[0].page}; name pages as the extraction does, or by how their addresses end: {documents[0].url}"
        )
    if not scripts:
        _check_nodes(path, known, documents)
    if not others:
        return known, ()
    told = f"{count(len(others), 'label')} of pages that are not of the extraction, the first: line {others[0].line}"
    return known, (f"{path}: {told}: {others[0].page}",)


def _find_documents(extractions: Sequence[Extracted]) -> list[Document]:
    """The pages of extractions if all are on disk; else none, for then they cannot be known before they are there."""
    addresses = list(dict.fromkeys(address for each in extractions for address in each.pages))
    if not all(address.startswith("file:") for address in addresses):
        return []
    pages = list(supply_pages(addresses, (), progress=None))
    found = [page for page in pages if isinstance(page, Page)]
    return [clean(page) for page in found] if len(found) == len(pages) else []


def _check_nodes(path: Path, labels: Sequence[Label], documents: Sequence[Document]) -> None:
    """Raise when no page has the node that a label of it names.

    Of some that are missing is told in the end: a few pages have another tree in a browser, such as those with shadow
    roots.
    """
    from webquarry.validating.labels import match_labels  # noqa: PLC0415

    _, missing = match_labels(labels, documents, str(path))
    if len(missing) == len(labels):
        raise InputError(f"{missing[0]}; it is so with all labels: nodes are absolute XPaths such as /html/body/p[2]")
