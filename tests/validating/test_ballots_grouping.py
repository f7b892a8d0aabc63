"""Which pages are judged together."""

from webquarry.model.document import Document
from webquarry.validating.ballots import group_by_site


def make_page(host: str, number: int) -> Document:
    links = "".join(f"<li><a>{name} of {host}</a></li>" for name in ("Home", "Towns", "Rivers", "Bridges"))
    return Document(f"<nav><ul>{links}</ul></nav><p>Text {number}", url=f"https://{host}/{number}")


def test_pages_of_a_site_are_together_wherever_they_stand():
    pages = [make_page(host, number) for number, host in enumerate(["a.test", "b.test", "a.test", "c.test", "b.test"])]
    assert group_by_site(pages) == [[0, 2], [1, 4], [3]]


def test_each_page_is_in_one_group():
    pages = [Document(""), Document("<p>x"), make_page("a.test", 1), make_page("a.test", 2)]
    groups = group_by_site(pages)
    assert sorted(place for group in groups for place in group) == [0, 1, 2, 3]
    assert [2, 3] in groups


def test_no_pages_give_no_groups():
    assert group_by_site([]) == []
