"""Some texts of a page as Markdown, with the structure that they stand in.

`writing.py` walks what holds the texts; `choosing.py` tells what that is, and `images.py` which images stand among
them.  A paragraph, a heading, a table or a piece of code is written as plain HTML (`runs.py`, `grids.py`, `code.py`),
which turbohtml turns into Markdown that reads the same; `blocks.py` puts them into lists and quotes.
"""

from webquarry.html.markdown.writing import to_markdown

__all__ = ["to_markdown"]
