"""What went wrong on the way to a page, in plain words, and whether trying again can help."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from email.utils import parsedate_to_datetime
from http import HTTPStatus

import httpcore2
import httpx2

from webquarry.errors import FetchError
from webquarry.fetching.encodings import DamagedError
from webquarry.model.page import Page


# MERGED fetching/budget: The time that a page may spend on the network, all its waits together.
# MERGED
# MERGED A limit for each wait alone lets a server that sends a byte a second go on for ever.  Waits for our
# MERGED not count: a page that stands in a queue has done nothing wrong.
class SpentError(TimeoutError):
    """The page has no time left."""


class _Budget:
    def __init__(self, seconds: float) -> None:
        self.left = seconds


_current: ContextVar[_Budget | None] = ContextVar("budget", default=None)


@contextmanager
def time_budget(seconds: float) -> Iterator[None]:
    """Whatever this thread does on the network inside may take so many seconds in all."""
    token = _current.set(_Budget(seconds))
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def spending(timeout: float | None) -> Iterator[float | None]:
    """The seconds that one wait may take; what it took is counted."""
    budget = _current.get()
    if budget is None:
        yield timeout
        return
    if budget.left <= 0:
        raise SpentError("the time for this page is spent")
    started = time.monotonic()
    try:
        yield budget.left if timeout is None else min(timeout, budget.left)
    finally:
        budget.left -= time.monotonic() - started


TEMPORARY_STATUSES = (429, 502, 503, 504)
# Seconds; who asks for a longer wait is asked again another day.
LONGEST_RETRY_AFTER = 60.0
ADVICE = {
    401: "send credentials with --header",
    403: "the site does not give it to programs like this one",
    404: "check the address",
    410: "it is gone for good",
    429: "fetch fewer pages at a time, or try again later",
}


class TemporaryError(FetchError):
    """A failure that may be gone at the next attempt."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        """`retry_after` is the seconds that the server asks to wait."""
        super().__init__(message)
        self.retry_after = retry_after


@contextmanager
def explained() -> Iterator[None]:
    """Turn the errors of libraries into ours."""
    try:
        yield
    except FetchError as error:
        if isinstance(error, DamagedError):
            raise TemporaryError(f"{error}; try again, or tell the site") from error
        raise
    except (SpentError, httpcore2.ReadTimeout, httpcore2.WriteTimeout, httpcore2.PoolTimeout) as error:
        raise FetchError("the server is too slow; try again later, or in Python with a longer timeout") from error
    except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
        raise _connection_error(error) from error
    except (httpcore2.NetworkError, httpcore2.RemoteProtocolError) as error:
        raise TemporaryError(f"the connection broke off ({error}); try again later") from error
    except (httpx2.RemoteProtocolError, httpx2.InvalidURL) as error:
        raise FetchError(f"it redirects to what is no address ({error}); the site may be misconfigured") from error
    except (httpcore2.LocalProtocolError, UnicodeError) as error:
        raise FetchError(f"no request can be made of this ({error}); check the address and the headers") from error
    except (OSError, RuntimeError, httpx2.HTTPError) as error:
        raise FetchError(f"{error}; try again later") from error


def is_unreachable(error: FetchError) -> bool:
    """Whether no connection to the host was made at all."""
    return isinstance(error.__cause__, httpcore2.ConnectError | httpcore2.ConnectTimeout)


def check_status(page: Page) -> None:
    """Raise the error that an answer other than a page stands for."""
    if 200 <= page.status < 300:
        return
    names = {status.value: status.phrase for status in HTTPStatus}
    answer = f"the server answered {page.status} {names.get(page.status, '')}".rstrip()
    message = f"{answer}; {ADVICE.get(page.status, 'try again later' if page.status >= 500 else 'check the address')}"
    wait = retry_after(page.header("Retry-After"))
    if wait is not None and wait > LONGEST_RETRY_AFTER:
        raise FetchError(f"{answer} and asks to wait {wait:.0f} seconds; try again then")
    if page.status in TEMPORARY_STATUSES:
        raise TemporaryError(message, wait)
    raise FetchError(message)


def retry_after(value: str | None, now: float | None = None) -> float | None:
    """The seconds that a Retry-After header asks to wait, given as such or as a date."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        moment = parsedate_to_datetime(value).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0.0, moment - (time.time() if now is None else now))


def _connection_error(error: Exception) -> FetchError:
    causes = list(_causes(error))
    if any(isinstance(cause, socket.gaierror) and cause.errno == socket.EAI_AGAIN for cause in causes):
        return TemporaryError("the host cannot be looked up; check the network connection")
    if any(isinstance(cause, socket.gaierror | UnicodeError) for cause in causes):
        return FetchError("the host is unknown; check the spelling of the address")
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return FetchError(f"no secure connection can be made ({error}); check the address, or try http")
    return TemporaryError(f"no connection can be made ({error}); check the address, or try again later")


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        # The connection pool raises again "from None", which leaves only the context.
        cause = cause.__cause__ or cause.__context__
