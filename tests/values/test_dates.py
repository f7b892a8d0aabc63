"""Dates."""

from datetime import date

import pytest
from hypothesis import given, settings, strategies as st

from webquarry.values.column_values import read_column, read_value
from webquarry.values.text_value import Locale, Value, find_locale

quick = settings(deadline=None, derandomize=True, max_examples=200, database=None)
CHRISTMAS = date(2020, 12, 25)
DAY_FIRST, MONTH_FIRST = Locale(",", True, "de"), Locale(".", False, "en-us")


@pytest.mark.parametrize(
    "text",
    [
        "2020-12-25",
        "2020/12/25",
        "2020.12.25",
        "2020-12-25T10:30:00Z",
        "2020-12-25T10:30:00.123+02:00",
        "2020-12-25 10:30",
        "25.12.2020",
        "25. 12. 2020",
        "25.12.2020, 10:30 Uhr",
        "25.12.2020 um 10:30",
        "12/25/2020",
        "25/12/2020",
        "25-12-2020",
        "12/25/2020 10:30 PM",
        "25 December 2020",
        "25 DEC 2020",
        "25-Dec-2020",
        "25-Dec-20",
        "25th December 2020",
        "25th of December, 2020",
        "December 25, 2020",
        "December 25 2020",
        "Dec 25, 2020",
        "Dec. 25, 2020",
        "Dec 25th, 2020",
        "25 Dec 2020 10:30",
        "Dec 25, 2020 at 10:30 am",
        "Dec 25, 2020, 10 pm",
        "10:30, 25 December 2020",
        "Friday, 25 December 2020",
        "Fri, 25 Dec 2020 10:30:00 GMT",
        "Fri Dec 25, 2020",
        "2020 Dec 25",
        "25. Dezember 2020",
        "Freitag, 25. Dezember 2020",
        "Fr., 25.12.2020",
        "25 décembre 2020",
        "25 decembre 2020",
        "vendredi 25 déc. 2020",
        "le 25 décembre 2020",
        "25 de diciembre de 2020",
        "viernes, 25 de diciembre de 2020",
        "25 dic 2020",
        "25 dicembre 2020",
        "25 de dezembro de 2020",
        "sexta-feira, 25 de dezembro de 2020",
        "25 december 2020",
        "25 grudnia 2020",
        "25. desember 2020",
        "2020年12月25日",
        "2020년 12월 25일",
        "٢٥/١٢/٢٠٢٠",
        "Published: 25 December 2020",
        "Date: 2020-12-25",
        "- 25 December 2020",
        "25 Dec 2020 |",
        "12/25/20",
    ],
)
def test_reads_a_date(text: str) -> None:
    for locale in (DAY_FIRST, MONTH_FIRST):
        assert read_value(text, locale) == ("date", Value(CHRISTMAS))


@pytest.mark.parametrize(
    "text",
    [
        "March 2021",
        "2020-12",
        "25 December",
        "Dec 25",
        "3 days ago",
        "yesterday",
        "10:30",
        "25.12.20",
        "25/12/20",
        "10.12.20",
        "32.12.2020",
        "25.13.2020",
        "13/13/2020",
        "30 February 2020",
        "2020-02-30",
        "25 Foo 2020",
        "1.2.3",
        "25/12-2020",
        "The long title of an exam: 25 December 2020",
        "25.12.20201",
        "12.25.2020",
        "25 December 2020 or so",
        "Born 25 December 2020",
        "2020-12-25T99:99",
        "25 Dec 10:30",
    ],
)
def test_leaves_as_text(text: str) -> None:
    assert read_value(text, MONTH_FIRST) is None


@pytest.mark.parametrize(
    ("texts", "locale", "dates"),
    [
        (["3/4/2020"], DAY_FIRST, [date(2020, 4, 3)]),
        (["3/4/2020"], MONTH_FIRST, [date(2020, 3, 4)]),
        (["3.4.2020"], MONTH_FIRST, [date(2020, 4, 3)]),
        (["3/4/2020", "25/12/2020"], MONTH_FIRST, [date(2020, 4, 3), CHRISTMAS]),
        (["3/4/2020", "12/25/2020"], DAY_FIRST, [date(2020, 3, 4), CHRISTMAS]),
        (["25.12.99", "3.4.01"], DAY_FIRST, [date(1999, 12, 25), date(2001, 4, 3)]),
        (["Posted on May 3, 2020", "Posted on May 14, 2020"], MONTH_FIRST, [date(2020, 5, 3), date(2020, 5, 14)]),
        (["3 May 2020 by us", "4 May 2020 by us"], MONTH_FIRST, [date(2020, 5, 3), date(2020, 5, 4)]),
        (["2020-12-25", "Dec 25, 2020"], MONTH_FIRST, [CHRISTMAS, CHRISTMAS]),
    ],
)
def test_the_column_settles_what_one_text_leaves_open(texts: list[str], locale: Locale, dates: list[date]) -> None:
    assert read_column(texts, locale) == ("date", tuple(Value(day) for day in dates))


@pytest.mark.parametrize(
    "texts",
    [
        ["25/12/2020", "12/25/2020"],
        ["25.12.2020", "soon"],
        ["25.12.2020", "2020"],
        ["1 day ago", "2 days ago"],
        ["Posted on May 3, 2020", "Edited on May 3, 2020"],
    ],
)
def test_leaves_a_column_as_text(texts: list[str]) -> None:
    assert read_column(texts, MONTH_FIRST) is None


@quick
@given(
    day=st.dates(date(1000, 1, 1), date(2199, 12, 31)),
    form=st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%d %B %Y", "%B %d, %Y", "%a, %d %b %Y"]),
)
def test_reads_back_what_is_written(day: date, form: str) -> None:
    assert read_value(day.strftime(form), MONTH_FIRST) == ("date", Value(day))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("7 марта 2026 г.", "ru"),  # noqa: RUF001 - in its own alphabet
        ("7 березня 2026", "uk"),
        ("2026. március 7., szombat", "hu"),
        ("2026 m. kovo 7 d.", "lt"),
        ("วันเสาร์ที่ 7 มีนาคม ค.ศ. 2026", "th"),
        ("\u0667 \u0645\u0627\u0631\u0633 \u0662\u0660\u0662\u0666", "ar"),
        ("7. března 2026", "cs"),
        ("7. března 2026, 10:30", "cs"),
        ("7. ožujka 2026.", "hr"),
        ("2026年3月7日土曜日", "ja"),
        ("2026(e)ko martxoaren 7(a), larunbata", "eu"),
        ("07.03.26", "de"),
        ("3/7/26", "en"),
        ("7/3/26", "el"),
        ("26. 3. 7.", "ko"),
    ],
)
def test_reads_dates_as_the_language_of_the_page_writes_them(text: str, language: str) -> None:
    assert read_value(text, find_locale(language, [text])) == ("date", Value(date(2026, 3, 7)))


@pytest.mark.parametrize("text", ["7 марта 2026", "7. března 2026", "7 มีนาคม 2026", "7 Mart 2026"])
def test_reads_months_of_other_languages_than_that_of_the_page(text: str) -> None:
    assert read_value(text, Locale(language="en")) == ("date", Value(date(2026, 3, 7)))


def test_a_month_that_differs_between_languages_is_that_of_the_page() -> None:
    texts = ["7. listopada 2026."]
    assert read_column(texts, find_locale("hr", texts)) == ("date", (Value(date(2026, 10, 7)),))
    assert read_column(["7 listopada 2026"], find_locale("pl", texts)) == ("date", (Value(date(2026, 11, 7)),))


@pytest.mark.parametrize("text", ["Mars 7 of 2026 parts", "7 may 2026 or not", "set 12 of 2026", "10.12.20"])
def test_words_that_are_also_months_make_no_date_of_a_text(text: str) -> None:
    assert read_value(text, Locale(language="en")) is None


@pytest.mark.parametrize(
    ("text", "language", "day"),
    [
        ("yesterday", "en", date(2026, 3, 6)),
        ("3 days ago", "en", date(2026, 3, 4)),
        ("2 months ago", "", date(2026, 1, 7)),
        ("5 hours ago", "en", date(2026, 3, 7)),
        ("منذ 3 أيام", "ar", date(2026, 3, 4)),
        ("vor 3 Tagen", "de", date(2026, 3, 4)),
        ("gestern", "de", date(2026, 3, 6)),
        ("вчера", "ru", date(2026, 3, 6)),
        ("há 2 semanas", "pt", date(2026, 2, 21)),
        ("1 year ago", "de", date(2025, 3, 7)),
    ],
)
def test_relative_dates_need_the_day_that_they_refer_to(text: str, language: str, day: date) -> None:
    assert read_value(text, Locale(language=language, today=date(2026, 3, 7))) == ("date", Value(day))
    assert read_value(text, Locale(language=language)) is None


def test_relative_dates_and_others_are_one_column() -> None:
    locale = Locale(language="en", today=date(2026, 3, 7))
    read = read_column(["3 days ago", "Feb 1, 2026", "", "today"], locale)
    assert read == ("date", (Value(date(2026, 3, 4)), Value(date(2026, 2, 1)), None, Value(date(2026, 3, 7))))
    assert read_column(["3 days ago", "soon"], locale) is None


def test_days_that_nobody_knows_leave_the_other_dates_their_values() -> None:
    read = read_column(["3 days ago", "Feb 1, 2026", "Feb 3, 2026"], Locale(language="en"))
    assert read == ("date", (None, Value(date(2026, 2, 1)), Value(date(2026, 2, 3))))
    assert read_column(["3 days ago", "2 days ago", "Feb 3, 2026"], Locale(language="en")) is None
    assert read_column(["soon", "Feb 1, 2026", "Feb 3, 2026"], Locale(language="en")) is None


def test_reads_how_boards_shorten_months_in_french() -> None:
    assert read_value("Mar 28 Aoû 2012 21:27", Locale(language="fr")) == ("date", Value(date(2012, 8, 28)))


def test_one_text_may_say_of_several_records_that_there_is_no_date() -> None:
    texts = [
        "09 апр 2014, 10:28",
        "29 авг 2015, 20:50",
        "Нет сообщений",
        "03 янв 2015, 11:59",
        "5 мая 2015",
        "Нет сообщений",
    ]
    found = read_column(texts, Locale(language="ru"))
    assert found is not None
    assert (found[0], [value and value.value for value in found[1]]) == (
        "date",
        [date(2014, 4, 9), date(2015, 8, 29), None, date(2015, 1, 3), date(2015, 5, 5), None],
    )
    assert read_column([*texts, "Закрыто"], Locale(language="ru")) is None


def test_a_month_ago_is_never_a_day_that_does_not_exist() -> None:
    locale = Locale(language="en", today=date(2026, 3, 31))
    assert read_value("1 month ago", locale) == ("date", Value(date(2026, 2, 28)))


def test_reads_a_span_of_days_as_a_range() -> None:
    found = read_column(["25 December 2020 - 3 January 2021", "4 January 2021"], MONTH_FIRST)
    assert found == ("date", (Value(date(2020, 12, 25), to=date(2021, 1, 3)), Value(date(2021, 1, 4))))
