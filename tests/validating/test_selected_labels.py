"""Labels by CSS selectors of the content."""

import numpy as np
import pytest

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.validating.labelled_quality import (
    BOILERPLATE,
    CONTENT,
    label_by_selector,
    mark_selected,
    select_elements,
)


def test_labels_by_a_selector_leave_nothing_unknown() -> None:
    document = Document("<div class='post wide'><p>in</p></div><p>out")
    found = mark_selected(document, "div.post")
    assert [int(found[node]) for node, text in enumerate(document.texts) if text] == [CONTENT, BOILERPLATE]
    assert set(np.unique(found)) == {CONTENT, BOILERPLATE}


@pytest.mark.parametrize(
    ("markup", "selector", "expected"),
    [
        ("<ul><li>a<li class=x>b</ul>", "li:nth-child(2), ul", ["/html/body/ul", "/html/body/ul/li[2]"]),
        ("<p id=a>x", ":root > body > #a", ["/html/body/p"]),
        ("<svg viewBox='0 0 1 1'><g class=x></g></svg>", ".x", ["/html/body/svg/g"]),
        ("<p><x<y @click=1 class=x>odd names", "p > .x", ["/html/body/p/*[1]"]),
        ("", "article", []),
    ],
)
def test_selects_elements_of_a_document(markup: str, selector: str, expected: list[str]) -> None:
    document = Document(markup)
    assert [document.xpath(node) for node in select_elements(document, selector)] == expected


def test_a_wrong_selector_is_an_input_error() -> None:
    with pytest.raises(InputError, match=r"^'div\[' is not a CSS selector: "):
        select_elements(Document("<p>"), "div[")


def test_a_selector_that_matches_on_no_page_is_an_input_error() -> None:
    documents = [Document("<p>One", url="https://a.test/"), Document("<div>Two", url="https://b.test/")]
    assert [label.node for label in label_by_selector(documents, "p") if label.content] == ["/html/body/p"]
    with pytest.raises(InputError, match="no page has an element that matches 'article'"):
        label_by_selector(documents, "article")
