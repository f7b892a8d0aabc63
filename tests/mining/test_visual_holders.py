"""Rows that only hold the records of a list."""

from __future__ import annotations

from webquarry.mining.visual import mine_visual
from webquarry.model.document import Document

DISHES = {
    "Soups": ("Leek", "Lentil", "Tomato", "Onion"),
    "Mains": ("Hake", "Risotto", "Stew", "Pie", "Curry", "Goulash"),
    "Sweets": ("Tart", "Sorbet", "Custard", "Crumble", "Waffle"),
}


def dish(number: int, name: str) -> str:
    return (
        f"<tbody><tr><td>{number}<td><a href='#order'>{name}</a><p>{name} of the house with bread</p>"
        f"<td>€ {number}.50</tbody>"
    )


def test_dishes_below_their_courses_are_the_records():
    tables = {course: "".join(dish(n, name) for n, name in enumerate(names, 1)) for course, names in DISHES.items()}
    courses = "".join(
        f"<div class=course><h2>{course}</h2><table>{rows}</table></div>" for course, rows in tables.items()
    )
    region = mine_visual(Document(f"<h1>Menu</h1>{courses}"))[0]
    assert region["title"] == [name for names in DISHES.values() for name in names]


def test_things_with_a_short_list_of_facts_stay_the_records():
    facts = [f"<li>{fact}" for fact in ("Garden", "Parking", "Kitchen", "Sauna", "Pool")]
    cards = "".join(
        f"<article><h2><a href='/{n}'>{name}</a></h2><p>{name} is a fine place to stay for a while.</p>"
        f"<ul>{''.join(facts[: n + 2])}</ul></article>"
        for n, name in enumerate(("Moor Inn", "Fern House", "Alder Lodge"))
    )
    region = mine_visual(Document(f"<h1>Inns</h1>{cards}"))[0]
    assert region["title"] == ["Moor Inn", "Fern House", "Alder Lodge"]


def test_days_above_their_matches_are_a_column_not_records():
    def day(name: str) -> str:
        return f"<tr><td>{name}<td><td><td>"

    def match(number: int, home: str, away: str) -> str:
        return f"<tr><td>1{number}:30<td>{home}<td>{away}<td><a href='/m/{number}'>Watch</a>"

    rows = (
        day("Sunday 23 April") + match(1, "Rovers", "Stars") + match(2, "Bees", "Town") + match(3, "United", "Albion")
    ) + (day("Monday 24 April") + match(4, "City", "County") + match(5, "Athletic", "Villa"))
    region = mine_visual(Document(f"<table>{rows}</table>"))[0]
    assert len(region.records) == 5
    days = ["Sunday 23 April"] * 3 + ["Monday 24 April"] * 2
    assert days in [list(field.values) for field in region.fields]
