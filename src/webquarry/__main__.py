"""Run `quarry`, as the installed command and as `python -m webquarry`."""

import _signal  # type: ignore[import-not-found]  # the built-in part of `signal`, which takes 3 ms to load

if _signal.getsignal(_signal.SIGINT) != _signal.SIG_IGN:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # end at once: Python's own handler shows a traceback

from typing import NoReturn

from webquarry.cli.stopping import STOPPER, exit_on_signals

exit_on_signals()  # before other modules are loaded, which takes a third of a second

from webquarry.cli.program import main  # noqa: E402


def run() -> NoReturn:
    """Run `quarry` and exit."""
    try:
        main()
    finally:
        STOPPER.leave()


if __name__ == "__main__":
    run()
