"""Further attempts after failures that may be gone the next time."""

from __future__ import annotations

from collections.abc import Callable

import tenacity

from webquarry.fetching.faults import TemporaryError
from webquarry.model import Page

LONGEST_BACKOFF = 30.0


def with_retries(attempt: Callable[[], Page], *, retries: int, backoff: float, pause: Callable[[float], None]) -> Page:
    """The page of the first attempt that succeeds; the pauses between them grow, unless the server names one."""
    growing = tenacity.wait_exponential_jitter(multiplier=backoff, max=LONGEST_BACKOFF, jitter=backoff)

    def wait(state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after if isinstance(error, TemporaryError) else None
        return growing(state) if asked is None else asked

    # Of tenacity itself and not of stamina, which is built on it: stamina sleeps where nobody can wake it, and logs
    # each retry as a warning.
    retrying = tenacity.Retrying(
        stop=tenacity.stop_after_attempt(retries + 1),
        retry=tenacity.retry_if_exception_type(TemporaryError),
        wait=wait,
        sleep=pause,
        reraise=True,
    )
    return retrying(attempt)
