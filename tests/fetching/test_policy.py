from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from webquarry.fetching.policy import Policy, cache_path, cache_size, clear_cache


def test_default_cache_follows_xdg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_path().parent == Path("/somewhere/webquarry")


@pytest.mark.parametrize("value", ["", "not/absolute"])
def test_default_cache_is_in_the_home_folder_without_a_usable_xdg(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", value)
    monkeypatch.setenv("HOME", "/home/ada")
    assert cache_path().parent == Path("/home/ada/.cache/webquarry")


def test_cache_folder_can_be_chosen(tmp_path: Path) -> None:
    assert cache_path(Policy(cache=tmp_path)).parent == tmp_path


def test_a_tilde_in_the_cache_folder_is_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert cache_path(Policy(cache=Path("~/pages"))).parent == Path("/home/ada/pages")


def test_clearing_a_cache_that_is_not_there_frees_nothing(tmp_path: Path) -> None:
    assert clear_cache(Policy(cache=tmp_path / "none")) == 0


def test_clearing_deletes_the_database_and_its_companions_only(tmp_path: Path) -> None:
    policy = Policy(cache=tmp_path)
    database = cache_path(policy)
    for ending in ("", "-wal", "-shm"):
        database.with_name(database.name + ending).write_bytes(b"12345")
    other = tmp_path / "mine.txt"
    other.write_text("keep")
    assert cache_size(policy) == 15
    assert clear_cache(policy) == 15
    assert list(tmp_path.iterdir()) == [other]


def test_offline_and_refresh_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="cannot be used together"):
        Policy(offline=True, refresh=True)


@pytest.mark.parametrize("rate", [0, -1, float("nan")])
def test_a_rate_has_to_be_above_zero(rate: float) -> None:
    with pytest.raises(ValueError, match=r"math\.inf"):
        Policy(requests_per_second=rate)


def test_a_policy_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Policy().offline = True  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("Ünï", "ö", "cannot be the name of a header"),
        ("X Y", "a", "cannot be the name of a header"),
        ("", "a", "cannot be the name of a header"),
        ("X", "a\r\nY: b", "on one line"),
        ("Content-Length", "5", "set by the request itself"),
        ("transfer-encoding", "chunked", "set by the request itself"),
    ],
)
def test_headers_that_cannot_be_sent_are_rejected(name: str, value: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Policy(headers=((name, value),))


def test_usual_headers_are_accepted() -> None:
    headers = (
        ("Authorization", "Basic YTpi"),
        ("Cookie", "a=b; c=d"),
        ("X-Empty", "é"),
        ("Accept-Language", "de, en;q=0.5"),
    )
    assert Policy(headers=headers).headers == headers
