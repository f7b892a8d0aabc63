"""Parse markup to the tree that a browser would build, in bounded memory.

HTML is parsed as the standard says, with scripting off (so `noscript` holds elements) and with declarative shadow roots
left as content of their `template`.

XHTML that we wrote ourselves, recognised by the exact spelling of its doctype and namespace, is read as XML: only so
does cleaning it again give the same bytes.

Bytes are decoded as the HTML standard says: byte order mark, header, meta, then a guess. An undeclared page is UTF-8
if its bytes are; else turbohtml guesses from the frequency of characters, as browsers do; windows-1252 is the last
resort. Malformed bytes become U+FFFD.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable
from html import escape

import turbohtml
import turbohtml.detect  # registers the codecs of the Encoding standard under the names `whatwg-...`
from turbohtml import Token, TokenType

from webquarry.html.xhtml_names import XHTML

DOCTYPE = (
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'
)
OUR_START = f"{DOCTYPE}<"
OUR_ROOT = f'<html xmlns="{XHTML}"'

MAX_CLONES = 8_000_000
"""Characters that formatting elements opened again may add to a page. A browser opens `<font color=1>`,
`<font color=2>`, ... again in every following block, which makes gigabytes of tree out of a megabyte of markup. Over
this bound they are read as `span`, which is not re-opened: no text and no attribute is lost."""
MAX_ROOT_TAGS = 64
"""Tags `<html>` and `<body>` of a page whose attributes count. A browser adds the attributes of all of them to the
first, which takes the parser 13 kB for each of 20,000 tags."""
MAX_ATTRIBUTES = 5_000
"""Attributes of an element that XHTML keeps. Changing one in the tree takes time in proportion to their number, so that
repairing the names of 100,000 takes 10 s."""

_CLONE_LENGTH = 80  # characters that an element takes at least, in the memory of parsers and stages
_MAX_EQUAL = 3  # equal formatting elements that are re-opened: the standard's "Noah's Ark clause"
FORMATTING = frozenset("b big code em font i s small strike strong tt u".split())
"""Elements that a browser opens again; also `a` and `nobr`, but these close their like and do not pile up."""
_ROOTS = frozenset(("html", "body"))
_ANY_CASE = re.sub(  # quicker than a flag
    r"[a-z]", lambda letter: f"[{letter[0]}{letter[0].upper()}]", "|".join(sorted(FORMATTING))
)
_INITIALS = "".join(sorted({name[0] + name[0].upper() for name in FORMATTING}))  # testing them first is quicker too
_FORMATTING_TAG = re.compile(rf"<(?=/?[{_INITIALS}])(/?)({_ANY_CASE})(?=[\s/>])[^>]*")
_COSTLY_TAG = re.compile(
    r"<[BCEFHISTUbcefhistu](?:[\s/]|[MmTt][\s/]|[Ii][Gg][\s/]|[Oo][NnDd][EeTtYy][\s/]|[Mm][Aa][Ll][Ll][\s/]"
    r"|[Tt][Rr][IiOo][KkNn][EeGg][\s/]|[Tt][Mm][Ll][\s/]|[Ee][Mm][Pp][Ll][Aa][Tt][Ee][\s/])"
    r"(?>(?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*)"
)
_ROOT_TAG = re.compile(r"<(?:[Hh][Tt][Mm][Ll]|[Bb][Oo][Dd][Yy])[\s/]")


def parse_html(markup: str) -> turbohtml.Document:
    """Parse markup as the HTML standard says; the caller owns the tree and may change it."""
    return turbohtml.parse(bounded(markup), positions=False, allow_declarative_shadow_roots=False)


def find_costly_tags(markup: str) -> list[str]:
    """List the start tags with attributes of formatting elements, roots and templates; a few others are among them."""
    return _COSTLY_TAG.findall(markup)


def may_have_shadow_roots(markup: str, costly_tags: list[str]) -> bool:
    """Tell whether a template may be a declarative shadow root."""
    return "<template" in "".join(costly_tags).lower() and (
        b"shadowrootmode" in markup.encode(errors="replace").lower()  # lowering bytes is quicker
    )


def bounded(markup: str, costly_tags: list[str] | None = None) -> str:
    """Return the markup, changed only if its tree would take far more memory than the page is long.

    costly_tags: what `find_costly_tags` gives, if it is known.
    """
    tags = find_costly_tags(markup) if costly_tags is None else costly_tags
    if len(tags) > MAX_ROOT_TAGS and len(_ROOT_TAG.findall(markup)) > MAX_ROOT_TAGS:
        markup = _with_few_root_tags(markup)
    kinds = {tag: count for tag, count in Counter(tags).items() if not _is_lone_root(tag)}
    if not kinds:
        return markup
    length = sum(min(count, _MAX_EQUAL) * _measure_clones(tag) for tag, count in kinds.items())
    return tame(markup) if length * markup.count("<") > MAX_CLONES else markup


def _is_lone_root(tag: str) -> bool:
    """Tell whether a costly tag is one of a root or a template, which are not opened again, and no other is in it."""
    return tag[1:5].lower() in {"html", "body", "temp"} and "<" not in tag[1:]


def _measure_clones(tag: str) -> int:
    """Bound the characters that opening a costly tag again takes; its quotation marks may enclose others."""
    return len(tag) + _CLONE_LENGTH * tag.count("<")


def read_attributes(element: turbohtml.Element) -> dict[str, str]:
    """Read the attributes of an element.

    Asking for them one by one takes quadratic time, as each answer is searched for.
    """
    return {
        name: value if isinstance(value, str) else element.attr(name) or ""  # a list of tokens, as for `class`
        for name, value in element.attrs.items()
    }


def parse_ours(markup: str) -> turbohtml.Document | None:
    """Parse XHTML that we wrote as XML; None for any other markup."""
    if not markup.startswith(OUR_START) or OUR_ROOT not in markup:
        return None
    try:
        return turbohtml.parse_xml(markup)
    except turbohtml.HTMLParseError:
        return None


def tame(markup: str) -> str:
    """Rename formatting elements if re-opening them would exceed `MAX_CLONES`."""
    return without_formatting(markup) if _may_exceed_clones(markup) else markup


def without_formatting(markup: str) -> str:
    """Rename each formatting element to `span`."""
    return _FORMATTING_TAG.sub(lambda tag: f"<{tag[1]}span{tag[0][len(tag[1]) + len(tag[2]) + 1 :]}", markup)


def _may_exceed_clones(markup: str) -> bool:
    """Bound what is re-opened from above: every tag is taken to re-open all formatting that is open before it."""
    lengths: dict[str, list[int]] = {}  # of the open elements of each name, 0 for one too many of its kind
    kinds: dict[str, list[tuple[tuple[str, str], ...]]] = {}
    equal: Counter[tuple[str, tuple[tuple[str, str], ...]]] = Counter()
    piled = clones = 0
    for token in turbohtml.tokenize(markup):
        name = token.tag
        if name is None:
            continue
        if name in FORMATTING and token.type is TokenType.START_TAG:
            kind = tuple(token.attrs or ())
            equal[name, kind] += 1
            length = _CLONE_LENGTH + sum(len(value) for _, value in kind)
            lengths.setdefault(name, []).append(length if equal[name, kind] <= _MAX_EQUAL else 0)
            kinds.setdefault(name, []).append(kind)
            piled += lengths[name][-1]
            continue
        if lengths.get(name):
            piled -= lengths[name].pop()
            equal[name, kinds[name].pop()] -= 1
        clones += piled
        if clones > MAX_CLONES:
            return True
    return False


def _with_few_root_tags(markup: str) -> str:
    """Take the attributes from all but the first tags of the root and the body."""
    seen = 0

    def count(token: Token) -> int:
        nonlocal seen
        seen += token.tag in _ROOTS
        return 0 if token.tag in _ROOTS and seen > MAX_ROOT_TAGS else len(token.attrs or ())

    return _with_fewer_attributes(markup, count)


def with_few_attributes(markup: str) -> str:
    """Drop the attributes of each element over `MAX_ATTRIBUTES`."""
    left = dict.fromkeys(_ROOTS, MAX_ATTRIBUTES)  # all tags of the root give it attributes

    def count(token: Token) -> int:
        kept = min(len(token.attrs or ()), left.get(token.tag or "", MAX_ATTRIBUTES))
        if token.tag in left:
            left[token.tag] -= kept
        return kept

    return _with_fewer_attributes(markup, count)


def _with_fewer_attributes(markup: str, count: Callable[[Token], int]) -> str:
    """Write each start tag that has more attributes than `count` gives for it with the first of them."""
    parts, last = [], 0
    for token in turbohtml.tokenize(markup, capture_source=True):
        if token.type is not TokenType.START_TAG or not token.attrs:
            continue
        kept = count(token)
        source = token.source or ""
        start = markup.find(source, last) if kept < len(token.attrs) else -1
        if start >= 0:
            written = (f' {name}="{escape(value)}"' for name, value in token.attrs[:kept])
            parts += [markup[last:start], f"<{token.tag}", *written, "/>" if token.self_closing else ">"]
            last = start + len(source)
    return "".join([*parts, markup[last:]])


_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_BE, "utf-16-be"), (codecs.BOM_UTF16_LE, "utf-16-le"))
_BYTES_PRESCANNED = 1024  # bytes in which the standard looks for a declaration before it parses
_OUR_START, _OUR_ROOT = OUR_START.encode(), OUR_ROOT.encode()
_LAST_RESORT = "windows-1252"
_CHARSET = re.compile(rb"charset", re.IGNORECASE)
_LATIN = re.compile(rb"1252|8859-?_?1\b|latin1|\bl1\b|ascii|ansi_x3|819", re.IGNORECASE)
"""Parts of all labels of windows-1252 (Encoding standard, section 4.2)."""
_OTHER_NAME = re.compile(rb"\s*=[\s\"']*(?!utf-?8)[^\s\"']")
"""What follows the word `charset` where it names an encoding other than UTF-8."""
_PARAMETER = re.compile(r"charset\s*=\s*[\"']?\s*([^\s;\"']+)", re.IGNORECASE)


def decode(body: bytes, content_type: str | None = None) -> str:
    """Decode a page that was served with a content type.

    >>> decode(b"caf\\xc3\\xa9"), decode(b"caf\\xe9", "text/html; charset=ISO-8859-1")
    ('café', 'café')
    """
    if body.startswith(_OUR_START) and _OUR_ROOT in body:
        content_type = content_type or "charset=utf-8"  # XML's default, whatever a `meta` of the page says
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace")
    stated = _codec(_charset_of(content_type)) or _codec(_declared(body))
    return _decode_undeclared(body) if stated is None else body.decode(stated, "replace")


def _charset_of(content_type: str | None) -> str | None:
    parameter = _PARAMETER.search(content_type or "")
    return parameter[1] if parameter else None


def _declared(body: bytes) -> str | None:
    """Find the encoding that a `meta` at the start of the page names."""
    start = body[:_BYTES_PRESCANNED]
    if not _CHARSET.search(start):
        return None
    encoding = turbohtml.parse(start).encoding
    # windows-1252 also comes from a tag that declares nothing, such as `<meta name=charset>`.
    return encoding if encoding != _LAST_RESORT or _LATIN.search(start) else None


def _decode_undeclared(body: bytes) -> str:
    """Decode by the encoding that a late `meta` names or that the bytes suggest.

    Only parsing tells which names are in a `meta`, and it takes three times as long as all the rest. So it is done
    only if the page names an encoding other than UTF-8, or any encoding while its bytes are not UTF-8.
    """
    lowered = body.lower()
    if b"charset" not in lowered:
        label = turbohtml.detect.detect(body).encoding
    elif not _names_other(lowered) and (text := _read_utf8(body)) is not None:
        return text
    else:
        label = turbohtml.parse(body, detect_encoding=True).encoding
    return body.decode(_codec(label) or _LAST_RESORT, "replace")


def _names_other(lowered: bytes) -> bool:
    """Tell whether a page, in lower case, may name an encoding other than UTF-8."""
    word = b"charset"
    place = lowered.find(word)  # quicker than an expression that begins with the word
    while place >= 0:
        place += len(word)
        if _OTHER_NAME.match(lowered, place):
            return True
        place = lowered.find(word, place)
    return False


def _read_utf8(body: bytes) -> str | None:
    """Decode bytes that can only be UTF-8; pure ASCII could be ISO-2022-JP."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return None
    return None if text.isascii() else text


def _codec(label: str | None) -> str | None:
    """Find the codec for a label of the Encoding standard; Python's own for UTF-8, which is faster."""
    if label is None:
        return None
    if label.lower() in {"utf-8", "utf8"}:
        return "utf-8"
    try:
        return codecs.lookup(f"whatwg-{label.lower()}").name
    except LookupError:
        return None
