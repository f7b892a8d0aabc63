"""How a run ends: exit codes, one line for each fault, help."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.main import get_command

from webquarry.cli.program import app

COMMANDS = get_command(app).list_commands(None)
DOCS = Path(__file__).parents[2] / "docs"
PDF = b"%PDF-1.4\n"
PAGE = b"<ul>" + b"".join(b"<li><b>Lamp %d</b><p>A fine lamp</p></li>" % number for number in range(5)) + b"</ul>"


def in_shell(command: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["sh", "-c", command], check=False, capture_output=True, cwd=folder, env=environment)


def test_version_and_help(quarry):
    version = quarry("--version")
    assert (version.returncode, version.stderr) == (0, b"")
    assert re.fullmatch(r"quarry \d+\.\d+\.\d+\n", version.stdout.decode())
    bare = quarry()
    assert bare.returncode == 0
    assert bare.stdout == quarry("--help").stdout
    for command in COMMANDS:
        assert command in bare.stdout.decode()


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_each_command_has_an_example(quarry, command):
    done = quarry(command, "--help")
    assert done.returncode == 0
    assert f"Example: quarry {command} " in done.stdout.decode()
    assert quarry(command, "-h").stdout == done.stdout


def test_verbose_says_more_and_breaks_nothing(quarry, work):
    (work / "a.html").write_bytes(b"<p>x")
    assert quarry("-v", "clean", "a.html").stdout == quarry("clean", "a.html").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["clean"], "Missing argument"),
        (["scrape"], "scrape"),
        (["clean", "a.html", "--colour"], "--colour"),
        (["clean", "a.html", "--method", "tidy"], "html5, cleandom"),
        (["clean", "a.html", "b.html"], "-o DIR"),
        (["clean", "site"], "-o DIR"),
        (["clean", "a.html", "b.html", "-o", "c.xhtml"], "name a folder instead of c.xhtml"),
        (["clean", "a.html", "--offline", "--refresh"], "cannot be used together"),
        (["clean", "a.html", "--header", "nonsense"], "'Name: value'"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(quarry, work, arguments, message):
    (work / "site").mkdir()
    (work / "site" / "a.html").write_bytes(b"")
    for name in ("a.html", "b.html"):
        (work / name).write_bytes(b"<p>x")
    done = quarry(*arguments)
    assert done.returncode == 2
    assert done.stdout == b""
    assert len(done.stderr.decode().splitlines()) == 1
    assert message in done.stderr.decode()
    called = "" if arguments == ["scrape"] else "clean "
    assert done.stderr.decode().endswith(f"(see quarry {called}--help)\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["mine", "a.html", "--follow", "x"], "--follow': give a whole number, such as 10 (see quarry mine --help)"),
        (["render", "a.html", "--width", "0"], "--width': give at least 1 (see quarry render --help)"),
        (["workbench", "a.html", "--port", "99999"], "--port': give at most 65535 (see quarry workbench --help)"),
        (["correct", "a.toml", "mend", "x"], "'action': 'mend' is not one of 'add', 'drop', "),
    ],
)
def test_a_wrong_value_is_told_in_plain_words(quarry, arguments, said):
    done = quarry(*arguments)
    assert done.returncode == 2
    assert said in done.stderr.decode()


def test_wrong_usage_of_a_command_of_batch_names_its_help(quarry):
    assert quarry("batch", "read").stderr.endswith(b"(see quarry batch read --help)\n")


def test_a_misspelled_command_gives_the_nearest_one(quarry):
    assert (
        quarry("mien", "a.html").stderr.decode().startswith("quarry: there is no command 'mien'; did you mean 'mine'?")
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["clean", "gone.html"], "quarry: gone.html: there is no such file or folder; check the path"),
        (["clean", "paper.pdf"], "not a web page but a PDF document"),
        (["clean", "empty", "-o", "out"], "quarry: empty: this folder contains no pages"),
        (["clean", "ftp://example.org/"], "ftp addresses cannot be fetched; use http or https"),
        (["clean", "a.html", "-o", "paper.pdf/x.xhtml"], "quarry: "),
        (["clean", "", "-o", "out"], "an input is empty"),
        (["clean", ""], "an input is empty"),
        (["clean", "broken.html.gz"], "broken.html.gz"),
    ],
)
def test_what_fails_is_one_line_and_exit_code_1(quarry, work, arguments, message):
    (work / "empty").mkdir()
    (work / "paper.pdf").write_bytes(PDF)
    (work / "a.html").write_bytes(b"<p>x")
    (work / "broken.html.gz").write_bytes(b"no gzip")
    done = quarry(*arguments)
    assert done.returncode == 1
    assert done.stdout == b""
    assert len(done.stderr.decode().splitlines()) == 1
    assert done.stderr.decode().splitlines()[0].startswith("quarry: ")
    assert message in done.stderr.decode()


def test_what_fails_cannot_command_the_terminal(quarry):
    done = quarry("clean", "gone\x1b[31m\u202e\n.html")
    assert done.stderr.decode() == "quarry: gone\ufffd[31m .html: there is no such file or folder; check the path\n"


def test_a_reader_that_goes_away_is_not_an_error_to_shout_about(quarry, work, environment):
    (work / "a.html").write_bytes(b"<p>" + b"word " * 1_000_000)
    command = [sys.executable, "-m", "webquarry", "clean", "a.html"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=work, env=environment
    ) as process:
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(120) in (0, 1)


def test_a_reader_that_was_never_there_is_none_either(quarry, work, environment):
    (work / "a.html").write_bytes(b"<p>x")
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "webquarry", "clean", "a.html"]
    done = subprocess.run(command, check=False, stdout=writing, stderr=subprocess.PIPE, cwd=work, env=environment)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize(
    ("arguments", "closed", "message"),
    [
        ("clean a.html", ">&-", "quarry: standard output: Bad file descriptor\n"),
        ("mine a.html --static", ">&-", "quarry: standard output: Bad file descriptor\n"),
        ("clean -", "<&-", "quarry: standard input: cannot be read (Bad file descriptor)\n"),
        ("validate - --static", "<&-", "quarry: standard input: cannot be read (Bad file descriptor)\n"),
        ("sql -", "<&-", "quarry: standard input: cannot be read (Bad file descriptor)\n"),
    ],
)
def test_a_closed_stream_that_is_needed_is_reported(work, environment, arguments, closed, message):
    (work / "a.html").write_bytes(PAGE)
    done = in_shell(f"{sys.executable} -m webquarry {arguments} {closed}", work, environment)
    assert (done.returncode, done.stderr.decode()) == (1, message)


def test_closed_streams_that_are_not_needed_are_not_a_fault(work, environment):
    (work / "a.html").write_bytes(PAGE)
    done = in_shell(f"{sys.executable} -m webquarry mine a.html --static -o a.jsonl <&- >&- 2>&-", work, environment)
    assert done.returncode == 0
    assert (work / "a.jsonl").read_bytes().startswith(b'{"page": "file:')


def test_ctrl_c_ends_quietly_and_leaves_no_file(quarry, work, server, environment):
    command = [
        sys.executable,
        "-m",
        "webquarry",
        "clean",
        server.url + "/slow",
        "--allow-private",
        "-o",
        "out.xhtml",
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=work, env=environment
    ) as process:
        assert server.asked.wait(120)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert output == b""
    assert errors == b"quarry: stopped\n"
    assert list(work.iterdir()) == []


def test_ctrl_c_keeps_what_is_finished(quarry, work, server, environment):
    (work / "a.html").write_bytes(b"<p>a")
    command = [
        sys.executable,
        "-m",
        "webquarry",
        "clean",
        "a.html",
        server.url + "/slow",
        "--allow-private",
        "-o",
        "out",
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=work, env=environment
    ) as process:
        assert server.asked.wait(120)
        while not (work / "out").exists() or not list((work / "out").glob("a.xhtml")):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
    assert process.returncode == 130
    assert [path.name for path in (work / "out").iterdir()] == ["a.xhtml"]


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_its_place_in_the_documents(command):
    described = (DOCS / "commands.md").read_text(encoding="utf-8")
    _, heading, section = described.partition(f"\n## {command}\n")
    assert heading
    assert f"    quarry {command}" in section.partition("\n## ")[0]


LIGHT = {"errors", "html.urls", "model.names", "model.page", "model.wording", "model.wrapper"}
LIGHT |= {"storing.result_files"}
HEAVY = {"duckdb", "lxml", "numpy", "pyarrow", "rich", "turbohtml"}


def test_help_loads_no_stage(environment):
    program = (
        "import sys\n"
        "from webquarry.cli.program import main\n"
        "for command in sys.argv[1:]:\n"
        "    sys.argv = ['quarry', command, '--help']\n"
        "    try: main()\n"
        "    except SystemExit as end: assert not end.code\n"
        "loaded = {name for name in sys.modules if type(sys.modules[name]).__name__ != '_LazyModule'}\n"
        "print(*loaded, file=sys.stderr)"
    )
    command = [sys.executable, "-c", program, *COMMANDS]
    done = subprocess.run(command, check=False, capture_output=True, env=environment, text=True)
    assert done.stdout.count("Example: quarry ") == len(COMMANDS)
    assert done.returncode == 0
    loaded = set(done.stderr.split())
    ours = {name.removeprefix("webquarry.") for name in loaded if name.startswith("webquarry.")}
    assert {name for name in ours - LIGHT if "." in name and not name.startswith("cli.")} == set()
    assert not HEAVY & loaded


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_the_general_options(quarry, command):
    shown = quarry(command, "--help").stdout.decode()
    general = shown[shown.index("\nGeneral:\n") :]
    assert all(option in general for option in ("-v, --verbose", "--log-format", "-h, --help"))


def test_options_are_grouped_by_what_they_are_about(quarry):
    shown = quarry("mine", "--help").stdout.decode()
    groups = re.findall(r"^(\w[\w ]*):\n", shown, re.MULTILINE)
    assert groups == ["Arguments", "What to do", "Output", "Workers", "Browser", "Fetching", "General"]
    sections = dict(zip(groups, re.split(r"^\w[\w ]*:\n", shown, flags=re.MULTILINE)[1:], strict=True))
    assert "--region" in sections["What to do"]
    assert "--picture" in sections["Output"]
    assert "-o, --output" in sections["Output"]
    assert "--static" in sections["Browser"]
    assert "--url-map" in sections["Fetching"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_names_values_and_no_types_of_python(quarry, command):
    shown = quarry(command, "--help").stdout.decode()
    assert not re.search(r"<(str|int|float|list|path|file)\b", shown)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("quarry ", COMMANDS),
        ("quarry mi", ["mine"]),
        ("quarry mine --fol", ["--follow"]),
        ("quarry mine --method ", ["visual", "emine", "mdr", "tables", "data"]),
        ("quarry read --format m", ["markdown"]),
        ("quarry correct a.toml re", ["rename", "retype", "redo"]),
    ],
)
def test_shells_can_complete(environment, words, found):
    typed = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" ")), "_QUARRY_COMPLETE": "complete_bash"}
    program = "import sys; sys.argv = ['quarry']; from webquarry.cli.program import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True, env={**environment, **typed}
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == found


def test_completion_names_the_methods_that_there_are():
    from typer.main import get_group

    from webquarry.pipeline import fetch_pages, learn_wrappers, mine_pages, read_pages, validate_results
    from webquarry.wrapping import wrapper_file

    known = {
        ("clean", "method"): fetch_pages.CLEANERS,
        ("mine", "method"): mine_pages.MINERS,
        ("read", "method"): read_pages.ARTICLE_READERS,
        ("wrap", "kind"): dict.fromkeys(kind for kind, _ in learn_wrappers.WRAPPERS),
        ("wrap", "method"): dict.fromkeys(method for _, method in learn_wrappers.WRAPPERS),
        ("validate", "method"): validate_results.JUDGES,
        ("validate", "scope"): validate_results.SCOPES,
        ("validate", "voter"): read_pages.ARTICLE_READERS,
        ("mine", "clean"): fetch_pages.CLEANERS,
        ("workbench", "kind"): wrapper_file.KINDS,
        ("wrap", "nesting"): wrapper_file.NESTINGS,
    }
    group = get_group(app)
    for (command, name), values in known.items():
        options = {each.name: each for each in group.get_command(None, command).params}
        found = options[name].shell_complete(None, "")
        assert sorted(each.value for each in found) == sorted(values), (command, name)


def test_a_fault_that_follows_from_a_signal_is_not_reported(faulty_quarry, work, monkeypatch):
    def stopped(*_args: object, **_options: object) -> None:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
        except KeyboardInterrupt:  # as the import of a module may do
            raise ImportError("cannot import name") from None

    monkeypatch.setattr("webquarry.pipeline.fetch_pages.fetch_all", stopped)
    done = faulty_quarry("clean", "a.html", "-o", "x.xhtml")
    assert (done.returncode, done.stderr) == (143, b"quarry: stopped\n")


def test_the_package_of_commands_has_their_entry_function():
    from webquarry import cli
    from webquarry.cli import program

    assert cli.main is program.main
    with pytest.raises(AttributeError, match="has no attribute 'mein'"):
        _ = cli.mein
