"""Give webquarry web pages and get tables that you can query.

>>> import webquarry as wq
>>> page = wq.Page(url="https://example.org/", body=b"<ul><li>One<li>Two")
>>> wq.clean(page).text()
'One\\nTwo'

`__init__.pyi` lists the public names, each with its module, which is loaded when one of its names is first used.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

_IMPORT = re.compile(r"^from (\S+) import (?:\(([^)]*)\)|([^\n(]*))", re.MULTILINE)


def _find_homes() -> dict[str, str]:
    """Find the module of each public name in the stub that type checkers and editors read."""
    stub = __spec__.loader.get_data(f"{__path__[0]}/__init__.pyi").decode()  # `importlib.resources` is slow to load
    return {
        name.split()[-1]: module
        for module, several, single in _IMPORT.findall(stub)
        for name in (several or single).split(",")
        if name.strip()
    }


_HOME_OF = _find_homes()

__all__ = sorted(_HOME_OF)  # noqa: PLE0605 - a list all the same


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """Load a public name from its module when it is first used, so that importing webquarry is quick."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
    return value
