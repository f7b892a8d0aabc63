"""Columns of yes and no."""

import pytest

from webquarry.values.column_values import read_column
from webquarry.values.text_value import Locale, Value


@pytest.mark.parametrize(
    ("texts", "language", "values"),
    [
        (["Yes", "no", "YES"], "", [True, False, True]),
        (["yes", "yes"], "", [True, True]),
        (["No"], "en", [False]),
        (["true", "False"], "", [True, False]),
        (["✓", "✗"], "", [True, False]),
        (["✔\ufe0f", "\u00d7"], "", [True, False]),
        (["✅"], "", [True]),
        (["Y", "N"], "", [True, False]),
        (["ja", "nein"], "", [True, False]),
        (["ja", "nej"], "", [True, False]),
        (["nein"], "de-AT", [False]),
        (["oui", "non"], "", [True, False]),
        (["Sí", "No"], "es", [True, False]),
        (["да", "нет"], "ru", [True, False]),
    ],
)
def test_reads_clear_pairs(texts: list[str], language: str, values: list[bool]) -> None:
    read = read_column(texts, Locale(language=language))
    assert read == ("boolean", tuple(Value(value) for value in values))
    assert all(value is not None and isinstance(value.value, bool) for value in read[1])


@pytest.mark.parametrize(
    "texts",
    [
        ["yes", "maybe"],
        ["yes", "nein"],
        ["Y"],
        ["nie"],
        ["\u00d7"],
        ["✗", "✗"],
        ["Won", "Nominated"],
        ["1", "yes"],
        ["yes", "1"],
    ],
)
def test_leaves_as_text(texts: list[str]) -> None:
    assert read_column(texts, Locale()) is None


def test_missing_values_stay_missing() -> None:
    assert read_column(["yes", None, "", "\u2013"], Locale()) == ("boolean", (Value(True), None, None, None))
