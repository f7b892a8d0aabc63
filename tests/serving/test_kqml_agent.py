"""A wrapper as an agent: dialogues in KQML, mediators in other processes, strangers."""

from __future__ import annotations

import json
import random
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

import webquarry as wq
from webquarry.errors import FetchError
from webquarry.fetching.kqml import TOKEN, Message, MessageReader, write_message
from webquarry.serving import kqml_agent
from webquarry.serving.kqml_agent import AgentServer, KqmlAgent

BOOK = Path(__file__).parents[2] / "examples" / "factbook"
PAPER = (
    "SELECT f.country, f.economy.exports, f.military.military_expenditures_percent_of_gdp AS defence "
    "FROM groups g JOIN factbook f ON f.country = g.country WHERE g.member_of = 'ISCU' ORDER BY 1"
)


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def catalog(tmp_path_factory) -> Path:
    """The fact book and its groups, with their wrappers."""
    folder = tmp_path_factory.mktemp("book") / "factbook"
    shutil.copytree(BOOK, folder)
    samples = [wq.clean(wq.fetch(folder / f"geos/{code}.html")) for code in ("am", "bv", "cd", "dm", "es")]
    book = wq.wrap(
        samples,
        name="factbook",
        kind="sections",
        base=str(folder),
        pages="geos/{code}.html",
        key="country",
        index_page="index.html",
    )
    wq.save_wrapper(folder / "factbook.toml", book)
    groups = wq.wrap([wq.clean(wq.fetch(folder / "groups.html"))], name="groups", kind="tables")
    wq.save_wrapper(folder / "groups.toml", groups)
    return folder


@contextmanager
def serving(path: Path, **options) -> Iterator[AgentServer]:
    with AgentServer(KqmlAgent(path.stem, wq.connect(path), **options), "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def server(catalog) -> Iterator[AgentServer]:
    with serving(catalog / "factbook.toml") as server:
        yield server


class Client:
    """Sends messages as they are, and reads the answers."""

    def __init__(self, server: AgentServer) -> None:
        self.socket = socket.create_connection(server.server_address[:2], 60)
        self.reader = MessageReader(lambda: self.socket.recv(2**16))
        self.advertised = [self.reader.read() for _ in range(4)]

    def close(self) -> None:
        self.socket.close()

    def send(self, text: str) -> Message | None:
        self.socket.sendall(text.encode())
        return self.reader.read()


@pytest.fixture
def client(server) -> Iterator[Client]:
    with closing(Client(server)) as client:
        yield client


def test_an_agent_says_what_it_answers(client):
    assert {message.performative for message in client.advertised} == {"advertise"}
    assert [message.parameters["content"][0] for message in client.advertised] == [
        "ask-if", "ask-one", "ask-all", "stream-all",
    ]  # fmt: skip


def test_a_dialogue_in_sql(client):
    one = client.send(
        '(ask-one :sender m :receiver factbook :language SQL :reply-with q1 :content "SELECT country, '
        "geography.area.total FROM factbook WHERE country = 'Kestria'\")"
    )
    assert (one.performative, one.text("in-reply-to"), one.text("receiver")) == ("tell", "q1", "m")
    assert json.loads(one.text("content")) == {"country": "Kestria", "total": 75000.0}
    every = client.send('(ask-all :reply-with q2 :content "SELECT country FROM factbook ORDER BY 1 LIMIT 2")')
    assert json.loads(every.text("content")) == [{"country": "Aldermark"}, {"country": "Brevonia"}]
    first = client.send('(stream-all :reply-with q3 :content "SELECT country FROM factbook ORDER BY 1 LIMIT 2")')
    rest = [client.reader.read() for _ in range(2)]
    assert [message.performative for message in (first, *rest)] == ["tell", "tell", "eos"]
    assert {message.text("in-reply-to") for message in (first, *rest)} == {"q3"}


@pytest.mark.parametrize(("name", "expected"), [("Kestria", "tell"), ("Atlantis", "untell")])
def test_ask_if_tells_whether_there_is_such_a_row(client, name, expected):
    answer = client.send(f"(ask-if :reply-with q :content \"SELECT 1 FROM factbook WHERE country = '{name}'\")")
    assert answer.performative == expected


def test_keys_and_sections_instead_of_sql(client):
    answer = client.send(
        "(ask-all :language SECTIONS :content (read (keys Kestria Norrund) (sections geography.area.total)))"
    )
    assert json.loads(answer.text("content")) == [
        {"country": "Kestria", "geography.area.total": 75000.0},
        {"country": "Norrund", "geography.area.total": 559000.0},
    ]


@pytest.mark.parametrize(
    ("text", "performative", "said"),
    [
        ("(ask-one :content \"SELECT country FROM factbook WHERE country = 'X'\")", "sorry", "no such row"),
        ('(ask-one :content "SELEC")', "error", "SELEC"),
        ("(ask-one :content \"SELECT * FROM '/etc/hostname'\")", "error", "names files"),
        ("(ask-one :content \"SELECT * FROM read_text('/etc/host*')\")", "error", "names files"),
        ("(ask-one :content (a b))", "error", "in quotes"),
        ("(ask-one)", "error", "in quotes"),
        ("(dance)", "error", "no performative 'dance'"),
        ("(subscribe :content (ask-all))", "sorry", "answers ask-if"),
        ("(ask-one :receiver other :content x)", "sorry", "this is factbook, not other"),
        ("(ask-one :language prolog :content x)", "sorry", "not prolog"),
        ("(ask-one :language SECTIONS :content (paint))", "error", "choose from describe, index"),
        ("(ask-one :language SECTIONS :content (read))", "error", "(read (keys ...)"),
        ("(ask-one :language SECTIONS :content (read (keys X) (sections _title)))", "error", "no page 'X'"),
        ("(ask-one :language SECTIONS :content (read (keys Kestria) (sections a.b)))", "error", "no section a.b"),
        ("(tell :content)", "error", "each with a value"),
    ],
)
def test_what_cannot_be_answered_is_told(client, text, performative, said):
    answer = client.send(text)
    assert (answer.performative, said in answer.text("content")) == (performative, True), answer
    assert client.send('(ask-if :content "SELECT 1")').performative == "tell"


def test_answers_are_not_answered(client):
    client.socket.sendall(b"(tell :content x)(error :content y)(eos)(sorry)")
    assert client.send("(dance :reply-with last)").text("in-reply-to") == "last"


def test_garbage_ends_the_connection_and_not_the_agent(server):
    with closing(Client(server)) as client:
        assert client.send("hello\n").performative == "error"
        assert client.reader.read() is None
    with closing(Client(server)) as client:
        assert client.send("(dance)").performative == "error"


def test_connections_and_time_are_limited(server, monkeypatch):
    monkeypatch.setattr(kqml_agent, "MESSAGE_SECONDS", 0.2)
    with closing(Client(server)) as slow:
        slow.socket.sendall(b"(ask-one ")
        assert slow.socket.recv(1) == b""  # it hangs up
    clients = [Client(server) for _ in range(kqml_agent.MAX_CONNECTIONS + 1)]
    assert clients[0].advertised[0].performative == "advertise"
    refused = clients[-1].advertised
    assert (refused[0].performative, refused[1:]) == ("error", [None] * 3)
    for each in clients:
        each.close()


def test_a_token_is_needed_where_there_is_one(catalog):
    with serving(catalog / "factbook.toml", token="s3cr3t") as server:
        client = Client(server)
        for text in ('(ask-one :content "SELECT 1")', '(ask-one :token wrong :content "SELECT 1")'):
            assert "token" in client.send(text).text("content")
        assert client.send('(ask-one :token s3cr3t :content "SELECT 1 AS x")').text("content") == '{"x": 1}'
        client.close()


def test_pages_are_limited(catalog):
    with serving(catalog / "factbook.toml", max_pages=3) as server:
        client = Client(server)
        assert "the limit is 3" in client.send('(ask-all :content "SELECT _title FROM factbook")').text("content")
        keys = "Aldermark Brevonia Kestria Norrund"
        answer = client.send(f"(ask-all :language SECTIONS :content (read (keys {keys}) (sections _title)))")
        assert "at most 3 pages" in answer.text("content")
        client.close()


def test_mutated_messages_all_get_an_answer_or_end_the_connection(server):
    choose = random.Random(3)
    text = '(ask-one :receiver factbook :language SECTIONS :content (read (keys "Kestria") (sections _title)))'
    agent = server.agent
    answered = 0
    for _ in range(1_000):
        marks = list(text)
        for _ in range(choose.randint(1, 3)):
            place = choose.randrange(len(marks))
            marks[place : place + choose.randint(0, 2)] = choose.choices("()\"\\#:' 1a", k=choose.randint(0, 2))
        pieces = iter(["".join(marks).encode()])
        reader = MessageReader(lambda pieces=pieces: next(pieces, b""))
        try:
            while (message := reader.read()) is not None:
                answers = list(agent.answer(message))
                assert answers
                assert all("internal error" not in each.text("content") for each in answers)
                assert all(write_message(each) for each in answers)
                answered += 1
        except wq.WebquarryError:
            pass
    assert answered > 100


class Agents:
    """Agents in processes of their own, and a catalog that names them."""

    def __init__(self, catalog: Path, folder: Path, names: list[str]) -> None:
        self.processes = {name: self._start(catalog / f"{name}.toml") for name in names}
        folder.mkdir()
        for name, process in self.processes.items():
            address = process.stdout.readline().split()[-1]
            (folder / f"{name}.toml").write_text(f'[source]\nname = "{name}"\nremote = "{address}"\n')

    def _start(self, path: Path) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "webquarry", "agent", str(path), "--port", "0"]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=None)

    def stop(self, name: str) -> None:
        self.processes[name].kill()
        self.processes[name].wait()
        self.processes[name].stdout.close()


@pytest.fixture(scope="module")
def remote(catalog, tmp_path_factory) -> Iterator[tuple[Path, Agents]]:
    folder = tmp_path_factory.mktemp("remote") / "catalog"
    agents = Agents(catalog, folder, ["factbook", "groups"])
    yield folder, agents
    for name, process in agents.processes.items():
        if process.poll() is None:
            agents.stop(name)


def test_the_query_of_the_paper_has_the_same_rows_from_the_same_pages(catalog, remote):
    here, there = wq.connect(catalog).sql(PAPER), wq.connect(remote[0]).sql(PAPER)
    assert there.table.equals(here.table)
    assert len(here.table) > 2
    assert there.pages == here.pages
    assert not there.failures


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * EXCLUDE (_fetched) FROM factbook ORDER BY country",
        "SELECT country FROM factbook WHERE country LIKE 'K%'",
        "SELECT count(*) FROM factbook",
        "DESCRIBE factbook",
    ],
)
def test_answers_and_plans_are_those_of_one_process(catalog, remote, query):
    here, there = wq.connect(catalog), wq.connect(remote[0])
    assert there.sql(query).table.equals(here.sql(query).table)
    assert there.explain(query).to_text() == here.explain(query).to_text()


def test_a_value_leads_to_its_page_and_node(catalog, remote):
    query = "SELECT country, geography.area.total FROM factbook WHERE country = 'Kestria'"
    assert wq.connect(remote[0]).sql(query).where(0, "total") == wq.connect(catalog).sql(query).where(0, "total")


def test_an_agent_that_dies_gives_a_partial_answer(catalog, tmp_path):
    agents = Agents(catalog, tmp_path / "c", ["factbook"])
    connection = wq.connect(tmp_path / "c")
    with connection.open_source("factbook") as table:
        agents.stop("factbook")
        reading = table.read(["Kestria", "Norrund"], [("_title",)], lambda: None)
    assert len(reading.rows) == 0
    assert [failure.page for failure in reading.failures] == ["Kestria", "Norrund"]
    assert "the agent does not answer" in reading.failures[0].error


def test_a_dead_agent_that_was_asked_before_gives_a_partial_answer(catalog, tmp_path):
    agents = Agents(catalog, tmp_path / "c", ["factbook"])
    (tmp_path / "c" / "towns.csv").write_text("country,town\nKestria,Ash\nNorrund,Elm\n")
    query = "SELECT t.town, f.geography.area.total AS area FROM towns t LEFT JOIN factbook f USING (country)"
    assert wq.connect(tmp_path / "c", cache=tmp_path).sql(query).failures == ()
    agents.stop("factbook")
    answer = wq.connect(tmp_path / "c", cache=tmp_path).sql(query)
    assert answer.table.to_pylist() == [{"town": "Ash", "area": None}, {"town": "Elm", "area": None}]
    assert [failure.page for failure in answer.failures] == ["Kestria", "Norrund"]
    command = [sys.executable, "-m", "webquarry", "sql", query, "--format", "csv"]
    places = ["--catalog", str(tmp_path / "c"), "--cache", str(tmp_path)]
    done = subprocess.run([*command, *places], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[1:] == ["Ash,", "Elm,"]
    first, last = done.stderr.splitlines()
    said = "the agent does not answer: Connection refused; check that it is running"
    assert re.fullmatch(rf"quarry: Kestria, Norrund: kqml://127\.0\.0\.1:\d+/factbook: {said}", first)
    assert last == "quarry: partial result: 2 of 3 pages failed, so rows may be missing"
    assert done.returncode == 1


def test_a_dead_agent_that_was_never_asked_is_one_clear_line(catalog, tmp_path):
    agents = Agents(catalog, tmp_path / "c", ["factbook"])
    agents.stop("factbook")
    with pytest.raises(FetchError, match=r"kqml://127\.0\.0\.1:\d+/factbook: the agent does not answer: .*running$"):
        wq.connect(tmp_path / "c", cache=tmp_path).sql("SELECT country FROM factbook")


def test_an_idle_connection_that_was_closed_is_opened_again(catalog, tmp_path, monkeypatch):
    monkeypatch.setattr(kqml_agent, "IDLE_SECONDS", 0.1)
    with serving(catalog / "factbook.toml") as server:
        (tmp_path / "factbook.toml").write_text(f'[source]\nname = "factbook"\nremote = "{server.address}"\n')
        with wq.connect(tmp_path).open_source("factbook") as table:
            threading.Event().wait(0.5)
            assert len(table.index()) == 14


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://127.0.0.1/x", "not the address of an agent"),
        ("kqml://127.0.0.1/x", "not the address of an agent"),
        ("kqml://me@127.0.0.1:1/x", "not the address of an agent"),
        ("kqml://nowhere.invalid:4500/x", "does not answer"),
    ],
)
def test_addresses_are_checked(tmp_path, address, said):
    (tmp_path / "x.toml").write_text(f'[source]\nname = "x"\nremote = "{address}"\n')
    with pytest.raises(wq.WebquarryError, match=said):
        wq.connect(tmp_path).sql("SELECT * FROM x")


def test_a_token_comes_from_the_environment_or_a_file(catalog, tmp_path, monkeypatch):
    with serving(catalog / "factbook.toml", token="s3cr3t") as server:
        (tmp_path / "factbook.toml").write_text(f'[source]\nname = "factbook"\nremote = "{server.address}"\n')
        query = "SELECT count(*) AS n FROM factbook"
        with pytest.raises(FetchError, match="the token is missing or wrong"):
            wq.connect(tmp_path).sql(query)
        monkeypatch.setenv(TOKEN, "s3cr3t")
        assert wq.connect(tmp_path).sql(query).table.to_pylist() == [{"n": 14}]
        monkeypatch.setenv(TOKEN, "wrong")
        (tmp_path / "token").write_text("s3cr3t\n")
        monkeypatch.setenv(f"{TOKEN}_FILE", str(tmp_path / "token"))
        assert wq.connect(tmp_path).sql(query).table.to_pylist() == [{"n": 14}]


def test_keys_of_several_columns_are_lists(catalog, tmp_path):
    for year in ("1990", "2000"):
        shutil.copytree(catalog / "geos", tmp_path / year)
    book = wq.load_wrapper(catalog / "factbook.toml")
    source = replace(
        book.source, base=str(tmp_path), pages="{year}/{code}.html", key="year,code", index_page="", index_file=""
    )
    wq.save_wrapper(tmp_path / "book.toml", replace(book, source=source))
    with serving(tmp_path / "book.toml") as server, closing(Client(server)) as client:
        asked = '(read (keys ("1990" ks)) (sections geography.area.total))'
        answer = client.send(f"(ask-one :language SECTIONS :content {asked})")
        assert json.loads(answer.text("content")) == {"year": "1990", "code": "ks", "geography.area.total": 75000.0}
        (tmp_path / "remote").mkdir()
        (tmp_path / "remote" / "book.toml").write_text(f'[source]\nname = "book"\nremote = "{server.address}"\n')
        chosen = "code = 'ks' AND year IN ('1990', '2000')"
        query = f"SELECT year, code, geography.area.total FROM book WHERE {chosen} ORDER BY 1"
        here, there = wq.connect(tmp_path / "book.toml").sql(query), wq.connect(tmp_path / "remote").sql(query)
    assert there.table.equals(here.table)
    assert len(here.table) == 2
