"""Files are replaced whole or not at all."""

from __future__ import annotations

import gzip
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from webquarry.errors import InputError
from webquarry.storing.result_files import read_text, remove_abandoned, write_whole


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


def test_a_name_that_ends_in_gz_is_packed_and_read_back(tmp_path):
    for name in ("a.csv.gz", "b.csv.gz"):
        write_whole(tmp_path / name, "ä,b\n".encode())
    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()).decode() == "ä,b\n"
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()
    assert read_text(tmp_path / "a.csv.gz") == "ä,b\n"


@pytest.mark.parametrize("content", [b"no gzip", gzip.compress(b"x" * 100, mtime=0)[:-9]], ids=["no gzip", "cut off"])
def test_a_broken_gzip_file_is_told(tmp_path, content):
    (tmp_path / "a.jsonl.gz").write_bytes(content)
    with pytest.raises(InputError, match="not a whole gzip file"):
        read_text(tmp_path / "a.jsonl.gz")


def test_a_small_file_that_unpacks_to_a_huge_one_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("webquarry.storing.result_files.MAX_TEXT_BYTES", 1000)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b"x" * 2000))
    with pytest.raises(InputError, match="unpacks to more than 1,000 bytes"):
        read_text(tmp_path / "a.jsonl.gz")


LEFT = """
import os, signal, sys
from pathlib import Path
from webquarry.storing.result_files import Pieces

Pieces(Path(sys.argv[1]), None).write(b"half")
print("written", flush=True)
if sys.argv[2] == "die":
    os.kill(os.getpid(), signal.SIGKILL)
sys.stdin.read()
"""


def leave(path, way):
    command = [sys.executable, "-c", LEFT, str(path), way]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"written\n"
    return process


def test_what_a_killed_process_left_is_taken_away_by_the_next_one(tmp_path):
    leave(tmp_path / "a.csv", "die").communicate()
    assert len(list(tmp_path.iterdir())) == 1
    remove_abandoned.cache_clear()
    write_whole(tmp_path / "b.csv", b"whole")
    assert list(tmp_path.iterdir()) == [tmp_path / "b.csv"]


def test_what_another_process_is_writing_stays(tmp_path):
    (tmp_path / ".quarry-notes").write_text("not ours")
    other = leave(tmp_path / "a.csv", "wait")
    remove_abandoned.cache_clear()
    write_whole(tmp_path / "b.csv", b"whole")
    assert len(list(tmp_path.iterdir())) == 3
    other.communicate(b"")
