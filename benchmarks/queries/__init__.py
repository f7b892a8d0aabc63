"""What queries cost: pages and time, beside shillelagh, sqlglot, extraction alone and a loop that goes page by page.

`server.py` serves pages and counts them, `catalogs.py` lays out wrappers to query, `groups.html` is a page of country
groups that we wrote; `peer.py` is the fact book in shillelagh, read by hand.  The others are parts.
"""
