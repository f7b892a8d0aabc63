"""Who reads: our methods and the peers, from bytes to text."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

from webquarry.html.decoding import decode

Read = Callable[[bytes], str]

OURS = ("webquarry", "webquarry boilerpipe")
TRAFILATURA = "trafilatura"


def load_readers() -> dict[str, Read]:
    """Those that are installed, ours first."""
    return {name: reader for name, (module, reader) in _READERS.items() if find_spec(module) is not None}


def _read_ours(body: bytes, method: str) -> str:
    import webquarry as wq  # noqa: PLC0415 - as all readers, imported when it is used

    return wq.read(wq.clean(wq.Page(url="https://example.org/", body=body)), method=method).text


def _read_trafilatura(body: bytes, *, fast: bool) -> str:
    import trafilatura  # noqa: PLC0415

    return trafilatura.extract(body, include_comments=False, fast=fast) or ""


def _read_readability(body: bytes) -> str:
    import lxml.html  # noqa: PLC0415
    from readability import Document  # noqa: PLC0415

    summary = Document(decode(body)).summary(html_partial=True)  # bytes are more than it can take
    return "\n".join(lxml.html.fromstring(summary).itertext())


def _read_resiliparse(body: bytes) -> str:
    from resiliparse.extract.html2text import extract_plain_text  # noqa: PLC0415
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding  # noqa: PLC0415

    text: str = extract_plain_text(bytes_to_str(body, detect_encoding(body)), main_content=True)
    return text


def _read_boilerpy3(body: bytes) -> str:
    from boilerpy3.extractors import ArticleExtractor  # noqa: PLC0415

    text: str = ArticleExtractor(raise_on_failure=False).get_content(decode(body))
    return text


def _read_turbohtml(body: bytes) -> str:
    import turbohtml  # noqa: PLC0415

    return turbohtml.parse(body).main_text()


_READERS: dict[str, tuple[str, Read]] = {
    "webquarry": ("webquarry", lambda body: _read_ours(body, "vote")),
    "webquarry boilerpipe": ("webquarry", lambda body: _read_ours(body, "boilerpipe")),
    TRAFILATURA: ("trafilatura", lambda body: _read_trafilatura(body, fast=False)),
    "trafilatura, fast": ("trafilatura", lambda body: _read_trafilatura(body, fast=True)),
    "readability-lxml": ("readability", _read_readability),
    "resiliparse": ("resiliparse", _read_resiliparse),
    "boilerpy3": ("boilerpy3", _read_boilerpy3),
    "turbohtml's main_text": ("turbohtml", _read_turbohtml),
}
