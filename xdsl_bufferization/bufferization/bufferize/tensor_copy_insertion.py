"""Make copies explicit, such that afterwards every tensor operand is in place.

    %1 = tensor.insert %f into %0[%i] : tensor<4xf32>      // %0 is out of place

    %2 = bufferization.alloc_tensor() copy(%0) : tensor<4xf32>
    %1 = tensor.insert %f into %2[%i] : tensor<4xf32>

The second step of one-shot-bufferize, between the analysis and the rewrite. As a pass
of its own it is MLIR's `tensor-copy-insertion`, today its `test-tensor-copy-insertion`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import bufferization, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
    ModuleOp,
    NoneAttr,
    TensorType,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.static_values import index_constant
from xdsl_bufferization.dialects.scf import InParallelOp
from xdsl_bufferization.support.errors import fail_at

from ..interfaces.noted_copies import find_copied_value
from ..interfaces.operands import OpOperand
from ..interfaces.options import BufferizationOptions
from ..interfaces.state import AnalysisState, BufferTypes, CopyInsertion
from ..mlir_pass import TensorPass
from ..models import new_ops
from .buffer_types import InferredBufferTypes
from .explain import say_decisions
from .ops_with_tensors import OpsWithTensors
from .verified_analysis import analyze_and_verify


def insert_tensor_copies(
    module: ModuleOp, analysis: AnalysisState, ops: OpsWithTensors | None = None
) -> None:
    """Insert a copy for every operand that `analysis` decided to be out of place.

    `ops` are those of `module`, if they are known already.
    """
    ops = ops or OpsWithTensors(module, analysis.options)
    has_spaces = _has_memory_spaces(ops, analysis.options)
    types = None
    if has_spaces:
        types = InferredBufferTypes(module, analysis, guesses_spaces=True)
    copies = TensorCopyInsertion(analysis, types)
    for op, model in ops.bufferizable:
        model.resolve_conflicts(op, copies)


class TensorCopyInsertion(CopyInsertion):
    """Copies as `bufferization.alloc_tensor` ops.

    `types` tells the memory spaces of the program so far; None if there is but one.
    """

    def __init__(self, analysis: AnalysisState, types: BufferTypes | None = None):
        self.analysis = analysis
        self._types = types
        self._originals: dict[SSAValue, SSAValue] = {}

    @override
    def copy_operand(self, operand: OpOperand) -> None:
        needs_contents = not self.analysis.can_omit_tensor_copy(operand)
        value = find_copied_value(operand, self.analysis)
        if value is not operand.value:
            self._copy_value(value, needs_contents)
            return
        op, number = operand
        copy = self._insert_copy(value, op, _point_before(op), needs_contents)
        op.operands[number] = copy

    @override
    def copy_value(self, value: SSAValue) -> None:
        self._copy_value(value, needs_contents=True)

    def _copy_value(self, value: SSAValue, needs_contents: bool) -> None:
        # Taken before the copy uses the value as well.
        uses = list(value.uses)
        owner = value.owner
        if isinstance(owner, Block):
            point, op = InsertPoint.at_start(owner), owner.parent_op()
            assert op is not None
        else:
            point, op = InsertPoint.after(owner), owner
        copy = self._insert_copy(value, op, point, needs_contents)
        for use in uses:
            if use.operation is not owner:
                use.operation.operands[use.index] = copy

    def _insert_copy(
        self, value: SSAValue, op: Operation, point: InsertPoint, needs_contents: bool
    ) -> SSAValue:
        """A new tensor for `value`, at `point`; `op` is named if that is impossible."""
        if not isa(value.type, TensorType):
            return self._insert_copy_of_ranked(value, op, point, needs_contents)
        ops: list[Operation] = []
        if needs_contents:
            alloc = new_ops.alloc_tensor(value.type, copied=value)
        else:
            sizes = _dynamic_sizes(value, value.type, ops)
            alloc = new_ops.alloc_tensor(value.type, sizes)
            if self._types is not None:
                self._set_memory_space(alloc, value, self._types)
        ops.append(alloc)
        for new in ops:
            new.location = op.location
        Rewriter.insert_op(ops, point)
        self._originals[alloc.tensor] = self._originals.get(value, value)
        return alloc.tensor

    def _insert_copy_of_ranked(
        self, value: SSAValue, op: Operation, point: InsertPoint, needs_contents: bool
    ) -> SSAValue:
        """A new tensor of any rank, like `value`: a copy of what was cast to that."""
        ranked = _find_ranked(value)
        if ranked is None:
            fail_at(
                op,
                f"needs a copy of a tensor of type {value.type}, and copying unranked "
                "tensors is not supported; cast it to a ranked tensor before",
            )
        copy = self._insert_copy(ranked, op, point, needs_contents)
        cast = tensor.CastOp.create(operands=[copy], result_types=[value.type])
        cast.location = op.location
        alloc = copy.owner
        assert isinstance(alloc, Operation)
        Rewriter.insert_op(cast, InsertPoint.after(alloc))
        return cast.dest

    def _set_memory_space(
        self, alloc: bufferization.AllocTensorOp, value: SSAValue, types: BufferTypes
    ) -> None:
        """Allocate in the memory space of `value`, which contents would tell."""
        type_ = types.get(self._originals.get(value, value))
        if type_ is not None and type_.memory_space != NoneAttr():
            alloc.properties["memory_space"] = type_.memory_space


def _find_ranked(value: SSAValue) -> SSAValue | None:
    """What was cast to a tensor of any rank; None if nobody knows."""
    while not isa(value.type, TensorType):
        if not isinstance(value.owner, tensor.CastOp):
            return None
        value = value.owner.source
    return value


def _has_memory_spaces(ops: OpsWithTensors, options: BufferizationOptions) -> bool:
    """Whether any buffer can be in another memory space than the default one."""
    if options.must_infer_memory_space or options.use_encoding_for_memory_space:
        return True
    return any(
        "memory_space" in op.properties
        if isinstance(op, bufferization.AllocTensorOp)
        else any(
            isa(value.type, MemRefType) and value.type.memory_space != NoneAttr()
            for value in op.operands
        )
        for op, _ in ops.bufferizable
        if isinstance(op, bufferization.AllocTensorOp | bufferization.ToTensorOp)
    )


def _point_before(op: Operation) -> InsertPoint:
    """Where to copy an operand of `op`: not in the terminator of an `scf.forall`."""
    parent = op.parent_op()
    return InsertPoint.before(parent if isinstance(parent, InParallelOp) else op)


def _dynamic_sizes(
    value: SSAValue, type_: TensorType, ops: list[Operation]
) -> Sequence[SSAValue]:
    """The dynamic sizes of a tensor, computed by what is added to `ops`."""
    owner = value.owner
    if isinstance(owner, tensor.EmptyOp | bufferization.AllocTensorOp):
        given = owner.dynamic_sizes
        if len(given) == type_.get_shape().count(DYNAMIC_INDEX):
            # To ask the tensor itself would be to need it, perhaps for nothing else.
            return given
    sizes: list[SSAValue] = []
    for dimension, size in enumerate(type_.get_shape()):
        if size == DYNAMIC_INDEX:
            number = index_constant(dimension)
            dim = tensor.DimOp(value, number)
            ops += (number, dim)
            sizes.append(dim.result)
    return sizes


@dataclass(frozen=True)
class TensorCopyInsertionPass(TensorPass):
    """Insert a copy for every tensor operand that cannot be used in place."""

    name = "tensor-copy-insertion"

    allow_return_allocs_from_loops: bool = False
    bufferize_function_boundaries: bool = False
    must_infer_memory_space: bool = False

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        options = BufferizationOptions(
            allow_return_allocs_from_loops=self.allow_return_allocs_from_loops,
            bufferize_function_boundaries=self.bufferize_function_boundaries,
            must_infer_memory_space=self.must_infer_memory_space,
        )
        analysis = analyze_and_verify(op, options)
        say_decisions(op, analysis)
        insert_tensor_copies(op, analysis)
