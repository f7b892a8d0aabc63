"""The tree that the standard library gives is that of the HTML standard, on markup as pages have it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from webquarry.page.standard_tree import StandardTree
from webquarry.page.trees import MarkupTree, Tree


def shape(tree: Tree, element: object = None) -> list[object]:
    return [[tree.tag(child), shape(tree, child)] for child in tree.children(element)]


def texts(tree: Tree) -> list[tuple[str, str]]:
    return [(tree.tag(parent), text) for _, text, parent, _ in tree.leaves()]


@pytest.mark.parametrize(
    "markup",
    [
        "<p>One<p>Two<div>Three</p>",
        "<ul><li>a<li>b<ul><li>c</ul><li>d</ul>",
        "<dl><dt>a<dd>b<dt>c<dd>d</dl>",
        "<table><tr><td>a<td>b<tr><th>c</table>",
        "<table>x<tr><td>a</td>y<b>z</b></tr></table>",
        "<table><caption>c<tr><td><table><tr><td>in</table>out</table>",
        "<b>a<p>b</b>c</p>d",
        "<b><i>a</b>b</i>c",
        "<a href=1>x<a href=2>y</a>z",
        "<b>a<div><i>b</b>c</i></div>d",
        "<font size=5><p>a</font>b<p>c",
        "<h1>a<h2>b</h1>c",
        "<p>a<table><tr><td>b</table>c",
        "<!doctype html><p>a<table><tr><td>b</table>c",
        '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN"><p>a<table><tr><td>b</table>c',
        '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><p>a<table><tr><td>b</table>c',
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd"><p>a<table><tr><td>b</table>c',
        "</p>a</br>b",
        "<pre>\n a\n b</pre>",
        "<title>T</title>a<style>p {}</style><script>x < y</script>b",
        "<select><option>a<option>b</select>c",
        "<body class=a><body id=b>x&amp;y&nbsp;z",
        "<button>a<button>b</button>c",
        "<p>a<!-- c -->b<img src=x>c<hr>d",
        "<td>a</td><tr>b",
        "<table><tbody><tr><td><b>a<tr><td>b</table>c",
    ],
)
def test_builds_the_tree_of_the_standard(markup):
    ours, theirs = StandardTree(markup), MarkupTree(markup)
    assert shape(ours) == shape(theirs)
    assert texts(ours) == texts(theirs)


TAGS = "<p> </p> <b> </b> <i> </i> <div> </div> <ul> <li> </ul> <table> <tr> <td> </td> </table> <br> <h2> </h2>"
PIECES = [*TAGS.split(), "x", "y"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_loses_and_reorders_no_text_of_any_markup(markup):
    ours, theirs = StandardTree(markup), MarkupTree(markup)
    assert texts(ours) == texts(theirs)


def test_addresses_are_xpaths():
    tree = StandardTree("<div><p>a<p>b</div>")
    assert [tree.xpath(each) for each in tree.named("p")] == ["/html/body/div/p[1]", "/html/body/div/p[2]"]
