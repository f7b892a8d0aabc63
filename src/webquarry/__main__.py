"""Run `quarry`, as the installed command and as `python -m webquarry`."""

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
