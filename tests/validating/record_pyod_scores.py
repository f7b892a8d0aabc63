"""Record in `pyod-scores.json` the scores that PyOD gives the tables of the tests of k-NN and HBOS.

make .venv/.bench && .venv/bin/python tests/validating/record_pyod_scores.py
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).with_name("pyod-scores.json")
DECIMALS = 9  # a thousandth of the closest tolerance of the tests


def fit_cases() -> dict[str, Any]:
    """Fit PyOD's models to the table of each case."""
    # PyOD is not installed where this module is only searched for doctests, and the tests are not importable there.
    import test_outliers_hbos
    import test_outliers_knn
    from pyod.models.hbos import HBOS
    from pyod.models.knn import KNN

    return {
        f"KNN: {distinct} distinct, k {k}": KNN(method="mean", n_neighbors=k).fit(
            test_outliers_knn.make_pyod_table(distinct, k)
        )
        for distinct, k in test_outliers_knn.PYOD_CASES
    } | {
        f"HBOS: bins {bins}, alpha {alpha}": HBOS(n_bins=bins, alpha=alpha).fit(
            test_outliers_hbos.make_pyod_table(bins)
        )
        for bins, alpha in test_outliers_hbos.PYOD_CASES
    }


def main() -> None:
    scores = {name: np.round(model.decision_scores_, DECIMALS).tolist() for name, model in fit_cases().items()}
    recorded = {"PyOD": version("pyod"), **scores}
    lines = (f"{json.dumps(name)}: {json.dumps(value)}" for name, value in recorded.items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
