from __future__ import annotations

import webquarry as wq
from webquarry.model.document import Document
from webquarry.model.wrapper import Section, Wrapper
from webquarry.wrapping.section_headings import find_heading_formats
from webquarry.wrapping.section_learner import (
    Structure,
    find_constant_texts,
    find_names_of_pages,
    find_structure,
    without_furniture,
)
from webquarry.wrapping.section_samples import read_samples


def rules(wrapper: Wrapper) -> dict[str, str]:
    """The rules of a grammar, `?` for what is optional and `*` for what repeats."""
    return {
        ".".join(path): " ".join(
            f"{each.name}{'?' * each.is_optional}{'*' * each.is_repeated}" for each in section.children
        )
        for path, section in [((), wrapper.grammar), *wrapper.grammar.walk()]
        if section.children
    }


def test_what_is_on_some_pages_is_optional(learn):
    page = "<h2>Area</h2>{0} km<h2>Town</h2>Elm {0}"
    pages = [page.format(n) for n in range(3)]
    assert rules(learn(*pages)) == {"": "area town"}
    assert rules(learn(*pages, page.format(3) + "<h2>Coast</h2>long")) == {"": "area town coast?"}


def test_a_section_that_its_parent_always_has_is_not_optional(learn):
    pages = [f"<h2>Land</h2><p><b>Area:</b> {n}<h2>Town</h2>Elm {n}" for n in range(3)] + ["<h2>Town</h2>Oak"]
    assert rules(learn(*pages)) == {"": "land? town", "land": "area"}


def test_sections_stand_in_the_order_of_the_pages(learn):
    pages = [f"<h2>Area</h2>{n}<h2>Town</h2>Elm {n}<h2>Coast</h2>{n} km" for n in range(2)]
    pages.append("<h2>Town</h2>Oak<h2>Coast</h2>long")
    assert rules(learn(*pages)) == {"": "area? town coast"}


def test_texts_tell_types(learn):
    pages = [f"<h2>Area</h2>1,{n}00.5 km<h2>Share</h2>{n}.5 %<h2>Town</h2>Elm {n} or so" for n in range(3)]
    assert {child.name: child.type for child in learn(*pages).grammar.children} == {
        "area": "number",
        "share": "number",
        "town": "text",
    }


def test_the_language_of_the_pages_says_how_numbers_are_written(learn):
    pages = [f"<html lang=de><h2>Fläche</h2>1.{n}00,5 km²<h2>Ort</h2>Ulm {n}" for n in range(3)]
    source = learn(*pages).source
    assert (source.language, source.decimal) == ("de", ",")


def test_a_data_table_is_a_section_of_columns(learn):
    table = "<table><tr><th>Name<th>Pay<tr><td>Elm<td>{0}</table>"
    pages = [f"<h2>Officers</h2>{table.format(n)}<h2>Town</h2>Oak {n}" for n in range(2)]
    (officers, _) = learn(*pages).grammar.children
    columns = (Section("name", is_optional=True), Section("pay", is_optional=True))
    assert (officers.type, officers.children) == ("table", columns)


def test_tokens_have_level_example_and_signature(learn):
    pages = [f"<h2>Land</h2><p><b>Area:</b> {n}<h2>People</h2><p><b>Number:</b> {n} or so" for n in range(2)]
    assert [(token.level, token.like, token.signature, token.look) for token in learn(*pages).tokens] == [
        (1, "Land", "h2", ""),
        (2, "Area:", "p > b :", ""),
    ]


def test_the_way_to_the_content_is_what_all_pages_share(learn):
    pages = [f"<div class=main id={n}><h2>Area</h2>{n}<h2>Town</h2>{n} or so</div><p>end" for n in range(2)]
    assert learn(*pages).content == ("html", "body", "div.main")


def test_nothing_is_learnt_from_nothing(learn):
    wrapper = learn()
    assert (wrapper.tokens, wrapper.grammar.children) == ((), ())


def test_classes_that_vary_over_the_pages_are_left_out():
    pages = [Document(f"<p class='field region{number}'>x") for number in range(3)]
    assert read_samples(pages).classes == {"field"}
    assert [piece.signature for page in read_samples(pages).pages for piece in page.pieces] == ["p.field"] * 3


def test_what_a_class_hides_by_convention_is_not_seen():
    samples = read_samples([Document("<p>One<span class='sr-only'>two</span><p class='modal big'>three")])
    assert [piece.text for piece in samples.pages[0].pieces] == ["One"]
    assert samples.hidden == ("p.big.modal", "span.sr-only")


def test_a_browser_tells_what_is_hidden(browser):
    body = b"<style>.tip { display: none } .y b { display: none }</style><p>One<i class=tip>two</i><p class=y><b>x</b>z"
    samples = read_samples([wq.render(wq.Page(url="https://example.org/", body=body))])
    assert [piece.text for piece in samples.pages[0].pieces] == ["One", "z"]
    assert samples.hidden == ("i.tip", "p.y > b")
    assert samples.is_rendered


def test_pieces_know_how_far_they_are_set_in():
    (page,) = read_samples([Document("One<ul><li>two</ul><pre>   three</pre>")]).pages
    assert [piece.left for piece in page.pieces] == [0.0, 40.0, 24.0]


def structure_of(*markups: str) -> Structure:
    return find_structure(read_samples([Document(markup) for markup in markups]))


def outline(structure: Structure) -> list[str]:
    return [".".join(part.path) for part in structure.roots[0].walk()]


def test_sections_nest_by_size_and_by_what_is_directly_below():
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


def test_labels_that_comment_on_many_sections_are_not_sections():
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


def kept(pages) -> set[str]:
    return {format_.signature for format_ in without_furniture(pages, find_heading_formats(pages), ())}


def test_headings_over_the_same_text_on_every_page_are_furniture(sample):
    pages = [f"<h2>Area</h2><p>{n} km<p><b>Contact</b> write to us" for n in range(3)]
    assert kept(sample(*pages)) == {"h2"}


def test_headings_that_lead_to_headings_with_content_are_kept(sample):
    pages = [f"<h2>Land</h2><h3>Area</h3>{n} km<h2>People</h2><h3>Number</h3>{n}<h4>Contact</h4>us" for n in range(3)]
    assert kept(sample(*pages)) == {"h2", "h3"}


def test_a_title_that_runs_along_with_headings_is_found(sample):
    pages = [
        "".join(f"<p><b>{name}</b> <i>{title}</i><p>{name} {title}" for name in ("Area", "Town", "Coast"))
        for title in ("Elm", "Oak", "Ash")
    ]
    assert find_names_of_pages(sample(*pages)) == {"p > i"}


def test_texts_of_a_class_that_are_the_same_on_every_page_are_found(sample):
    pages = [f"<h2>Area</h2><p>{n} km<p class=top>Top of page<p class=x>{n}" for n in range(3)]
    found = sample(*pages)
    assert find_constant_texts(found, find_heading_formats(found)) == {"p.top"}
    assert find_constant_texts(found[:2], find_heading_formats(found[:2])) == set()


def test_two_pages_are_enough_to_tell_a_refrain():
    bars = [
        Document("".join(f"<h3>Part {part}</h3><a class=top href='#'>Top</a><p>{part}{end}</p>" for part in (1, 2, 3)))
        for end in "ab"
    ]
    found = read_samples(bars).pages
    assert find_constant_texts(found, find_heading_formats(found)) == {"body > a.top"}
