"""What is printed: the first lines of texts, answers in SQL, commands to try."""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import which

import typer

OUTLINED = 14  # lines of an outline


def name_program() -> str:
    """What a person writes to run it again: a virtual environment may not be on the path."""
    called = sys.argv[0]
    return called if Path(called).name == "quarry" and which("quarry") is None else "quarry"


def print_some(text: str, most: int = OUTLINED) -> None:
    """The first lines, and how many more there are."""
    lines = text.splitlines()
    for line in lines[:most]:
        typer.echo(f"   | {line}")
    if len(lines) > most:
        typer.echo(f"   | … {len(lines) - most} more lines")


def ask(query: str, database: Path | None = None) -> str:
    """The answer to a query as a table in a box."""
    import duckdb  # noqa: PLC0415 - slow to import

    with duckdb.connect(str(database or ":memory:"), read_only=database is not None) as connection:
        return str(connection.sql(query))
