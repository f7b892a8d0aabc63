from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from webquarry.errors import InputError
from webquarry.fetching.inputs import parse_mhtml
from webquarry.model.page import Page


def mhtml(*parts: bytes, head: bytes = b"") -> bytes:
    """A message as browsers write it."""
    top = (
        b'MIME-Version: 1.0\r\n%sContent-Type: multipart/related; type="text/html"; boundary="frontier"\r\n\r\n' % head
    )
    return top + b"".join(b"--frontier\r\n" + part + b"\r\n" for part in parts) + b"--frontier--\r\n"


PAGE = (
    b"Content-Type: text/html; charset=windows-1252\r\nContent-ID: <frame-1@mhtml>\r\n"
    b"Content-Transfer-Encoding: quoted-printable\r\nContent-Location: https://example.org/a\r\n\r\n"
    b'<p class=3D"x">caf=E9 on a line that is =\r\nfolded</p>'
)
PICTURE = (
    b"Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n"
    b"Content-Location: https://example.org/p.png\r\n\r\niVBORw0K\r\n"
)
FRAME = b"Content-Type: text/html\r\nContent-ID: <frame-2@mhtml>\r\n\r\n<p>frame</p>"


def parse(data: bytes) -> Page:
    return parse_mhtml(data, url="file:///a.mhtml")


def test_the_root_is_decoded_from_quoted_printable() -> None:
    page = parse(mhtml(PAGE, PICTURE))
    assert page.body == b'<p class="x">caf\xe9 on a line that is folded</p>'
    assert page.header("content-type") == "text/html; charset=windows-1252"
    assert page.url == "https://example.org/a"


def test_other_parts_come_back_decoded_and_in_order() -> None:
    parts = parse(mhtml(PAGE, PICTURE, FRAME)).parts
    assert [part.header("content-type") for part in parts] == ["image/png", "text/html"]
    assert parts[0].body == b"\x89PNG\r\n"
    assert parts[1].url == "cid:frame-2@mhtml"


def test_a_part_is_found_under_its_location_and_its_id() -> None:
    parts = parse(mhtml(FRAME, PAGE)).parts
    assert [part.url for part in parts] == ["https://example.org/a", "cid:frame-1@mhtml"]


def test_the_root_is_the_first_page_when_none_is_named() -> None:
    assert parse(mhtml(PICTURE, FRAME, PAGE)).body == b"<p>frame</p>"


def test_the_root_is_the_part_that_start_names() -> None:
    data = mhtml(FRAME, PAGE).replace(b"; boundary", b'; start="<frame-1@mhtml>"; boundary')
    assert parse(data).url == "https://example.org/a"


def test_the_address_of_the_snapshot_stands_in_for_that_of_the_root() -> None:
    page = parse(mhtml(FRAME, head=b"Snapshot-Content-Location: https://example.org/s\r\n"))
    assert page.url == "https://example.org/s"
    assert page.parts == ()


def test_the_address_of_the_file_stands_in_when_the_root_has_none() -> None:
    assert parse(mhtml(FRAME)).url == "file:///a.mhtml"


def test_a_folded_address_is_put_together() -> None:
    part = FRAME.replace(b"\r\n\r\n", b"\r\nContent-Location: https://example.org/\r\n very/long\r\n\r\n", 1)
    assert parse(mhtml(part)).url == "https://example.org/very/long"


def test_binary_parts_keep_their_bytes() -> None:
    part = b"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: binary\r\n\r\n<p>\xc3\xa9\xff</p>"
    assert parse(mhtml(part)).body == b"<p>\xc3\xa9\xff</p>"


def test_a_page_inside_alternatives_is_found() -> None:
    inner = b'Content-Type: multipart/alternative; boundary="in"\r\n\r\n--in\r\nContent-Type: text/plain\r\n\r\nx\r\n'
    assert parse(mhtml(inner + b"--in\r\n" + FRAME + b"\r\n--in--\r\n")).body == b"<p>frame</p>"


def test_a_message_of_one_part_is_a_page() -> None:
    assert parse(b"Content-Type: text/html\r\n\r\n<p>alone</p>").body == b"<p>alone</p>"


@pytest.mark.parametrize("data", [b"", mhtml(PICTURE), b"<p>plain HTML</p>"])
def test_without_a_page_the_error_says_what_to_do(data: bytes) -> None:
    with pytest.raises(InputError, match="it has no HTML part; save the page again"):
        parse(data)


@given(st.binary())
def test_any_bytes_are_parsed_or_refused(noise: bytes) -> None:
    for data in (noise, mhtml(noise), mhtml(PAGE + noise), mhtml(PAGE, head=noise)):
        try:
            parse(data)
        except InputError:
            continue
