"""Reading: documents to articles, the main text of a page with its nodes.

`reading.py` is the default.  `blocks.py` parts a page into blocks, `names.py` and `landmarks.py` say what elements are
for, `spans.py` which blocks they hold; `furniture.py` and `cards.py` find what is around the content,
`page_kinds.py` tells texts, listings and discussions apart, `bodies.py` and `roots.py` find the content, and
`drafts.py` keeps the decisions with their reasons.  Of rendered pages `appearance.py` says how blocks look, `sights.py`
and `sides.py` what is seen not to be of the text.  `boilerpipe/` is the method of that name; `metadata/` reads what a
page states about its article.
"""
