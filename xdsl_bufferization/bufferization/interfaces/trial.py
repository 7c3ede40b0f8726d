"""Try the `bufferize` of a model on a copy of its op, and say what is wrong with it.

    for problem in try_bufferize(op, model):
        print(problem)
    # bufferize raises AttributeError: 'ScaleOp' object has no attribute 'matrix'

Used by `check_model`. Each tensor has a buffer of any layout, and nothing is known of
the rest of the program. A model may refuse such buffers with an `OperationError`.
"""

from collections.abc import Iterator, Mapping, Sequence

from typing_extensions import override
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.test_value import create_ssa_value

from xdsl_bufferization.support.errors import OperationError, op_name

from .bufferizable import STAYS_ON_TENSORS, BufferizableOpInterface, get_model
from .conservative_state import ConservativeState, ConservativeTypes
from .operands import OpOperand, is_tensor
from .state import (
    AliasingOpOperand,
    BufferizationState,
    BufferType,
    FunctionSummary,
    is_buffer_type,
)


def try_bufferize(
    op: Operation, model: BufferizableOpInterface, analysis: ConservativeState
) -> Iterator[str]:
    """What is wrong with `bufferize`, one sentence each; `op` stays as it is."""
    copy = _copy_in_its_place(op)
    if not model.has_tensor_semantics(copy):
        return
    state = _TrialState(copy, analysis)
    try:
        # Ops with regions are bufferized before what is inside.
        _bufferize_parent(copy, state)
    except Exception:
        # It is not this model that is asked about.
        return
    try:
        model.bufferize(copy, state)
    except OperationError:
        return
    except Exception as error:
        # Whatever goes wrong in a model is what its author wants to know.
        yield f"bufferize raises {type(error).__name__}: {error}"
        return
    yield from _wrong_operands(state)
    replacement = state.replaced.get(copy)
    if replacement is not None:
        yield from _wrong_buffers(copy, replacement)
    elif any(map(is_tensor, (*copy.operands, *copy.results))):
        yield STAYS_ON_TENSORS


def _bufferize_parent(op: Operation, state: "_TrialState") -> None:
    parent = op.parent_op()
    model = get_model(parent) if parent is not None else None
    if parent is not None and model is not None and model.has_tensor_semantics(parent):
        model.bufferize(parent, state.at(parent))


def _copy_in_its_place(op: Operation) -> Operation:
    """A copy of `op`, inside a copy of everything around it."""
    root = op.get_toplevel_object()
    assert isinstance(root, Operation)
    everything = root.clone()
    Block([everything])
    return next(
        copy
        for each, copy in zip(root.walk(), everything.walk(), strict=True)
        if each is op
    )


def _wrong_operands(state: "_TrialState") -> Iterator[str]:
    """Tensors of the program that new ops use."""
    made = {result for op in state.inserted for result in op.results}
    for op in state.inserted:
        for number, value in enumerate(op.operands):
            if is_tensor(value) and value not in made:
                yield (
                    f"bufferize inserts '{op_name(op)}', whose operand #{number} is a "
                    "tensor of the program: use state.get_buffer of the tensor"
                )


def _wrong_buffers(op: Operation, values: Sequence[SSAValue | None]) -> Iterator[str]:
    """Replacements that cannot be the buffers of the results of `op`."""
    if len(values) != len(op.results):
        yield (
            f"bufferize replaces {len(op.results)} results, but gives "
            f"state.replace_op {len(values)}: give one value for each result"
        )
        return
    for result, value in zip(op.results, values, strict=True):
        if value is not None and is_tensor(result) and not is_buffer_type(value.type):
            yield (
                f"bufferize replaces result #{result.index} by a value of type "
                f"{value.type}, which is no buffer"
            )


class _TrialState(BufferizationState):
    """Buffers that come from nowhere, and what one model does with them."""

    def __init__(self, op: Operation, analysis: ConservativeState):
        self.options = analysis.options
        self.inserted: list[Operation] = []
        self.replaced: dict[Operation, Sequence[SSAValue | None]] = {}
        self._op = op
        self._analysis = analysis
        self._buffers: dict[SSAValue, SSAValue] = {}
        self._types = ConservativeTypes(analysis)

    def at(self, op: Operation) -> "_TrialState":
        """The state for another op of the same program."""
        other = _TrialState(op, self._analysis)
        other.replaced, other._buffers = self.replaced, self._buffers
        return other

    @override
    def get_buffer(self, value: SSAValue) -> SSAValue:
        if value not in self._buffers:
            self._buffers[value] = create_ssa_value(self.get_buffer_type(value))
        return self._buffers[value]

    @override
    def get_buffer_type(self, value: SSAValue) -> BufferType:
        return self._types.unknown(value)

    @override
    def insert(self, op: Operation) -> None:
        block = self._op.parent_block()
        assert block is not None
        block.insert_op_before(op, self._op)
        self.inserted.append(op)

    @override
    def allocate(
        self, type: MemRefType, dynamic_sizes: Sequence[SSAValue] = ()
    ) -> SSAValue:
        return create_ssa_value(type)

    @override
    def allocate_copy(self, buffer: SSAValue, type: MemRefType) -> SSAValue:
        return create_ssa_value(type)

    @override
    def cast(
        self, buffer: SSAValue, type: BufferType, *, may_change_space: bool = False
    ) -> SSAValue:
        return buffer if buffer.type == type else create_ssa_value(type)

    @override
    def get_callee(self, call: Operation) -> Operation | None:
        return self._types.get_callee(call)

    @override
    def get_function_summary(self, call: Operation) -> FunctionSummary | None:
        return self._analysis.get_function_summary(call)

    @override
    def get_aliasing_op_operands(self, value: SSAValue) -> Sequence[AliasingOpOperand]:
        return self._analysis.get_aliasing_op_operands(value)

    @override
    def bufferizes_to_memory_write(self, operand: OpOperand) -> bool:
        return self._analysis.bufferizes_to_memory_write(operand)

    @override
    def replace_op(self, op: Operation, values: Sequence[SSAValue | None]) -> None:
        self.replaced[op] = [*values]

    @override
    def convert_block_arguments(self, block: Block) -> Block:
        return self.replace_block_arguments(block, {})

    @override
    def replace_block_arguments(
        self, block: Block, buffers: Mapping[SSAValue, SSAValue]
    ) -> Block:
        region = block.parent_region()
        if region is None or block.first_op is None:
            return block
        kept = [argument for argument in block.args if argument not in buffers]
        new = Block(
            arg_types=[
                self.get_buffer_type(argument) if is_tensor(argument) else argument.type
                for argument in kept
            ]
        )
        region.insert_block_before(new, block)
        for op in [*block.ops]:
            op.detach()
            new.add_op(op)
        self._buffers |= buffers
        for old, argument in zip(kept, new.args, strict=True):
            if is_tensor(old):
                self._buffers[old] = argument
            else:
                old.replace_all_uses_with(argument)
        for use in [*block.uses]:
            use.operation.successors[use.index] = new
        region.detach_block(block)
        return new

    @override
    def is_written_in_place(self, insertion: Operation) -> bool:
        return self._analysis.is_written_in_place(insertion)

    @override
    def insert_at_module_start(self, op: Operation, key: object) -> Operation:
        return op
