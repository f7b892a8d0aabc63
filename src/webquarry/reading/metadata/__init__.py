"""What a page states about its article: title, author, date, language, site.

Each place where pages state such things is a file that gives `Statements`: `metas.py` reads `meta` elements (Open
Graph, Dublin Core and the like), `json_ld.py` JSON-LD, which `json_texts.py` parses even where it is broken,
`marked.py` what is marked on the page itself (microdata, RDFa, `rel=author`), and `shown.py` what stands beside the
heading for readers.

What is stated is made plain by `dates.py`, `authors.py`, `languages.py`, `sites.py` and `titles.py`, and
`choosing.py` takes of each the first that is any good.
"""

from webquarry.reading.metadata.choosing import read_metadata

__all__ = ["read_metadata"]
