"""The pages that extractions name: where they are, and had again."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from os.path import commonpath, realpath
from pathlib import Path
from typing import Any

from webquarry.errors import InputError
from webquarry.fetching.files import file_uri
from webquarry.fetching.sources import SCHEME, WARC_ENDINGS, without_credentials
from webquarry.html.file_addresses import path_of
from webquarry.model import Failure, Page
from webquarry.pipeline.pages import fetch_all

_STDIN = "stdin:"
"""The address of a page that came from standard input."""
_SHORTEST = 2
"""Parts of a folder's path below which it is no folder of a site: all of a disk, or of all its users."""

_log = logging.getLogger(__name__)


def find_address(page: str, folder: Path) -> str:
    """The address of a page that an extraction names; a path is relative to where we are, or to its file."""
    if page == _STDIN:
        return page
    if scheme := SCHEME.match(page):
        return scheme[0].lower() + page[scheme.end() :]
    here = Path(page)
    try:
        is_here = here.is_absolute() or here.exists()
    except OSError:  # no file can have such a name
        is_here = False
    try:
        return file_uri(here if is_here else folder / page)
    except ValueError:  # nor can one have half of a surrogate pair in it
        return page


def supply_pages(
    addresses: Sequence[str],
    supplied: Sequence[str | Path],
    *,
    progress: Callable[[int, int | None], None] | None,
    **policy: Any,
) -> Iterator[Page | Failure]:
    """For each address its page, from what is supplied or else fetched."""
    refused = {address: Failure(address, fault) for address in addresses if (fault := _refuse(address))}
    known: dict[str, Page | Failure] = {**refused, **_find_supplied(addresses, supplied, **policy)}
    fetched = fetch_all([address for address in addresses if address not in known], **policy)
    for done, address in enumerate(addresses, start=1):
        page = known.get(address) or next(fetched)
        if progress is not None:
            progress(done, len(addresses))
        yield page


def folders_of_pages(addresses: Collection[str]) -> list[Path]:
    """The web root of the folder that all pages on disk are in: they may use the style sheets in it."""
    from webquarry.rendering.disk import find_web_root, is_above_sites  # noqa: PLC0415 - NumPy is slow to import

    paths = [path_of(each) for each in addresses if each.startswith("file:") and not _refuse(each)]
    if not paths:
        return []
    folder = Path(commonpath([str(Path(path).parent) for path in paths])).resolve()
    is_wide = len(folder.parts) <= _SHORTEST or is_above_sites(folder)
    return [] if is_wide else [find_web_root(folder)]


def _find_supplied(addresses: Sequence[str], supplied: Sequence[str | Path], **policy: Any) -> dict[str, Page]:
    """The pages of these addresses that inputs have; the first of those with the same address."""
    found: dict[str, Page] = {}
    for each in supplied:
        inside, other = _look_into(each, frozenset(addresses), **policy)
        found = inside | found
        if addresses and not inside:
            _log.warning(
                "%s has none of the pages of the extraction, which are fetched or read from disk instead: it has %s, "
                "and the extraction names %s",
                without_credentials(str(each)),
                other,
                addresses[0],
            )
    return found


def _look_into(named: str | Path, wanted: Collection[str], **policy: Any) -> tuple[dict[str, Page], str]:
    """The pages of an input that are wanted, by address, and the address of the first that is not.

    Raises when nothing of it can be read; what cannot be read among others is told.
    """
    found: dict[str, Page] = {}
    other, faults = "", []
    for page in fetch_all([named], **policy):
        if isinstance(page, Failure):
            faults.append(page.error)
        elif page.url in wanted:
            found.setdefault(page.url, page)
        else:
            other = other or page.url
    if faults and not (found or other):
        raise InputError(faults[0])
    if faults:
        _log.warning("%s%s", faults[0], f"; and {len(faults) - 1:,} more like it" if len(faults) > 1 else "")
    return found, other


def _refuse(address: str) -> str:
    """Why an address cannot be that of one page; nothing if it can."""
    if address == _STDIN:
        return f"{_STDIN} the page came from standard input; save it in a file and extract from that"
    if SCHEME.match(address) and not address.startswith("file:"):
        return ""
    try:
        path = Path(path_of(address))
        realpath(path)
        if path.is_dir():
            return f"{path}: is a folder; the extraction must name pages"
    except OSError as error:  # no file can have such a name
        return f"{path}: {error.strerror or error}"
    except ValueError:  # nor one with a zero or half of a surrogate pair in it
        return f"{address!r}: no file can have such a name; mend the extraction"
    is_archive = path.name.lower().endswith(WARC_ENDINGS)
    return f"{path}: is an archive; name its pages by their addresses" if is_archive else ""
