"""Read articles from documents, page by page or with the pages of a site voting together."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, overload

from webquarry.model.article import Article
from webquarry.model.document import Document
from webquarry.model.nouns import replace_fields
from webquarry.model.page import Failure
from webquarry.model.report import Selection
from webquarry.page.landmarks import Role
from webquarry.pipeline.fetch_pages import attempt_all, attempt_together
from webquarry.reading.article_metadata import read_metadata
from webquarry.reading.boilerpipe import read_boilerpipe
from webquarry.reading.reader import REASONS, read_blocks
from webquarry.validating.votes import decide_sites

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from webquarry.validating.votes import Decision

Reader = Callable[[Document], Article]

ARTICLE_READERS: dict[str, Reader] = {"vote": read_blocks, "blocks": read_blocks, "boilerpipe": read_boilerpipe}
TOGETHER = ("vote",)
"""Methods that let the pages of a site decide together, after each was read."""
MIN_PAGES_FOR_VOTE = 2
"""Below this there is nobody to vote with; the vote itself has a minimum per site."""
PAGES_PER_VOTE = 256
"""Pages that are held in memory to be read together."""

_log = logging.getLogger(__name__)


@overload
def read(documents: Document, *, method: str = "vote") -> Article: ...
@overload
def read(documents: Iterable[Document], *, method: str = "vote") -> list[Article]: ...
def read(documents: Document | Iterable[Document], *, method: str = "vote") -> Article | list[Article]:
    """Read the main text of a document, or of each of several; never renders.

    With the method `vote`, documents of one site that are given together are read together.
    """
    reader = find_reader(method)
    if isinstance(documents, Document):
        return _read_one(reader, documents)
    given = list(documents) if isinstance(documents, Iterable) else [documents]
    odd = next((type(each).__name__ for each in given if not isinstance(each, Document)), None)
    if odd is not None:
        raise TypeError(f"read takes Documents, not a {odd}; make one with clean or render")
    articles = [_read_one(reader, document) for document in given]
    return _vote(articles) if method in TOGETHER and len(articles) >= MIN_PAGES_FOR_VOTE else articles


def read_all(
    documents: Iterable[Document | Failure], *, method: str = "vote", with_metadata: bool = False
) -> Iterator[Article | Failure]:
    """Read the main text of many documents; a document that cannot be read becomes a failure.

    With the method `vote`, up to 256 consecutive documents are read together.  `with_metadata` reads the metadata at
    once, so that an error in it is a failure of the page too; otherwise it is read on first use.
    """
    results = attempt_all(documents, partial(_read_one, find_reader(method), with_metadata=with_metadata))
    return _in_batches(results) if method in TOGETHER else results


def _in_batches(results: Iterator[Article | Failure]) -> Iterator[Article | Failure]:
    while batch := list(islice(results, PAGES_PER_VOTE)):
        outcomes = iter(_attempt_vote([each for each in batch if isinstance(each, Article)]))
        yield from (next(outcomes) if isinstance(each, Article) else each for each in batch)


def _attempt_vote(articles: list[Article]) -> list[Article | Failure]:
    if len(articles) < MIN_PAGES_FOR_VOTE:
        return [*articles]
    names = [article.page for article in articles]
    voted, failures = attempt_together(names, lambda places: _vote([articles[place] for place in places]))
    left = iter(voted or ())
    return [failures[place] if place in failures else next(left) for place in range(len(articles))]


def _vote(articles: list[Article]) -> list[Article]:
    """Revise the articles by the votes of their sites; without a vote an article stays as it was read."""
    documents = [article.document for article in articles]
    decisions = decide_sites(documents, find_called(articles), refused=find_refused(articles))
    return [_revise(article, decision) for article, decision in zip(articles, decisions, strict=True)]


def _revise(article: Article, decision: Decision) -> Article:
    if decision.note:
        of_site = f" (site {decision.site})" if decision.site else ""
        _log.info("%s: %s%s: read alone", article.page, decision.note, of_site)
        return article
    return replace_fields(
        article,
        method="vote",
        nodes=decision.nodes,
        kept=decision.kept,
        scores=decision.scores,
        reasons=decision.reasons,
    )


def _read_one(reader: Reader, document: Document, *, with_metadata: bool = False) -> Article:
    metadata = read_metadata(document) if with_metadata else partial(read_metadata, document)
    return replace_fields(reader(document), metadata=metadata)


def find_reader(method: str) -> Reader:
    """Find the reader of this name."""
    if method not in ARTICLE_READERS:
        raise ValueError(f"no reading method {method!r}; there are {', '.join(ARTICLE_READERS)}")
    return ARTICLE_READERS[method]


def find_called(articles: Iterable[Article]) -> list[NDArray[np.int32]]:
    """Find for each page the texts that its reader calls content."""
    return [article.nodes[article.kept] for article in articles]


def find_refused(read: Iterable[Article | Selection]) -> list[dict[int, str]]:
    """Find for each page the texts that are certainly not content, such as advertisements, with the reader's reason.

    Other pages may vote back in texts that were left out as too short, or as bylines, labels and captions.
    """
    parts = Role.BYLINE | Role.LABELS | Role.CAPTION
    foreign = {reason for role, reason in REASONS.items() if not role & parts}
    return [{node: reason for node, reason in each.left_out if reason in foreign} for each in read]
