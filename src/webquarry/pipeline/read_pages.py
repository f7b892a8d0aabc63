"""Read articles from documents, page by page or with the pages of a site voting together."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Unpack, overload

import numpy as np

from webquarry.html.urls import split_host
from webquarry.mining.detail_page import put_item_first
from webquarry.model.article import Article
from webquarry.model.document import Document
from webquarry.model.nouns import replace_fields
from webquarry.model.page import Failure
from webquarry.model.report import Selection
from webquarry.page.landmarks import Role
from webquarry.page.leaves import find_line_holders
from webquarry.page.stated_data import read_stated_text
from webquarry.page.stated_items import PageData
from webquarry.pipeline.call_arguments import WORKING, require_each, takes
from webquarry.pipeline.mine_pages import mine_with_and_without_layout
from webquarry.pipeline.page_guard import PageWork, attempt_all, attempt_together
from webquarry.pipeline.worker_pool import WorkerOptions, Workers, work_apart
from webquarry.reading.article_metadata import PageStatements, find_shared_names
from webquarry.reading.boilerpipe import read_boilerpipe
from webquarry.reading.boilerplate import REASONS
from webquarry.reading.reader import LINKS, read_blocks
from webquarry.validating.ballots import Ballot, cast, host_of
from webquarry.validating.votes import decide_by_site

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webquarry.validating.votes import Decision

Reader = Callable[[Document], Article]


def find_records(document: Document) -> Sequence[tuple[int, int]]:
    """Find the records of the main list of a page, or the one thing that it is about."""
    regions = put_item_first(document, mine_with_and_without_layout(document), PageData(document))
    return regions[0].spans if regions and regions[0].role == "main" else ()


def read_listing_too(document: Document) -> Article:
    """Read a page by its blocks, where the records that mining finds tell what a listing or a thread is about."""
    return read_blocks(document, find_records)


ARTICLE_READERS: dict[str, Reader] = {
    "vote": read_listing_too,
    "blocks": read_listing_too,
    "boilerpipe": read_boilerpipe,
}
TOGETHER = ("vote",)
"""Methods that let the pages of a site decide together, after each was read."""
MIN_PAGES_FOR_VOTE = 2
"""Below this there is nobody to vote with; the vote itself has a minimum per site."""
PAGES_PER_VOTE = 256
"""Pages that are held in memory to be read together."""
MAX_SHARE_VOTED_OUT = 0.5
"""The share of the characters of an article that a vote may remove; a vote on more is wrong about the page."""

_log = logging.getLogger(__name__)


@overload
def read(documents: Document, *, method: str = "vote") -> Article: ...
@overload
def read(documents: Iterable[Document], *, method: str = "vote") -> list[Article]: ...
@takes()
def read(documents: Document | Iterable[Document], *, method: str = "vote") -> Article | list[Article]:
    """Read the main text of a document, or of each of several; never renders.

    documents: what `clean` or `render` gives.
    method: `vote` reads documents of one site that are given together by a vote of them all; `blocks` and
        `boilerpipe` read each alone.

    >>> import webquarry as wq
    >>> wq.read(wq.clean(wq.fetch("examples/news/articles/lost-bell.html"))).metadata.title
    'Divers lift chapel bell that vanished in 1790'
    """
    reader = find_reader(method)
    if isinstance(documents, Document):
        return _read_one(reader, documents)
    several = documents if isinstance(documents, Iterable) and not isinstance(documents, str) else [documents]
    given = list(require_each("read", several, Document))
    if method in TOGETHER and len(given) >= MIN_PAGES_FOR_VOTE:
        return _vote([_read_draft(reader, document) for document in given])
    return [_read_one(reader, document) for document in given]


@takes(WORKING)
def read_all(
    documents: Iterable[Document | Failure],
    *,
    method: str = "vote",
    with_metadata: bool = False,
    **options: Unpack[WorkerOptions],
) -> Iterator[Article | Failure]:
    """Read the main text of many documents; a document that cannot be read becomes a failure.

    With the method `vote`, up to 256 consecutive documents are read together.

    documents: what `clean_all` or `render_all` gives.
    method: as in `read`.
    with_metadata: read the metadata at once, so that an error in it is a failure of the page too; otherwise it is read
        on first use.

    >>> import webquarry as wq
    >>> len(list(wq.read_all(wq.clean_all(wq.fetch_all(["examples/news/articles"])))))
    12
    """
    work, workers = make_reading(method, with_metadata=with_metadata), Workers(**options)
    given = require_each("read_all", documents, Document, Failure)
    if workers.are_apart:
        return work_apart(given, work, workers)
    results = attempt_all(given, work.each)
    return _in_batches(results, with_metadata=with_metadata) if method in TOGETHER else results


def make_reading(method: str = "vote", *, with_metadata: bool = False) -> PageWork:
    """Describe the work of `read_all`, so that other processes can do it."""
    reader = find_reader(method)
    if method not in TOGETHER:
        return PageWork(partial(_read_one, reader, with_metadata=with_metadata))
    each = partial(_read_draft, reader, with_metadata=with_metadata)
    return PageWork(each, together=partial(_attempt_vote, with_metadata=with_metadata), group=PAGES_PER_VOTE)


def _in_batches(results: Iterator[_Draft | Failure], *, with_metadata: bool) -> Iterator[Article | Failure]:
    """Let batches of pages vote; a run that is stopped gives out what it has read before it ends."""
    while True:
        batch: list[_Draft | Failure] = []
        try:
            for result in islice(results, PAGES_PER_VOTE):
                batch.append(result)  # noqa: PERF402 - a list comprehension would lose all if the run is stopped
        finally:
            drafts = [each for each in batch if isinstance(each, _Draft)]
            outcomes = iter(_attempt_vote(drafts, with_metadata=with_metadata))
            yield from (next(outcomes) if isinstance(each, _Draft) else each for each in batch)
        if not batch:
            return


@dataclass(frozen=True)
class _Draft:
    """A page that was read alone, with what the vote of its site needs to know of it.

    A pickled draft has the tree of its document, so that a process that goes on with the work of another one does not
    parse the page again.
    """

    article: Article
    ballot: Ballot
    statements: PageStatements

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "tree": self.article.document.copy_tree()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        state["article"].document.use_tree(state.pop("tree"))
        self.__dict__.update(state)


def _read_draft(reader: Reader, document: Document, *, with_metadata: bool = False) -> _Draft:
    statements = PageStatements(document)
    article = _read_one(reader, document, statements, with_metadata=with_metadata)
    [called], [refused] = find_called([article]), find_refused([article])
    return _Draft(article, cast(document, called, refused=refused), statements)


def _read_one(
    reader: Reader, document: Document, statements: PageStatements | None = None, *, with_metadata: bool = False
) -> Article:
    article = reader(document)
    if not len(article):
        article = replace_fields(article, stated=read_stated_text(document))
    return _add_metadata(article, statements or PageStatements(document), at_once=with_metadata)


def _add_metadata(
    article: Article, statements: PageStatements, shared: Sequence[str] = (), *, at_once: bool
) -> Article:
    metadata = statements.to_metadata(shared) if at_once else partial(statements.to_metadata, shared)
    return replace_fields(article, metadata=metadata)


def _attempt_vote(drafts: list[_Draft], *, with_metadata: bool) -> list[Article | Failure]:
    if len(drafts) < MIN_PAGES_FOR_VOTE:
        return [draft.article for draft in drafts]
    names = [draft.article.page for draft in drafts]
    voted, failures = attempt_together(
        names, lambda places: _vote([drafts[place] for place in places], with_metadata=with_metadata)
    )
    left = iter(voted or ())
    return [failures[place] if place in failures else next(left) for place in range(len(drafts))]


def _vote(drafts: list[_Draft], *, with_metadata: bool = False) -> list[Article]:
    """Revise the articles by the votes of their sites; without a vote an article stays as it was read.

    The metadata are read again where pages share the name of their site, which is not the title of any.
    """
    decisions = decide_by_site([draft.ballot for draft in drafts])
    sites: dict[int, list[PageStatements]] = {}
    for draft, decision in zip(drafts, decisions, strict=True):
        sites.setdefault(decision.site_number, []).append(draft.statements)
    names = {number: find_shared_names(pages) for number, pages in sites.items()}
    articles = []
    for draft, decision in zip(drafts, decisions, strict=True):
        article, shared = _revise(draft.article, decision), names[decision.site_number]
        articles.append(_add_metadata(article, draft.statements, shared, at_once=with_metadata) if shared else article)
    return articles


def _revise(article: Article, decision: Decision) -> Article:
    note = decision.note or ("the vote would remove most of its text" if _loses_most(article, decision) else "")
    if note:
        of_site = f" (site {decision.site})" if decision.site else ""
        _log.info("%s: %s%s: read alone", article.page, note, of_site)
        return article
    return replace_fields(
        article,
        method="vote",
        nodes=decision.nodes,
        kept=decision.kept,
        scores=decision.scores,
        reasons=decision.reasons,
    )


def _loses_most(article: Article, decision: Decision) -> bool:
    texts, read = article.document.texts, set(article.nodes[article.kept].tolist())
    lost = read.difference(decision.nodes[decision.kept].tolist())
    return sum(len(texts[node]) for node in lost) > MAX_SHARE_VOTED_OUT * sum(len(texts[node]) for node in read)


def find_reader(method: str) -> Reader:
    """Find the reader of this name."""
    if method not in ARTICLE_READERS:
        raise ValueError(f"no reading method {method!r}; choose from {', '.join(ARTICLE_READERS)}")
    return ARTICLE_READERS[method]


def find_called(articles: Iterable[Article]) -> list[NDArray[np.int32]]:
    """Find for each page the texts that its reader calls content."""
    return [article.nodes[article.kept] for article in articles]


def find_refused(read: Iterable[Article | Selection]) -> list[dict[int, str]]:
    """Find for each page the texts that are certainly not content, such as advertisements, with the reader's reason.

    Other pages may vote back in texts that were left out as too short, or as bylines, labels and captions, and lines
    of links to other sites, which a text may list; not lines such as `Read also` that lead to pages of its own site.
    """
    parts = Role.BYLINE | Role.LABELS | Role.CAPTION
    foreign = {reason for role, reason in REASONS.items() if not role & parts}
    refused = []
    for each in read:
        lines = [node for node, reason in each.left_out if reason == LINKS]
        own = _find_own_links(each.document, lines) if lines else set()
        refused.append({node: reason for node, reason in each.left_out if reason in foreign or node in own})
    return refused


def _find_own_links(document: Document, texts: list[int]) -> set[int]:
    """Find the texts whose lines link to pages of the same site only."""
    own, attributes, anchors = host_of(document), document.attributes, document.has_tag(["a"]).nonzero()[0]
    hosts = [split_host(attributes[node].get("href", ""))[0].removeprefix("www.") for node in anchors.tolist()]
    abroad = anchors[[host not in ("", own) for host in hosts]]
    holders = find_line_holders(document, np.array(texts, dtype=np.int32))
    stay = abroad.searchsorted(holders) == abroad.searchsorted(document.ends[holders])
    return {text for text, stays in zip(texts, stay.tolist(), strict=True) if stays}
