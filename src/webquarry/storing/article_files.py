"""Write articles as text and Markdown, as JSON with every node, or as tables with a row for each page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from webquarry.model.article import Article
from webquarry.model.names import PAGE, count, printable_line, whole
from webquarry.model.page import Failure
from webquarry.model.table_columns import Column, to_arrow
from webquarry.storing.atomic_files import Pieces, check_place, write_whole
from webquarry.storing.formats import JsonSink, Sink
from webquarry.storing.result_names import ResultNames

if TYPE_CHECKING:
    from webquarry.model.region import Storable

_COLUMNS = ("title", "author", "date", "language", "site", "text")


def to_plain_text(article: Article) -> str:
    """Return the text alone."""
    return article.text


def to_titled_markdown(article: Article) -> str:
    """Write the text as Markdown below the title of the page, unless it begins with that itself."""
    body, title = article.to_markdown(), " ".join(article.metadata.title.split())
    first = body.partition("\n")[0]
    if not title or (first.startswith("# ") and title in first):
        return body
    return f"# {title}\n\n{body}"


WRITERS: dict[str, tuple[Callable[[Article], str], str]] = {
    "text": (to_plain_text, ".txt"),
    "markdown": (to_titled_markdown, ".md"),
}
"""The formats for people, each with the ending of its files."""
TEXT_ENDINGS = {ending: name for name, (_, ending) in WRITERS.items()}


def open_article_sink(
    name: str,
    output: Path | None = None,
    *,
    table: str | None = None,
    stream: BinaryIO | None = None,
    many: bool = False,
    inputs: Iterable[Path] = (),
) -> Sink:
    """Open a sink that writes articles in this format to a file or a stream, by default standard output.

    Text and Markdown of `many` pages go to a folder, a file for each page, unless `output` has an ending.  `inputs` are
    the folders that the pages come from; results are arranged in the folder as pages are in these.
    """
    stream = stream or sys.stdout.buffer
    if name in WRITERS:
        write, ending = WRITERS[name]
        if output is not None and (output.is_dir() or (many and not output.suffix)):
            return _TextFolder(write, output, ResultNames(inputs, ending))
        if output is not None:
            check_place(output)
        return _TextFile(write, output, stream, many=many)
    if name in ("json", "jsonl"):
        if output is not None:
            check_place(output)
        return JsonSink(output, stream, is_array=name == "json")
    return _ArticleTable(name, output, table, stream)


class _TextFile(Pieces):
    """Writes all pages to a stream or one file, each below its address if there are several."""

    def __init__(self, to_text: Callable[[Article], str], output: Path | None, stream: BinaryIO, *, many: bool) -> None:
        super().__init__(output, stream)
        self._to_text, self._many = to_text, many
        self._is_terminal = output is None and stream.isatty()

    def add(self, result: Storable) -> None:
        if isinstance(result, Failure):
            return
        text = self._to_text(_check_article(result))
        if self._many:
            text = f"{result.page}\n\n{text}\n"
        elif not text:
            return
        if self._is_terminal:
            text = "\n".join(map(printable_line, text.split("\n")))
        self.write(whole(f"{text}\n").encode())


class _TextFolder:
    """Writes a file for each page as soon as its article is there."""

    def __init__(self, to_text: Callable[[Article], str], folder: Path, names: ResultNames) -> None:
        self._to_text, self._folder, self._is_new = to_text, folder, not folder.exists()
        self._names = names
        self._files = 0

    def add(self, result: Storable) -> None:
        if isinstance(result, Failure):
            return
        content = whole(f"{self._to_text(_check_article(result))}\n").encode()
        write_whole(self._folder / self._names.give(result.page), content)
        self._files += 1

    def finish(self) -> str:
        return f"{count(self._files, 'file')} in {self._folder}"

    def close(self) -> None:
        """Remove the folder if it is ours and empty."""
        if self._is_new:
            with suppress(OSError):
                self._folder.rmdir()


class _ArticleTable:
    """Gathers a row for each page and stores them together."""

    def __init__(self, name: str, output: Path | None, table: str | None, stream: BinaryIO) -> None:
        from webquarry.storing import query_tables  # noqa: PLC0415 - DuckDB is slow to import, and texts need none

        query_tables.check_table_place(name, output, table)
        self._store = partial(query_tables.store_table, name=name, output=output, table_name=table, stream=stream)
        self._rows: list[tuple[str | None, ...]] = []

    def add(self, result: Storable) -> None:
        if isinstance(result, Failure):
            return
        article = _check_article(result)
        stated = (getattr(article.metadata, name) or None for name in _COLUMNS[:-1])
        self._rows.append((article.page, *stated, article.text))

    def finish(self) -> str:
        names = (PAGE, *_COLUMNS)
        values = zip(*self._rows, strict=True) if self._rows else [()] * len(names)
        table = to_arrow(
            Column(name, "text", [None if value is None else whole(value) for value in column])
            for name, column in zip(names, values, strict=True)
        )
        return self._store(table)

    def close(self) -> None:
        """Do nothing: before `finish` there is nothing to clean up."""


def _check_article(result: Storable) -> Article:
    if not isinstance(result, Article):
        raise TypeError(f"this sink takes articles, not a {type(result).__name__}")
    return result
