"""Pages that are judged together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from webquarry.model import Document
from webquarry.validating.votes.ballots import cast
from webquarry.validating.votes.sites import Sites

_NOBODY = np.zeros(0, dtype=np.int32)


def group_by_site(documents: Sequence[Document]) -> list[list[int]]:
    """The places of the documents of each site."""
    sites = Sites()
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for place, document in enumerate(documents):
        groups[sites.place(cast(document, _NOBODY))].append(place)
    return list(groups.values())
