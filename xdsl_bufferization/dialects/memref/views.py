"""Ops that see a buffer as another type.

%0 = memref.cast %m : memref<2xf32> to memref<?xf32>
%1 = memref.transpose %n (i, j) -> (j, i)
    : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
%2 = memref.view %bytes[%shift][%n] : memref<64xi8> to memref<?xf32>

Slices are in `slices.py`, reshapes by reassociation in `reshapes.py`. Source of all
definitions: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I32,
    AffineMapAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    SignlessIntegerConstraint,
    UnrankedMemRefType,
    i8,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import (
    IRDLOperation,
    RangeOf,
    RangeVarConstraint,
    VarConstraint,
    eq,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.bitwise_casts import is_power_of_two
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..common.canonicalized import Canonicalized
from ..common.types import have_compatible_shapes
from .constraints import BUFFER, RANKED_BUFFER, ranked, verify_dynamic_sizes
from .layouts import StridedForm, get_strided_form, has_identity_layout, with_layout

_BufferType = MemRefType | UnrankedMemRefType


def are_cast_compatible(source: Attribute, dest: Attribute) -> bool:
    """Whether `memref.cast` may stand between two types (MLIR's rule)."""
    if not isa(source, _BufferType) or not isa(dest, _BufferType):
        return False
    if source.element_type != dest.element_type:
        return False
    if source.memory_space != dest.memory_space:
        return False
    if isinstance(source, MemRefType) and isinstance(dest, MemRefType):
        return have_compatible_shapes(source, dest) and _may_have_one_layout(
            source, dest
        )
    return isinstance(source, MemRefType) or isinstance(dest, MemRefType)


def _may_have_one_layout(source: MemRefType, dest: MemRefType) -> bool:
    if source.layout == dest.layout:
        return True
    first, second = get_strided_form(source), get_strided_form(dest)
    if first is None or second is None:
        return False
    return all(
        a is None or b is None or a == b
        for a, b in zip(
            (first.offset, *first.strides),
            (second.offset, *second.strides),
            strict=True,
        )
    )


def _fail_as_incompatible(source: Attribute, dest: Attribute) -> None:
    raise VerifyException(
        f"operand type {source} and result type {dest} are cast incompatible"
    )


class _CastOp(IRDLOperation):
    source = operand_def(BUFFER)
    dest = result_def(BUFFER)

    traits = traits_def(Canonicalized())
    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"


@irdl_op_definition
class CastOp(_CastOp):
    """The same buffer with sizes, strides or rank known at other times."""

    name = "memref.cast"

    @override
    def verify_(self) -> None:
        """What is known of the source does not contradict the result."""
        if not are_cast_compatible(self.source.type, self.dest.type):
            _fail_as_incompatible(self.source.type, self.dest.type)


@irdl_op_definition
class MemorySpaceCastOp(_CastOp):
    """The same buffer seen from another memory space."""

    name = "memref.memory_space_cast"

    @override
    def verify_(self) -> None:
        """Source and result differ in nothing but the memory space."""
        source, dest = self.source.type, self.dest.type
        if not isa(source, _BufferType) or (_in_memory_space_of(source, dest) != dest):
            _fail_as_incompatible(source, dest)


def _in_memory_space_of(type_: _BufferType, other: Attribute) -> Attribute | None:
    if not isa(other, _BufferType):
        return None
    if isinstance(type_, UnrankedMemRefType):
        return UnrankedMemRefType.from_type(type_.element_type, other.memory_space)
    return MemRefType(type_.element_type, type_.shape, type_.layout, other.memory_space)


@irdl_op_definition
class AssumeAlignmentOp(IRDLOperation):
    """The same buffer, of whose address a divisor is known."""

    name = "memref.assume_alignment"

    _T: ClassVar = VarConstraint("T", RANKED_BUFFER)

    memref = operand_def(_T)
    alignment = prop_def(IntegerAttr[I32])
    result = result_def(_T)

    traits = traits_def(Canonicalized())
    assembly_format = "$memref `,` $alignment attr-dict `:` type($memref)"

    @override
    def verify_(self) -> None:
        """The alignment is a power of two."""
        alignment = self.alignment.value.data
        if alignment <= 0 or not is_power_of_two(alignment):
            raise VerifyException(
                f"alignment must be positive and a power of 2, but got {alignment}"
            )


@irdl_op_definition
class DistinctObjectsOp(IRDLOperation):
    """The same buffers, none of which shares memory with another."""

    name = "memref.distinct_objects"

    _T: ClassVar = RangeVarConstraint("T", RangeOf(RANKED_BUFFER))

    objects = var_operand_def(_T)
    distinct = var_result_def(_T)

    traits = traits_def(Pure())
    assembly_format = "$objects attr-dict `:` type($objects)"

    def __init__(self, objects: Sequence[SSAValue]):
        types = [value.type for value in objects]
        super().__init__(operands=[objects], result_types=[types])

    @override
    def verify_(self) -> None:
        """There is a buffer."""
        if not self.objects:
            raise VerifyException("expected at least one operand")


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """The same elements in another shape, which the running program supplies."""

    name = "memref.reshape"

    source = operand_def(BUFFER)
    shape = operand_def(MemRefType.constr(SignlessIntegerConstraint | eq(IndexType())))
    result = result_def(BUFFER)

    traits = traits_def(Pure())
    assembly_format = (
        "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        source: SSAValue | Operation,
        shape: SSAValue | Operation,
        result_type: Attribute,
    ):
        super().__init__(operands=[source, shape], result_types=[result_type])

    @override
    def verify_(self) -> None:
        """Both are dense and of one element type; the shape has the result's rank."""
        source, result = self.source.type, self.result.type
        shape = ranked(self.shape)
        if shape.get_num_dims() != 1:
            raise VerifyException(f"shape must be 1D memref, but got {shape}")
        for what, type_ in (("source", source), ("result", result)):
            if isa(type_, MemRefType) and not has_identity_layout(type_):
                raise VerifyException(
                    f"{what} memref type should have identity affine map, but got "
                    f"{type_}"
                )
        _verify_reshaped(source, result)
        if not isa(result, MemRefType):
            return
        (length,) = shape.get_shape()
        if length == DYNAMIC_INDEX:
            raise VerifyException(
                "cannot use shape operand with dynamic length to reshape to "
                "statically-ranked memref type"
            )
        if length != result.get_num_dims():
            raise VerifyException(
                "length of shape operand differs from the result's memref rank: "
                f"{length} and {result.get_num_dims()}"
            )


def _verify_reshaped(source: Attribute, result: Attribute) -> None:
    if not isa(source, _BufferType) or not isa(result, _BufferType):
        return
    if source.element_type != result.element_type:
        raise VerifyException(
            "element types of source and destination memref types should be the same, "
            f"but got {source} and {result}"
        )


@irdl_custom_directive
class Permutation(CustomDirective):
    """A permutation of dimensions as an affine map without `affine_map<...>`."""

    permutation: AttributeVariable

    @override
    def parse(self, parser: Parser, state: ParsingState) -> None:
        self.permutation.set(state, AffineMapAttr(parser.parse_affine_map()))

    @override
    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        permutation = self.permutation.get(op)
        if isinstance(permutation, AffineMapAttr):
            printer.print_string(str(permutation.data))


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """The same buffer with its dimensions in another order."""

    name = "memref.transpose"

    source = operand_def(RANKED_BUFFER)
    permutation = prop_def(AffineMapAttr)
    result = result_def(RANKED_BUFFER)

    traits = traits_def(Pure(), Canonicalized())
    custom_directives = (Permutation,)
    assembly_format = (
        "$source custom<Permutation>($permutation) attr-dict "
        "`:` type($source) `to` type($result)"
    )

    def __init__(self, source: SSAValue | Operation, permutation: AffineMap):
        source = SSAValue.get(source)
        super().__init__(
            operands=[source],
            result_types=[get_transposed_type(ranked(source), permutation)],
            properties={"permutation": AffineMapAttr(permutation)},
        )

    @override
    def verify_(self) -> None:
        """The result has the type that the permutation makes of the source's."""
        source, result = ranked(self.source), ranked(self.result)
        expected = get_transposed_type(source, self.permutation.data)
        if _with_strides(result) != _with_strides(expected):
            raise VerifyException(
                f"result type {result} is not equivalent to the canonical transposed "
                f"input type {expected}"
            )


def get_transposed_type(source: MemRefType, permutation: AffineMap) -> MemRefType:
    """The type of a transposed buffer; a `VerifyException` if there is none."""
    rank = source.get_num_dims()
    if permutation.num_dims != rank or permutation.num_symbols:
        raise VerifyException(
            "expected a permutation map of same rank as the input, but got "
            f"{permutation} for {source}"
        )
    order = get_order(permutation)
    if len(permutation.results) != rank or sorted(order) != list(range(rank)):
        raise VerifyException(f"expected a permutation map, but got {permutation}")
    form = get_strided_form(source)
    if form is None:
        raise VerifyException(f"input type {source} is not strided")
    shape = source.get_shape()
    strides = tuple(form.strides[dim] for dim in order)
    return with_layout(
        source, [shape[dim] for dim in order], StridedForm(strides, form.offset)
    )


def get_order(permutation: AffineMap) -> list[int]:
    """For each dimension of a transposed buffer, that of the source."""
    return [
        expr.position for expr in permutation.results if isinstance(expr, AffineDimExpr)
    ]


def _with_strides(type_: MemRefType) -> MemRefType:
    """The type with its layout spelt out, so that equivalent layouts are equal."""
    form = get_strided_form(type_)
    return type_ if form is None else with_layout(type_, type_.get_shape(), form)


@irdl_op_definition
class ViewOp(IRDLOperation):
    """Bytes seen as elements."""

    name = "memref.view"

    source = operand_def(MemRefType[IntegerType].constr(i8))
    byte_shift = operand_def(IndexType())
    sizes = var_operand_def(IndexType())
    result = result_def(RANKED_BUFFER)

    traits = traits_def(Canonicalized())
    assembly_format = (
        "$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict "
        "`:` type($source) `to` type($result)"
    )

    @override
    def verify_(self) -> None:
        """Both are dense and in one memory space, and the source is a vector."""
        source, result = ranked(self.source), ranked(self.result)
        if source.get_num_dims() != 1:
            raise VerifyException(
                f"source must be 1D memref of 8-bit signless integer values, but got "
                f"{source}"
            )
        for what, type_ in (("base", source), ("result", result)):
            if not has_identity_layout(type_):
                raise VerifyException(f"unsupported map for {what} memref type {type_}")
        if source.memory_space != result.memory_space:
            raise VerifyException(
                f"different memory spaces specified for base memref type {source} and "
                f"view memref type {result}"
            )
        verify_dynamic_sizes(result, len(self.sizes))
