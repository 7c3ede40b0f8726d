"""`vector.transfer_read` and `vector.transfer_write`.

xDSL 0.74 drops the attributes that it does not know, and stops with an assertion where
a map or a mask is wrong. Here every such transfer is refused with a message.

    %0 = vector.transfer_read %t[%i, %j], %f {in_bounds = [true, false],
        permutation_map = affine_map<(d0, d1) -> (d1, d0)>}
        : tensor<?x?xf32>, vector<4x8xf32>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from collections.abc import Sequence
from typing import Self

from typing_extensions import override
from xdsl.dialects import vector
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    IndexType,
    MemRefType,
    ShapedType,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.irdl import traits_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from ..common.making import make
from .checks import (
    BufferReadEffect,
    BufferWriteEffect,
    minor_bits,
    transfer_mask_type,
    verify_indices,
)

_RESERVED = ("operandSegmentSizes",)


class _Parsed:
    """A transfer as it is written, while its types are not yet known."""

    operands: list[UnresolvedOperand]
    indices: Sequence[SSAValue]
    attributes: dict[str, Attribute]
    start: int

    def __init__(self, parser: Parser, *, in_front: int):
        self.start = parser.pos
        self.operands = [parser.parse_unresolved_operand()]
        for _ in range(in_front):
            parser.parse_punctuation(",")
            self.operands.append(parser.parse_unresolved_operand())
        self.indices = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType())
        )
        while parser.parse_optional_punctuation(",") is not None:
            self.operands.append(parser.parse_unresolved_operand())
        self.attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")


def _parse_types(parser: Parser) -> tuple[Attribute, Attribute]:
    first = parser.parse_type()
    parser.parse_punctuation(",")
    return first, parser.parse_type()


def _default_map(
    parser: Parser, shaped: Attribute, vector_type: VectorType
) -> AffineMap:
    """The identity on the innermost dimensions."""
    held = get_element_type_or_self(shaped)
    rank = shaped.get_num_dims() if isinstance(shaped, ShapedType) else 0
    transferred = vector_type.get_num_dims()
    if isa(held, VectorType):
        transferred -= held.get_num_dims()
    if rank == 0 and vector_type.get_shape() == (1,):
        return AffineMap.constant_map(0)
    if not 0 <= transferred <= rank:
        parser.raise_error(
            "expected a custom permutation_map when rank(source) != rank(destination)"
        )
    return AffineMap.minor_identity(rank, transferred)


def _properties(
    parser: Parser, parsed: _Parsed, shaped: Attribute, vector_type: Attribute
) -> dict[str, Attribute]:
    """Take map and bounds out of the attributes, or their defaults."""
    if not (isa(shaped, MemRefType) or isa(shaped, TensorType)):
        parser.raise_error("requires memref or ranked tensor type", parsed.start)
    if not isa(vector_type, VectorType):
        parser.raise_error("requires vector type", parsed.start)
    map_ = parsed.attributes.pop("permutation_map", None)
    if map_ is None:
        map_ = AffineMapAttr(_default_map(parser, shaped, vector_type))
    if not isinstance(map_, AffineMapAttr):
        parser.raise_error("expected an affine map 'permutation_map'", parsed.start)
    bounds = parsed.attributes.pop("in_bounds", None)
    if bounds is None:
        bounds = ArrayAttr([BoolAttr.from_bool(False)] * len(map_.data.results))
    return {"in_bounds": bounds, "permutation_map": map_}


def _mask_type(
    parser: Parser, parsed: _Parsed, vector_type: Attribute, map_: Attribute
) -> Attribute:
    mask_type = None
    if isa(vector_type, VectorType) and isinstance(map_, AffineMapAttr):
        mask_type = transfer_mask_type(vector_type, map_.data)
    if mask_type is None:
        parser.raise_error(
            "expected the same rank for the vector and the results of the permutation "
            "map",
            parsed.start,
        )
    return mask_type


def _print_attributes(
    printer: Printer, op: vector.TransferReadOp | vector.TransferWriteOp
) -> None:
    hidden: list[str] = list(_RESERVED)
    if op.permutation_map.data.is_minor_identity():
        hidden.append("permutation_map")
    if not any(op.in_bounds):
        hidden.append("in_bounds")
    printer.print_op_attributes(
        dict(sorted({**op.attributes, **op.properties}.items())),
        reserved_attr_names=hidden,
    )


class TransferReadOp(vector.TransferReadOp):
    """What `vector.transfer_read` should do."""

    traits = traits_def(BufferReadEffect())

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        parsed = _Parsed(parser, in_front=0)
        shaped, result = _parse_types(parser)
        properties = _properties(parser, parsed, shaped, result)
        if not 2 <= len(parsed.operands) <= 3:
            parser.raise_error("expected a padding value, and maybe a mask")
        types = [shaped, get_element_type_or_self(shaped)]
        if len(parsed.operands) == 3:
            map_ = properties["permutation_map"]
            types.append(_mask_type(parser, parsed, result, map_))
        source, padding, *mask = parser.resolve_operands(
            parsed.operands, types, parsed.start
        )
        return make(
            cls,
            operands=[source, parsed.indices, padding, mask],
            result_types=[result],
            properties=properties,
            attributes=parsed.attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        with printer.in_square_brackets():
            printer.print_list(self.indices, printer.print_ssa_value)
        printer.print_string(", ")
        printer.print_ssa_value(self.padding)
        if self.mask is not None:
            printer.print_string(", ")
            printer.print_ssa_value(self.mask)
        _print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(", ")
        printer.print_attribute(self.result.type)

    @override
    def verify_(self) -> None:
        """Source, vector, map, mask, bounds and padding fit each other."""
        _verify_transfer(self, self.result.type)
        held = get_element_type_or_self(self.source.type)
        if held != self.padding.type:
            raise VerifyException(
                "requires formal padding and source of the same elemental type: "
                f"'{self.padding.type}' and '{held}'"
            )


class TransferWriteOp(vector.TransferWriteOp):
    """What `vector.transfer_write` should do."""

    traits = traits_def(BufferWriteEffect())

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        parsed = _Parsed(parser, in_front=1)
        written, shaped = _parse_types(parser)
        properties = _properties(parser, parsed, shaped, written)
        types = [written, shaped]
        if len(parsed.operands) == 3:
            map_ = properties["permutation_map"]
            types.append(_mask_type(parser, parsed, written, map_))
        value, source, *mask = parser.resolve_operands(
            parsed.operands, types, parsed.start
        )
        return make(
            cls,
            operands=[value, source, parsed.indices, mask],
            result_types=[_results_of(shaped)],
            properties=properties,
            attributes=parsed.attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.vector)
        printer.print_string(", ")
        printer.print_ssa_value(self.source)
        with printer.in_square_brackets():
            printer.print_list(self.indices, printer.print_ssa_value)
        if self.mask is not None:
            printer.print_string(", ")
            printer.print_ssa_value(self.mask)
        _print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_attribute(self.vector.type)
        printer.print_string(", ")
        printer.print_attribute(self.source.type)

    @override
    def verify_(self) -> None:
        """Destination, vector, map, mask, bounds and result fit each other."""
        _verify_transfer(self, self.vector.type)
        results = self.permutation_map.data.results
        if any(isinstance(result, AffineConstantExpr) for result in results):
            raise VerifyException("should not have broadcast dimensions")
        shaped = self.source.type
        expected = _results_of(shaped)
        if list(self.result_types) != expected:
            raise VerifyException(
                f"a write to '{shaped}' has {len(expected)} results of that type"
            )


def _results_of(shaped: Attribute) -> list[Attribute]:
    """A write to a tensor results in another one."""
    return [shaped] if isinstance(shaped, TensorType) else []


def _verify_transfer(
    op: vector.TransferReadOp | vector.TransferWriteOp, vector_type: Attribute
) -> None:
    shaped, map_ = op.source.type, op.permutation_map.data
    if not isinstance(shaped, ShapedType) or not isa(vector_type, VectorType):
        return
    held = get_element_type_or_self(shaped)
    verify_indices(shaped, op.indices)
    _verify_elements(held, vector_type, map_)
    _verify_map(map_, shaped.get_num_dims())
    if len(op.in_bounds) != len(map_.results):
        raise VerifyException(
            "expects the in_bounds attr of same rank as permutation_map results: "
            f"{op.permutation_map} vs inBounds of size: {len(op.in_bounds)}"
        )
    if op.mask is not None:
        _verify_mask(op.mask.type, held, vector_type, map_)


def _verify_elements(
    element_type: Attribute, vector_type: VectorType, map_: AffineMap
) -> None:
    """The vector holds whole elements, and its rank is that of the map.

    Elements that are vectors may have the bits of other scalars.
    """
    rank = vector_type.get_num_dims()
    if isa(element_type, VectorType):
        rank -= element_type.get_num_dims()
        if rank < 0:
            raise VerifyException(
                "requires memref vector element and vector result ranks to match: "
                f"'{element_type}' and '{vector_type}'"
            )
    bits, element_bits = minor_bits(vector_type), minor_bits(element_type)
    if bits is None or element_bits is None:
        if element_type != vector_type.element_type:
            raise VerifyException(
                "element type of source and vector differ: "
                f"'{element_type}' and '{vector_type}'"
            )
    elif bits % element_bits:
        raise VerifyException(
            "requires the bitwidth of the minor 1-D vector to be an integral "
            f"multiple of the bitwidth of the source element type: '{vector_type}' "
            f"and '{element_type}'"
        )
    if len(map_.results) != rank:
        raise VerifyException(
            "requires a permutation_map with result dims of the same rank as the "
            f"vector type: {len(map_.results)} and {rank}"
        )


def _verify_map(map_: AffineMap, rank: int) -> None:
    """Each result is a dimension of the source, once, or 0 for a broadcast."""
    if map_.num_symbols:
        raise VerifyException("requires permutation_map without symbols")
    if map_.num_dims != rank:
        raise VerifyException(
            "requires a permutation_map with input dims of the same rank as the source "
            f"type: {map_.num_dims} and {rank}"
        )
    seen: set[int] = set()
    for result in map_.results:
        if isinstance(result, AffineDimExpr):
            if result.position in seen:
                raise VerifyException(
                    "requires a permutation_map that is a permutation (found one dim "
                    "used more than once)"
                )
            seen.add(result.position)
        elif not isinstance(result, AffineConstantExpr) or result.value:
            raise VerifyException(
                "requires a projected permutation_map (at most one dim or the zero "
                "constant can appear in each result)"
            )


def _verify_mask(
    mask: Attribute,
    element_type: Attribute,
    vector_type: VectorType,
    map_: AffineMap,
) -> None:
    if isa(element_type, VectorType):
        raise VerifyException("does not support masks with vector element type")
    expected = transfer_mask_type(vector_type, map_)
    if mask != expected:
        raise VerifyException(
            f"inferred mask type ('{expected}') and mask operand type ('{mask}') don't "
            "match"
        )
