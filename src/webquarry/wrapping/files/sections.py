"""The sections of a wrapper file: the grammar, with the headings and types of its sections."""

from __future__ import annotations

from dataclasses import replace

from webquarry.model.wrapper import Section
from webquarry.wrapping.files.rules import read_rules
from webquarry.wrapping.files.tables import Table, did_you_mean, shown

TYPES = ("text", "number", "money", "date", "boolean", "list", "table")
_Path = tuple[str, ...]


def read_sections(file: Table, source: str) -> tuple[Section, tuple[str, ...]]:
    """The page with its sections, and the headings that may stand in any of them.

    A page that has a rule is called as the source is, whose name need not be in snake case.
    """
    table = file.table("grammar")
    grammar, other = read_rules(table.text("rules"), lambda line, text: table.fault_within("rules", line, text))
    table.close()
    grammar = replace(grammar, name=source if grammar.name else "")
    known = {path for path, _ in grammar.walk()}
    headings = {path: holder.texts(key) for path, key, holder in _paths(file.table("headings"), known)}
    types = {path: holder.text(key, TYPES[0], of=TYPES) for path, key, holder in _paths(file.table("types"), known)}
    return _describe(grammar, (), headings, types), other


def _paths(table: Table, known: set[_Path]) -> list[tuple[_Path, str, Table]]:
    """The paths that a table has values for, each with its key and the table that it is in.

    A path may be written with quotes, "geography.area", or without, which to TOML is a table in a table.
    """
    found = []
    dotted = [".".join(path) for path in known]
    for keys, holder in table.leaves():
        written = ".".join(keys)
        path = tuple(written.split("."))
        if path in known:
            found.append((path, keys[-1], holder))
            continue
        ends = [each for each in dotted if each.endswith(f".{path[-1]}")]
        hint = did_you_mean(written, dotted) or (f"; did you mean `{ends[0]}`?" if ends else "")
        holder.fault(keys[-1], f"no section has the path {shown(written)}{hint or '; the rules name all sections'}")
    return found


def _describe(
    section: Section, path: _Path, headings: dict[_Path, tuple[str, ...]], types: dict[_Path, str]
) -> Section:
    children = (_describe(child, (*path, child.name), headings, types) for child in section.children)
    return replace(
        section, children=tuple(children), headings=headings.get(path, ()), type=types.get(path, section.type)
    )
