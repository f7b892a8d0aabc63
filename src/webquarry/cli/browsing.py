"""Whether there is a browser to render with."""

from __future__ import annotations

from webquarry.cli.faults import complain


def has_browser(named: str | None, *, needed: bool) -> bool:
    """Whether there is a browser; when there is none and none is needed, one line says how to get it."""
    from webquarry.rendering import ADVICE, find_browser, require_browser  # noqa: PLC0415

    if needed:
        require_browser(named)
    found = find_browser(named) is not None
    if not found:
        complain(f"no browser was found, so pages are read by their markup alone, which finds less; {ADVICE}", 0)
    return found
