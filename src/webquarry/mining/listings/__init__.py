"""Listings: records that go on over several pages.

`pagers.py` finds the next page, by `anchors.py`, `next_words.py` and `page_numbers.py`; `joining.py` joins what is
found on it to what there is; `picking.py` takes the region and the columns that a user wants.
"""
