"""Values of records that look unlike the others of their column.

`comparing.py` weighs what sets a value apart: its traits (`traits/`), each as far as it is a surprise (`surprise.py`)
and not one of the whole record (`whole_records.py`).  `gaps.py` knows values in the place of another column.
"""
