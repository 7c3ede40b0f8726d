"""The pass `tm-tensor-to-loops`: ops of tm_tensor on buffers as loops.

Runs after bufferization and deallocation: what a sort allocates it frees itself. Loops
whose iterations are independent are parallel.

    tm_tensor.scan dimension(1) inclusive(true) ins(%x : memref<4x8xf32>) outs(...)
        -> scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
             ... scf.for %j = %c1 to %c8 step %c1 iter_args(%previous = %first) ...
           }

torch-mlir's pass of this name writes sequential loops, and a bubble sort.
"""

from collections.abc import Callable
from typing import Any, Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.dialects.tm_tensor.attention import AttentionOp
from xdsl_bufferization.dialects.tm_tensor.common import TMTensorOp
from xdsl_bufferization.dialects.tm_tensor.scan import ScanOp
from xdsl_bufferization.dialects.tm_tensor.scatter import ScatterOp
from xdsl_bufferization.dialects.tm_tensor.sort import SortOp
from xdsl_bufferization.dialects.tm_tensor.topk import TopkOp
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.traversal import ops_inside

from .loop_builder import LoopBuilder
from .tm_tensor.attention import write_attention
from .tm_tensor.scan import write_scan
from .tm_tensor.scatter import write_scatter
from .tm_tensor.sort import write_sort
from .tm_tensor.topk import write_topk

_WRITERS: Final[dict[type[TMTensorOp], Callable[[Any, LoopBuilder], None]]] = {
    AttentionOp: write_attention,
    ScanOp: write_scan,
    ScatterOp: write_scatter,
    SortOp: write_sort,
    TopkOp: write_topk,
}


def loops_of(op: TMTensorOp) -> Block:
    """The loops of an op on buffers, as a block without a terminator.

    Raises an `OperationError` at an op on tensors.
    """
    if op.results:
        fail_at(op, f"'{op.name}' on tensors must be bufferized first")
    code = LoopBuilder(InsertPoint.at_end(Block()), op.location)
    _WRITERS[type(op)](op, code)
    return code.block


def tm_tensor_to_loops(module: ModuleOp) -> None:
    """Replace every op of tm_tensor in `module`; raises `OperationError` at tensors."""
    for op in ops_inside(module):
        if isinstance(op, TMTensorOp):
            _write_loops(op)


def with_tm_tensor_as_loops(module: ModuleOp) -> ModuleOp:
    """The module, or a copy with loops where `module` has tm_tensor on buffers.

    What a sort or an attention allocates for itself can be seen in its loops alone.
    """
    if not any(map(_is_on_buffers, ops_inside(module))):
        return module
    copy = module.clone()
    for op in ops_inside(copy):
        if isinstance(op, TMTensorOp) and _is_on_buffers(op):
            _write_loops(op)
    return copy


def _is_on_buffers(op: Operation) -> bool:
    return isinstance(op, TMTensorOp) and not op.results


def _write_loops(op: TMTensorOp) -> None:
    loops = loops_of(op)
    Rewriter.inline_block(loops, InsertPoint.before(op))
    Rewriter.erase_op(op)


class TMTensorToLoopsPass(LoweringPass):
    """Turn ops of tm_tensor on buffers into loops."""

    name = "tm-tensor-to-loops"
    rewrite = staticmethod(tm_tensor_to_loops)
