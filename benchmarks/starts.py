"""How long a program takes to start: compiled now, or loaded from the cache.

    python benchmarks/starts.py

Each start is a new process, which writes what it has taken: until Python runs, until
the package is imported, and until the function could be called. The program is that of
`resnet.py`, with 46 MB of weights. The cache is a folder of its own.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from resnet import Resnet

STARTS: Final = 6

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
        program.write_text(Resnet().text())
        environment = {**os.environ, "XBUF_CACHE": str(Path(folder, "cache"))}
        print("start  seconds  imported after  loaded in  (CPU s)  xDSL imported")
        for number in range(STARTS):
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
                f"{number:5}  {seconds:7.2f}  {float(imported):14.2f}  "
                f"{float(loaded):9.2f}           {has_xdsl}"
            )


if __name__ == "__main__":
    main()
