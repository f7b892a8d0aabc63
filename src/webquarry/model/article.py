"""The main text of a page, with its nodes: the result of reading."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from webquarry.html.markdown import to_markdown
from webquarry.model.chunks import Chunk, split_text
from webquarry.model.document import Document
from webquarry.model.nouns import Deferred, EqualByFields, html_prose
from webquarry.model.wording import whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


FRONT_MATTER = ("title", "author", "date", "url", "site", "language")
"""The keys of front matter, in their order."""
_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


@dataclass(frozen=True)
class Metadata:
    """Metadata that a page states about its article; empty where it states nothing."""

    title: str = ""
    author: str = ""
    """Several authors are separated by commas."""
    date: str = ""
    """Date of publication in ISO 8601, such as `2024-03-14`."""
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
    stated: str = field(default="", repr=False)
    """The text that the page states in its data but does not show; read where no text of the page was kept."""

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
        """The kept texts as a reader sees them, line by line; where there are none, the stated text."""
        return self.document.text_of(self.nodes[self.kept]) or self.stated

    @property
    def left_out(self) -> tuple[tuple[int, str], ...]:
        """The texts that were not kept, each with the reason."""
        entries = zip(self.nodes.tolist(), self.reasons, self.kept.tolist(), strict=True)
        return tuple((node, reason) for node, reason, kept in entries if not kept)

    def to_markdown(self) -> str:
        """Write the kept texts as Markdown: headings, lists, tables, code, quotes, links and images in order."""
        layout = self.document.layout
        boxes = None if layout is None else layout.boxes
        return to_markdown(self.document, self.nodes[self.kept], boxes) or self.stated

    def to_front_matter(self) -> str:
        """Write the metadata and the address as front matter for Markdown: YAML in which every value is quoted."""
        stated = asdict(self.metadata)
        stated["url"] = self.document.web_address or self.page
        lines = [f"{name}: {_quote(stated[name])}" for name in FRONT_MATTER if stated[name]]
        return "\n".join(["---", *lines, "---", ""])

    def chunks(self, *, words: int = 200) -> list[Chunk]:
        """Split the kept texts into chunks for retrieval, at headings, then paragraphs, then sentences.

        words: the most words of a chunk.
        """
        return split_text(self.document, self.nodes[self.kept], self.stated, self.metadata.title, words)

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


def _quote(text: str) -> str:
    """Quote a text for YAML, as JSON does, with the characters escaped that only JSON takes as they are.

    >>> _quote('Two: "lines"\\n# and more')
    '"Two: \\\\"lines\\\\"\\\\n# and more"'
    """
    written = json.dumps(whole(text), ensure_ascii=False)
    return _NOT_IN_YAML.sub(lambda mark: f"\\u{ord(mark[0]):04x}", written)
