"""The whole way, step by step."""

from __future__ import annotations

from pathlib import Path

import typer

from webquarry.demo.cleaning import show_cleaning, show_messy_page
from webquarry.demo.finding import find_examples
from webquarry.demo.mining import show_mining
from webquarry.demo.querying import show_querying
from webquarry.demo.reading import show_reading
from webquarry.demo.validating import show_validating
from webquarry.demo.wrapping import BOOK, extract_book, show_wrapping


def show(folder: Path) -> int:
    """Take the example pages all the way into a folder, tell what was done, and give the exit code."""
    examples = find_examples()
    typer.echo(f"The example pages are in {examples}\n")
    is_good = show_cleaning(examples, folder / "clean")
    show_messy_page(examples)
    is_good &= show_mining(examples, folder)
    catalog = folder / "catalog"
    wrapper = show_wrapping(examples / BOOK, catalog, folder / "pictures")
    is_good &= extract_book(wrapper, catalog, folder)
    is_good &= show_querying(examples / BOOK, catalog)
    is_good &= show_reading(examples, folder)
    is_good &= show_validating(examples, folder)
    typer.echo(f"The results are in {folder.resolve()}")
    return 0 if is_good else 1
