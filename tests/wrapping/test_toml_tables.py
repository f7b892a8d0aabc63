from __future__ import annotations

import tomllib

import pytest

from webquarry.wrapping.toml_tables import Path, find_places

TEXT = '''\
# format = 3
format = 1

[source] # [not]
"na me" = "a = b"
  samples = [
  "x", # ]
  "[token]",
]
a."b.c".d = {x = 1, y = "}"}
[[token]]
like = """
[grammar]
name = 3
it "is" ""so"""""
[[ token ]]   # the second
like = \'\'\'
x = \'\'\'
[token.inner]
z = 1
[[token.step]]
q = '\\'
[[token.step]]
q = "\\""
'''


def test_every_key_and_table_has_its_line() -> None:
    tomllib.loads(TEXT)
    lines = {path: place.line for path, place in find_places(TEXT).items()}
    assert lines == {
        ("format",): 2,
        ("source",): 4,
        ("source", "na me"): 5,
        ("source", "samples"): 6,
        ("source", "a"): 10,
        ("source", "a", "b.c"): 10,
        ("source", "a", "b.c", "d"): 10,
        ("token",): 11,
        ("token", 0): 11,
        ("token", 0, "like"): 12,
        ("token", 1): 16,
        ("token", 1, "like"): 17,
        ("token", 1, "inner"): 19,
        ("token", 1, "inner", "z"): 20,
        ("token", 1, "step"): 21,
        ("token", 1, "step", 0): 21,
        ("token", 1, "step", 0, "q"): 22,
        ("token", 1, "step", 1): 23,
        ("token", 1, "step", 1, "q"): 24,
    }


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('\nx = """\na"""', 3),
        ('\nx = """a\nb"""', 2),
        ("\nx = '''\na\\\n'''", 3),
        ('\nx = "a\\nb"', None),
        ('\nx = """a\\\n b"""', None),
        ('\nx = """a\\nb"""', None),
    ],
)
def test_the_lines_of_a_text_are_known_where_they_are_lines_of_the_file(text: str, line: int | None) -> None:
    path: Path = ("x",)
    assert find_places(text)[path].inner_line == line
