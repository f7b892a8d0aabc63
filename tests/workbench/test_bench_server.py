"""Who may use the workbench, and what it answers to others."""

import json
from http.client import HTTPConnection

import pytest
from tests.workbench.conftest import TOKEN

SHOP = "<main>" + "".join(
    f"<div class=offer><h3><a href=/{n}>Lamp model {n}</a></h3><p class=price>{n}0.50 €</p></div>" for n in range(1, 8)
)


@pytest.fixture
def served(serve, tmp_path):
    page = tmp_path / "shop.html"
    page.write_text(SHOP)
    return serve(page)


def ask(served, method, path, *, body=None, token=TOKEN, **headers):
    connection = HTTPConnection("127.0.0.1", served.port, timeout=30)
    own = {"Host": f"127.0.0.1:{served.port}", "Origin": served.origin}
    own |= {"Cookie": f"quarry-workbench-{served.port}={token}"} if token else {}
    own |= {name.replace("_", "-"): value for name, value in headers.items() if value}
    for name in [name for name, value in headers.items() if value is None]:
        own.pop(name.replace("_", "-"), None)
    connection.request(method, path, body, own)
    answer = connection.getresponse()
    said = answer.read()
    connection.close()
    return answer.status, said, answer.headers


def rename(version=1, **given):
    return json.dumps({"version": version, "page": 0, "action": "rename", "example": "price", "name": "cost", **given})


PATHS = ("/", "/state", "/frames/0", "/resources/0/0", "/tags/0", "/pictures/0", "/assets/app.js")


@pytest.mark.parametrize("token", [None, "", "wrong", TOKEN[:-1], TOKEN + "x", "ünï"])
def test_nothing_is_shown_without_the_token(served, token):
    given = token.encode().decode("latin-1") if token else token
    assert {ask(served, "GET", path, token=given)[0] for path in PATHS} == {403}
    assert ask(served, "POST", "/act", body=rename(), token=given)[0] == 403


def test_the_token_of_the_address_becomes_a_cookie_of_this_site_only(served):
    status, _, headers = ask(served, "GET", f"/?token={TOKEN}", token=None)
    assert (status, headers["Location"]) == (303, "/")
    assert "HttpOnly" in headers["Set-Cookie"]
    assert "SameSite=strict" in headers["Set-Cookie"]
    assert ask(served, "GET", "/?token=guess", token=None)[0] == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "[::1]", "0.0.0.0"])
def test_another_host_name_is_refused(served, host):
    assert {ask(served, "GET", path, Host=host)[0] for path in PATHS} == {400}


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": None},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "none"},
    ],
)
def test_other_pages_change_nothing(served, headers):
    assert ask(served, "POST", "/act", body=rename(), **headers)[0] == 403
    assert json.loads(ask(served, "GET", "/state")[1])["version"] == 1


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../bench_server.py",
        "/assets/%2e%2e/bench_server.py",
        "/assets/vendor/../../bench_server.py",
        "/assets//etc/passwd",
        "/assets/vendor",
        "/assets/app.js/x.js",
        "/assets/..%5cbench_server.py",
        "/assets/nope.js",
        "/frames/1",
        "/frames/-1",
        "/resources/0/99",
        "/resources/9/0",
        "/tags/7",
        "/x",
    ],
)
def test_paths_that_lead_elsewhere_are_not_found(served, path):
    assert ask(served, "GET", path)[0] == 404


@pytest.mark.parametrize("body", ["", "[]", "{", "null", '"x"', "x" * (2**20 + 1)])
def test_what_is_no_action_is_answered(served, body):
    status, said, _ = ask(served, "POST", "/act", body=body)
    assert status == 400
    assert "JSON" in json.loads(said)["error"]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"action": "explode"}, "no action 'explode'"),
        ({"example": "colour"}, 'has no field "colour"'),
        ({"name": "title"}, "is taken"),
        ({"page": "x"}, "page"),
    ],
)
def test_a_wrong_action_is_one_sentence_and_changes_nothing(served, given, error):
    status, said, _ = ask(served, "POST", "/act", body=rename(**given))
    assert status == 422
    assert error in json.loads(said)["error"]
    assert json.loads(ask(served, "GET", "/state")[1])["version"] == 1


def test_a_window_that_is_behind_overwrites_nothing(served):
    assert ask(served, "POST", "/act", body=rename())[0] == 200
    status, said, _ = ask(served, "POST", "/act", body=rename(name="worth"))
    assert status == 409
    answer = json.loads(said)
    assert "another window" in answer["error"]
    assert "cost" in [field["name"] for field in answer["state"]["fields"]]


def test_every_answer_has_a_policy_and_frames_the_strictest(served):
    for path in PATHS:
        headers = ask(served, "GET", path)[2]
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "Access-Control-Allow-Origin" not in headers
    policy = ask(served, "GET", "/frames/0")[2]["Content-Security-Policy"]
    assert "sandbox allow-same-origin" in policy
    assert "script-src" not in policy
