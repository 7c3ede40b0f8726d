"""The pass `convert-forall-to-parallel`: `scf.forall` on buffers as `scf.parallel`.

Runs after bufferization, when the loops have no results any more.

    scf.forall (%i, %j) in (8, 16) { ... }
        -> scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c16) step (%c1, %c1) {
             ...
             scf.reduce
           }

A loop that still has results is an error, as in MLIR's `scf-forall-to-parallel`. The
mapping is kept as an attribute. Source: the document "Pass Analysis" of tpp-mlir.
"""

from collections.abc import Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.common.static_values import (
    OpFoldResult,
    index_constant,
)
from xdsl_bufferization.dialects.scf import ForallOp
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.traversal import ops_inside


def convert_forall_to_parallel(module: ModuleOp) -> None:
    """Replace every `scf.forall` in `module`; raises `OperationError` at a result."""
    loops = [op for op in ops_inside(module) if isinstance(op, ForallOp)]
    for loop in loops:
        if loop.results:
            fail_at(
                loop,
                "has results, which scf.parallel cannot put together; bufferize it "
                "first (one-shot-bufferize)",
            )
    for loop in loops:
        _convert(loop)


def _convert(loop: ForallOp) -> None:
    constants: dict[int, arith.ConstantOp] = {}

    def values(bounds: Sequence[OpFoldResult]) -> list[SSAValue]:
        return [
            bound if isinstance(bound, SSAValue) else _constant(bound, constants)
            for bound in bounds
        ]

    lower, upper = values(loop.lower_bounds), values(loop.upper_bounds)
    steps = values(loop.steps)
    body = loop.region
    terminator = body.block.last_op
    assert terminator is not None
    body.block.erase_op(terminator)
    body.block.add_op(scf.ReduceOp())
    parallel = scf.ParallelOp(lower, upper, steps, loop.detach_region(body))
    parallel.attributes.update(loop.attributes)
    parallel.location = loop.location
    if loop.mapping is not None:
        parallel.attributes["mapping"] = loop.mapping
    Rewriter.replace_op(loop, [*constants.values(), parallel])


def _constant(number: int, constants: dict[int, arith.ConstantOp]) -> SSAValue:
    if number not in constants:
        constants[number] = index_constant(number)
    return constants[number].result


class ConvertForallToParallelPass(TensorPass):
    """Turn `scf.forall` without results into `scf.parallel`."""

    name = "convert-forall-to-parallel"
    rewrite = staticmethod(convert_forall_to_parallel)
