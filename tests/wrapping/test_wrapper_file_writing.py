from __future__ import annotations

import tomllib

from hypothesis import HealthCheck, given, settings, strategies as st

from webquarry.model.names import distinct, snake_case
from webquarry.model.wrapper import FieldRule, ListingRule, Section, Source, Step, TokenFormat, Wrapper
from webquarry.wrapping.wrapper_file import read_wrapper, write_wrapper

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    [
        'say "it"',
        "it's",
        "'''",
        '"""',
        "\\",
        "a\nb",
        "\r\n",
        "\x00\x1f\x7f",
        "a\u00a0b",
        "\u2028",
        "#",
        "€ 5",
        "\U0001d4b3",
    ]
)
NAMED = TEXTS.filter(str.strip)
LISTS = st.lists(TEXTS, max_size=4).map(tuple)
NAMES = st.sampled_from(["note", "area", "total", "book", "_2nd", "long" * 30]) | TEXTS.map(snake_case)
TYPES = st.sampled_from(["text", "number", "money", "date", "boolean", "list", "table"])
PAGES = st.sampled_from(["", "geos/{code}.html", "mappings:address_of", "{+path}", "a'b\"{x}\n"])


def with_distinct_names(sections: list[Section]) -> tuple[Section, ...]:
    names = distinct([section.name for section in sections])
    return tuple(
        Section(name, each.children, each.is_optional, each.is_repeated, each.headings, each.type)
        for name, each in zip(names, sections, strict=True)
    )


def sections(children: st.SearchStrategy[tuple[Section, ...]]) -> st.SearchStrategy[tuple[Section, ...]]:
    section = st.builds(Section, NAMES, children, st.booleans(), st.booleans(), LISTS, TYPES)
    return st.lists(section, max_size=4).map(with_distinct_names)


CHILDREN = st.recursive(st.just(()), sections, max_leaves=12)
TOKENS = st.lists(
    st.builds(TokenFormat, st.integers(1, 4), TEXTS, TEXTS, TEXTS, LISTS, LISTS, st.booleans(), TEXTS), max_size=3
).map(lambda tokens: () if not tokens else (TokenFormat(1, "Geography"), *tokens))
FIELD_TYPES = st.sampled_from(["text", "number", "money", "date", "link", "image", "boolean", "list"])
FIELDS = st.lists(
    st.builds(FieldRule, TEXTS, FIELD_TYPES, TEXTS, st.integers(-3, 9), TEXTS, TEXTS, st.booleans()),
    max_size=3,
    unique_by=lambda field: field.name,
)
LISTINGS = st.builds(ListingRule, TEXTS, TEXTS, st.integers(0, 3), FIELDS.map(tuple))
INDEXES = st.tuples(TEXTS, st.just("")) | st.tuples(st.just(""), TEXTS)


@st.composite
def wrappers(draw: st.DrawFn) -> Wrapper:
    kind = draw(st.sampled_from(["sections", "records", "tables"]))
    page, file = draw(INDEXES)
    name = draw(NAMED | st.sampled_from(["area", "note", "book"]))
    return Wrapper(
        Source(
            name,
            kind,
            draw(TEXTS),
            draw(PAGES),
            draw(TEXTS | st.sampled_from(["year,country", "year, country", ",", "year,"])),
            page,
            file,
            draw(st.booleans()),
            draw(LISTS),
            draw(TEXTS),
            draw(st.sampled_from([".", ","])),
            draw(st.booleans()),
            draw(LISTS),
            draw(TEXTS),
            draw(TEXTS),
        ),
        draw(TOKENS),
        draw(LISTS),
        draw(TEXTS),
        draw(LISTS),
        draw(LISTS),
        draw(LISTS),
        draw(st.just(Section("")) | CHILDREN.map(lambda children: Section(name, children))),
        draw(st.lists(NAMES, max_size=3, unique=True).map(tuple)),
        None if kind == "sections" else draw(LISTINGS),
        draw(st.sampled_from(["format", "ashish"])),
        tuple(draw(st.lists(st.builds(Step, TEXTS, st.integers(0, 99), TEXTS), max_size=2))),
    )


@given(wrappers())
@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_written_reads_as_the_same_wrapper(wrapper: Wrapper) -> None:
    text = write_wrapper(wrapper)
    assert read_wrapper(text) == wrapper
    assert write_wrapper(read_wrapper(text)) == text
    assert read_wrapper(text.replace("\n", "\r\n")) == wrapper


FACTBOOK = Wrapper(
    Source(
        "factbook",
        base="https://example.org/factbook/",
        pages="geos/{code}.html",
        key="country",
        index_page="index.html",
        samples=("geos/am.html", "geos/bv.html"),
    ),
    (
        TokenFormat(1, "Geography", "div.category > a", "11px bold #666666"),
        TokenFormat(2, "Area:", excluded=("note:",)),
    ),
    content=("html", "body", "div.content"),
    classes=("category", "content"),
    hidden=("div.print",),
    ignored=("td.nav",),
    grammar=Section(
        "factbook",
        (
            Section("geography", (Section("area", (Section("total", type="number"), Section("land"))),)),
            Section("borders", (Section("length"),), True, True, ("Land boundaries:",)),
        ),
    ),
    other=("note",),
    history=(Step('drop "note:" --class', 11, '-rules = "x"\n+rules = "y"\n'), Step("rename", 1, "")),
)


def test_a_file_has_its_tables_in_the_order_of_the_design() -> None:
    lines = [line for line in write_wrapper(FACTBOOK).split("\n") if not line.startswith("#")]
    assert lines == [
        "format = 1",
        "",
        "[source]",
        'name = "factbook"',
        'kind = "sections"',
        'base = "https://example.org/factbook/"',
        'pages = "geos/{code}.html"',
        'key = "country"',
        'samples = ["geos/am.html", "geos/bv.html"]',
        "",
        "[index]",
        'page = "index.html"',
        "",
        "[[token]]",
        "level = 1",
        'like = "Geography"',
        'signature = "div.category > a"',
        'look = "11px bold #666666"',
        "",
        "[[token]]",
        "level = 2",
        'like = "Area:"',
        'excluded = ["note:"]',
        "",
        "[content]",
        'steps = ["html", "body", "div.content"]',
        'classes = ["category", "content"]',
        "",
        "[ignored]",
        'hidden = ["div.print"]',
        'signatures = ["td.nav"]',
        "",
        "[grammar]",
        'rules = """',
        "factbook -> geography borders*?",
        "geography -> area",
        "area -> total land",
        "borders -> length",
        "_other -> note",
        '"""',
        "",
        "[headings]",
        '"borders" = ["Land boundaries:"]',
        "",
        "[types]",
        '"geography.area.total" = "number"',
        "",
        "[history]",
        "steps = { paper = 12, actions = 2 }",
        "",
        "[[history.step]]",
        "action = 'drop \"note:\" --class'",
        "tokens = 11",
        "undo = '''",
        '-rules = "x"',
        '+rules = "y"',
        "'''",
        "",
        "[[history.step]]",
        'action = "rename"',
        "tokens = 1",
        "",
    ]


def test_every_table_has_a_comment() -> None:
    lines = write_wrapper(FACTBOOK).split("\n")
    heads = [place for place, line in enumerate(lines) if line.startswith("[")]
    first = {lines[place]: place for place in reversed(heads) if lines[place] != "[[history.step]]"}
    assert all(lines[place - 1].startswith("# ") for place in first.values())


def test_a_listing_says_where_records_and_fields_are() -> None:
    fields = (FieldRule("title", signature="h3 > a"), FieldRule("price", "money", "p.price", 1, heading="Price"))
    wrapper = Wrapper(Source("shop", "records"), listing=ListingRule("ul.items", "li", 2, fields))
    values = tomllib.loads(write_wrapper(wrapper))
    assert values["listing"] == {"region": "ul.items", "record": "li", "span": 2}
    assert values["field"] == [
        {"name": "title", "type": "text", "signature": "h3 > a", "place": 0},
        {"name": "price", "type": "money", "signature": "p.price", "place": 1, "heading": "Price"},
    ]
    assert "grammar" not in values


def test_what_is_empty_is_left_out() -> None:
    values = tomllib.loads(write_wrapper(Wrapper(Source("x"))))
    assert values == {"format": 1, "source": {"name": "x", "kind": "sections"}}


def test_long_lists_fill_lines() -> None:
    samples = tuple(f"https://example.org/factbook/geos/{number}.html" for number in range(5))
    text = write_wrapper(Wrapper(Source("factbook", samples=samples, base="x" * 200), ignored=("y" * 200, "z")))
    lines = text.split("\n")
    first = lines.index("samples = [") + 1
    assert [line.count(".html") for line in lines[first : first + 4]] == [2, 2, 1, 0]
    assert all(line.startswith('    "https') and len(line) <= 110 for line in lines[first : first + 3])
    assert lines[first + 3] == "]"
    assert read_wrapper(text).source.samples == samples
