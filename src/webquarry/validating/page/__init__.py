"""The report as one page of HTML that needs nothing else: no script, no style sheet, no request.

`writing.py` puts it together from `summary.py`, `histogram.py`, `curve.py` (both on `chart.py`), `screenshot.py` and
`node_tables.py`; `figures.py` counts what they tell, `markup.py` writes elements so that no text of a page can be
anything but text, `style.py` is how it looks.
"""

from webquarry.validating.page.curve import Deletion
from webquarry.validating.page.writing import write_page

__all__ = ["Deletion", "write_page"]
