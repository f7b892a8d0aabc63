"""`quarry mine`."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.browser_choice import has_browser, with_web_roots
from webquarry.cli.options import (
    Inputs,
    Knobs,
    ResultPlace,
    UsageFault,
    fetching,
    folders_of,
    rendering,
    shares,
    storing,
)
from webquarry.cli.output import PictureSink, names_many, only_page, show_progress
from webquarry.cli.result_sink import ResultSink
from webquarry.errors import InputError
from webquarry.mining import joined_listing
from webquarry.model.names import list_names
from webquarry.model.page import Failure
from webquarry.pipeline import fetch_pages, mine_pages, render_pages

if TYPE_CHECKING:
    from webquarry.model.page import Page
    from webquarry.model.region import PageResult, Region

EXAMPLE = "quarry mine listing.html --follow 5 -o offers.csv"


# MERGED cli/choosing: What is wanted of the regions of each page.
@dataclass(frozen=True)
class Wish:
    """The options of `quarry mine` that say what to look for and what to keep."""

    method: str
    region: int | None
    every: bool
    columns: Sequence[str] | None
    follow: int


class Chooser:
    """Takes from the results of pages what is wanted, and keeps account of the columns that there were."""

    def __init__(self, wish: Wish, *, is_one: bool) -> None:
        """`is_one` says that there is one page: what it has not is not to be had."""
        self._wish = wish
        self._is_one = is_one
        self._names: dict[str, None] = {}

    def pick(self, regions: Sequence[Region]) -> Sequence[Region]:
        """Take the regions of a page that are wanted; raise if there is none of the number."""

        return (
            regions
            if self._wish.every or not regions
            else [joined_listing.pick_region(regions, self._wish.region or 1)]
        )

    def cut(self, result: PageResult) -> PageResult:
        """Keep the columns of a page that are wanted; give a failure if the only page lacks one."""

        if isinstance(result, Failure) or not result.regions:
            return result
        try:
            return replace(result, regions=self._cut(result.regions))
        except InputError as error:
            return Failure(result.page, str(error))

    def describe_nothing(self, result: PageResult) -> str:
        """Why nothing of a page is left, should that be so."""

        has_records = not isinstance(result, Failure) and bool(result.regions)
        return (
            "its records have none of the columns that --columns names"
            if has_records
            else "no records were found on it"
        )

    def check(self) -> None:
        """Raise for columns that no page had."""

        unknown = [name for name in self._wish.columns or () if name not in self._names]
        if unknown and self._names and not self._is_one:
            raise InputError(f"no page has a column {list_names(unknown)}; there are {list_names([*self._names])}")

    def _cut(self, regions: Sequence[Region]) -> Sequence[Region]:

        wanted = self._wish.columns
        if wanted is None:
            return regions
        self._names.update((each.name, None) for region in regions for each in region.columns)
        unknown = [name for name in wanted if name not in self._names]
        if unknown and self._is_one:
            page = regions[0].document.url
            raise InputError(
                f"{page}: there is no column {list_names(unknown)}; there are {list_names([*self._names])}"
            )
        cut = [joined_listing.keep_columns(region, wanted) for region in regions]
        return [region for region in cut if region.fields]


@shares(place=storing, knobs=rendering, policy=fetching)
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
        int, typer.Option("--follow", metavar="N", min=0, help="Go on to the next page of a listing, N times at most.")
    ] = 0,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE", help="Write a picture of the page with what was found.")
    ] = None,
    render: Annotated[
        bool | None, typer.Option("--render/--static", help="With a browser (default), or by the markup alone.")
    ] = None,
    place: ResultPlace,
    knobs: Knobs,
    policy: Knobs,
) -> int:
    """Find the records of pages and give them as tables."""
    wish = Wish(method, region, every, _names(columns), follow)
    _check(wish, picture=picture, render=render, scripts=knobs["scripts"])
    chooser = Chooser(wish, is_one=not (follow or names_many(inputs)))
    sink = ResultSink.open(place, every=every)
    pictures = PictureSink({"--picture": picture})

    knobs = with_web_roots(knobs, folders_of(inputs)) | policy
    needed = render or picture is not None or knobs["scripts"] or method == "emine"
    rendered = render is not False and has_browser(knobs["browser"], needed=needed)
    with closing(sink), show_progress("mining") as progress:
        pages = fetch_pages.fetch_all(inputs, progress=progress, **policy)
        if picture is not None:
            results = _pictured(list(pages), pictures, chooser, wish, knobs)
        elif follow:
            results = _following(pages, wish, knobs, policy, rendered=rendered)
        else:
            documents = render_pages.render_all(pages, **knobs) if rendered else fetch_pages.clean_all(pages)
            results = mine_pages.mine_all(documents, method=method, choose=chooser.pick)
        for result in results:
            sink.write(chooser.cut(result), chooser.describe_nothing(result))
        chooser.check()
        sink.finish()
    pictures.write()
    return sink.exit_code


def _names(columns: str | None) -> list[str] | None:
    """The names in a row of names; quotes hold one together that has a comma in it."""
    if columns is None:
        return None
    names = [name.strip() for name in next(csv.reader([columns], skipinitialspace=True), [])]
    if not names or not all(names) or len(set(names)) < len(names):
        raise UsageFault(f"--columns {columns!r}: name each column once, with commas between, as in title,price")
    return names


def _check(wish: Wish, *, picture: Path | None, render: bool | None, scripts: bool) -> None:
    """Raise for wishes that make no sense together."""

    if wish.method not in mine_pages.MINERS:
        raise typer.BadParameter(f"choose from {', '.join(mine_pages.MINERS)}", param_hint="--method")
    faults = {
        "--region and --all exclude each other": wish.every and wish.region is not None,
        "--follow joins the pages of one region; leave --all out, or choose with --region": wish.every and wish.follow,
        "--picture shows one page; leave --follow out": picture is not None and wish.follow,
        "--picture is taken by a browser; leave --static out": picture is not None and render is False,
        "--scripts run in a browser; leave --static out": scripts and render is False,
        "--method emine goes by boxes, which a browser gives; leave --static out": (
            wish.method == "emine" and render is False
        ),
    }
    for fault, is_there in faults.items():
        if is_there:
            raise UsageFault(fault)


def _following(
    pages: Iterable[Page | Failure], wish: Wish, knobs: Knobs, policy: Knobs, *, rendered: bool
) -> Iterator[PageResult]:
    """The pages of each listing, read one after the other."""

    reader = render_pages.open_reader(**knobs) if rendered else nullcontext(fetch_pages.clean)
    with reader as read:
        for page in pages:
            if isinstance(page, Failure):
                yield page
                continue
            yield from mine_pages.mine_following(
                page,
                wish.follow,
                method=wish.method,
                region=wish.region or 1,
                read=read,
                roots=knobs["roots"],
                **policy,
            )


def _pictured(
    pages: list[Page | Failure], pictures: PictureSink, chooser: Chooser, wish: Wish, knobs: Knobs
) -> Iterator[PageResult]:
    """The one page, and its picture."""

    page = only_page(pages)
    if isinstance(page, Failure):
        yield page
        return
    result, content = mine_pages.mine_pictured(page, method=wish.method, choose=chooser.pick, **knobs)
    if content is not None:
        pictures.take({"--picture": content})
    yield result
