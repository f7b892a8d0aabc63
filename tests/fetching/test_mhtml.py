from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from webquarry.errors import InputError
from webquarry.fetching.inputs import parse_mhtml


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


def test_the_root_is_decoded_from_quoted_printable() -> None:
    root = parse_mhtml(mhtml(PAGE, PICTURE)).root
    assert root.body == b'<p class="x">caf\xe9 on a line that is folded</p>'
    assert root.content_type == "text/html; charset=windows-1252"
    assert root.location == "https://example.org/a"


def test_all_parts_come_back_decoded_and_in_order() -> None:
    parts = parse_mhtml(mhtml(PAGE, PICTURE, FRAME)).parts
    assert [part.content_type.partition(";")[0] for part in parts] == ["text/html", "image/png", "text/html"]
    assert parts[1].body == b"\x89PNG\r\n"
    assert parts[2].content_id == "frame-2@mhtml"


def test_the_root_is_the_first_page_when_none_is_named() -> None:
    assert parse_mhtml(mhtml(PICTURE, FRAME, PAGE)).root.body == b"<p>frame</p>"


def test_the_root_is_the_part_that_start_names() -> None:
    data = mhtml(FRAME, PAGE).replace(b"; boundary", b'; start="<frame-1@mhtml>"; boundary')
    assert parse_mhtml(data).root.location == "https://example.org/a"


def test_the_address_of_the_snapshot_stands_in_for_that_of_the_root() -> None:
    snapshot = parse_mhtml(mhtml(FRAME, head=b"Snapshot-Content-Location: https://example.org/s\r\n"))
    assert snapshot.root.location == "https://example.org/s"
    assert snapshot.root in snapshot.parts


def test_a_folded_address_is_put_together() -> None:
    part = FRAME.replace(b"\r\n\r\n", b"\r\nContent-Location: https://example.org/\r\n very/long\r\n\r\n", 1)
    assert parse_mhtml(mhtml(part)).root.location == "https://example.org/very/long"


def test_binary_parts_keep_their_bytes() -> None:
    part = b"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: binary\r\n\r\n<p>\xc3\xa9\xff</p>"
    assert parse_mhtml(mhtml(part)).root.body == b"<p>\xc3\xa9\xff</p>"


def test_a_page_inside_alternatives_is_found() -> None:
    inner = b'Content-Type: multipart/alternative; boundary="in"\r\n\r\n--in\r\nContent-Type: text/plain\r\n\r\nx\r\n'
    assert parse_mhtml(mhtml(inner + b"--in\r\n" + FRAME + b"\r\n--in--\r\n")).root.body == b"<p>frame</p>"


def test_a_message_of_one_part_is_a_page() -> None:
    assert parse_mhtml(b"Content-Type: text/html\r\n\r\n<p>alone</p>").root.body == b"<p>alone</p>"


@pytest.mark.parametrize("data", [b"", mhtml(PICTURE), b"<p>plain HTML</p>"])
def test_without_a_page_the_error_says_what_to_do(data: bytes) -> None:
    with pytest.raises(InputError, match="holds no HTML part; save the page again"):
        parse_mhtml(data)


@given(st.binary())
def test_any_bytes_are_parsed_or_refused(noise: bytes) -> None:
    for data in (noise, mhtml(noise), mhtml(PAGE + noise), mhtml(PAGE, head=noise)):
        try:
            parse_mhtml(data)
        except InputError:
            continue
