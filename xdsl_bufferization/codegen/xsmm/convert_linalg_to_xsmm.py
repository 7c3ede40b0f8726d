"""The pass `convert-linalg-to-xsmm`: structured ops on buffers as calls of kernels.

Runs after bufferization and tiling, on tiles of known sizes.

    linalg.batch_reduce_matmul ins(%a, %b) outs(%c)
        -> %0 = xsmm.brgemm.dispatch [32, 32, 32, 32, 32, 32, 1024, 1024]
                    flags = (none) data_type = f32
           xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %c4_i64) : ...

With `skip-operations`, calls of some kinds are not made: see `KINDS`.

`elementwise_kernels.py` and `product_kernels.py` say what has a kernel. All other ops
stay, to be lowered to loops. Dispatches are left next to the calls, for
`loop-invariant-code-motion` and `cse` to hoist and share. Source: the document "Pass
Analysis" of tpp-mlir, and https://arxiv.org/abs/2404.15204
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.ops import CopyOp, FillOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.dialects.xsmm import BinaryOp, BrgemmOp, UnaryOp
from xdsl_bufferization.dialects.xsmm.attributes import UnaryKind
from xdsl_bufferization.optimization.fusion.fuse_loops_over_rows import ROW_LOOP
from xdsl_bufferization.support.traversal import ops_inside

from .elementwise_kernels import elementwise_kernel
from .kernel_calls import replace_by_call
from .product_kernels import product_kernel
from .split_transposes import split_transposes

KINDS: Final = (
    "fill",
    "transpose",
    "unary",
    "binary",
    "brgemm",
    "matmul",
    "copy",
    "vnni",
)
"""The kinds of calls that can be skipped, as in tpp-mlir; `all` stands for all."""


def convert_linalg_to_xsmm(module: ModuleOp, skipped: Collection[str] = ()) -> None:
    """Replace the structured ops in `module` that kernels can do.

    But for those whose call is of a skipped kind.
    """
    if "transpose" not in skipped:
        split_transposes(ops_inside(module))
    for op in ops_inside(module):
        call = kernel_for(op)
        if call is None:
            continue
        if skipped and _kind_of(op, call[-1]) in skipped:
            for each in call:
                each.drop_all_references()
        else:
            replace_by_call(op, call)


def _kind_of(op: Operation, call: Operation) -> str:
    """Which of `KINDS` the call for `op` is."""
    match call:
        case UnaryOp():
            if isinstance(op, FillOp | CopyOp):
                return "fill" if isinstance(op, FillOp) else "copy"
            kinds = {UnaryKind.TRANSPOSE: "transpose", UnaryKind.VNNI_2: "vnni"}
            return kinds.get(call.kind.data, "unary")
        case BinaryOp():
            return "binary"
        case BrgemmOp():
            return "brgemm"
        case _:
            return "matmul"


def kernel_for(op: Operation) -> list[Operation] | None:
    """The call of a kernel that does what `op` does, or nothing."""
    if op.dialect_name() != "linalg" or op.results or _is_of_row(op):
        return None
    structure = structure_of(op)
    if structure is None:
        return None
    return elementwise_kernel(structure) or product_kernel(structure)


def _is_of_row(op: Operation) -> bool:
    """Whether an op is one of several that compute a row: a call would take longer."""
    parent = op.parent_op()
    return parent is not None and ROW_LOOP in parent.attributes


@dataclass(frozen=True)
class ConvertLinalgToXsmmPass(TensorPass):
    """Call kernels for structured ops on buffers, where there are any."""

    name = "convert-linalg-to-xsmm"

    skip_operations: tuple[str, ...] = ()
    """The kinds of calls that are not made, such as `fill`; `all` for none at all."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        unknown = {*self.skip_operations} - {*KINDS, "all"}
        if unknown:
            raise PassFailedException(
                f"skip-operations has {min(unknown)}, which is none of "
                f"{', '.join(KINDS)} and all"
            )
        if "all" not in self.skip_operations:
            convert_linalg_to_xsmm(op, self.skip_operations)
