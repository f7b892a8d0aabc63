"""The actions by which a person corrects a wrapper.

Each names what is meant by `example`: a heading as on the page, or the dotted path of a section, such as
`geography.area.note`, of which the end is enough where it is unique.
"""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Add:
    """A text that is a heading."""

    example: str
    to: str = ""
    """The section that it is in; without it the format tells."""
    name: str = ""
    """What its section is called, if not as on the page."""
    whole_format: bool = False
    """Whether all texts of its format are headings."""


@dataclass(frozen=True)
class Drop:
    """A text that is no heading, but text of the section before it."""

    example: str
    """By its text everywhere, by a path of two names or more only there."""
    whole_format: bool = False
    """Whether no text of its format is a heading; by a path, none of those in the section that it is in."""


@dataclass(frozen=True)
class Move:
    """A section that is in another one."""

    example: str
    to: str
    """The section that it is in; the name of the source for the page itself."""


@dataclass(frozen=True)
class Rename:
    """A section that has another name."""

    example: str
    name: str


@dataclass(frozen=True)
class Join:
    """A section that is the same as another, whose name it takes."""

    example: str
    to: str


Correction = Add | Drop | Move | Rename | Join


def to_words(action: Correction) -> str:
    """The action as it is said on the command line.

    >>> to_words(Drop("note", whole_format=True)), to_words(Move("total", "geography.area"))
    ('drop "note" --class', 'move "total" --to "geography.area"')
    """
    words = [type(action).__name__.lower(), f'"{action.example}"']
    for each in fields(action):
        value = getattr(action, each.name)
        if each.name == "whole_format":
            words += ["--class"] * value
        elif each.name != "example" and value:
            words.append(f'--{each.name} "{value}"')
    return " ".join(words)
