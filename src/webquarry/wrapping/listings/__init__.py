"""Listings and tables: their records and columns learnt from mined regions, and read on pages without a browser.

`samples` sets the regions of sample pages beside each other, `owners` finds which nodes say a mined value, `fields`
makes rules of them and `learning` the wrapper; `agreement` tells how far it gives again what was mined, and `unseen`
what only a browser hides.  `finding` looks for the records of a page, `matching` for the nodes of their fields,
`cells` reads these and `reading` makes the extraction.  `signatures` are what rules are written in, `views` documents
made quick to look things up in.  `tables` does the same for tables, whose columns are known by their headings.
"""
