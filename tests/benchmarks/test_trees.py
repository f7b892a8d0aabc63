import pytest
from benchmarks.systems import webquarry_cleandom, webquarry_html5
from benchmarks.trees import TreeCase, documents, outline, parse_cases, score_trees

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


def test_reads_markup_and_tree_of_several_lines():
    first = parse_cases(FILE)[0]
    assert first.markup == "<p>One\nTwo"
    assert first.tree.endswith('"One\nTwo"')


def test_recognises_fragments_and_scripting():
    assert [(case.is_fragment, case.is_scripted) for case in parse_cases(FILE)] == [
        (False, False),
        (True, False),
        (False, True),
    ]


def test_documents_have_neither_fragments_nor_scripting():
    assert [case.markup for case in documents(parse_cases(FILE))] == ["<p>One\nTwo"]


def test_keeps_carriage_returns():
    assert parse_cases("#data\na\r\n#errors\n#document\n| x\n")[0].markup == "a\r"


def test_accepts_empty_markup():
    assert parse_cases("#data\n\n#errors\n#document\n| <html>\n")[0].markup == ""


TREE = """| <!DOCTYPE html>
| <html>
|   <head>
|   <body>
|     <svg svg>
|       xlink href="a"
|     <!-- c -->
|     <template>
|       id="t"
|       content
|         "x\""""
MARKUP = "<!DOCTYPE html><svg xlink:href=a></svg><!--c--><template id=t>x</template>"


def test_dumps_our_document_in_the_format_of_the_cases():
    assert webquarry_html5.dump(MARKUP) == TREE


def test_scores_exact_and_lenient():
    cases = [TreeCase(MARKUP, TREE), TreeCase("<p>x", "| <html>")]
    score = score_trees(webquarry_html5, cases)
    assert (score.exact, score.lenient) == (0.5, 0.5)
    assert score.failures == ("'<p>x'",)


def test_a_tree_without_doctypes_has_no_exact_score():
    assert score_trees(webquarry_cleandom, [TreeCase("<p>x", "| <html>")]).exact is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('| <html>\n|   "a"\n|   "b"', '| <html>\n|   " a b"'),
        ("| <html>\n|   <head>\n|     <title>\n|   <body>", "| <html>"),
        ('| <!DOCTYPE html>\n| <html>\n|   a="b"', "| <html>\n|   <!-- c -->"),
        ("| <svg svg>", "| <svg>"),
    ],
)
def test_outline_ignores_what_some_trees_lack(one, other):
    assert outline(one) == outline(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("| <p>\n| <b>", "| <p>\n|   <b>"),
        ('| <p>\n|   "a"', '| <p>\n|   "b"'),
        ('| <p>\n|   "a"', '| <p>\n| "a"'),
        ('| <title>\n|   "a"', "| <title>"),
    ],
)
def test_outline_sees_nesting_and_text(one, other):
    assert outline(one) != outline(other)
