"""One-shot-bufferize, whole process to whole process: start, read, bufferize, print.

    python benchmarks/processes.py [--peer mlir-opt-22] [--only TEXT] [--limit SECONDS]

Runs `xbuf opt` and mlir-opt on the programs of `one_shot.py`, each at the size that is
nearest to 256 there. Both read the same file and print to nowhere. All are seconds of
processor time, the fastest of three runs in turns.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from measuring import describe_machine, generic_text
from one_shot_programs import ROWS, Row
from text import seconds_of_process

_SIZE: Final = 256

_TURNS: Final = 3

_ONE_SHOT: Final = "--one-shot-bufferize=bufferize-function-boundaries"

_ELIMINATE: Final = "--eliminate-empty-tensors"


def rows(only: str, peer: str, limit: int) -> Iterator[str]:
    """The table, line by line."""
    yield "| program | N | ours | mlir-opt | mlir-opt / ours |"
    yield "|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.mlir"
        for row in ROWS:
            if only in row.name:
                size = min(row.sizes, key=lambda size: abs(size - _SIZE))
                file.write_text(generic_text(row.build(size)))
                yield _line(row, size, file, peer, limit)


def _line(row: Row, size: int, file: Path, peer: str, limit: int) -> str:
    option = _ELIMINATE if row.eliminates_empty_tensors else _ONE_SHOT
    xbuf = str(Path(sys.executable).parent / "xbuf")
    ours = theirs = float("inf")
    for _ in range(_TURNS):
        ours = min(ours, seconds_of_process([xbuf, "opt", option, str(file)], ""))
        if theirs < limit or theirs == float("inf"):
            theirs = min(theirs, _peer_seconds([peer, option, str(file)], limit))
    more = ">" if theirs >= limit else ""
    return (
        f"| {row.name} | {size} | {ours:.2f} | {more}{theirs:.2f} "
        f"| {more}{theirs / ours:.1f} |"
    )


def _peer_seconds(command: list[str], limit: int) -> float:
    try:
        return seconds_of_process(["timeout", str(limit), *command], "")
    except subprocess.CalledProcessError as error:
        if error.returncode != 124:
            raise
        return limit


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="")
    parser.add_argument("--peer", default="mlir-opt-22")
    parser.add_argument("--limit", type=int, default=10)
    arguments = parser.parse_args()
    sys.stdout.write(f"{describe_machine()}\n\n")
    for line in rows(arguments.only, arguments.peer, arguments.limit):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
