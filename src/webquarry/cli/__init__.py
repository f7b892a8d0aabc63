"""The command line: options to calls, results to files or standard output, errors to one line each."""

from webquarry.cli.program import main

__all__ = ["main"]
