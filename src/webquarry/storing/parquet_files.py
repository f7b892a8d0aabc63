"""Parquet, by Arrow."""

from __future__ import annotations

import io
from collections.abc import Sequence

from webquarry.model.tabling import Column, to_arrow


def to_parquet(columns: Sequence[Column]) -> bytes:
    """The columns as a Parquet file."""
    import pyarrow.parquet as pq  # noqa: PLC0415 - slow to import

    file = io.BytesIO()
    pq.write_table(to_arrow(columns), file, compression="zstd")
    return file.getvalue()
