"""Read pages with their true main texts."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import dataclass
from pathlib import Path

from benchmarks.articles.made_pages import MADE_PAGES
from benchmarks.articles.made_sites import Prose
from benchmarks.halves import HALVES, split
from webquarry.model.document import Document
from webquarry.validating.labelled_quality import CONTENT, mark_selected

SCRAPINGHUB, WCXB, CLEANEVAL = "articles-scrapinghub", "articles-wcxb", "cleaneval-dev"
MADE = "made pages"
_SEEDS = (1, 2)
"""Of the pages that are made, one for each half."""
_MARKS = re.compile(r"^\s*(?:URL:.*$|<(?:h|p|l)>)", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class TrueArticle:
    """A page and its true main text."""

    name: str
    body: bytes
    text: str
    kind: str
    half: str


def read_truths(root: Path, corpus: str) -> list[TrueArticle]:
    """Read the pages of a corpus, sorted by name; none if it is missing."""
    if corpus == MADE:
        return [_make(name, seed) for name in sorted(MADE_PAGES) for seed in _SEEDS]
    if not (root / corpus).is_dir():
        return []
    found = {SCRAPINGHUB: _scrapinghub, WCXB: _wcxb, CLEANEVAL: _cleaneval}[corpus](root / corpus)
    halves = split(found)
    return [TrueArticle(name, *found[name], half=halves[name]) for name in sorted(found)]


def _make(name: str, seed: int) -> TrueArticle:
    """Make a page; its true text is marked."""
    markup = MADE_PAGES[name](Prose(seed))
    document = Document(markup)
    true = mark_selected(document, "[data-true]") == CONTENT
    text = " ".join(document.texts[node] for node in document.seen_texts.tolist() if true[node])
    return TrueArticle(
        f"{name} {seed}", markup.encode(), text, name.split(":", maxsplit=1)[0], HALVES[_SEEDS.index(seed)]
    )


Found = dict[str, tuple[bytes, str, str]]
"""The page, its true text and its kind, by name."""


def _scrapinghub(folder: Path) -> Found:
    truth = json.loads((folder / "ground-truth.json").read_text("utf-8"))
    return {name: (_page(folder, name), page.get("articleBody", ""), "article") for name, page in truth.items()}


def _wcxb(folder: Path) -> Found:
    found = {}
    for path in (folder / "ground-truth").glob("*.json"):
        page = json.loads(path.read_text("utf-8"))
        kind = (page.get("_internal") or {}).get("page_type") or "article"
        kind = kind.get("primary", "article") if isinstance(kind, dict) else kind
        found[path.stem] = (_page(folder, path.stem), page["ground_truth"].get("main_content") or "", kind)
    return found


def _cleaneval(folder: Path) -> Found:
    """Read CleanEval, removing the markers for headings, paragraphs and list items from its texts."""
    return {
        path.stem: (path.read_bytes(), _MARKS.sub("", gold.read_text("utf-8", "replace")), "mixed")
        for path in (folder / "input").glob("*.html")
        if (gold := folder / "GoldStandard" / f"{path.stem}.txt").is_file()
    }


def _page(folder: Path, name: str) -> bytes:
    return gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes())
