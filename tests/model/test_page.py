"""Pages as they were received."""

from __future__ import annotations

from datetime import date

import pytest

from webquarry.model.page import Page


@pytest.mark.parametrize(
    ("headers", "day"),
    [
        ((("date", "Wed, 18 Nov 2026 23:10:00 GMT"),), date(2026, 11, 18)),
        ((("Date", "yesterday"),), None),
        ((), None),
    ],
)
def test_a_page_is_received_on_the_day_that_its_server_says(headers, day):
    assert Page("https://example.org/", b"", headers=headers).received == day
