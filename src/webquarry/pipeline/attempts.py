"""What fails on one page must not stop the others."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from webquarry.errors import BrowserError, WebquarryError
from webquarry.model import Failure

T = TypeVar("T")
_log = logging.getLogger(__name__)


def attempt(name: str, work: Callable[[], T]) -> T | Failure:
    """What the work gives, or a failure of this name in its place."""
    try:
        return work()
    except BrowserError:
        raise  # no other page would fare better
    except WebquarryError as error:
        return Failure(name, str(error))


def attempt_all(name: str, work: Callable[[], T]) -> T | Failure:
    """The same, with a failure in the place of a fault of ours too."""
    try:
        return attempt(name, work)
    except BrowserError:
        raise
    except Exception as error:  # noqa: BLE001 - a fault of ours; one page must not stop the others
        _log.debug("", exc_info=error)
        return Failure(name, f"{name}: internal error, please report it: {type(error).__name__}: {error}")
