"""Run a PostgreSQL server of our own, on a socket in a folder that is removed afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "postgres"
START_SECONDS = 60


def find_programs() -> Path | None:
    """Find the folder of the server's programs, the newest where there are several."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    found = [*([Path(on_path).resolve()] if on_path else []), *installed]
    return found[-1].parent if found else None


@contextmanager
def running_server() -> Iterator[str]:
    """Start a server; give the address of its database, and end it in the end."""
    programs = find_programs()
    assert programs is not None
    folder = Path(tempfile.mkdtemp(prefix="quarry-pg-"))
    owner = USER if os.getuid() == 0 else None  # the server refuses to run as root
    if owner:
        shutil.chown(folder, owner)
    data = folder / "data"
    made = [programs / "initdb", "-D", data, "-A", "trust", "-U", USER, "-E", "UTF8", "--locale=C", "--no-sync"]
    subprocess.run(made, check=True, capture_output=True, user=owner, cwd=folder)
    settings = {"listen_addresses": "", "unix_socket_directories": str(folder), "fsync": "off"}
    options = [each for name, value in settings.items() for each in ("-c", f"{name}={value}")]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [programs / "postgres", "-D", data, *options], stdout=log, stderr=log, user=owner, cwd=folder
        )
    try:
        _wait(programs, folder, server)
        yield f"postgresql://{USER}@/postgres?host={folder}"
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _wait(programs: Path, folder: Path, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while subprocess.run([programs / "pg_isready", "-q", "-h", folder], check=False).returncode:
        if server.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"PostgreSQL does not start: {(folder / 'log').read_text()[-500:]}")
        time.sleep(0.05)


def copy_csv(address: str, table: str, columns: str, csv: bytes) -> None:
    """Create a table and fill it by COPY, as psql does it."""
    commands = f"CREATE TABLE {table} ({columns}); COPY {table} FROM STDIN WITH (FORMAT csv, HEADER)"
    programs = find_programs()
    assert programs is not None
    first, second = commands.split("; ")
    psql = [programs / "psql", "-q", "-v", "ON_ERROR_STOP=1", address]
    subprocess.run([*psql, "-c", first, "-c", second], check=True, input=csv)
