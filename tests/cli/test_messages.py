"""What commands tell on standard error, and programs by logging."""

from __future__ import annotations

import io
import json
import logging
import re

import pytest

from webquarry.cli.messages import complain

PAGE = "<ul>" + "".join(f"<li><b>Lamp {number}</b><p>A fine lamp</p></li>" for number in range(5)) + "</ul>"


@pytest.fixture
def page(work):
    (work / "a.html").write_text(PAGE)
    return "a.html"


@pytest.mark.parametrize("arguments", [["-v", "mine"], ["mine", "-v"], ["mine", "--verbose"], ["-v", "mine", "-v"]])
def test_verbose_may_stand_before_the_command_and_after_it(quarry, page, arguments):
    def detail(*_args, **_options):
        logging.getLogger("webquarry.mining").debug("a detail")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("webquarry.cli.mine.Chooser.check", detail)
        told = quarry(*arguments, page, "--static").stderr.decode()
        quiet = quarry("mine", page, "--static").stderr.decode()
    assert "quarry: DEBUG: a detail\n" in told
    assert "a detail" not in quiet


@pytest.mark.parametrize("place", ["before", "after"])
def test_messages_can_be_json_lines(quarry, page, place):
    style = ["--log-format", "json"]
    arguments = ["mine", page, "gone.html", "--static", "-o", "a.csv"]
    done = quarry(*style, *arguments) if place == "before" else quarry(*arguments, *style)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [(line["level"], line["message"]) for line in lines] == [
        ("error", "gone.html: there is no such file or folder; check the path"),
        ("info", "5 records of 1 page in a.csv"),
    ]
    assert all(line["logger"] == "webquarry.cli.messages" and line["time"].endswith("+00:00") for line in lines)


def test_usage_errors_are_json_too(quarry, page):
    done = quarry("--log-format", "json", "mine", page, "--region", "1", "--all")
    (line,) = map(json.loads, done.stderr.splitlines())
    assert (done.returncode, line["level"]) == (2, "error")
    assert "--region and --all cannot be used together" in line["message"]


def test_an_unknown_form_of_messages_is_refused(quarry, page):
    done = quarry("mine", page, "--log-format", "xml")
    assert done.returncode == 2
    assert "xml" in done.stderr.decode()


def test_logging_gets_what_commands_print(quarry, page, caplog):
    with caplog.at_level(logging.INFO, "webquarry"):
        done = quarry("mine", page, "gone.html", "--static", "-o", "a.csv")
    told = [
        (record.levelname, record.getMessage()) for record in caplog.records if record.name == "webquarry.cli.messages"
    ]
    assert told == [
        ("ERROR", "gone.html: there is no such file or folder; check the path"),
        ("INFO", "5 records of 1 page in a.csv"),
    ]
    assert [f"quarry: {told[0][1]}", told[1][1]] == done.stderr.decode().splitlines()


def test_the_place_of_a_mistake_in_a_query_stays_below_its_line(quarry, work):
    lines = quarry("sql", "SELECT *\nFROM nowhere WHERE").stderr.decode().splitlines()
    assert lines[0].startswith("quarry: ")
    assert len(lines) > 1


class Above:
    """Standard error while a progress bar is shown, which takes what is written and puts it above itself."""

    def __init__(self, file: io.TextIOWrapper) -> None:
        self._file = file
        self.written = ""

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)

    def write(self, text: str) -> int:
        self.written += text
        return len(text)


def test_messages_stand_above_the_progress_bar(monkeypatch):
    around = io.BytesIO()
    shown = Above(io.TextIOWrapper(around, "ascii", write_through=True))
    monkeypatch.setattr("sys.stderr", shown)
    complain("a page is gone", 1)
    assert (shown.written, around.getvalue()) == ("quarry: a page is gone\n", b"")


def test_a_terminal_shows_time_left_and_failures(on_terminal, work):
    for number in range(3):
        (work / f"{number}.html").write_text(PAGE)
    shown = on_terminal("clean", "0.html", "gone.html", "1.html", "2.html", "-o", "out").stdout
    assert re.search(rb"cleaning.*elapsed,.*left", shown)
    assert b"gone.html: there is no such file" in shown
    assert b"1 failed" in shown
