"""Bytes to characters: byte order mark, header, meta, then a guess."""

import codecs

import pytest

from webquarry.html.parsing import DOCTYPE, decode

META = b'<meta charset="%s">'
LATE = b"<!--" + b"-" * 2000 + b"-->"
CYRILLIC = "Привет, как дела? Сегодня хорошая погода, и мы идём гулять в парк."


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        (b"", None, ""),
        (b"plain", None, "plain"),
        ("é€".encode(), None, "é€"),
        (codecs.BOM_UTF8 + "é".encode(), "text/html; charset=windows-1252", "é"),
        (codecs.BOM_UTF16_LE + "é".encode("utf-16-le"), "text/html; charset=utf-8", "é"),
        (codecs.BOM_UTF16_BE + "é".encode("utf-16-be"), None, "é"),
    ],
)
def test_a_byte_order_mark_comes_first(body, content_type, expected):
    assert decode(body, content_type) == expected


@pytest.mark.parametrize(
    "content_type",
    [
        "text/html; charset=windows-1251",
        "text/html;charset=WINDOWS-1251",
        'text/html; charset="windows-1251"',
        "text/html; charset='windows-1251'; q=1",
        "text/html; charset = cp1251",
    ],
)
def test_the_header_is_believed_before_the_page(content_type):
    body = META % b"utf-8" + "Да".encode("windows-1251")
    assert decode(body, content_type).endswith(">Да")


@pytest.mark.parametrize(
    "start",
    [
        META % b"windows-1251",
        b"<META CHARSET=windows-1251>",
        b'<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
        b"<!-- <meta charset=utf-8> --><meta charset=windows-1251>",
    ],
)
@pytest.mark.parametrize("content_type", [None, "text/html", "text/html; charset=bogus"])
def test_a_meta_is_believed_when_the_header_says_nothing_that_we_know(start, content_type):
    assert decode(start + "Да".encode("windows-1251"), content_type).endswith("Да")


def test_a_late_meta_is_believed_before_a_guess():
    assert decode(LATE + META % b"iso-8859-2" + "łąka".encode("iso-8859-2")).endswith("łąka")


def test_a_late_meta_is_believed_whatever_the_bytes_could_be():
    assert decode(LATE + b"<META CHARSET = windows-1251>" + "é".encode()).endswith("Г©")
    assert decode(LATE + META % b"UTF-8" + b"caf\xe9").endswith("caf\N{REPLACEMENT CHARACTER}")


@pytest.mark.parametrize(
    "other", [b"<script charset=windows-1251></script>", b"<!-- <meta charset=windows-1251> -->", b"charset=koi8-r"]
)
def test_only_meta_elements_name_an_encoding(other):
    assert decode(LATE + other + "é".encode()).endswith("é")


def test_an_unknown_meta_leaves_the_guess():
    assert decode(META % b"bogus" + "é".encode()).endswith("é")


@pytest.mark.parametrize("label", [b"utf-16", b"utf-16le", b"UTF-16BE"])
def test_a_meta_that_could_be_read_names_no_utf_16(label):
    assert decode(META % label + "é".encode()).endswith("é")


def test_latin_1_means_windows_1252_on_the_web():
    assert decode(b"\x93quoted\x94 \x80", "text/html; charset=iso-8859-1") == "“quoted” €"


@pytest.mark.parametrize("encoding", ["windows-1251", "koi8-r"])
def test_an_undeclared_page_is_guessed_by_its_letters(encoding):
    assert decode(b"<p>" + CYRILLIC.encode(encoding)) == "<p>" + CYRILLIC


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        (b"a\xffb", "text/html; charset=utf-8", "a\ufffdb"),
        (b"a\xe2\x82", "text/html; charset=utf-8", "a\ufffd"),
        (codecs.BOM_UTF16_LE + b"a\0b", None, "a\ufffd"),
        (b"a\xff", "text/html; charset=shift_jis", "a\ufffd"),
    ],
)
def test_malformed_bytes_become_replacement_characters(body, content_type, expected):
    assert decode(body, content_type) == expected


def test_a_name_that_python_knows_and_the_web_does_not_is_not_an_encoding():
    assert decode("é".encode(), "text/html; charset=rot13") == "é"
    assert decode("é".encode(), "text/html; charset=utf-7") == "é"


def test_a_page_of_others_with_our_doctype_on_a_line_of_its_own_keeps_its_encoding():
    start = f'{DOCTYPE}\n<html xmlns="http://www.w3.org/1999/xhtml"><head><meta charset="windows-1252" />'
    assert decode(start.encode() + b"</head><body>caf\xe9</body></html>").endswith("café</body></html>")


@pytest.mark.parametrize("start", [b"<meta name=charset>", b"<script>var charset = 1</script>"])
def test_what_only_speaks_of_a_charset_declares_none(start):
    assert decode(start + b" " * 1100 + "é, è, ê".encode()).endswith("é, è, ê")


def test_a_declared_latin_is_taken_at_its_word():
    assert decode(b"<meta charset=iso-8859-1>" + "é".encode()).endswith("Ã©")
