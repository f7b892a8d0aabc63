"""What the stages have to say beside their results, on standard error."""

from __future__ import annotations

import logging


def show_logs(*, verbose: bool) -> None:
    """Show warnings, each once, and with `verbose` all else."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Lines("quarry: %(levelname)s: %(message)s"))
    handler.addFilter(_Once())
    log = logging.getLogger("webquarry")
    log.handlers = [handler]
    log.setLevel(logging.DEBUG if verbose else logging.WARNING)


class _Lines(logging.Formatter):
    """One line each, which may name what a page or a file is called and must not command the terminal."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - as the library calls it
        from webquarry.storing.text_tables import printable  # noqa: PLC0415 - help needs no stages

        return printable(super().formatMessage(record))


class _Once(logging.Filter):
    """Lets a warning pass that was not there before: what is wrong with one page is so with all of its folder."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        said, before = record.getMessage(), len(self._said)
        self._said.add(said)
        return len(self._said) > before
