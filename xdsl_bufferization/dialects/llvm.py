"""Ops of MLIR's llvm dialect that xDSL defines too narrowly: it has no vectors there.

    %m = llvm.fcmp "olt" %a, %b : vector<4xf32>
    %r = llvm.select %m, %a, %b : vector<4xi1>, vector<4xf32>

xDSL's LLVM back end translates both as they are.

Source: https://mlir.llvm.org/docs/Dialects/LLVM/
"""

from typing import ClassVar, Self

from typing_extensions import override
from xdsl.dialects import llvm
from xdsl.dialects.builtin import I64, AnyFloatConstr, IntegerAttr, VectorType, i1, i64
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.traits import Pure

from .common.elementwise import BOOL_LIKE, BoolsOf, with_element_type

_NO_FLAGS = llvm.FastMathAttr(None)


@irdl_op_definition
class FCmpOp(IRDLOperation):
    """A comparison of floats, or of vectors of them."""

    name = "llvm.fcmp"

    T: ClassVar = VarConstraint("T", AnyFloatConstr | VectorType.constr(AnyFloatConstr))

    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def(BoolsOf("T"))
    predicate = prop_def(IntegerAttr[I64])
    fastmath_flags = prop_def(
        llvm.FastMathAttr, default_value=_NO_FLAGS, prop_name="fastmathFlags"
    )

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse the format of xDSL."""
        start = parser.pos
        flag = llvm.FCmpPredicateFlag(parser.parse_str_literal())
        operands = [parser.parse_unresolved_operand()]
        parser.parse_punctuation(",")
        operands.append(parser.parse_unresolved_operand())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        return cls.create(
            operands=parser.resolve_operands(operands, [type_, type_], start),
            result_types=[with_element_type(type_, i1)],
            properties={
                "predicate": IntegerAttr(flag.to_int(), i64),
                "fastmathFlags": _NO_FLAGS,
            },
            attributes=attributes,
        )


@irdl_op_definition
class SelectOp(IRDLOperation):
    """A choice between two values, or between the elements of two vectors."""

    name = "llvm.select"

    T: ClassVar = VarConstraint("T", AnyAttr())

    cond = operand_def(BOOL_LIKE)
    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def(T)
    fastmath_flags = prop_def(
        llvm.FastMathAttr, default_value=_NO_FLAGS, prop_name="fastmathFlags"
    )

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$cond `,` $lhs `,` $rhs attr-dict `:` type($cond) `,` type($res)"
