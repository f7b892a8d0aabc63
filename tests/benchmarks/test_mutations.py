import random
from pathlib import Path

import pytest
from benchmarks.corpora import CorpusPage
from benchmarks.mutations import HEAVY, LIGHT, MUTATIONS, make_mutants

MARKUP = "<!DOCTYPE html><title>Shop</title><ul>" + "<li class=item><b>Lamp</b> 12.50 EUR</li>" * 20 + "</ul>"
PAGES = [CorpusPage(f"page-{number}", Path(), f"{MARKUP}<p>{number}") for number in range(5)]


def mutate(name: str, seed: int = 1) -> str:
    return MUTATIONS[name](MARKUP, random.Random(seed))


def test_same_seed_gives_the_same_mutants():
    first = [mutant.markup() for mutant in make_mutants(PAGES, 60, seed=3) if not mutant.is_heavy]
    again = [mutant.markup() for mutant in make_mutants(PAGES, 60, seed=3) if not mutant.is_heavy]
    assert first == again


def test_another_seed_gives_other_mutants():
    assert make_mutants(PAGES, 60, seed=3) != make_mutants(PAGES, 60, seed=4)


def test_uses_every_mutation():
    assert {mutant.mutation for mutant in make_mutants(PAGES, 200, seed=3)} == set(MUTATIONS)


def test_heavy_mutants_are_few():
    assert sum(mutant.is_heavy for mutant in make_mutants(PAGES, 2000, seed=3)) == 20


@pytest.mark.parametrize("name", LIGHT)
def test_light_mutations_change_the_page(name):
    assert any(mutate(name, seed) != MARKUP for seed in range(3))


@pytest.mark.parametrize("name", [*LIGHT, "nest_deeply"])
def test_mutations_accept_an_empty_page(name):
    assert isinstance(MUTATIONS[name]("", random.Random(1)), str)


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("insert_nul", ["\0"]),
        ("insert_lone_surrogates", ["\ud800", "\udbff", "\udc00", "\udfff", "\udc80"]),
        ("insert_comments", ["--"]),
        ("insert_cdata_ends", ["]]", "[CDATA["]),
        ("insert_prefixes", ["q:"]),
        ("insert_references", ["&"]),
        ("insert_control_characters", [chr(code) for code in range(1, 32) if chr(code) not in "\t\n\r"]),
    ],
)
def test_insertions_add_their_pieces(name, pieces):
    assert any(piece in mutate(name) for piece in pieces)


def test_truncate_keeps_the_beginning():
    assert MARKUP.startswith(mutate("truncate"))


def test_delete_tags_keeps_the_text():
    assert len(mutate("delete_tags")) < len(MARKUP)
    assert mutate("delete_tags").count("Lamp") == 20


def test_swap_tags_keeps_every_tag():
    assert sorted(mutate("swap_tags")) == sorted(MARKUP)


def test_heavy_pages_are_heavy():
    assert len(mutate("grow_to_ten_megabytes")) >= 10_000_000
    assert mutate("nest_deeply").count("<") > 90_000
    assert set(HEAVY) == {"grow_to_ten_megabytes", "nest_deeply"}
