"""Which node of a static tree a node of a snapshot is.

A page rendered without scripts has the tree that the standard gives for its markup.  The columns of the static
document then serve for the rendered one, and have what a snapshot leaves out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Columns, subtree_ends
from webquarry.html.kinds import Kind
from webquarry.rendering.snapshot import Snapshot


def align(static: Columns, snapshot: Snapshot) -> NDArray[np.int32] | None:
    """For each node of the snapshot its number in the static tree; None when the trees differ."""
    outside = np.ones(len(static.kinds), dtype=np.bool_)
    if "template" in static.tag_names:
        ends = subtree_ends(static.parents)
        for node in np.flatnonzero(static.tags == static.tag_names.index("template")).tolist():
            outside[node + 1 : ends[node]] = False
    places = np.flatnonzero(outside).astype(np.int32)
    if len(places) != len(snapshot.kinds) or not np.array_equal(static.kinds[places], snapshot.kinds):
        return None
    parents = snapshot.parents.copy()
    parents[1:] = places[parents[1:]]
    if not np.array_equal(static.parents[places], parents):
        return None
    elements = np.flatnonzero(snapshot.kinds == Kind.ELEMENT).tolist()
    names = [static.tag_names[tag] for tag in static.tags[places[elements]].tolist()]
    return places if names == [snapshot.names[node] for node in elements] else None
