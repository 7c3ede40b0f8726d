"""The pass `loop-invariant-code-motion`: what every iteration computes alike, once.

Runs after the calls of kernels are final: it takes their dispatches out of the loops.

    scf.parallel (%i) = ... {                   %0 = xsmm.unary.dispatch zero ...
      %0 = xsmm.unary.dispatch zero ...         scf.parallel (%i) = ... {
      xsmm.unary zero(%0, ...)                    xsmm.unary zero(%0, ...)
    }                                           }

xDSL's `licm` does so for `scf.for` alone; here, as in MLIR's pass of this name, for all
loops. An op moves if it has no effects, may run where it would not have run, and takes
nothing from the loop. Ops with regions stay. `cse` then makes equal dispatches one.
"""

from xdsl.dialects import affine, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator, is_side_effect_free, is_speculatable

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.scf import ForallOp
from xdsl_bufferization.support.classes import of_classes
from xdsl_bufferization.support.traversal import ops_inside

_LOOPS = (
    scf.ForOp,
    scf.ParallelOp,
    scf.WhileOp,
    ForallOp,
    affine.ForOp,
    affine.ParallelOp,
)


_is_loop = of_classes(*_LOOPS)


def move_loop_invariant_code(module: ModuleOp) -> None:
    """Move what does not change out of the loops in `module`, as far as possible."""
    # In program order: what an op takes its operands from has been moved before it.
    for op in ops_inside(module):
        if _is_loop(op.parent_op()) and _may_move(op):
            _move_out(op)


def _may_move(op: Operation) -> bool:
    return (
        not op.regions
        and not op.has_trait(IsTerminator)
        and is_side_effect_free(op)
        and is_speculatable(op)
    )


def _move_out(op: Operation) -> None:
    """Move `op` in front of the outermost loop that it takes nothing from."""
    left: Operation | None = None
    around = op.parent_op()
    while isinstance(around, _LOOPS):
        if any(around.is_ancestor(operand.owner) for operand in op.operands):
            break
        left, around = around, around.parent_op()
    if left is not None:
        op.detach()
        Rewriter.insert_op(op, InsertPoint.before(left))


class LoopInvariantCodeMotionPass(TensorPass):
    """Move ops whose results do not change out of loops."""

    name = "loop-invariant-code-motion"
    rewrite = staticmethod(move_loop_invariant_code)
