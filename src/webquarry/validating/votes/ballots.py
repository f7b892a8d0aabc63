"""A page as the vote sees it: its texts and what holds them, each with bytes, votes and classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from webquarry.html.paths import depths_of
from webquarry.model import Document
from webquarry.validating.votes.classes import classes_of

LABEL = 100
"""Bytes of a title, a date or a byline; longer texts are running text."""


@dataclass(frozen=True, eq=False)
class Ballot:
    """The texts of a page with what voters said of them; columns are of `nodes`, except where said otherwise."""

    document: Document
    texts: NDArray[np.int32]
    """Those that a reader sees and that are not blank."""
    votes: NDArray[np.float64]
    """For each text the share of the voters that called it content."""
    refused: Mapping[int, str]
    """Texts that a voter left out for what they are, such as advertisements, each with the reason."""

    @cached_property
    def nodes(self) -> NDArray[np.int64]:
        """The texts and all that holds them, in document order: first the document itself."""
        return np.flatnonzero(self._sum_below(np.ones(len(self.texts))))

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """For each text where it stands among the nodes."""
        return np.searchsorted(self.nodes, self.texts)

    @cached_property
    def holders(self) -> NDArray[np.int64]:
        """Where the holder of each node stands among the nodes; for the document itself 0."""
        return np.searchsorted(self.nodes, self.document.parents[self.nodes])

    @cached_property
    def depths(self) -> NDArray[np.int64]:
        """How many nodes hold each."""
        return depths_of(self.document.ends)[self.nodes]

    @cached_property
    def keys(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Their classes, fine and coarse."""
        fine, coarse = classes_of(self.document)
        return fine[self.nodes], coarse[self.nodes]

    @cached_property
    def sizes(self) -> NDArray[np.float64]:
        """How much text they hold."""
        return self._sum_below(self._lengths)[self.nodes]

    @cached_property
    def running(self) -> NDArray[np.float64]:
        """How many of these bytes stand in texts that are longer than a label."""
        return self._sum_below(np.where(self._lengths > LABEL, self._lengths, 0.0))[self.nodes]

    @cached_property
    def called(self) -> NDArray[np.float64]:
        """How many of these bytes were called content."""
        return self._sum_below(self._lengths * self.votes)[self.nodes]

    @cached_property
    def contents(self) -> list[bytes]:
        """What each text says, without white space around it."""
        texts = map(self.document.texts.__getitem__, self.texts.tolist())
        return [text.strip().encode("utf-8", "replace") for text in texts]

    @cached_property
    def _lengths(self) -> NDArray[np.float64]:
        return np.array([*map(len, self.contents)], dtype=np.float64)

    def _sum_below(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each node of the document the sum of the numbers of the texts in it."""
        before = np.zeros(len(self.document) + 1)
        before[self.texts + 1] = numbers
        before = np.cumsum(before)
        return before[self.document.ends] - before[:-1]


def cast(
    document: Document,
    voter: NDArray[np.int32],
    *others: NDArray[np.int32],
    refused: Mapping[int, str] | None = None,
) -> Ballot:
    """The ballot of a page; each voter names the texts that it calls content."""
    texts = document.seen_texts
    votes = np.stack([np.isin(texts, called) for called in (voter, *others)])
    return Ballot(document, texts, votes.mean(axis=0), refused or {})


def cast_all(
    documents: Sequence[Document],
    voters: Sequence[Sequence[NDArray[np.int32]]],
    refused: Sequence[Mapping[int, str]] | None,
) -> list[Ballot]:
    """The ballots of some pages; each voter names for each page the texts that it calls content."""
    refusals = [{}] * len(documents) if refused is None else refused
    pages = zip(documents, refusals, *voters, strict=True)
    return [cast(document, *called, refused=refusal) for document, refusal, *called in pages]
