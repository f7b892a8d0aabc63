"""What fails on one page must not stop the others."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from webquarry.errors import BrowserError, WebquarryError
from webquarry.model import Failure

T = TypeVar("T")
_log = logging.getLogger(__name__)


def attempt(name: str, work: Callable[[], T]) -> T | Failure:
    """Do the work on a page; give a failure of this name in place of an error, also of a fault of ours."""
    try:
        return work()
    except BrowserError:
        raise  # no other page would fare better
    except WebquarryError as error:
        return Failure(name, str(error))
    except Exception as error:  # noqa: BLE001 - a fault of ours; one page must not stop the others
        _log.debug("", exc_info=error)
        return Failure(name, f"{name}: internal error, please report it: {type(error).__name__}: {error}")


def attempt_together(names: Sequence[str], work: Callable[[Sequence[int]], T]) -> tuple[T | None, dict[int, Failure]]:
    """Do work that takes several pages at once, given by their places; leave out pages on which it fails alone.

    Gives what the work gave, None if it fails on every page, and the failures by place.  Raises if the fault is not
    that of a page: our own errors speak of the whole, and a fault may need several pages to show.
    """
    try:
        return work(range(len(names))), {}
    except WebquarryError:
        raise
    except Exception:
        outcomes = enumerate(attempt(name, partial(_try_alone, work, place)) for place, name in enumerate(names))
        failures = {place: outcome for place, outcome in outcomes if isinstance(outcome, Failure)}
        if not failures:
            raise
    left = [place for place in range(len(names)) if place not in failures]
    return (work(left) if left else None), failures


def _try_alone(work: Callable[[Sequence[int]], T], place: int) -> None:
    """Raise the fault of ours that the work has on one page; that one page is too few for it is no fault."""
    try:
        work([place])
    except WebquarryError:
        return
