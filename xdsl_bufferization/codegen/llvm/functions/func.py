"""How functions and calls are lowered: MLIR's calling convention (see `abi`).

Its source is MLIR's documentation "LLVM IR Target", section "Calling Conventions".

    func.func @f(%m: memref<4xf32>, %i: index) -> (memref<4xf32>, f32)
        -> llvm.func @f(!llvm.ptr, !llvm.ptr, i64, i64, i64, i64)
               -> !llvm.struct<(struct<(ptr, ptr, i64, array<1 x i64>, ...)>, f32)>

With `index-bitwidth=32` each i64 is an i32. A C wrapper takes a complex number as two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import (
    ArrayAttr,
    ComplexType,
    DictionaryAttr,
    StringAttr,
    UnitAttr,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.support import abi
from xdsl_bufferization.support.errors import fail_at

from ..control.cf import lower_blocks
from ..emission.boundary import (
    bind_arguments,
    bind_packed,
    boundary_types,
    expand,
    fields_of,
    from_heap,
    pack,
    packed_type,
    result_type,
    to_heap,
)
from ..emission.descriptor import Unranked, buffer_from_arguments
from ..emission.emitter import Emitter
from ..emission.function import FunctionLowering, Rules
from ..emission.symbols import Symbols
from ..emission.types import PTR, is_buffer
from .runtime_calls import (
    RUNTIME_TYPES,
    call_runtime,
    check_passes_no_buffers,
    has_wider_index,
)

NO_INLINE = "no_inline"
"""Marks a private function that LLVM keeps as it is, as on `llvm.func` of MLIR.

Such a function takes of a buffer what its type does not say: two pointers, and a number
for each `?`. A call of it is as short.
"""

_PRIVATE = StringAttr("private")

NO_ALIAS = "llvm.noalias"
"""Marks an argument whose memory no other argument reaches."""


def lower_function(
    op: func.FuncOp, symbols: Symbols, rules: Rules
) -> list[llvm.FuncOp]:
    """Return the function of the llvm dialect, and its C wrapper if it asks for one."""
    f = FunctionLowering(symbols=symbols, rules=rules)
    if has_wider_index(op, f.types):
        check_passes_no_buffers(op)
        f.types = RUNTIME_TYPES
    inputs = op.function_type.inputs.data
    apart = _is_kept_apart(op, symbols)
    parameters = f.carried_types(inputs, op) if apart else boundary_types(inputs, f, op)
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
    if apart:
        f.bind_carried(entry.args, f.block.args, op)
        lower_blocks(op.body, f)
        return [_function_apart(op, type, f)]
    bind_arguments(entry.args, iter(f.block.args), f, op)
    lower_blocks(op.body, f)
    lowered = _function(op, op.sym_name.data, type, f)
    return [lowered, lower_wrapper(op, type, symbols, rules)] if wrapped else [lowered]


def _is_kept_apart(op: Operation, symbols: Symbols) -> bool:
    """Whether a function is no part of its callers, all of which are known."""
    return (
        isinstance(op, func.FuncOp)
        and op.get_attr_or_prop(NO_INLINE) is not None
        and not op.is_declaration
        and op.sym_visibility == _PRIVATE
        and abi.EMIT_C_INTERFACE not in op.attributes
        and op.sym_name.data not in symbols.names_as_values
    )


def _function_apart(
    op: func.FuncOp, type: llvm.LLVMFunctionType, f: FunctionLowering
) -> llvm.FuncOp:
    properties: dict[str, Attribute | None] = {
        "no_inline": UnitAttr(),
        "arg_attrs": _pointer_attributes(op, f),
    }
    name = op.sym_name.data
    return llvm.FuncOp(name, type, other_props=properties, body=f.finish())


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


def _pointer_attributes(
    op: func.FuncOp, f: FunctionLowering
) -> ArrayAttr[DictionaryAttr]:
    """What is known of each parameter: which memory is reached by no other one."""
    known: list[DictionaryAttr] = []
    each_known = op.arg_attrs or [DictionaryAttr({})] * len(op.function_type.inputs)
    for type, attributes in zip(op.function_type.inputs, each_known, strict=True):
        parameters = [DictionaryAttr({})] * len(f.carried_types([type], op))
        if is_buffer(type) and NO_ALIAS in attributes.data:
            # All accesses go through the second pointer.
            parameters[1] = DictionaryAttr({NO_ALIAS: UnitAttr()})
        known += parameters
    return ArrayAttr(known)


# C-compatible wrappers.


def _wrapper_type(
    op: func.FuncOp, result: Attribute, f: FunctionLowering
) -> llvm.LLVMFunctionType:
    """Return the type of the wrapper: descriptors and result structs by pointer."""
    types: list[Attribute] = []
    for type in op.function_type.inputs:
        if is_buffer(type) or isinstance(type, UnrankedMemRefType):
            types.append(PTR)
        elif isa(type, ComplexType):
            types += _part_types(type, f, op)
        else:
            types.append(packed_type(type, f, op))
    if isinstance(result, llvm.LLVMStructType):
        return llvm.LLVMFunctionType([PTR, *types])
    return llvm.LLVMFunctionType(types, result)


def _part_types(
    type: ComplexType, f: FunctionLowering, op: func.FuncOp
) -> list[Attribute]:
    """Return the types of the two numbers that a C wrapper takes for a complex one."""
    return [f.scalar_type(type.element_type, op)] * 2


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
    sources = iter(parameters[1:] if by_pointer else parameters)
    for input in op.function_type.inputs:
        parameter = next(sources)
        if is_buffer(input):
            buffer = f.buffer_type(input, op)
            struct = f.load(parameter, f.types.descriptor(buffer.rank))
            values += fields_of(struct, buffer, f)
        elif isinstance(input, UnrankedMemRefType):
            struct = f.load(parameter, f.types.unranked())
            values += [f.extract(struct, [0]), f.extract(struct, [1])]
        elif isinstance(input, ComplexType):
            values.append(f.struct([parameter, next(sources)]))
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
    parameters: Iterator[SSAValue] = iter(f.block.args)
    values: list[SSAValue] = []
    output = type.output
    by_pointer = isinstance(output, llvm.LLVMStructType)
    if by_pointer:
        values.append(f.slot(output))
    for input in op.function_type.inputs:
        if is_buffer(input):
            buffer = f.buffer_type(input, op)
            struct = pack(buffer_from_arguments(buffer, parameters), f)
            values.append(_stored(struct, f))
        elif isinstance(input, UnrankedMemRefType):
            unranked = Unranked(next(parameters), next(parameters))
            values.append(_stored(pack(unranked, f), f))
        elif isinstance(input, ComplexType):
            number = next(parameters)
            values += [f.extract(number, [0]), f.extract(number, [1])]
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


def _stored(struct: SSAValue, f: FunctionLowering) -> SSAValue:
    slot = f.slot(struct.type)
    f.store(struct, slot)
    return slot


# Ops.


def _lower_call(op: func.CallOp, f: FunctionLowering) -> None:
    name = op.callee.string_value()
    callee = f.symbols.defined.get(name)
    if callee is None:
        fail_at(op, f"there is no function @{name}")
    if has_wider_index(callee, f.types):
        call_runtime(op, callee, f)
        return
    output = result_type(op.result_types, f, op)
    if _is_kept_apart(callee, f.symbols):
        arguments = f.carry(op.arguments, op.arguments.types, op)
    else:
        arguments = expand((f.values[argument] for argument in op.arguments), f)
    call = f.call(name, arguments, output)
    bind_results(op, call.results[0] if output else None, f)


def bind_results(op: Operation, packed: SSAValue | None, f: FunctionLowering) -> None:
    """Record what the results of a call became: the parts of `packed`."""
    if packed is None:
        return
    several = len(op.results) > 1
    for number, result in enumerate(op.results):
        part = f.extract(packed, [number]) if several else packed
        bind_packed(result, part, f, op)
        if isinstance(result.type, UnrankedMemRefType):
            f.bind(result, from_heap(f.unranked(result), f, op))


def _lower_return(op: func.ReturnOp, f: FunctionLowering) -> None:
    lowered = [f.values[value] for value in op.arguments]
    packed = [
        pack(to_heap(each, f, op) if isinstance(each, Unranked) else each, f)
        for each in lowered
    ]
    if len(packed) < 2:
        _return(f, *packed)
        return
    _return(f, f.struct(packed))


RULES: Rules = {
    func.CallOp: _lower_call,
    func.ReturnOp: _lower_return,
}
