"""What `xbuf lsp` does: serve an editor over the standard input and output.

    xbuf lsp
    xbuf lsp --hints copies --pipeline one-shot-bufferize

`xbuf-lsp` is the same command by itself, for editors that take no arguments for a
server. What an editor sends as options when it starts the server counts more than
arguments.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec

from .early import answer_initialize
from .options import LspOptions

_MISSING = (
    "xbuf lsp: error: pygls is not installed, with which editors are spoken to; "
    "pip install 'xdsl-bufferization[lsp]'\n"
)


def add_lsp_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.description = (
        "Serve an editor with errors, hints, hover, completion and more while a "
        "program is written; it speaks the Language Server Protocol over the standard "
        "input and output."
    )
    add = parser.add_argument
    add(
        "--pipeline",
        metavar="P",
        help="show decisions of these passes, as xdsl-opt -p; default: as xbuf explain",
    )
    add(
        "--hints",
        choices=("all", "copies", "none"),
        default="all",
        help="the operands that have hints; default: all",
    )
    add(
        "--text",
        choices=("mlir", "xdsl"),
        default="mlir",
        help="accept the text of MLIR only, or also that of xDSL; default: mlir",
    )
    add(
        "--unregistered",
        choices=("error", "warning", "allowed"),
        default="error",
        help="what ops of unknown dialects are; default: error",
    )
    add(
        "--stdio",
        action="store_true",
        help="change nothing: many editors start each server with this option",
    )


def serve(options: LspOptions) -> int:
    """Serve until the editor says that it is enough; returns the exit code."""
    if find_spec("pygls") is None or find_spec("lsprotocol") is None:
        sys.stderr.write(_MISSING)
        return 1
    streams = answer_initialize(sys.stdin.buffer, sys.stdout.buffer)
    # The editor has its answer: now what takes long may be imported.
    from .server import start

    start(options, streams)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the script `xbuf-lsp`."""
    parser = argparse.ArgumentParser(prog="xbuf-lsp")
    add_lsp_options(parser)
    given = parser.parse_args(arguments)
    return serve(
        LspOptions(given.pipeline, given.hints, given.text, given.unregistered)
    )


if __name__ == "__main__":
    sys.exit(main())
