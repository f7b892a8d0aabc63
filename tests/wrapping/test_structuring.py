from __future__ import annotations

from webquarry.model.document import Document
from webquarry.wrapping.learner import Structure, find_structure, read_samples


def structure_of(*markups: str) -> Structure:
    return find_structure(read_samples([Document(markup) for markup in markups]))


def outline(structure: Structure) -> list[str]:
    return [".".join(part.path) for part in structure.roots[0].walk()]


def test_sections_nest_by_size_and_by_what_stands_directly_below():
    page = "<h2>Land</h2><p><b>Area:</b> 9<p><b>Towns:</b> 2<h2>People</h2><p><b>Number:</b> 7"
    assert outline(structure_of(page)) == ["land", "land.area", "land.towns", "people", "people.number"]


def test_a_heading_that_holds_all_of_the_page_is_its_title():
    page = "<h1>Elm</h1><h2>Land</h2>flat<h2>People</h2>few"
    assert outline(structure_of(page)) == ["land", "people"]


def test_a_page_without_headings_has_no_sections():
    assert outline(structure_of("<p>just some text<p>and more of it")) == []
    assert structure_of().roots == []


def test_only_what_is_around_the_headings_counts():
    menu = "<div><p><b>Home</b><p><b>News</b></div>"
    pages = [f"{menu}<div><h2>Land</h2>{n}<h2>Towns</h2>{n} of them</div><p>Copyright" for n in range(3)]
    (page, *_) = structure_of(*pages).samples.pages
    assert page.document.xpath(page.content) == "/html/body/div[2]"
    assert "Copyright" not in [piece.text for piece in page.pieces]


def test_labels_that_comment_on_many_sections_are_no_sections():
    fields = ("Area", "Towns", "Rivers", "Roads", "Ports", "Coast", "Hills", "Lakes")
    noted = ("Area", "Rivers", "Ports")
    pages = [
        "".join(f"<h3>{name}</h3><p>{n} {name}" + f"<br><i>note:</i> old {n}" * (name in noted) for name in fields)
        for n in range(3)
    ]
    found = structure_of(*pages)
    assert found.other == {"note"}
    assert outline(found) == [name.lower() for name in fields]


def test_sections_with_the_same_fields_on_a_page_that_holds_all_repeat():
    jobs = "".join(f"<h3>Job {n}</h3><p><b>Place:</b> Elm {n}<p><b>Pay:</b> {n}" for n in range(3))
    found = structure_of(jobs)
    assert {format_.signature: name for format_, name in found.repeated.items()} == {"h3": "job"}


def test_years_repeat():
    page = "".join(f"<h3>{year}</h3><p>Elm<p>Oak" for year in range(1990, 1994))
    assert list(structure_of(page).repeated.values()) == ["year"]


def test_sections_of_several_pages_do_not_repeat():
    page = "".join(f"<h3>{year}</h3><p>Elm<p>Oak" for year in range(1990, 1994))
    assert structure_of(page, page.replace("Elm", "Ash")).repeated == {}
