"""Read the tile that an iteration writes from the output, not from the tensor before.

    %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8x32xf32>) {
      %s = tensor.extract_slice %t[%i, 0] [1, 32]         // becomes a slice of %o
      %u = linalg.exp ins(%x) outs(%s)
      tensor.parallel_insert_slice %u into %o[%i, 0] [1, 32]
    }

Each iteration gets the output as it was before the loop, so that both slices are equal.
The slice of the output can be computed in place. A slice of `%t` cannot: all iterations
share `%t`, and so each would need a copy.

Runs at the end of `tile-consumer-and-fuse-producers`. A tensor without contents stays
as it is: its slices are new tensors.
Source: MLIR's tiling takes slices of inits from the destination of the loop.
"""

from collections.abc import Sequence

from xdsl.dialects import tensor
from xdsl.dialects.affine import ApplyOp
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.common.slices import slice_of
from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.scf.forall import ForallOp, InParallelOp
from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp
from xdsl_bufferization.support.traversal import ops_inside

_Key = tuple[object, ...]


def read_shared_outputs(module: ModuleOp) -> None:
    """Take slices of the outputs of each `scf.forall`, where iterations write them."""
    for op in ops_inside(module):
        if isinstance(op, ForallOp):
            _read_outputs(op)


def _read_outputs(loop: ForallOp) -> None:
    written = _written_slices(loop)
    outputs = {
        start: output
        for start, output in zip(loop.outputs, loop.region_outputs, strict=True)
        if output in written and not isinstance(start.owner, tensor.EmptyOp)
    }
    if not outputs:
        return
    for op in loop.region.block.ops:
        if not isinstance(op, tensor.ExtractSliceOp):
            continue
        output = outputs.get(op.source)
        if output is not None and _key(op) in written[output]:
            op.operands[0] = output


def _written_slices(loop: ForallOp) -> dict[SSAValue, set[_Key]]:
    """Which slices of each output an iteration writes."""
    terminator = loop.region.block.last_op
    assert isinstance(terminator, InParallelOp)
    written: dict[SSAValue, set[_Key]] = {}
    for op in terminator.region.block.ops:
        if isinstance(op, ParallelInsertSliceOp):
            written.setdefault(op.dest, set()).add(_key(op))
    return written


def _key(op: ParallelInsertSliceOp | tensor.ExtractSliceOp) -> _Key:
    """What is equal for two slices of one tensor that are certainly the same."""
    return tuple(map(_numbers, slice_of(op)))


def _numbers(numbers: Sequence[OpFoldResult]) -> _Key:
    return tuple(map(_number, numbers))


def _number(number: OpFoldResult) -> object:
    """A number; a computed one as its map and operands, for it may be there twice."""
    owner = number.owner if isinstance(number, SSAValue) else None
    if isinstance(owner, Operation) and isinstance(owner, ApplyOp):
        return (owner.map, *owner.operands)
    return number
