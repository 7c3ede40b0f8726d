"""What callers of a compiled function must know: its arguments and results.

    func.func @entry(%x: memref<4x?xf32>, %n: i32)
        -> FunctionSignature("entry", x: f32 of 4 by any size, n: i32)

A signature also says which buffers a function may write to: callers may then pass
arrays that must not change.
"""

from itertools import zip_longest
from typing import NoReturn

from xdsl.dialects import arith, func, llvm, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    IndexType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StringAttr,
    UnrankedMemRefType,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute, SSAValue, Use
from xdsl.traits import SymbolTable
from xdsl.utils.hints import isa

from xdsl_bufferization import abi
from xdsl_bufferization.errors import fail_at

_ACCESS = "bufferization.access"
_READS = (
    memref.LoadOp,
    memref.DimOp,
    memref.RankOp,
    func.ReturnOp,
)
_VIEWS = (
    memref.CastOp,
    memref.CollapseShapeOp,
    memref.ExpandShapeOp,
    memref.ExtractStridedMetaDataOp,
    memref.MemorySpaceCastOp,
    memref.ReinterpretCastOp,
    memref.SubviewOp,
)
_POINTERS = (
    memref.ExtractAlignedPointerAsIndexOp,
    arith.IndexCastOp,
    llvm.IntToPtrOp,
)
_BUFFERS = (MemRefType, UnrankedMemRefType)
_READONLY = "llvm.readonly"


def public_functions(module: ModuleOp) -> list[func.FuncOp]:
    """Return the functions of `module` that can be called from outside."""
    return [
        op
        for op in module.ops
        if isinstance(op, func.FuncOp)
        and not op.is_declaration
        and op.sym_visibility != StringAttr("private")
    ]


def signature_of(function: func.FuncOp) -> abi.FunctionSignature:
    """Return what a caller must know of a function on buffers and numbers.

    Raises `OperationError` if it takes or returns anything else.
    """
    accesses = _accesses(function)
    known = () if function.is_declaration else function.args
    arguments = [
        _value_signature(
            function,
            f"argument {index}",
            type,
            name=(argument and argument.name_hint) or "",
            written=access not in ("read", "none")
            and (argument is None or may_be_written(argument)),
        )
        for index, (type, argument, access) in enumerate(
            zip_longest(function.function_type.inputs, known, accesses)
        )
    ]
    results = [
        _value_signature(function, f"result {index}", type)
        for index, type in enumerate(function.function_type.outputs)
    ]
    name = function.sym_name.data
    return abi.FunctionSignature(name, tuple(arguments), tuple(results))


def may_be_written(buffer: SSAValue) -> bool:
    """Whether a function may write into a buffer or a view of it. When unsure: True."""
    pending = [buffer]
    while pending:
        for use in pending.pop().uses:
            op = use.operation
            if isinstance(op, _VIEWS):
                pending += [r for r in op.results if isinstance(r.type, _BUFFERS)]
            elif isinstance(op, _POINTERS):
                pending += op.results
            elif not _only_reads(use):
                return True
    return False


def _only_reads(use: Use) -> bool:
    match use.operation:
        case memref.CopyOp():
            return use.index == 0
        case LinalgStructuredOperation() as op:
            return use.index < len(op.inputs)
        case arith.CmpiOp():
            return True
        case memref.StoreOp() as op:
            # A pointer in memory is there to be compared with others.
            return use.index == 0 and isinstance(op.value.type, IndexType)
        case func.CallOp() as op:
            return _is_readonly(op, use.index)
        case op:
            return isinstance(op, _READS)


def _is_readonly(call: func.CallOp, argument: int) -> bool:
    """Whether a function only reads through the pointer that is an argument of it."""
    callee = SymbolTable.lookup_symbol(call, call.callee)
    if not isinstance(callee, func.FuncOp) or callee.arg_attrs is None:
        return False
    return _READONLY in callee.arg_attrs.data[argument].data


def _accesses(function: func.FuncOp) -> list[str | None]:
    """Return the `bufferization.access` of each argument."""
    if function.arg_attrs is None:
        return [None] * len(function.function_type.inputs)
    values = [attrs.data.get(_ACCESS) for attrs in function.arg_attrs]
    return [value.data if isinstance(value, StringAttr) else None for value in values]


def _value_signature(
    function: func.FuncOp,
    place: str,
    type: Attribute,
    *,
    name: str = "",
    written: bool = True,
) -> abi.ValueSignature:
    if not isa(type, MemRefType):
        element = str(type)
        if element not in abi.PASSED_BY_VALUE:
            _refuse(function, place, type, ", ".join(sorted(abi.PASSED_BY_VALUE)))
        return abi.ScalarSignature(element, name)
    element = str(type.element_type)
    if element not in abi.ELEMENT_BYTES:
        elements = ", ".join(sorted(abi.ELEMENT_BYTES))
        _refuse(function, place, type, f"a memref of one of {elements}")
    shape = tuple(None if s == DYNAMIC_INDEX else s for s in type.get_shape())
    layout = _layout(function, place, type)
    return abi.MemRefSignature(element, shape, layout, written, name)


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
