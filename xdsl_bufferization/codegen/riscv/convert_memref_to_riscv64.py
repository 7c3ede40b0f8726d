"""The pass `convert-memref-to-riscv64`: buffers that xDSL's conversion gets wrong.

Runs before xDSL's `convert-memref-to-riscv`, which does the rest. A buffer is the
address of its first element, so a view is that address and what is added to it.

    %0 = memref.subview %x[1, %i] ...      %0 = riscv.add %x, (4 * 8 + 4 * %i)
    memref.copy %x, %y                     riscv_func.call @memcpy(%y, %x, size)
    memref.global @c = dense<...>          riscv.assembly_section ".data" { ... }
    %1 = memref.get_global @c              riscv.auipc "%pcrel_hi(c)"; riscv.addi ...

A copy between buffers that are not contiguous becomes a `linalg.generic`. Addresses of
globals are relative to the program counter, as in any code that may be moved.
"""

import struct
from dataclasses import dataclass
from math import prod
from typing import Final

from typing_extensions import override
from xdsl.builder import ImplicitBuilder
from xdsl.dialects import memref, riscv_func, rv64
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FixedBitwidthType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StridedLayoutAttr,
    SymbolRefAttr,
    UnrealizedConversionCastOp,
    i32,
    i64,
)
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.dialects.riscv import ops as riscv
from xdsl.dialects.riscv.registers import Registers, RISCVRegisterType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.dialects.common.static_values import index_constant
from xdsl_bufferization.dialects.text.splats import SplatBytes
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.repeated import Repeated
from xdsl_bufferization.support.traversal import ops_inside

from ..llvm.emission.types import TypeConverter
from ..llvm.memory.globals import lower_global

MEMCPY: Final = "memcpy"
_ALIGNMENT = 64
_WORD_BYTES = 4
_WORDS_PER_LINE = 4096


def convert_memref_to_riscv64(module: ModuleOp) -> None:
    """Rewrite copies, views and globals in `module`.

    Raises `OperationError` where sizes or strides are not known.
    """
    views = (_Subview(), _SameAddress(), _Metadata())
    patterns: list[RewritePattern] = [_Copy(), *views, _Global(), _GetGlobal()]
    PatternRewriteWalker(
        GreedyRewritePatternApplier(patterns), apply_recursively=False
    ).rewrite_module(module)
    if any(_is_memcpy(op) for op in ops_inside(module)):
        a0, a1, a2 = Registers.A0, Registers.A1, Registers.A2
        types = ((a0, a1, a2), (a0,))
        module.body.block.add_op(
            riscv_func.FuncOp(MEMCPY, Region(), types, visibility="private")
        )


def constant(value: int) -> rv64.LiOp:
    """An integer in a register."""
    return rv64.LiOp(IntegerAttr(value, i64))


def in_register(
    value: SSAValue,
    rewriter: PatternRewriter,
    register: RISCVRegisterType = Registers.UNALLOCATED_INT,
) -> SSAValue:
    """A number or a buffer in the register that it is in."""
    cast = UnrealizedConversionCastOp.get((value,), (register,))
    rewriter.insert(cast)
    return cast.results[0]


class _Copy(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.CopyOp, rewriter: PatternRewriter) -> None:
        source, target = op.source.type, op.destination.type
        assert isa(source, MemRefType) and isa(target, MemRefType)
        if not (_is_identity(source) and _is_identity(target)):
            rewriter.replace(op, _element_by_element(op, source))
            return
        size = prod(source.get_shape()) * _element_bytes(source, op)
        registers = Registers.A0, Registers.A1, Registers.A2
        passed = [in_register(each, rewriter) for each in (op.destination, op.source)]
        number = constant(size)
        widths = DenseArrayBase.from_list(i32, [64] * len(registers))
        move = riscv.ParallelMovOp((*passed, number.rd), registers, widths)
        call = riscv_func.CallOp(SymbolRefAttr(MEMCPY), move.results, (Registers.A0,))
        rewriter.replace(op, [number, move, call], [])


class _Subview(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.SubviewOp, rewriter: PatternRewriter
    ) -> None:
        source = op.source.type
        assert isa(source, MemRefType)
        width = _element_bytes(source, op)
        address = in_register(op.source, rewriter)
        distance, operands = 0, iter(op.offsets)
        for offset, stride in zip(
            op.static_offsets.iter_values(), _strides(source, op), strict=True
        ):
            if offset != DYNAMIC_INDEX:
                distance += offset * stride * width
                continue
            size = constant(stride * width)
            moved = riscv.MulOp(in_register(next(operands), rewriter), size.rd)
            total = riscv.AddOp(address, moved.rd)
            rewriter.insert((size, moved, total))
            address = total.rd
        if distance:
            number = constant(distance)
            total = riscv.AddOp(address, number.rd)
            rewriter.insert((number, total))
            address = total.rd
        rewriter.replace(
            op, UnrealizedConversionCastOp.get((address,), (op.result.type,))
        )


class _SameAddress(RewritePattern):
    """Other types for what begins at the same address."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(
            op, memref.CastOp | memref.CollapseShapeOp | memref.ExpandShapeOp
        ):
            address = in_register(op.operands[0], rewriter)
            types = op.result_types
            rewriter.replace(op, UnrealizedConversionCastOp.get((address,), types))


class _Metadata(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.ExtractStridedMetaDataOp, rewriter: PatternRewriter
    ) -> None:
        source = op.source.type
        assert isa(source, MemRefType)
        if _offset(source) != 0:
            fail_at(op, f"where the buffer of {source} begins is not known")
        address = in_register(op.source, rewriter)
        numbers = [0, *source.get_shape(), *_strides(source, op)]
        constants = [index_constant(n) for n in numbers]
        base = UnrealizedConversionCastOp.get((address,), (op.base_buffer.type,))
        results = [base.results[0], *(each.result for each in constants)]
        rewriter.replace(op, [base, *constants], results)


class _Global(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.GlobalOp, rewriter: PatternRewriter) -> None:
        value = lower_global(op, TypeConverter()).value
        if not isa(value, DenseIntOrFPElementsAttr):
            fail_at(op, "a global must have contents to become part of a program")
        section = riscv.AssemblySectionOp(".data")
        with ImplicitBuilder(section.data):
            riscv.DirectiveOp(".balign", str(_ALIGNMENT))
            riscv.LabelOp(op.sym_name.data)
            if isinstance(value.data, SplatBytes):
                _write_splat(value.data.repeated)
            else:
                _write_words(value.data.data)
        rewriter.replace(op, section)


def _write_splat(repeated: Repeated) -> None:
    """Write one number for all elements."""
    if repeated.is_zero():
        riscv.DirectiveOp(".zero", str(repeated.size))
        return
    size = len(repeated.element)
    number = hex(int.from_bytes(repeated.element, "little"))
    if size <= _WORD_BYTES:
        riscv.DirectiveOp(".fill", f"{repeated.count}, {size}, {number}")
        return
    # Of the number that `.fill` takes, assemblers keep 32 bits.
    riscv.DirectiveOp(".rept", str(repeated.count))
    riscv.DirectiveOp(".dword", number)
    riscv.DirectiveOp(".endr", "")


def _write_words(data: bytes) -> None:
    words = struct.unpack(f"<{len(data) // _WORD_BYTES}I", data)
    for start in range(0, len(words), _WORDS_PER_LINE):
        line = words[start : start + _WORDS_PER_LINE]
        riscv.DirectiveOp(".word", ", ".join(map(hex, line)))


@dataclass
class _GetGlobal(RewritePattern):
    number: int = 0

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.GetGlobalOp, rewriter: PatternRewriter
    ) -> None:
        name = op.name_.string_value()
        here = f".Laddress_{self.number}"
        self.number += 1
        upper = riscv.AuipcOp(f"%pcrel_hi({name})")
        lower = riscv.AddiOp(upper.rd, f"%pcrel_lo({here})")
        cast = UnrealizedConversionCastOp.get((lower.rd,), op.result_types)
        rewriter.replace(op, [riscv.LabelOp(here), upper, lower, cast])


def _element_by_element(op: memref.CopyOp, source: MemRefType) -> GenericOp:
    rank = source.get_num_dims()
    body = Block(arg_types=[source.element_type] * 2)
    body.add_op(YieldOp(body.args[0]))
    return GenericOp(
        [op.source],
        [op.destination],
        Region(body),
        [AffineMapAttr(AffineMap.identity(rank))] * 2,
        [IteratorTypeAttr.parallel()] * rank,
    )


def _is_identity(type_: MemRefType) -> bool:
    return isinstance(type_.layout, NoneAttr) and type_.has_static_shape()


def _element_bytes(type_: MemRefType, op: Operation) -> int:
    element = type_.element_type
    if not isinstance(element, FixedBitwidthType):
        fail_at(op, f"the size of an element of {type_} is not known")
    return element.size


def _offset(type_: MemRefType) -> int | None:
    layout = type_.layout
    if isinstance(layout, StridedLayoutAttr):
        return layout.get_offset()
    return 0 if isinstance(layout, NoneAttr) else None


def _strides(type_: MemRefType, op: Operation) -> list[int]:
    strides = type_.get_strides()
    known = [stride for stride in strides or () if stride is not None]
    if strides is None or len(known) != len(strides):
        fail_at(op, f"the strides of {type_} are not known")
    return known


def _is_memcpy(op: Operation) -> bool:
    return isinstance(op, riscv_func.CallOp) and op.callee.string_value() == MEMCPY


class ConvertMemRefToRiscv64Pass(LoweringPass):
    """Convert what xDSL's convert-memref-to-riscv lacks or gets wrong on 64 bits."""

    name = "convert-memref-to-riscv64"
    rewrite = staticmethod(convert_memref_to_riscv64)
