"""Names in XML and the way back to HTML."""

from xml.parsers import expat

import lxml.etree
import pytest
from hypothesis import example, given, settings, strategies as st

from webquarry.html.xhtml_names import MAX_NAME, decode_name, encode_local, encode_name, is_plain, prefix_of

quick = settings(deadline=None, derandomize=True, max_examples=200, database=None)
odd_names = st.text(
    st.sampled_from("ab_x0041fe:@\"'é.-") | st.characters(exclude_categories=("Cs",)), min_size=1, max_size=200
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("p", "p"),
        ("data-id", "data-id"),
        ("a.b_c-d", "a.b_c-d"),
        ("@click", "_x0040_click"),
        ('a"b', "a_x0022_b"),
        ("é", "_x00e9_"),
        ("\U0001f600", "_x01f600_"),
        ("1a", "_x0031_a"),
        ("-a", "_x002d_a"),
        (".", "_x002e_"),
        ("_", "_"),
        ("_x", "_x"),
        ("_x0041_", "_x005f_x0041_"),
        ("_x004g_", "_x004g_"),
        ("_x010000_", "_x005f_x010000_"),
        ("o:p", "o:p"),
        ("o:1", "o:_x0031_"),
        (":a", "_x003a_a"),
        ("a:", "a_x003a_"),
        (":", "_x003a_"),
        ("a:b:c", "a:b_x003a_c"),
        ("xmlns:o", "xmlns_x003a_o"),
    ],
)
def test_odd_characters_are_written_by_their_code_points(name, expected):
    assert encode_name(name) == expected
    assert decode_name(expected) == name


@quick
@given(name=odd_names)
def test_names_that_are_not_too_long_come_back(name):
    encoded = encode_name(name)
    if is_cut(encoded):
        assert len(encoded) <= MAX_NAME
    else:
        assert decode_name(encoded) == name


def is_cut(encoded: str) -> bool:
    return len(encoded.rpartition("_")[2]) == 64


@quick
@example(name="@" * 200)
@given(name=st.text(st.sampled_from("abcxyz_x0041é@:-.0"), min_size=1, max_size=200))
def test_names_of_two_hundred_characters_are_never_cut(name):
    assert decode_name(encode_name(name)) == name


@quick
@given(name=odd_names)
def test_every_reader_accepts_encoded_names(name):
    encoded = encode_name(name)
    declared = f' xmlns:{prefix_of(encoded)}="urn:x"' if prefix_of(encoded) not in ("", "xml") else ""
    content = f"<{encoded}{declared} {encoded}='1'/>".encode()
    lxml.etree.fromstring(content)
    for separator in (None, " "):
        expat.ParserCreate(namespace_separator=separator).Parse(content, True)


@quick
@given(names=st.lists(odd_names, min_size=2, max_size=5, unique=True))
def test_different_names_stay_different(names):
    assert len(set(map(encode_name, names))) == len(names)


@quick
@given(name=odd_names)
def test_plain_names_are_those_that_encoding_leaves(name):
    assert not is_plain(name) or encode_name(name) == name


def test_long_names_are_cut_and_stay_different():
    first, second = encode_name("@" * 60_000), encode_name("@" * 60_001)
    assert first != second
    assert max(len(first), len(second)) <= MAX_NAME
    assert first.startswith("_x0040__x0040_")


@pytest.mark.parametrize(("encoded", "prefix"), [("o:p", "o"), ("p", ""), ("a:b_x003a_c", "a")])
def test_a_prefix_ends_at_the_colon(encoded, prefix):
    assert prefix_of(encoded) == prefix


@pytest.mark.parametrize("name", ["_x110000_", "_xffffff_", "_xABCD_", "_x12_"])
def test_what_is_not_a_code_point_is_not_decoded(name):
    assert decode_name(name) == name


def test_an_id_has_no_colon():
    assert encode_local("o:p") == "o_x003a_p"
