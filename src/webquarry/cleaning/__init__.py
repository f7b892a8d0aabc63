"""Cleaning: from a page as bytes to a document, the tree that later stages read.

`markup.py` tells web pages from other files and decodes them.  `html5.py` is the default: the tree
of the HTML standard.  `cleandom.py` is the paper's algorithm, by a forward and a backward pass over
tokens, with its table of `special_cases.py`.  Broken HTML is never an error.
"""

from webquarry.cleaning.cleandom import clean_cleandom
from webquarry.cleaning.html5 import clean_html5

__all__ = ["clean_cleandom", "clean_html5"]
