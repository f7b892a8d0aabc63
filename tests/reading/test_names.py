"""What the names of elements say, however many there are."""

from __future__ import annotations

import pytest

from webquarry.page import landmarks as names
from webquarry.page.landmarks import MEANINGS, Role, roles_of


@pytest.mark.parametrize(
    ("written", "role"),
    [
        ("comment-list", Role.COMMENTS),
        ("wide shareBar2", Role.SHARING),
        ("article__body", Role.CONTENT),
        ("-visually_hidden", Role.UNSEEN),
        ("body-copy", Role(0)),
        ("has-sidebar", Role(0)),
        ("md:nav", Role(0)),
        ("- _ 42", Role(0)),
        ("", Role(0)),
    ],
)
def test_names_say_what_an_element_is_for(written, role):
    assert Role(roles_of(written)) == role


def test_what_was_forgotten_is_found_again(monkeypatch):
    monkeypatch.setattr(names, "_MOST_REMEMBERED", 2)
    written = ["nav", "comments", "footer", "plain"]
    expected = [roles_of(each) for each in written]
    assert [MEANINGS[each] for each in written * 2] == expected * 2
    assert len(MEANINGS) <= 2
