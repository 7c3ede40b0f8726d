"""Ops of MLIR's vector dialect that read or replace a part of a vector.

xDSL 0.74 lacks those below that are not amendments.

    %0 = vector.extract_strided_slice %v {offsets = [1], sizes = [2], strides = [1]}
        : vector<4x8xf32> to vector<2x8xf32>
    %1 = vector.extract %v[1] : vector<8xf32> from vector<4x8xf32>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from collections.abc import Sequence
from typing import ClassVar, Self

from typing_extensions import override
from xdsl.dialects import vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    UnitAttr,
    VectorType,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from .checks import (
    VECTOR,
    make_vector,
    shape_and_scalability,
    static_values,
    vector_type,
)

_verify_extract_in_xdsl = vector.ExtractOp.verify_
_verify_insert_in_xdsl = vector.InsertOp.verify_


class ExtractOp(vector.ExtractOp):
    """What `vector.extract` should check."""

    @override
    def verify_(self) -> None:
        """Positions that are known lie in the vector."""
        _verify_extract_in_xdsl(self)
        _verify_position(self.static_position, self.vector.type)


class InsertOp(vector.InsertOp):
    """What `vector.insert` should check."""

    @override
    def verify_(self) -> None:
        """Positions that are known lie in the vector."""
        _verify_insert_in_xdsl(self)
        _verify_position(self.static_position, self.dest.type)


def _verify_position(positions: DenseArrayBase[I64], type_: Attribute) -> None:
    if not isa(type_, VectorType):
        return
    given = positions.get_values()
    for index, (position, size) in enumerate(
        zip(given, type_.get_shape(), strict=False), start=1
    ):
        # A position may be -1: the result is poison then.
        if position != DYNAMIC_INDEX and not -1 <= position < size:
            raise VerifyException(
                f"expected position attribute #{index} to be a non-negative integer "
                f"smaller than the corresponding vector dimension or poison (-1): "
                f"{position} in '{type_}'"
            )


def _verify_slice(
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
    shape: Sequence[int],
) -> None:
    """The slice lies inside of the first dimensions of a vector of this shape."""
    if not len(offsets) == len(sizes) == len(strides):
        raise VerifyException(
            "expected offsets, sizes, and strides attributes of same size, but got "
            f"{len(offsets)}, {len(sizes)} and {len(strides)}"
        )
    if len(offsets) > len(shape):
        raise VerifyException(
            f"expected offsets attribute of rank no greater than vector rank: "
            f"{len(offsets)} and {len(shape)}"
        )
    if any(stride != 1 for stride in strides):
        raise VerifyException(
            f"expected strides to be confined to [1, 2), not {strides}"
        )
    for dim, (offset, size) in enumerate(zip(offsets, sizes, strict=True)):
        if not 0 <= offset < shape[dim]:
            raise VerifyException(
                f"expected offsets dimension {dim} to be confined to [0, "
                f"{shape[dim]}), not {offset}"
            )
        if not 1 <= size <= shape[dim]:
            raise VerifyException(
                f"expected sizes dimension {dim} to be confined to [1, "
                f"{shape[dim] + 1}), not {size}"
            )
        if offset + size > shape[dim]:
            raise VerifyException(
                f"expected sum(offsets, sizes) dimension {dim} to be confined to [1, "
                f"{shape[dim] + 1}), not {offset + size}"
            )


class StridedSliceOp(IRDLOperation):
    """A part of a vector, with static offsets, that is read or replaced."""

    NUMBERS: ClassVar[Sequence[str]]
    """The properties with numbers, in the order in which they are written."""

    KEYWORD: ClassVar[str]
    """What stands between the type of the first operand and that of the result."""

    traits = traits_def(Pure())

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `operands {numbers} : type KEYWORD type`."""
        start = parser.pos
        operands = [parser.parse_unresolved_operand()]
        if cls.KEYWORD == "into":
            parser.parse_punctuation(",")
            operands.append(parser.parse_unresolved_operand())
        attributes = parser.parse_optional_attr_dict()
        names = ("offsets", "sizes", "strides")
        given = [name for name in names if name in attributes]
        properties = {name: attributes.pop(name) for name in given}
        parser.parse_punctuation(":")
        types = [parser.parse_type()]
        parser.parse_keyword(cls.KEYWORD)
        types.append(parser.parse_type())
        return cls.create(
            operands=parser.resolve_operands(operands, types[: len(operands)], start),
            result_types=types[1:],
            properties=properties,
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        """Print in MLIR's format; xDSL would add the type of every number."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        shown: list[str] = []
        for name in self.NUMBERS:
            values = self.properties[name]
            if isa(values, ArrayAttr[IntegerAttr[I64]]):
                numbers = ", ".join(map(str, static_values(values)))
                shown.append(f"{name} = [{numbers}]")
        printer.print_string(" {" + ", ".join(shown))
        for name, value in self.attributes.items():
            printer.print_string(f", {name}")
            if not isinstance(value, UnitAttr):
                printer.print_string(" = ")
                printer.print_attribute(value)
        printer.print_string("} : ")
        printer.print_attribute(self.operands[0].type)
        printer.print_string(f" {self.KEYWORD} ")
        printer.print_attribute(self.results[0].type)


@irdl_op_definition
class ExtractStridedSliceOp(StridedSliceOp):
    """A part of a vector, with static offsets."""

    name = "vector.extract_strided_slice"
    NUMBERS: ClassVar = ("offsets", "sizes", "strides")
    KEYWORD: ClassVar = "to"

    source = operand_def(VECTOR)
    offsets = prop_def(ArrayAttr[IntegerAttr[I64]])
    sizes = prop_def(ArrayAttr[IntegerAttr[I64]])
    strides = prop_def(ArrayAttr[IntegerAttr[I64]])
    result = result_def(VECTOR)

    @override
    def verify_(self) -> None:
        """The part lies in the vector, and the result has its sizes."""
        source = vector_type(self.source)
        sizes = static_values(self.sizes)
        _verify_slice(
            static_values(self.offsets),
            sizes,
            static_values(self.strides),
            source.get_shape(),
        )
        dimensions = shape_and_scalability(source)
        taken = [
            (size, scalable and size == whole)
            for size, (whole, scalable) in zip(sizes, dimensions, strict=False)
        ]
        expected = make_vector(source.element_type, taken + dimensions[len(sizes) :])
        if self.result.type != expected:
            raise VerifyException(
                f"expected result type to be '{expected}', not '{self.result.type}'"
            )


@irdl_op_definition
class InsertStridedSliceOp(StridedSliceOp):
    """A vector with a part replaced, with static offsets."""

    name = "vector.insert_strided_slice"
    NUMBERS: ClassVar = ("offsets", "strides")
    KEYWORD: ClassVar = "into"

    T: ClassVar[VarConstraint[VectorType]] = VarConstraint("T", VECTOR)

    value_to_store = operand_def(VECTOR)
    dest = operand_def(T)
    offsets = prop_def(ArrayAttr[IntegerAttr[I64]])
    strides = prop_def(ArrayAttr[IntegerAttr[I64]])
    result = result_def(T)

    @override
    def verify_(self) -> None:
        """The part lies in the destination, at the offsets."""
        source, dest = vector_type(self.value_to_store), vector_type(self.dest)
        shape, part = dest.get_shape(), source.get_shape()
        offsets, strides = static_values(self.offsets), static_values(self.strides)
        if len(offsets) != len(shape):
            raise VerifyException(
                "expected offsets of same size as destination vector rank: "
                f"{len(offsets)} and {len(shape)}"
            )
        if len(strides) != len(part):
            raise VerifyException(
                "expected strides of same size as source vector rank: "
                f"{len(strides)} and {len(part)}"
            )
        if len(part) > len(shape):
            raise VerifyException(
                "expected source rank to be no greater than destination rank: "
                f"{len(part)} and {len(shape)}"
            )
        if source.element_type != dest.element_type:
            raise VerifyException(
                f"source/result element types must match: '{source}' and '{dest}'"
            )
        missing = len(shape) - len(part)
        _verify_scalable_flags(source, shape_and_scalability(dest)[missing:])
        sizes = [1] * missing + list(part)
        _verify_slice(offsets, sizes, [1] * missing + strides, shape)


def _verify_scalable_flags(part: VectorType, whole: Sequence[tuple[int, bool]]) -> None:
    """A scalable dimension is replaced as a whole, by a scalable one."""
    for index, ((size, flag), (base, base_flag)) in enumerate(
        zip(shape_and_scalability(part), whole, strict=True)
    ):
        if flag != base_flag:
            raise VerifyException(
                f"mismatching scalable flags (at source vector idx={index})"
            )
        if flag and size != base:
            raise VerifyException(
                f"expected size at idx={index} to match the corresponding base size "
                f"from the input vector ({size} vs {base})"
            )


@irdl_op_definition
class ScalableInsertOp(IRDLOperation):
    """A scalable vector with a part replaced."""

    name = "vector.scalable.insert"

    T: ClassVar[VarConstraint[VectorType]] = VarConstraint("T", VECTOR)

    value_to_store = operand_def(VECTOR)
    dest = operand_def(T)
    pos = prop_def(IntegerAttr[I64])
    res = result_def(T)

    traits = traits_def(Pure())
    assembly_format = (
        "$value_to_store `,` $dest `[` $pos `]` attr-dict `:` type($value_to_store) "
        "`into` type($dest)"
    )

    @override
    def verify_(self) -> None:
        """The position is a multiple of the length of the part."""
        _verify_scalable(
            vector_type(self.value_to_store), vector_type(self.dest), self.pos
        )


@irdl_op_definition
class ScalableExtractOp(IRDLOperation):
    """A part of a scalable vector."""

    name = "vector.scalable.extract"

    source = operand_def(VECTOR)
    pos = prop_def(IntegerAttr[I64])
    res = result_def(VECTOR)

    traits = traits_def(Pure())
    assembly_format = (
        "$source `[` $pos `]` attr-dict `:` type($res) `from` type($source)"
    )

    @override
    def verify_(self) -> None:
        """The position is a multiple of the length of the part."""
        _verify_scalable(self.res.type, vector_type(self.source), self.pos)


def _verify_scalable(
    part: VectorType, whole: VectorType, position: IntegerAttr[I64]
) -> None:
    if part.element_type != whole.element_type:
        raise VerifyException(
            f"all of {{source, result}} have same element type: '{part}' and '{whole}'"
        )
    if part.get_num_dims() != 1 or whole.get_num_dims() != 1:
        raise VerifyException(f"expected vectors of rank 1: '{part}' and '{whole}'")
    if position.value.data % part.get_shape()[0]:
        raise VerifyException(
            f"position is a multiple of the source length: {position.value.data} and "
            f"'{part}'"
        )
