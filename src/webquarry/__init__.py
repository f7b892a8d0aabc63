"""Give webquarry web pages and get tables that you can query.

>>> import webquarry as wq
>>> page = wq.Page(url="https://example.org/", body=b"<ul><li>One<li>Two")
>>> wq.clean(page).text()
'One\\nTwo'

`__init__.pyi` lists the public names, each with its module, which is loaded when one of its names is first used. This
module imports nothing when it is loaded, because the command cannot handle signals before it is.
"""

_home_of: dict[str, str] = {}


def _homes() -> dict[str, str]:
    """Find the module of each public name, once."""
    if not _home_of:
        _home_of.update(_read_stub())
    return _home_of


def _read_stub() -> dict[str, str]:
    """Read the module of each public name from the stub that type checkers and editors read."""
    import re  # noqa: PLC0415 - see above

    stub = __spec__.loader.get_data(f"{__path__[0]}/__init__.pyi").decode()  # `importlib.resources` is slow to load
    return {
        name.split()[-1]: module
        for module, several, single in re.findall(r"^from (\S+) import (?:\(([^)]*)\)|([^\n(]*))", stub, re.MULTILINE)
        for name in (several or single).split(",")
        if name.strip()
    }


def __dir__() -> list[str]:
    return sorted(_homes())


def __getattr__(name: str) -> object:
    """Load a public name from its module when it is first used, so that importing webquarry is quick."""
    if name == "__all__":
        return __dir__()
    if name not in _homes():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(__import__(_homes()[name], fromlist=[name]), name)
    return value
