"""Line 6 of the forward pass: what a start tag closes, and what stops it."""

from __future__ import annotations

import re

import pytest

from webquarry.cleaning.cleandom import SPECIAL_CASES, clean_markup, forward_pass
from webquarry.html.tokens import CLOSE, OPEN, VOID, Tokens

CONTAINERS = "applet body button caption html object table td th"
BLOCKS = (
    "address article aside blockquote center dir div dl fieldset footer form h1 h2 h3 h4 h5 h6 header main menu nav ol "
    "p pre section table ul"
)
PARTS = "tbody thead tfoot tr td th caption colgroup"
# What starts, what it closes (HTML 4.01 lets authors leave out the closing tag), and what stops it.
TABLE = [
    (BLOCKS, "p", CONTAINERS),
    ("li", "li p", f"dir menu ol ul {CONTAINERS}"),
    ("dt dd", "dt dd p", f"dl {CONTAINERS}"),
    ("option", "option", f"select optgroup datalist {CONTAINERS}"),
    ("optgroup", "option optgroup", f"select {CONTAINERS}"),
    ("tr", "tr td th caption colgroup", "table body html tbody thead tfoot"),
    ("td th", "td th", "table body html tr"),
    ("tbody thead tfoot", PARTS, "table body html"),
    ("a", "a", CONTAINERS),
    ("rt rp", "rt rp", f"ruby {CONTAINERS}"),
]
ROWS = [(tag, closed, bounds) for tags, closes, bounds in TABLE for tag in tags.split() for closed in closes.split()]


def forward(*names: str) -> list[str]:
    """The tags that a forward pass makes of these opening tags."""
    tokens = Tokens()
    sequence = [tokens.tag(OPEN, name) for name in names]
    return [
        f"{'/' if tokens.whats[number] == CLOSE else ''}{tokens.names[number]}"
        for number in forward_pass(tokens, sequence)
    ]


def test_the_table_has_no_other_row():
    expected = {tag for tags, _, _ in TABLE for tag in tags.split()}
    assert SPECIAL_CASES.keys() - VOID == expected


@pytest.mark.parametrize(("tag", "closed"), [row[:2] for row in ROWS])
def test_a_start_tag_closes_what_html_lets_authors_leave_open(tag, closed):
    assert forward(closed, "x", tag) == [closed, "x", "/x", f"/{closed}", tag, f"/{tag}"]


def closes(tag: str) -> set[str]:
    return {closed for started, closed, _ in ROWS if started == tag}


@pytest.mark.parametrize(("tag", "closed", "bounds"), ROWS)
def test_a_start_tag_closes_nothing_outside_its_bound(tag, closed, bounds):
    for bound in set(bounds.split()) - closes(tag):
        if closed in closes(bound):
            assert forward(closed, bound, tag)[:3] == [closed, f"/{closed}", bound]
        else:
            assert forward(closed, bound, tag)[:3] == [closed, bound, tag]


@pytest.mark.parametrize("tag", ["span", "b", "x", "input", "br", "img"])
def test_other_tags_close_nothing(tag):
    assert f"<p>a<{tag}" in clean_markup(f"<p>a<{tag}>b")


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>a<p>b", "<p>a</p><p>b</p>"),
        ("<p>a<div>b</div>", "<p>a</p><div>b</div>"),
        ("<p>a<table><tr><td>b</table>", "<p>a</p><table><tr><td>b</td></tr></table>"),
        ("<p>a<b>b<p>c", "<p>a<b>b</b></p><p>c</p>"),
        ("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"),
        ("<ul><li>a<ul><li>b<li>c</ul><li>d</ul>", "<ul><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ul>"),
        ("<ul><li><p>a<li>b</ul>", "<ul><li><p>a</p></li><li>b</li></ul>"),
        ("<dl><dt>a<dd>b<dt>c</dl>", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>"),
        ("<dl><dd>a<dl><dt>b</dl><dd>c</dl>", "<dl><dd>a<dl><dt>b</dt></dl></dd><dd>c</dd></dl>"),
        ("<select><option>a<option>b</select>", "<select><option>a</option><option>b</option></select>"),
        (
            "<select><optgroup><option>a<optgroup><option>b</select>",
            "<select><optgroup><option>a</option></optgroup><optgroup><option>b</option></optgroup></select>",
        ),
        (
            "<table><tr><td>a<td>b<tr><th>c</table>",
            "<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>",
        ),
        (
            "<table><caption>a<tr><td>b<table><tr><td>c</table>d<td>e</table>",
            "<table><caption>a</caption><tr><td>b<table><tr><td>c</td></tr></table>d</td><td>e</td></tr></table>",
        ),
        (
            "<table><thead><tr><td>a<tbody><tr><td>b<tfoot></table>",
            "<table><thead><tr><td>a</td></tr></thead><tbody><tr><td>b</td></tr></tbody><tfoot/></table>",
        ),
        ("<a>a<a>b</a>", "<a>a</a><a>b</a>"),
        ("<td><p>a<table><td><p>b</table><p>c", "<td><p>a</p><table><td><p>b</p></td></table><p>c</p></td>"),
    ],
)
def test_elements_that_authors_leave_open(markup, expected):
    written = re.search(r"<body>(.*)</body>", clean_markup(markup))[1]
    assert written == expected
