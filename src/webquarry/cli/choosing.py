"""What is wanted of the regions of each page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webquarry.errors import InputError

if TYPE_CHECKING:
    from webquarry.model import Region
    from webquarry.storing import PageResult


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
        from webquarry.mining.listings.picking import pick_region  # noqa: PLC0415

        return regions if self._wish.every or not regions else [pick_region(regions, self._wish.region or 1)]

    def cut(self, result: PageResult) -> PageResult:
        """Keep the columns of a page that are wanted; give a failure if the only page lacks one."""
        from webquarry.model import Failure  # noqa: PLC0415 - help and usage errors need no stages

        if isinstance(result, Failure) or not result.regions:
            return result
        try:
            return replace(result, regions=self._cut(result.regions))
        except InputError as error:
            return Failure(result.page, str(error))

    def describe_nothing(self, result: PageResult) -> str:
        """Why nothing of a page is left, should that be so."""
        from webquarry.model import Failure  # noqa: PLC0415

        has_records = not isinstance(result, Failure) and bool(result.regions)
        return (
            "its records have none of the columns that --columns names"
            if has_records
            else "no records were found on it"
        )

    def check(self) -> None:
        """Raise for columns that no page had."""
        from webquarry.model.naming import list_names  # noqa: PLC0415

        unknown = [name for name in self._wish.columns or () if name not in self._names]
        if unknown and self._names and not self._is_one:
            raise InputError(f"no page has a column {list_names(unknown)}; there are {list_names([*self._names])}")

    def _cut(self, regions: Sequence[Region]) -> Sequence[Region]:
        from webquarry.mining.listings.picking import keep_columns  # noqa: PLC0415
        from webquarry.model.naming import list_names  # noqa: PLC0415

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
        cut = [keep_columns(region, wanted) for region in regions]
        return [region for region in cut if region.fields]
