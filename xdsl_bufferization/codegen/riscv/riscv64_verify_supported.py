"""The pass `riscv64-verify-supported`: what xDSL's RISC-V back end can compile rightly.

Runs on buffers, before anything is lowered. xDSL's back end leaves ops that it does not
know. On 64 bits it gets some ops wrong that it knows:

- Integers are computed by instructions of 32 bits.
- Comparisons become the wrong instruction.
- Numbers are rounded to integers, which MLIR truncates.

So only what is listed here goes on. Everything else is an error at the op:

    %0 = arith.fptosi %x : f32 to i32
        -> error: 'arith.fptosi' cannot be compiled by xDSL's RISC-V back end: ...

`--backend llvm` compiles all of it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, Final, NoReturn

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import (
    AffineMapAttr,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StridedLayoutAttr,
    UnitAttr,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.dialects.linalg.structure import indexing_maps_of
from xdsl_bufferization.support.errors import fail_at, op_name
from xdsl_bufferization.support.traversal import ops_inside

from ..names_of_c import is_name_of_c
from ..targets.header import KEYWORDS

_LARGEST: Final = 2**31
_WORD_BITS: Final = 32
_WIDEST: Final = 8
"""Bytes of an element."""

_ARGUMENTS, _RESULTS = 8, 2
_ALIGNMENT: Final = 64
"""What bufferization asks for, for the sake of vectors, which there are none of."""
_NAME: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_KEYWORDS: Final = frozenset(KEYWORDS.split())

_Check = Callable[[Any], None]


def verify_supported(module: ModuleOp) -> None:
    """Raise an `OperationError` at the first op that would not be compiled rightly."""
    for op in ops_inside(module):
        if op is module:
            continue
        check = _check_of(op)
        if check is None:
            refuse(op, "it has no lowering there")
        for value in (*op.operands, *op.results):
            _check_type(op, value.type)
        check(op)


def refuse(op: Operation, reason: str) -> NoReturn:
    """Say that `op` is not for xDSL's back end, and what to do."""
    fail_at(
        op,
        f"'{op_name(op)}' cannot be compiled by xDSL's RISC-V back end: {reason}; use "
        "--backend llvm",
    )


def _check_of(op: Operation) -> _Check | None:
    for class_ in type(op).__mro__:
        if (check := _CHECKS.get(class_)) is not None:
            return check
    return None


def _check_type(op: Operation, type_: Attribute) -> None:
    if isa(type_, MemRefType):
        _check_memref(op, type_)
    elif not _is_number(type_):
        refuse(op, f"a value of type {type_} does not fit its registers")


def _is_number(type_: Attribute) -> bool:
    if isa(type_, IntegerType):
        return type_.width.data == _WORD_BITS
    return isinstance(type_, IndexType | Float32Type | Float64Type)


def _check_memref(op: Operation, type_: MemRefType) -> None:
    element = type_.element_type
    is_word = isa(element, IntegerType) and element.width.data == _WORD_BITS
    if not (is_word or isinstance(element, Float32Type | Float64Type)):
        refuse(op, f"it loads and stores f32, f64 and i32, not elements of {element}")
    if not type_.has_static_shape():
        refuse(op, f"{type_} has a dynamic shape, and it keeps no sizes")
    strides = type_.get_strides()
    if strides is None or None in strides:
        refuse(op, f"{type_} has strides that are not known, and it keeps none")
    if prod(type_.get_shape()) * _WIDEST >= _LARGEST:
        refuse(op, f"{type_} is too large for its constants")
    if not isinstance(type_.memory_space, NoneAttr):
        refuse(op, f"{type_} is in a memory space")


def _fine(op: Operation) -> None:
    """What is always compiled rightly."""


def _check_function(op: func.FuncOp) -> None:
    name = op.sym_name.data
    if not _NAME.fullmatch(name) or name in _KEYWORDS:
        refuse(op, f"neither C nor the assembler takes the name @{name}")
    _check_name(op, name)
    types = op.function_type
    if op.is_declaration:
        refuse(op, f"@{name} is defined elsewhere, and would expect descriptors")
    if len(op.body.blocks) > 1:
        refuse(op, "it compiles functions of one block; lift control flow to scf")
    _check_count(op, types.inputs.data, "arguments", _ARGUMENTS)
    _check_count(op, types.outputs.data, "results", _RESULTS)
    for type_ in (*types.inputs, *types.outputs):
        _check_type(op, type_)
        if isa(type_, MemRefType) and not _is_contiguous(type_):
            refuse(op, f"{type_} is passed, whose offset C would not know")


def _check_name(op: Operation, name: str) -> None:
    """Programs are linked with the C library, and call it by its names."""
    if is_name_of_c(name):
        refuse(op, f"it would take the place of C's own @{name}")


def _check_count(
    op: Operation, types: Sequence[Attribute], what: str, limit: int
) -> None:
    if len(types) > limit:
        refuse(op, f"there are {len(types)} {what}, and registers for {limit}")


def _is_contiguous(type_: MemRefType) -> bool:
    layout = type_.layout
    if isinstance(layout, AffineMapAttr):
        return layout.data == layout.data.identity(type_.get_num_dims())
    return isinstance(layout, NoneAttr)


def _check_call(op: func.CallOp) -> None:
    _check_count(op, op.operand_types, "arguments", _ARGUMENTS)
    _check_count(op, op.result_types, "results", _RESULTS)


def _check_alloc(op: memref.AllocOp) -> None:
    type_ = op.memref.type
    assert isa(type_, MemRefType)
    if not _is_contiguous(type_):
        refuse(op, f"{type_} is not contiguous")
    if op.alignment is not None and op.alignment.value.data > _ALIGNMENT:
        refuse(op, f"malloc does not align to {op.alignment.value.data} bytes")


def _check_maps(op: LinalgStructuredOperation) -> None:
    for map_ in indexing_maps_of(op):
        for result in map_.results:
            for part in result.dfs():
                if isinstance(part, AffineBinaryOpExpr) and part.kind in _DIVISIONS:
                    refuse(op, f"it takes remainders for {map_}, also below zero")


_DIVISIONS: Final = (
    AffineBinaryOpKind.Mod,
    AffineBinaryOpKind.FloorDiv,
    AffineBinaryOpKind.CeilDiv,
)


def _check_metadata(op: memref.ExtractStridedMetaDataOp) -> None:
    source = op.source.type
    assert isa(source, MemRefType)
    layout = source.layout
    if isinstance(layout, StridedLayoutAttr) and layout.get_offset() == 0:
        return
    if not isinstance(layout, NoneAttr):
        refuse(op, f"it keeps the address of {source}, not where its buffer is")


def _check_global(op: memref.GlobalOp) -> None:
    if isinstance(op.initial_value, UnitAttr):
        refuse(op, "a global without contents has no section")
    if not _NAME.fullmatch(op.sym_name.data):
        refuse(op, "the assembler does not take this name")
    _check_name(op, op.sym_name.data)
    type_ = op.type
    assert isa(type_, MemRefType)
    _check_memref(op, type_)


def _check_constant(op: arith.ConstantOp) -> None:
    value = op.value
    if isinstance(value, IntegerAttr):
        if not -_LARGEST <= value.value.data < _LARGEST:
            refuse(op, f"constant {value.value.data} has more than 32 bits")
    elif not isinstance(value, FloatAttr):
        refuse(op, f"a constant of type {op.result.type} is no number")


def _check_words(op: Operation) -> None:
    """Integer instructions that work on 64 bits, where i32 would need 32."""
    if not isinstance(op.results[0].type, IndexType):
        refuse(op, f"it computes {op.results[0].type} in 64 bits, without wrapping")


def _check_single(op: Operation) -> None:
    if not isinstance(op.operands[0].type, Float32Type):
        refuse(op, f"it takes {op.operands[0].type} for f32")


def _check_from_integer(op: Operation) -> None:
    if op.operands[0].type != IntegerType(32):
        refuse(op, f"it converts 32 bits of {op.operands[0].type}")


def _check_index_cast(op: Operation) -> None:
    from_, to = op.operands[0].type, op.results[0].type
    if not (from_ == IntegerType(32) and isinstance(to, IndexType)):
        refuse(op, f"it does not convert {from_} to {to}, but takes one for the other")


_CHECKS: Final[Mapping[type[Operation], _Check]] = {
    func.FuncOp: _check_function,
    func.CallOp: _check_call,
    func.ReturnOp: _fine,
    scf.ForOp: _fine,
    scf.YieldOp: _fine,
    memref.AllocOp: _check_alloc,
    memref.DeallocOp: _fine,
    memref.LoadOp: _fine,
    memref.StoreOp: _fine,
    memref.CopyOp: _fine,
    memref.SubviewOp: _fine,
    memref.CastOp: _fine,
    memref.CollapseShapeOp: _fine,
    memref.ExpandShapeOp: _fine,
    memref.ExtractStridedMetaDataOp: _check_metadata,
    memref.GlobalOp: _check_global,
    memref.GetGlobalOp: _fine,
    YieldOp: _fine,
    LinalgStructuredOperation: _check_maps,
    arith.ConstantOp: _check_constant,
    arith.IndexCastOp: _check_index_cast,
    arith.AddiOp: _check_words,
    arith.SubiOp: _check_words,
    arith.MuliOp: _check_words,
    arith.DivSIOp: _check_words,
    arith.DivUIOp: _check_words,
    arith.RemSIOp: _check_words,
    arith.RemUIOp: _check_words,
    arith.AndIOp: _fine,
    arith.OrIOp: _fine,
    arith.XOrIOp: _fine,
    arith.ShLIOp: _check_words,
    arith.ShRUIOp: _check_words,
    arith.ShRSIOp: _check_words,
    arith.SIToFPOp: _check_from_integer,
    arith.AddfOp: _fine,
    arith.SubfOp: _fine,
    arith.MulfOp: _fine,
    arith.DivfOp: _fine,
    arith.MaximumfOp: _check_single,
    arith.MinimumfOp: _check_single,
    arith.NegfOp: _check_single,
}
"""What may go on, and what must hold of it."""


class Riscv64VerifySupportedPass(LoweringPass):
    """Refuse what xDSL's RISC-V back end cannot compile, or not rightly."""

    name = "riscv64-verify-supported"
    rewrite = staticmethod(verify_supported)
