"""Cut inputs into shards, and read the pages of a shard.

A shard is a part of an archive, some files, or some addresses.  Files of a folder stay together if they fit, and
so do addresses of a host, because the pages of a site vote together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from webquarry.batching.stores import WEB, is_remote, list_objects, open_file, scheme_of
from webquarry.errors import InputError
from webquarry.fetching.archives import open_archives, read_archive
from webquarry.fetching.inputs import (
    ARCHIVE_ENDINGS,
    PAGE_ENDINGS,
    RECORD_ENDINGS,
    WACZ_ENDING,
    Kind,
    parse_page,
    read_file,
    sources_of,
)
from webquarry.model.page import Failure, Page

ARCHIVE, FILES, ADDRESSES, FAILED_PAGES = "archive", "files", "addresses", "failed pages"
PAGES_PER_SHARD = 1_000
BYTES_PER_PAGE = 32 * 2**10
"""Compressed size of an average page in Common Crawl; archives are cut by it."""
ADDRESSES_PER_SHARD = 256
"""The maximum number of addresses in a shard, because all its pages are fetched before work on them starts."""
MEMBER = "!"
"""Separates the name of a WACZ file from that of an archive in it."""
LIST = "@"
"""The prefix of a file that lists inputs."""


@dataclass(frozen=True)
class Shard:
    """A part of the inputs that is processed as one unit and gives one file."""

    name: str
    kind: str
    input: str
    """The archive, or the folder or list that the files or addresses are from."""
    start: int = 0
    """The first byte of a part of an archive."""
    end: int | None = None
    items: tuple[Any, ...] = ()
    """Files, addresses, or the inputs and places of pages to try again."""
    addresses: tuple[str, ...] = ()
    """The address on the web of each saved page, empty if it is unknown; nothing if all are."""
    stamp: str = ""
    """Sizes and modification times of the inputs when the batch was planned."""
    retried: str = ""
    """The shard whose failed pages this one retries."""

    @property
    def identity(self) -> tuple[Any, ...]:
        """The key by which the next run recognizes the shard."""
        return self.kind, self.input, self.start, self.end, self.items

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain values for JSON."""
        return {name: value for name, value in asdict(self).items() if value not in ("", None, ())}


def shard_of(plain: dict[str, Any]) -> Shard:
    """Convert back from plain values."""
    lists = {name: _to_tuples(plain.get(name, ())) for name in ("items", "addresses")}
    return Shard(**{**plain, **lists})


def _to_tuples(value: Any) -> Any:
    return tuple(map(_to_tuples, value)) if isinstance(value, list | tuple) else value


AddressOf = Callable[[str], str]
"""Gives the address on the web of a saved page, or nothing if it is unknown."""


def plan_shards(
    inputs: Sequence[str], *, pages: int = PAGES_PER_SHARD, address_of: AddressOf | None = None
) -> list[Shard]:
    """Cut inputs into shards of about `pages` pages; raise for inputs that do not exist."""
    shards = [shard for named in _list_inputs(inputs, pages, address_of) for shard in named]
    return [replace(shard, name=f"part-{number:05d}") for number, shard in enumerate(shards)]


def _list_inputs(inputs: Sequence[str], pages: int, address_of: AddressOf | None) -> Iterator[Iterable[Shard]]:
    """Yield the shards of each input; files and addresses that are named one by one are grouped."""
    for (kind, origin), several in groupby(_expand(inputs), key=lambda each: each[:2]):
        named = [place for _, _, place in several]
        if kind == ARCHIVE:
            yield from (_cut_archive(place, pages) for place in named)
        elif kind == ADDRESSES:
            by_host = sorted(named, key=_host_of)
            size = min(pages, ADDRESSES_PER_SHARD)
            yield [Shard("", ADDRESSES, origin, items=group) for group in _pack(by_host, _host_of, size)]
        else:
            groups = _pack(named, partial(_folder_of, origin), pages)
            yield [_make_shard_of_files(origin, group, address_of) for group in groups]


def _make_shard_of_files(origin: str, files: tuple[str, ...], address_of: AddressOf | None) -> Shard:
    addresses = () if address_of is None else tuple(map(address_of, files))
    return Shard("", FILES, origin, items=files, addresses=addresses if any(addresses) else (), stamp=_stamp(files))


def _expand(inputs: Sequence[str], origin: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield the kind of each input, the place that named it, and the archive, file or address."""
    for named in inputs:
        if named.startswith(LIST) and not origin:
            yield from _expand(_read_list(named[len(LIST) :]), named)
        elif named == "-":
            raise InputError("a batch cannot read standard input; name files, folders, archives or @LIST")
        elif scheme_of(named) in WEB:
            yield ADDRESSES, origin or "addresses", named
        elif is_remote(named):
            yield from _expand_remote(named, origin)
        else:
            yield from _expand_path(named, origin)


def _expand_path(named: str, origin: str) -> Iterator[tuple[str, str, str]]:
    for source in sources_of(named):
        if isinstance(source, Failure):
            raise InputError(source.error)
        place = str(source.path.absolute())
        if source.kind is Kind.ARCHIVE:
            yield ARCHIVE, place, place
        elif not Path(place).exists():
            raise InputError(f"{named}: there is no such file or folder; check the path")
        else:
            yield FILES, origin or (str(Path(named).absolute()) if Path(named).is_dir() else "files"), place


def _expand_remote(named: str, origin: str) -> Iterator[tuple[str, str, str]]:
    found = [place for place, _, _ in list_objects(named)]
    wanted = [place for place in found if place.lower().removesuffix(".gz").endswith((*PAGE_ENDINGS, *ARCHIVE_ENDINGS))]
    if not wanted:
        raise InputError(f"{named}: contains no pages or archives; looked for {' '.join(PAGE_ENDINGS)} and .warc")
    for place in wanted:
        is_archive = place.lower().endswith(ARCHIVE_ENDINGS)
        yield (ARCHIVE, place, place) if is_archive else (FILES, origin or named, place)


def _read_list(place: str) -> list[str]:
    """Read the lines of a list of inputs; paths are relative to the list's folder."""
    with open_file(place) as file:
        lines = [line.strip() for line in file.read().decode("utf-8-sig", "replace").splitlines()]
    named = [line for line in lines if line and not line.startswith("#")]
    if not named:
        raise InputError(f"{LIST}{place}: the list is empty; write an address or a path on each line")
    folder = Path(place).parent
    return [each if scheme_of(each) or is_remote(place) else str(folder / each) for each in named]


def _folder_of(origin: str, place: str) -> str:
    """Return the folder directly below the input that contains a file; empty for a file in the input itself."""
    inside = place.removeprefix(origin.rstrip("/") + "/")
    return inside.partition("/")[0] if "/" in inside else ""


def _host_of(address: str) -> str:
    return urlsplit(address).netloc.lower()


def _pack(named: Sequence[str], site_of: Callable[[str], str], size: int) -> Iterator[tuple[str, ...]]:
    """Pack consecutive items into groups; items of a site share a group if they fit."""
    group: list[str] = []
    for _, several in groupby(named, key=site_of):
        items = [*several]
        if group and len(group) + len(items) > size:
            yield tuple(group)
            group = []
        for item in items:
            group.append(item)
            if len(group) == size:
                yield tuple(group)
                group = []
    if group:
        yield tuple(group)


def _stamp(files: Iterable[str]) -> str:
    """Digest the sizes and modification times of files, without reading them."""
    digest = hashlib.sha256()
    for place in files:
        if is_remote(place):
            continue  # objects are written once
        seen = Path(place).stat()
        digest.update(f"{place} {seen.st_size} {seen.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:16]


def _cut_archive(place: str, pages: int) -> Iterator[Shard]:
    """Cut a compressed archive into byte ranges, each read from its first gzip member; leave other archives whole."""
    if is_remote(place):
        ((_, size, changed),) = list_objects(place)
        stamp = f"{size}-{changed}"
    else:
        try:
            seen = Path(place).stat()
        except OSError as error:
            raise InputError(f"{place}: there is no such file; check the path") from error
        size, stamp = seen.st_size, f"{seen.st_size}-{seen.st_mtime_ns}"
    if place.lower().endswith(WACZ_ENDING):
        with ExitStack() as opened:
            try:
                names = [*open_archives(opened.enter_context(open_file(place)), place, opened)]
            except InputError as error:
                raise InputError(f"{place}: {error}") from error
        if not names:
            raise InputError(f"{place}: this WACZ file contains no archives")
        for name in names:
            yield Shard("", ARCHIVE, f"{place}{MEMBER}{name}", stamp=stamp)
        return
    step = pages * BYTES_PER_PAGE
    is_cut = place.lower().endswith(RECORD_ENDINGS[1]) and size > step
    starts = range(0, size, step) if is_cut else [0]
    for start in starts:
        end = start + step if is_cut and start + step < size else None
        yield Shard("", ARCHIVE, place, start=start, end=end, stamp=stamp)


@dataclass(frozen=True)
class ShardPages:
    """The pages of a shard, read by the worker that processes them.

    The position of a page is its place in an archive, or the number of its item, with the digest of its bytes.
    """

    shard: Shard
    max_bytes: int

    @property
    def name(self) -> str:
        """The name of the input, for messages."""
        return self.shard.input

    def pages(self, after: Any) -> Iterator[tuple[Any, Page | Failure]]:
        """Yield the pages after a position, each with its own position."""
        place = None if after is None else after[0]
        found = self._read_archive(place) if self.shard.kind == ARCHIVE else self._read_items(place)
        for place, page in found:
            yield (place, digest_page(page)), page

    def _read_items(self, after: int | None) -> Iterator[tuple[Any, Page | Failure]]:
        first = 0 if after is None else after + 1
        for number, item in list(enumerate(self.shard.items))[first:]:
            page = self._read_item(item)
            if isinstance(page, Page) and self.shard.addresses:
                page = replace(page, address=self.shard.addresses[number] or page.address)
            yield number, page

    def _read_archive(self, after: tuple[int, int] | None) -> Iterator[tuple[Any, Page | Failure]]:
        shard = self.shard
        start = (shard.start, 0) if after is None else (after[0], after[1] + 1)
        is_empty = True
        with ExitStack() as opened:
            file = _open_archive(shard.input, opened)
            for place, page in read_archive(file, shard.input, max_bytes=self.max_bytes, start=start, end=shard.end):
                is_empty = False
                yield place, page
        if is_empty and start == (0, 0) and shard.end is None:
            raise InputError(f"{shard.input}: this archive has no HTML pages; is it a WARC file?")

    def _read_item(self, item: Any) -> Page | Failure:
        place, position = item if isinstance(item, tuple) else (item, None)
        try:
            if isinstance(position, tuple):
                return _read_at(place, position, self.max_bytes)
            if not is_remote(place):
                return read_file(Path(place), max_bytes=self.max_bytes)
            with open_file(place) as file:
                return parse_page(file, place, max_bytes=self.max_bytes)
        except InputError as error:
            return Failure(place, str(error), kind="input")


def digest_page(page: Page | Failure) -> str:
    """Digest the bytes of a page; empty if there are none."""
    return hashlib.blake2b(page.body, digest_size=8).hexdigest() if isinstance(page, Page) else ""


def _read_at(place: str, position: tuple[int, int], max_bytes: int) -> Page:
    """Read the page at a place of an archive."""
    with ExitStack() as opened:
        file = _open_archive(place, opened)
        for found, page in read_archive(file, place, max_bytes=max_bytes, start=position):
            if found == position:
                return page
            break
    raise InputError(f"{place}: there is no page at byte {position[0]}; has the archive changed?")


def _open_archive(place: str, opened: ExitStack) -> BinaryIO:
    place, _, member = place.partition(MEMBER) if WACZ_ENDING + MEMBER in place.lower() else (place, "", "")
    file = opened.enter_context(open_file(place))
    return open_archives(file, place, opened)[member] if member else file
