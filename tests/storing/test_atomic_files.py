"""Files are replaced whole or not at all."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from webquarry.errors import InputError
from webquarry.storing.atomic_files import write_whole


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def umask():
    before = os.umask(0o027)
    yield 0o027
    os.umask(before)


def test_a_file_is_written_with_the_folders_above_it(tmp_path):
    write_whole(tmp_path / "a" / "b" / "c.txt", b"new")
    assert (tmp_path / "a" / "b" / "c.txt").read_bytes() == b"new"


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"a longer old text")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_that_fails_leaves_the_old_file_and_no_temporary_one(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")

    def fail(self, target):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_content_that_cannot_be_written_leaves_nothing(tmp_path):
    with pytest.raises(TypeError):
        write_whole(tmp_path / "a.txt", "no bytes")
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_has_the_permissions_that_the_user_gives(tmp_path, umask):
    write_whole(tmp_path / "a.txt", b"new")
    assert mode(tmp_path / "a.txt") == 0o666 & ~umask


def test_a_replaced_file_keeps_its_permissions(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_whole(path, b"new")
    assert mode(path) == 0o640


def test_asking_for_the_mask_leaves_it(tmp_path, umask):
    write_whole(tmp_path / "a.txt", b"new")
    write_whole(tmp_path / "b.txt", b"new")
    assert mode(tmp_path / "b.txt") == 0o666 & ~umask


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    received = []
    reader = threading.Thread(target=lambda: received.append(path.read_bytes()))
    reader.start()
    write_whole(path, b"new")
    reader.join()
    assert received == [b"new"]
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_a_folder_above_that_is_a_file_is_an_error(tmp_path):
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(InputError, match=r"b\.txt: cannot be written: "):
        write_whole(tmp_path / "a" / "b.txt", b"new")
    assert (tmp_path / "a").read_bytes() == b"old"


def test_a_link_is_written_through(tmp_path):
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
