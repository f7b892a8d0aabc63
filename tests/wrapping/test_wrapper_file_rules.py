from __future__ import annotations

import pytest

from webquarry.model.wrapper import Section
from webquarry.wrapping.grammar_rules import MAX_RULE_DEPTH, read_rules, write_rules

S = Section


def grammar(*children: Section) -> Section:
    return S("book", children)


def read(text: str) -> tuple[Section, tuple[str, ...]]:
    """The grammar and the other headings, when nothing is wrong."""
    faults: list[tuple[int, str]] = []
    result = read_rules(text, lambda line, fault: faults.append((line, fault)))
    assert faults == []
    return result


def faults_of(text: str) -> list[tuple[int, str]]:
    faults: list[tuple[int, str]] = []
    read_rules(text, lambda line, fault: faults.append((line, fault)))
    return faults


NESTED = [
    (
        grammar(S("geography", (S("area", (S("total"), S("land"))), S("coast", is_optional=True))), S("people")),
        "book -> geography people\ngeography -> area coast?\narea -> total land\n",
    ),
    (
        grammar(S("talks", (S("speaker"),), is_repeated=True), S("fees", is_optional=True, is_repeated=True)),
        "book -> talks* fees*?\ntalks -> speaker\n",
    ),
    (  # of three sections of a name each rule says which it is for, and the outermost is the page's
        grammar(S("a", (S("note", (S("x"),)),)), S("b", (S("note"),)), S("note", (S("y"),))),
        "book -> a b note\na -> note\na.note -> x\nb -> note\nbook.note -> y\n",
    ),
    (  # sections may have the name of the page
        grammar(S("book", (S("book", (S("x"),)),))),
        "book -> book\nbook.book -> book\nbook.book.book -> x\n",
    ),
    (
        grammar(S("a", (S("c", (S("d", (S("x"),)),)),)), S("b", (S("c", (S("d", (S("y"),)),)),))),
        "book -> a b\na -> c\na.c -> d\na.c.d -> x\nb -> c\nb.c -> d\nb.c.d -> y\n",
    ),
    (grammar(), "book ->\n"),
    (S(""), ""),
]


@pytest.mark.parametrize(("sections", "rules"), NESTED)
def test_rules_are_written_and_read(sections: Section, rules: str) -> None:
    assert write_rules(sections, page="book") == rules
    assert read(rules) == (sections, ())


def test_headings_of_any_section_are_a_rule() -> None:
    assert write_rules(grammar(S("a")), ["note", "remark"], page="book") == "book -> a\n_other -> note remark\n"
    assert read("book -> a\n_other -> note remark\n") == (grammar(S("a")), ("note", "remark"))
    assert read("_other -> note") == (S(""), ("note",))


def test_long_rules_go_on_in_indented_lines() -> None:
    sections = grammar(*(S(f"section_number_{number}") for number in range(20)))
    lines = write_rules(sections, page="book").splitlines()
    assert len(lines) == 4
    assert all(line.startswith("    section_number_") for line in lines[1:])
    assert max(map(len, lines)) <= 110
    assert read("\n".join(lines)) == (sections, ())


def test_a_name_longer_than_a_line_stays_whole() -> None:
    sections = grammar(S("long" * 40, (S("name" * 40), S("short"))))
    rules = write_rules(sections, page="book")
    assert rules == f"book ->\n    {'long' * 40}\n{'long' * 40} ->\n    {'name' * 40}\n    short\n"
    assert read(rules) == (sections, ())


@pytest.mark.parametrize(
    "rules",
    [
        "book->a b\nb -> c",
        "\n  book -> a b\n\n  b -> c\n",
        "book -> a   # the first\n    b\n# a note\nb -> c",
        "book -> a b\nb ->\n  c",
        "book -> a b\nbook.b -> c",
    ],
)
def test_people_write_rules_in_their_own_way(rules: str) -> None:
    assert read(rules) == (grammar(S("a"), S("b", (S("c"),))), ())


def test_rules_may_stand_in_any_order_after_the_first() -> None:
    assert read("book -> a\nb -> c\na -> b") == (grammar(S("a", (S("b", (S("c"),)),))), ())


@pytest.mark.parametrize(
    ("rules", "line", "part"),
    [
        ("book -> a\na b", 1, "`a b` is not a rule: it has no ->"),
        ("  a b", 0, "`a b` is not a rule"),
        ("book -> a\n-> b", 1, "one section before ->, but this one has none"),
        ("book -> a\na b -> c", 1, "one section before ->, but this one has 2"),
        ("book -> a\na..b -> c", 1, "`a..b` is not a path"),
        ("my.book -> a", 0, "the first rule, which is the page's"),
        ("book -> area\naera -> b", 1, "no other rule names `aera`; did you mean `area`?"),
        ("book -> a\nclimate -> b", 1, "name it in the rule of its parent section"),
        ("book -> a\n   a?", 1, "`a` is named twice in the rule of `book`"),
        ("book -> a b\na -> note\nb -> note\nnote -> x", 3, "could be any of book.a.note, book.b.note; write more"),
        ("book -> a\na -> b\na -> c", 2, "`a` has a rule already"),
        ("book -> a -> b", 0, "a rule has one ->"),
        ("book -> Area,", 0, "`Area,` is not a section name; write names in lower snake case, such as `area`"),
        ("book -> _other", 0, "`_other` is not a section name"),
        ("book -> a??", 0, "`a??` has ? twice"),
        ("book -> a\n_other -> note*", 1, "`note*` has a mark"),
        ("book -> a\n_other -> note note", 1, "`note` is named twice in the rule of `_other`"),
    ],
)
def test_a_mistake_is_reported_with_its_line(rules: str, line: int, part: str) -> None:
    ((where, text),) = faults_of(rules)
    assert where == line
    assert part in text


def test_sections_that_hold_each_other_are_told_and_do_not_go_on_for_ever() -> None:
    assert [line for line, text in faults_of("book -> a\na -> b\nb -> a") if "could be any of" in text] == [1]


def test_sections_without_end_are_told() -> None:
    rules = "book -> s0\n" + "".join(f"s{number} -> s{number + 1}\n" for number in range(3000))
    assert f"more than {MAX_RULE_DEPTH} sections deep" in faults_of(rules)[0][1]
