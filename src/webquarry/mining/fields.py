"""Fields."""
from __future__ import annotations
from collections import defaultdict
from webquarry.mining.leaves import find_leaves
from webquarry.mining.pieces import find_pieces
from webquarry.mining.keys import find_keys
from webquarry.mining.labels import find_labels
from webquarry.mining.alignment import align_pieces
from webquarry.model import Field
OPT=dict(drop=0,strip=1)
def align_fields(document, spans, leaves=None):
    leaves = leaves or find_leaves(document)
    P = find_pieces(document, spans, leaves)
    if not len(P): return ()
    keys=find_keys(document,spans,P,leaves)
    labels=find_labels(document,P,keys)
    cols=align_pieces(document,spans,P,list(zip(keys,labels.names,labels.is_label)))
    if OPT["drop"]: cols=[c for c in cols if not all(labels.is_label[p] for ps in c.values() for p in ps)]
    cols=[{r:(" ".join(P.texts[p][labels.starts[p] if OPT["strip"] else 0:] for p in ps),P.nodes[ps[0]]) for r,ps in c.items()} for c in cols if not P.is_image[next(iter(c.values()))[0]]]
    return tuple(Field(f"c{i}","text",tuple(c.get(r,(None,0))[0] for r in range(len(spans))),tuple(c.get(r,(None,None))[1] for r in range(len(spans)))) for i,c in enumerate(cols))
