"""Bufferization of `scf.forall`, a loop whose iterations may run at once.

    %1 = scf.forall (%i) in (4) shared_outs(%o = %0) -> (tensor<4xf32>) {
      ...
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1]
            : tensor<1xf32> into tensor<4xf32>
      }
    }

    scf.forall (%i) in (4) {
      ...
      %view = memref.subview %m[%i] [1] [1]
      memref.copy %s, %view
    }

What an iteration inserts goes into the buffer of the output, which is the result of the
loop. Iterations may run at once, so that none may write to a buffer that it shares with
the others: each writes to a copy of its own. See `parallel_regions.py`.
"""

from collections.abc import Hashable, Sequence

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.irdl import AttrSizedOperandSegments

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.scf import ForallOp, InParallelOp
from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp
from xdsl_bufferization.support.errors import fail_at

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.operands import OpOperand, is_ranked_tensor_type, is_tensor, owner_op
from ...interfaces.region_branch import get_region_branch
from ...interfaces.state import (
    AliasingOpOperand,
    AliasingValue,
    AnalysisState,
    BufferizationState,
    BufferRelation,
    BufferType,
    BufferTypes,
    CopyInsertion,
)
from ...interfaces.subset import WHOLE, SubsetOpInterface, comes_as
from .. import new_ops
from ..slices import (
    constant_value,
    create_subview,
    is_as_large,
    mixed_slice,
    static_numbers,
)

_STATIC_BOUNDS = ("staticLowerBound", "staticUpperBound", "staticStep")
"""The properties with what is known of the bounds."""

_DEST = 1
"""Number of the destination among the operands of `tensor.parallel_insert_slice`."""


class ForallOpBufferization(BufferizableOpInterface):
    """`scf.forall`: its results are the buffers of its outputs."""

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        # As in MLIR also where every element is overwritten.
        return True

    @override
    def bufferizes_to_memory_write(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return True

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        op, number = operand
        result = op.results[number - _first_output(op)]
        return (AliasingValue(result, BufferRelation.EQUIVALENT),)

    @override
    def get_aliasing_op_operands(
        self, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOpOperand]:
        if not isinstance(value, OpResult):
            return ()
        return (AliasingOpOperand(tied_output(value), BufferRelation.EQUIVALENT),)

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        assert isinstance(value, OpResult | BlockArgument)
        return types.get(tied_output(value).value)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        assert isinstance(op, ForallOp)
        first = _first_output(op)
        bounds, outputs = op.operands[:first], op.operands[first:]
        buffers = [state.get_buffer(output) for output in outputs]
        block = op.regions[0].block
        arguments = block.args[len(block.args) - len(outputs) :]
        state.replace_block_arguments(block, dict(zip(arguments, buffers, strict=True)))
        groups = static_numbers(op, AttrSizedOperandSegments.attribute_name)[:3]
        loop = ForallOp.create(
            operands=bounds,
            properties={**op.properties, **new_ops.segments(*groups, 0)},
            attributes=op.attributes,
            regions=[op.detach_region(0)],
        )
        state.insert(loop)
        state.replace_op(op, buffers)

    @override
    def is_writable(self, value: SSAValue, state: AnalysisState) -> bool:
        return True

    @override
    def is_repetitive_region(self, op: Operation, index: int) -> bool:
        assert isinstance(op, ForallOp)
        return any(
            lower is None or upper is None or step is None or lower + step < upper
            for lower, upper, step in _known_bounds(op)
        )

    @override
    def is_parallel_region(self, op: Operation, index: int) -> bool:
        return self.is_repetitive_region(op, index)


class InParallelOpBufferization(BufferizableOpInterface):
    """`scf.forall.in_parallel`: what it combines happens before it, on buffers.

    It stays as the empty terminator of the loop.
    """

    @override
    def has_tensor_semantics(self, op: Operation) -> bool:
        return op.regions[0].block.first_op is not None

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        for insertion in op.regions[0].block.ops:
            if not isinstance(insertion, ParallelInsertSliceOp):
                fail_at(insertion, f"'{insertion.name}' cannot be bufferized here")
            _insert(insertion, state)


class ParallelInsertSliceOpBufferization(BufferizableOpInterface):
    """`tensor.parallel_insert_slice`: a copy into a view of the destination.

    The destination is in place whatever the analysis says of other ops: a copy of it
    would be lost. `InParallelOpBufferization` does the rewriting.
    """

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        op = operand.owner
        assert isinstance(op, ParallelInsertSliceOp)
        if operand.number != _DEST:
            return True
        # What no iteration inserts is still needed: one insertion speaks for all.
        # MLIR leaves that out, and lets the body change it.
        previous, dest = op.prev_op, operand.value
        return not (is_as_large(op, dest) or _has_its_sizes(op, dest)) and (
            previous is None or previous.operands[_DEST] is not dest
        )

    @override
    def bufferizes_to_memory_write(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return operand.number == _DEST

    @override
    def must_bufferize_in_place(self, operand: OpOperand, state: AnalysisState) -> bool:
        return operand.number == _DEST

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return ()

    @override
    def is_not_conflicting(
        self, op: Operation, read: OpOperand, write: OpOperand, state: AnalysisState
    ) -> bool:
        if read != OpOperand(op, 0):
            return False
        # A tensor that is inserted into itself fills all of it with what is there; what
        # the body has written there before is another thing.
        if read.value is op.operands[_DEST]:
            return write.owner.parent is op.parent
        # If it is in the same buffer, each element is copied to where it is.
        return write.owner is op and _replaces(op, state)

    @override
    def resolve_conflicts(self, op: Operation, copies: CopyInsertion) -> None:
        if copies.analysis.copies_before_writes(op) and (
            _may_insert_what_changes(op, copies.analysis)
        ):
            copies.copy_operand(OpOperand(op, 0))

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        """Do nothing, see `InParallelOpBufferization`."""


def _replaces(op: Operation, state: AnalysisState) -> bool:
    """Whether all of the destination is replaced by what was computed in it."""
    assert isinstance(op, ParallelInsertSliceOp)
    value, dest = op.operands[:2]
    offsets, _, strides = mixed_slice(op)
    is_all = {*offsets} <= {0} and {*strides} <= {1} and _has_its_sizes(op, dest)
    while is_all and value is not dest:
        origins = state.get_aliasing_op_operands(value)
        if len(origins) != 1 or origins[0].relation is not BufferRelation.EQUIVALENT:
            return False
        value = origins[0].operand.value
    return is_all


def _has_its_sizes(op: ParallelInsertSliceOp, dest: SSAValue) -> bool:
    """Whether the sizes of the slice are those of `dest`, also dynamic ones."""
    if not is_ranked_tensor_type(dest.type):
        return False
    _, sizes, _ = mixed_slice(op)
    shape = dest.type.get_shape()
    return all(
        size == known if isinstance(size, int) else _is_size(size, dest, number)
        for number, (size, known) in enumerate(zip(sizes, shape, strict=True))
    )


def _is_size(value: SSAValue, dest: SSAValue, dimension: int) -> bool:
    """Whether a value is `tensor.dim` of an output, inside of the loop or outside."""
    dim = value.owner
    if not isinstance(dim, tensor.DimOp) or constant_value(dim.index) != dimension:
        return False
    if dim.source is dest:
        return True
    return isinstance(dest, BlockArgument) and dim.source is tied_output(dest).value


def _insert(op: ParallelInsertSliceOp, state: BufferizationState) -> None:
    tensor, into = op.operands[:2]
    source, destination = state.get_buffer(tensor), state.get_buffer(into)
    if not state.is_written_in_place(op):
        assert is_ranked_tensor_type(tensor.type)
        subview = create_subview(op, destination, tensor.type)
        state.insert(subview)
        state.insert(new_ops.copy(source, subview.results[0]))
    state.replace_op(op, [])


def _may_insert_what_changes(op: Operation, state: AnalysisState) -> bool:
    """Whether the source may be a view of what is inserted into at the same time.

    Not if it lies where it is inserted. All else that the body writes is a copy, and so
    are the outputs themselves: they are not in the buffer of anything outside.
    """
    source, dest = op.operands[0], op.operands[_DEST]
    parent = op.parent_op()
    if source is dest or parent is None:
        return False
    body, key = parent.parent, _get_subset(op)

    def may_be_output(value: SSAValue) -> bool:
        owner = value.owner
        if isinstance(owner, Block):
            return owner is body
        # Who does not say what its regions result in may forward what they see.
        return get_region_branch(owner) is None and bool(_forwarded_inside(owner))

    def is_extracted(value: SSAValue) -> bool:
        owner = value.owner
        return (
            isinstance(owner, tensor.ExtractSliceOp)
            and owner.source is dest
            and (key == WHOLE or _get_subset(owner) == key)
        )

    def get_origins(value: SSAValue) -> list[SSAValue]:
        owner = owner_op(value)
        aliases = state.get_aliasing_op_operands(value)
        origins = [alias.operand.value for alias in aliases]
        if owner is not None and get_region_branch(owner) is not None:
            origins += _forwarded_inside(owner)
            origins += filter(is_tensor, owner.operands)
        return origins

    return not comes_as(source, may_be_output, is_extracted, get_origins)


def _forwarded_inside(op: Operation) -> list[SSAValue]:
    """The tensors that blocks of `op` forward where they end, to whoever gets them."""
    return [
        value
        for region in op.regions
        for block in region.blocks
        if block.last_op is not None
        for value in block.last_op.operands
        if is_tensor(value)
    ]


def _get_subset(op: Operation) -> Hashable:
    model = op.get_trait(SubsetOpInterface)
    return op if model is None else model.get_subset(op)


def _first_output(op: Operation) -> int:
    """The number of the first output of an `scf.forall` among its operands."""
    return len(op.operands) - len(op.results)


def tied_output(value: OpResult | BlockArgument) -> OpOperand:
    """The output that becomes a result, or an argument of the body."""
    if isinstance(value, OpResult):
        return OpOperand(value.op, _first_output(value.op) + value.index)
    op = value.block.parent_op()
    assert isinstance(op, ForallOp)
    # The outputs are the last operands and the last arguments.
    return OpOperand(op, len(op.operands) - len(value.block.args) + value.index)


def _known_bounds(
    op: ForallOp,
) -> list[tuple[int | None, int | None, int | None]]:
    """Lower bound, upper bound and step of each dimension, None where not known."""
    static = [static_numbers(op, name) for name in _STATIC_BOUNDS]
    if not any(DYNAMIC_INDEX in numbers for numbers in static):
        return list(zip(*static, strict=True))
    bounds = zip(op.lower_bounds, op.upper_bounds, op.steps, strict=True)
    return [
        (_known(lower), _known(upper), _known(step)) for lower, upper, step in bounds
    ]


def _known(number: OpFoldResult) -> int | None:
    return number if isinstance(number, int) else constant_value(number)


FORALL: dict[type[Operation], BufferizableOpInterface] = {
    ForallOp: ForallOpBufferization(),
    InParallelOp: InParallelOpBufferization(),
}
"""The part of the scf dialect that this module knows."""
