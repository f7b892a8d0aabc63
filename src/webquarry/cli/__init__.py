"""The command line: options to calls, results to files or standard output, errors to one line each."""

from importlib import import_module


def __getattr__(name: str) -> object:
    """Load `main` when it is asked for: signals are handled before other modules are loaded."""
    if name != "main":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module("webquarry.cli.program").main
