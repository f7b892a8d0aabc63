"""What is asked of a document to write it as Markdown."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Attributes


class Tree(Protocol):
    """The columns of a page."""

    @property
    def url(self) -> str:
        """Its own address."""

    @property
    def kinds(self) -> NDArray[np.uint8]:
        """What each node is."""

    @property
    def parents(self) -> NDArray[np.int32]:
        """The node that holds each node."""

    @property
    def ends(self) -> NDArray[np.int32]:
        """For each node the number after its last descendant."""

    @property
    def tags(self) -> NDArray[np.int32]:
        """For each element the place of its name in `tag_names`."""

    @property
    def tag_names(self) -> tuple[str, ...]:
        """The names of elements."""

    @property
    def namespaces(self) -> NDArray[np.uint8]:
        """For each element 0 for HTML."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of each text."""

    @property
    def attributes(self) -> tuple[Attributes, ...]:
        """Those of each node."""

    @property
    def hidden(self) -> NDArray[np.bool_]:
        """For each node whether it is not shown."""

    def has_tag(self, names: Collection[str]) -> NDArray[np.bool_]:
        """For each node whether it is an element of one of the names."""
