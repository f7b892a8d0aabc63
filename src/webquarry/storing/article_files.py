"""Where articles go: text and Markdown, JSON with every node, and tables with a row for each page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, takewhile
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc

from webquarry.model.article import Article
from webquarry.model.names import PAGE
from webquarry.model.page import Failure
from webquarry.model.region import Storable
from webquarry.model.report import Report
from webquarry.model.table_columns import Column, to_arrow
from webquarry.model.wording import count, printable_line, whole
from webquarry.storing.atomic_files import Pieces, check_place, translated, write_pieces, write_whole
from webquarry.storing.formats import Sink
from webquarry.storing.query_tables import check_table_place, store_table
from webquarry.storing.result_files import JsonArray, JsonLines, to_json
from webquarry.storing.result_names import ResultNames

# MERGED storing/text_pages: Articles as text or Markdown: one after the other, or a file for each page.
Write = Callable[[Article], str]


def to_plain_text(article: Article) -> str:
    """The text alone."""
    return article.text


def to_titled_markdown(article: Article) -> str:
    """The text as Markdown under the title of the page, unless it begins with that itself."""
    body, title = article.to_markdown(), " ".join(article.metadata.title.split())
    first = body.partition("\n")[0]
    if not title or (first.startswith("# ") and title in first):
        return body
    return f"# {title}\n\n{body}"


class TextPages:
    """All pages on a stream or in one file, each under its address when there are several."""

    def __init__(self, write: Write, output: Path | None, stream: BinaryIO, *, many: bool) -> None:
        self._to_text, self._many = write, many
        self._is_terminal = output is None and stream.isatty()
        self._pieces = Pieces(output, stream)

    def add(self, result: Storable) -> None:
        """Write the article of a page; a failed one has none."""
        if isinstance(result, Failure):
            return
        text = self._to_text(_as_article(result))
        if self._many:
            text = f"{result.page}\n\n{text}\n"
        elif not text:
            return
        if self._is_terminal:
            text = "\n".join(map(printable_line, text.split("\n")))
        self._pieces.write(whole(f"{text}\n").encode())

    def finish(self) -> None:
        """Let the file be seen."""
        self._pieces.finish()

    def close(self) -> None:
        """Leave nothing of a file that is not finished."""
        self._pieces.close()


class TextFolder:
    """A file for each page, as soon as its article is there."""

    def __init__(self, write: Write, folder: Path, ending: str, *, inputs: Iterable[Path]) -> None:
        """`inputs` are the folders that pages come from: results stand in the folder as pages in these."""
        self._to_text, self._folder, self._is_new = write, folder, not folder.exists()
        self._names = ResultNames(inputs, ending)
        self._count = 0

    def add(self, result: Storable) -> None:
        """Write the file of a page; a failed one has none."""
        if isinstance(result, Failure):
            return
        content = whole(f"{self._to_text(_as_article(result))}\n").encode()
        with translated(self._folder):
            write_whole(self._folder / self._names.give(result.page), content)
        self._count += 1

    def finish(self) -> str:
        """Tell how many there are."""
        return f"{self._count:,} file{'s' * (self._count != 1)} in {self._folder}"

    def close(self) -> None:
        """Leave no folder of ours without files."""
        if self._is_new:
            with suppress(OSError):
                self._folder.rmdir()


def _as_article(result: Storable) -> Article:
    if not isinstance(result, Article):
        raise TypeError(f"text is written of articles, not of a {type(result).__name__}")
    return result


WRITERS: dict[str, tuple[Write, str]] = {"text": (to_plain_text, ".txt"), "markdown": (to_titled_markdown, ".md")}
"""The formats that are read as they are, each with the ending of its files."""
TEXT_ENDINGS = {ending: name for name, (_, ending) in WRITERS.items()}
_COLUMNS = ("title", "author", "date", "language", "site", "text")


def open_article_sink(
    name: str,
    output: Path | None = None,
    *,
    table: str | None = None,
    stream: BinaryIO | None = None,
    many: bool = False,
    inputs: Iterable[Path] = (),
) -> Sink:
    """Where articles in the format of this name go: a file, or a stream, by default standard output.

    Text and Markdown of `many` pages go to a folder, a file each, unless `output` has an ending.  `inputs` are the
    folders that the pages come from.
    """
    stream = stream or sys.stdout.buffer
    if name in WRITERS:
        write, ending = WRITERS[name]
        if output is not None and (output.is_dir() or (many and not output.suffix)):
            return TextFolder(write, output, ending, inputs=inputs)
        if output is not None:
            check_place(output)
        return TextPages(write, output, stream, many=many)
    if name in ("json", "jsonl"):
        if output is not None:
            check_place(output)
        return (JsonArray if name == "json" else JsonLines)(output, stream)
    check_table_place(name, output, table)
    return _Rows(name, output, table, stream)


class _Rows:
    """Gathers a row for each page, and stores them together in the end."""

    def __init__(self, name: str, output: Path | None, table: str | None, stream: BinaryIO) -> None:
        self._name, self._output, self._table, self._stream = name, output, table, stream
        self._rows: list[tuple[str | None, ...]] = []

    def add(self, result: Storable) -> None:
        if isinstance(result, Failure):
            return
        if not isinstance(result, Article):
            raise TypeError(f"rows of articles are made of articles, not of a {type(result).__name__}")
        stated = (getattr(result.metadata, name) or None for name in _COLUMNS[:-1])
        self._rows.append((result.page, *stated, result.text))

    def finish(self) -> str:
        return store_table(self._to_arrow(), self._name, self._output, table_name=self._table, stream=self._stream)

    def close(self) -> None:
        self._rows.clear()

    def _to_arrow(self) -> pa.Table:
        values = zip(*self._rows, strict=True) if self._rows else [()] * (1 + len(_COLUMNS))
        return to_arrow(
            Column(name, "text", [None if value is None else whole(value) for value in column])
            for name, column in zip((PAGE, *_COLUMNS), values, strict=True)
        )


# MERGED storing/reports: Where reports go: JSON by pages, tables by nodes, and what is to be dropped for a t
_SHOWN = ("page", "column", "text", "score", "reason")
_DIGITS = 4
"""Of scores for people: they compare them, and do not count on."""


def store_report(
    report: Report,
    name: str,
    output: Path | None = None,
    *,
    table_name: str | None = None,
    stream: BinaryIO | None = None,
) -> str:
    """Write a report in the format of this name to a file, or to a stream, by default standard output.

    Gives back what to say of it.  A `table` has what is to be dropped, the oddest first, and nothing is written when
    there is nothing to drop; the others have all.
    """
    if name in ("json", "jsonl"):
        write_pieces(_json(report, is_array=name == "json"), output, stream or sys.stdout.buffer)
        return f"{count(len(report.pages) + len(report.failures), 'page')} in {output or 'standard output'}"
    table = _show_drops(report.to_arrow()) if name == "table" else report.to_arrow()
    if name == "table" and output is None and not len(table):
        return ""
    return store_table(table, name, output, table_name=table_name, stream=stream)


def _show_drops(table: pa.Table) -> pa.Table:
    """What is to be dropped, with what a person looks at; pages without the beginning that all have in common."""

    folder = _find_folder(table[PAGE].unique().to_pylist())
    dropped = table.filter(table["drop"]).sort_by([("score", "descending")])
    pages = pa.array([page.removeprefix(folder) for page in dropped[PAGE].to_pylist()], pa.string())
    shown = dropped.append_column("page", pages)
    shown = shown.set_column(shown.column_names.index("score"), "score", pc.round(shown["score"], _DIGITS))
    empty = {"column"} if shown["column"].null_count == len(shown) else set()
    return shown.select([name for name in _SHOWN if name not in empty])


def _find_folder(addresses: Sequence[str]) -> str:
    """What addresses have in common, up to a slash.

    >>> _find_folder(["https://example.org/news/a.html", "https://example.org/news/about.html"])
    'https://example.org/news/'
    """
    least, most = min(addresses, default=""), max(addresses, default="")
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(least, most, strict=False)))
    return f"{least[:common].rpartition('/')[0]}/"


def _json(report: Report, *, is_array: bool) -> Iterator[bytes]:
    opening, between, closing_mark = ("[\n", ",", "]\n") if is_array else ("", "", "")
    yield opening.encode()
    failed = ({"page": failure.page, "error": failure.error} for failure in report.failures)
    for place, plain in enumerate(chain((page.to_dict() for page in report.pages), failed)):
        line = to_json(plain)
        yield f"{between if place else ''}{line}\n".encode()
    yield closing_mark.encode()
