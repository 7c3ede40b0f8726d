"""What callers of a compiled function must know: its arguments and results.

    func.func @entry(%x: memref<4x?xf32>, %n: i32)
        -> FunctionSignature("entry", x: f32 of 4 by any size, n: i32)

A signature also says what a function does to each buffer: whether it may read it, and
whether it may write to it. A buffer that was a tensor in the program is a value, which
stays as it is for the caller.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StringAttr,
)
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.analyses.buffers.argument_accesses import (
    ArgumentAccesses,
    analyze_arguments,
)
from xdsl_bufferization.bufferization.analyses.buffers.memory_accesses import Access
from xdsl_bufferization.bufferization.analyses.buffers.value_arguments import (
    is_value_argument,
    results_in_arguments,
)
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.support import abi
from xdsl_bufferization.support.errors import fail_at

_ACCESS = "bufferization.access"


def public_functions(module: ModuleOp) -> list[func.FuncOp]:
    """Return the functions of `module` that can be called from outside."""
    return [
        op
        for op in module.ops
        if isinstance(op, func.FuncOp)
        and not op.is_declaration
        and op.sym_visibility != StringAttr("private")
    ]


def keep_public(module: ModuleOp, name: str) -> None:
    """Let one function be the only one that is called from outside.

    The others may have types that cannot be exchanged.
    """
    for each in public_functions(module):
        if each.sym_name.data != name:
            each.sym_visibility = StringAttr("private")


def signatures_of(module: ModuleOp) -> tuple[abi.FunctionSignature, ...]:
    """What callers must know of the public functions of `module`.

    Raises `OperationError` if one takes or returns anything but buffers and numbers.
    """
    attach_all()
    accesses = analyze_arguments(module)
    return tuple(signature_of(each, accesses) for each in public_functions(module))


def signature_of(
    function: func.FuncOp, accesses: ArgumentAccesses | None = None
) -> abi.FunctionSignature:
    """What a caller must know of a function on buffers and numbers.

    `accesses` are those of its module, if they are known already. Raises
    `OperationError` if it takes or returns anything else.
    """
    if accesses is None:
        module = function.parent_op()
        assert isinstance(module, ModuleOp)
        attach_all()
        accesses = analyze_arguments(module)
    arguments = [
        _argument_signature(
            function,
            number,
            _promised(function, number) or accesses.of(function, number),
        )
        for number in range(len(function.function_type.inputs))
    ]
    returned = [
        _value_signature(function, f"result {index}", type)
        for index, type in enumerate(function.function_type.outputs)
    ]
    results = _with_those_in_arguments(function, arguments, returned)
    name = function.sym_name.data
    return abi.FunctionSignature(name, tuple(arguments), tuple(results))


def _with_those_in_arguments(
    function: func.FuncOp,
    arguments: Sequence[abi.ValueSignature],
    returned: Sequence[abi.ValueSignature],
) -> Sequence[abi.ValueSignature]:
    """The results of the program, of which `returned` are returned."""
    places = results_in_arguments(function)
    if places is None:
        return returned
    others = iter(returned)
    return [
        next(others) if place is None else _in_argument(arguments, place)
        for place in places
    ]


def _in_argument(
    arguments: Sequence[abi.ValueSignature], place: int
) -> abi.ValueSignature:
    argument = arguments[place]
    assert isinstance(argument, abi.MemRefSignature)
    return abi.MemRefSignature(
        argument.element, argument.shape, argument.layout, in_argument=place
    )


def _promised(function: func.FuncOp, number: int) -> Access | None:
    """What `bufferization.access` says that happens to an argument."""
    if function.arg_attrs is None:
        return None
    access = function.arg_attrs.data[number].data.get(_ACCESS)
    if not isinstance(access, StringAttr):
        return None
    return Access("read" in access.data, "write" in access.data)


def _argument_signature(
    function: func.FuncOp, number: int, access: Access
) -> abi.ValueSignature:
    type_ = function.function_type.inputs.data[number]
    signature = _value_signature(function, f"argument {number}", type_)
    name = "" if function.is_declaration else function.args[number].name_hint or ""
    if isinstance(signature, abi.ScalarSignature):
        return replace(signature, name=name)
    return replace(
        signature,
        name=name,
        read=access.reads,
        written=access.writes,
        is_value=is_value_argument(function, number),
    )


def _value_signature(
    function: func.FuncOp,
    place: str,
    type: Attribute,
) -> abi.ValueSignature:
    if not isa(type, MemRefType):
        element = str(type)
        if element not in abi.PASSED_BY_VALUE:
            _refuse(function, place, type, ", ".join(sorted(abi.PASSED_BY_VALUE)))
        return abi.ScalarSignature(element)
    element = str(type.element_type)
    if element not in abi.ELEMENT_BYTES:
        elements = ", ".join(sorted(abi.ELEMENT_BYTES))
        _refuse(function, place, type, f"a memref of one of {elements}")
    shape = tuple(None if s == DYNAMIC_INDEX else s for s in type.get_shape())
    layout = _layout(function, place, type)
    return abi.MemRefSignature(element, shape, layout)


def _layout(
    function: func.FuncOp, place: str, type: MemRefType
) -> abi.StridedLayout | None:
    layout = type.layout
    if isinstance(layout, NoneAttr):
        return None
    if isinstance(layout, AffineMapAttr):
        if layout.data == layout.data.identity(type.get_num_dims()):
            return None
        _refuse(function, place, type, "a layout of the form strided<...>")
    strides = layout.get_strides()
    if strides is None:
        _refuse(function, place, type, "a layout of the form strided<...>")
    return abi.StridedLayout(tuple(strides), layout.get_offset())


def _refuse(
    function: func.FuncOp, place: str, type: Attribute, expected: str
) -> NoReturn:
    fail_at(
        function,
        f"{place} of public function @{function.sym_name.data} is {type}, which "
        f"Python cannot exchange; use {expected}, or make the function private",
    )
