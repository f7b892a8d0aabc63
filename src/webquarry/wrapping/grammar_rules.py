"""Read and write the rules of a grammar, in the notation of Ashish and Knoblock.

    factbook -> introduction geography people?
    geography -> location area borders*
    area -> total land water
    _other -> note country_comparison

The first rule is the page's.  `?` marks sections that some sample lacks, `*` repeated ones, whose headings are values.
Where several sections share a name, a rule begins with as much of the path as is unique: `factbook.note`,
`geography.note`.  Indented lines continue the one before, and `#` starts a comment.  The rule `_other` lists headings
that may be in any section.  The order of the other rules does not matter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from webquarry.model.names import snake_case
from webquarry.model.wrapper import OTHER, Section, SectionPath
from webquarry.wrapping.toml_tables import WIDTH

ARROW = "->"
MAX_RULE_DEPTH = 64
"""Levels of sections, which are read by recursion; pages have a dozen at most."""
_WORD = re.compile(r"(?P<name>.+?)(?P<marks>[?*]*)")
Fault = Callable[[int, str], None]
"""Notes a mistake: its line in the rules, from 0, and a text."""


def write_rules(grammar: Section, other: Sequence[str] = (), *, page: str) -> str:
    """Write the rules of a grammar, outer sections first; `page` names the page."""
    sections: dict[SectionPath, Section] = {(page,): grammar}
    sections |= {(page, *path): section for path, section in grammar.walk()}
    known = _Paths(sections)
    lines: list[str] = []
    for path, section in sections.items():
        if section.children or (section is grammar and grammar.name):
            words = (child.name + "*" * child.is_repeated + "?" * child.is_optional for child in section.children)
            lines += _write_rule(known.shortest(path), words)
    if other:
        lines += _write_rule(OTHER, other)
    return "".join(f"{line}\n" for line in lines)


def read_rules(text: str, fault: Fault) -> tuple[Section, tuple[str, ...]]:
    """Read the page with its sections, and the headings that may be in any of them.

    The page has the name of its rule; without a rule it has none.  Mistakes go to `fault`, and the rest is read.
    """
    rules = _parse(text, fault)
    grammar = _grow([rule for rule in rules if rule.left != (OTHER,)], fault)
    other = [word for rule in rules if rule.left == (OTHER,) for word in rule.right]
    return grammar, tuple(section.name for section in _sections(OTHER, other, fault, may_be_marked=False))


@dataclass
class _Rule:
    line: int
    left: SectionPath
    right: list[tuple[int, str]] = field(default_factory=list)
    """Words, each with its line."""

    @property
    def name(self) -> str:
        return ".".join(self.left)


class _Paths:
    """The paths of all sections, found by their ends."""

    def __init__(self, paths: Iterable[SectionPath] = ()) -> None:
        self._by_name: dict[str, list[SectionPath]] = {}
        for path in paths:
            self.add(path)

    def add(self, path: SectionPath) -> None:
        self._by_name.setdefault(path[-1], []).append(path)

    def add_below(self, path: SectionPath, sections: Iterable[Section]) -> None:
        for section in sections:
            self.add((*path, section.name))

    def find(self, left: SectionPath) -> list[SectionPath]:
        """Find the section with exactly this path, or else all whose paths end with it."""
        found = [path for path in self._by_name.get(left[-1], ()) if path[-len(left) :] == left]
        return [left] if left in found else found

    def shortest(self, path: SectionPath) -> str:
        """Write the shortest end of a path that is unique."""
        ends = (path[-size:] for size in range(1, len(path) + 1))
        return ".".join(next(end for end in ends if self.find(end) == [path]))

    def names(self) -> list[str]:
        return list(self._by_name)


def _write_rule(left: str, right: Iterable[str]) -> list[str]:
    lines = [f"{left} {ARROW}"]
    for word in right:
        if len(f"{lines[-1]} {word}") <= WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(f"    {word}")
    return lines


def _parse(text: str, fault: Fault) -> list[_Rule]:
    rules: list[_Rule] = []
    for number, line in enumerate(text.split("\n")):
        plain = line.partition("#")[0]
        left, arrow, right = plain.partition(ARROW)
        if arrow:
            rules.append(_Rule(number, _left_side(number, left, fault)))
        elif not plain.strip():
            continue
        elif not (rules and plain[0].isspace()):
            fault(
                number,
                f"`{_shown(plain)}` is not a rule: it has no {ARROW}; "
                f"write `section {ARROW} its sub-sections`, and indent lines that continue the one before",
            )
            continue
        else:
            right = plain
        rules[-1].right += [(number, word) for word in right.split()]
    return [rule for rule in rules if rule.left]


def _left_side(line: int, text: str, fault: Fault) -> SectionPath:
    words = text.split()
    if len(words) != 1:
        fault(line, f"a rule has one section before {ARROW}, but this one has {len(words) or 'none'}")
        return ()
    names = tuple(words[0].split("."))
    if all(names):
        return names
    fault(line, f"`{_shown(words[0])}` is not a path; write names with one dot between them")
    return ()


def _grow(rules: list[_Rule], fault: Fault) -> Section:
    """Build the page with all of its sections."""
    if not rules:
        return Section("")
    first = rules[0]
    if len(first.left) > 1:
        fault(first.line, f"`{first.name}` begins the first rule, which is the page's; its name cannot have a dot")
    page = first.left[-1:]
    known, children = _Paths([page]), {page: _sections(first.name, first.right, fault)}
    known.add_below(page, children[page])
    used, waiting = [], rules[1:]
    while ready := [rule for rule in waiting if known.find(rule.left)]:
        waiting = [rule for rule in waiting if not known.find(rule.left)]
        for rule in ready:
            path = known.find(rule.left)[0]
            used.append((rule, path))
            if path in children:
                fault(rule.line, f"`{rule.name}` has a rule already; merge the two, or write more of its path")
            elif len(path) > MAX_RULE_DEPTH:
                fault(rule.line, f"`{rule.name}` is more than {MAX_RULE_DEPTH} sections deep; remove some of them")
            else:
                children[path] = _sections(rule.name, rule.right, fault)
                known.add_below(path, children[path])
    for rule, path in used:  # a section that is named later may have the same name
        meanings = {".".join(each): None for each in (path, *known.find(rule.left))}
        if len(meanings) > 1:
            fault(rule.line, f"`{rule.name}` could be any of {', '.join(meanings)}; write more of the path")
    for rule in waiting:
        near = get_close_matches(rule.left[-1], known.names(), n=1)
        meant = f"did you mean `{near[0]}`?" if near else "name it in the rule of its parent section"
        fault(rule.line, f"no other rule names `{rule.name}`; {meant}")
    return _with_children(Section(page[0]), page, children)


def _with_children(section: Section, path: SectionPath, children: dict[SectionPath, list[Section]]) -> Section:
    inner = (_with_children(child, (*path, child.name), children) for child in children.get(path, ()))
    return Section(section.name, tuple(inner), section.is_optional, section.is_repeated)


def _sections(parent: str, words: list[tuple[int, str]], fault: Fault, *, may_be_marked: bool = True) -> list[Section]:
    """Read the sections on the right side of a rule, without their children."""
    sections: dict[str, Section] = {}
    for line, word in words:
        parts = _WORD.fullmatch(word)
        name, marks = (parts["name"], parts["marks"]) if parts else (word, "")
        wrong = _why_no_name(name) or _why_no_marks(word, marks, may_be_marked)
        if wrong:
            fault(line, wrong)
        elif name in sections:
            fault(line, f"`{name}` is named twice in the rule of `{parent}`; remove one, or rename it")
        else:
            sections[name] = Section(name, is_optional="?" in marks, is_repeated="*" in marks)
    return list(sections.values())


def _why_no_name(name: str) -> str | None:
    if ARROW in name:
        return f"a rule has one {ARROW}, but this one has more; start a new line for a new rule"
    if snake_case(name) == name:
        return None
    return f"`{_shown(name)}` is not a section name; write names in lower snake case, such as `{snake_case(name)}`"


def _why_no_marks(word: str, marks: str, may_be_marked: bool) -> str | None:
    if marks and not may_be_marked:
        return f"`{word}` has a mark, but the rule of `{OTHER}` allows none; remove it"
    twice = [mark for mark, count in Counter(marks).items() if count > 1]
    return f"`{word}` has {twice[0]} twice; once is enough" if twice else None


def _shown(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else f"{text[:40]}…"
