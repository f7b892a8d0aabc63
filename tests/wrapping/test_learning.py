from __future__ import annotations

from webquarry.model.wrapper import Section, Wrapper


def rules(wrapper: Wrapper) -> dict[str, str]:
    """The rules of a grammar, `?` for what is optional and `*` for what repeats."""
    return {
        ".".join(path): " ".join(
            f"{each.name}{'?' * each.is_optional}{'*' * each.is_repeated}" for each in section.children
        )
        for path, section in [((), wrapper.grammar), *wrapper.grammar.walk()]
        if section.children
    }


def test_what_stands_on_some_pages_is_optional(learn):
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
