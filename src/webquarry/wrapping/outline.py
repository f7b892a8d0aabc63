"""Show the grammar and the fields of a wrapper as an outline, and what a correction changed in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from webquarry.model.document import Document
from webquarry.model.wrapper import SectionPath, Wrapper
from webquarry.wrapping.heading_spots import KeptSamples, read_spots


def outline(wrapper: Wrapper, documents: Sequence[Document] = ()) -> str:
    """Describe the heading formats, then the sections, numbered and indented.

    `?` marks sections that some sample lacks, `*` repeated ones.  With the sample pages, each section shows the letters
    of its headings' formats.
    """
    formats = _formats(wrapper, documents)
    lines = list(list_lines(wrapper, formats))
    width = len(str(len(lines)))
    parts = [*_format_lines(wrapper), *(f"{number:>{width}}  {line}" for number, line in enumerate(lines, start=1))]
    if wrapper.other:
        parts.append(f"anywhere, kept under _other: {', '.join(wrapper.other)}")
    return "\n".join(parts)


def compare_outlines(before: Wrapper, after: Wrapper) -> str:
    """Compare two wrappers: lines with + and - below the sections that they are in; empty if nothing differs."""
    return "\n".join(
        [
            *_compare(list(_format_lines(before, letters=False)), list(_format_lines(after, letters=False))),
            *_compare(list(list_lines(before)), list(list_lines(after))),
            *(f"- {name} (anywhere)" for name in before.other if name not in after.other),
            *(f"+ {name} (anywhere)" for name in after.other if name not in before.other),
        ]
    )


def _compare(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    shown: set[int] = set()  # the lines of `after` around a change
    for tag, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        changed = [*before[start:end], *after[first:last]]
        for place in _around(after, first, min(map(_indent, changed))):
            if place not in shown:
                yield f"  {after[place]}"
                shown.add(place)
        yield from (f"- {line}" for line in before[start:end])
        yield from (f"+ {line}" for line in after[first:last])
        shown |= set(range(first, last))


def _around(lines: Sequence[str], place: int, indent: int) -> list[int]:
    """Find the lines before a position that are less indented, one of each depth."""
    found: list[int] = []
    for number in range(place - 1, -1, -1):
        if _indent(lines[number]) < indent:
            indent = _indent(lines[number])
            found.append(number)
    return found[::-1]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def list_lines(wrapper: Wrapper, formats: dict[SectionPath, str] | None = None) -> Iterator[str]:
    """Describe the fields, then the sections, a line each, indented by their depth; with their formats, if given."""
    for listed in wrapper.listing.fields if wrapper.listing else ():
        others = "".join(f" + {rule.name}" for rule in listed.more) + "".join(
            f" or {rule.name}" for rule in listed.instead if rule.name != listed.name
        )
        whole = f"{listed.name}{'?' * listed.is_optional} {listed.type}" + (f" ={others}" if others else "")
        yield whole + (", all other labels and values" if listed.type == "pairs" else "")
    for path, section in wrapper.grammar.walk():
        words = [section.name + "*" * section.is_repeated + "?" * section.is_optional]
        if section.type != "text":
            words.append(section.type)
        if section.headings:
            words.append("= " + ", ".join(f'"{heading}"' for heading in section.headings))
        if formats and path in formats:
            words.append(f"[{formats[path]}]")
        yield "  " * (len(path) - 1) + " ".join(words)


def _formats(wrapper: Wrapper, documents: Sequence[Document]) -> dict[SectionPath, str]:
    """Return for each section the letters of its headings' formats on the documents."""
    if not documents:
        return {}
    letters = {id(token): _letter(number) for number, token in enumerate(wrapper.tokens)}
    found: dict[SectionPath, set[str]] = {}
    for page in read_spots(wrapper, KeptSamples().read(wrapper, documents)):
        for spot in page:
            found.setdefault(spot.path, set()).add(letters[id(spot.token)])
    return {path: " ".join(sorted(each)) for path, each in found.items()}


def _format_lines(wrapper: Wrapper, *, letters: bool = True) -> Iterator[str]:
    for number, token in enumerate(wrapper.tokens):
        words = [f'level {token.level}, like "{token.like}":', token.look or token.signature]
        if token.names:
            words.append(f"only {', '.join(token.names)}")
        if token.excluded:
            words.append(f"not {', '.join(token.excluded)}")
        yield (f"{_letter(number)}  " if letters else "") + " ".join(words)


def _letter(number: int) -> str:
    """Number as A, B, ... Z, then A2 and so on."""
    return chr(ord("A") + number % 26) + (str(number // 26 + 1) if number >= 26 else "")
