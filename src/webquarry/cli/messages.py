"""Report on standard error what happens; every message is a log record first.

Commands log through the logger of this module, stages through the loggers of their modules, all of them below
`webquarry`, so that a program that calls them gets the same messages through Python's `logging`.
"""

from __future__ import annotations

import json
import logging
import sys
from contextlib import suppress
from datetime import UTC, datetime
from enum import Enum

from webquarry.errors import QueryError, WebquarryError, WrapperError
from webquarry.model.wording import printable, printable_line

_PACKAGE = "webquarry"
_log = logging.getLogger(__name__)


class LogFormat(Enum):
    """The forms of messages on standard error."""

    TEXT = "text"
    JSON = "json"


def show_logs(*, verbose: bool = False, style: LogFormat = LogFormat.TEXT) -> None:
    """Show the messages of commands and each warning of a stage once; with `verbose`, show everything."""
    handler = _StandardError()
    handler.setFormatter(_JsonLine() if style is LogFormat.JSON else _Line())
    handler.addFilter(_Once())
    log = logging.getLogger(_PACKAGE)
    log.handlers = [handler]
    log.setLevel(logging.DEBUG if verbose else logging.WARNING)
    _log.setLevel(logging.DEBUG if verbose else logging.INFO)


def show_more_logs(*, verbose: bool, style: LogFormat | None) -> None:
    """Add to what is shown, because options may come before the command and after it."""
    log = logging.getLogger(_PACKAGE)
    is_json = any(isinstance(handler.formatter, _JsonLine) for handler in log.handlers)
    shown = LogFormat.JSON if is_json else LogFormat.TEXT
    show_logs(verbose=verbose or log.level == logging.DEBUG, style=style or shown)


def say(message: str) -> None:
    """Report how a run went, such as what was written where."""
    _log.info("%s", message)


def complain(message: str, code: int) -> int:
    """Report a failure; return the exit code, 0 if it is only a warning."""
    _log.log(logging.ERROR if code else logging.WARNING, "%s", message)
    return code


def remark(message: str) -> None:
    """Log what only `--verbose` shows."""
    _log.debug("%s", message)


def complain_of(error: WebquarryError) -> int:
    """Report one of our errors; return the exit code."""
    if isinstance(error, WrapperError):
        for mistake in error.mistakes:
            complain(mistake, 1)
    elif isinstance(error, QueryError):  # several lines, one of which may point at a place in the line above it
        _log.error("%s", str(error).strip().replace("\t", " "), extra={"has_lines": True})
    else:
        complain(str(error), 1)
    return 1


def describe_fault(error: Exception) -> str:
    """Word the message for a bug of ours."""
    return f"internal error, please report it: {type(error).__name__}: {error}"


def describe_refusal(error: OSError) -> str:
    """Word the message for an error of the operating system."""
    return f"{error.filename or 'standard output'}: {error.strerror or error}"


class _StandardError(logging.Handler):
    """A handler that writes to the current standard error; a message that cannot be written does not stop the run."""

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError, ValueError):  # the latter for a closed stream
            # not by typer.echo, which would write around a progress bar
            sys.stderr.write(f"{self.format(record)}\n")
            sys.stderr.flush()


class _Line(logging.Formatter):
    """Formats a message on one line, safe for a terminal, with its level if it comes from a stage."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name in logging
        said = record.getMessage()
        if record.name != _log.name:
            return printable(f"quarry: {record.levelname}: {said}")
        if record.levelno < logging.WARNING:
            return printable_line(said)
        if not getattr(record, "has_lines", False):
            return printable(f"quarry: {said}")
        first, *others = said.splitlines() or [""]
        return "\n".join(
            [printable(f"quarry: {first}"), *(printable_line(line.rstrip()) for line in others if line.strip())]
        )


class _JsonLine(logging.Formatter):
    """Formats a message as an object on one line, for programs that collect logs."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry)


class _Once(logging.Filter):
    """Passes each warning of a stage once: pages of a folder tend to repeat it."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING or record.name == _log.name:
            return True
        said, before = record.getMessage(), len(self._said)
        self._said.add(said)
        return len(self._said) > before
