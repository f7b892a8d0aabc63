import subprocess
import sys

import pytest
from benchmarks.workers import cpu_seconds

if not sys.platform.startswith("linux"):
    pytest.skip("it reads /proc", allow_module_level=True)

PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
BUSY = "import time\nwhile time.process_time() < 0.3: pass\n"


def test_counts_running_children():
    start = cpu_seconds()
    with subprocess.Popen([sys.executable, "-c", BUSY + "print(flush=True); input()"], **PIPES) as child:
        child.stdout.readline()
        assert cpu_seconds() - start >= 0.25
        child.communicate(b"\n")


def test_counts_ended_grandchildren():
    start = cpu_seconds()
    program = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BUSY!r}])"
    subprocess.run([sys.executable, "-c", program], check=True)
    assert cpu_seconds() - start >= 0.25
