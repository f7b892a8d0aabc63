"""`quarry mine`: find the records on pages."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.messages import complain
from webquarry.cli.options import (
    Clean,
    Inputs,
    PageAccess,
    RenderFirst,
    ResultPlace,
    flag,
    folders_of,
    opening_many,
    option,
    shares,
    storing,
    working,
)
from webquarry.cli.output import (
    SEVERAL_TABLES,
    PictureSink,
    ResultSink,
    choose_output,
    hand_over,
    keeping,
    names_many,
    only_page,
    show_progress,
)
from webquarry.cli.program import OUTPUT, UsageFault, refuse
from webquarry.errors import InputError
from webquarry.mining import listing_choice
from webquarry.model import nouns
from webquarry.model.page import Failure
from webquarry.model.wording import list_names, printable_line
from webquarry.pipeline import fetch_pages, mine_pages, page_guard, render_pages
from webquarry.storing import formats

if TYPE_CHECKING:
    from webquarry.model.document import Document
    from webquarry.model.page import Page
    from webquarry.model.region import PageResult, Region
    from webquarry.pipeline.worker_pool import WorkerOptions

EXAMPLE = "quarry mine listing.html --follow 5 -o offers.csv"


@dataclass(frozen=True)
class Wanted:
    """Which regions of a page are wanted, and which columns of them."""

    region: int | None
    like: str | None
    every: bool
    columns: Mapping[str, Sequence[str]] | None
    """The names that each column may have, by its new one."""
    drop_constant: bool
    values_only: bool


def choosing(
    *,
    region: Annotated[
        int | None, option("--region", "N", "The N-th region of each page; 1 is the best.", min=1)
    ] = None,
    like: Annotated[str | None, option("--like", "WORDS", "The region with a record that has these words.")] = None,
    every: Annotated[bool, flag("--all", "All regions of each page.")] = False,
    columns: Annotated[
        str | None, option("--columns", "A,NEW=B", "The columns to keep, in this order, some under a new name.")
    ] = None,
    drop_constant: Annotated[
        bool, flag("--drop-constant", "Leave out columns that are the same in all records.")
    ] = False,
    values_only: Annotated[
        bool, flag("--values-only", "Leave out NAME_unit and NAME_text beside typed values.")
    ] = False,
) -> Wanted:
    """Return which regions and columns are wanted."""
    refuse(
        {
            "--region and --all cannot be used together": every and region is not None,
            "--like chooses one region; leave --region and --all out": like is not None
            and (every or region is not None),
        }
    )
    return Wanted(region, like, every, parse_columns(columns), drop_constant, values_only)


@shares(wanted=choosing, place=storing, crew=working, access=opening_many)
def mine(
    inputs: Inputs,
    *,
    method: Annotated[
        str,
        option(
            "--method",
            "NAME",
            "visual (by the look of pages), tables (data tables only), data (what pages state in JSON-LD and the "
            "like), or the published methods emine and mdr.",
            values=("visual", "emine", "mdr", "tables", "data"),
        ),
    ] = "visual",
    wanted: Wanted,
    follow: Annotated[int, option("--follow", "N", "Follow up to N next pages of a listing.", min=0)] = 0,
    picture: Annotated[
        Path | None, option("--picture", "FILE", "Write a picture of the page with its regions.", OUTPUT)
    ] = None,
    explain: Annotated[
        bool, flag("--explain", "For emine and mdr: print the steps with their figures instead of the records.")
    ] = False,
    clean: Clean = "html5",
    render: RenderFirst = None,
    place: ResultPlace,
    crew: WorkerOptions,
    access: PageAccess,
) -> int:
    """Find the records on pages and write them as tables."""
    needs_browser = picture is not None or method == "emine"
    refuse(
        {
            "--follow joins the pages of one region; leave --all out, or choose with --region": wanted.every and follow,
            "--picture shows one page; leave --follow out": picture is not None and follow,
            "--picture needs a browser; leave --static out": picture is not None and render is False,
            "--method emine uses boxes, which need a browser; leave --static out": method == "emine"
            and render is False,
            "--explain prints the steps of --method emine and --method mdr; for others see the reasons in "
            "--format json": explain and method not in mine_pages.EXPLAINERS,
            "--explain prints steps instead of records; leave out what chooses or writes records": explain
            and (place != ResultPlace() or wanted.like is not None or wanted.every or follow or picture is not None),
        }
    )
    access.check_base_url(inputs)
    folders = folders_of(inputs)
    options = access.render_options(folders)
    rendered = access.decide_rendering(render, default=None, clean=clean, needed=needs_browser)
    if explain:
        return _explain(access.open(access.fetch(inputs), folders, rendered=rendered, clean=clean), method)
    chosen = choose_output(place, every=wanted.every)
    chooser = Chooser(
        wanted,
        is_only_page=not (follow or names_many(inputs)),
        # where the records of all pages make one table, its sink knows which columns are constant
        drops_constant=wanted.drop_constant and chosen in SEVERAL_TABLES,
    )
    whole = formats.open_sink(
        chosen,
        place.target,
        table=place.table,
        addition=place.addition,
        values_only=wanted.values_only,
        drop_constant=wanted.drop_constant,
    )
    sink = ResultSink(whole, place.target)
    pictures = PictureSink({"--picture": picture})

    parse = partial(fetch_pages.clean, method=clean)
    region, like = wanted.region, wanted.like
    with keeping(sink), show_progress("mining", sink.tally) as progress:
        pages = access.fetch(inputs, progress)
        if picture is not None:
            draw = partial(mine_pages.mine_pictured, method=method, like=like, choose=chooser.pick, **options)
            results = _mine_pictured(list(pages), pictures, draw)
        elif follow:
            reader = render_pages.open_reader(**options) if rendered else nullcontext(parse)
            mine_on = partial(mine_pages.mine_following, count=follow, method=method, region=region or 1, like=like)
            results = _mine_following(pages, reader, partial(mine_on, roots=options["roots"], **access.policy))
        else:
            documents = access.open(pages, folders, rendered=rendered, clean=clean)
            results = mine_pages.mine_all(documents, method=method, like=like, choose=chooser.pick, **crew)

        def take(result: PageResult) -> None:
            table = chooser.cut(result)
            doubt = "" if wanted.every else _find_doubt(result, table, is_named=bool(region or like))
            if doubt:
                sink.note(result.page, doubt)
            sink.write(table, chooser.describe_nothing(result))

        hand_over(results, take)
        chooser.check()
    pictures.write()
    return sink.exit_code


def _find_doubt(result: PageResult, table: PageResult, *, is_named: bool) -> str:
    """Say why the table may be wrong: a region that was asked for is not doubted, nor columns that are not written."""
    if isinstance(result, Failure) or isinstance(table, Failure) or not table.regions:
        return ""
    if is_named or result.doubt == listing_choice.find_column_doubt(result.regions[0]):
        return listing_choice.find_column_doubt(table.regions[0])
    return result.doubt


class Chooser:
    """Picks the wanted regions and columns of pages, and remembers which columns there were."""

    def __init__(self, wanted: Wanted, *, is_only_page: bool, drops_constant: bool) -> None:
        """If there is only one page, a column that it lacks is its error."""
        self._wanted, self._is_only_page, self._drops_constant = wanted, is_only_page, drops_constant
        self._known: dict[str, None] = {}

    def pick(self, regions: Sequence[Region]) -> Sequence[Region]:
        """Pick the wanted regions of a page; raise if there are fewer."""
        if self._wanted.every or not regions:
            return regions
        return [listing_choice.pick_region(regions, self._wanted.region or 1)]

    def cut(self, result: PageResult) -> PageResult:
        """Keep the wanted columns of a page; return a failure if the only page lacks one."""
        if isinstance(result, Failure) or not result.regions:
            return result
        regions = result.regions
        if self._wanted.columns is not None:
            self._known.update((each.name, None) for region in regions for each in region.columns)
            unknown = self._find_unknown()
            if unknown and self._is_only_page:
                there = f"there is no column {list_names(unknown)}; choose from {list_names([*self._known])}"
                return Failure(result.page, f"{result.page}: {there}")
        chosen = listing_choice.choose_columns(regions, self._wanted.columns, drops_constant=self._drops_constant)
        return nouns.replace_fields(result, regions=chosen)

    def _find_unknown(self) -> list[str]:
        """List the wanted columns that no page had so far, under any of their names."""
        return [
            olds[0] for olds in (self._wanted.columns or {}).values() if not any(old in self._known for old in olds)
        ]

    def describe_nothing(self, result: PageResult) -> str:
        """Say why nothing of a page is left, if so."""
        has_records = not isinstance(result, Failure) and bool(result.regions)
        if has_records:
            return "none of its records has the columns of --columns"
        return "no records were found" if isinstance(result, Failure) else result.doubt or "no records were found"

    def check(self) -> None:
        """Raise for columns that no page had."""
        unknown = self._find_unknown()
        if unknown and self._known and not self._is_only_page:
            raise InputError(f"no page has a column {list_names(unknown)}; choose from {list_names([*self._known])}")


def parse_columns(columns: str | None) -> dict[str, list[str]] | None:
    """Parse names separated by commas, each `NAME` or `NEW=OLD`; quotes protect a comma in a name.

    Pages may call a column differently: a new name may be given to several old ones.

    >>> parse_columns("title, cost=price, title=name")
    {'title': ['title', 'name'], 'cost': ['price']}
    """
    if columns is None:
        return None
    pairs = [name.partition("=") for name in next(csv.reader([columns], skipinitialspace=True), [])]
    names: dict[str, list[str]] = {}
    for new, mark, old in pairs:
        names.setdefault(new.strip(), []).append((old if mark else new).strip())
    is_doubled = any(len(set(olds)) < len(olds) for olds in names.values())
    if not names or not all(names) or not all(map(all, names.values())) or is_doubled:
        raise UsageFault(
            f"--columns {columns!r}: name each column once, separated by commas, as in title,price or title,cost=price"
        )
    return names


def _explain(documents: Iterable[Document | Failure], method: str) -> int:
    """Print the steps of a method on each page."""
    failures: list[Failure] = []

    def take(result: tuple[str, list[str]] | Failure) -> None:
        if isinstance(result, Failure):
            failures.append(result)
            complain(result.error, 0)
            return
        page, lines = result
        typer.echo(printable_line(page))
        for line in lines:
            typer.echo(printable_line(f"  {line}"))

    explainer = mine_pages.EXPLAINERS[method]
    hand_over(page_guard.attempt_all(documents, lambda document: (document.url, explainer(document))), take)
    return 1 if failures else 0


def _mine_following(
    pages: Iterable[Page | Failure],
    reader: AbstractContextManager[Callable[[Page], Document]],
    mine_on: Callable[..., Iterator[PageResult]],
) -> Iterator[PageResult]:
    """Mine each page and its next pages."""
    with reader as read:
        for page in pages:
            if isinstance(page, Failure):
                yield page
            else:
                yield from mine_on(page, read=read)


def _mine_pictured(
    pages: list[Page | Failure], pictures: PictureSink, draw: Callable[[Page], tuple[PageResult, bytes | None]]
) -> Iterator[PageResult]:
    """Mine the one page, and draw its picture."""
    page = only_page(pages)
    if isinstance(page, Failure):
        yield page
        return
    result, content = draw(page)
    if content is not None:
        pictures.pictures = {"--picture": content}
    yield result
