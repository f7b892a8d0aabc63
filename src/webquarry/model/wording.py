"""Numbers of things, in words."""

from __future__ import annotations


def count(number: int, thing: str) -> str:
    """So many things, in the singular for one.

    >>> count(1, "node"), count(1204, "node")
    ('1 node', '1,204 nodes')
    """
    return f"{number:,} {thing}{'s' * (number != 1)}"
