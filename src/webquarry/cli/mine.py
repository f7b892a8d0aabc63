"""`quarry mine`: find the records on pages."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.options import (
    Inputs,
    Knobs,
    ResultPlace,
    check_base_url,
    check_static,
    fetching,
    folders_of,
    has_browser,
    rendering,
    saved_pages,
    shares,
    storing,
    with_web_roots,
)
from webquarry.cli.output import PictureSink, ResultSink, choose_output, names_many, only_page, show_progress
from webquarry.cli.program import UsageFault
from webquarry.errors import InputError
from webquarry.mining import joined_listing
from webquarry.model.names import list_names
from webquarry.model.page import Failure
from webquarry.pipeline import fetch_pages, mine_pages, render_pages
from webquarry.storing import formats

if TYPE_CHECKING:
    from webquarry.model.document import Document
    from webquarry.model.page import Page
    from webquarry.model.region import PageResult, Region

EXAMPLE = "quarry mine listing.html --follow 5 -o offers.csv"


@shares(place=storing, knobs=rendering, policy=fetching, saved=saved_pages)
def mine(
    inputs: Inputs,
    *,
    method: Annotated[str, typer.Option("--method", help="visual, emine, mdr or tables.")] = "visual",
    region: Annotated[
        int | None, typer.Option("--region", metavar="N", min=1, help="The N-th region of each page; 1 is the best.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All regions of each page.")] = False,
    columns: Annotated[
        str | None, typer.Option("--columns", metavar="A,B", help="The columns to keep, in this order.")
    ] = None,
    follow: Annotated[
        int, typer.Option("--follow", metavar="N", min=0, help="Follow up to N next pages of a listing.")
    ] = 0,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE", help="Write a picture of the page with its regions.")
    ] = None,
    render: Annotated[
        bool | None, typer.Option("--render/--static", help="With a browser (default) or without.")
    ] = None,
    place: ResultPlace,
    knobs: Knobs,
    policy: Knobs,
    saved: Knobs,
) -> int:
    """Find the records on pages and write them as tables."""
    if method not in mine_pages.MINERS:
        raise typer.BadParameter(f"choose from {', '.join(mine_pages.MINERS)}", param_hint="--method")
    _check_options(method, region=region, every=every, follow=follow, picture=picture, render=render)
    check_base_url(saved, inputs)
    policy |= saved
    check_static(render=render, scripts=knobs["scripts"])
    chooser = Chooser(
        region=region, every=every, columns=_parse_columns(columns), is_only_page=not (follow or names_many(inputs))
    )
    chosen = choose_output(place, every=every)
    sink = ResultSink(formats.open_sink(chosen, place.file, table=place.table), place.file)
    pictures = PictureSink({"--picture": picture})

    knobs = with_web_roots(knobs, folders_of(inputs)) | policy
    needed = render or picture is not None or knobs["scripts"] or method == "emine"
    rendered = render is not False and has_browser(knobs["browser"], needed=needed)
    with closing(sink), show_progress("mining") as progress:
        pages = fetch_pages.fetch_all(inputs, progress=progress, **policy)
        if picture is not None:
            results = _mine_pictured(list(pages), pictures, chooser, method, knobs)
        elif follow:
            reader = render_pages.open_reader(**knobs) if rendered else nullcontext(fetch_pages.clean)
            options = {"method": method, "region": region or 1, "roots": knobs["roots"], **policy}
            results = _mine_following(pages, follow, reader, options)
        else:
            documents = render_pages.render_all(pages, **knobs) if rendered else fetch_pages.clean_all(pages)
            results = mine_pages.mine_all(documents, method=method, choose=chooser.pick)
        for result in results:
            sink.write(chooser.cut(result), chooser.describe_nothing(result))
        chooser.check()
        sink.finish()
    pictures.write()
    return sink.exit_code


class Chooser:
    """Picks the wanted regions and columns of pages, and remembers which columns there were."""

    def __init__(self, *, region: int | None, every: bool, columns: Sequence[str] | None, is_only_page: bool) -> None:
        """If there is only one page, an unknown column is an error of that page."""
        self._region, self._every, self._columns, self._is_only_page = region or 1, every, columns, is_only_page
        self._known: dict[str, None] = {}

    def pick(self, regions: Sequence[Region]) -> Sequence[Region]:
        """Pick the wanted regions of a page; raise if there are fewer."""
        if self._every or not regions:
            return regions
        return [joined_listing.pick_region(regions, self._region)]

    def cut(self, result: PageResult) -> PageResult:
        """Keep the wanted columns of a page; return a failure if the only page lacks one."""
        if isinstance(result, Failure) or not result.regions or self._columns is None:
            return result
        self._known.update((each.name, None) for region in result.regions for each in region.columns)
        unknown = [name for name in self._columns if name not in self._known]
        if unknown and self._is_only_page:
            known = list_names([*self._known])
            return Failure(result.page, f"{result.page}: there is no column {list_names(unknown)}; there are {known}")
        regions = [joined_listing.keep_columns(region, self._columns) for region in result.regions]
        return replace(result, regions=[region for region in regions if region.fields])

    def describe_nothing(self, result: PageResult) -> str:
        """Say why nothing of a page is left, if so."""
        has_records = not isinstance(result, Failure) and bool(result.regions)
        return "none of its records has the columns of --columns" if has_records else "no records were found"

    def check(self) -> None:
        """Raise for columns that no page had."""
        unknown = [name for name in self._columns or () if name not in self._known]
        if unknown and self._known and not self._is_only_page:
            raise InputError(f"no page has a column {list_names(unknown)}; there are {list_names([*self._known])}")


def _parse_columns(columns: str | None) -> list[str] | None:
    """Parse names separated by commas; quotes protect a comma in a name."""
    if columns is None:
        return None
    names = [name.strip() for name in next(csv.reader([columns], skipinitialspace=True), [])]
    if not names or not all(names) or len(set(names)) < len(names):
        raise UsageFault(f"--columns {columns!r}: name each column once, separated by commas, as in title,price")
    return names


def _check_options(
    method: str, *, region: int | None, every: bool, follow: int, picture: Path | None, render: bool | None
) -> None:
    """Raise for options that contradict each other."""
    faults = {
        "--region and --all exclude each other": every and region is not None,
        "--follow joins the pages of one region; leave --all out, or choose with --region": every and follow,
        "--picture shows one page; leave --follow out": picture is not None and follow,
        "--picture needs a browser; leave --static out": picture is not None and render is False,
        "--method emine uses boxes, which need a browser; leave --static out": method == "emine" and render is False,
    }
    for fault, is_there in faults.items():
        if is_there:
            raise UsageFault(fault)


def _mine_following(
    pages: Iterable[Page | Failure],
    follow: int,
    reader: AbstractContextManager[Callable[[Page], Document]],
    options: Knobs,
) -> Iterator[PageResult]:
    """Mine each page and its next pages."""
    with reader as read:
        for page in pages:
            if isinstance(page, Failure):
                yield page
            else:
                yield from mine_pages.mine_following(page, follow, read=read, **options)


def _mine_pictured(
    pages: list[Page | Failure], pictures: PictureSink, chooser: Chooser, method: str, knobs: Knobs
) -> Iterator[PageResult]:
    """Mine the one page, and draw its picture."""
    page = only_page(pages)
    if isinstance(page, Failure):
        yield page
        return
    result, content = mine_pages.mine_pictured(page, method=method, choose=chooser.pick, **knobs)
    if content is not None:
        pictures.pictures = {"--picture": content}
    yield result
