import json
import pickle
from dataclasses import replace

import numpy as np
import pytest

from webquarry.html.columns import Kind
from webquarry.model.article import Article, Metadata
from webquarry.model.document import Document

PAGE = "<nav>Home</nav><main><h1>Salt</h1><p>One <a href=a>two</a>.<ul><li>three</ul></main>"


def article_of(markup: str = PAGE, dropped: str = "Home", **stated: str) -> Article:
    document = Document(markup, url="https://salt.example/")
    shown = np.flatnonzero((document.kinds == Kind.TEXT) & ~document.hidden).tolist()
    nodes = [node for node in shown if document.texts[node].strip()]
    kept = np.array([dropped not in document.texts[node] for node in nodes])
    return Article(
        document,
        "blocks",
        np.array(nodes, dtype=np.int32),
        kept,
        kept.astype(np.float32),
        ("",) * len(nodes),
        Metadata(**stated),
    )


def test_text_and_markdown_hold_what_was_kept():
    article = article_of()
    assert article.text == "Salt\nOne two.\nthree"
    assert article.to_markdown() == "# Salt\n\nOne [two](https://salt.example/a).\n\n- three"


def test_what_was_left_out_has_its_reason():
    article = replace(article_of(dropped="t"), reasons=("a menu", "salt", "prose", "a number", "a stop", "a list"))
    told = {article.document.texts[node]: reason for node, reason in article.left_out}
    assert told == {"Salt": "salt", "two": "a number", "three": "a list"}


def test_an_article_without_texts_is_empty():
    article = article_of("<p>Home")
    assert (len(article), article.text, article.to_markdown()) == (0, "", "")


def test_articles_are_equal_by_value_and_survive_pickle():
    article = article_of(title="Salt")
    assert pickle.loads(pickle.dumps(article)) == article
    assert article != article_of(title="Pepper")


def test_plain_values_tell_of_each_text_whether_it_was_kept():
    values = article_of(title="Salt", language="en").to_dict()
    assert (values["page"], values["title"], values["language"]) == ("https://salt.example/", "Salt", "en")
    assert [(node["text"], node["kept"]) for node in values["nodes"][:2]] == [("Home", False), ("Salt", True)]
    assert values["nodes"][1]["node"] == "/html/body/main/h1/text()"


def test_plain_values_are_fit_for_json():
    values = article_of(title="Salt").to_dict()
    assert json.loads(json.dumps(values)) == values


def test_shows_itself_in_a_notebook():
    shown = article_of(title="Salt", author="Ada Moss", date="2023-04-05")._repr_html_()
    assert shown == (
        "<article><h3>Salt</h3><p><small>author: Ada Moss · date: 2023-04-05</small></p>"
        "<p>Salt</p><p>One two.</p><p>three</p></article>"
    )


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "a & b", '"><img src=x onerror=y>'])
def test_what_a_page_says_is_text_in_a_notebook(text):
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    shown = article_of(f"<p>{escaped}</p>", title=text, site=text)._repr_html_()
    assert text not in shown
    assert shown.count("<") == shown.count(">") == 10


def test_front_matter_has_what_is_known_in_the_usual_order():
    article = article_of(title='Salt: "white" gold', author="Nell", date="2024-03-14", language="en", site="Sea")
    assert article.to_front_matter() == (
        '---\ntitle: "Salt: \\"white\\" gold"\nauthor: "Nell"\ndate: "2024-03-14"\nurl: "https://salt.example/"\n'
        'site: "Sea"\nlanguage: "en"\n---\n'
    )


@pytest.mark.parametrize(
    "title",
    [
        "---",
        "a: b",
        "# no comment",
        "two\nlines",
        "back\\slash",
        "tab\tand \x07 bell",
        "\x85\u2028\ufeff",
        "é 東京 😀",
        "'",
        "@x",
        "yes",
        "\ud800",
    ],
)
def test_front_matter_is_a_line_for_each_value_whatever_is_in_it(title):
    lines = article_of(title=title).to_front_matter().split("\n")
    assert (lines[0], lines[-2:]) == ("---", ["---", ""])
    name, _, value = lines[1].partition(": ")
    assert name == "title"
    assert json.loads(value) == title.replace("\ud800", "\ufffd")  # double quotes mean the same in YAML and JSON
    assert value.isprintable() or " " in value
    assert not set(value) & set("\x07\t\x85\u2028\ufeff")
