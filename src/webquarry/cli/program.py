"""`quarry` itself: its commands, and how a run ends."""

from __future__ import annotations

import logging
import sys
from typing import Annotated, NoReturn

import typer
from typer.exceptions import TyperException

from webquarry.cli.check import check
from webquarry.cli.clean import clean
from webquarry.cli.correct import correct
from webquarry.cli.demo import demo
from webquarry.cli.doctor import doctor
from webquarry.cli.extract import extract
from webquarry.cli.faults import complain, complain_of, describe_fault, describe_refusal
from webquarry.cli.logs import show_logs
from webquarry.cli.mine import mine
from webquarry.cli.read import read
from webquarry.cli.render import render
from webquarry.cli.sql import sql
from webquarry.cli.stopping import Stopper
from webquarry.cli.streams import drop_what_cannot_be_written, stand_in_for_closed_streams
from webquarry.cli.validate import validate
from webquarry.cli.wrap import wrap
from webquarry.errors import WebquarryError

app = typer.Typer(
    name="quarry",
    help="Give it web pages and get tables that you can query.",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(epilog="Example: quarry clean listing.html -o listing.xhtml")(clean)
app.command(epilog="Example: quarry render listing.html --picture boxes.png --tag td")(render)
app.command(epilog="Example: quarry mine listing.html --follow 5 -o offers.csv")(mine)
app.command(epilog="Example: quarry read news/ --format markdown -o texts")(read)
app.command(epilog="Example: quarry wrap fr.html de.html it.html --name factbook -o factbook.toml")(wrap)
app.command(epilog='Example: quarry correct factbook.toml add "Time difference" --to government')(correct)
app.command(epilog="Example: quarry check factbook.toml pages/")(check)
app.command(epilog="Example: quarry extract factbook.toml pages/ --only geography.area -o areas.csv")(extract)
app.command(epilog="Example: quarry validate news.jsonl --report report.html")(validate)
app.command(epilog='Example: quarry sql "SELECT country, geography.area.total FROM factbook" --catalog wrappers')(sql)
app.command(epilog="Example: quarry doctor --clear-cache")(doctor)
app.command(epilog="Example: quarry demo results")(demo)


def main() -> NoReturn:
    """Run `quarry`: no traceback, whatever happens."""
    stand_in_for_closed_streams()
    stopper = Stopper()
    stopper.listen()
    try:
        code = app(standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        code = stopper.exit_code
    except TyperException as error:
        code = complain(f"{error.format_message()} (see quarry --help)", error.exit_code)
    except WebquarryError as error:
        code = complain_of(error)
    except BrokenPipeError:
        code = 1
    except OSError as error:
        code = complain(describe_refusal(error), 1)
    except Exception as error:  # the last net: a fault of ours is one line too
        logging.getLogger("webquarry").debug("", exc_info=error)
        code = complain(describe_fault(error), 1)
    if stopper.was_asked:
        code = complain("stopped", stopper.exit_code)
    drop_what_cannot_be_written()
    sys.exit(code or 0)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415 - slow to import

        typer.echo(f"quarry {version('webquarry')}")
        raise typer.Exit


@app.callback()
def start(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback acts
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_show_version)
    ] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Say more on standard error.")] = False,
) -> None:
    """Give it web pages and get tables that you can query."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit
    show_logs(verbose=verbose)
