"""How long a program takes to start: compiled now, or loaded from the cache.

    python benchmarks/starts.py

Each start is a new process, which writes what it has taken: until Python runs, until
the package is imported, and until the function could be called. The program is that of
`resnet.py`: with 46 MB of weights, and with weights that are arguments. The cache is a
folder of its own.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from resnet import Resnet

STARTS: Final = 5

_START: Final = """
import sys, time
began = time.process_time()
import xdsl_bufferization as xbuf
function = xbuf.jit(sys.argv[1])
imported = time.process_time()
function.prepare()
print(imported, time.process_time() - imported, "xdsl" in sys.modules)
"""


def main() -> None:
    """Measure, and write one line for each start."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "resnet18.mlir")
        environment = {**os.environ, "XBUF_CACHE": str(Path(folder, "cache"))}
        for holds_weights in (True, False):
            program.write_text(Resnet(holds_weights=holds_weights).text())
            megabytes = program.stat().st_size / 1e6
            print(f"\nResNet-18, a text of {megabytes:.1f} MB. Times are seconds:")
            print("start   wall  imported after  loaded in (CPU)  xDSL imported")
            for number in range(STARTS):
                _measure(number, program, environment)


def _measure(number: int, program: Path, environment: dict[str, str]) -> None:
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", _START, str(program)],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    seconds = time.perf_counter() - began
    imported, loaded, has_xdsl = done.stdout.split()
    print(
        f"{number:5}  {seconds:5.2f}  {float(imported):14.2f}  {float(loaded):15.2f}"
        f"  {has_xdsl}"
    )


if __name__ == "__main__":
    main()
