"""Pages that are not to be read: feeds, references to other pages, shells that scripts fill."""

import pytest

from webquarry.model.document import Document
from webquarry.page.page_purpose import explain_nothing
from webquarry.reading.reader import read_blocks

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
