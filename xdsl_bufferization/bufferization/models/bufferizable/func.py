"""Bufferization of functions, calls and returns.

    func.func @f(%t : tensor<4xf32>) -> tensor<4xf32>
    func.func @f(%t : memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, ...>

Only with `bufferize-function-boundaries`; otherwise func ops keep their tensors. What a
call does to its operands is what the analysis of its callee found.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from typing_extensions import override
from xdsl.dialects import bufferization, func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    MemRefLayoutAttr,
    TensorType,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.support.errors import fail_at

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.layouts import boundary_type, is_cast_safe, join_types, with_layout
from ...interfaces.memory_spaces import default_memory_space
from ...interfaces.operands import OpOperand, is_tensor, is_tensor_type
from ...interfaces.options import BufferizationOptions, LayoutMapOption
from ...interfaces.state import (
    AliasingOpOperand,
    AliasingValue,
    AnalysisState,
    BufferizationState,
    BufferRelation,
    BufferType,
    BufferTypes,
    FunctionSummary,
)
from .. import new_ops
from .blocks import (
    convert_inner_blocks,
    get_aliasing_branch_op_operands,
    get_joined_type,
)
from .read_only import ReadOnlyBufferization

_WRITABLE = "bufferization.writable"
_BUFFER_LAYOUT = "bufferization.buffer_layout"


class FuncOpBufferization(BufferizableOpInterface):
    """`func.func`: its arguments belong to it, unless they say otherwise."""

    @override
    def has_tensor_semantics(self, op: Operation) -> bool:
        assert isinstance(op, func.FuncOp)
        type_ = op.function_type
        return any(map(is_tensor_type, (*type_.inputs, *type_.outputs))) or any(
            is_tensor(argument) for block in op.body.blocks for argument in block.args
        )

    @override
    def is_writable(self, value: SSAValue, state: AnalysisState) -> bool:
        assert isinstance(value, BlockArgument)
        op = value.block.parent_op()
        assert isinstance(op, func.FuncOp)
        if value.block is not op.body.first_block:
            return True  # It aliases what is passed to it, which may not be.
        writable = _argument_attributes(op, value.index).get(_WRITABLE)
        return not isinstance(writable, IntegerAttr) or bool(writable.value.data)

    @override
    def supports_unstructured_control_flow(self, op: Operation) -> bool:
        return True

    @override
    def get_aliasing_op_operands(
        self, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOpOperand]:
        assert isinstance(value, BlockArgument)
        return get_aliasing_branch_op_operands(value)

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        assert isinstance(value, BlockArgument)
        op = value.block.parent_op()
        assert isinstance(op, func.FuncOp)
        if value.block is not op.body.first_block:
            return get_joined_type(value, types)
        return _argument_type(op, value.index, types.options)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        assert isinstance(op, func.FuncOp)
        inputs = _input_types(op, state.options)
        outputs = _output_types(op, state)
        if op.body.blocks:
            state.convert_block_arguments(op.body.blocks[0])
            convert_inner_blocks(op, state)
        op.function_type = FunctionType.from_lists(inputs, outputs)
        _drop_argument_attributes(op)


class CallOpBufferization(BufferizableOpInterface):
    """`func.call`: it does what its callee does; if unknown, anything."""

    @override
    def is_writable(self, value: SSAValue, state: AnalysisState) -> bool:
        assert isinstance(value, OpResult)
        summary = state.get_function_summary(value.op)
        return summary is not None and value.index not in summary.read_only_results

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        summary = state.get_function_summary(operand.owner)
        return (
            summary is None
            or operand.number in summary.read_args
            or _may_be_written_twice(operand, summary, state)
        )

    @override
    def bufferizes_to_memory_write(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        summary = state.get_function_summary(operand.owner)
        return summary is None or operand.number in summary.written_args

    @override
    def result_bufferizes_to_memory_write(
        self, value: OpResult, state: AnalysisState
    ) -> bool:
        # A callee may return one of two tensors: its argument, or one of its own. MLIR
        # takes only the first into account.
        summary = state.get_function_summary(value.op)
        return (
            summary is None
            or summary.defined_results is None
            or value.index in summary.defined_results
            or super().result_bufferizes_to_memory_write(value, state)
        )

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        op, number = operand
        summary = state.get_function_summary(op)
        if summary is None:
            return super().get_aliasing_values(operand, state)
        aliasing = summary.aliasing_results.get(number, ())
        equivalent = _is_equivalent(number, aliasing, summary)
        relation = BufferRelation.EQUIVALENT if equivalent else BufferRelation.UNKNOWN
        return [
            AliasingValue(op.results[index], relation, is_definite=equivalent)
            for index in aliasing
        ]

    @override
    def may_copy_in_place(self, op: Operation, state: AnalysisState) -> bool:
        summary = state.get_function_summary(op)
        return summary is not None and (
            _may_copy_arguments(state.options) or bool(summary.moved_results)
        )

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        assert isinstance(value, OpResult)
        operand = _get_same_buffer(value, types)
        if operand is not None:
            return types.get(operand)
        call = value.op
        assert isinstance(call, func.CallOp)
        callee = _get_callee(call, types.get_callee(call))
        return _result_type(callee, value.index, types.options, types.get)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        assert isinstance(op, func.CallOp)
        callee = _get_callee(op, state.get_callee(op))
        inputs = _input_types(callee, state.options)
        arguments = _buffers_for(op, inputs, state)
        call = func.CallOp.create(
            operands=arguments,
            result_types=_output_types(callee, state),
            properties=op.properties,
            attributes=op.attributes,
        )
        state.insert(call)
        _copy_back(op, arguments, state)
        state.replace_op(
            op,
            [
                _result_buffer(result, new, state)
                for result, new in zip(op.results, call.results, strict=True)
            ],
        )


def _may_be_written_twice(
    operand: OpOperand, summary: FunctionSummary, state: AnalysisState
) -> bool:
    """Whether a callee may read what it wrote, from a buffer of two arguments.

        call @fill_both(%t, %t)     // fills the first, then the second; reads the first

    Such arguments must not be one buffer, even if neither is read before it is written.
    MLIR overlooks such calls.
    """
    op, number = operand
    if number not in summary.written_args or (
        summary.reread_args is not None and number not in summary.reread_args
    ):
        return False
    return number in state.operands_of_one_buffer(op, summary.written_args)


class ReturnOpBufferization(ReadOnlyBufferization):
    """`func.return`: the caller may read what it gets."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        function = op.parent_op()
        assert isinstance(function, func.FuncOp)
        outputs = function.function_type.outputs.data
        state.insert(func.ReturnOp.create(operands=_buffers_for(op, outputs, state)))
        state.replace_op(op, [])


# --- boundaries ----------------------------------------------------------------------


def _argument_type(
    op: func.FuncOp, index: int, options: BufferizationOptions
) -> BufferType:
    """The buffer type of a tensor argument."""
    tensor = op.function_type.inputs.data[index]
    layout = _argument_attributes(op, index).get(_BUFFER_LAYOUT)
    if layout is None:
        return _boundary_type(op, tensor, options)
    if not isinstance(layout, MemRefLayoutAttr) or not isa(tensor, TensorType):
        fail_at(op, f"{_BUFFER_LAYOUT} of argument {index} is no layout for {tensor}")
    return with_layout(tensor, layout, default_memory_space(tensor, op, options))


def _boundary_type(
    op: func.FuncOp, tensor: Attribute, options: BufferizationOptions
) -> BufferType:
    """The buffer type of an argument or result of which nothing is known."""
    space = default_memory_space(tensor, op, options)
    return boundary_type(tensor, options.function_boundary_type_conversion, space)


def _input_types(op: func.FuncOp, options: BufferizationOptions) -> list[Attribute]:
    """The types of all arguments, also if the function is bufferized already."""
    return [
        _argument_type(op, index, options) if is_tensor_type(type_) else type_
        for index, type_ in enumerate(op.function_type.inputs)
    ]


def _output_types(op: func.FuncOp, state: BufferizationState) -> list[Attribute]:
    """The types of all results, also if the function is bufferized already."""
    types: list[Attribute] = []
    for index, type_ in enumerate(op.function_type.outputs):
        if is_tensor_type(type_):
            found = _result_type(op, index, state.options, state.get_buffer_type)
            assert found is not None
            types.append(found)
        else:
            types.append(type_)
    return types


def _result_type(
    op: func.FuncOp,
    index: int,
    options: BufferizationOptions,
    get_type: Callable[[SSAValue], BufferType | None],
) -> BufferType | None:
    """The buffer type of a tensor result; None if it hinges on one not yet known."""
    type_ = op.function_type.outputs.data[index]
    if isa(type_, BufferType):
        return type_  # The function is bufferized already.
    option = options.function_boundary_type_conversion
    if option is not LayoutMapOption.INFER_LAYOUT_MAP or not op.body.blocks:
        return _boundary_type(op, type_, options)
    returned = [
        get_type(block.last_op.operands[index])
        for block in op.body.blocks
        if isinstance(block.last_op, func.ReturnOp)
    ]
    if not returned:
        return _boundary_type(op, type_, options)
    return reduce(lambda a, b: join_types(type_, a, b), returned)


def _argument_attributes(op: func.FuncOp, index: int) -> Mapping[str, Attribute]:
    return {} if op.arg_attrs is None else op.arg_attrs.data[index].data


def _drop_argument_attributes(op: func.FuncOp) -> None:
    """Remove what only concerns tensors."""
    if op.arg_attrs is not None:
        op.arg_attrs = ArrayAttr(
            DictionaryAttr(
                {
                    name: value
                    for name, value in attributes.data.items()
                    if name not in (_WRITABLE, _BUFFER_LAYOUT)
                }
            )
            for attributes in op.arg_attrs
        )


# --- calls ---------------------------------------------------------------------------


def _get_callee(call: func.CallOp, callee: Operation | None) -> func.FuncOp:
    if not isinstance(callee, func.FuncOp):
        fail_at(call, f"'{call.callee.string_value()}' is no function of this module")
    return callee


def _is_equivalent(
    number: int, aliasing: Sequence[int], summary: FunctionSummary
) -> bool:
    """Whether argument `number` is exactly one result of the function, always."""
    return len(aliasing) == 1 and summary.equivalent_args[aliasing[0]] == number


def _may_copy_arguments(options: BufferizationOptions) -> bool:
    """Whether a callee may get a copy, as its arguments have no strides.

    Then what it writes is in the copy, and so are its results.
    """
    layouts = options.function_boundary_type_conversion
    return layouts is LayoutMapOption.IDENTITY_LAYOUT_MAP


def _get_same_buffer(
    result: OpResult, state: BufferizationState | BufferTypes
) -> SSAValue | None:
    """The operand of a call whose buffer, under the same type, is that of `result`."""
    summary = state.get_function_summary(result.op)
    if _may_copy_arguments(state.options) or (
        summary is not None and result.index in summary.moved_results
    ):
        return None
    for alias in state.get_aliasing_op_operands(result):
        operand = alias.operand.value
        if alias.relation is BufferRelation.EQUIVALENT and operand.type == result.type:
            return operand
    return None


def _buffers_for(
    op: Operation, types: Sequence[Attribute], state: BufferizationState
) -> list[SSAValue]:
    """The operands of `op` for who expects `types`: cast, or copied if need be."""
    operands: list[SSAValue] = []
    for value, type_ in zip(op.operands, types, strict=True):
        if is_tensor(value):
            assert isa(type_, BufferType)
            operands.append(_buffer_for(op, value, type_, state))
        else:
            operands.append(value)
    return operands


def _buffer_for(
    op: Operation, value: SSAValue, type_: BufferType, state: BufferizationState
) -> SSAValue:
    """A buffer of `value` that has this type.

    An unknown op whose result is returned has to give what the caller expects, as by
    MLIR: there is no copy for a layout that nobody knows.
    """
    if isinstance(op, func.ReturnOp) and state.stays_on_tensors(value):
        buffer = bufferization.ToBufferOp.create(operands=[value], result_types=[type_])
        state.insert(buffer)
        return buffer.memref
    return state.cast(state.get_buffer(value), type_, may_change_space=True)


def _copy_back(
    call: Operation, arguments: Sequence[SSAValue], state: BufferizationState
) -> None:
    """Let what the callee wrote into a copy reach the buffer that was decided on."""
    if _may_copy_arguments(state.options):
        return
    for number, (value, argument) in enumerate(
        zip(call.operands, arguments, strict=True)
    ):
        if not is_tensor(value):
            continue
        buffer = state.get_buffer(value)
        if argument.type == buffer.type or is_cast_safe(buffer.type, argument.type):
            continue
        if state.bufferizes_to_memory_write(OpOperand(call, number)):
            state.insert(new_ops.copy(argument, buffer))


def _result_buffer(
    result: OpResult, new: SSAValue, state: BufferizationState
) -> SSAValue:
    """The buffer of a call's result: the caller's own if it is an operand's.

    So the result keeps its layout, and stays that buffer if the callee got a copy.
    """
    operand = _get_same_buffer(result, state) if is_tensor(result) else None
    return new if operand is None else state.get_buffer(operand)


MODELS: dict[type[Operation], BufferizableOpInterface] = {
    func.CallOp: CallOpBufferization(),
    func.FuncOp: FuncOpBufferization(),
    func.ReturnOp: ReturnOpBufferization(),
}
