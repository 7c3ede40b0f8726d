"""Read what MLIR 22 writes, and change nothing.

    xdsl-opt -p allow-mlir-22 in.mlir

Any pass of this package in a pipeline makes `xdsl-opt` read the text of MLIR 22. This
one does so where no other is needed: before passes of xDSL, or of other packages.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


@dataclass(frozen=True)
class AllowMLIR22Pass(ModulePass):
    """Change nothing; once the pass is loaded, `xdsl-opt` reads MLIR's text."""

    name = "allow-mlir-22"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Leave the program as it is."""
