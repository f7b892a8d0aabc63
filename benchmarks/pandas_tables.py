"""Read tables with pandas.read_html, as texts."""

from __future__ import annotations

import io
import warnings
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

_AS_TEXT: dict[str, Any] = {"thousands": None, "keep_default_na": False}


def has_pandas() -> bool:
    """True if pandas and its parser, lxml, are installed."""
    return find_spec("pandas") is not None and find_spec("lxml") is not None


def read_tables(markup: str) -> list[list[list[str]]]:
    """Read each table as rows of texts, with the header first.

    Conversion to numbers and missing values is switched off, which raises the score of pandas.
    """
    import pandas as pd  # noqa: PLC0415 - slow to import, and optional

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            frames = pd.read_html(io.StringIO(markup), flavor="lxml", **_AS_TEXT)
        except Exception:  # noqa: BLE001 - pandas raises if there is no table, or none that it can read
            return []
    return [_grid_of(frame) for frame in frames]


def _grid_of(frame: pd.DataFrame) -> list[list[str]]:
    heads = [" ".join(map(str, head)) if isinstance(head, tuple) else str(head) for head in frame.columns]
    return [heads, *([str(cell) for cell in row] for row in frame.itertuples(index=False, name=None))]
