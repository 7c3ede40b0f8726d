"""What a pass has to say about a program that it accepts, in one line with its place.

mlp.mlir:4:8: remark: not packed: 100 columns are not a multiple of 32
"""

import sys
from collections.abc import Callable
from typing import TypeAlias

from xdsl.ir import Operation

from xdsl_bufferization.parsing import locate

Report: TypeAlias = Callable[[str], None]
"""Is told each remark."""


def remark_at(op: Operation, message: str) -> str:
    """A remark about `op`; what was read without locations is called by its name."""
    return f"{locate(op) or repr(op.name)}: remark: {message}"


def write_remark(remark: str) -> None:
    """Write a remark on stderr, where passes tell them if nobody else asks."""
    sys.stderr.write(f"{remark}\n")
