"""Wrapping: how the pages of a source are structured, learnt from a few of them, corrected, and read.

Learning, `learning.py`: `sampling.py` reads the pages together, as `samples.py`: pieces with formats; `titles.py` finds
what names each.
`structuring.py` is the recipe: `headings.py` tells which formats start sections, with `lines.py` for how they stand in
lines, `furniture.py` what is no content; `tokens.py` finds the headings of a page, `ranking.py` says which format is
above which, `nesting.py` which section is in which, with `grouping.py` for what stands together; `annotations.py` finds
labels of any section, `repeating.py` sections whose headings are values.  `grammar.py` makes one grammar of all pages,
with `names.py` for headings.

Reading, `reading.py`: `narrowing.py` passes over what is not wanted, `loosening.py` finds headings whose class names
vary, `parsing.py` is the parser that a wrapper makes,
`writing.py` writes its values down, `pointing.py` tells where headings stand.

`outline.py` shows a wrapper to a person, `corrections/` takes what he says to it, `steps.py` counts as the paper does,
`files/` is the file, and `mapping.py` goes from arguments to addresses and back.  `listings/` does all of it for
records and tables, `ashish/` by the method of the paper.

Nothing is exported here: who reads a wrapper file needs neither NumPy nor the parser.
"""
