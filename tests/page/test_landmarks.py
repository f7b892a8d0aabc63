"""Roles of elements by their names, tags and texts."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from webquarry.model.document import Document
from webquarry.page.landmarks import Role, find_furniture, is_advertisement, roles_of
from webquarry.page.leaves import find_leaves


@pytest.mark.parametrize(
    ("written", "role"),
    [
        ("comment-list", Role.COMMENTS),
        ("wide shareBar2", Role.SHARING),
        ("article__body", Role.CONTENT),
        ("-visually_hidden", Role.UNSEEN),
        ("maximenu nav2", Role.NAVIGATION),
        ("page-subfooter", Role.FOOT),
        ("navy menuitems", Role(0)),
        ("body-copy", Role(0)),
        ("has-sidebar", Role(0)),
        ("md:nav", Role(0)),
        ("- _ 42", Role(0)),
        ("", Role(0)),
    ],
)
def test_names_say_what_an_element_is_for(written, role):
    assert Role(roles_of(written)) == role


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<nav>Home</nav><p>Salt is mined in three valleys.", ["Home"]),
        ("<div role=banner>Home</div><p>Salt is mined in three valleys.", ["Home"]),
        ("<div class=maximenu>Home</div><p>Salt is mined in three valleys.", ["Home"]),
        ("<div class=menu><b class=menu-item>Salt</b> 3</div><p>Salt is mined in three valleys.", []),
        ("<div class=page-nav>Salt is mined in three valleys.</div><p>Home", []),
        ("<header>Head</header><article><header>Own</header><p>Salt is mined.</article>", ["Head"]),
        ("<li>Salt<i class=card-footer>1</i><li>Rock<i class=card-footer>2</i>", []),
        ("<li>Salt is mined<li>Rock<li><div class=card-footer>2</div>", ["2"]),
    ],
)
def test_furniture_is_small_and_outside_of_records(markup, expected):
    document = Document(markup)
    leaves = find_leaves(document)
    found = leaves.nodes[find_furniture(document, leaves)].tolist()
    assert [document.texts[node].strip() for node in found] == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<div class='card sponsored'><p>Salt", True),
        ("<div><p>Anzeige:</p><p>Salt", True),
        ("<div><p>[広告]</p><p>Salt", True),
        ("<div><p>Salt</p><p>Rock</p><p>Sea</p><p>Ad", False),
        ("<div class=badge><p>Advertising salt", False),
    ],
)
def test_advertisements_say_that_they_are(markup, expected):
    document = Document(markup)
    node = document.node("/html/body/div")
    assert node is not None
    assert is_advertisement(document, find_leaves(document), node) is expected


def test_furniture_and_leaves_are_found_once_for_each_document():
    document = Document("<nav><a href=/>Home</a></nav><p>Text")
    leaves = find_leaves(document)
    assert find_leaves(document) is leaves
    assert find_furniture(document, leaves) is find_furniture(document, leaves)
    copy = replace(document)
    assert find_leaves(copy) is not leaves
    assert pickle.loads(pickle.dumps(document)) == document == copy
