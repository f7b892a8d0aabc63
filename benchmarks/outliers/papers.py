"""Reproduce the paper's Tables 1 and 2: Boilerpipe's texts on sites of several kinds, with assumed recalls.

The three sites of the corpus, all their pages together, the articles of `examples/`, and sites that are made here and
differ in how boilerplate looks beside the text.  The last two need no corpus.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

import webquarry as wq
from benchmarks.corpora import page_of
from benchmarks.findings import Finding
from benchmarks.outliers.deletion import POOLED
from benchmarks.outliers.made_news import NEWS_SITES, make_news
from benchmarks.outliers.sites import SELECTORS, SITES, rendered_site
from webquarry.model.document import Document
from webquarry.model.page import Failure
from webquarry.reading.boilerpipe import read_boilerpipe
from webquarry.rendering.browser import find_browser
from webquarry.validating.deletion_curves import Row, compare
from webquarry.validating.labelled_quality import CONTENT, PaperTables, make_tables, mark_selected
from webquarry.validating.selections import select_article

BEFORE = Row("Boilerpipe", 0.8442, (), (0.7345, 0.7943, 0.8471, 0.8940), 0, 0)
PAPER = (
    Row("10-NN", 0.8575, (), (0.7361, 0.7968, 0.8503, 0.8980), 0.0478, 0.0232),
    Row("50-NN", 0.8786, (), (0.7410, 0.8029, 0.8577, 0.9066), 0.1079, 0.0529),
    Row("100-NN", 0.9389, (), (0.7478, 0.8130, 0.8712, 0.9233), 0.3492, 0.1405),
    Row("200-NN", 0.9883, (), (0.7566, 0.8245, 0.8852, 0.9398), 0.4818, 0.1946),
    Row("500-NN", 0.9963, (), (0.7589, 0.8272, 0.8883, 0.9434), 0.5262, 0.2010),
    Row("HBOS", 0.9450, (), (0.7592, 0.8250, 0.8836, 0.9361), 0.3040, 0.1280),
)
"""Table 1 of the paper, without the recalls, which follow from the rest."""
EXAMPLE_NEWS = Path(__file__).parent.parent.parent / "examples" / "news"
EXAMPLE_CONTENT = ".lead, .text > p:not(.promo)"
MADE_CONTENT = "[data-true]"
ARTICLES_OF_MADE_SITE = 60


def run_outlier_claims(root: Path, count: int | None = None) -> Finding | None:
    """Measure the paper's methods by site; None without a browser.  `count` limits the pages of each site."""
    if find_browser() is None:
        return None
    pages = [("examples/news", _render_examples(), EXAMPLE_CONTENT)]
    for number, (name, site) in enumerate(NEWS_SITES.items()):
        made = make_news(site, articles=min(ARTICLES_OF_MADE_SITE, count or ARTICLES_OF_MADE_SITE))
        pages.append((f"made: {name}", _render(f"https://made{number}.test", made), MADE_CONTENT))
    tables = {name: measure([(document, selector) for document in documents]) for name, documents, selector in pages}
    known = [site for site in SITES if (root / "sites" / site).is_dir()]
    labelled = {site: [(each, SELECTORS[site]) for each in rendered_site(root, site, count)] for site in known}
    tables |= {site: measure(each) for site, each in labelled.items()}
    if len(known) > 1:
        tables[POOLED] = measure([pair for each in labelled.values() for pair in each])
    return Finding(
        title="Visual outliers, the paper's tables",
        note=(
            "Change against no deletion, at the stop with the highest mean F1 over assumed recalls of .65, .75, .85"
            " and .95: precision, F1 at the lowest and at the highest recall, and in brackets the share of nodes and"
            " bytes deleted. P is the precision of Boilerpipe's texts as they are."
        ),
        heads=("", *(row.name for row in PAPER)),
        rows=[
            [f"the paper (P {BEFORE.precision:.3f})", *(_show(compare(row, BEFORE)) for row in PAPER)],
            *(
                [f"{name} (P {each.before.precision:.3f})", *map(_show, each.increases)]
                for name, each in tables.items()
            ),
        ],
    )


def measure(pages: Sequence[tuple[Document, str]]) -> PaperTables:
    """Make the tables of what Boilerpipe extracts from pages whose content matches a CSS selector each."""
    selections = [select_article(read_boilerpipe(document)) for document, _ in pages]
    content = [
        mark_selected(document, selector)[selection.nodes] == CONTENT
        for (document, selector), selection in zip(pages, selections, strict=True)
    ]
    return make_tables(selections, np.concatenate(content))


def _render_examples() -> list[Document]:
    found = wq.render_all(list(wq.fetch_all([EXAMPLE_NEWS / "articles"])), roots=[EXAMPLE_NEWS], offline=True)
    return [each for each in found if not isinstance(each, Failure)]


def _render(site: str, markups: Sequence[str]) -> list[Document]:
    pages = [page_of(f"{site}/{place}", markup) for place, markup in enumerate(markups)]
    return [each for each in wq.render_all(pages, offline=True) if not isinstance(each, Failure)]


def _row(name: str, tables: PaperTables) -> list[str]:
    return [f"{name} (P {tables.before.precision:.3f})", *map(_show, tables.increases)]


def _show(row: Row) -> str:
    changes = f"P {row.precision:+.1%}, F1 {row.f1s[0]:+.1%} to {row.f1s[-1]:+.1%}"
    return f"{changes} ({row.deleted_nodes:.0%}, {row.deleted_bytes:.0%})"
