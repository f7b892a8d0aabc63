"""Roles of elements by their names, tags and texts, and pages that are not to be read."""

import pickle
from dataclasses import replace

import pytest

from webquarry.model.document import Document
from webquarry.page.landmarks import Role, explain_nothing, find_furniture, is_advertisement, roles_of
from webquarry.page.leaves import find_leaves
from webquarry.reading.reader import read_blocks


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


RSS = "<?xml version='1.0'?><rss version='2.0'><channel><title>News</title>{}</channel></rss>"
ITEM = "<item><title>The ferry is back</title><description>It crosses the river again.</description></item>"
ATOM = "<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'><entry><summary>{}</summary></entry></feed>"
MOVED = '<meta http-equiv="{}" content="{}"><p>This page has moved. Follow <a href=/n>this link</a>.'
URL = "https://example.org/a/b.html"


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        (RSS.format(ITEM * 9), "it is a feed, which names pages, and not an article"),
        (
            ATOM.format("A word of prose about rivers and towns. " * 20),
            "it is a feed, which names pages, and not an article",
        ),
        (MOVED.format("refresh", "0; url=../new.html"), "it only refers to https://example.org/new.html"),
        (MOVED.format("Refresh", "5;URL='https://other.test/'"), "it only refers to https://other.test/"),
        ("<div id=root></div><script src=app.js></script>", "try --scripts, as scripts may load it"),
        ("<div id=root></div>", ""),
        ("<div id=root></div><script type=application/ld+json>{}</script>", ""),
    ],
)
def test_a_page_without_a_text_tells_why(markup, reason):
    document = Document(markup, url=URL)
    assert len(read_blocks(document)) == 0
    assert explain_nothing(document) == reason


@pytest.mark.parametrize(
    "markup",
    [
        "<meta http-equiv=refresh content=300><article>{}</article>",
        "<meta http-equiv=refresh content='300; url=/again'><article>{}</article>",
        "<article>{}<p>In <code>rss</code> a <code>channel</code> has items.</article>",
    ],
)
def test_a_page_with_a_text_is_read(markup):
    text = "<p>The chain ferry will carry passengers across the river again, after ten years in the dock.</p>" * 8
    assert len(read_blocks(Document(markup.format(text), url=URL))) >= 8


def test_no_scripts_are_recommended_for_a_page_that_has_run_them_or_shows_a_text():
    shell = "<div id=root>{}</div><script src=app.js></script>"
    assert explain_nothing(Document(shell.format(""), kind="scripts")) == ""
    assert explain_nothing(Document(shell.format("<a href=/>A link to some other page</a>" * 50))) == ""
