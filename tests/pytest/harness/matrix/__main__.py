"""Run the matrix of forms and passes, and print what it covers.

PYTHONPATH=tests/pytest python -m harness.matrix                    all of it
PYTHONPATH=tests/pytest python -m harness.matrix generic --parts 2  a part
PYTHONPATH=tests/pytest python -m harness.matrix generic --show 17  a program
"""

import argparse
import sys
import time

from harness.matrix.catalogue import FAMILIES, programs_of
from harness.matrix.report import lines_of, unexpected
from harness.matrix.whole import run_parts


def main() -> int:
    """Parse the command line, and run what it says; 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="harness.matrix", description=__doc__)
    parser.add_argument(
        "families", nargs="*", metavar="FAMILY", help=", ".join(FAMILIES)
    )
    parser.add_argument("--parts", type=int, help="of each family")
    parser.add_argument("--processes", type=int, default=2, help="at a time")
    parser.add_argument("--show", type=int, help="write the program of that number")
    options = parser.parse_args()
    families = options.families or [*FAMILIES]
    number: int | None = options.show
    if number is not None:
        program = programs_of(families[0])[number]
        sys.stdout.write(f"// {program.description}\n{program.text}")
        return 0
    started = time.monotonic()
    run = run_parts(families, most=options.parts, processes=options.processes)
    for line in lines_of(run, time.monotonic() - started):
        sys.stdout.write(f"{line}\n")
    return 1 if unexpected(run.cells) or run.not_run else 0


if __name__ == "__main__":
    sys.exit(main())
