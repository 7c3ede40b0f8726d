"""The pass `allow-reordered-sums`: reductions may add up their elements in any order.

    linalg.generic ... iterator_types = ["reduction"] {
      %s = arith.addf %in, %out : f32    ->    ... fastmath<reassoc> : f32
    }

Sums and products of floats along a reduction get the flag. Other arithmetic keeps its
order. `vectorize-loop-nests` uses the permission.
"""

from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.ops import GenericOp, ReduceOp
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Operation

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.support.traversal import ops_inside

from .vector_loops.reductions import combiner_of


def allow_reordered_sums(module: ModuleOp) -> None:
    """Flag all sums and products of floats along reductions."""
    for op in ops_inside(module):
        if isinstance(op, GenericOp | ReduceOp):
            _flag_sums(op)


def _flag_sums(op: Operation) -> None:
    structure = structure_of(op)
    if structure is None or all(structure.parallel):
        return
    body = structure.body.block
    terminator = body.last_op
    assert terminator is not None
    arguments = body.args[len(structure.inputs) :]
    for argument, result in zip(arguments, terminator.operands, strict=True):
        combiner = combiner_of(body, argument, result)
        if isinstance(combiner, arith.AddfOp | arith.MulfOp):
            flags = {*combiner.fastmath.data, FastMathFlag.REASSOC}
            combiner.fastmath = arith.FastMathFlagsAttr(list(flags))


class AllowReorderedSumsPass(LoweringPass):
    """Let reductions add up their elements in any order."""

    name = "allow-reordered-sums"
    rewrite = staticmethod(allow_reordered_sums)
