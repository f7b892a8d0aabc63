"""Answers and plans as a person sees them."""

from __future__ import annotations

import json
from dataclasses import replace

import pyarrow as pa

from webquarry.model.page import Failure
from webquarry.querying.query_nouns import Answer, Plan, Step

GROUPS = Step("groups", "g", "", "the whole source", 1, 1, 0, ("name", "members"), False)
BOOK = Step("factbook", "factbook", "country", "members of g", None, 261, 0, ("economy.debt", "military.spent"), True)


def test_a_plan_is_an_outline_of_its_steps_and_the_pages_in_all():
    assert Plan((GROUPS, BOOK)).to_text().splitlines() == [
        "1. groups as g: 1 page, static",
        "   keys   the whole source",
        "   reads  name, members",
        "2. factbook: at most 261 pages, rendered",
        "   keys   members of g",
        "   reads  economy.debt, military.spent",
        "at most 262 pages in all",
    ]


def test_a_plan_says_what_it_does_not_know_and_what_it_needs_not():
    later = Plan((GROUPS, replace(BOOK, at_most=None))).to_text().splitlines()
    assert later[3] == "2. factbook: a number of pages known later, rendered"
    assert later[-1] == "a number of pages known later in all"
    index_alone = replace(BOOK, pages=0, at_most=0, sections=())
    assert Plan((index_alone,)).to_text().splitlines() == [
        "1. factbook: no page, rendered",
        "   keys   members of g",
        "   reads  nothing but the index",
        "no page in all",
    ]
    assert Plan(()).to_text() == "no page in all\n"


def test_a_plan_is_data_too():
    plan = Plan((GROUPS, BOOK)).to_dict()
    assert json.loads(json.dumps(plan)) == plan
    assert plan["steps"][1] == {
        "source": "factbook",
        "alias": "factbook",
        "key": "country",
        "binding": "members of g",
        "pages": None,
        "at_most": 261,
        "index_pages": 0,
        "sections": ["economy.debt", "military.spent"],
        "rendered": True,
    }


def test_a_notebook_shows_plans_and_answers_and_runs_nothing_of_them():
    evil = "<script>alert(1)</script>"
    plan = Plan((replace(BOOK, source=evil, alias=evil, binding=evil, sections=(evil,)),))._repr_html_()
    table = pa.table({evil: [evil], "_page": [f"javascript:{evil}"], "nested": [{evil: [evil]}]})
    for html in (plan, Answer(table, (Failure(evil, evil),))._repr_html_()):
        assert "<script" not in html
        assert "&lt;script&gt;" in html
        assert "<a " not in html


def test_a_notebook_shows_the_first_rows_of_an_answer_and_what_is_missing():
    table = pa.table(
        {"n": range(1200), "area": [{"total": 5.0, "land": None}] * 1200, "_page": ["https://a.org/"] * 1200}
    )
    html = Answer(table, (Failure("b", "b: gone"),))._repr_html_()
    assert "1,200 rows; 1,100 more are not shown; partial result: 1 page failed" in html
    assert html.count("<tr>") == 101
    assert "<td>{total: 5}</td>" in html
    assert '<a href="https://a.org/"' in html
