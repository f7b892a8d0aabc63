"""Apply the mutations to small pages; Hypothesis searches for a seed that breaks a method."""

import random

import pytest
from benchmarks.acceptance import find_objection
from benchmarks.mutations import LIGHT
from benchmarks.systems import OURS, load
from hypothesis import given, strategies as st

PAGES = [
    "<!DOCTYPE html><title>Shop</title><ul><li class=item><b>Lamp</b> 12.50 EUR<li><img src=a alt='b'>Chair</ul>",
    "<table border><tr><td>a<td>b<p>c</table><!-- d --><form name=e><input checked><select><option>f</form>",
    "<svg viewBox='0 0 1 1'><title>g</title><a xlink:href=h><text>i</text></a></svg><math><mi>j</math>",
    "<p>k<b>l<i>m</b>n</i><script>if (a < b && c) d()</script><style>p > q {}</style><template><td>o</template>",
    "",
]


@pytest.mark.parametrize("name", OURS)
@given(page=st.sampled_from(PAGES), mutation=st.sampled_from(list(LIGHT)), seed=st.integers(0, 2**32 - 1))
def test_readers_accept_every_mutant(name, page, mutation, seed):
    markup = LIGHT[mutation](page, random.Random(seed))
    assert find_objection(load(name).clean(markup)) is None


@pytest.mark.parametrize(
    "document", ["<p>", "<o:p/>", "<p>\x01</p>", "<!-- -- --><p/>", "<p a=b/>", "<p>\ud800</p>", "<p/><p/>", ""]
)
def test_readers_object(document):
    assert find_objection(document) is not None
