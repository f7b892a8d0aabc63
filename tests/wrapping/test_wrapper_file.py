from __future__ import annotations

import contextlib
import pickle

import pytest
from hypothesis import given, settings, strategies as st

from webquarry.errors import InputError, WrapperError
from webquarry.model.wrapper import Section, Source, TokenFormat, Wrapper
from webquarry.wrapping.wrapper_file import read_wrapper

DESIGN = '''\
format = 1
[source]
name = "factbook"
kind = "sections"                      # or records, tables
base = "https://example.org/factbook/"
pages = "geos/{code}.html"
key = "country"
[index]
page = "index.html"
[[token]]
level = 1
like = "Geography"
[grammar]
rules = """
factbook -> introduction geography people
geography -> location area land_boundaries coastline
area -> total land water
"""
[types]
"geography.area.total" = "number"
[history]
steps = 2
'''
START = 'format = 1\n[source]\nname = "x"\n'
RULES = '[grammar]\nrules = """\nx -> a b\na -> c\n"""\n'


def mistakes(text: str, name: str = "x.toml") -> list[str]:
    with pytest.raises(WrapperError) as caught:
        read_wrapper(text, name)
    return list(caught.value.mistakes)


def test_the_file_of_the_design_is_read() -> None:
    area = Section("area", (Section("total", type="number"), Section("land"), Section("water")))
    geography = Section("geography", (Section("location"), area, Section("land_boundaries"), Section("coastline")))
    assert read_wrapper(DESIGN) == Wrapper(
        Source("factbook", "sections", "https://example.org/factbook/", "geos/{code}.html", "country", "index.html"),
        (TokenFormat(1, "Geography"),),
        grammar=Section("factbook", (Section("introduction"), geography, Section("people"))),
    )


def test_the_page_is_called_as_the_source_even_if_its_rule_is_not() -> None:
    renamed = read_wrapper(DESIGN.replace('name = "factbook"', 'name = "My Book"'))
    assert renamed.grammar.name == "My Book"
    assert renamed.grammar.children == read_wrapper(DESIGN).grammar.children


def test_a_byte_order_mark_is_passed_over() -> None:
    assert read_wrapper("\ufeff" + DESIGN) == read_wrapper(DESIGN)


def test_paths_may_be_written_without_quotes() -> None:
    quoted = read_wrapper(START + RULES + '[types]\n"a.c" = "date"\n"b" = "text"\n')
    assert read_wrapper(START + RULES + '[types]\na.c = "date"\n') == quoted
    assert [section.type for _, section in quoted.grammar.walk()] == ["text", "date", "text"]


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("", "1: `format` is missing; write format = 1 at the top"),
        ('format = "1"', "1: `format` must be a whole number, not '1'"),
        ("format = true", "1: `format` must be a whole number, not true or false"),
        ("\nformat = 0", "2: format 0 is unknown; write format = 1"),
        (START + "x", "4: not valid TOML (Expected '=' after a key in a key/value pair)"),
        (START + 'key = "y"\nkey = "z"', "5: not valid TOML (Cannot overwrite a value)"),
        (START + "samples = [\n\n", "4: not valid TOML"),
        ("x = " + "[" * 9999, "1: not valid TOML"),
        ("format = " + "9" * 9999, "1: not valid TOML"),
        ("format = 1", "1: `name` is missing in [source]"),
        ('format = 1\n[source]\nkind = "sections"', '2: `name` is missing in [source]; write name = "..."'),
        ('format = 1\n[source]\nname = " "', "3: `name` is empty"),
        (START + "nmae = 3", "4: unknown key `nmae` in [source]; did you mean `name`?"),
        (START + "\n[sources]", "5: unknown key `sources` at the top; did you mean `source`?"),
        (START + "\n[zzz]", "5: unknown key `zzz` at the top; known keys are format, source"),
        (START + 'kind = "record"', "4: `kind` cannot be 'record'; use one of sections, item, records, tables"),
        (START + 'method = "magic"', "4: `method` cannot be 'magic'; use one of format, ashish"),
        (START + 'render = "yes"', "4: `render` must be true or false, not 'yes'"),
        (START + 'pages = "a"\nform = "b={c"', "5: the template 'b={c' has a { that is never closed"),
        (START + 'form = "b={c}"', "4: `form` is sent to the address that `pages` gives"),
        (START + "key = [1]", "4: `key` must be a list of strings in quotes, but contains a whole number"),
        (START + "samples = [1]", "4: `samples` must be a list of strings in quotes, but contains a whole number"),
        (START + "base = 2011-06-01", "4: `base` must be a string in quotes, not a date"),
        (START + 'pages = "geos/{code.html"', "4: the template 'geos/{code.html' has a { that is never closed"),
        (START + '[index]\npage = "a"\nfile = "b"', "6: `page` and `file` are both given"),
        (START + "[token]\nlevel = 1", "4: `token` must be one table or more; write [[token]] above each"),
        (START + '[[token]]\nlevel = 0\nlike = "A"', "5: `level` is 0, but levels start at 1"),
        (START + '[[token]]\nlike = "A"\nlevel = 2', "6: no token has level 1"),
        (START + '[[token]]\nlevel = 1\nlike = "A"\n[[token]]\nlevel = 1', "7: `like` is missing in [token]"),
        (START + '[grammar]\nrules = """\nx -> a\n\nb -> c\n"""', "8: no other rule names `b`"),
        (START + '[grammar]\nrules = "x -> a\\nb -> c"', "5: no other rule names `b`"),
        (START + "grammar = 3", "4: unknown key `grammar` in [source]"),
        (START + "[grammar]\nrule = 3", "5: unknown key `rule` in [grammar]; did you mean `rules`?"),
        (START + RULES + '[types]\n"a.d" = "date"', "10: no section has the path 'a.d'; did you mean `a.c`?"),
        (START + RULES + '[types]\nc = "date"', "10: no section has the path 'c'; did you mean `a.c`?"),
        (START + RULES + '[types]\nb = "dates"', "10: `b` cannot be 'dates'; use one of text, number, money, date"),
        (START + RULES + "[types]\nb = 1", "10: `b` must be a string in quotes, not a whole number"),
        (START + RULES + '[headings]\na.c = "C"', "10: `c` must be a list, not 'C'"),
        (START + '[listing]\nregion = "a"\nrecord = "b"', "4: [listing] is for kinds records and tables"),
        (START + 'kind = "records"', "4: [listing] is missing, which locates the records"),
        (START + '[[field]]\nname = "a"', "4: [listing] is missing"),
        (START + 'kind = "tables"\n[listing]\nregion = "a"', "5: `record` is missing in [listing]"),
        (START + "[history]\n[[history.step]]\ntokens = 1", "5: `action` is missing in [history.step]"),
    ],
)
def test_a_mistake_is_reported_with_its_line(text: str, mistake: str) -> None:
    (told,) = [each for each in mistakes(text) if mistake in each]
    assert told.startswith(f"x.toml:{mistake}")


def test_every_field_has_a_name_of_its_own() -> None:
    listing = 'kind = "records"\n[listing]\nregion = "a"\nrecord = "b"\nspan = -1\n'
    fields = '[[field]]\nname = "a"\n[[field]]\nname = "a"\ntype = "lists"\nplace = "x"\n'
    assert [mistake.split(":")[1] for mistake in mistakes(START + listing + fields)] == ["8", "12", "13", "14"]


def test_all_mistakes_are_told_at_once_in_the_order_of_lines() -> None:
    text = 'format = 1\n[source]\nkind = "x"\n[types]\na = "date"\n[[token]]\nlevel = 1\n[grammar]\nrules = "q"\n'
    assert [mistake.split(": ")[0] for mistake in mistakes(text)] == [
        "x.toml:2",
        "x.toml:3",
        "x.toml:5",
        "x.toml:6",
        "x.toml:9",
    ]


def test_a_file_of_a_newer_version_is_reported_as_such_alone() -> None:
    (told,) = mistakes("format = 2\nnew = 1")
    assert told == "x.toml:1: this file has format 2, but this webquarry reads format 1; upgrade webquarry"


def test_lines_have_no_prefix_when_the_file_has_no_name() -> None:
    assert mistakes('format = 1\n[source]\nname = ""', name="")[0].startswith("line 3: ")


def test_the_error_is_one_mistake_a_line_and_survives_pickle() -> None:
    with pytest.raises(InputError) as caught:
        read_wrapper('format = 1\nx = 1\n[source]\nname = ""', "f.toml")
    error = caught.value
    assert isinstance(error, WrapperError)
    assert str(error).split("\n") == list(error.mistakes)
    assert len(error.mistakes) == 2
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.mistakes) == (str(error), error.mistakes)


PIECES = st.sampled_from(
    ["[", "]", "[[", "]]", '"', '"""', "'''", "=", "\n", "->", "#", "{", "}", ".", "1", "true", "token", "name", "é"]
)


@given(st.data())
@settings(deadline=None, max_examples=250)
def test_no_file_however_broken_raises_anything_else(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(DESIGN)))
    stop = data.draw(st.integers(start, min(start + 30, len(DESIGN))))
    put = data.draw(st.lists(PIECES | st.text(max_size=3), max_size=4).map("".join))
    with contextlib.suppress(WrapperError):
        assert isinstance(read_wrapper(DESIGN[:start] + put + DESIGN[stop:]), Wrapper)
