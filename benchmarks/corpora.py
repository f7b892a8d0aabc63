"""Find and read the pages of the corpora."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.trees import read_cases
from webquarry.html.parsing import decode
from webquarry.model.page import Page

Anything = TypeVar("Anything")

WEB_PAGES = {
    "articles-scrapinghub": ("html/*.html.gz",),
    "articles-wcxb": ("html/*.html.gz",),
    "cleaneval-dev": ("input/*.html",),
    "factbook-2011": ("**/*.html",),
    "factbook-2020": ("**/*.html",),
    "records": ("**/*.html", "**/*.htm"),
    "sites": ("**/*.html",),
    "swde": ("**/*.htm",),
    "tables": ("*/page.html",),
    "warc": ("**/*.html",),
}
"""Pages as served by their sites: glob patterns by corpus."""

BROKEN_PAGES = {"tidy-tests": ("**/*.html", "**/*.xhtml", "**/*.xml")}
"""Pages from bug reports."""

SNIPPETS = "html5lib-tests"
"""The corpus of the HTML standard's test cases, which has many inputs in a file."""


@dataclass(frozen=True)
class CorpusPage:
    """A page, read on demand; a snippet carries its text."""

    name: str
    path: Path
    text: str | None = None

    def markup(self) -> str:
        """Read and decode the page."""
        if self.text is not None:
            return self.text
        body = self.path.read_bytes()
        return decode(gzip.decompress(body) if self.path.suffix == ".gz" else body)


def page_of(url: str, markup: str) -> Page:
    """Make a page of decoded markup, overriding any encoding that the markup declares."""
    return Page(url, markup.encode("utf-8", "replace"), headers=(("content-type", "text/html; charset=utf-8"),))


def find_corpora() -> Path | None:
    """Return the folder of the corpora, or None if it has no known corpus."""
    root = Path(os.environ.get("WEBQUARRY_CORPORA", "~/.cache/webquarry-corpora")).expanduser()
    known = (*WEB_PAGES, *BROKEN_PAGES, SNIPPETS)
    return root if any((root / corpus).is_dir() for corpus in known) else None


def web_pages(root: Path) -> list[CorpusPage]:
    """List all pages as served, corpus by corpus."""
    return _find(root, WEB_PAGES)


def whole_pages(root: Path) -> list[CorpusPage]:
    """List the pages as served, and those from bug reports."""
    return [*_find(root, WEB_PAGES), *_find(root, BROKEN_PAGES)]


def every_page(root: Path) -> list[CorpusPage]:
    """List all whole pages, also those of the corpora that are scored by truths of their own."""
    paths = [*root.glob("modern/*/**/*.html"), *root.glob("details/*/pages/*.html")]
    return [*whole_pages(root), *(CorpusPage(path.relative_to(root).as_posix(), path) for path in sorted(paths))]


def snippets(root: Path) -> list[CorpusPage]:
    """List the inputs of the HTML standard's test cases."""
    return [*_tree_inputs(root), *_tokenizer_inputs(root)]


def draw_from_each_corpus(root: Path, count: int) -> list[CorpusPage]:
    """Draw at least `count` served pages evenly from the corpora, without frames saved beside a page."""
    corpora = [
        [page for page in _find(root, {corpus: globs}) if "_files/" not in page.name]
        for corpus, globs in WEB_PAGES.items()
    ]
    share = -(-count // len(corpora))
    return [page for pages in corpora for page in draw_evenly(pages, share)]


def tree_files(root: Path) -> list[Path]:
    """List the files of the HTML standard's tree-construction cases."""
    return sorted((root / SNIPPETS / "tree-construction").rglob("*.dat"))


def draw_evenly(pages: Sequence[Anything], count: int) -> list[Anything]:
    """Draw `count` pages at even distances.

    >>> draw_evenly(list("abcdefgh"), 4)
    ['a', 'c', 'e', 'g']
    """
    if count >= len(pages):
        return list(pages)
    return [pages[number * len(pages) // count] for number in range(count)]


def _find(root: Path, patterns: Mapping[str, tuple[str, ...]]) -> list[CorpusPage]:
    return [
        CorpusPage(path.relative_to(root).as_posix(), path)
        for corpus, globs in patterns.items()
        for path in sorted(path for glob in globs for path in (root / corpus).glob(glob))
        if path.is_file()
    ]


def _tree_inputs(root: Path) -> Iterator[CorpusPage]:
    for path in tree_files(root):
        for number, case in enumerate(read_cases(path)):
            yield CorpusPage(f"{SNIPPETS}/{path.name}#{number}", path, case.markup)


def _tokenizer_inputs(root: Path) -> Iterator[CorpusPage]:
    for path in sorted((root / SNIPPETS / "tokenizer").glob("*.test")):
        tests: list[dict[str, Any]] = next(iter(json.loads(path.read_text("utf-8")).values()))
        for number, test in enumerate(tests):
            text = test["input"]
            if test.get("doubleEscaped"):
                text = json.loads(f'"{text}"')
            yield CorpusPage(f"{SNIPPETS}/{path.name}#{number}", path, text)
