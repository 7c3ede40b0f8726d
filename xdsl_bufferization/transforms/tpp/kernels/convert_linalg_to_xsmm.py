"""The pass `convert-linalg-to-xsmm`: structured ops on buffers as calls of kernels.

Runs after bufferization and tiling, on tiles of known sizes.

    linalg.batch_reduce_matmul ins(%a, %b) outs(%c)
        -> %0 = xsmm.brgemm.dispatch [32, 32, 32, 32, 32, 32, 1024, 1024]
                    flags = (none) data_type = f32
           xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %c4_i64) : ...

`elementwise_kernels.py` and `product_kernels.py` say what has a kernel. All other ops
stay, to be lowered to loops. Dispatches are left next to the calls, for
`loop-invariant-code-motion` and `cse` to hoist and share. Source: the document "Pass
Analysis" of tpp-mlir, and https://arxiv.org/abs/2404.15204
"""

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.transforms.mlir_pass import TensorPass
from xdsl_bufferization.transforms.tpp.kernels.elementwise_kernels import (
    elementwise_kernel,
)
from xdsl_bufferization.transforms.tpp.kernels.product_kernels import product_kernel
from xdsl_bufferization.traversal import ops_inside


def convert_linalg_to_xsmm(module: ModuleOp) -> None:
    """Replace the structured ops in `module` that kernels can do."""
    for op in ops_inside(module):
        call = kernel_for(op)
        if call is not None:
            Rewriter.replace_op(op, call)


def kernel_for(op: Operation) -> list[Operation] | None:
    """The call of a kernel that does what `op` does, or nothing."""
    if op.dialect_name() != "linalg" or op.results:
        return None
    structure = structure_of(op)
    if structure is None:
        return None
    return elementwise_kernel(structure) or product_kernel(structure)


class ConvertLinalgToXsmmPass(TensorPass):
    """Call kernels for structured ops on buffers, where there are any."""

    name = "convert-linalg-to-xsmm"
    rewrite = staticmethod(convert_linalg_to_xsmm)
