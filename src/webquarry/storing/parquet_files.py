"""Parquet, by Arrow."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


def to_parquet(table: pa.Table) -> bytes:
    """The table as a Parquet file."""
    import pyarrow.parquet as pq  # noqa: PLC0415 - slow to import

    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd")
    return file.getvalue()
