"""Run a tool as if each method that this package changes were another one in xDSL.

python as_another_xdsl.py xbuf run mlp.mlir
python as_another_xdsl.py xdsl-opt -p one-shot-bufferize mlp.mlir
"""

import sys

from xdsl_bufferization.dialects.xdsl_patches import guard


def main() -> None:
    guard.KNOWN_METHODS = {}  # pyright: ignore[reportAttributeAccessIssue]
    tool = sys.argv.pop(1)
    if tool == "xbuf":
        from xdsl_bufferization.tools.xbuf import main as xbuf

        sys.exit(xbuf())
    from xdsl.tools.xdsl_opt import main as xdsl_opt

    xdsl_opt()


if __name__ == "__main__":
    main()
