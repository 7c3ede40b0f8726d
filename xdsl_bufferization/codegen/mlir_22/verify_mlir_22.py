"""Refuse what MLIR 22 refuses, and change nothing.

    xdsl-opt -p verify-mlir-22 in.mlir

xDSL accepts programs that MLIR refuses, and so do our passes where they can. This pass
is for whoever hands a program on to MLIR, or wants MLIR's strictness for its own sake.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir


@dataclass(frozen=True)
class VerifyMLIR22Pass(ModulePass):
    """Verify a program by the rules of MLIR 22; errors point at an op."""

    name = "verify-mlir-22"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Raise a `VerifyException` at the first op that MLIR refuses."""
        verify_as_mlir(op)
