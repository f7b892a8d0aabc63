"""Write articles as text and Markdown, as JSON with every node, or as tables with a row for each page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from webquarry.errors import InputError
from webquarry.model.article import Article
from webquarry.model.names import PAGE
from webquarry.model.page import Failure
from webquarry.model.table_columns import Column, to_arrow
from webquarry.model.wording import count, printable_line, whole
from webquarry.storing.formats import JsonSink, Sink
from webquarry.storing.result_files import (
    PLAIN_ADDITION,
    Addition,
    Pieces,
    ResultNames,
    Target,
    check_place,
    write_whole,
)

if TYPE_CHECKING:
    import pyarrow as pa

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


def to_front_matter(article: Article) -> str:
    """Write the text as Markdown below its metadata as front matter, which has the title."""
    return f"{article.to_front_matter()}\n{article.to_markdown()}"


WRITERS: dict[str, tuple[Callable[[Article], str], str]] = {
    "text": (to_plain_text, ".txt"),
    "markdown": (to_titled_markdown, ".md"),
}
"""The formats for people, each with the ending of its files."""
TEXT_ENDINGS = {ending: name for name, (_, ending) in WRITERS.items()}


def open_article_sink(
    name: str,
    output: Target | None = None,
    *,
    table: str | None = None,
    addition: Addition = PLAIN_ADDITION,
    stream: BinaryIO | None = None,
    many: bool = False,
    inputs: Iterable[str | Path] = (),
    front_matter: bool = False,
    chunk_words: int | None = None,
) -> Sink:
    """Open a sink that writes articles in this format to a file or a stream, by default standard output.

    Text and Markdown of `many` pages go to a folder, a file for each page, unless `output` has an ending.  Results are
    arranged in the folder as pages are in the `inputs` that they come from.  With `front_matter` Markdown begins with
    the metadata.  With `chunk_words` the other formats have chunks of at most that many words instead of pages.
    `addition` is for PostgreSQL.
    """
    stream = stream or sys.stdout.buffer
    path = output if isinstance(output, Path) else None
    if name in WRITERS:
        write, ending = WRITERS[name]
        if chunk_words is not None:
            raise InputError(f"--chunks gives records, not {name}; choose jsonl, csv or parquet")
        if front_matter:
            write = to_front_matter
        if path is not None and (path.is_dir() or (many and not path.suffix)):
            return _TextFolder(write, path, ResultNames(inputs, ending))
        if path is not None:
            check_place(path)
        return _TextFile(write, path, stream, many=many)
    if name in ("json", "jsonl"):
        if path is not None:
            check_place(path)
        if chunk_words is not None:
            return _ChunkLines(path, stream, is_array=name == "json", words=chunk_words)
        return JsonSink(path, stream, is_array=name == "json")
    from webquarry.storing import query_tables  # noqa: PLC0415 - DuckDB is slow to import, and texts need none

    query_tables.check_table_place(name, output, table)
    store = partial(
        query_tables.store_table, name=name, output=output, table_name=table, addition=addition, stream=stream
    )
    if chunk_words is None:
        return _ArticleTable(to_article_rows, article_table, store)
    return _ArticleTable(partial(to_chunk_rows, chunk_words), chunk_table, store)


class _TextFile(Pieces):
    """Writes all pages to a stream or one file, each below its address if there are several."""

    def __init__(self, to_text: Callable[[Article], str], output: Path | None, stream: BinaryIO, *, many: bool) -> None:
        super().__init__(output, stream)
        self._to_text, self._many, self._pages = to_text, many, 0
        self._is_terminal = output is None and stream.isatty()

    def add(self, result: Storable) -> None:
        if isinstance(result, Failure):
            return
        self._pages += 1
        text = self._to_text(_check_article(result))
        if self._many:
            text = f"{result.page}\n\n{text}\n"
        elif not text:
            return
        if self._is_terminal:
            text = "\n".join(map(printable_line, text.split("\n")))
        self.write(whole(f"{text}\n").encode())

    def finish(self) -> str:
        super().finish()
        return f"{count(self._pages, 'page')} in {self._output or 'standard output'}"


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


class _ChunkLines(JsonSink):
    """Writes an object for each chunk of a page, with the error for a page that failed."""

    def __init__(self, output: Path | None, stream: BinaryIO, *, is_array: bool, words: int) -> None:
        super().__init__(output, stream, is_array=is_array)
        self._words = words

    def objects_of(self, result: Storable) -> list[dict[str, Any]]:
        """Return an object for each chunk."""
        return [chunk.to_dict() for chunk in _check_article(result).chunks(words=self._words)]


def to_article_rows(article: Article) -> list[tuple[str | None, ...]]:
    """Make the one row of a page."""
    stated = (getattr(article.metadata, name) or None for name in _COLUMNS[:-1])
    return [(article.page, *stated, article.text)]


def article_table(rows: Sequence[tuple[str | None, ...]]) -> pa.Table:
    """Make the table of articles, with a row for each page."""
    names = (PAGE, *_COLUMNS)
    values = zip(*rows, strict=True) if rows else [()] * len(names)
    return to_arrow(
        Column(name, "text", [None if value is None else whole(value) for value in column])
        for name, column in zip(names, values, strict=True)
    )


def to_chunk_rows(words: int, article: Article) -> list[dict[str, Any]]:
    """Make a row for each chunk of a page."""
    rows = []
    for chunk in article.chunks(words=words):
        row = chunk.to_dict()
        row["headings"] = [whole(heading) for heading in chunk.headings]
        rows.append({PAGE: whole(row.pop("page")), **row, "text": whole(chunk.text)})
    return rows


def chunk_table(rows: Sequence[dict[str, Any]]) -> pa.Table:
    """Make the table of chunks; headings and nodes are lists."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    texts = pa.list_(pa.string())
    kinds = {PAGE: pa.string(), "title": pa.string(), "headings": texts, "position": pa.int64()}
    kinds |= {"words": pa.int64(), "text": pa.string(), "nodes": texts}
    return pa.Table.from_pylist([*rows], schema=pa.schema(kinds))


class _ArticleTable:
    """Gathers rows for each page and stores them together."""

    def __init__(
        self,
        to_rows: Callable[[Article], list[Any]],
        to_table: Callable[[Sequence[Any]], pa.Table],
        store: Callable[[pa.Table], str],
    ) -> None:
        self._to_rows, self._to_table, self._store = to_rows, to_table, store
        self._rows: list[Any] = []

    def add(self, result: Storable) -> None:
        if not isinstance(result, Failure):
            self._rows += self._to_rows(_check_article(result))

    def finish(self) -> str:
        return self._store(self._to_table(self._rows))

    def close(self) -> None:
        """Do nothing: before `finish` there is nothing to clean up."""


def _check_article(result: Storable) -> Article:
    if not isinstance(result, Article):
        raise TypeError(f"this sink takes articles, not a {type(result).__name__}")
    return result
