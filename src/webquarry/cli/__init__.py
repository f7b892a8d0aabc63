"""The command line: flags to calls, results to files or standard output, errors to one line each.

`program.py` is `quarry` itself; each command has a file of its name.  `options.py` holds the options that commands
share, `choosing.py` what `mine` keeps of each page, `places.py` where `wrap` says that pages are, `outlines.py` what it
shows of them, `judging.py` how `validate` judges, `report_lines.py` what it tells of that; `browsing.py` tells whether
there is a browser, `output.py` where results go, `progress.py` how far the work is, `faults.py` what went wrong,
`logs.py` what else there is to say, `streams.py` what to do about standard streams that are closed, `stopping.py` what
about signals.
"""

from webquarry.cli.program import main

__all__ = ["main"]
