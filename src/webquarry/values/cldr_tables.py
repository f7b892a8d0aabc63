"""Load the table that `scripts/make_cldr_tables.py` makes of Unicode's CLDR.

The data is under the licence in `UNICODE-LICENSE.txt`.
"""

from __future__ import annotations

import json
import pkgutil
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=1)
def load_tables() -> dict[str, Any]:
    """Load what CLDR says about `languages`, and the `signs` and `own_signs` of currencies.

    >>> load_tables()["languages"]["de"]["months"][2]
    ['März', 'Mär']
    """
    tables: dict[str, Any] = json.loads(pkgutil.get_data(__package__, "cldr_tables.json") or b"{}")
    return tables
