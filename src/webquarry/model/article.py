"""The main text of a page, with its nodes: the result of reading; also its chunks, for retrieval."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from webquarry.html.columns import HEADING_TAGS
from webquarry.html.markdown import to_markdown
from webquarry.model.document import Document
from webquarry.model.nouns import Deferred, EqualByFields, html_prose
from webquarry.model.wording import whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_UNSPACED = "\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Thai, Lao, Khmer, kana and Han, which are written without spaces: each letter counts as a word."""
_WORD = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
_SENTENCE_END = re.compile("[.!?…]+[\"'\u201d\u2019»)\\]]*\\s+|[。\uff01\uff1f]+[」』\u201d]*\\s*")
_INITIAL = re.compile(r"(?:^|[\s(])[^\W\d_]\.\s+$")  # the dot of "J. Smith" ends no sentence


@dataclass(frozen=True)
class Chunk:
    """A part of an article that is short enough to be looked up on its own."""

    page: str
    title: str
    """The title of the article."""
    headings: tuple[str, ...]
    """The headings that the text is below, the outermost first."""
    position: int
    """The place among the chunks of the article, from 1."""
    text: str
    nodes: tuple[int, ...]
    """The texts of the document that it is made of."""
    xpaths: tuple[str, ...]
    """The addresses of these nodes."""

    @property
    def words(self) -> int:
        """The number of words in it."""
        return count_words(self.text)

    def to_dict(self) -> dict[str, Any]:
        """Convert the chunk to plain values for JSON; nodes become absolute XPaths."""
        return {
            "page": self.page,
            "title": self.title,
            "headings": list(self.headings),
            "position": self.position,
            "words": self.words,
            "text": self.text,
            "nodes": list(self.xpaths),
        }


class _Piece(NamedTuple):
    """A paragraph or a part of one."""

    text: str
    nodes: tuple[int, ...]
    words: int


def count_words(text: str) -> int:
    """Count words; in scripts without spaces, letters.

    >>> count_words("Two words"), count_words("東京 is far")
    (2, 4)
    """
    return sum(1 for _ in _WORD.finditer(text))


def split_text(document: Document, texts: NDArray[np.int32], stated: str, title: str, words: int) -> list[Chunk]:
    """Split some texts of a document, or else a stated text, into chunks of at most `words` words."""
    if words < 1:
        raise ValueError(f"a chunk needs at least 1 word, not {words}")
    chunks: list[Chunk] = []
    for headings, lines in _find_sections(document, texts, stated):
        pieces = (piece for text, nodes in lines for piece in _split_line(text, nodes, document, words))
        for packed in _pack(pieces, words):
            nodes = tuple(dict.fromkeys(node for piece in packed for node in piece.nodes))
            text = "\n".join(piece.text for piece in packed)
            xpaths = tuple(map(document.xpath, nodes))
            chunks.append(Chunk(document.url, " ".join(title.split()), headings, len(chunks) + 1, text, nodes, xpaths))
    return chunks


Line = tuple[str, tuple[int, ...]]


def _find_sections(
    document: Document, texts: NDArray[np.int32], stated: str
) -> Iterator[tuple[tuple[str, ...], list[Line]]]:
    """Find the lines below each heading, with the headings above them; a heading is the first line of its section."""
    path: list[tuple[int, str]] = []
    lines: list[Line] = []
    for level, text, nodes in _find_lines(document, texts, stated):
        if level:
            if lines:
                yield tuple(heading for _, heading in path), lines
            path = [*(each for each in path if each[0] < level), (level, " ".join(text.split()))]
            lines = []
        lines.append((text, nodes))
    if lines:
        yield tuple(heading for _, heading in path), lines


def _find_lines(
    document: Document, texts: NDArray[np.int32], stated: str
) -> Iterator[tuple[int, str, tuple[int, ...]]]:
    """Yield each line of the text with the level of the heading that it is in, 0 for others; a heading is one line."""
    levels = {tag: int(tag[1]) for tag in HEADING_TAGS}
    before = -1
    held: tuple[int, str, tuple[int, ...]] | None = None
    unseen: list[tuple[list[int], str]] = [([], line) for line in stated.splitlines() if line.strip()]
    for nodes, text in document.lines_of(texts) or unseen:
        heading = _find_heading(document, nodes[0]) if nodes else -1
        if held is not None and heading != -1 and heading == before:  # a line break in a heading
            held = (held[0], f"{held[1]} {text}", (*held[2], *nodes))
            continue
        if held is not None:
            yield held
        held = (levels[document.tag(heading)] if heading != -1 else 0, text, tuple(nodes))
        before = heading
    if held is not None:
        yield held


def _find_heading(document: Document, node: int) -> int:
    """Find the heading that a text is in; -1 if it is in none."""
    parents = document.parents
    above = int(parents[node])
    while above > 0 and document.tag(above) not in HEADING_TAGS:
        above = int(parents[above])
    return above if above > 0 else -1


def _split_line(text: str, nodes: tuple[int, ...], document: Document, words: int) -> Iterator[_Piece]:
    """Yield a line as one piece if it is short enough, else its sentences, else parts of these."""
    total = count_words(text)
    if total <= words:
        yield _Piece(text, nodes, total)
        return
    places = _find_places(text, nodes, document)
    for start, stop in _cut(text, 0, len(text), words, (_line_ends, _sentence_ends, _word_ends)):
        part = text[start:stop].strip()
        inside = tuple(node for node, (first, last) in places.items() if first < stop and last > start)
        if part:
            yield _Piece(part, inside, count_words(part))


def _find_places(text: str, nodes: tuple[int, ...], document: Document) -> dict[int, tuple[int, int]]:
    """Find the characters of a line that each node has written."""
    places: dict[int, tuple[int, int]] = {}
    start = 0
    for node in nodes:
        written = document.texts[node]
        wanted = written.strip() if written.strip() in text else " ".join(written.split())
        found = max(text.find(wanted, start), start)
        places[node] = (found, found + max(len(wanted), 1))
        start = min(found + len(wanted), len(text))
    return places


Ends = Callable[[str, int, int], Iterable[int]]


def _cut(text: str, start: int, stop: int, words: int, ways: tuple[Ends, ...]) -> Iterator[tuple[int, int]]:
    """Cut a text at the ends that the first way finds, and what is too long still by the next; join what fits."""
    if not ways or count_words(text[start:stop]) <= words:
        yield start, stop
        return
    begin, used = start, 0
    before = start
    for end in (*ways[0](text, start, stop), stop):
        length = count_words(text[before:end])
        if used and used + length > words:
            yield begin, before
            begin, used = before, 0
        if length > words:
            yield from _cut(text, before, end, words, ways[1:])
            begin = end
        else:
            used += length
        before = end
    if begin < stop:
        yield begin, stop


def _line_ends(text: str, start: int, stop: int) -> Iterator[int]:
    return (match.end() for match in re.compile(r"\n+").finditer(text, start, stop))


def _sentence_ends(text: str, start: int, stop: int) -> Iterator[int]:
    """Find where sentences end: after a full stop that no small letter follows, and that belongs to no initial."""
    for match in _SENTENCE_END.finditer(text, start, stop):
        end = match.end()
        if end < stop and not text[end].islower() and not _INITIAL.search(text, max(start, end - 6), end):
            yield end


def _word_ends(text: str, start: int, stop: int) -> Iterator[int]:
    return (match.end() for match in _WORD.finditer(text, start, stop))


def _pack(pieces: Iterable[_Piece], words: int) -> Iterator[list[_Piece]]:
    """Join pieces, as long as they fit into a chunk together."""
    packed: list[_Piece] = []
    used = 0
    for piece in pieces:
        if packed and used + piece.words > words:
            yield packed
            packed, used = [], 0
        packed.append(piece)
        used += piece.words
    if packed:
        yield packed


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
