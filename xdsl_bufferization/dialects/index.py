"""MLIR's index dialect, which xDSL does not have.

Arithmetic on `index` values alone. What MLIR tools print with it can be read here, and
its constants and sums fold as those of `arith` do.

    %0 = index.constant 4
    %1 = index.add %0, %n
    %2 = index.cmp slt(%1, %n)

Source of all definitions: https://mlir.llvm.org/docs/Dialects/IndexOps/
"""

from collections.abc import Sequence
from typing import Any

from typing_extensions import TypeVar, override
from xdsl.dialect_interfaces.constant_materialization import (
    ConstantMaterializationInterface,
)
from xdsl.dialects.builtin import BoolAttr, IndexType, IntegerAttr, IntegerType, i1
from xdsl.dialects.utils import EnumAttribute
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import (
    Attribute,
    Operation,
    SpacedOpaqueSyntaxAttribute,
    SSAValue,
)
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Commutative, ConstantLike, NoMemoryEffect, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa
from xdsl.utils.str_enum import StrEnum

from .common.enums import Name

_IndexAttr = IntegerAttr.constr(IndexType())

_Op = TypeVar("_Op", bound=IRDLOperation)


class CmpPredicate(StrEnum):
    """How two indices are compared: `s` signed, `u` unsigned."""

    EQ = "eq"
    NE = "ne"
    SLT = "slt"
    SLE = "sle"
    SGT = "sgt"
    SGE = "sge"
    ULT = "ult"
    ULE = "ule"
    UGT = "ugt"
    UGE = "uge"


@irdl_attr_definition
class CmpPredicateAttr(EnumAttribute[CmpPredicate], SpacedOpaqueSyntaxAttribute):
    """`#index<cmp_predicate eq>`."""

    name = "index.cmp_predicate"


class BinaryOp(IRDLOperation):
    """Two indices in, one out."""

    lhs = operand_def(IndexType())
    rhs = operand_def(IndexType())
    result = result_def(IndexType())

    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs attr-dict"

    def __init__(self, lhs: Operation | SSAValue, rhs: Operation | SSAValue):
        super().__init__(operands=[lhs, rhs], result_types=[IndexType()])


class CommutativeOp(BinaryOp):
    """A binary op whose operands may change places."""

    traits = traits_def(Pure(), Commutative())


class DivisionOp(BinaryOp):
    """A binary op that must not be moved to where the divisor may be zero."""

    traits = traits_def(NoMemoryEffect())


class FoldedBinaryOp(BinaryOp, HasFolderInterface):
    """A binary op whose value does not depend on the width of an index."""

    @staticmethod
    def evaluate(lhs: int, rhs: int) -> int:
        """The value for two constants, not yet wrapped."""
        raise NotImplementedError

    @override
    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """A constant, if both operands are; the other one, if one is neutral."""
        lhs = ConstantLike.get_constant_value(self.lhs)
        rhs = ConstantLike.get_constant_value(self.rhs)
        if not isa(rhs, IntegerAttr):
            return None
        if isa(lhs, IntegerAttr):
            value = self.evaluate(lhs.value.data, rhs.value.data)
            if not -(2**31) <= value < 2**31:
                return None  # an index has 32 bits on some targets
            return (IntegerAttr(value, IndexType()),)
        neutral = 1 if isinstance(self, MulOp) else 0
        return (self.lhs,) if rhs.value.data == neutral else None


@irdl_op_definition
class AddOp(FoldedBinaryOp):
    """The sum, modulo the width of an index."""

    name = "index.add"
    traits = traits_def(Pure(), Commutative())

    @override
    @staticmethod
    def evaluate(lhs: int, rhs: int) -> int:
        return lhs + rhs


@irdl_op_definition
class SubOp(FoldedBinaryOp):
    """The difference, modulo the width of an index."""

    name = "index.sub"

    @override
    @staticmethod
    def evaluate(lhs: int, rhs: int) -> int:
        return lhs - rhs


@irdl_op_definition
class MulOp(FoldedBinaryOp):
    """The product, modulo the width of an index."""

    name = "index.mul"
    traits = traits_def(Pure(), Commutative())

    @override
    @staticmethod
    def evaluate(lhs: int, rhs: int) -> int:
        return lhs * rhs


def _op(base: type[_Op], name: str, summary: str) -> type[_Op]:
    """A class of ops that differ from `base` by what they compute."""
    members = {"name": f"index.{name}", "__doc__": summary, "__module__": __name__}
    made: type[Any] = type(f"{name.capitalize()}Op", (base,), members)
    return irdl_op_definition(made)


DivSOp = _op(DivisionOp, "divs", "The signed quotient, rounded towards zero.")
DivUOp = _op(DivisionOp, "divu", "The unsigned quotient, rounded towards zero.")
CeilDivSOp = _op(DivisionOp, "ceildivs", "The signed quotient, rounded up.")
CeilDivUOp = _op(DivisionOp, "ceildivu", "The unsigned quotient, rounded up.")
FloorDivSOp = _op(DivisionOp, "floordivs", "The signed quotient, rounded down.")
RemSOp = _op(DivisionOp, "rems", "The signed remainder.")
RemUOp = _op(DivisionOp, "remu", "The unsigned remainder.")
MaxSOp = _op(BinaryOp, "maxs", "The larger one of two signed indices.")
MaxUOp = _op(BinaryOp, "maxu", "The larger one of two unsigned indices.")
MinSOp = _op(BinaryOp, "mins", "The smaller one of two signed indices.")
MinUOp = _op(BinaryOp, "minu", "The smaller one of two unsigned indices.")
ShlOp = _op(BinaryOp, "shl", "A shift to the left.")
ShrSOp = _op(BinaryOp, "shrs", "A shift to the right that keeps the sign.")
ShrUOp = _op(BinaryOp, "shru", "A shift to the right that fills with zeros.")
AndOp = _op(CommutativeOp, "and", "Bitwise and.")
OrOp = _op(CommutativeOp, "or", "Bitwise or.")
XOrOp = _op(CommutativeOp, "xor", "Bitwise exclusive or.")


class CastOp(IRDLOperation):
    """From an index to an integer, or back."""

    input = operand_def(IndexType | IntegerType)
    output = result_def(IndexType | IntegerType)

    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"

    def __init__(self, value: Operation | SSAValue, output_type: Attribute):
        super().__init__(operands=[value], result_types=[output_type])

    @override
    def verify_(self) -> None:
        """Exactly one of the two types is `index`."""
        types = (self.input.type, self.output.type)
        if types.count(IndexType()) != 1:
            raise VerifyException(
                f"operand type '{types[0]}' and result type '{types[1]}' are cast "
                "incompatible"
            )


CastSOp = _op(CastOp, "casts", "A cast that keeps the sign.")
CastUOp = _op(CastOp, "castu", "A cast that extends with zeros.")


@irdl_op_definition
class CmpOp(IRDLOperation):
    """Whether a comparison of two indices holds."""

    name = "index.cmp"

    pred = prop_def(CmpPredicateAttr)
    lhs = operand_def(IndexType())
    rhs = operand_def(IndexType())
    result = result_def(i1)

    traits = traits_def(Pure())
    custom_directives = (Name,)
    assembly_format = "custom<Name>($pred) `(` $lhs `,` $rhs `)` attr-dict"


@irdl_op_definition
class SizeOfOp(IRDLOperation):
    """The number of bits of an index."""

    name = "index.sizeof"

    result = result_def(IndexType())

    traits = traits_def(Pure())
    assembly_format = "attr-dict"


@irdl_op_definition
class ConstantOp(IRDLOperation, HasFolderInterface):
    """A constant index."""

    name = "index.constant"

    value = prop_def(_IndexAttr)
    result = result_def(IndexType())

    traits = traits_def(Pure(), ConstantLike())
    assembly_format = "attr-dict $value"

    def __init__(self, value: int):
        super().__init__(
            properties={"value": IntegerAttr(value, IndexType())},
            result_types=[IndexType()],
        )

    @override
    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """The constant."""
        return (self.value,)


@irdl_op_definition
class BoolConstantOp(IRDLOperation, HasFolderInterface):
    """A constant truth value."""

    name = "index.bool.constant"

    value = prop_def(BoolAttr)
    result = result_def(i1)

    traits = traits_def(Pure(), ConstantLike())
    assembly_format = "attr-dict $value"

    @override
    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """The constant."""
        return (self.value,)


class IndexConstantMaterialization(ConstantMaterializationInterface):
    """How a folded value of the index dialect becomes an op again."""

    @override
    def materialize_constant(self, value: Attribute, type: Attribute) -> Operation:
        op_type = ConstantOp if isinstance(type, IndexType) else BoolConstantOp
        return op_type.create(properties={"value": value}, result_types=[type])
