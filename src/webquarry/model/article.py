"""What reading gives: the main text of a page, with its nodes."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from webquarry.html.markdown import to_markdown
from webquarry.model import nouns as notebook
from webquarry.model.document import Document
from webquarry.model.nouns import Deferred, same_fields

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Metadata:
    """What a page states about its article; nothing where it states nothing."""

    title: str = ""
    author: str = ""
    """Several are parted by commas."""
    date: str = ""
    """When it was published, as in ISO 8601: a date, or a date and time."""
    language: str = ""
    """As in BCP 47, such as `en-GB`."""
    site: str = ""


@dataclass(frozen=True, eq=False)
class Article:  # noqa: PLW1641 - arrays have no hash
    """The main text of a page.

    All texts that a reader sees on the page are there, in document order, each with whether it was kept and why:
    what was left out can be looked at too.
    """

    document: Document = field(repr=False)
    method: str
    nodes: NDArray[np.int32] = field(repr=False)
    """Texts that a reader sees and that are not blank."""
    kept: NDArray[np.bool_] = field(repr=False)
    scores: Deferred[NDArray[np.float32]] = Deferred()  # noqa: RUF009 - a descriptor is one for all
    """For each text how much speaks for it, from 0 to 1.

    This and what follows may be given as functions, which are called when they are first asked for.
    """
    reasons: Deferred[tuple[str, ...]] = Deferred()  # noqa: RUF009
    """For each text the words for what decided."""
    metadata: Deferred[Metadata] = Deferred(Metadata())  # noqa: RUF009

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Article):
            return NotImplemented
        return same_fields(self, other)

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
        """What was kept, as a reader sees it, line by line."""
        return self.document.text_of(self.nodes[self.kept])

    @property
    def left_out(self) -> tuple[tuple[int, str], ...]:
        """Texts that were not kept, each with the reason."""
        entries = zip(self.nodes.tolist(), self.reasons, self.kept.tolist(), strict=True)
        return tuple((node, reason) for node, reason, kept in entries if not kept)

    def to_markdown(self) -> str:
        """What was kept as Markdown: headings, lists, tables, code, quotes, links and images in their order."""

        layout = self.document.layout
        return to_markdown(self.document, self.nodes[self.kept], None if layout is None else layout.boxes)

    def _repr_html_(self) -> str:
        stated = {name: text for name, text in asdict(self.metadata).items() if text and name != "title"}
        return notebook.prose(self.text, self.metadata.title or self.document.url, stated)

    def to_dict(self) -> dict[str, Any]:
        """The article as plain values fit for JSON; nodes as absolute addresses."""
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
