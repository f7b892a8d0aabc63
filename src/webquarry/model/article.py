"""The main text of a page, with its nodes: the result of reading."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from webquarry.html.markdown import to_markdown
from webquarry.model.document import Document
from webquarry.model.nouns import Deferred, EqualByFields, html_prose

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Metadata:
    """Metadata that a page states about its article; empty where it states nothing."""

    title: str = ""
    author: str = ""
    """Several authors are separated by commas."""
    date: str = ""
    """Date of publication in ISO 8601, with or without a time."""
    language: str = ""
    """As in BCP 47, such as `en-GB`."""
    site: str = ""


@dataclass(frozen=True, eq=False)
class Article(EqualByFields):
    """The main text of a page.

    It holds all visible texts of the page in document order, each with whether it was kept and why.
    """

    document: Document = field(repr=False)
    method: str
    nodes: NDArray[np.int32] = field(repr=False)
    """The visible texts that are not blank."""
    kept: NDArray[np.bool_] = field(repr=False)
    scores: Deferred[NDArray[np.float32]] = Deferred()  # noqa: RUF009 - a descriptor is one for all
    """The score of each text, from 0 to 1.  This and the next fields may be given as functions."""
    reasons: Deferred[tuple[str, ...]] = Deferred()  # noqa: RUF009
    """The reason for each text, in words."""
    metadata: Deferred[Metadata] = Deferred(Metadata())  # noqa: RUF009

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "scores": self.scores, "reasons": self.reasons, "metadata": self.metadata}

    def __len__(self) -> int:
        return int(self.kept.sum())

    def __repr__(self) -> str:
        return f"<Article {self.metadata.title!r}: {len(self)} of {len(self.nodes)} texts, {len(self.text)} characters>"

    @property
    def page(self) -> str:
        """The address of the page."""
        return self.document.url

    @cached_property
    def text(self) -> str:
        """The kept texts as a reader sees them, line by line."""
        return self.document.text_of(self.nodes[self.kept])

    @property
    def left_out(self) -> tuple[tuple[int, str], ...]:
        """The texts that were not kept, each with the reason."""
        entries = zip(self.nodes.tolist(), self.reasons, self.kept.tolist(), strict=True)
        return tuple((node, reason) for node, reason, kept in entries if not kept)

    def to_markdown(self) -> str:
        """Write the kept texts as Markdown: headings, lists, tables, code, quotes, links and images in order."""
        layout = self.document.layout
        return to_markdown(self.document, self.nodes[self.kept], None if layout is None else layout.boxes)

    def _repr_html_(self) -> str:
        stated = {name: text for name, text in asdict(self.metadata).items() if text and name != "title"}
        return html_prose(self.text, self.metadata.title or self.document.url, stated)

    def to_dict(self) -> dict[str, Any]:
        """Convert the article to plain values for JSON; nodes become absolute XPaths."""
        address, texts = self.document.xpath, self.document.texts
        entries = zip(self.nodes.tolist(), self.kept.tolist(), self.scores.tolist(), self.reasons, strict=True)
        return {
            "page": self.page,
            "document": self.document.kind,
            **asdict(self.metadata),
            "text": self.text,
            "nodes": [
                {
                    "node": address(node),
                    "text": " ".join(texts[node].split()),
                    "kept": kept,
                    "score": round(score, 4),
                    "reason": reason,
                }
                for node, kept, score, reason in entries
            ],
        }
