"""Where the pages of a source are, as its wrapper file says it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webquarry.errors import InputError

if TYPE_CHECKING:
    from webquarry.model import Failure, Page, Wrapper


def place_source(addresses: Sequence[str], output: Path | None, *, pages: str, base: str, index: str) -> dict[str, Any]:
    """The knobs of `webquarry.wrap` that say where a source is, for a wrapper that is written to `output`.

    Without a base it is what the template leaves of the sample pages' addresses.  Files are named by their way from
    the base, so that wrapper and pages can be moved together.
    """
    from webquarry.fetching.files import file_uri  # noqa: PLC0415 - help and usage errors need no stages
    from webquarry.fetching.sources import SCHEME  # noqa: PLC0415
    from webquarry.pipeline import find_base, relative_to  # noqa: PLC0415

    folder = Path() if output is None else output.parent
    if base:
        base = base if SCHEME.match(base) else relative_to(folder, file_uri(Path(base)))
    elif pages:
        found = find_base(pages, addresses)
        base = "" if found is None else relative_to(folder, found)
    base = "" if base == "." else base
    _check_template(pages, base, folder, addresses)
    _check_index(index, base, folder)
    start = None if SCHEME.match(base) else folder / base
    is_file = bool(index) and not SCHEME.match(index) and Path(index).is_file()
    index_address = file_uri(Path(index)) if is_file else index
    placed = _from(base, index_address) if start is None else relative_to(start, index_address)
    kind = "index_file" if index.lower().endswith(".csv") else "index_page"
    samples = [_from(base, address) if start is None else relative_to(start, address) for address in addresses]
    return {"base": base, "samples": samples, **({kind: placed} if index else {})}


def base_folders(pages_read: Sequence[Page | Failure], *, pages: str, base: str) -> list[Path]:
    """The folder of a source on disk, if it is known: its pages may use the files in it, such as style sheets."""
    from webquarry.fetching.sources import SCHEME  # noqa: PLC0415
    from webquarry.html.file_addresses import path_of  # noqa: PLC0415
    from webquarry.model import Page  # noqa: PLC0415
    from webquarry.pipeline import find_base  # noqa: PLC0415

    found = base or find_base(pages, [page.url for page in pages_read if isinstance(page, Page)]) or ""
    if found.startswith("file:"):
        return [Path(path_of(found))]
    return [Path(found)] if found and not SCHEME.match(found) else []


def source_folders(wrapper: Wrapper, folder: Path) -> list[Path]:
    """The folder of a wrapper's source on disk, if it says one; `folder` is that of the wrapper file."""
    from webquarry.fetching.sources import SCHEME  # noqa: PLC0415

    source = wrapper.source
    is_said = bool(source.base or source.pages)  # a template without a base is relative to the wrapper file
    return [folder / source.base] if is_said and not SCHEME.match(source.base) else []


def _from(base: str, address: str) -> str:
    """An address of the web by its way from the base, where it is below that."""
    return address.removeprefix(base if base.endswith("/") else f"{base}/")


def _check_index(index: str, base: str, folder: Path) -> None:
    """Raise for an index that is a file and not there: all pages would be named in vain."""
    from webquarry.fetching.sources import SCHEME  # noqa: PLC0415

    if not index or SCHEME.match(index) or SCHEME.match(base):
        return
    if not (Path(index).is_file() or (folder / base / index).is_file()):
        raise InputError(f"--index {index}: there is no such file, neither here nor in {folder / base}; check the path")


def _check_template(pages: str, base: str, folder: Path, addresses: Sequence[str]) -> None:
    """Raise when the sample pages are not where the template says: then no other page would be found."""
    from webquarry.model import Source  # noqa: PLC0415
    from webquarry.pipeline import address_of  # noqa: PLC0415
    from webquarry.wrapping.mapping import is_function, match, template_arguments  # noqa: PLC0415

    if not pages or is_function(pages):
        return
    template_arguments(pages)  # raises for braces that make no sense
    template = address_of(folder, Source("", base=base), pages)
    odd = [address for address in addresses if match(template, address) is None]
    if odd:
        raise InputError(
            f"--pages {pages!r} does not lead to the sample page {odd[0]}; it stands for addresses such as {template}: "
            "change it, or say with --base what it is relative to"
        )
