"""The tree kit: what all stages know of HTML.

`decoding.py` turns bytes into characters and `parsing.py` characters into a tree in bounded memory;
`columns.py` makes the tree columns, `addresses.py` gives nodes their XPaths, `paths.py` their tag paths,
`resolving.py` gives links their absolute addresses and `file_addresses.py` the path of one that is a file,
`visibility.py` tells what a reader sees, `tables.py` forms tables, `exchange.py` makes an lxml tree,
`markdown/` writes some of the texts as Markdown.

`emitting.py` writes a tree as XHTML that every XML reader accepts, and `tokens.py` does so for a list of
tokens.  They share the rules: `names.py`, `namespaces.py`, `characters.py`, `limits.py`, `flattening.py`
for what XML cannot hold, and `xhtml.py` for what XHTML asks for.
"""
