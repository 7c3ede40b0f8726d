"""Show that this package is a good guest in xDSL, by xDSL's own tests.

    python tests/guest/compare_suites.py                     # both parts
    python tests/guest/compare_suites.py --part used
    python tests/guest/compare_suites.py --xdsl 0.74.0 --jobs 4
    python tests/guest/compare_suites.py --one-in 5 --used-one-in 3     # fewer of them

Part "installed" runs xDSL's two suites in an environment with this package and in one
without. It fails if the verdict of a test differs.

Part "used" runs each call of `xdsl-opt` in xDSL's file checks again, while this
package's support of MLIR is active. It fails if a call no longer succeeds, or makes
another program, unless `exceptions.toml` says why.

The suites come from xDSL's source distribution. That, the environments and all that
tests write is in `build/guest`; remove the folder to start anew. File checks that need
tools of MLIR 22 run where these are installed.
"""

import argparse
import importlib.metadata
import os
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial

from environments import prepare
from installed import installed
from used import ACTIVE, used

PARTS = ("installed", "used")


def main() -> int:
    """Run the parts that the command line selects; return 1 if one fails."""
    options = _options()
    with _timed("preparation"):
        guest = prepare(options.xdsl)
    parts: dict[str, Callable[[], bool]] = {
        "installed": partial(installed, guest, options.jobs, _write, options.one_in),
        "used": partial(
            used, guest, options.jobs, _write, options.active, options.used_one_in
        ),
    }
    good = True
    for part in options.part or PARTS:
        with _timed(f"part '{part}'"):
            good &= parts[part]()
    return 0 if good else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0], allow_abbrev=False
    )
    parser.add_argument("--part", action="append", choices=PARTS, help="only this part")
    parser.add_argument(
        "--xdsl",
        metavar="VERSION",
        default=importlib.metadata.version("xdsl"),
        help="the version of xDSL, instead of the installed one",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        help="how many tests run at a time, instead of one for each core",
    )
    parser.add_argument(
        "--one-in",
        type=int,
        default=1,
        metavar="N",
        help="part 'installed' runs one of N file checks, always the same",
    )
    parser.add_argument(
        "--used-one-in",
        type=int,
        default=1,
        metavar="N",
        help="part 'used' runs one of N file checks, always the same",
    )
    parser.add_argument(
        "--active",
        metavar="PASS",
        default=ACTIVE,
        help=f"the pass that part 'used' puts in front, instead of {ACTIVE}",
    )
    return parser.parse_args()


@contextmanager
def _timed(what: str) -> Generator[None]:
    started = time.monotonic()
    try:
        yield
    finally:
        _write(f"{what} took {time.monotonic() - started:.0f} seconds")


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
