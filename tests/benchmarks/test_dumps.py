import pytest
from benchmarks.datfiles import TreeCase
from benchmarks.dumps import outline
from benchmarks.systems import webquarry_cleandom, webquarry_html5
from benchmarks.trees import score_trees

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


def test_our_document_dumps_as_the_cases_do():
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
def test_outline_passes_over_what_not_all_trees_hold(one, other):
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
