"""How functions and calls are lowered: MLIR's calling convention (see `abi`).

Its source is MLIR's documentation "LLVM IR Target", section "Calling Conventions".

    func.func @f(%m: memref<4xf32>, %i: index) -> (memref<4xf32>, f32)
        -> llvm.func @f(!llvm.ptr, !llvm.ptr, i64, i64, i64, i64)
               -> !llvm.struct<(struct<(ptr, ptr, i64, array<1 x i64>, ...)>, f32)>
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization import abi
from xdsl_bufferization.errors import fail_at
from xdsl_bufferization.transforms.lowering.llvm.cf import lower_blocks
from xdsl_bufferization.transforms.lowering.llvm.descriptor import (
    Buffer,
    buffer_from_arguments,
)
from xdsl_bufferization.transforms.lowering.llvm.emitter import Emitter
from xdsl_bufferization.transforms.lowering.llvm.function import (
    FunctionLowering,
    Lowered,
    Rules,
)
from xdsl_bufferization.transforms.lowering.llvm.symbols import Symbols
from xdsl_bufferization.transforms.lowering.llvm.types import (
    PTR,
    BufferType,
    is_buffer,
)


def boundary_types(
    types: Iterable[Attribute], f: FunctionLowering, op: Operation
) -> list[Attribute]:
    """Return the parameter types of arguments of `types`: descriptors are expanded."""
    expanded: list[Attribute] = []
    for type in types:
        if is_buffer(type):
            rank = f.buffer_type(type, op).rank
            expanded += [PTR, PTR, i64, *([i64] * (2 * rank))]
        else:
            expanded.append(f.scalar_type(type, op))
    return expanded


def packed_type(type: Attribute, f: FunctionLowering, op: Operation) -> Attribute:
    """Return the type of one value that is returned or stored."""
    if is_buffer(type):
        return f.buffer_type(type, op).descriptor()
    return f.scalar_type(type, op)


def result_type(
    types: Sequence[Attribute], f: FunctionLowering, op: Operation
) -> Attribute | None:
    """Return the type in which all results are returned."""
    packed = [packed_type(type, f, op) for type in types]
    if len(packed) > 1:
        return llvm.LLVMStructType.from_type_list(packed)
    return packed[0] if packed else None


def expand(lowered: Iterable[Lowered], f: FunctionLowering) -> list[SSAValue]:
    """Return what to pass for arguments."""
    values: list[SSAValue] = []
    for value in lowered:
        if isinstance(value, Buffer):
            fields = (value.offset, *value.sizes, *value.strides)
            values += [value.allocated, value.aligned, *map(f.index, fields)]
        else:
            values.append(value)
    return values


def pack(lowered: Lowered, f: FunctionLowering) -> SSAValue:
    """Return a value as it is returned or stored."""
    if not isinstance(lowered, Buffer):
        return lowered
    struct = f.emit(llvm.UndefOp(lowered.type.descriptor()))
    struct = f.insert(struct, lowered.allocated, [abi.ALLOCATED_FIELD])
    struct = f.insert(struct, lowered.aligned, [abi.ALIGNED_FIELD])
    struct = f.insert(struct, f.index(lowered.offset), [abi.OFFSET_FIELD])
    for dimension, size in enumerate(lowered.sizes):
        struct = f.insert(struct, f.index(size), [abi.SIZES_FIELD, dimension])
    for dimension, stride in enumerate(lowered.strides):
        struct = f.insert(struct, f.index(stride), [abi.STRIDES_FIELD, dimension])
    return struct


def fields_of(struct: SSAValue, rank: int, f: Emitter) -> list[SSAValue]:
    """Return the fields of a descriptor struct, in order."""
    single = (abi.ALLOCATED_FIELD, abi.ALIGNED_FIELD, abi.OFFSET_FIELD)
    positions = [[field] for field in single]
    for field in (abi.SIZES_FIELD, abi.STRIDES_FIELD):
        positions += [[field, dimension] for dimension in range(rank)]
    return [f.extract(struct, position) for position in positions]


def unpack(struct: SSAValue, type: BufferType, f: FunctionLowering) -> Buffer:
    """Return the buffer in a descriptor struct."""
    return buffer_from_arguments(type, iter(fields_of(struct, type.rank, f)))


def _bind_arguments(
    arguments: Iterable[SSAValue],
    parameters: Iterator[SSAValue],
    f: FunctionLowering,
    op: Operation,
) -> None:
    for argument in arguments:
        if is_buffer(argument.type):
            type = f.buffer_type(argument.type, op)
            f.bind(argument, buffer_from_arguments(type, parameters))
        else:
            f.bind(argument, next(parameters))


def lower_function(
    op: func.FuncOp, symbols: Symbols, rules: Rules
) -> list[llvm.FuncOp]:
    """Return the function of the llvm dialect, and its C wrapper if it asks for one."""
    f = FunctionLowering(symbols=symbols, rules=rules)
    inputs = op.function_type.inputs.data
    parameters = boundary_types(inputs, f, op)
    result = result_type(op.function_type.outputs.data, f, op)
    type = llvm.LLVMFunctionType(parameters, result)
    wrapped = abi.EMIT_C_INTERFACE in op.attributes
    if not op.body.blocks:
        if not wrapped:
            return [_function(op, op.sym_name.data, type)]
        return lower_external_wrapper(op, type, f)
    f.start(Block(arg_types=parameters))
    f.open_scope(frees=False, hoists=len(op.body.blocks) == 1)
    entry = op.body.blocks[0]
    _bind_arguments(entry.args, iter(f.block.args), f, op)
    lower_blocks(op.body, f)
    lowered = _function(op, op.sym_name.data, type, f)
    return [lowered, lower_wrapper(op, type, symbols, rules)] if wrapped else [lowered]


def _function(
    op: func.FuncOp,
    name: str,
    type: llvm.LLVMFunctionType,
    f: FunctionLowering | None = None,
) -> llvm.FuncOp:
    return llvm.FuncOp(
        name,
        type,
        llvm.LinkageAttr("external"),
        sym_visibility=op.sym_visibility,
        body=None if f is None else f.finish(),
    )


# C-compatible wrappers.


def _wrapper_type(
    op: func.FuncOp, result: Attribute, f: FunctionLowering
) -> llvm.LLVMFunctionType:
    """Return the type of the wrapper: descriptors and result structs by pointer."""
    types: list[Attribute] = [
        PTR if is_buffer(type) else f.scalar_type(type, op)
        for type in op.function_type.inputs
    ]
    if isinstance(result, llvm.LLVMStructType):
        return llvm.LLVMFunctionType([PTR, *types])
    return llvm.LLVMFunctionType(types, result)


def _return(f: Emitter, value: SSAValue | None = None) -> None:
    f.run(llvm.ReturnOp(value))


def lower_wrapper(
    op: func.FuncOp, type: llvm.LLVMFunctionType, symbols: Symbols, rules: Rules
) -> llvm.FuncOp:
    """Return the wrapper through which C calls the function `op`."""
    f = FunctionLowering(symbols=symbols, rules=rules)
    name = abi.C_INTERFACE_PREFIX + op.sym_name.data
    if name in symbols.defined:
        fail_at(op, f"its C wrapper needs the name @{name}, which is taken")
    wrapper_type = _wrapper_type(op, type.output, f)
    f.start(Block(arg_types=wrapper_type.inputs.data))
    parameters: Sequence[SSAValue] = f.block.args
    by_pointer = isinstance(type.output, llvm.LLVMStructType)
    values: list[SSAValue] = []
    sources = parameters[1:] if by_pointer else parameters
    for parameter, input in zip(sources, op.function_type.inputs, strict=True):
        if is_buffer(input):
            buffer = f.buffer_type(input, op)
            struct = f.load(parameter, buffer.descriptor())
            values += fields_of(struct, buffer.rank, f)
        else:
            values.append(parameter)
    output = None if isinstance(type.output, llvm.LLVMVoidType) else type.output
    call = f.call(op.sym_name.data, values, output)
    if by_pointer:
        f.store(call.results[0], parameters[0])
        _return(f)
    else:
        _return(f, call.results[0] if output else None)
    return _function(op, name, wrapper_type, f)


def lower_external_wrapper(
    op: func.FuncOp, type: llvm.LLVMFunctionType, f: FunctionLowering
) -> list[llvm.FuncOp]:
    """Return the declaration of a C function, and the function that calls it."""
    name = abi.C_INTERFACE_PREFIX + op.sym_name.data
    wrapper_type = _wrapper_type(op, type.output, f)
    f.start(Block(arg_types=type.inputs.data))
    f.open_scope()
    parameters: Iterator[SSAValue] = iter(f.block.args)
    values: list[SSAValue] = []
    output = type.output
    by_pointer = isinstance(output, llvm.LLVMStructType)
    if by_pointer:
        values.append(_stack_slot(output, f))
    for input in op.function_type.inputs:
        if is_buffer(input):
            buffer = f.buffer_type(input, op)
            struct = pack(buffer_from_arguments(buffer, parameters), f)
            slot = _stack_slot(buffer.descriptor(), f)
            f.store(struct, slot)
            values.append(slot)
        else:
            values.append(next(parameters))
    returned = wrapper_type.output
    result = None if isinstance(returned, llvm.LLVMVoidType) else returned
    call = f.call(name, values, result)
    if by_pointer:
        _return(f, f.load(values[0], output))
    else:
        _return(f, call.results[0] if result else None)
    function = _function(op, op.sym_name.data, type, f)
    return [_function(op, name, wrapper_type), function]


def _stack_slot(type: Attribute, f: FunctionLowering) -> SSAValue:
    op = llvm.AllocaOp.create(
        operands=(f.integer(1),),
        result_types=(PTR,),
        properties={"elem_type": type},
    )
    return f.alloca(op, static=True)


# Ops.


def _lower_call(op: func.CallOp, f: FunctionLowering) -> None:
    types = [result.type for result in op.results]
    arguments = expand((f.values[argument] for argument in op.arguments), f)
    output = result_type(types, f, op)
    name = op.callee.string_value()
    if name not in f.symbols.defined:
        fail_at(op, f"there is no function @{name}")
    call = f.call(name, arguments, output)
    if len(types) == 1:
        _bind_packed(op.results[0], call.results[0], op, f)
        return
    for number, result in enumerate(op.results):
        _bind_packed(result, f.extract(call.results[0], [number]), op, f)


def _bind_packed(
    value: SSAValue, packed: SSAValue, op: Operation, f: FunctionLowering
) -> None:
    if is_buffer(value.type):
        f.bind(value, unpack(packed, f.buffer_type(value.type, op), f))
    else:
        f.bind(value, packed)


def _lower_return(op: func.ReturnOp, f: FunctionLowering) -> None:
    packed = [pack(f.values[value], f) for value in op.arguments]
    if len(packed) < 2:
        _return(f, *packed)
        return
    struct = f.emit(
        llvm.UndefOp(
            llvm.LLVMStructType.from_type_list([value.type for value in packed])
        )
    )
    for number, value in enumerate(packed):
        struct = f.insert(struct, value, [number])
    _return(f, struct)


RULES: Rules = {
    func.CallOp: _lower_call,
    func.ReturnOp: _lower_return,
}
