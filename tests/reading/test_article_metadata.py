import pickle
from dataclasses import asdict

import pytest
from hypothesis import given, strategies as st

from webquarry.model.document import Document
from webquarry.reading.article_metadata import read_metadata

URL = "https://www.salt-museum.example/2023/04/05/salt-roads/"


def read(markup: str, url: str = ""):
    return read_metadata(Document(markup, url=url))


def json_ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


def test_states_nothing_of_a_page_that_states_nothing():
    assert set(asdict(read("<p>Salt")).values()) == {""}


@pytest.mark.parametrize(
    ("head", "author"),
    [
        ('{"@type": "Article", "author": "Ada Moss"}', "Ada Moss"),
        ('{"@type": "NewsArticle", "author": {"@type": "Person", "name": "Ada Moss"}}', "Ada Moss"),
        ('{"@type": ["BlogPosting"], "author": [{"name": "Ada Moss"}, "Bo Reed"]}', "Ada Moss, Bo Reed"),
        ('[{"@type": "Article", "author": {"name": ["Ada Moss", "Bo Reed"]}}]', "Ada Moss, Bo Reed"),
        ('{"@type": "WebPage", "mainEntity": {"@type": "Article", "author": "Ada Moss"}}', "Ada Moss"),
        (
            (
                '{"@graph": [{"@type": "Article", "author": {"@id": "#a"}},'
                ' {"@id": "#a", "@type": "Person", "name": "Ada Moss"}]}'
            ),
            "Ada Moss",
        ),
        ('{"@type": "Article", "author": {"@id": "#nobody"}}', ""),
        ('{"@type": "Article", "author": null, "creator": "Ada Moss"}', "Ada Moss"),
        ('{"@type": "Organization", "author": "Ada Moss"}', ""),
    ],
)
def test_finds_authors_in_json_ld_of_all_forms(head, author):
    assert read(json_ld(head)).author == author


@pytest.mark.parametrize(
    "text",
    [
        '{"@type": "Article", "headline": "Salt", "datePublished": "2023-04-05", }',
        '// <![CDATA[\n{"@type": "Article", "headline": "Salt", "datePublished": "2023-04-05"}\n// ]]>',
        '{"@type": "Article", "headline": "Salt", "description": "two\nlines", "datePublished": "2023-04-05"};',
        '{"@type": "Article", "headline": "Salt", "description": "a "quoted" word", "datePublished": "2023-04-05"}',
        '{"@type": "Article", "headline": "Salt" "datePublished": "2023-04-05"',
        '{"x": ' + "[" * 100_000 + '"datePublished": "2023-04-05", "@type": "Article", "headline": "Salt"',
    ],
)
def test_broken_json_still_tells_title_and_date(text):
    metadata = read(json_ld(text))
    assert (metadata.title, metadata.date) == ("Salt", "2023-04-05")


def test_of_several_articles_in_json_ld_the_one_with_the_title_of_the_page_counts():
    others = '{"@type": "Article", "headline": "Pepper", "author": "Bo Reed", "datePublished": "2020-01-01"}'
    own = '{"@type": "Article", "headline": "Salt roads", "author": "Ada Moss", "datePublished": "2023-04-05"}'
    metadata = read(f"{json_ld(f'[{others}, {own}]')}<title>Salt roads | Museum</title><h1>Salt roads</h1>")
    assert (metadata.author, metadata.date) == ("Ada Moss", "2023-04-05")
    assert read(f"{json_ld(f'[{others}, {own}]')}<title>All articles</title>").author == ""


@pytest.mark.parametrize(
    ("markup", "author", "date"),
    [
        (
            '<meta name=author content="By Ada Moss"><meta property="article:published_time" content="2023-04-05T06Z">',
            "Ada Moss",
            "2023-04-05",
        ),
        (
            '<meta name="DC.creator" content="Ada Moss"><meta name="DC.Date" content="2023-04-05">',
            "Ada Moss",
            "2023-04-05",
        ),
        (
            '<meta name="citation_author" content="Moss, A."><meta name=date content="5 April 2023">',
            "Moss, A.",
            "2023-04-05",
        ),
        (
            '<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Ada Moss">',
            "Ada Moss",
            "",
        ),
        ('<meta property="article:author" content="https://social.example/ada">', "", ""),
        (
            (
                '<p itemscope itemtype="schema.org/Article"><b itemprop=author itemscope><i itemprop=name>Ada Moss'
                '</i></b><time itemprop=datePublished datetime="2023-04-05">last week</time>'
            ),
            "Ada Moss",
            "2023-04-05",
        ),
        (
            (
                '<div typeof="schema:Article"><a property="schema:author">Ada Moss</a>'
                '<i property="schema:datePublished" content="2023-04-05T00:00:00">x</i></div>'
            ),
            "Ada Moss",
            "2023-04-05",
        ),
        (
            (
                '<div itemscope itemtype="https://schema.org/Comment"><b itemprop=author>Bo Reed</b>'
                '<time itemprop=datePublished datetime="2024-01-01">x</time></div>'
            ),
            "",
            "",
        ),
        (
            '<h1>Salt</h1><a rel=author href="/ada">Ada Moss</a> <time datetime="2023-04-05">April</time>',
            "Ada Moss",
            "2023-04-05",
        ),
        (
            "<h1>Salt</h1><p>By <b>Ada Moss</b><p>Published on April 5, 2023<p>Updated June 1, 2024",
            "Ada Moss",
            "2023-04-05",
        ),
        ("<h1>Salt</h1><div class=byline>Ada Moss</div><p>Last updated: 5 April 2023", "Ada Moss", "2023-04-05"),
        ("<h1>Salt</h1><p>Mon, 5 April 2023 06:07<p>More by Bo Reed", "", "2023-04-05"),
        ("<h1>Salt</h1><p class=meta>5 April 2023 by Ada Moss</p>", "Ada Moss", "2023-04-05"),
        ("<h1>Salt</h1><p>By Ada Moss | Apr 5, 2023</p>", "Ada Moss", "2023-04-05"),
        ("<h1>Salt</h1><p>By Ada Moss on April 5, 2023</p>", "Ada Moss", "2023-04-05"),
        ("<h1>Salt</h1><p>Shop by Colour | 40 results</p>", "", ""),
    ],
)
def test_finds_author_and_date_wherever_they_are_stated(markup, author, date):
    metadata = read(markup)
    assert (metadata.author, metadata.date) == (author, date)


def test_dates_in_the_text_of_an_article_are_not_its_own():
    filling = "<p>Salt was carried along roads for a thousand years and more." * 20
    assert read(f"<h1>Salt</h1>{filling}<p>5 April 2023").date == ""


@pytest.mark.parametrize(
    "name", ["admin", "", " ", "https://a.example/ada", "ada@a.example", "Salt Museum", "saltmuseum"]
)
def test_what_names_nobody_is_not_an_author(name):
    head = f'<meta name=author content="{name}"><meta property="og:site_name" content="Salt Museum">'
    assert read(head).author == ""


def test_a_date_to_come_is_stated_all_the_same():
    assert read('<meta name=date content="2199-01-02">').date == "2199-01-02"


@pytest.mark.parametrize("date", ["1970-01-01T00:00:00Z", "0001-01-01", "2023-13-45", "soon", ""])
def test_no_date_is_read_where_none_is_said(date):
    assert read(f'<meta name=date content="{date}">').date == ""


def test_numbers_of_day_and_month_stand_as_is_usual_in_the_language():
    assert read('<html lang="en-GB"><meta name=date content="05/04/2023">').date == "2023-04-05"
    assert read('<html lang="en-US"><meta name=date content="04/05/2023">').date == "2023-04-05"


def test_a_change_is_the_date_of_an_article_but_not_of_other_pages():
    changed = '<meta property="article:modified_time" content="2023-04-05">'
    assert read(changed).date == ""
    assert read(f"{changed}<meta name=author content='Ada Moss'>").date == "2023-04-05"


def test_the_address_tells_the_date_when_nothing_else_does():
    assert read("<h1>Salt roads</h1>", URL).date == "2023-04-05"


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("<title>Salt roads | Salt Museum</title>", "Salt roads"),
        ("<title>Salt Museum: Salt roads</title>", "Salt roads"),
        ("<title>Salt roads - a history</title>", "Salt roads - a history"),
        ("<title>Salt roads - a history</title><h1>Salt roads</h1>", "Salt roads"),
        ("<title>Salt Museum</title>", "Salt Museum"),
        ("<title>Salt Museum</title><h1>Salt roads</h1>", "Salt roads"),
        ("<title>Salt roads</title><h1>SALT ROADS</h1>", "Salt roads"),
        ("<title>Salt roads</title><h1 hidden>Menu</h1><h1>Salt Museum</h1>", "Salt roads"),
        ('<title>x</title><meta property="og:title" content="Salt &amp;amp; roads">', "Salt & roads"),
        ("<svg><title>Logo</title></svg><h1>Salt<br>roads</h1>", "Salt roads"),
        (json_ld('{"@type": "Product", "name": "Salt mill"}') + "<title>Buy a mill</title>", "Salt mill"),
    ],
)
def test_the_title_is_what_the_reader_sees_without_the_name_of_the_site(markup, title):
    assert read(markup, "https://www.salt-museum.example/roads").title == title


@pytest.mark.parametrize(
    ("markup", "language"),
    [
        ('<html lang="de-at">', "de-AT"),
        ('<meta http-equiv="Content-Language" content="fr, en">', "fr"),
        ('<meta property="og:locale" content="pt_BR">', "pt-BR"),
        ('<html lang="English"><meta name="dc.language" content="en">', "en"),
        (json_ld('{"@type": "Article", "inLanguage": "nl"}'), "nl"),
    ],
)
def test_finds_the_language(markup, language):
    assert read(markup).language == language


@pytest.mark.parametrize(
    ("markup", "site"),
    [
        ('<meta property="og:site_name" content="Salt Museum">', "Salt Museum"),
        (json_ld('{"@graph": [{"@type": "WebSite", "name": "Salt Museum"}]}'), "Salt Museum"),
        (json_ld('{"@type": "Article", "publisher": {"name": "Salt Museum"}}'), "Salt Museum"),
        ('<meta name="application-name" content="Salt Museum">', "Salt Museum"),
    ],
)
def test_finds_the_name_of_the_site(markup, site):
    assert read(markup).site == site


def test_reading_a_document_does_not_change_it():
    document = Document(f"<html lang=en>{json_ld('{}')}<h1>Salt</h1><p>By Ada Moss", url=URL)
    before = pickle.dumps(document)
    assert read_metadata(document) == read_metadata(document)
    assert pickle.dumps(document) == before


PIECES = st.sampled_from(
    [
        *(
            "<h1>",
            "</h1>",
            "<time datetime=",
            "<meta name=author content=",
            "<script type=application/ld+json>",
            "</script>",
        ),
        *(
            '{"@type": "Article", "author": ',
            "[{",
            "}",
            '"name"',
            ":",
            '"2023-04-05"',
            "<p itemprop=author>",
            "By ",
            "Ada",
            ">",
        ),
    ]
)


@given(st.lists(PIECES | st.text(max_size=5), max_size=30).map("".join), st.text(max_size=20))
def test_no_page_is_too_broken(markup, url):
    read(markup, url)


@pytest.mark.parametrize(
    "heading",
    [
        "<h1><a href=/>The Museum</a></h1>",
        "<h1><span><a rel=home href=https://museum.test/>The Museum</a></span></h1>",
        "<h1><a href=../index.html>The Museum</a></h1><h2>Salt roads</h2>",
    ],
)
def test_a_heading_that_leads_to_the_first_page_is_the_name_of_the_site(heading):
    assert read(f"<title>Salt roads | The Museum</title>{heading}").title == "Salt roads"


def test_the_mark_of_a_heading_is_not_part_of_the_title():
    assert read("<title>Salt - Manual</title><h1>Salt<a href=#salt>¶</a></h1>").title == "Salt"
