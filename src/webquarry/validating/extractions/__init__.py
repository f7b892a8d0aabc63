"""Files of extractions: text to rows, and the text again without the rows that were dropped.

`reading.py` tells JSON from tables; `own_lines.py` knows what `read`, `mine` and `extract` write, `foreign_lines.py`
the JSON of other systems, `delimited.py` CSV and TSV, all by the names in `names.py`; `checking.py` refuses what is no
page and no XPath.  A file is written back by cutting: `json_places.py` finds where a value stands in the text of its
JSON, `cutting.py` takes it out, and `article_texts.py` takes pieces out of the text of an article.  Every other byte
stays.
"""

from webquarry.validating.extractions.reading import ExtractionFile, read_extraction

__all__ = ["ExtractionFile", "read_extraction"]
