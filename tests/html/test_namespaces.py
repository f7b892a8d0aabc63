"""Which namespace declarations stay, and which prefixes are declared."""

import pytest

from webquarry.html.xhtml_names import SVG, XHTML, XLINK, declare_prefixes, encode_declaration, is_declarable


@pytest.mark.parametrize(
    ("attributes", "used", "expected"),
    [
        ({}, [], {}),
        ({"class": "a"}, [], {"class": "a"}),
        ({"xmlns": "http://example.org/"}, [], {}),
        ({"xmlns:og": "http://ogp.me/ns#"}, ["og:title"], {"xmlns:og": "http://ogp.me/ns#"}),
        ({}, ["o:p", "o:q", "p"], {"xmlns:o": "urn:webquarry:prefix:o"}),
        ({"v:a": "1"}, [], {"v:a": "1", "xmlns:v": "urn:webquarry:prefix:v"}),
        ({}, ["xml:lang", "xlink:href"], {}),
        ({"xmlns:xlink": XLINK}, [], {"xmlns:xlink": XLINK}),
        ({"xmlns:xlink": "http://example.org/"}, [], {"xmlns_x003a_xlink": "http://example.org/"}),
        ({"xmlns:xml": "http://example.org/"}, [], {"xmlns_x003a_xml": "http://example.org/"}),
        ({"xmlns:xmlns": "http://example.org/"}, [], {"xmlns_x003a_xmlns": "http://example.org/"}),
        ({"xmlns:a": ""}, [], {"xmlns_x003a_a": ""}),
        ({"xmlns:a": "a b"}, [], {"xmlns_x003a_a": "a b"}),
        ({"xmlns:é": "urn:x"}, [], {"xmlns_x003a__x00e9_": "urn:x"}),
        ({"xmlns:a:b": "urn:x"}, [], {"xmlns_x003a_a_x003a_b": "urn:x"}),
        ({"xmlns:a": "http://www.w3.org/2000/xmlns/"}, [], {"xmlns_x003a_a": "http://www.w3.org/2000/xmlns/"}),
        ({"xmlns:a": ""}, ["a:b"], {"xmlns_x003a_a": "", "xmlns:a": "urn:webquarry:prefix:a"}),
    ],
)
def test_only_declarations_that_xml_accepts_stay_declarations(attributes, used, expected):
    kept, declared = declare_prefixes(attributes, used)
    assert kept | declared == {"xmlns": XHTML, **expected}


def test_two_prefixes_of_one_address_are_not_confused():
    kept, declared = declare_prefixes({"xmlns:a": "urn:x", "xmlns:b": "urn:x"}, ["a:c", "b:c"])
    assert kept["xmlns:a"] != declared["xmlns:b"]
    assert kept["xmlns_x003a_b"] == "urn:x"


def test_the_attributes_of_the_root_are_not_changed():
    attributes = {"xmlns": SVG, "xmlns:a": ""}
    declare_prefixes(attributes, ["a:b"])
    assert attributes == {"xmlns": SVG, "xmlns:a": ""}


@pytest.mark.parametrize(("name", "expected"), [("xmlns", "_x0078_mlns"), ("xmlns:o", "xmlns_x003a_o")])
def test_a_declaration_without_meaning_keeps_its_name_readable(name, expected):
    assert encode_declaration(name) == expected


@pytest.mark.parametrize(
    ("prefix", "address", "expected"),
    [("a", "urn:x", True), ("a", "", False), ("a", "a{b", False), ("a", "é", False), ("1", "urn:x", False)],
)
def test_a_declaration_needs_a_name_and_an_address(prefix, address, expected):
    assert is_declarable(prefix, address) is expected
