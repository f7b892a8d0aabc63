"""What a reader sees of a page, as far as the markup tells."""

from __future__ import annotations

import pytest

from webquarry.model.document import Document


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("", ""),
        (" \n ", ""),
        ("one two", "one two"),
        ("one\n  two\tthree", "one two three"),
        ("<p>one<p>two", "one\ntwo"),
        ("one<br>two<br><br>three", "one\ntwo\nthree"),
        ("<b>one</b> <i>two</i>", "one two"),
        ("<b>on</b>e", "one"),
        ("one <b> two", "one two"),
        ("<div><div>one</div></div><div>two</div>", "one\ntwo"),
        ("one<hr>two", "one\ntwo"),
        ("<ul><li>one<li>two</ul>three", "one\ntwo\nthree"),
        ("<table><tr><td>one<td>two<tr><td>three", "one\ttwo\nthree"),
        ("<table><tr><th>one</th> <td> two </td></table>", "one\ttwo"),
        ("<pre>one\n  two</pre>three", "one\n  two\nthree"),
        ("<pre>\n\none</pre>", "\none"),
        ("<select><option>one<option>two</select>", "one\ntwo"),
        ("one\xa0two", "one\xa0two"),
        ("one\x0ctwo", "one two"),
        ("<title>no</title>one", "one"),
        ("one<!-- no -->two", "onetwo"),
        ("<p>one<script>no</script><p>two", "one\ntwo"),
        ("<style>no</style>one", "one"),
        ("one<script>no</script>two", "onetwo"),
        ("one<style>no</style> two", "one two"),
        ("one <span hidden>no <b>no</b></span>two", "one two"),
        ("<pre>one<script>no</script>\n  two</pre>", "one\n  two"),
        ("<dialog>no</dialog>one", "one"),
        ("<ruby>one<rp>(</rp><rt>two</rt></ruby>", "onetwo"),
        ("<dialog class=a>no</dialog>one", "one"),
        ("<template>no</template>one", "one"),
        ("<iframe>no</iframe>one", "one"),
        ("<p hidden>no</p>one", "one"),
        ("<p hidden=until-found>one</p>", "one"),
        ("<p hidden>no<b>no</b></p>one", "one"),
        ("<div role=tabpanel>one</div><div role=tabpanel hidden>two</div>", "one\ntwo"),
        ("<div role=tabpanel hidden><p hidden>no</p>one</div>", "one"),
        ("<div role=region hidden>one<p hidden>no</p></div>", "one"),
        ("<div style='display:none'> <div role=region>one</div></div><div hidden><p>no</p></div>", "one"),
        (
            "<template style='color:red'><p role=region>no</p></template>one<video hidden><p role=region>no</video>",
            "one",
        ),
        ("<div hidden>no<div role=region>no</div></div>one<div hidden></div><p role=region>two", "one\ntwo"),
        ('<body style="visibility: hidden"><p>one<p hidden>no', "one"),
        ("<html hidden><p>one", "one"),
        ("<p>one<div hidden id=S:0>two<p hidden>no</p></div><div hidden id=a-S:1f>three</div>", "one\ntwo\nthree"),
        ("<p>one</p><div hidden id=S:one>no</div><div hidden id=BS:1>no</div>", "one"),
        ("<p style='display:none'>no</p>one", "one"),
        ("<p style='color: red; DISPLAY : None'>no</p>one", "one"),
        ("<p style='visibility: hidden'>no</p>one", "one"),
        ("<p style='visibility: hidden; animation-name: none'>one</p>", "one"),
        ("<p style='visibility: hidden; animation-name: none; display: none'>no</p>", ""),
        ("<b class='price visually-hidden'>no</b>one", "one"),
        ("<b class=sr-only>no</b><b class=screen-reader-text>no</b><b class=u-visuallyhidden>no</b>one", "one"),
        ("<b class='sr-only lg:not-sr-only'>one</b> <b class=screen-reader-menu>two</b>", "one two"),
        ("<article class='post tag-screenreader category-screen-reader'>one</article>", "one"),
        ("<b style='position: absolute; clip: rect(0 0 0 0)'>no</b><b style='clip-path:inset(50%)'>no</b>one", "one"),
        ("<b style='position:absolute;left:-9999px'>no</b><b style='margin-left:-10px'>one</b>", "one"),
        (f"<p>one<div id=app style='display:none'>{'two ' * 60}<p hidden>no</p></div>", "one\n" + "two " * 59 + "two"),
        ("<p style='display: block'>one</p>", "one"),
        ("<dialog open>one</dialog>", "one"),
        ("<input type=hidden value=no>one", "one"),
        ("<noscript>one</noscript>", "one"),
        ("<textarea>one\n two</textarea>", "one\n two"),
        ("<svg><desc>no</desc><text>one</text></svg>", "one"),
    ],
)
def test_text_is_what_a_reader_sees_line_by_line(markup, expected):
    assert Document(markup).text() == expected


def test_the_text_of_a_node_ends_with_it():
    document = Document("<div>one<p>two</p></div>three")
    assert document.text(document.node("/html/body/div")) == "one\ntwo"
    assert document.text(document.node("/html/body/div/p")) == "two"
    assert document.text(document.node("/html/body/text()")) == "three"
    assert document.text(document.node("/html/head")) == ""


def test_what_is_below_a_hidden_element_is_hidden():
    document = Document("<div hidden><p>a<b>b</b></div><p>c")
    shown = [
        document.texts[node] for node in range(len(document)) if document.texts[node] and not document.hidden[node]
    ]
    assert shown == ["c"]


def test_both_methods_show_the_same_text_of_a_sound_page():
    markup = "<html><head><title>T</title></head><body><h1>A</h1><p>b <i>c</i></p></body></html>"
    assert Document(Document(markup).to_xhtml()).text() == Document(markup).text() == "A\nb c"
