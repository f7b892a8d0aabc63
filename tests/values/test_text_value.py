"""How a page writes numbers and dates."""

import pytest
from hypothesis import given, settings, strategies as st

from webquarry.values.text_value import Locale, find_locale

quick = settings(deadline=None, derandomize=True, max_examples=200, database=None)


@pytest.mark.parametrize(
    ("language", "texts", "decimal"),
    [
        ("", [], "."),
        ("en", [], "."),
        ("de", [], ","),
        ("de-DE", [], ","),
        ("de_DE", [], ","),
        (" FR ", [], ","),
        ("de-CH", [], "."),
        ("es", [], ","),
        ("es-MX", [], "."),
        ("ja", [], "."),
        ("tr", [], ","),
        ("nonsense language", [], "."),
        ("", ["1.234,56"], ","),
        ("", ["12,5 km"], ","),
        ("", ["3,99 €"], ","),
        ("de", ["1,234.56"], "."),
        ("de", ["$3.99", "$4.50", "3,5"], "."),
        ("de", ["3.99", "3,5"], ","),
        ("de", ["1.234", "1,234", "2020"], ","),
        ("de", ["25.12.2020", "1.2.3", "10.30:15", "v2.0"], ","),
        (
            "de",
            ["In a text so long that it can hold no value at all, version 2.5 is nothing but a noise" + "." * 30],
            ",",
        ),
    ],
)
def test_texts_decide_the_decimal_mark_before_the_language(language: str, texts: list[str], decimal: str) -> None:
    assert find_locale(language, texts).decimal == decimal


@pytest.mark.parametrize(
    ("language", "texts", "day_first"),
    [
        ("", [], False),
        ("en", [], False),
        ("en-US", [], False),
        ("en-GB", [], True),
        ("fr", [], True),
        ("", ["25/12/2020"], True),
        ("fr", ["12/25/2020"], False),
        ("fr", ["3/4/2020"], True),
        ("en-US", ["25/12/2020", "12/25/2020"], False),
        ("en-US", ["99/99/2020"], False),
    ],
)
def test_texts_decide_the_order_of_day_and_month_before_the_language(
    language: str, texts: list[str], day_first: bool
) -> None:
    assert find_locale(language, texts).day_first is day_first


def test_the_language_is_a_tag_in_small_letters() -> None:
    locale = find_locale("zh_Hant-TW", [])
    assert locale == Locale(".", True, "zh-hant-tw")
    assert (locale.primary, locale.region) == ("zh", "tw")
    assert Locale(language="en-CA").region == "ca"


@quick
@given(st.text(), st.lists(st.text() | st.text("0123456789.,/-")))
def test_never_raises(language: str, texts: list[str]) -> None:
    assert find_locale(language, texts).decimal in (".", ",")
