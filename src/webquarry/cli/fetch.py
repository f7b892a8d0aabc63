"""`quarry fetch`: keep pages as an archive."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from webquarry.cli.messages import complain, say
from webquarry.cli.options import Inputs, MaxPages, fetching, option, shares
from webquarry.cli.output import Tally, hand_over, keeping, show_progress
from webquarry.cli.program import OUTPUT, UsageFault
from webquarry.cli.stopping import STOPPER
from webquarry.fetching import warc_file
from webquarry.model.page import Failure
from webquarry.model.wording import count
from webquarry.pipeline import fetch_pages

if TYPE_CHECKING:
    from webquarry.fetching.policy import FetchOptions
    from webquarry.model.page import Page

EXAMPLE = "quarry fetch addresses.txt -o pages.warc.gz"


@shares(policy=fetching)
def fetch(
    inputs: Inputs,
    *,
    output: Annotated[Path, option("-o, --output", "FILE", "The archive, which ends in .warc.gz.", OUTPUT)],
    max_pages: MaxPages = None,
    policy: FetchOptions,
) -> int:
    """Fetch pages into a WARC archive; run it again to fetch what is missing."""
    if not output.name.lower().endswith(warc_file.ENDING):
        raise UsageFault(f"-o {output}: name a file that ends in {warc_file.ENDING}")
    kept = _Archived(output)
    with keeping(kept), show_progress("fetching", kept.tally) as progress:
        hand_over(fetch_pages.archive_all(inputs, output, progress=progress, max_pages=max_pages, **policy), kept.add)
    return 1 if kept.tally.failures else 0


class _Archived:
    """A counter of the pages that were added to an archive, where they stay even if the run is stopped."""

    def __init__(self, output: Path) -> None:
        self._output = output
        self.tally = Tally()

    def add(self, result: Page | Failure) -> None:
        self.tally.pages += 1
        if isinstance(result, Failure):
            self.tally.failures += 1
            complain(result.error, 1)

    def finish(self) -> None:
        """Say how many pages are new."""
        if self.tally.pages:
            say(f"{count(self.tally.pages - self.tally.failures, 'page')} added to {self._output}")
        else:
            say(f"{self._output} has all pages already")

    def finish_partial(self) -> None:
        """Say that the same command continues."""
        STOPPER.message = (
            f"stopped after {self.tally.describe()}; {self._output} keeps them, and the same command continues"
        )

    def close(self) -> None:
        """Do nothing: the writer of the archive closes it."""
