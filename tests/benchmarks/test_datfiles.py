from benchmarks.datfiles import parse_cases
from benchmarks.trees import documents

FILE = """#data
<p>One
Two
#errors
1: something
#document
| <html>
|   <body>
|     <p>
|       "One
Two"

#data
<td>
#errors
#document-fragment
tr
#document
| <td>

#data
<noscript>
#errors
#script-on
#document
| <html>
"""


def test_reads_markup_and_tree_over_several_lines():
    first = parse_cases(FILE)[0]
    assert first.markup == "<p>One\nTwo"
    assert first.tree.endswith('"One\nTwo"')


def test_knows_fragments_and_scripting():
    assert [(case.is_fragment, case.is_scripted) for case in parse_cases(FILE)] == [
        (False, False),
        (True, False),
        (False, True),
    ]


def test_documents_are_neither():
    assert [case.markup for case in documents(parse_cases(FILE))] == ["<p>One\nTwo"]


def test_keeps_carriage_returns():
    assert parse_cases("#data\na\r\n#errors\n#document\n| x\n")[0].markup == "a\r"


def test_takes_empty_markup():
    assert parse_cases("#data\n\n#errors\n#document\n| <html>\n")[0].markup == ""
