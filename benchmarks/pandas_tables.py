"""The tables that pandas.read_html reads, as texts."""

from __future__ import annotations

import io
import warnings
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

_AS_TEXT: dict[str, Any] = {"thousands": None, "keep_default_na": False}


def has_pandas() -> bool:
    """Whether pandas, and lxml by which it reads, are installed."""
    return find_spec("pandas") is not None and find_spec("lxml") is not None


def read_tables(markup: str) -> list[list[list[str]]]:
    """Each table as rows of texts, the header first.

    Texts are kept where pandas would make numbers of them or take them as missing: that is better for it.
    """
    import pandas as pd  # noqa: PLC0415 - slow to import, and not always there

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            frames = pd.read_html(io.StringIO(markup), flavor="lxml", **_AS_TEXT)
        except Exception:  # noqa: BLE001 - that is how it says that there is no table, or none that it can read
            return []
    return [_grid_of(frame) for frame in frames]


def _grid_of(frame: pd.DataFrame) -> list[list[str]]:
    heads = [" ".join(map(str, head)) if isinstance(head, tuple) else str(head) for head in frame.columns]
    return [heads, *([str(cell) for cell in row] for row in frame.itertuples(index=False, name=None))]
