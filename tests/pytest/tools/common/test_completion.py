"""A shell asks what may come next, as argcomplete's script for bash does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

XBUF = [sys.executable, "-m", "xdsl_bufferization.tools.xbuf"]


def complete(line: str, folder: Path) -> list[str]:
    """What may stand at the end of `line`."""
    answer = folder / "answer"
    environment = os.environ | {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
    }
    subprocess.run(XBUF, env=environment, cwd=folder, check=True)
    return [word.strip() for word in answer.read_text().split("\n")]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("xbuf ru", ["run"]),
        ("xbuf explain --h", ["--help", "--html"]),
        ("xbuf run a.mlir --color ", ["always", "auto", "never"]),
        ("xbuf passes pack-m", ["pack-matmul"]),
        ("xbuf stages a.mlir --pipeline pack-m", ["pack-matmul"]),
        ("xbuf run a.mlir --pipeline cse,pack-m", ["cse,pack-matmul"]),
        ("xbuf opt -p cse,pack-m", ["cse,pack-matmul"]),
        ("xbuf opt --pack-m", ["--pack-matmul"]),
        ("xbuf opt -pack-m", ["-pack-matmul"]),
        ("xbuf opt --mlir-timing-display ", ["list", "tree"]),
    ],
)
def test_what_may_come_next(line: str, words: list[str], tmp_path: Path):
    assert sorted(complete(line, tmp_path)) == words


def test_the_package_is_not_needed():
    code = (
        "import sys\n"
        "sys.modules['argcomplete'] = None\n"
        "from xdsl_bufferization.tools.xbuf import main\n"
        "main(['gen', '--batch', '1', '--layers', '1,1'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"_ARGCOMPLETE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "func.func @entry" in done.stdout
