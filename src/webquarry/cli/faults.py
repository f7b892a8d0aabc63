"""What went wrong, in one line each on standard error."""

from __future__ import annotations

import typer
from typer.exceptions import TyperException

from webquarry.errors import QueryError, WebquarryError, WrapperError


class UsageFault(TyperException):
    """The command line makes no sense."""

    exit_code = 2


def complain(message: str, code: int) -> int:
    """Say what went wrong in one line and give the exit code for it.

    It may name what a page or a file is called, which must not command the terminal.
    """
    from webquarry.storing.text_tables import printable  # noqa: PLC0415 - help needs no stages

    typer.echo(f"quarry: {printable(message)}", err=True)
    return code


def complain_of(error: WebquarryError) -> int:
    """Say what one of our errors says, and give the exit code for it."""
    if isinstance(error, WrapperError):
        for mistake in error.mistakes:
            complain(mistake, 1)
        return 1
    if isinstance(error, QueryError):
        return _complain_in_lines(str(error), 1)
    return complain(str(error), 1)


def _complain_in_lines(message: str, code: int) -> int:
    """What may take several lines, of which one points at a place in that above it."""
    from webquarry.storing.text_tables import printable_line  # noqa: PLC0415

    first, *others = message.strip().replace("\t", " ").splitlines() or [""]
    complain(first, code)
    for line in filter(str.strip, others):
        typer.echo(printable_line(line.rstrip()), err=True)
    return code


def describe_fault(error: Exception) -> str:
    """What to say of a fault of ours."""
    return f"internal error, please report it: {type(error).__name__}: {error}"


def describe_refusal(error: OSError, place: object = None) -> str:
    """What the machine refused, and of which file."""
    return f"{error.filename or place or 'standard output'}: {error.strerror or error}"
