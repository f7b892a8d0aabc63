"""Explain failed requests in plain words, and tell which of them are worth another attempt."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from http import HTTPStatus

import httpcore2
import httpx2

from webquarry.errors import FetchError
from webquarry.fetching.encodings import DamagedError
from webquarry.fetching.transport import SpentError
from webquarry.model.page import Page

TEMPORARY_STATUSES = (429, 502, 503, 504)
MAX_RETRY_AFTER = 60.0  # seconds; we do not wait longer within one run
ADVICE = {
    401: "send credentials with --header",
    403: "the site refuses programs like this one",
    404: "check the address",
    410: "it is gone for good",
    429: "fetch fewer pages at a time, or try again later",
}


class TemporaryError(FetchError):
    """A temporary failure: another attempt may succeed."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        """`retry_after` is the wait in seconds that the server asks for."""
        super().__init__(message)
        self.retry_after = retry_after


@contextmanager
def explained() -> Iterator[None]:
    """Translate errors of the HTTP libraries into FetchError."""
    try:
        yield
    except FetchError as error:
        if isinstance(error, DamagedError):
            raise TemporaryError(f"{error}; try again, or report it to the site") from error
        raise
    except (SpentError, httpcore2.ReadTimeout, httpcore2.WriteTimeout, httpcore2.PoolTimeout) as error:
        raise FetchError("the server is too slow; try again later, or in Python with a longer timeout") from error
    except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
        raise _connection_error(error) from error
    except (httpcore2.NetworkError, httpcore2.RemoteProtocolError) as error:
        raise TemporaryError(f"the connection broke off ({error}); try again later") from error
    except (httpx2.RemoteProtocolError, httpx2.InvalidURL) as error:
        raise FetchError(f"it redirects to an invalid address ({error}); the site may be misconfigured") from error
    except (httpcore2.LocalProtocolError, UnicodeError) as error:
        raise FetchError(f"the request is invalid ({error}); check the address and the headers") from error
    except (OSError, RuntimeError, httpx2.HTTPError) as error:
        raise FetchError(f"{error}; try again later") from error


def check_status(page: Page) -> None:
    """Raise a FetchError unless the status is a success."""
    if 200 <= page.status < 300:
        return
    names = {status.value: status.phrase for status in HTTPStatus}
    answer = f"the server answered {page.status} {names.get(page.status, '')}".rstrip()
    message = f"{answer}; {ADVICE.get(page.status, 'try again later' if page.status >= 500 else 'check the address')}"
    wait = retry_after(page.header("Retry-After"))
    if wait is not None and wait > MAX_RETRY_AFTER:
        raise FetchError(f"{answer} and asks to wait {wait:.0f} seconds; try again then")
    if page.status in TEMPORARY_STATUSES:
        raise TemporaryError(message, wait)
    raise FetchError(message)


def retry_after(value: str | None, now: float | None = None) -> float | None:
    """Read the seconds to wait from a Retry-After header, which holds a number or a date."""
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
        return TemporaryError("the host name cannot be resolved; check the network connection")
    if any(isinstance(cause, socket.gaierror | UnicodeError) for cause in causes):
        return FetchError("the host is unknown; check the spelling of the address")
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return FetchError(f"cannot make a secure connection ({error}); check the address, or try http")
    return TemporaryError(f"cannot connect ({error}); check the address, or try again later")


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        # The connection pool raises again "from None", which leaves only the context.
        cause = cause.__cause__ or cause.__context__
