"""What holds for every cleaning method on whatever it is given."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, given, settings, strategies as st

import webquarry as wq

TAGS = (
    "a b i font p div span ul ol li dl dt dd table caption colgroup col tbody thead tr td th select option optgroup "
    "form button input textarea pre br hr img h1 h2 head body html title meta base script style noscript iframe "
    "template frameset frame svg math foreignObject desc mi mtext annotation-xml title plaintext xmp image isindex "
    "nobr applet object map address center o:p a:b:c é x_x0041_ xmlns:p ruby rt dialog"
).split()
ATTRIBUTES = (
    "class id name lang xml:lang hidden checked noresize href style xmlns xmlns:o xmlns:xml xmlns:xmlns xlink:href "
    "xmlns:xlink o:q : :a a: @click a\"b a'b é _x0041_ <x =y 0 -a . xml xmlns: viewBox definitionURL shadowrootmode "
    "encoding color xml:base xml:id xml:a:b xlink:zoom"
).split()
VALUES = (
    "",
    "x",
    "a b",
    "1 2",
    "open",
    "http://www.w3.org/1999/xhtml",
    "http://www.w3.org/2000/svg",
    "http://www.w3.org/1999/xlink",
    "urn:webquarry:prefix:o",
    "a\tb\nc\rd",
    "&amp;&lt;'",
    "\x00\x01\x0cb",
    "\x01",
    "\ufffe\ud800",
    "text/html",
    "é",
)
ODDITIES = (
    "<!-- a -- b --->",
    "<!-->",
    "<!--->",
    "<!-- --!>",
    "<!--x",
    "<![CDATA[ word ]]>",
    "]]>",
    "<?php echo 1 ?>",
    '<?xml version="1.0" encoding="latin-1"?>',
    "<?xml?>",
    "<?>",
    "<? x ?? y>",
    "<!DOCTYPE html>",
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
    '<html xmlns="http://www.w3.org/1999/xhtml">',
    "<!ELEMENT p>",
    "</>",
    "</ p>",
    "<",
    "< p>",
    "<3",
    "&amp &#0; &#x80; &#xd800; &nbsp; &bogus; &#12; &lt;p&gt;",
    "\x00",
    "\x0c",
    "\x0b\x1b",
    "\ufffe",
    "\ud800",
    "\r",
    "\r\n",
    "\U0001f600",
    "<p class=a class=b>",
    "<p/>",
    "<br/>",
    "</br>",
    "<?a \x01 b>",
    "</p>",
    "<p class='open",
    "<script>if (a < b && c) document.write('</p>')</script>",
    "<script><!--<script></script>--></script>",
    "<style>p > a { content: ']]>' }</style>",
    "<textarea>\n\n x</textarea>",
    "<pre>\n\n x</pre>",
)

words = st.integers(0, 999).map(lambda number: f" w{number} ")
values = st.sampled_from(VALUES).map(lambda value: '="{}"'.format(value.replace('"', "")))
attributes = st.tuples(st.sampled_from(ATTRIBUTES), values | st.just("")).map("".join)
opening = st.builds(
    lambda tag, listed, end: f"<{tag} {' '.join(listed)}{end}>",
    st.sampled_from(TAGS),
    st.lists(attributes, max_size=3),
    st.sampled_from(["", "", "", " /"]),
)
closing = st.sampled_from(TAGS).map(lambda tag: f"</{tag}>")
nasty_html = st.lists(words | opening | closing | st.sampled_from(ODDITIES), max_size=25).map("".join)
encoded_html = st.tuples(nasty_html, st.sampled_from(["utf-8", "utf-16", "windows-1252"])).map(
    lambda pair: pair[0].encode(pair[1], "ignore")
)
bodies = st.binary(max_size=300) | st.text(max_size=300).map(str.encode) | encoded_html

thorough = settings(
    deadline=None, derandomize=True, max_examples=150, database=None, suppress_health_check=list(HealthCheck)
)
WORD = re.compile(r"\bw\d+\b")
SIGNATURES = (b"BZh", b"GIF8", b"MZ", b"PK\x03\x04", b"RIFF", b"\x1f\x8b", b"\xff\xd8\xff", b"wOF")


@thorough
@given(body=bodies)
def test_any_bytes_are_cleaned_or_refused_as_no_page(method, read, body):
    page = wq.Page(url="https://example.org/", body=body)
    try:
        document = wq.clean(page, method=method)
    except wq.InputError:
        assert b"<" not in body or body.startswith(SIGNATURES)
        return
    assert page == wq.Page(url="https://example.org/", body=body)
    assert document == wq.clean(page, method=method)
    assert document.text() == wq.clean(page, method=method).text()
    assert read(document.to_xhtml()).tag == "{http://www.w3.org/1999/xhtml}html"


@thorough
@given(markup=nasty_html | st.text(max_size=200))
def test_every_reader_accepts_the_result_and_cleaning_again_changes_nothing(to_xhtml, read, markup):
    xhtml = to_xhtml(markup)
    read(xhtml)
    assert to_xhtml(markup) == xhtml
    assert to_xhtml(xhtml) == xhtml
    assert wq.Document(xhtml).to_xhtml() == xhtml


@thorough
@given(markup=nasty_html)
def test_no_visible_word_is_missing(to_xhtml, read, markup):
    written = WORD.findall(" ".join(read(to_xhtml(markup)).itertext()))
    assert set(WORD.findall(wq.Document(markup).text())) <= set(written)
