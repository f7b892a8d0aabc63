"""The sample pages as a wrapper reads them: which pieces are headings, and of which sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.formats.trees import ColumnsTree
from webquarry.model import Document, TokenFormat, Wrapper
from webquarry.model.wrapper import OTHER
from webquarry.wrapping.corrections.grammars import Path
from webquarry.wrapping.names import heading_name
from webquarry.wrapping.parsing import Parser
from webquarry.wrapping.reading import Reader
from webquarry.wrapping.samples import Format, Sample, to_sample


@dataclass(frozen=True)
class Spot:
    """A heading on a sample page."""

    piece: int
    text: str
    token: TokenFormat
    path: Path
    """Begins with `_other` when it is no section of the grammar."""

    @property
    def name(self) -> str:
        """As the page has it, in snake case."""
        return heading_name(self.text)

    @property
    def section_name(self) -> str:
        """What its section is called when nothing else is said."""
        return self.token.repeats or self.name

    @property
    def is_section(self) -> bool:
        """Whether the grammar knows it."""
        return self.path[0] != OTHER


def read_pages(wrapper: Wrapper, documents: Sequence[Document]) -> list[Sample]:
    """The pieces of the documents."""
    reader = Reader(wrapper)
    return [to_sample(document, reader.read_pieces(ColumnsTree(document))[1]) for document in documents]


def read_spots(wrapper: Wrapper, pages: Sequence[Sample]) -> list[list[Spot]]:
    """For each page its headings, in their order."""
    parser = Parser(wrapper)
    return [
        [
            Spot(number, page.pieces[number].text, token, path)
            for number, token, path in parser.trace(page.document, page.pieces)
        ]
        for page in pages
    ]


def is_of(token: TokenFormat, format_: Format) -> bool:
    """Whether a heading of the format is like the token."""
    return token.signature == format_.signature and token.look in ("", format_.look.to_words())
