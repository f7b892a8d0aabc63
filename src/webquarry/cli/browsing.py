"""Whether there is a browser to render with."""

from __future__ import annotations

from webquarry.cli.faults import UsageFault, complain


def check_static(*, render: bool | None, scripts: bool) -> None:
    """Raise when pages are to be read without a browser, and what runs in one is asked for."""
    if scripts and render is False:
        raise UsageFault("--scripts run in a browser; leave --static out")


def is_rendered(*, render: bool | None, scripts: bool, browser: str | None) -> bool:
    """Whether pages are rendered; raises when that takes a browser, and there is none."""
    if not (render or scripts):
        return False
    from webquarry.rendering import require_browser  # noqa: PLC0415 - help and usage errors need no stages

    require_browser(browser)
    return True


def has_browser(named: str | None, *, needed: bool) -> bool:
    """Whether there is a browser; when there is none and none is needed, one line says how to get it."""
    from webquarry.rendering import ADVICE, find_browser, require_browser  # noqa: PLC0415

    if needed:
        require_browser(named)
    found = find_browser(named) is not None
    if not found:
        complain(f"no browser was found, so pages are read by their markup alone, which finds less; {ADVICE}", 0)
    return found
