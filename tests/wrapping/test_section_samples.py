from __future__ import annotations

import pytest

from webquarry.model.document import Document
from webquarry.wrapping.section_samples import Closeness

PAGE = Document("<div><p>one<p>two</div><ul><li>three</ul>")


@pytest.mark.parametrize(
    ("first", "second", "depth"),
    [("div/p[1]", "div/p[2]", 3), ("div/p[1]", "ul/li", 2), ("div/p[1]", "div/p[1]", 4), ("div", "div/p[2]", 3)],
)
def test_closeness_is_the_depth_of_what_holds_both(first, second, depth):
    nodes = [PAGE.node(f"/html/body/{path}") for path in (first, second)]
    assert Closeness(PAGE).depth_around(*nodes) == Closeness(PAGE).depth_around(*reversed(nodes)) == depth


def test_the_smallest_element_around_most_of_some_is_found():
    page = Document("<h1>x</h1><div>" + "<p>y" * 30 + "</div>")
    nodes = [page.node(f"/html/body/div/p[{number}]") for number in range(1, 31)]
    assert Closeness(page).smallest_around([page.node("/html/body/h1"), *nodes]) == page.node("/html/body/div")
    assert Closeness(page).smallest_around([page.node("/html/body/h1"), *nodes[:3]]) == page.node("/html/body")
    assert Closeness(page).smallest_around(nodes[:1]) == nodes[0]
    assert Closeness(page).smallest_around([]) == 0
