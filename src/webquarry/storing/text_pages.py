"""Articles as text or Markdown: one after the other, or a file for each page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from webquarry.model import Article, Failure
from webquarry.model.tabling import whole
from webquarry.storing.faults import translated
from webquarry.storing.files import write_whole
from webquarry.storing.names import ResultNames
from webquarry.storing.pieces import Pieces
from webquarry.storing.results import Storable
from webquarry.storing.text_tables import printable_line

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
